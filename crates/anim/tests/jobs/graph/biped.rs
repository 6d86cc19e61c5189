//! A biped with clips by formula, and a player of graphs on it.

use std::sync::LazyLock;

use glam::{DQuat, DVec3, Quat, Vec3};
use stillframe_anim::graph::{
    ClipDef, ClipNode, ClipSource, FadePolicy, FadeTimes, Graph, GraphDef, GraphEvent, GraphScratch, GraphState,
    MarkerDef, NodeDef, NodeKind, ParameterDef, SpaceDef, SpaceNode, SwitchNode, Value,
};
use stillframe_anim::pose::{JointBlock, Trs};
use stillframe_anim::sample::{Baking, DTrs, RawJoint, Sample, Skeleton, UniformClip, bake};
use stillframe_anim::time::{Ease, Event};
use stillframe_base::lanes::Isa;
use stillframe_base::math::ops64;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};
use stillframe_testkit::worse;

pub const MS: i64 = TICKS_PER_SECOND / 1000;

/// Names as 3ds Max gives them, with the parent of each.
const JOINTS: &[(&str, Option<usize>, [f32; 3])] = &[
    ("Bip01", None, [0.0, 1.0, 0.0]),
    ("Bip01 Pelvis", Some(0), [0.0, 0.0, 0.0]),
    ("Bip01 Spine", Some(1), [0.0, 0.1, 0.0]),
    ("Bip01 Spine1", Some(2), [0.0, 0.15, 0.0]),
    ("Bip01 Spine2", Some(3), [0.0, 0.15, 0.0]),
    ("Bip01 Neck", Some(4), [0.0, 0.15, 0.0]),
    ("Bip01 Head", Some(5), [0.0, 0.1, 0.0]),
    ("Bip01 L Clavicle", Some(5), [0.05, 0.0, 0.0]),
    ("Bip01 L UpperArm", Some(7), [0.15, 0.0, 0.0]),
    ("Bip01 L Forearm", Some(8), [0.3, 0.0, 0.0]),
    ("Bip01 L Hand", Some(9), [0.25, 0.0, 0.0]),
    ("Bip01 R Clavicle", Some(5), [-0.05, 0.0, 0.0]),
    ("Bip01 R UpperArm", Some(11), [-0.15, 0.0, 0.0]),
    ("Bip01 R Forearm", Some(12), [-0.3, 0.0, 0.0]),
    ("Bip01 R Hand", Some(13), [-0.25, 0.0, 0.0]),
    ("Bip01 L Thigh", Some(1), [0.1, 0.0, 0.0]),
    ("Bip01 L Calf", Some(15), [0.0, -0.45, 0.0]),
    ("Bip01 L Foot", Some(16), [0.0, -0.45, 0.0]),
    ("Bip01 L Toe0", Some(17), [0.0, -0.05, 0.12]),
    ("Bip01 R Thigh", Some(1), [-0.1, 0.0, 0.0]),
    ("Bip01 R Calf", Some(19), [0.0, -0.45, 0.0]),
    ("Bip01 R Foot", Some(20), [0.0, -0.45, 0.0]),
    ("Bip01 R Toe0", Some(21), [0.0, -0.05, 0.12]),
    ("Bip01 Tail", Some(1), [0.0, 0.0, -0.1]),
];

pub fn skeleton() -> Skeleton {
    let joint = |(node, (name, parent, at)): (usize, &(&str, Option<usize>, [f32; 3]))| RawJoint {
        node,
        name: name.to_string(),
        parent: *parent,
        rest: Trs { translation: Vec3::from_array(*at), rotation: Quat::IDENTITY, scale: Vec3::ONE },
    };
    Skeleton::new(&JOINTS.iter().enumerate().map(joint).collect::<Vec<_>>()).expect("parents first")
}

pub fn joint(name: &str) -> usize {
    JOINTS.iter().position(|joint| joint.0 == name).expect("a joint of the biped")
}

/// Clips: name, milliseconds. Aim poses are `aim<column><row>`, 5 x 3.
pub const CLIPS: &[(&str, i64)] =
    &[("idle", 2000), ("walk", 1000), ("run", 600), ("attack", 1200), ("left", 1100), ("right", 1000), ("back", 1300)];

fn turn(pose: &mut [DTrs], name: &str, axis: DVec3, angle: f64) {
    let rotation = &mut pose[joint(name)].rotation;
    let (sine, cosine) = ops64::sin_cos(angle / 2.0);
    *rotation *= DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine);
}

/// A clip's pose at a share of its length.
fn formula(name: &str, share: f64, pose: &mut [DTrs]) {
    let wave = ops64::sin(share * 2.0 * std::f64::consts::PI);
    let cosine = ops64::cos(share * 2.0 * std::f64::consts::PI);
    let mut legs = |swing: f64, side: f64, lift: f64| {
        for (prefix, sign) in [("Bip01 L", 1.0), ("Bip01 R", -1.0)] {
            turn(pose, &format!("{prefix} Thigh"), DVec3::X, swing * sign * wave);
            turn(pose, &format!("{prefix} Thigh"), DVec3::Z, side * (1.0 + 0.2 * cosine));
            turn(pose, &format!("{prefix} Calf"), DVec3::X, swing * 0.8 * (1.0 - sign * cosine));
            turn(pose, &format!("{prefix} UpperArm"), DVec3::Y, -0.6 * swing * sign * wave);
        }
        turn(pose, "Bip01 Spine", DVec3::Y, 0.15 * wave * swing);
        pose[0].translation.y += lift * ops64::cos(share * 4.0 * std::f64::consts::PI);
    };
    match name {
        "idle" => {
            legs(0.01, 0.05, 0.005);
            turn(pose, "Bip01 Spine1", DVec3::X, 0.04 * wave);
        }
        "walk" => legs(0.5, 0.0, 0.03),
        "run" => legs(0.9, 0.0, 0.06),
        "left" => legs(0.4, 0.2, 0.02),
        "right" => legs(0.4, -0.2, 0.02),
        "back" => legs(-0.4, 0.0, 0.02),
        "attack" => {
            let blow = 0.5 - 0.5 * cosine;
            turn(pose, "Bip01 R UpperArm", DVec3::Z, -1.4 * blow);
            turn(pose, "Bip01 R Forearm", DVec3::Y, 1.1 * blow);
            turn(pose, "Bip01 Spine", DVec3::Y, 0.5 * blow);
            turn(pose, "Bip01 L Thigh", DVec3::X, 0.3 * blow);
        }
        _ => {
            let digit = |at: usize| f64::from(name.as_bytes()[at] - b'0');
            turn(pose, "Bip01 Spine1", DVec3::Y, (digit(3) - 2.0) * 0.4);
            turn(pose, "Bip01 Spine2", DVec3::X, (digit(4) - 1.0) * 0.3);
        }
    }
}

pub fn aim(column: usize, row: usize) -> String {
    format!("aim{column}{row}")
}

/// The names of all clips and their lengths.
pub fn clips() -> Vec<(String, Tick)> {
    let aims = (0..3).flat_map(|row| (0..5).map(move |column| (aim(column, row), Tick(0))));
    CLIPS.iter().map(|(name, ms)| (name.to_string(), Tick(ms * MS))).chain(aims).collect()
}

/// All clips. Baked once: the tests make thousands of players.
pub fn baked() -> Vec<UniformClip> {
    static BAKED: LazyLock<Vec<UniformClip>> = LazyLock::new(bake_all);
    BAKED.clone()
}

fn bake_all() -> Vec<UniformClip> {
    let skeleton = skeleton();
    let baking = Baking { rate: FrameRate::whole(60), object_error_max_m: None };
    let bake_one = |(name, duration): &(String, Tick)| {
        let share = |at: Tick| if duration.0 == 0 { 0.0 } else { at.0 as f64 / duration.0 as f64 };
        bake(&skeleton, *duration, &[], &baking, &mut |at, pose: &mut [DTrs]| formula(name, share(at), pose))
            .expect("well formed")
            .0
    };
    clips().iter().map(bake_one).collect()
}

/// A definition with all clips of the biped; feet come down at 0 and half of a loop.
pub fn def(parameters: &[(&str, f32)], nodes: Vec<(&str, NodeKind)>, output: &str) -> GraphDef {
    let clip = |(name, duration): (String, Tick)| {
        let loops = duration.0 > 0 && name != "attack";
        let half = Tick(duration.0 / 2);
        let foot = |at, name: &str| MarkerDef { at, name: name.to_string() };
        ClipDef {
            name,
            duration,
            events: if loops { vec![Event::point(Tick(0)), Event::point(half)] } else { Vec::new() },
            markers: if loops { vec![foot(Tick(0), "left"), foot(half, "right")] } else { Vec::new() },
        }
    };
    GraphDef {
        parameters: parameters
            .iter()
            .map(|(name, initial)| ParameterDef { name: name.to_string(), initial: *initial })
            .collect(),
        clips: clips().into_iter().map(clip).collect(),
        masks: Vec::new(),
        nodes: nodes.into_iter().map(|(name, kind)| NodeDef { name: name.to_string(), kind }).collect(),
        output: output.to_string(),
        event_weight_min: 0.0,
    }
}

pub fn looped(clip: &str) -> NodeKind {
    NodeKind::Clip(ClipNode::looped(clip))
}

pub fn once(clip: &str) -> NodeKind {
    NodeKind::Clip(ClipNode::once(clip))
}

pub fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

pub fn line(parameter: &str, points: &[(f32, &str)]) -> NodeKind {
    let at = points.iter().map(|point| point.0).collect();
    let inputs = points.iter().map(|point| point.1.to_string()).collect();
    NodeKind::Space(SpaceNode { space: SpaceDef::Line { parameter: Value::parameter(parameter), at }, inputs })
}

pub fn switch(parameter: &str, inputs: &[&str], fade_ms: i64, policy: FadePolicy) -> NodeKind {
    NodeKind::Switch(SwitchNode {
        index: Value::parameter(parameter),
        inputs: strings(inputs),
        fade: FadeTimes::All(Tick(fade_ms * MS)),
        policy,
        ease: Ease::Linear,
    })
}

/// A graph that is played.
pub struct Player {
    pub graph: Graph,
    pub state: GraphState,
    pub clips: Vec<UniformClip>,
    pub events: Vec<GraphEvent>,
    pub parameters: Vec<f32>,
    scratch: GraphScratch,
}

impl Player {
    pub fn new(def: &GraphDef) -> Player {
        let graph = Graph::compile(def, &skeleton()).unwrap_or_else(|error| panic!("{error}"));
        let parameters: Vec<f32> = def.parameters.iter().map(|parameter| parameter.initial).collect();
        let state = graph.start(&parameters);
        let scratch = GraphScratch::new(&graph);
        Player { graph, state, clips: baked(), events: Vec::new(), parameters, scratch }
    }

    pub fn set(&mut self, parameter: &str, value: f32) {
        let index = self.graph.parameter(parameter).expect("a parameter");
        self.parameters[index] = value;
    }

    pub fn step(&mut self, step: Tick) {
        self.graph.update(&mut self.state, step, &self.parameters, &mut self.events).expect("time is near");
    }

    pub fn step_ms(&mut self, ms: i64) {
        self.step(Tick(ms * MS));
    }

    /// Sets a parameter now.
    pub fn put(&mut self, parameter: &str, value: f32) {
        self.set(parameter, value);
        self.step(Tick(0));
    }

    pub fn pose(&mut self) -> Vec<JointBlock> {
        self.pose_at(Isa::detect())
    }

    pub fn pose_at(&mut self, isa: Isa) -> Vec<JointBlock> {
        let sources: Vec<ClipSource<'_>> = self.clips.iter().map(ClipSource::Uniform).collect();
        let mut out = vec![JointBlock::IDENTITY; self.graph.block_count()];
        self.graph.evaluate(isa, &mut self.state, &sources, &mut self.scratch, &mut out);
        out
    }

    pub fn weight(&self, node: &str) -> f32 {
        self.state.weight(self.graph.node(node).expect("a node"))
    }

    pub fn is_active(&self, node: &str) -> bool {
        self.state.is_active(self.graph.node(node).expect("a node"))
    }

    /// What `describe` says of a node.
    pub fn line(&self, node: &str) -> String {
        let text = self.state.describe(&self.graph);
        let start = format!("{node}: ");
        let line = text.lines().find_map(|line| line.strip_prefix(&start));
        line.expect("a node").to_string()
    }

    /// A clip's own pose.
    pub fn clip(&self, name: &str, at: Tick) -> Vec<JointBlock> {
        let clip = &self.clips[self.graph.clip(name).expect("a clip")];
        let mut out = vec![JointBlock::IDENTITY; self.graph.block_count()];
        Sample { isa: Isa::detect(), clip, at, out: &mut out }.run();
        out
    }

    pub fn clip_ms(&self, name: &str, ms: i64) -> Vec<JointBlock> {
        self.clip(name, Tick(ms * MS))
    }
}

pub fn bits(pose: &[JointBlock]) -> Vec<u32> {
    bytemuck::cast_slice(pose).to_vec()
}

pub fn joints(pose: &[JointBlock]) -> Vec<Trs> {
    (0..JOINTS.len()).map(|joint| JointBlock::joint(pose, joint)).collect()
}

/// The angle between two rotations, in degrees.
pub fn angle_deg(a: Quat, b: Quat) -> f64 {
    let turn = a.as_dquat().conjugate() * b.as_dquat();
    (2.0 * ops64::atan2(turn.xyz().length(), turn.w.abs())).to_degrees()
}

/// The largest angle between joints of two poses, in degrees.
pub fn apart_deg(a: &[JointBlock], b: &[JointBlock]) -> f64 {
    assert!(!a.is_empty() && a.len() == b.len());
    joints(a).iter().zip(joints(b)).map(|(a, b)| angle_deg(a.rotation, b.rotation)).fold(0.0, worse)
}

/// The longest way between joints of two poses, relative to their parents.
pub fn apart_m(a: &[JointBlock], b: &[JointBlock]) -> f32 {
    assert!(!a.is_empty() && a.len() == b.len());
    joints(a).iter().zip(joints(b)).map(|(a, b)| (a.translation - b.translation).length()).fold(0.0, worse)
}

/// The mean of poses by weights, made of plain sums in f64.
pub fn mean(parts: &[(f64, Vec<JointBlock>)]) -> Vec<JointBlock> {
    let sum: f64 = parts.iter().map(|part| part.0).sum();
    let mut out = Vec::new();
    for joint in 0..JOINTS.len() {
        let first = JointBlock::joint(&parts[0].1, joint).rotation.as_dquat();
        let (mut t, mut q, mut s) = (DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO);
        for (weight, pose) in parts {
            let (own, share) = (DTrs::from(JointBlock::joint(pose, joint)), weight / sum);
            let sign = if own.rotation.dot(first) < 0.0 { -share } else { share };
            (t, s) = (t + own.translation * share, s + own.scale * share);
            q += own.rotation * sign;
        }
        out.push(Trs { translation: t.as_vec3(), rotation: q.normalize().as_quat(), scale: s.as_vec3() });
    }
    JointBlock::pack(&out)
}

pub fn close(a: &[JointBlock], b: &[JointBlock]) {
    let (turn, way) = (apart_deg(a, b), apart_m(a, b));
    assert!(turn < 1e-4 && way < 1e-6, "{turn} degrees and {way} m apart");
}
