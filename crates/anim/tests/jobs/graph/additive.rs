//! Additive nodes: three forms of deltas, layers, the aim offset.

use stillframe_anim::graph::{
    DeltaInput, DeltaSpace, LayerDef, LayerMode, NodeKind, ReferenceDef, SpaceDef, SpaceNode, Value,
};
use stillframe_anim::pose::{
    AddDeltas, AddMeshDeltas, DeltaLayer, DeltaReference, JointBlock, MakeDelta, MakeMeshDelta, pack_mask,
};
use stillframe_base::lanes::{Isa, Row};
use stillframe_base::tick::Tick;

use super::biped::{MS, Player, aim, apart_deg, bits, close, def, looped};
use super::slot::upper;

fn frame(clip: &str, ms: i64) -> NodeKind {
    NodeKind::Frame { clip: clip.to_string(), at: Tick(ms * MS) }
}

fn delta(source: &str, reference: &str) -> NodeKind {
    let reference = if reference.is_empty() { ReferenceDef::Rest } else { ReferenceDef::Node(reference.to_string()) };
    NodeKind::Delta { source: source.to_string(), reference, space: DeltaSpace::Local }
}

fn mesh_delta(source: &str, reference: &str) -> NodeKind {
    let NodeKind::Delta { source, reference, .. } = delta(source, reference) else { unreachable!("it is one") };
    NodeKind::Delta { source, reference, space: DeltaSpace::Mesh }
}

fn add(base: &str, delta: &str, alpha: Value) -> NodeKind {
    let deltas = vec![DeltaInput { delta: delta.to_string(), alpha, mask: None }];
    NodeKind::Additive { base: base.to_string(), deltas }
}

fn follow(clip: &str, leader: &str) -> NodeKind {
    NodeKind::Follow { clip: clip.to_string(), leader: leader.to_string() }
}

/// `base + (pose - reference)`, by the jobs themselves.
fn by_hand(base: &[JointBlock], pose: &[JointBlock], reference: &[JointBlock], weight: f32) -> Vec<JointBlock> {
    let isa = Isa::Scalar;
    let (mut delta, mut out) = (pose.to_vec(), pose.to_vec());
    let reference = DeltaReference::Pose(reference);
    MakeDelta { isa, frames: pose, frame_blocks: pose.len(), reference, present: None, out: &mut delta }.run();
    AddDeltas { isa, base, deltas: &[DeltaLayer { delta: &delta, weight, mask: None }], out: &mut out }.run();
    out
}

/// The same with turns of the model.
fn by_hand_in_mesh(
    base: &[JointBlock],
    pose: &[JointBlock],
    reference: &[JointBlock],
    mask: Option<&[Row]>,
    weight: f32,
) -> Vec<JointBlock> {
    let (isa, skeleton) = (Isa::Scalar, super::biped::skeleton());
    let (parents, reference) = (skeleton.parents(), DeltaReference::Pose(reference));
    let (mut delta, mut out) = (pose.to_vec(), pose.to_vec());
    MakeMeshDelta { isa, parents, frames: pose, reference, out: &mut delta }.run();
    let deltas = [DeltaLayer { delta: &delta, weight, mask }];
    AddMeshDeltas { isa, parents, base, deltas: &deltas, out: &mut out }.run();
    out
}

#[test]
fn a_frame_is_a_moment_of_its_clip() {
    let mut player = Player::new(&def(&[], vec![("frame", frame("walk", 130))], "frame"));
    for _ in 0..3 {
        assert_eq!(bits(&player.pose()), bits(&player.clip_ms("walk", 130)));
        player.step_ms(100);
    }
}

#[test]
fn three_forms_of_deltas() {
    // Form 1: both move, scaled to the carrier; form 2: against a moment; form 3: two moments. The carrier is the walk
    // at 300 ms.
    let forms = [
        (follow("run", "walk"), follow("idle", "walk"), ("run", 180), ("idle", 600)),
        (follow("run", "walk"), frame("idle", 0), ("run", 180), ("idle", 0)),
        (frame("run", 120), frame("idle", 50), ("run", 120), ("idle", 50)),
    ];
    for (source, reference, (s, s_ms), (t, t_ms)) in forms {
        let nodes = vec![
            ("walk", looped("walk")),
            ("source", source),
            ("reference", reference),
            ("delta", delta("source", "reference")),
            ("sum", add("walk", "delta", Value::parameter("alpha"))),
        ];
        let mut player = Player::new(&def(&[("alpha", 1.0)], nodes.clone(), "sum"));
        player.step_ms(300);
        let (base, source, reference) = (player.clip_ms("walk", 300), player.clip_ms(s, s_ms), player.clip_ms(t, t_ms));
        assert_eq!(bits(&player.pose()), bits(&by_hand(&base, &source, &reference, 1.0)));
        // The share of it, and none of it.
        player.put("alpha", 0.5);
        assert_eq!(bits(&player.pose()), bits(&by_hand(&base, &source, &reference, 0.5)));
        player.put("alpha", -3.0);
        assert_eq!(bits(&player.pose()), bits(&base));
        assert!(!player.is_active("delta"));
        // Put on its own reference it is the source.
        let nodes = nodes.into_iter().filter(|(name, _)| *name != "sum");
        let nodes = nodes.chain([("sum", add("reference", "delta", Value::Number(1.0)))]).collect();
        let mut player = Player::new(&def(&[], nodes, "sum"));
        player.step_ms(300);
        close(&player.pose(), &source);
    }
}

#[test]
fn a_delta_of_a_pose_to_itself_changes_nothing() {
    let nodes = vec![
        ("walk", looped("walk")),
        ("delta", delta("walk", "walk")),
        ("sum", add("walk", "delta", Value::Number(1.0))),
    ];
    let mut player = Player::new(&def(&[], nodes, "sum"));
    player.step_ms(220);
    close(&player.pose(), &player.clip_ms("walk", 220));
}

#[test]
fn an_aim_offset_of_fifteen_poses() {
    // Single frames against the first frame of the middle one, blended on a grid, then added to an idle.
    let names: Vec<(String, String)> = (0..15).map(|i| (aim(i % 5, i / 5), format!("delta{i}"))).collect();
    let mut nodes = vec![("idle", looped("idle"))];
    for (pose, own) in &names {
        nodes.push((pose, frame(pose, 0)));
        nodes.push((own, delta(pose, "aim21")));
    }
    let space = SpaceDef::Grid {
        parameters: [Value::parameter("yaw"), Value::parameter("pitch")],
        columns: vec![-90.0, -45.0, 0.0, 45.0, 90.0],
        rows: vec![-45.0, 0.0, 45.0],
    };
    let inputs = names.iter().map(|(_, own)| own.clone()).collect();
    nodes.push(("offset", NodeKind::Space(SpaceNode { space, inputs })));
    nodes.push(("sum", add("idle", "offset", Value::Number(1.0))));
    let mut player = Player::new(&def(&[("yaw", 0.0), ("pitch", 0.0)], nodes, "sum"));
    player.step_ms(700);
    let idle = player.clip_ms("idle", 700);
    close(&player.pose(), &idle);
    let middle = player.clip(&aim(2, 1), Tick(0));
    for i in 0..15 {
        player.put("yaw", -90.0 + 45.0 * (i % 5) as f32);
        player.put("pitch", -45.0 + 45.0 * (i / 5) as f32);
        let want = by_hand(&idle, &player.clip(&aim(i % 5, i / 5), Tick(0)), &middle, 1.0);
        assert_eq!(bits(&player.pose()), bits(&want), "pose {i}");
    }
    // Between poses it turns by what lies between: yaw 22.5 of 45 is 0.2 rad of 0.4.
    player.put("yaw", 22.5);
    player.put("pitch", 0.0);
    let turned = apart_deg(&player.pose(), &idle);
    assert!((turned - 0.2f64.to_degrees()).abs() < 0.05, "{turned} degrees");
}

/// Additive nodes and layers take deltas of either space, one after the other, with their shares and masks.
#[test]
fn deltas_of_both_spaces_are_added_in_order() {
    let input = |delta: &str, alpha: &str, mask: Option<&str>| DeltaInput {
        delta: delta.to_string(),
        alpha: Value::parameter(alpha),
        mask: mask.map(str::to_string),
    };
    let layer = |input: &DeltaInput| LayerDef {
        node: input.delta.clone(),
        weight: input.alpha.clone(),
        mask: input.mask.clone(),
        mode: LayerMode::Additive,
    };
    let deltas = vec![input("turn", "a", Some("upper")), input("lean", "b", None), input("turn", "c", None)];
    let layers = NodeKind::Layers { base: "walk".to_string(), layers: deltas.iter().map(layer).collect() };
    for sum in [NodeKind::Additive { base: "walk".to_string(), deltas }, layers] {
        let nodes = vec![
            ("walk", looped("walk")),
            ("pose", frame("attack", 600)),
            ("start", frame("attack", 0)),
            ("turn", mesh_delta("pose", "start")),
            ("lean", delta("pose", "")),
            ("sum", sum),
        ];
        let mut def = def(&[("a", 0.0), ("b", 0.0), ("c", 0.0)], nodes, "sum");
        def.masks.push(upper());
        let mut player = Player::new(&def);
        assert!(player.graph.describe().contains("turn: delta of pose to start, in mesh space\n"));
        assert!(player.graph.describe().contains("lean: delta of pose to the rest pose\n"));
        player.step_ms(150);
        let (walk, pose) = (player.clip_ms("walk", 150), player.clip_ms("attack", 600));
        let start = player.clip_ms("attack", 0);
        assert_eq!(bits(&player.pose()), bits(&walk), "deltas without a share change no bit");
        let rest = stillframe_anim::sample::Skeleton::rest_blocks(&super::biped::skeleton());
        let weights: Vec<f32> = {
            let neck = super::biped::joint("Bip01 Neck")..=super::biped::joint("Bip01 R Hand");
            (0..player.graph.joint_count()).map(|joint| if neck.contains(&joint) { 1.0 } else { 0.0 }).collect()
        };
        let mask = pack_mask(&weights);
        player.put("a", 0.75);
        let first = by_hand_in_mesh(&walk, &pose, &start, Some(&mask), 0.75);
        assert_eq!(bits(&player.pose()), bits(&first));
        player.put("b", 0.5);
        let second = by_hand(&first, &pose, &rest, 0.5);
        assert_eq!(bits(&player.pose()), bits(&second));
        player.put("c", 0.25);
        let third = by_hand_in_mesh(&second, &pose, &start, None, 0.25);
        assert_eq!(bits(&player.pose()), bits(&third));
        assert_ne!(bits(&third), bits(&by_hand(&second, &pose, &start, 0.25)), "the spaces differ");
    }
}

#[test]
fn layers_take_their_place_or_are_added() {
    let layer = |node: &str, weight: &str, mask: Option<&str>, mode| LayerDef {
        node: node.to_string(),
        weight: Value::parameter(weight),
        mask: mask.map(str::to_string),
        mode,
    };
    let layers = vec![
        layer("attack", "a", Some("upper"), LayerMode::Override),
        layer("lean", "b", None, LayerMode::Additive),
        layer("run", "c", None, LayerMode::Override),
    ];
    let nodes = vec![
        ("walk", looped("walk")),
        ("attack", looped("attack")),
        ("run", looped("run")),
        ("pose", frame("attack", 600)),
        ("lean", delta("pose", "")),
        ("all", NodeKind::Layers { base: "walk".to_string(), layers }),
    ];
    let mut def = def(&[("a", 0.0), ("b", 0.0), ("c", 0.0)], nodes, "all");
    def.masks.push(upper());
    let mut player = Player::new(&def);
    player.step_ms(150);
    assert_eq!(bits(&player.pose()), bits(&player.clip_ms("walk", 150)), "layers without weight change no bit");
    assert!(!player.is_active("attack"));
    let rest = stillframe_anim::sample::Skeleton::rest_blocks(&super::biped::skeleton());
    player.put("b", 0.5);
    let want = by_hand(&player.clip_ms("walk", 150), &player.clip_ms("attack", 600), &rest, 0.5);
    assert_eq!(bits(&player.pose()), bits(&want));
    player.put("b", 0.0);
    player.put("a", 1.0);
    let (walk, attack) = (player.clip_ms("walk", 150), player.clip_ms("attack", 0));
    for (joint, got) in super::biped::joints(&player.pose()).into_iter().enumerate() {
        let of_neck = (super::biped::joint("Bip01 Neck")..=super::biped::joint("Bip01 R Hand")).contains(&joint);
        assert_eq!(got, JointBlock::joint(if of_neck { &attack } else { &walk }, joint), "joint {joint}");
    }
    player.put("c", 7.0);
    assert_eq!(bits(&player.pose()), bits(&player.clip_ms("run", 0)), "a whole layer hides what is below");
    assert_eq!((player.weight("run"), player.weight("walk"), player.weight("attack")), (1.0, 0.0, 0.0));
}
