//! What is no graph, by the name of what is wrong.

use stillframe_anim::graph::{
    BranchDef, ClipNode, Condition, DeltaInput, DeltaSpace, FadePolicy, FadeTimes, Graph, GraphDef, GraphError,
    MaskDef, NodeDef, NodeKind, PartialMode, PartialNode, PartialWeights, ReferenceDef, SlotNode, SpaceDef, SpaceNode,
    SwitchNode, SyncSpaceNode, Value,
};
use stillframe_anim::time::{Ease, Event, Pace, TimeError};
use stillframe_base::tick::Tick;

use super::biped::{def, line, looped, skeleton, strings};
use super::machine::{is, machine, transition};

/// The definition that every fault is put into.
fn fine() -> GraphDef {
    let nodes = vec![
        ("idle", looped("idle")),
        ("walk", looped("walk")),
        (
            "delta",
            NodeKind::Delta { source: "walk".to_string(), reference: ReferenceDef::Rest, space: DeltaSpace::Local },
        ),
        ("out", line("p", &[(0.0, "idle"), (1.0, "walk")])),
    ];
    def(&[("p", 0.0)], nodes, "out")
}

fn with(kind: NodeKind) -> GraphDef {
    let mut def = fine();
    def.nodes.push(NodeDef { name: "bad".to_string(), kind });
    def
}

fn space(space: SpaceDef, inputs: &[&str]) -> GraphDef {
    with(NodeKind::Space(SpaceNode { space, inputs: strings(inputs) }))
}

fn line_at(at: &[f32]) -> SpaceDef {
    SpaceDef::Line { parameter: Value::parameter("p"), at: at.to_vec() }
}

fn switch_of(inputs: &[&str], fade: FadeTimes) -> GraphDef {
    let (index, policy, ease) = (Value::parameter("p"), FadePolicy::Book, Ease::Linear);
    with(NodeKind::Switch(SwitchNode { index, inputs: strings(inputs), fade, policy, ease }))
}

fn partial_of(joints: &[(&str, &[f32])]) -> GraphDef {
    let joints = joints.iter().map(|(joint, weights)| (joint.to_string(), weights.to_vec())).collect();
    let weights = PartialWeights::Joints(joints);
    with(NodeKind::Partial(PartialNode { inputs: strings(&["idle", "walk"]), weights, mode: PartialMode::MatrixSum }))
}

fn clip(change: impl FnOnce(&mut ClipNode)) -> GraphDef {
    let mut node = ClipNode::looped("walk");
    change(&mut node);
    with(NodeKind::Clip(node))
}

fn bad() -> String {
    "bad".to_string()
}

fn unknown(what: &'static str, name: &str) -> GraphError {
    GraphError::Unknown { node: bad(), what, name: name.to_string() }
}

#[test]
fn a_fine_graph_is_fine() {
    assert!(Graph::compile(&fine(), &skeleton()).is_ok());
}

#[test]
fn names() {
    let changed = |change: fn(&mut GraphDef)| {
        let mut def = fine();
        change(&mut def);
        def
    };
    let twice = |what, name: &str| GraphError::Twice { what, name: name.to_string() };
    let condition = |condition| {
        let rule = transition(Some("A"), "A", condition);
        with(machine(&[("A", "idle")], FadePolicy::Book, vec![rule]))
    };
    for (def, error) in [
        (changed(|def| def.nodes.push(def.nodes[0].clone())), twice("node", "idle")),
        (changed(|def| def.parameters.push(def.parameters[0].clone())), twice("parameter", "p")),
        (changed(|def| def.clips.push(def.clips[0].clone())), twice("clip", "idle")),
        (changed(|def| def.masks = vec![MaskDef::default(); 2]), twice("mask", "")),
        (
            changed(|def| def.output = "none".to_string()),
            GraphError::Unknown { node: String::new(), what: "node", name: "none".to_string() },
        ),
        (with(looped("fly")), unknown("clip", "fly")),
        (with(line("speed", &[(0.0, "idle")])), unknown("parameter", "speed")),
        (with(line("p", &[(0.0, "none")])), unknown("node", "none")),
        (condition(is("none", stillframe_anim::graph::Compare::Less, 1.0)), unknown("parameter", "none")),
        (
            with(machine(&[("A", "idle")], FadePolicy::Book, vec![transition(Some("A"), "B", Condition::Always)])),
            unknown("state", "B"),
        ),
        (with(machine(&[("A", "idle"), ("A", "walk")], FadePolicy::Book, vec![])), twice("state", "A")),
        (
            with(NodeKind::Slot(SlotNode {
                input: "idle".to_string(),
                mask: Some("none".to_string()),
                fade_in: Tick(0),
                fade_out: Tick(0),
            })),
            unknown("mask", "none"),
        ),
    ] {
        assert_eq!(Graph::compile(&def, &skeleton()).err(), Some(error));
    }
}

#[test]
fn cycles_even_unseen() {
    let mut def = with(line("p", &[(0.0, "worse"), (1.0, "idle")]));
    def.nodes.push(NodeDef { name: "worse".to_string(), kind: line("p", &[(0.0, "walk"), (1.0, "bad")]) });
    assert_eq!(Graph::compile(&def, &skeleton()).err(), Some(GraphError::Cycle { node: bad() }));
    let own = with(line("p", &[(0.0, "bad")]));
    assert_eq!(Graph::compile(&own, &skeleton()).err(), Some(GraphError::Cycle { node: bad() }));
    // Deep is no fault.
    let mut deep = fine();
    for i in 0..5000 {
        let below = if i == 0 { "idle".to_string() } else { format!("n{}", i - 1) };
        let kind = line("p", &[(0.0, &below)]);
        deep.nodes.push(NodeDef { name: format!("n{i}"), kind });
    }
    deep.output = "n4999".to_string();
    assert!(Graph::compile(&deep, &skeleton()).is_ok());
}

#[test]
fn spaces() {
    let parameters = || [Value::parameter("p"), Value::Number(0.5)];
    let grid = |columns: &[f32], rows: &[f32]| SpaceDef::Grid {
        parameters: parameters(),
        columns: columns.to_vec(),
        rows: rows.to_vec(),
    };
    let scatter = |at: &[[f32; 2]]| SpaceDef::Scatter { parameters: parameters(), at: at.to_vec() };
    let empty = GraphError::Empty { node: bad(), what: "points" };
    let same = |first, second| GraphError::SamePoint { node: bad(), first, second };
    for (def, error) in [
        (space(line_at(&[]), &[]), empty.clone()),
        (space(grid(&[], &[1.0]), &[]), empty.clone()),
        (space(scatter(&[]), &[]), empty.clone()),
        (space(line_at(&[1.0, 2.0, 1.0]), &["idle", "walk", "out"]), same(0, 2)),
        (space(scatter(&[[1.0, 2.0], [0.0, 0.0], [1.0, 2.0]]), &["idle", "walk", "out"]), same(0, 2)),
        (
            space(grid(&[0.0, 0.0], &[1.0]), &["idle", "walk"]),
            GraphError::GridOrder { node: bad(), axis: "column", index: 1 },
        ),
        (
            space(grid(&[0.0], &[1.0, 0.5]), &["idle", "walk"]),
            GraphError::GridOrder { node: bad(), axis: "row", index: 1 },
        ),
        (space(line_at(&[0.0, 1.0]), &["idle"]), GraphError::Count { node: bad(), what: "inputs", count: 1, want: 2 }),
        (
            space(line_at(&[f32::INFINITY]), &["idle"]),
            GraphError::Range { node: bad(), what: "place", value: f32::INFINITY },
        ),
        (
            space(line_at(&[0.0, 1.0]), &["idle", "delta"]),
            GraphError::Kind { node: bad(), input: "delta".to_string(), is: "delta", want: "pose" },
        ),
    ] {
        assert_eq!(Graph::compile(&def, &skeleton()).err(), Some(error));
    }
    let nan = Graph::compile(&space(line_at(&[f32::NAN]), &["idle"]), &skeleton());
    assert!(matches!(nan, Err(GraphError::Range { value, .. }) if value.is_nan()));
}

#[test]
fn times_and_numbers() {
    let sync = |clips: &[&str], by_markers| {
        let at = (0..clips.len()).map(|i| i as f32).collect();
        let space = SpaceDef::Line { parameter: Value::parameter("p"), at };
        let (pace, speed) = (Pace::Leader, Value::Number(1.0));
        with(NodeKind::SyncSpace(SyncSpaceNode { space, clips: strings(clips), by_markers, pace, speed }))
    };
    let ticks = |what, ticks| GraphError::Ticks { node: bad(), what, ticks };
    let range = |what, value| GraphError::Range { node: bad(), what, value };
    let time = |error| GraphError::Time { node: bad(), error };
    let count = |what, count, want| GraphError::Count { node: bad(), what, count, want };
    let long = Tick(1 << 50);
    for (def, error) in [
        (
            clip(|clip| clip.window = Some((Tick(9), Tick(3)))),
            time(TimeError::WindowOrder { min: Tick(9), max: Tick(3) }),
        ),
        (clip(|clip| clip.window = Some((Tick(-9), Tick(3)))), ticks("window", -9)),
        (clip(|clip| clip.phase = Some(long)), ticks("phase", long.0)),
        (clip(|clip| clip.speed = Value::Number(f32::INFINITY)), range("speed", f32::INFINITY)),
        (with(NodeKind::Frame { clip: "walk".to_string(), at: long }), ticks("moment", long.0)),
        (sync(&["walk", "aim00"], false), time(TimeError::GroupMode { member: 1 })),
        (sync(&["walk", "attack"], true), time(TimeError::MarkerLabels { member: 1 })),
        (switch_of(&["idle"], FadeTimes::All(Tick(-1))), time(TimeError::FadeLength { length: Tick(-1) })),
        (switch_of(&["idle", "walk"], FadeTimes::To(vec![Tick(1)])), count("fades", 1, 2)),
        (switch_of(&["idle"], FadeTimes::FromTo(vec![vec![]])), count("fades of a row", 0, 1)),
        (switch_of(&[], FadeTimes::All(Tick(1))), GraphError::Empty { node: bad(), what: "inputs" }),
        (with(machine(&[], FadePolicy::Book, vec![])), GraphError::Empty { node: bad(), what: "states" }),
        (partial_of(&[("Bip01", &[0.0, 0.0])]), range("weight", 0.0)),
        (partial_of(&[("Bip01", &[1.0, -1.0])]), range("weight", -1.0)),
        (partial_of(&[("Bip01", &[1.0])]), count("weights of a joint", 1, 2)),
        (
            partial_of(&[("Bip02", &[1.0, 1.0])]),
            GraphError::UnknownJoint { owner: "node \"bad\"".to_string(), joint: "Bip02".to_string() },
        ),
        (
            partial_of(&[("Bip01", &[1.0, 1.0]), ("Bip01", &[1.0, 0.0])]),
            GraphError::JointTwice { owner: "node \"bad\"".to_string(), joint: "Bip01".to_string() },
        ),
        (
            with(NodeKind::Follow { clip: "walk".to_string(), leader: "out".to_string() }),
            GraphError::NoPhase { node: bad(), leader: "out".to_string() },
        ),
        (
            with(NodeKind::Additive { base: "delta".to_string(), deltas: vec![] }),
            GraphError::Kind { node: bad(), input: "delta".to_string(), is: "delta", want: "pose" },
        ),
    ] {
        assert_eq!(Graph::compile(&def, &skeleton()).err(), Some(error));
    }
}

#[test]
fn clips_masks_and_the_output() {
    let mut late = fine();
    late.clips[1].events.push(Event::point(Tick(i64::MAX)));
    let mut order = fine();
    order.clips[1].events.reverse();
    let mut heavy = fine();
    let branches = vec![BranchDef { joint: "Bip01".to_string(), weight: 1.5 }];
    heavy.masks.push(MaskDef { name: "m".to_string(), default: 0.0, branches });
    let mut output = fine();
    output.output = "delta".to_string();
    let mut events = fine();
    events.event_weight_min = 1.5;
    for (def, text) in [
        (late, "clip \"walk\": event 2 is outside of its clip"),
        (order, "clip \"walk\": event 1 begins before the one before it"),
        (heavy, "mask \"m\": mask: weight 1.5 of lane 0, row 0, is not in 0 to 1"),
        (output, "node \"\": its input \"delta\" is a delta where a pose is wanted"),
        (events, "node \"\": least weight of events 1.5 is not in its range"),
    ] {
        assert_eq!(Graph::compile(&def, &skeleton()).expect_err(text).to_string(), text);
    }
}

/// Deltas of both spaces can be added to one pose, but not mixed.
#[test]
fn deltas_of_two_spaces() {
    let mesh = NodeKind::Delta { source: "walk".to_string(), reference: ReferenceDef::Rest, space: DeltaSpace::Mesh };
    let beside = |kind: NodeKind| {
        let mut def = with(kind);
        def.nodes.push(NodeDef { name: "mesh".to_string(), kind: mesh.clone() });
        Graph::compile(&def, &skeleton()).err()
    };
    let both = |first: &str, second: &str| {
        let space = SpaceNode { space: line_at(&[0.0, 1.0]), inputs: strings(&[first, second]) };
        let (index, policy, ease) = (Value::parameter("p"), FadePolicy::Book, Ease::Linear);
        let (inputs, fade) = (strings(&[first, second]), FadeTimes::All(Tick(1)));
        let weights = PartialWeights::Masks(vec![(Value::Number(1.0), None); 2]);
        let mode = PartialMode::WeightedNlerp;
        [
            NodeKind::Space(space),
            NodeKind::Switch(SwitchNode { index, inputs: inputs.clone(), fade, policy, ease }),
            NodeKind::Partial(PartialNode { inputs, weights, mode }),
            machine(&[("a", first), ("b", second)], FadePolicy::Book, vec![]),
        ]
    };
    let (local, in_mesh) = ("delta in local space", "delta in mesh space");
    for (first, second, is, want) in [
        ("delta", "mesh", in_mesh, local),
        ("mesh", "delta", local, in_mesh),
        ("mesh", "idle", "pose", "delta"),
        ("idle", "mesh", "delta", "pose"),
    ] {
        for kind in both(first, second) {
            let error = GraphError::Kind { node: bad(), input: second.to_string(), is, want };
            assert_eq!(beside(kind), Some(error));
        }
    }
    for kind in both("mesh", "mesh") {
        assert_eq!(beside(kind), None);
    }
    let input = |delta: &str| DeltaInput { delta: delta.to_string(), alpha: Value::Number(1.0), mask: None };
    let additive = |deltas: &[&str]| NodeKind::Additive {
        base: "idle".to_string(),
        deltas: deltas.iter().copied().map(input).collect(),
    };
    assert_eq!(beside(additive(&["mesh", "delta", "mesh"])), None);
    let pose = GraphError::Kind { node: bad(), input: "walk".to_string(), is: "pose", want: "delta" };
    assert_eq!(beside(additive(&["mesh", "walk"])), Some(pose));
}

/// Numbers of masks wrapped, and joints had the weights of others.
#[test]
fn more_masks_than_there_are_numbers_for() {
    let mask = |number: usize| MaskDef { name: number.to_string(), default: 1.0, branches: Vec::new() };
    let mut def = partial_of(&[("Bip01", &[1.0, 1.0])]);
    let all = usize::from(u16::MAX);
    def.masks = (0..all - 2).map(mask).collect();
    assert!(Graph::compile(&def, &skeleton()).is_ok(), "two more are the last ones");
    def.masks.push(mask(all));
    let error = Graph::compile(&def, &skeleton()).expect_err("one too many");
    assert_eq!(error, GraphError::TooManyMasks { node: bad(), max: all });
}
