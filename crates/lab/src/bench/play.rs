//! Play: clips compressed and back, graphs, crowds of actors.

use std::hint::black_box;

use stillframe_anim::compress::{CompressedClip, Compression, Decompress, compress};
use stillframe_anim::crowd::{
    Actor, BakedBones, CrowdBaking, CrowdClip, CrowdRig, SampleCrowd, Storage, TextureLimits, Visible, grid, scatter,
};
use stillframe_anim::graph::{
    ClipDef, ClipNode, ClipSource, Graph, GraphDef, GraphScratch, GraphState, LayerDef, LayerMode, NodeDef, NodeKind,
    ParameterDef, SpaceDef, SpaceNode, Value,
};
use stillframe_anim::pose::{Affine, JointBlock};
use stillframe_anim::sample::{Skeleton, UniformClip, VIRTUAL_VERTEX_M};
use stillframe_base::lanes::{Isa, Row};
use stillframe_base::par::Pool;
use stillframe_base::rng::Rng;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::anim::{BLOCKS, CROWD, MOMENTS, Order, POSES, moments};
use super::input::{JOINTS, Numbers, clip, skeleton, swinging};
use super::{Ready, Setting};

const DURATION: Tick = Tick(TICKS_PER_SECOND * 13 / 10);
const COMPRESSION: Compression =
    Compression { rate: FrameRate::whole(30), object_error_max_m: 0.1e-3, shell_m: VIRTUAL_VERTEX_M };

/// The clip, and what is told of it as numbers.
fn compressed(skeleton: &Skeleton) -> (CompressedClip, [f32; 2], usize) {
    let done = compress(skeleton, DURATION, &[], &COMPRESSION, &mut swinging(0, false));
    let (clip, report) = done.unwrap_or_else(|error| unreachable!("it swings smoothly: {error}"));
    (clip, [report.bytes as f32, report.object_m.value as f32], report.raw_bytes())
}

struct Compressing {
    skeleton: Skeleton,
    told: [f32; 2],
}

pub fn compression(_: Setting) -> Ready {
    let skeleton = skeleton();
    let (_, told, raw_bytes) = compressed(&skeleton);
    let run = |s: &mut Compressing| s.told = compressed(black_box(&s.skeleton)).1;
    Ready::new(raw_bytes, Compressing { skeleton, told }, run, |s| &s.told)
}

struct Decompressing {
    isa: Isa,
    clip: CompressedClip,
    moments: Vec<Tick>,
    next: usize,
    out: Vec<JointBlock>,
}

pub fn decompress(setting: Setting, order: Order) -> Ready {
    let (clip, ..) = compressed(&skeleton());
    let (moments, out) = (moments(order, DURATION), vec![JointBlock::IDENTITY; BLOCKS]);
    let state = Decompressing { isa: setting.isa, clip, moments, next: 0, out };
    let run = |s: &mut Decompressing| {
        for _ in 0..POSES {
            s.next = (s.next + 1) % MOMENTS;
            Decompress { isa: s.isa, clip: black_box(&s.clip), at: s.moments[s.next], out: &mut s.out }.run();
        }
        black_box(&s.out);
    };
    Ready::new(JOINTS * POSES, state, run, |s| bytemuck::cast_slice(&s.out))
}

/// Clips that nodes of the graph share.
const CLIPS: usize = 8;

/// Clips of the graph: with as many spaces less one, and one node of layers, 50 nodes.
const LEAVES: usize = 25;

/// A tree of spaces over clips, and the first clip once more as a layer on top. All of it counts, always.
fn tree() -> GraphDef {
    let clip = |clip: usize| format!("clip {clip}");
    let mut nodes = Vec::new();
    let mut node = |name: String, kind: NodeKind| {
        nodes.push(NodeDef { name: name.clone(), kind });
        name
    };
    let mut row: Vec<String> = (0..LEAVES)
        .map(|leaf| node(format!("leaf {leaf}"), NodeKind::Clip(ClipNode::looped(&clip(leaf % CLIPS)))))
        .collect();
    let mut level = 0;
    while row.len() > 1 {
        let by = ["speed", "turn"][level % 2];
        let pairs = row.chunks(2).enumerate().map(|(place, pair)| match pair {
            [_, _] => {
                let space = SpaceDef::Line { parameter: Value::parameter(by), at: vec![0.0, 1.0] };
                node(format!("space {level} {place}"), NodeKind::Space(SpaceNode { space, inputs: pair.to_vec() }))
            }
            _ => pair[0].clone(),
        });
        row = pairs.collect();
        level += 1;
    }
    let weight = Value::parameter("turn");
    let layer = LayerDef { node: "leaf 0".into(), weight, mask: None, mode: LayerMode::Override };
    let output = node("layers".into(), NodeKind::Layers { base: row[0].clone(), layers: vec![layer] });
    let length = |clip: usize| Tick(TICKS_PER_SECOND * (10 + clip as i64) / 10);
    GraphDef {
        parameters: ["speed", "turn"].map(|name| ParameterDef { name: name.into(), initial: 0.5 }).into(),
        clips: (0..CLIPS).map(|i| ClipDef { name: clip(i), duration: length(i), ..ClipDef::default() }).collect(),
        nodes,
        output,
        ..GraphDef::default()
    }
}

/// Characters that one task plays, and room for it.
struct Players {
    states: Vec<(GraphState, [f32; 2])>,
    scratch: GraphScratch,
    pose: Vec<JointBlock>,
    /// The first block of each pose: enough to compare.
    first: Vec<JointBlock>,
}

struct Playing {
    isa: Isa,
    graph: Graph,
    clips: Vec<UniformClip>,
    tasks: Vec<Players>,
    out: Vec<JointBlock>,
    pool: Pool,
}

const CHARACTERS_A_TASK: usize = 20;

pub fn graph(setting: Setting) -> Ready {
    let graph = Graph::compile(&tree(), &skeleton()).unwrap_or_else(|error| unreachable!("a tree: {error}"));
    assert_eq!(graph.node_count(), 50, "what counts");
    let mut numbers = Numbers::new("players");
    let mut task = |_| {
        let mut player = |_| {
            let parameters = [0.1 + 0.8 * numbers.unit(), 0.1 + 0.8 * numbers.unit()];
            (graph.start(&parameters), parameters)
        };
        Players {
            states: (0..CHARACTERS_A_TASK).map(&mut player).collect(),
            scratch: GraphScratch::new(&graph),
            pose: vec![JointBlock::IDENTITY; BLOCKS],
            first: vec![JointBlock::IDENTITY; CHARACTERS_A_TASK],
        }
    };
    let tasks = (0..CROWD / CHARACTERS_A_TASK).map(&mut task).collect();
    let clips = (0..CLIPS).map(|i| clip(i as u64, 1000 + 100 * i as i64, false)).collect();
    let (isa, pool, out) = (setting.isa, Pool::new(setting.threads), vec![JointBlock::IDENTITY; CROWD]);
    let run = |s: &mut Playing| {
        let (graph, isa, clips) = (black_box(&s.graph), s.isa, &s.clips);
        s.pool.for_chunks_mut(&mut s.tasks, 1, |_, task| {
            let sources: Vec<ClipSource<'_>> = clips.iter().map(ClipSource::Uniform).collect();
            let [Players { states, scratch, pose, first }] = task else { unreachable!("a chunk is one task") };
            for ((state, parameters), first) in states.iter_mut().zip(first) {
                let step = graph.update(state, Tick(TICKS_PER_SECOND / 60), parameters, &mut Vec::new());
                // Millions of years lie before the end of time.
                black_box(step.is_ok());
                graph.evaluate(isa, state, &sources, scratch, pose);
                *first = pose[0];
            }
        });
        for (out, task) in s.out.chunks_exact_mut(CHARACTERS_A_TASK).zip(&s.tasks) {
            out.copy_from_slice(&task.first);
        }
    };
    Ready::new(CROWD, Playing { isa, graph, clips, tasks, out, pool }, run, |s| bytemuck::cast_slice(&s.out))
}

struct Actors {
    isa: Isa,
    baked: BakedBones,
    actors: Vec<Actor>,
    visible: Vec<Visible>,
    phases: Vec<u32>,
    now: Tick,
    out: Vec<Row>,
    pool: Pool,
}

const ACTORS: u32 = 10_000;
const ACTORS_A_TASK: usize = 100;

pub fn actors(setting: Setting, storage: Storage) -> Ready {
    let skeleton = skeleton();
    let (joints, inverse_binds) = ((0..JOINTS as u16).collect::<Vec<_>>(), vec![Affine::IDENTITY; JOINTS]);
    let rig = CrowdRig { skeleton: &skeleton, joints: &joints, inverse_binds: &inverse_binds };
    let (mut first, mut second) = (swinging(0, false), swinging(1, false));
    let mut clips = [
        CrowdClip { length: DURATION, looping: false, keys: &[], pose: &mut first },
        CrowdClip { length: DURATION, looping: false, keys: &[], pose: &mut second },
    ];
    let rate = FrameRate::whole(30);
    let limits = TextureLimits::default();
    let baking = CrowdBaking { storage, error_max_m: 1.0, rate_min: rate, rate_max: rate, limits };
    let baked = BakedBones::bake(rig, &mut clips, &baking);
    let (baked, _) = baked.unwrap_or_else(|error| unreachable!("two short clips: {error}"));
    let actors = scatter(&grid(100, ACTORS / 100, 1.0), 2, Rng::new(7));
    let visible = (0..ACTORS).map(|actor| Visible { actor, lod: 0 }).collect();
    let out = vec![Row::ZERO; ACTORS as usize * baked.frames.frame_rows()];
    let (isa, pool) = (setting.isa, Pool::new(setting.threads));
    let state = Actors { isa, baked, actors, visible, phases: vec![0; 2], now: Tick::ZERO, out, pool };
    let run = |s: &mut Actors| {
        let (isa, baked, actors) = (s.isa, black_box(&s.baked.frames), &s.actors);
        s.now += Tick(TICKS_PER_SECOND / 60);
        baked.clip_phases(s.now, &mut s.phases);
        let (phases, visible) = (&s.phases, &s.visible);
        s.pool.for_chunks_mut(&mut s.out, ACTORS_A_TASK * baked.frame_rows(), |chunk, out| {
            let visible = &visible[chunk * ACTORS_A_TASK..][..ACTORS_A_TASK];
            SampleCrowd { isa, baked, phases, actors, visible, out, stream: true }.run();
        });
        black_box(&s.out);
    };
    Ready::new(ACTORS as usize, state, run, |s| bytemuck::cast_slice(&s.out))
}
