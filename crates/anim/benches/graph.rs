//! A graph of 48 nodes played by 1,000 characters: update and evaluation, a thread and two. `cargo bench -p
//! stillframe-anim --bench graph`. Elements are characters; 67 joints each.

use std::hint::black_box;
use std::thread;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DQuat, Quat, Vec3};
use stillframe_anim::graph::{
    ClipDef, ClipNode, ClipSource, DeltaInput, DeltaSpace, FadePolicy, FadeTimes, Graph, GraphDef, GraphScratch,
    GraphState, LayerDef, LayerMode, NodeDef, NodeKind, ParameterDef, ReferenceDef, SpaceDef, SpaceNode, SwitchNode,
    SyncSpaceNode, Value,
};
use stillframe_anim::pose::{JointBlock, Trs};
use stillframe_anim::sample::{Baking, DTrs, RawJoint, Skeleton, UniformClip, bake};
use stillframe_anim::time::{Ease, Pace};
use stillframe_base::lanes::Isa;
use stillframe_base::rng::Rng;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

const JOINTS: usize = 67;
const CLIPS: usize = 15;
const CHARACTERS: usize = 1000;

fn skeleton() -> Skeleton {
    let joint = |node: usize| RawJoint {
        node,
        name: format!("joint{node}"),
        parent: node.checked_sub(1).map(|above| above / 2),
        rest: Trs { translation: Vec3::Y * 0.1, rotation: Quat::IDENTITY, scale: Vec3::ONE },
    };
    Skeleton::new(&(0..JOINTS).map(joint).collect::<Vec<_>>()).expect("parents first")
}

fn length(clip: usize) -> Tick {
    Tick(TICKS_PER_SECOND * (10 + clip as i64) / 10)
}

/// Rotations that turn back and forth between random ones.
fn clips(skeleton: &Skeleton) -> Vec<UniformClip> {
    let baking = Baking { rate: FrameRate::whole(30), object_error_max_m: None };
    let clip = |clip: usize| {
        let mut random = Rng::new(3).stream("clip", clip as u64);
        let turns: Vec<[f64; 3]> =
            (0..JOINTS).map(|_| [(); 3].map(|()| f64::from(random.unit_f32()) * 0.4 - 0.2)).collect();
        let pose = &mut |at: Tick, pose: &mut [DTrs]| {
            let share = at.0 as f64 / length(clip).0 as f64;
            let there = 16.0 * (share * (1.0 - share)) * (share * (1.0 - share));
            for (joint, [x, y, z]) in pose.iter_mut().zip(&turns) {
                joint.rotation = DQuat::from_xyzw(x * there, y * there, z * there, 1.0).normalize();
            }
        };
        bake(skeleton, length(clip), &[], &baking, pose).expect("well formed").0
    };
    (0..CLIPS).map(clip).collect()
}

/// 48 nodes: a synced grid, a line of lines, an aim offset of deltas, a switch, a layer.
fn graph(skeleton: &Skeleton) -> Graph {
    let parameter = |name: &str| Value::parameter(name);
    let clip = |clip: usize| format!("clip{clip}");
    let mut nodes: Vec<(String, NodeKind)> = Vec::new();
    for i in 0..CLIPS {
        nodes.push((format!("play{i}"), NodeKind::Clip(ClipNode::looped(&clip(i)))));
    }
    for i in 0..9 {
        nodes.push((format!("frame{i}"), NodeKind::Frame { clip: clip(i), at: length(i) }));
        let reference = ReferenceDef::Node("frame0".into());
        nodes.push((
            format!("delta{i}"),
            NodeKind::Delta { source: format!("frame{i}"), reference, space: DeltaSpace::Local },
        ));
    }
    let line = |by: &str, inputs: Vec<String>| {
        let at = (0..inputs.len()).map(|i| i as f32).collect();
        NodeKind::Space(SpaceNode { space: SpaceDef::Line { parameter: parameter(by), at }, inputs })
    };
    for i in 0..8 {
        nodes.push((format!("line{i}"), line("speed", vec![format!("play{i}"), format!("play{}", i + 7)])));
    }
    nodes.push(("lines".into(), line("turn", (0..8).map(|i| format!("line{i}")).collect())));
    let grid = |side: usize| SpaceDef::Grid {
        parameters: [parameter("yaw"), parameter("pitch")],
        columns: (0..side).map(|i| i as f32).collect(),
        rows: (0..3).map(|i| i as f32).collect(),
    };
    nodes.push((
        "aim".into(),
        NodeKind::Space(SpaceNode { space: grid(3), inputs: (0..9).map(|i| format!("delta{i}")).collect() }),
    ));
    let sync = SyncSpaceNode {
        space: grid(5),
        clips: (0..15).map(clip).collect(),
        by_markers: false,
        pace: Pace::Blended,
        speed: Value::Number(1.0),
    };
    nodes.push(("move".into(), NodeKind::SyncSpace(sync)));
    nodes.push((
        "state".into(),
        NodeKind::Switch(SwitchNode {
            index: parameter("state"),
            inputs: vec!["lines".into(), "move".into()],
            fade: FadeTimes::All(Tick(TICKS_PER_SECOND / 5)),
            policy: FadePolicy::Inertial,
            ease: Ease::Linear,
        }),
    ));
    let layer = LayerDef { node: "play14".into(), weight: parameter("layer"), mask: None, mode: LayerMode::Override };
    nodes.push(("layers".into(), NodeKind::Layers { base: "state".into(), layers: vec![layer] }));
    let delta = DeltaInput { delta: "aim".into(), alpha: Value::Number(0.8), mask: None };
    nodes.push(("aimed".into(), NodeKind::Additive { base: "layers".into(), deltas: vec![delta] }));
    nodes.push(("last".into(), line("speed", vec!["aimed".into(), "play0".into()])));
    let names = ["speed", "turn", "yaw", "pitch", "state", "layer"];
    let def = GraphDef {
        parameters: names.map(|name| ParameterDef { name: name.into(), initial: 0.0 }).into(),
        clips: (0..CLIPS).map(|i| ClipDef { name: clip(i), duration: length(i), ..ClipDef::default() }).collect(),
        nodes: nodes.into_iter().map(|(name, kind)| NodeDef { name, kind }).collect(),
        output: "last".into(),
        ..GraphDef::default()
    };
    Graph::compile(&def, skeleton).expect("well formed")
}

/// Characters and what each is asked for; `changing`: every one is in the middle of an inertial change over, all the
/// time.
struct Crowd {
    states: Vec<GraphState>,
    parameters: Vec<[f32; 6]>,
    frame: usize,
    changing: bool,
}

impl Crowd {
    fn new(graph: &Graph, changing: bool) -> Crowd {
        let mut random = Rng::new(5).stream("crowd", 0);
        let mut number = |max: f32| random.unit_f32() * max;
        let parameters: Vec<[f32; 6]> = (0..CHARACTERS)
            .map(|_| [number(1.0), number(7.0), number(2.0), number(2.0), number(2.0), number(1.0)])
            .collect();
        let states = parameters.iter().map(|parameters| graph.start(parameters)).collect();
        Crowd { states, parameters, frame: 0, changing }
    }

    fn ask(&mut self) {
        self.frame += 1;
        if self.changing && self.frame.is_multiple_of(10) {
            self.parameters.iter_mut().for_each(|parameters| parameters[4] = ((self.frame / 10) % 2) as f32);
        }
    }
}

const STEP: Tick = Tick(TICKS_PER_SECOND / 60);

fn update(graph: &Graph, states: &mut [GraphState], parameters: &[[f32; 6]]) {
    let mut events = Vec::new();
    for (state, parameters) in states.iter_mut().zip(parameters) {
        events.clear();
        graph.update(state, STEP, parameters, &mut events).expect("near");
    }
}

fn evaluate(graph: &Graph, states: &mut [GraphState], sources: &[ClipSource<'_>], scratch: &mut GraphScratch) {
    let mut out = vec![JointBlock::IDENTITY; graph.block_count()];
    for state in states {
        graph.evaluate(Isa::detect(), state, sources, scratch, &mut out);
        black_box(&out);
    }
}

fn graphs(c: &mut Criterion) {
    let skeleton = skeleton();
    let clips = clips(&skeleton);
    let sources: Vec<ClipSource<'_>> = clips.iter().map(ClipSource::Uniform).collect();
    let graph = graph(&skeleton);
    assert_eq!(graph.node_count(), 48, "what reaches the output");
    let mut group = c.benchmark_group("graph");
    group.throughput(Throughput::Elements(CHARACTERS as u64)).sample_size(20);
    for changing in [false, true] {
        let name = if changing { "changing" } else { "steady" };
        let mut crowd = Crowd::new(&graph, changing);
        let mut scratch = GraphScratch::new(&graph);
        group.bench_function(format!("update_{name}"), |b| {
            b.iter(|| {
                crowd.ask();
                update(&graph, &mut crowd.states, &crowd.parameters);
            });
        });
        group.bench_function(format!("update_and_evaluate_{name}"), |b| {
            b.iter(|| {
                crowd.ask();
                update(&graph, &mut crowd.states, &crowd.parameters);
                evaluate(&graph, &mut crowd.states, &sources, &mut scratch);
            });
        });
    }
    let mut crowd = Crowd::new(&graph, false);
    let mut rooms = [GraphScratch::new(&graph), GraphScratch::new(&graph)];
    group.bench_function("update_and_evaluate_steady_2_threads", |b| {
        b.iter(|| {
            let parts = crowd.states.chunks_mut(CHARACTERS / 2).zip(crowd.parameters.chunks(CHARACTERS / 2));
            thread::scope(|scope| {
                for ((states, parameters), scratch) in parts.zip(&mut rooms) {
                    let (graph, sources) = (&graph, &sources);
                    scope.spawn(move || {
                        update(graph, states, parameters);
                        evaluate(graph, states, sources, scratch);
                    });
                }
            });
        });
    });
    group.finish();
}

criterion_group!(benches, graphs);
criterion_main!(benches);
