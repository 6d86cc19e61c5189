//! Shares of clips: a number that is mixed by them is what the graph makes of a translation.

use proptest::prelude::*;
use stillframe_anim::graph::{
    ClipShare, DeltaInput, DeltaSpace, FadePolicy, GraphDef, LayerDef, LayerMode, MaskDef, NodeKind, PartialMode,
    PartialNode, PartialWeights, Play, ReferenceDef, SlotNode, SpaceDef, SyncSpaceNode, Value as Number,
};
use stillframe_anim::pose::JointBlock;
use stillframe_anim::time::{Pace, Repeat};
use stillframe_base::tick::Tick;

use super::biped::{MS, Player, clips, def, line, looped, strings, switch};

/// A layer over `node`, by the parameter `name`.
fn layer(node: &str, name: &str, mask: Option<&str>, mode: LayerMode) -> LayerDef {
    LayerDef { node: node.into(), weight: Number::parameter(name), mask: mask.map(str::to_string), mode }
}

/// Every kind of node but those that remember poses, through masks that have the root at 0.25 and at 0.
fn everything() -> GraphDef {
    let sync = SyncSpaceNode {
        space: SpaceDef::Line { parameter: Number::parameter("a"), at: vec![0.0, 1.0] },
        clips: strings(&["walk", "left"]),
        by_markers: false,
        pace: Pace::Blended,
        speed: Number::Number(1.0),
    };
    let slot = SlotNode {
        input: "layers".into(),
        mask: Some("quarter".into()),
        fade_in: Tick(80 * MS),
        fade_out: Tick(120 * MS),
    };
    let parts = PartialNode {
        inputs: strings(&["slot", "back", "idle"]),
        weights: PartialWeights::Masks(vec![
            (Number::Number(1.0), None),
            (Number::parameter("b"), Some("quarter".into())),
            (Number::Number(3.0), Some("none".into())),
        ]),
        mode: PartialMode::WeightedNlerp,
    };
    let nodes = vec![
        ("idle", looped("idle")),
        ("run", looped("run")),
        ("back", looped("back")),
        ("frame", NodeKind::Frame { clip: "walk".into(), at: Tick(130 * MS) }),
        ("sync", NodeKind::SyncSpace(sync)),
        ("follow", NodeKind::Follow { clip: "right".into(), leader: "sync".into() }),
        ("line", line("b", &[(0.0, "sync"), (0.5, "follow"), (1.0, "run")])),
        (
            "delta",
            NodeKind::Delta {
                source: "run".into(),
                reference: ReferenceDef::Node("frame".into()),
                space: DeltaSpace::Local,
            },
        ),
        (
            "beyond_rest",
            NodeKind::Delta { source: "back".into(), reference: ReferenceDef::Rest, space: DeltaSpace::Local },
        ),
        (
            "additive",
            NodeKind::Additive {
                base: "line".into(),
                deltas: vec![DeltaInput {
                    delta: "beyond_rest".into(),
                    alpha: Number::parameter("c"),
                    mask: Some("quarter".into()),
                }],
            },
        ),
        (
            "layers",
            NodeKind::Layers {
                base: "additive".into(),
                layers: vec![
                    layer("delta", "a", None, LayerMode::Additive),
                    layer("idle", "b", Some("quarter"), LayerMode::Override),
                    layer("back", "c", Some("none"), LayerMode::Override),
                    layer("run", "c", None, LayerMode::Override),
                ],
            },
        ),
        ("slot", NodeKind::Slot(slot)),
        ("parts", NodeKind::Partial(parts)),
        ("final", switch("d", &["parts", "idle"], 200, FadePolicy::Book)),
    ];
    let mut def = def(&[("a", 0.0), ("b", 0.0), ("c", 0.0), ("d", 0.0)], nodes, "final");
    for (name, default) in [("quarter", 0.25), ("none", 0.0)] {
        def.masks.push(MaskDef { name: name.to_string(), default, branches: Vec::new() });
    }
    def
}

fn height(pose: &[JointBlock]) -> f32 {
    JointBlock::joint(pose, 0).translation.y
}

proptest! {
    #[test]
    fn a_number_is_mixed_as_the_root_s_height_is(
        script in prop::collection::vec((1..300i64, 0..4usize, 0.0..1.0f32, any::<bool>()), 1..8),
    ) {
        let mut player = Player::new(&everything());
        let rest = 1.0;
        for (ms, parameter, value, plays) in script {
            if plays {
                let slot = player.graph.node("slot").expect("a node");
                let play = Play { clip: player.graph.clip("run").expect("a clip"), speed: 1.5, repeat: Repeat::Times(1) };
                player.graph.play(&mut player.state, slot, &play);
            }
            player.parameters[parameter] = if parameter == 3 { value.round() } else { value };
            player.step_ms(ms);
            let want = height(&player.pose());
            let mut shares = Vec::new();
            player.graph.clip_shares(&player.state, &player.graph.masks_of_joint(0), &mut shares);
            let (mut sum, mut whole) = (0.0, 0.0);
            for ClipShare { clip, at, weight } in shares {
                sum += weight * height(&player.clip(&clips()[usize::from(clip)].0, at));
                whole += weight;
            }
            let got = sum + (1.0 - whole) * rest;
            prop_assert!((got - want).abs() < 1e-5, "{} instead of {}", got, want);
            // Without what is added, clips share the number among them.
            let mut covering = Vec::new();
            player.graph.covering_clip_shares(&player.state, &player.graph.masks_of_joint(0), &mut covering);
            let covered: f32 = covering.iter().map(|share| share.weight).sum();
            prop_assert!(covering.iter().all(|share| share.weight > 0.0), "{:?}", covering);
            prop_assert!((covered - 1.0).abs() < 1e-5, "{} in {:?}", covered, covering);
        }
    }
}
