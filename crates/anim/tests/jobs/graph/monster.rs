//! The book's monster (section 3.10): two trees of idle, walk and attack, by one script.

use stillframe_anim::graph::{FadePolicy, GraphDef, NodeKind, PartialMode, PartialNode, PartialWeights};
use stillframe_anim::pose::JointBlock;

use super::biped::{Player, apart_deg, def, joint, looped, once, strings, switch};

fn partial(below: &str) -> NodeKind {
    NodeKind::Partial(PartialNode {
        inputs: strings(&[below, "Attack2"]),
        weights: PartialWeights::Joints(vec![("Bip01 Neck".to_string(), vec![0.0, 1.0])]),
        mode: PartialMode::WeightedNlerp,
    })
}

fn clips() -> Vec<(&'static str, NodeKind)> {
    vec![("Idle", looped("idle")), ("Walk", looped("walk")), ("Attack2", once("attack"))]
}

fn tree_1(policy: FadePolicy) -> GraphDef {
    let mut nodes = clips();
    nodes.push(("Idle_Attack", switch("idle_attack", &["Idle", "Attack2"], 100, policy)));
    nodes.push(("Walk_Attack", partial("Walk")));
    nodes.push(("Final", switch("final", &["Idle_Attack", "Walk", "Walk_Attack"], 100, policy)));
    def(&[("idle_attack", 0.0), ("final", 0.0)], nodes, "Final")
}

fn tree_2(policy: FadePolicy) -> GraphDef {
    let mut nodes = clips();
    nodes.push(("Idle_Walk", switch("idle_walk", &["Idle", "Walk"], 100, policy)));
    nodes.push(("Blend_Attack", partial("Idle_Walk")));
    nodes.push(("Final", switch("final", &["Idle_Walk", "Blend_Attack"], 100, policy)));
    def(&[("idle_walk", 0.0), ("final", 0.0)], nodes, "Final")
}

/// (until ms, moves, attacks)
const SCRIPT: [(i64, bool, bool); 5] =
    [(200, false, false), (600, true, false), (1000, true, true), (1400, false, true), (1600, false, false)];

fn put_1(player: &mut Player, moves: bool, attacks: bool) {
    let (last, idle) = match (moves, attacks) {
        (true, false) => (1.0, 0.0),
        (true, true) => (2.0, 0.0),
        (false, true) => (0.0, 1.0),
        (false, false) => (0.0, 0.0),
    };
    player.set("final", last);
    player.put("idle_attack", idle);
}

fn put_2(player: &mut Player, moves: bool, attacks: bool) {
    player.set("final", if attacks { 1.0 } else { 0.0 });
    player.put("idle_walk", if moves { 1.0 } else { 0.0 });
}

/// Weights every 50 ms by node.
fn run(player: &mut Player, put: fn(&mut Player, bool, bool), names: &[&str]) -> String {
    let mut text = String::new();
    let mut time = 0;
    for (until, moves, attacks) in SCRIPT {
        put(player, moves, attacks);
        while time < until {
            player.step_ms(50);
            time += 50;
            player.pose();
            let weights: Vec<String> = names.iter().map(|name| format!("{:.2}", player.weight(name))).collect();
            text += &format!("{time:4} {}\n", weights.join(" "));
        }
    }
    text
}

/// Lines at which something changes.
fn changes(text: &str) -> String {
    let mut out = String::new();
    let mut last = "";
    for line in text.lines() {
        let (time, weights) = line.split_at(4);
        if weights != last {
            out += &format!("{time}{weights}\n");
            last = weights;
        }
    }
    out
}

#[test]
fn weights_of_tree_1() {
    let mut player = Player::new(&tree_1(FadePolicy::Book));
    let text = run(&mut player, put_1, &["Idle", "Walk", "Attack2", "Walk_Attack"]);
    assert_eq!(
        changes(&text),
        "  50 1.00 0.00 0.00 0.00\n \
         250 0.50 0.50 0.00 0.00\n \
         300 0.00 1.00 0.00 0.00\n \
         650 0.00 1.00 0.50 0.50\n \
         700 0.00 1.00 1.00 1.00\n\
         1050 0.00 0.50 1.00 0.50\n\
         1100 0.00 0.00 1.00 0.00\n\
         1450 0.50 0.00 0.50 0.00\n\
         1500 1.00 0.00 0.00 0.00\n"
    );
}

#[test]
fn weights_of_tree_2() {
    let mut player = Player::new(&tree_2(FadePolicy::Book));
    let text = run(&mut player, put_2, &["Idle", "Walk", "Attack2", "Blend_Attack"]);
    assert_eq!(
        changes(&text),
        "  50 1.00 0.00 0.00 0.00\n \
         250 0.50 0.50 0.00 0.00\n \
         300 0.00 1.00 0.00 0.00\n \
         650 0.00 1.00 0.50 0.50\n \
         700 0.00 1.00 1.00 1.00\n\
         1050 0.50 0.50 1.00 1.00\n\
         1100 1.00 0.00 1.00 1.00\n\
         1450 1.00 0.00 0.50 0.50\n\
         1500 1.00 0.00 0.00 0.00\n"
    );
}

#[test]
fn a_standing_attack_is_the_whole_body_s_in_tree_1_only() {
    for (policy, whole) in [(FadePolicy::Inertial, true), (FadePolicy::Book, true), (FadePolicy::Inertial, false)] {
        let def = if whole { tree_1(policy) } else { tree_2(policy) };
        let mut player = Player::new(&def);
        let put = if whole { put_1 } else { put_2 };
        put(&mut player, false, true);
        for _ in 0..12 {
            player.step_ms(50);
            player.pose();
        }
        let (got, attack, idle) = (player.pose(), player.clip_ms("attack", 600), player.clip_ms("idle", 600));
        let thigh = |pose: &[JointBlock]| JointBlock::joint(pose, joint("Bip01 L Thigh"));
        let arm = |pose: &[JointBlock]| JointBlock::joint(pose, joint("Bip01 R UpperArm"));
        assert_eq!(arm(&got), arm(&attack));
        assert_eq!(thigh(&got), if whole { thigh(&attack) } else { thigh(&idle) });
        assert!(apart_deg(&attack, &idle) > 10.0);
    }
}

#[test]
fn the_order_of_evaluation_is_that_of_the_book() {
    // Root <- A; A reads B, SeqB and SeqC; B reads SeqA and SeqB.
    let nodes = vec![
        ("A", switch("p", &["B", "SeqB", "SeqC"], 0, FadePolicy::Book)),
        ("SeqC", looped("run")),
        ("B", switch("p", &["SeqA", "SeqB"], 0, FadePolicy::Book)),
        ("SeqB", looped("walk")),
        ("SeqA", looped("idle")),
        ("Unseen", looped("left")),
    ];
    let player = Player::new(&def(&[("p", 0.0)], nodes, "A"));
    let order: Vec<&str> = (0..player.graph.node_count()).map(|node| player.graph.node_name(node)).collect();
    assert_eq!(order, ["SeqA", "SeqB", "B", "SeqC", "A"]);
    assert_eq!(player.graph.describe().lines().next_back(), Some("A: switch by p of B SeqB SeqC, Book"));
}
