//! What `stillframe fuzz graph` has found, each as small as it got.

use stillframe_anim::graph::{
    BranchDef, ClipNode, Condition, FadePolicy, GraphEvent, GraphSignal, MaskDef, NodeKind, PartialMode, PartialNode,
    PartialWeights, Play, SlotNode, SpaceDef, SpaceNode, TransitionDef, Value,
};
use stillframe_anim::time::{Repeat, Signal};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::biped::{MS, Player, bits, def, looped, once, strings, switch};
use super::machine::{machine, transition};

fn less_left(ms: i64) -> Condition {
    Condition::TimeLeft { below: Tick(ms * MS) }
}

/// The machine asked for the time left of what its input had shown before that one decided; so the answer came with the
/// next decision, whenever a step was cut.
#[test]
fn a_rule_sees_what_its_input_decides_in_the_same_moment() {
    // Idle takes 2 s, the run 0.6 s.
    let go = transition(Some("A"), "B", less_left(700));
    let states = [("A", "mood"), ("B", "idle")];
    let nodes = vec![
        ("idle", looped("idle")),
        ("run", looped("run")),
        ("mood", switch("p", &["idle", "run"], 0, FadePolicy::Book)),
        ("machine", machine(&states, FadePolicy::Book, vec![go])),
    ];
    let graph = def(&[("p", 0.0)], nodes, "machine");
    let mut player = Player::new(&graph);
    player.put("p", 1.0);
    assert_eq!(player.line("machine"), "1.000 shows B from A 0.000");
    let (state, events) = (player.state.clone(), player.events.clone());
    player.step(Tick(0));
    assert_eq!((&player.state, &player.events), (&state, &events));
    let entered = |event: &&GraphEvent| matches!(event.signal, GraphSignal::Entered { .. });
    assert_eq!(events.iter().filter(entered).count(), 1);
}

/// It asked the clock, which had not heard of the new speed.
#[test]
fn time_left_is_counted_at_the_speed_that_is_handed_in() {
    let clip = ClipNode { speed: Value::parameter("speed"), ..ClipNode::looped("walk") };
    let rule = TransitionDef { fade: Tick(0), ..transition(Some("A"), "B", less_left(300)) };
    let nodes = vec![
        ("walk", NodeKind::Clip(clip)),
        ("idle", looped("idle")),
        ("machine", machine(&[("A", "walk"), ("B", "idle")], FadePolicy::Book, vec![rule])),
    ];
    let mut player = Player::new(&def(&[("speed", 1.0)], nodes, "machine"));
    player.step_ms(100);
    player.put("speed", 4.0);
    assert_eq!(player.line("machine"), "1.000 shows B");
}

/// It decided once a tick for as long as the step took.
#[test]
fn a_clip_that_has_ended_takes_no_time() {
    let rule = transition(Some("A"), "B", Condition::TimeLeft { below: Tick(0) });
    let nodes = vec![
        ("attack", once("attack")),
        ("machine", machine(&[("A", "attack"), ("B", "attack")], FadePolicy::Book, vec![rule])),
    ];
    let mut player = Player::new(&def(&[], nodes, "machine"));
    player.step_ms(2000);
    player.step(Tick(1 << 58));
    assert_eq!(player.line("machine"), "1.000 shows A");
}

/// Weights were those from before the clip was asked for until the next decision.
#[test]
fn a_clip_without_a_fade_hides_the_slot_s_input_at_once() {
    let slot = SlotNode { input: "walk".into(), mask: None, fade_in: Tick(0), fade_out: Tick(0) };
    let mut player = Player::new(&def(&[], vec![("walk", looped("walk")), ("slot", NodeKind::Slot(slot))], "slot"));
    player.step_ms(400);
    player.events.clear();
    let (node, clip) = (player.graph.node("slot").expect("a node"), player.graph.clip("attack").expect("a clip"));
    for _ in 0..2 {
        let play = Play { clip, speed: 1.0, repeat: Repeat::Forever };
        player.graph.play(&mut player.state, node, &play);
    }
    player.step_ms(200);
    // Of the walk neither its moment at 500 ms; of the attack that was replaced at once not even a lap.
    let heard = |signal: &GraphSignal| matches!(signal, GraphSignal::Clip { signal: Signal::Point(_), .. });
    assert!(!player.events.iter().any(|event| heard(&event.signal)), "{:?}", player.events);
    assert_eq!(player.state.playing(node).count(), 1);
    assert_eq!(player.weight("walk"), 0.0);
}

/// What rounding left of 1 was a weight, and its clip was active and told its events.
#[test]
fn on_the_edge_of_a_triangle_the_third_corner_sleeps() {
    let parameters = [Value::parameter("x"), Value::Number(0.0)];
    let space = SpaceDef::Scatter { parameters, at: vec![[1.0, 1.0], [0.0, 1.0], [0.0, -0.5]] };
    let node = SpaceNode { space, inputs: strings(&["walk", "run", "idle"]) };
    let nodes = vec![
        ("walk", looped("walk")),
        ("run", looped("run")),
        ("idle", looped("idle")),
        ("space", NodeKind::Space(node)),
    ];
    let mut player = Player::new(&def(&[("x", 0.0)], nodes, "space"));
    player.step_ms(10);
    assert_eq!(["walk", "run", "idle"].map(|node| player.is_active(node)), [false, true, true]);
}

/// Squares of distances had no digits left that told one edge of the hull from another.
#[test]
fn seen_from_far_away_the_nearest_place_counts_still() {
    let parameters = [Value::parameter("x"), Value::Number(0.0)];
    let space = SpaceDef::Scatter { parameters, at: vec![[2.0, -0.5], [2.0, 1.0], [-1.0, 1.5]] };
    let node = SpaceNode { space, inputs: strings(&["walk", "run", "idle"]) };
    let nodes = vec![
        ("walk", looped("walk")),
        ("run", looped("run")),
        ("idle", looped("idle")),
        ("space", NodeKind::Space(node)),
    ];
    for x in [3.0, 1e3, 1e6, 1e9, 1e12] {
        let player = Player::new(&def(&[("x", x)], nodes.clone(), "space"));
        let weights = ["walk", "run", "idle"].map(|node| player.weight(node));
        assert!((weights[0] - 2.0 / 3.0).abs() < 1e-6 && weights[2] == 0.0, "{weights:?} at {x}");
    }
}

/// A joint without a share took the sign of a zero from a layer that another joint of the same part had: narrower
/// instruction sets gave other bits.
#[test]
fn masked_blends_are_the_same_on_every_instruction_set() {
    let mask = MaskDef {
        name: "arm".into(),
        default: 0.0,
        branches: vec![BranchDef { joint: "Bip01 R UpperArm".into(), weight: 1.0 }],
    };
    let part = || (Value::Number(1.0), Some("arm".to_string()));
    let node = PartialNode {
        inputs: strings(&["attack", "blow"]),
        weights: PartialWeights::Masks(vec![part(), part()]),
        mode: PartialMode::WeightedNlerp,
    };
    let nodes = vec![("attack", once("attack")), ("blow", once("attack")), ("part", NodeKind::Partial(node))];
    let mut graph = def(&[], nodes, "part");
    graph.masks.push(mask);
    let mut player = Player::new(&graph);
    player.step_ms(250);
    let scalar = bits(&player.pose_at(Isa::Scalar));
    assert_eq!(bits(&player.pose()), scalar);
}
