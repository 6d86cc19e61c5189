//! Scripts: a graph by numbers, and what is done to a character that plays it. Plain data that can be written and read.

use glam::{DQuat, DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use stillframe_anim::graph::{
    BranchDef, ClipDef, ClipNode, Compare, Condition, DeltaInput, DeltaSpace, Enter, FadePolicy, FadeTimes, GraphDef,
    LayerDef, LayerMode, MachineNode, MarkerDef, MaskDef, NodeDef, NodeKind, ParameterDef, PartialMode, PartialNode,
    PartialWeights, ReferenceDef, SlotNode, SpaceDef, SpaceNode, StateDef, SwitchNode, SyncSpaceNode, TransitionDef,
    Value,
};
use stillframe_anim::pose::{JointBlock, Trs};
use stillframe_anim::root::{RootParts, RootRotation, RootTrack};
use stillframe_anim::sample::{Baking, DTrs, RawJoint, Sample, Skeleton, UniformClip, bake};
use stillframe_anim::time::{AtEnd, Ease, Event, Mode, Pace, Repeat};
use stillframe_base::lanes::Isa;
use stillframe_base::math::ops64;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

/// A graph and what happens to one character. Everything is named by its number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphScript {
    /// Of each joint its parent; one that is not before it makes a root.
    pub parents: Vec<usize>,
    /// Numbers that scripts set, and what they are at first.
    #[serde(default)]
    pub parameters: Vec<f32>,
    #[serde(default)]
    pub event_weight_min: f32,
    /// Shares of 65535 at which a second player cuts every step.
    #[serde(default)]
    pub cuts: Vec<u16>,
    pub steps: Vec<GraphOp>,
    #[serde(default)]
    pub masks: Vec<Mask>,
    pub clips: Vec<Clip>,
    /// Inputs before those that read them; the last one is the output.
    pub nodes: Vec<Part>,
}

/// Something that is done to a character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum GraphOp {
    /// Ticks of time.
    Step(i64),
    /// The next step hands this number in.
    Set {
        parameter: usize,
        to: f32,
    },
    /// Plays a clip in a slot, so many times or, with 0, for ever. Nodes that are no slot have none.
    Play {
        node: usize,
        clip: usize,
        speed: f32,
        times: u32,
    },
    Stop {
        node: usize,
    },
    /// Writes the character down and reads it again.
    Store,
    /// Looks at the pose.
    Pose,
    /// From the start again, under the numbers that hold.
    Start,
}

/// A joint at a key: place in eighths of a metre, an axis, degrees about it, size in eighths.
pub type JointKey = [i16; 6];

/// A clip that goes from one pose to another at an even speed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clip {
    pub ticks: i64,
    /// Begin and end; equal for a moment.
    #[serde(default)]
    pub events: Vec<[i64; 2]>,
    /// Tick and label.
    #[serde(default)]
    pub markers: Vec<(i64, u32)>,
    pub from: Vec<JointKey>,
    pub to: Vec<JointKey>,
    /// What of its first joint moves the actor; nothing for a clip in place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub travel: Option<Travel>,
}

/// How a clip travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Travel {
    /// Along all three axes, without turning.
    Shift,
    /// On the ground, turning about the vertical.
    Walk,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mask {
    pub default: f32,
    /// Joint and weight of it and all below.
    pub branches: Vec<(usize, f32)>,
}

/// A number, or that of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Number {
    Fixed(f32),
    Parameter(usize),
}

/// How passes follow each other; a repeat of 0 is for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Passes {
    Once,
    Clamp,
    Loop(u32),
    PingPong(u32),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Space {
    Line { by: Number, at: Vec<f32> },
    Grid { by: [Number; 2], columns: Vec<f32>, rows: Vec<f32> },
    Scatter { by: [Number; 2], at: Vec<[f32; 2]> },
}

/// How rotations of a partial node become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mean {
    #[default]
    Nlerp,
    Powers,
    Matrices,
}

impl Mean {
    fn is_nlerp(&self) -> bool {
        *self == Mean::Nlerp
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    Inertial,
    Frozen,
    Book,
}

/// A node with a weight and, maybe, a mask.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weighted {
    pub node: usize,
    pub weight: Number,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<usize>,
    /// Of layers: added, not put over.
    #[serde(default)]
    pub add: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Test {
    Always,
    Less { parameter: usize, than: f32 },
    AtLeast { parameter: usize, than: f32 },
    TimeLeft(i64),
    Both(Vec<Test>),
    Either(Vec<Test>),
    Not(Box<Test>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    Restart,
    Resume,
    Sync,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    pub to: usize,
    pub when: Test,
    pub fade: i64,
    pub priority: i32,
    pub interruptible: bool,
    pub enter: Entry,
}

/// What a node does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Part {
    Clip {
        clip: usize,
        passes: Passes,
        #[serde(default)]
        reverse: bool,
        #[serde(default)]
        run_on: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        window: Option<[i64; 2]>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        phase: Option<i64>,
        speed: Number,
    },
    Frame {
        clip: usize,
        at: i64,
    },
    Follow {
        clip: usize,
        leader: usize,
    },
    Space {
        space: Space,
        inputs: Vec<usize>,
    },
    SyncSpace {
        space: Space,
        clips: Vec<usize>,
        by_markers: bool,
        blended: bool,
        speed: Number,
    },
    /// Fades by what is left and what is changed to.
    Switch {
        index: Number,
        inputs: Vec<usize>,
        fades: Vec<Vec<i64>>,
        policy: Policy,
        smooth: bool,
    },
    /// To the rest pose where there is no reference.
    Delta {
        source: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reference: Option<usize>,
        /// Its turns are the model's, not the joints' own.
        #[serde(default)]
        mesh: bool,
    },
    Additive {
        base: usize,
        deltas: Vec<Weighted>,
    },
    /// Where joints are named, inputs have no weights and masks of their own.
    Partial {
        inputs: Vec<Weighted>,
        /// A joint, and the weight of each input for it and all below.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        joints: Vec<(usize, Vec<f32>)>,
        #[serde(default, skip_serializing_if = "Mean::is_nlerp")]
        mean: Mean,
    },
    Layers {
        base: usize,
        layers: Vec<Weighted>,
    },
    Machine {
        states: Vec<usize>,
        initial: usize,
        rules: Vec<Rule>,
        policy: Policy,
        smooth: bool,
    },
    Slot {
        input: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mask: Option<usize>,
        fade_in: i64,
        fade_out: i64,
    },
}

/// What a node gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Pose,
    Delta { mesh: bool },
}

impl Part {
    /// What it gives, where the nodes before it give `kinds`.
    pub fn kind(&self, kinds: &[Kind]) -> Kind {
        match self {
            Part::Delta { mesh, .. } => Kind::Delta { mesh: *mesh },
            Part::Space { .. } | Part::Switch { .. } | Part::Partial { .. } | Part::Machine { .. } => {
                self.reads().first().map_or(Kind::Pose, |read| kinds[*read])
            }
            _ => Kind::Pose,
        }
    }

    /// Every node that it reads, in the order of the definition.
    pub fn reads(&self) -> Vec<usize> {
        let after = |base: usize, more: &[Weighted]| [base].into_iter().chain(more.iter().map(|w| w.node)).collect();
        match self {
            Part::Clip { .. } | Part::Frame { .. } | Part::SyncSpace { .. } => Vec::new(),
            Part::Follow { leader, .. } => vec![*leader],
            Part::Space { inputs, .. } | Part::Switch { inputs, .. } => inputs.clone(),
            Part::Delta { source, reference, mesh: _ } => [*source].into_iter().chain(*reference).collect(),
            Part::Additive { base, deltas } => after(*base, deltas),
            Part::Partial { inputs, .. } => inputs.iter().map(|input| input.node).collect(),
            Part::Layers { base, layers } => after(*base, layers),
            Part::Machine { states, .. } => states.clone(),
            Part::Slot { input, .. } => vec![*input],
        }
    }

    /// As [`reads`](Part::reads), to be changed.
    pub fn each_read(&mut self, change: &mut dyn FnMut(&mut usize)) {
        match self {
            Part::Clip { .. } | Part::Frame { .. } | Part::SyncSpace { .. } => {}
            Part::Follow { leader, .. } => change(leader),
            Part::Space { inputs, .. } | Part::Switch { inputs, .. } | Part::Machine { states: inputs, .. } => {
                inputs.iter_mut().for_each(change);
            }
            Part::Delta { source, reference, mesh: _ } => {
                change(source);
                reference.iter_mut().for_each(change);
            }
            Part::Additive { base, deltas: more } | Part::Layers { base, layers: more } => {
                change(base);
                more.iter_mut().for_each(|weighted| change(&mut weighted.node));
            }
            Part::Partial { inputs, .. } => inputs.iter_mut().for_each(|weighted| change(&mut weighted.node)),
            Part::Slot { input, .. } => change(input),
        }
    }
}

/// The name of a node in the definition.
pub fn node_name(node: usize) -> String {
    format!("n{node}")
}

fn named(letter: char, number: usize) -> String {
    format!("{letter}{number}")
}

fn value(number: Number) -> Value {
    match number {
        Number::Fixed(number) => Value::Number(number),
        Number::Parameter(parameter) => Value::Parameter(named('p', parameter)),
    }
}

impl Passes {
    pub fn mode(self) -> Mode {
        let repeat = |times| if times == 0 { Repeat::Forever } else { Repeat::Times(times) };
        match self {
            Passes::Once => Mode::Once,
            Passes::Clamp => Mode::Clamp,
            Passes::Loop(times) => Mode::Loop(repeat(times)),
            Passes::PingPong(times) => Mode::PingPong(repeat(times)),
        }
    }
}

fn space(space: &Space) -> SpaceDef {
    match space.clone() {
        Space::Line { by, at } => SpaceDef::Line { parameter: value(by), at },
        Space::Grid { by, columns, rows } => SpaceDef::Grid { parameters: by.map(value), columns, rows },
        Space::Scatter { by, at } => SpaceDef::Scatter { parameters: by.map(value), at },
    }
}

fn condition(test: &Test) -> Condition {
    let compare = |parameter: usize, is, than| Condition::Compare { parameter: named('p', parameter), is, than };
    match test {
        Test::Always => Condition::Always,
        Test::Less { parameter, than } => compare(*parameter, Compare::Less, *than),
        Test::AtLeast { parameter, than } => compare(*parameter, Compare::GreaterOrEqual, *than),
        Test::TimeLeft(below) => Condition::TimeLeft { below: Tick(*below) },
        Test::Both(tests) => Condition::And(tests.iter().map(condition).collect()),
        Test::Either(tests) => Condition::Or(tests.iter().map(condition).collect()),
        Test::Not(test) => Condition::Not(Box::new(condition(test))),
    }
}

fn policy(policy: Policy) -> FadePolicy {
    match policy {
        Policy::Inertial => FadePolicy::Inertial,
        Policy::Frozen => FadePolicy::Frozen,
        Policy::Book => FadePolicy::Book,
    }
}

fn ease(smooth: bool) -> Ease {
    if smooth { Ease::Smooth } else { Ease::Linear }
}

fn kind(part: &Part) -> NodeKind {
    let nodes = |nodes: &[usize]| nodes.iter().map(|node| node_name(*node)).collect::<Vec<_>>();
    let clip_name = |clip: &usize| named('c', *clip);
    let mask = |mask: &Option<usize>| mask.map(|mask| named('m', mask));
    match part {
        Part::Clip { clip, passes, reverse, run_on, window, phase, speed } => NodeKind::Clip(ClipNode {
            clip: clip_name(clip),
            mode: passes.mode(),
            reverse: *reverse,
            at_end: if *run_on { AtEnd::RunOn } else { AtEnd::Stop },
            window: window.map(|[min, max]| (Tick(min), Tick(max))),
            phase: phase.map(Tick),
            speed: value(*speed),
        }),
        Part::Frame { clip, at } => NodeKind::Frame { clip: clip_name(clip), at: Tick(*at) },
        Part::Follow { clip, leader } => NodeKind::Follow { clip: clip_name(clip), leader: node_name(*leader) },
        Part::Space { space: own, inputs } => NodeKind::Space(SpaceNode { space: space(own), inputs: nodes(inputs) }),
        Part::SyncSpace { space: own, clips, by_markers, blended, speed } => NodeKind::SyncSpace(SyncSpaceNode {
            space: space(own),
            clips: clips.iter().map(clip_name).collect(),
            by_markers: *by_markers,
            pace: if *blended { Pace::Blended } else { Pace::Leader },
            speed: value(*speed),
        }),
        Part::Switch { index, inputs, fades, policy: own, smooth } => NodeKind::Switch(SwitchNode {
            index: value(*index),
            inputs: nodes(inputs),
            fade: FadeTimes::FromTo(fades.iter().map(|row| row.iter().map(|fade| Tick(*fade)).collect()).collect()),
            policy: policy(*own),
            ease: ease(*smooth),
        }),
        Part::Delta { source, reference, mesh } => NodeKind::Delta {
            source: node_name(*source),
            reference: reference.map_or(ReferenceDef::Rest, |node| ReferenceDef::Node(node_name(node))),
            space: if *mesh { DeltaSpace::Mesh } else { DeltaSpace::Local },
        },
        Part::Additive { base, deltas } => {
            let delta = |own: &Weighted| DeltaInput {
                delta: node_name(own.node),
                alpha: value(own.weight),
                mask: mask(&own.mask),
            };
            NodeKind::Additive { base: node_name(*base), deltas: deltas.iter().map(delta).collect() }
        }
        Part::Partial { inputs, joints, mean } => NodeKind::Partial(PartialNode {
            inputs: inputs.iter().map(|input| node_name(input.node)).collect(),
            weights: if joints.is_empty() {
                PartialWeights::Masks(inputs.iter().map(|own| (value(own.weight), mask(&own.mask))).collect())
            } else {
                let joint = |(joint, weights): &(usize, Vec<f32>)| (named('j', *joint), weights.clone());
                PartialWeights::Joints(joints.iter().map(joint).collect())
            },
            mode: match mean {
                Mean::Nlerp => PartialMode::WeightedNlerp,
                Mean::Powers => PartialMode::PowerProduct,
                Mean::Matrices => PartialMode::MatrixSum,
            },
        }),
        Part::Layers { base, layers } => {
            let layer = |own: &Weighted| LayerDef {
                node: node_name(own.node),
                weight: value(own.weight),
                mask: mask(&own.mask),
                mode: if own.add { LayerMode::Additive } else { LayerMode::Override },
            };
            NodeKind::Layers { base: node_name(*base), layers: layers.iter().map(layer).collect() }
        }
        Part::Machine { states, initial, rules, policy: own, smooth } => {
            let state = |(number, node): (usize, &usize)| StateDef { name: named('s', number), node: node_name(*node) };
            let rule = |rule: &Rule| TransitionDef {
                from: rule.from.map(|from| named('s', from)),
                to: named('s', rule.to),
                condition: condition(&rule.when),
                fade: Tick(rule.fade),
                priority: rule.priority,
                interruptible: rule.interruptible,
                enter: match rule.enter {
                    Entry::Restart => Enter::Restart,
                    Entry::Resume => Enter::Resume,
                    Entry::Sync => Enter::Sync,
                },
            };
            NodeKind::Machine(MachineNode {
                states: states.iter().enumerate().map(state).collect(),
                initial: named('s', *initial),
                transitions: rules.iter().map(rule).collect(),
                policy: policy(*own),
                ease: ease(*smooth),
            })
        }
        Part::Slot { input, mask: own, fade_in, fade_out } => NodeKind::Slot(SlotNode {
            input: node_name(*input),
            mask: mask(own),
            fade_in: Tick(*fade_in),
            fade_out: Tick(*fade_out),
        }),
    }
}

impl GraphScript {
    /// The definition that is handed to the code under test.
    pub fn def(&self) -> GraphDef {
        let parameters = self.parameters.iter().enumerate();
        let clip = |(number, clip): (usize, &Clip)| ClipDef {
            name: named('c', number),
            duration: Tick(clip.ticks),
            events: clip.events.iter().map(|[begin, end]| Event::span(Tick(*begin), Tick(*end))).collect(),
            markers: clip
                .markers
                .iter()
                .map(|(at, label)| MarkerDef { at: Tick(*at), name: label.to_string() })
                .collect(),
        };
        let mask = |(number, mask): (usize, &Mask)| MaskDef {
            name: named('m', number),
            default: mask.default,
            branches: mask
                .branches
                .iter()
                .map(|(joint, weight)| BranchDef { joint: named('j', *joint), weight: *weight })
                .collect(),
        };
        GraphDef {
            parameters: parameters
                .map(|(number, initial)| ParameterDef { name: named('p', number), initial: *initial })
                .collect(),
            clips: self.clips.iter().enumerate().map(clip).collect(),
            masks: self.masks.iter().enumerate().map(mask).collect(),
            nodes: self
                .nodes
                .iter()
                .enumerate()
                .map(|(node, part)| NodeDef { name: node_name(node), kind: kind(part) })
                .collect(),
            output: node_name(self.nodes.len().wrapping_sub(1)),
            event_weight_min: self.event_weight_min,
        }
    }

    /// Joints with a rest pose that is not the identity.
    ///
    /// Errors: none for joints whose parents come before them.
    pub fn skeleton(&self) -> Skeleton {
        let joint = |(node, parent): (usize, &usize)| RawJoint {
            node,
            name: named('j', node),
            parent: Some(*parent).filter(|parent| *parent < node),
            rest: rest(node),
        };
        Skeleton::new(&self.parents.iter().enumerate().map(joint).collect::<Vec<_>>()).expect("parents come first")
    }

    /// Whether some clip moves the actor.
    pub fn travels(&self) -> bool {
        self.clips.iter().any(|clip| clip.travel.is_some())
    }

    /// The joint's parent.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        Some(self.parents[joint]).filter(|parent| *parent < joint)
    }
}

/// The rest pose of a joint.
pub fn rest(joint: usize) -> Trs {
    let rotation = if joint % 2 == 1 { Quat::from_xyzw(0.6, 0.0, 0.0, 0.8) } else { Quat::IDENTITY };
    Trs { translation: Vec3::new(0.0, 0.25 * (joint + 1) as f32, 0.0), rotation, scale: Vec3::ONE }
}

/// A clip's poses: baked frames, or where it is too long for them its first one.
#[derive(Clone, Debug)]
pub enum Frames {
    Baked(UniformClip),
    Still(Vec<JointBlock>),
}

/// Clips that are longer stand still.
const BAKED_MAX: i64 = 4 * TICKS_PER_SECOND;

impl Clip {
    fn pose(&self, at: Tick, out: &mut [DTrs]) {
        let share = if self.ticks > 0 { at.0 as f64 / self.ticks as f64 } else { 0.0 };
        for (joint, (from, to)) in out.iter_mut().zip(self.from.iter().zip(&self.to)) {
            let number = |n: usize| f64::from(from[n]) + (f64::from(to[n]) - f64::from(from[n])) * share;
            let (sine, cosine) = ops64::sin_cos(number(4).to_radians() / 2.0);
            let axis = DVec3::AXES[from[3].rem_euclid(3) as usize] * sine;
            *joint = DTrs {
                translation: DVec3::new(number(0), number(1), number(2)) / 8.0,
                rotation: DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine),
                scale: DVec3::splat(number(5) / 8.0),
            };
        }
    }

    /// How far the first joint has travelled at every moment, in a few frames.
    pub fn track(&self, skeleton: &Skeleton) -> Option<RootTrack> {
        let parts = match self.travel? {
            Travel::Shift => RootParts { rotation: RootRotation::Stay, ..RootParts::ALL },
            Travel::Walk => RootParts::default(),
        };
        let frame_ticks = (self.ticks / 4).max(1);
        let mut pose = |at: Tick, out: &mut [DTrs]| self.pose(at, out);
        Some(RootTrack::extract(skeleton, 0, parts, (Tick(self.ticks), frame_ticks), &mut pose).expect("it is a root"))
    }
}

impl Frames {
    pub fn new(clip: &Clip, skeleton: &Skeleton) -> Frames {
        if clip.ticks > BAKED_MAX {
            return Frames::still(clip, skeleton);
        }
        let baking = Baking { rate: FrameRate::whole(2), object_error_max_m: None };
        let mut pose = |at: Tick, out: &mut [DTrs]| clip.pose(at, out);
        let baked = bake(skeleton, Tick(clip.ticks), &[], &baking, &mut pose).expect("small numbers");
        Frames::Baked(baked.0)
    }

    /// The first pose.
    pub fn still(clip: &Clip, skeleton: &Skeleton) -> Frames {
        let mut out: Vec<DTrs> = (0..skeleton.joint_count()).map(|joint| DTrs::from(rest(joint))).collect();
        clip.pose(Tick(0), &mut out);
        let trs = |joint: &DTrs| Trs {
            translation: joint.translation.as_vec3(),
            rotation: joint.rotation.as_quat(),
            scale: joint.scale.as_vec3(),
        };
        Frames::Still(JointBlock::pack(&out.iter().map(trs).collect::<Vec<_>>()))
    }

    /// The clip's pose at a moment of it. It is what the target `clip` judges; here it is taken as it is.
    pub fn at(&self, at: Tick, joint_count: usize) -> Vec<Trs> {
        let mut out = vec![JointBlock::IDENTITY; JointBlock::count_for(joint_count)];
        match self {
            Frames::Baked(clip) => Sample { isa: Isa::Scalar, clip, at, out: &mut out }.run(),
            Frames::Still(pose) => out.copy_from_slice(pose),
        }
        (0..joint_count).map(|joint| JointBlock::joint(&out, joint)).collect()
    }
}
