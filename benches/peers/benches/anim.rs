//! Plain loops over `glam` with its SSE vectors, as people write animation by hand, beside the cases of `stillframe
//! bench`: the same numbers, in turn, in one run, and in that run, too, what the machine's memory copies. `cargo bench
//! --bench anim [-- PREFIX] [--isa sse2,avx2|all] [--rounds N] [--json FILE]` in this folder.
//!
//! Results are compared before the clock runs. The peers: a vector of frames of joints, lerp and nlerp; the sum of
//! weighted rotations on the first one's side; `Affine3A` products down the tree and with the inverse binds; a blended
//! `Mat4` a vertex.

use std::hint::black_box;
use std::time::Instant;

use glam_simd::{Affine3A, Mat4, Quat, Vec3, Vec3A, Vec4};
use stillframe_anim::pose::{Affine, JointBlock, NO_PARENT};
use stillframe_anim::sample::{Sample, UniformClip};
use stillframe_anim::skin::VertexBlock;
use stillframe_base::lanes::{Isa, ROW};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};
use stillframe_lab::bench::input::{JOINTS, Numbers, clip, parents};
use stillframe_lab::bench::{Case, Figure, ROUNDS, Ready, Setting, cases, measure};

/// A peer of a case, and the most that its result may differ: ours rounds clips to 16 bits.
struct Peer {
    case: &'static str,
    make: fn() -> Ready,
    within: f32,
}

const PEERS: &[Peer] = &[
    Peer { case: "anim/sample/forward", make: || sample(1300, true), within: 2e-3 },
    Peer { case: "anim/sample/random", make: || sample(1300, false), within: 2e-3 },
    Peer { case: "anim/sample/random_15s", make: || sample(15_000, false), within: 2e-3 },
    Peer { case: "anim/blend/2", make: || blend(2), within: 1e-5 },
    Peer { case: "anim/blend/4", make: || blend(4), within: 1e-5 },
    Peer { case: "anim/blend/8", make: || blend(8), within: 1e-5 },
    Peer { case: "anim/model/one", make: local_to_model, within: 1e-3 },
    Peer { case: "anim/palette", make: palette, within: 1e-4 },
    Peer { case: "skin/pnt4/mesh/10k", make: || skin(10_000), within: 1e-4 },
    Peer { case: "skin/pnt4/mesh/100k", make: || skin(100_000), within: 1e-4 },
    Peer { case: "skin/pnt4/mesh/1m", make: || skin(1_000_000), within: 1e-4 },
];

/// Cases of ours that no such loop does, and the roof over large meshes: told in the same run.
const ALONE: &[&str] = &[
    "anim/model/lanes",
    "anim/character",
    "skin/pnt4/sorted/10k",
    "skin/pnt4/sorted/100k",
    "skin/pnt4/sorted/1m",
    "machine/copy/l1",
    "machine/copy/l2",
    "machine/copy/l3",
    "machine/copy/memory",
];

const POSES: usize = 64;
const MOMENTS: usize = 4096;

#[derive(Clone, Copy)]
struct Joint {
    translation: Vec3,
    rotation: Quat,
    scale: Vec3,
}

const REST: Joint = Joint { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

fn joints(pose: &[JointBlock]) -> Vec<Joint> {
    let joint = |joint: usize| {
        let from = JointBlock::joint(pose, joint);
        Joint {
            translation: from.translation.to_array().into(),
            rotation: Quat::from_array(from.rotation.to_array()),
            scale: from.scale.to_array().into(),
        }
    };
    (0..JOINTS).map(joint).collect()
}

/// Joints as our cases hand them out: planes of sixteen.
fn blocks(joints: &[Joint], out: &mut Vec<f32>) {
    let mut pose = vec![JointBlock::IDENTITY; JointBlock::count_for(JOINTS)];
    for (place, joint) in joints.iter().enumerate() {
        let block = &mut pose[place / ROW];
        for i in 0..3 {
            block.translation[i].0[place % ROW] = joint.translation[i];
            block.scale[i].0[place % ROW] = joint.scale[i];
        }
        for (row, number) in block.rotation.iter_mut().zip(joint.rotation.to_array()) {
            row.0[place % ROW] = number;
        }
    }
    out.clear();
    out.extend_from_slice(bytemuck::cast_slice(&pose));
}

fn affine(from: &Affine) -> Affine3A {
    let m = &from.0.0;
    let column = |i: usize| Vec3A::new(m[i], m[4 + i], m[8 + i]);
    Affine3A::from_cols(column(0), column(1), column(2), column(3))
}

/// Rows, as ours are.
fn rows(matrices: &[Affine3A], out: &mut Vec<f32>) {
    out.clear();
    for m in matrices {
        for i in 0..3 {
            out.extend([m.x_axis[i], m.y_axis[i], m.z_axis[i], m.w_axis[i]]);
        }
        out.extend([0.0, 0.0, 0.0, 1.0]);
    }
}

struct Sampling {
    frames: Vec<Vec<Joint>>,
    frame_ticks: i64,
    moments: Vec<Tick>,
    next: usize,
    pose: Vec<Joint>,
    out: Vec<f32>,
}

fn frames(clip: &UniformClip) -> Vec<Vec<Joint>> {
    let mut pose = vec![JointBlock::IDENTITY; JointBlock::count_for(JOINTS)];
    let frame = |frame: usize| {
        let at = Tick(frame as i64 * clip.frame_ticks());
        Sample { isa: Isa::detect(), clip, at, out: &mut pose }.run();
        joints(&pose)
    };
    (0..clip.frame_count()).map(frame).collect()
}

fn sample(clip_ms: i64, forward: bool) -> Ready {
    let clip = clip(0, clip_ms, false);
    let (mut numbers, duration) = (Numbers::new("moments"), clip.duration());
    let moment = |i: usize| match forward {
        true => Tick(i as i64 * TICKS_PER_SECOND / 60).within(duration),
        false => numbers.moment(duration),
    };
    let moments = (0..MOMENTS).map(moment).collect();
    let state = Sampling {
        frames: frames(&clip),
        frame_ticks: clip.frame_ticks(),
        moments,
        next: 0,
        pose: vec![REST; JOINTS],
        out: Vec::new(),
    };
    let run = |s: &mut Sampling| {
        for _ in 0..POSES {
            s.next = (s.next + 1) % MOMENTS;
            let at = s.moments[s.next].0;
            let frame = ((at / s.frame_ticks) as usize).min(s.frames.len() - 2);
            let along = (at - frame as i64 * s.frame_ticks) as f32 / s.frame_ticks as f32;
            let (from, to) = (&s.frames[frame], &s.frames[frame + 1]);
            for ((out, a), b) in s.pose.iter_mut().zip(from).zip(to) {
                out.translation = a.translation.lerp(b.translation, along);
                out.rotation = a.rotation.lerp(b.rotation, along);
                out.scale = a.scale.lerp(b.scale, along);
            }
            black_box(&s.pose);
        }
        // One pose of 64: 1 % of the time at most.
        blocks(&s.pose, &mut s.out);
    };
    Ready::new(JOINTS * POSES, state, run, |s| &s.out)
}

struct Blending {
    poses: Vec<Vec<Joint>>,
    weights: Vec<f32>,
    pose: Vec<Joint>,
    out: Vec<f32>,
}

fn blend(count: usize) -> Ready {
    let mut numbers = Numbers::new("blend");
    let poses = (0..count).map(|_| joints(&numbers.pose())).collect();
    let weights = (0..count).map(|_| numbers.unit() + 0.1).collect();
    let state = Blending { poses, weights, pose: vec![REST; JOINTS], out: Vec::new() };
    let run = |s: &mut Blending| {
        for _ in 0..POSES {
            let sum: f32 = black_box(&s.weights).iter().sum();
            for (joint, out) in s.pose.iter_mut().enumerate() {
                let first = s.poses[0][joint].rotation;
                // On the side where w is not negative, as ours.
                let first = if first.w < 0.0 { -first } else { first };
                let (mut t, mut q, mut scale) = (Vec3::ZERO, Vec4::ZERO, Vec3::ZERO);
                for (pose, weight) in s.poses.iter().zip(&s.weights) {
                    let (from, share) = (&pose[joint], weight / sum);
                    let side = if from.rotation.dot(first) < 0.0 { -share } else { share };
                    t += from.translation * share;
                    q += Vec4::from(from.rotation) * side;
                    scale += from.scale * share;
                }
                *out = Joint { translation: t, rotation: Quat::from_vec4(q.normalize()), scale };
            }
            black_box(&s.pose);
        }
        blocks(&s.pose, &mut s.out);
    };
    Ready::new(JOINTS * POSES, state, run, |s| &s.out)
}

struct Placing {
    parents: Vec<u16>,
    locals: Vec<Joint>,
    models: Vec<Affine3A>,
    out: Vec<f32>,
}

fn local_to_model() -> Ready {
    let locals = joints(&Numbers::new("local").pose());
    let state = Placing { parents: parents(), locals, models: vec![Affine3A::IDENTITY; JOINTS], out: Vec::new() };
    let run = |s: &mut Placing| {
        for _ in 0..POSES {
            for (joint, local) in black_box(&s.locals).iter().enumerate() {
                let local = Affine3A::from_scale_rotation_translation(local.scale, local.rotation, local.translation);
                let parent = s.parents[joint];
                s.models[joint] = if parent == NO_PARENT { local } else { s.models[usize::from(parent)] * local };
            }
            black_box(&s.models);
        }
        rows(&s.models, &mut s.out);
    };
    Ready::new(JOINTS * POSES, state, run, |s| &s.out)
}

struct Binding {
    models: Vec<Affine3A>,
    inverse_binds: Vec<Affine3A>,
    palette: Vec<Affine3A>,
    out: Vec<f32>,
}

fn palette() -> Ready {
    let mut numbers = Numbers::new("palette");
    let [models, inverse_binds] = [(); 2].map(|()| numbers.affines().iter().map(affine).collect());
    let state = Binding { models, inverse_binds, palette: vec![Affine3A::IDENTITY; JOINTS], out: Vec::new() };
    let run = |s: &mut Binding| {
        for _ in 0..POSES {
            for ((out, model), bind) in s.palette.iter_mut().zip(black_box(&s.models)).zip(&s.inverse_binds) {
                *out = *model * *bind;
            }
            black_box(&s.palette);
        }
        rows(&s.palette, &mut s.out);
    };
    Ready::new(JOINTS * POSES, state, run, |s| &s.out)
}

/// A vertex as people store it.
#[derive(Clone, Copy, Default, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    tangent: [f32; 3],
}

struct Skinning {
    palette: Vec<Mat4>,
    joints: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
    vertices: Vec<Vertex>,
    moved: Vec<Vertex>,
}

fn skin(count: usize) -> Ready {
    let mut numbers = Numbers::new("mesh");
    let palette = numbers.affines().iter().map(|joint| Mat4::from(affine(joint))).collect();
    let blocks = numbers.vertices(count);
    let lane = |block: &VertexBlock, lane: usize| Vertex {
        position: [0, 1, 2].map(|i| block.position[i].0[lane]),
        normal: [0, 1, 2].map(|i| block.normal[i].0[lane]),
        tangent: [0, 1, 2].map(|i| block.tangent[i].0[lane]),
    };
    let vertices: Vec<Vertex> = (0..blocks.len() * ROW).map(|v| lane(&blocks[v / ROW], v % ROW)).collect();
    let joints = vertices.iter().map(|_| [(); 4].map(|()| numbers.joint_index())).collect();
    let weights = vec![[0.4, 0.3, 0.2, 0.1]; vertices.len()];
    let state = Skinning { palette, joints, weights, moved: vertices.clone(), vertices };
    let run = |s: &mut Skinning| {
        let palette = black_box(&s.palette);
        for (((out, from), joints), weights) in s.moved.iter_mut().zip(&s.vertices).zip(&s.joints).zip(&s.weights) {
            let at = |k: usize| palette[usize::from(joints[k])] * weights[k];
            let m = ((at(0) + at(1)) + at(2)) + at(3);
            *out = Vertex {
                position: m.transform_point3(from.position.into()).to_array(),
                normal: m.transform_vector3(from.normal.into()).to_array(),
                tangent: m.transform_vector3(from.tangent.into()).to_array(),
            };
        }
        black_box(&s.moved);
    };
    Ready::new(count, state, run, |s| bytemuck::cast_slice(&s.moved))
}

/// Ours as vertices behind each other, where it is blocks of vertices.
fn in_their_order(case: &str, ours: &[f32]) -> Vec<f32> {
    if !case.starts_with("skin/") {
        return ours.to_vec();
    }
    let planes = 9 * ROW;
    let number = |at: usize| ours[at / planes * planes + at % 9 * ROW + at % planes / 9];
    (0..ours.len()).map(number).collect()
}

#[allow(clippy::disallowed_methods, reason = "a bench reads the clock")]
fn main() {
    assert_eq!(align_of::<Vec4>(), 16, "this glam has no vectors");
    let (mut prefix, mut rounds, mut json, mut isas) = (String::new(), ROUNDS, None, vec![Isa::detect()]);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} needs a value"));
        match word.as_str() {
            "--bench" => {}
            "--rounds" => rounds = value().parse().expect("--rounds takes a number"),
            "--json" => json = Some(value()),
            "--isa" => {
                let names = value();
                let one = |name: &str| name.parse().unwrap_or_else(|error| panic!("--isa: {error}"));
                isas = if names == "all" { Isa::available() } else { names.split(',').map(one).collect() };
            }
            _ => prefix = word,
        }
    }
    let start = Instant::now();
    let clock = || start.elapsed().as_nanos() as u64;
    println!("{:26}{:8}{:>10}{:>10}{:>8}  unit, one thread", "case", "isa", "ours", "glam", "ratio");
    let mut rows = Vec::new();
    let mut row = |case: &Case, isa: Isa, ours: Figure, theirs: Option<f64>| {
        let (unit, isa) = (case.unit.name(), if case.by_isa { isa.name() } else { "-" });
        let [peer, ratio] = match theirs {
            Some(theirs) => [format!("{theirs:.3}"), format!("{:.2}", ours.median / theirs)],
            None => [(); 2].map(|()| "-".to_string()),
        };
        println!("{:26}{isa:8}{:>10.3}{peer:>10}{ratio:>8}  {unit}", case.name, ours.median);
        let peer = theirs.map_or("null".to_string(), |theirs| theirs.to_string());
        let (median, min, samples) = (ours.median, ours.min, ours.samples);
        rows.push(format!(
            "{{\"name\":\"{}\",\"unit\":\"{unit}\",\"isa\":\"{isa}\",\"threads\":1,\"median\":{median},\"min\":{min},\"samples\":{samples},\"peer\":{peer}}}",
            case.name
        ));
    };
    let named = |name: &str| cases(name).next().unwrap_or_else(|| panic!("no case {name}"));
    for peer in PEERS.iter().filter(|peer| peer.case.starts_with(&prefix)) {
        let case = named(peer.case);
        let mut works: Vec<Ready> = isas.iter().map(|isa| (case.prepare)(Setting { isa: *isa, threads: 1 })).collect();
        works.push((peer.make)());
        works.iter_mut().for_each(|work| work.run());
        let (theirs, ours) = works.split_last().unwrap_or_else(|| unreachable!("the peer is there"));
        for ours in ours {
            let (ours, theirs) = (in_their_order(case.name, ours.result()), theirs.result());
            assert_eq!(ours.len(), theirs.len(), "{}", case.name);
            for (place, (a, b)) in ours.iter().zip(theirs).enumerate() {
                assert!((a - b).abs() <= peer.within, "{}: number {place}: {a}, theirs {b}", case.name);
            }
        }
        let figures = measure(&mut works, case.unit, rounds, &clock);
        let theirs = figures[isas.len()].median;
        isas.iter().zip(&figures).for_each(|(isa, ours)| row(case, *isa, *ours, Some(theirs)));
    }
    for case in ALONE.iter().filter(|name| name.starts_with(&prefix)).map(|name| named(name)) {
        let isas = if case.by_isa { &isas[..] } else { &isas[..1] };
        let mut works: Vec<Ready> = isas.iter().map(|isa| (case.prepare)(Setting { isa: *isa, threads: 1 })).collect();
        let figures = measure(&mut works, case.unit, rounds, &clock);
        isas.iter().zip(&figures).for_each(|(isa, ours)| row(case, *isa, *ours, None));
    }
    if let Some(file) = json {
        let text = format!(
            "{{\"schema\":\"bench/1\",\"machine\":{{\"peer\":\"glam 0.33, SSE2\"}},\"rows\":[\n{}\n]}}\n",
            rows.join(",\n")
        );
        std::fs::write(&file, text).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
}
