//! A steady frame of a graph takes nothing from the heap.

use stillframe_anim::graph::{
    BranchDef, ClipSource, Compare, Condition, DeltaInput, DeltaSpace, Enter, FadePolicy, GraphScratch, LayerDef,
    LayerMode, MachineNode, MaskDef, NodeKind, PartialMode, PartialNode, PartialWeights, Play, ReferenceDef, SlotNode,
    SpaceDef, StateDef, SyncSpaceNode, TransitionDef, Value,
};
use stillframe_anim::pose::JointBlock;
use stillframe_anim::time::{Ease, Pace, Repeat};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::HEAP;
use crate::graph::biped::{MS, Player, def, line, looped, strings, switch};

#[test]
fn steady_frames_do_not_allocate() {
    let nodes = vec![
        ("idle", looped("idle")),
        ("walk", looped("walk")),
        ("run", looped("run")),
        ("move", line("speed", &[(0.0, "walk"), (1.0, "run")])),
        ("book", switch("go", &["idle", "move"], 100, FadePolicy::Book)),
        ("final", switch("final", &["book", "idle"], 100, FadePolicy::Inertial)),
    ];
    let player = Player::new(&def(&[("speed", 0.3), ("go", 0.0), ("final", 0.0)], nodes, "final"));
    never_allocates(player, None);
}

/// Each kind of node that the first graph lacks, all of them at work in one: a machine with both kinds of fade, a
/// synchronised space by markers, deltas of both spaces, layers, partial blends in each mode, and a slot that is asked
/// again and again.
#[test]
fn steady_frames_of_every_node_do_not_allocate() {
    let space = SpaceDef::Line { parameter: Value::parameter("speed"), at: vec![0.0, 1.0] };
    let sync = SyncSpaceNode {
        space,
        clips: strings(&["walk", "run"]),
        by_markers: true,
        pace: Pace::Blended,
        speed: Value::Number(1.0),
    };
    let goes = |is, enter| TransitionDef {
        from: None,
        to: if is == Compare::Greater { "moving" } else { "standing" }.to_string(),
        condition: Condition::Compare { parameter: "go".to_string(), is, than: 0.5 },
        fade: Tick(100 * MS),
        priority: 0,
        interruptible: true,
        enter,
    };
    let machine = |policy| {
        let state = |name: &str, node: &str| StateDef { name: name.to_string(), node: node.to_string() };
        NodeKind::Machine(MachineNode {
            states: vec![state("standing", "idle"), state("moving", "move")],
            initial: "standing".to_string(),
            transitions: vec![goes(Compare::Greater, Enter::Sync), goes(Compare::Less, Enter::Restart)],
            policy,
            ease: Ease::Smooth,
        })
    };
    let delta =
        |source: &str, reference| NodeKind::Delta { source: source.to_string(), reference, space: DeltaSpace::Local };
    let added =
        DeltaInput { delta: "lean".to_string(), alpha: Value::parameter("speed"), mask: Some("upper".to_string()) };
    let turned = DeltaInput { delta: "turns".to_string(), alpha: Value::Number(0.5), mask: None };
    let in_mesh = |source: &str| NodeKind::Delta {
        source: source.to_string(),
        reference: ReferenceDef::Rest,
        space: DeltaSpace::Mesh,
    };
    let layer = |node: &str, mode| LayerDef {
        node: node.to_string(),
        weight: Value::Number(0.5),
        mask: Some("upper".to_string()),
        mode,
    };
    let partial = |mode| {
        NodeKind::Partial(PartialNode {
            inputs: strings(&["layered", "idle"]),
            weights: PartialWeights::Masks(vec![
                (Value::parameter("speed"), None),
                (Value::Number(0.5), Some("upper".to_string())),
            ]),
            mode,
        })
    };
    let both = PartialWeights::Joints(vec![("Bip01 Neck".to_string(), vec![0.3, 0.3, 0.4])]);
    let slot = SlotNode {
        input: "partial".to_string(),
        mask: Some("upper".to_string()),
        fade_in: Tick(100 * MS),
        fade_out: Tick(100 * MS),
    };
    let nodes = vec![
        ("idle", looped("idle")),
        ("move", NodeKind::SyncSpace(sync)),
        ("followed", NodeKind::Follow { clip: "left".to_string(), leader: "move".to_string() }),
        ("machine", machine(FadePolicy::Inertial)),
        ("frozen", machine(FadePolicy::Frozen)),
        ("attack", looped("attack")),
        ("moment", NodeKind::Frame { clip: "attack".to_string(), at: Tick(100 * MS) }),
        ("lean", delta("attack", ReferenceDef::Node("moment".to_string()))),
        ("more", delta("followed", ReferenceDef::Rest)),
        ("turn", in_mesh("attack")),
        ("twist", in_mesh("followed")),
        ("turns", line("speed", &[(0.0, "turn"), (1.0, "twist")])),
        ("added", NodeKind::Additive { base: "machine".to_string(), deltas: vec![added, turned] }),
        (
            "layered",
            NodeKind::Layers {
                base: "added".to_string(),
                layers: vec![
                    layer("frozen", LayerMode::Override),
                    layer("more", LayerMode::Additive),
                    layer("twist", LayerMode::Additive),
                ],
            },
        ),
        ("nlerp", partial(PartialMode::WeightedNlerp)),
        ("power", partial(PartialMode::PowerProduct)),
        ("matrix", partial(PartialMode::MatrixSum)),
        (
            "partial",
            NodeKind::Partial(PartialNode {
                inputs: strings(&["nlerp", "power", "matrix"]),
                weights: both,
                mode: PartialMode::WeightedNlerp,
            }),
        ),
        ("slot", NodeKind::Slot(slot)),
    ];
    let mut def = def(&[("speed", 0.3), ("go", 0.0), ("final", 0.0)], nodes, "slot");
    let branches = vec![BranchDef { joint: "Bip01 Spine".to_string(), weight: 0.75 }];
    def.masks.push(MaskDef { name: "upper".to_string(), default: 0.25, branches });
    let player = Player::new(&def);
    let play = Play { clip: player.graph.clip("attack").expect("a clip"), speed: 1.5, repeat: Repeat::Times(1) };
    let slot = player.graph.node("slot").expect("a node");
    never_allocates(player, Some((slot, play)));
}

/// Plays, with parameters that change all the time and a slot that is asked every so often.
fn never_allocates(mut player: Player, asked: Option<(usize, Play)>) {
    let clips = crate::graph::biped::baked();
    let sources: Vec<ClipSource<'_>> = clips.iter().map(ClipSource::Uniform).collect();
    let mut scratch = GraphScratch::new(&player.graph);
    let mut out = vec![JointBlock::IDENTITY; player.graph.block_count()];
    let mut frames = |count: usize| {
        let mut fired = 0;
        for frame in 0..count {
            let parameters = [0.01 * (frame % 100) as f32, (frame / 30 % 2) as f32, (frame / 41 % 2) as f32];
            player.events.clear();
            if let Some((slot, play)) = asked.as_ref().filter(|_| frame % 37 == 0) {
                player.graph.play(&mut player.state, *slot, play);
            }
            let step = Tick(11_760_000);
            player.graph.update(&mut player.state, step, &parameters, &mut player.events).expect("near");
            player.graph.evaluate(Isa::detect(), &mut player.state, &sources, &mut scratch, &mut out);
            fired += player.events.len();
        }
        fired
    };
    // Lists grow to their size first: what is asked and handed in comes together only now and then.
    frames(2000);
    let (fired, bytes) = HEAP.watch_thread(|| frames(2000));
    assert_eq!(bytes, 0);
    assert!(fired > 50, "{fired}");
    assert_eq!(HEAP.watch_thread(|| drop(vec![1u8; 100])).1, 100, "the count counts");
}
