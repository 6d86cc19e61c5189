//! Random scenes with animators, sound ones only.

use std::path::Path;

use stillframe_anim::graph::*;
use stillframe_anim::root::{RootParts, RootRotation};
use stillframe_anim::time::{AtEnd, Ease, Mode, Pace, Repeat};
use stillframe_base::rng::{Rng, Stream};
use stillframe_base::tick::Tick;
use stillframe_scene::scene::{
    Animator, AnimatorMorph, Area, BendDef, ChainDef, ClipChoice, ClipEvent, ClipHome, ClipMarker, ClipNaming, Crowd,
    CrowdBaking, CrowdLod, EyeDef, JointShare, LimitDef, LimitKind, MaskShape, Moment, PlantingDef, PlayDef,
    RootMotion, Scene, SceneClip, Show, SolverDef, SolverKind, TargetDef, Thing,
};

/// A scene that says everything, with other animators, clips and crowds.
pub fn made_anew(mut scene: Scene, seed: u64) -> Scene {
    let stream = Rng::new(seed).stream("scenes that move", 0);
    let mut maker = Maker { stream, deltas: Vec::new(), poses: Vec::new(), clocks: Vec::new() };
    scene.clips = CLIPS.map(|name| maker.scene_clip(name, &scene.root)).into();
    scene.animators = ["walker", "two words"].map(|name| maker.animator(name)).into();
    let of = scene.crowds[0].clone();
    scene.crowds = ["crowd", "other"].map(|name| maker.crowd(name, &of)).into();
    // Parameters that move have the value of the scene's moment.
    let curve = scene.track(Thing::Parameter(0, 0), "value").unwrap().curve.clone();
    scene.tracks.retain(|track| track.thing == Thing::Parameter(0, 0));
    scene.animators[0].graph.parameters[0].initial = curve.at(Tick::from_seconds(scene.time_s))[0] as f32;
    scene.nodes[0].show = [Show::Skeleton, Show::Sockets, Show::Targets, Show::Trails, Show::Bounds]
        .into_iter()
        .filter(|_| maker.flag())
        .collect();
    scene.nodes[1].inherits = [maker.flag(), maker.flag(), maker.flag()];
    scene
}

/// Random things, sound ones only: nodes read nodes before them, lists have the lengths they must have.
struct Maker {
    stream: Stream,
    deltas: Vec<(String, DeltaSpace)>,
    poses: Vec<String>,
    clocks: Vec<String>,
}

const PARAMETERS: [&str; 3] = ["speed", "x", "notable"];
const MASKS: [&str; 2] = ["upper", "$odd \"name\""];
const CLIPS: [&str; 3] = ["walk", "run \u{e9}", "all"];

impl Maker {
    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        self.stream.pick(items).clone()
    }

    fn flag(&mut self) -> bool {
        self.stream.one_in(2)
    }

    fn float(&mut self, low: f32, high: f32) -> f32 {
        self.stream.range_f32(low, high)
    }

    fn share(&mut self) -> f64 {
        self.stream.unit_f64()
    }

    fn tick(&mut self) -> Tick {
        Tick((self.share() * 1e10) as i64)
    }

    fn value(&mut self, low: f32, high: f32) -> Value {
        if self.flag() {
            Value::Number(self.float(low, high))
        } else {
            Value::Parameter(self.pick(&PARAMETERS).to_string())
        }
    }

    fn clip(&mut self) -> String {
        self.pick(&CLIPS).to_string()
    }

    fn mask(&mut self) -> Option<String> {
        self.flag().then(|| self.pick(&MASKS).to_string())
    }

    fn many<T>(&mut self, low: u32, high: u32, make: impl FnMut(&mut Maker) -> T) -> Vec<T> {
        let count = low + self.stream.below(high - low + 1);
        self.exactly(count as usize, make)
    }

    fn exactly<T>(&mut self, count: usize, mut make: impl FnMut(&mut Maker) -> T) -> Vec<T> {
        (0..count).map(|_| make(self)).collect()
    }

    fn pose(&mut self) -> String {
        self.stream.pick(&self.poses).clone()
    }

    /// Inputs that are all poses, or all deltas of a space, and which.
    fn alike(&mut self, count: usize) -> (Vec<String>, Option<DeltaSpace>) {
        if !self.flag() || self.deltas.is_empty() {
            return (self.exactly(count, Maker::pose), None);
        }
        let space = self.stream.pick(&self.deltas).1;
        let from: Vec<String> = self.deltas.iter().filter(|own| own.1 == space).map(|own| own.0.clone()).collect();
        (self.exactly(count, |m| m.pick(&from)), Some(space))
    }

    fn delta(&mut self) -> String {
        self.stream.pick(&self.deltas).0.clone()
    }

    fn apart(&mut self, count: usize) -> Vec<f32> {
        let mut at = self.float(-5.0, 5.0);
        self.exactly(count, |m| {
            at += m.float(0.1, 2.0);
            at
        })
    }

    fn space(&mut self) -> (SpaceDef, usize) {
        let count = 1 + self.stream.below(5) as usize;
        match self.stream.below(3) {
            0 => {
                let mut at = self.apart(count);
                self.stream.shuffle(&mut at);
                (SpaceDef::Line { parameter: self.value(-9.0, 9.0), at }, count)
            }
            1 => {
                let parameters = [self.value(-9.0, 9.0), self.value(-9.0, 9.0)];
                (SpaceDef::Grid { parameters, columns: self.apart(count), rows: self.apart(2) }, count * 2)
            }
            _ => {
                let parameters = [self.value(-9.0, 9.0), self.value(-9.0, 9.0)];
                let at = self.apart(count).into_iter().map(|x| [x, self.float(-3.0, 3.0)]).collect();
                (SpaceDef::Scatter { parameters, at }, count)
            }
        }
    }

    fn condition(&mut self, depth: u32) -> Condition {
        match self.stream.below(if depth == 0 { 3 } else { 6 }) {
            0 => Condition::Always,
            1 => {
                use Compare::*;
                let is = self.pick(&[Less, LessOrEqual, Greater, GreaterOrEqual, Equal, NotEqual]);
                Condition::Compare { parameter: self.pick(&PARAMETERS).into(), is, than: self.float(-9.0, 9.0) }
            }
            2 => Condition::TimeLeft { below: self.tick() },
            3 => Condition::Not(Box::new(self.condition(depth - 1))),
            4 => Condition::And(self.many(2, 3, |m| m.condition(depth - 1))),
            _ => Condition::Or(self.many(2, 3, |m| m.condition(depth - 1))),
        }
    }

    fn policy(&mut self) -> FadePolicy {
        self.pick(&[FadePolicy::Inertial, FadePolicy::Frozen, FadePolicy::Book])
    }

    fn ease(&mut self) -> Ease {
        self.pick(&[Ease::Linear, Ease::Smooth])
    }

    fn clip_node(&mut self) -> ClipNode {
        let repeat = if self.flag() { Repeat::Forever } else { Repeat::Times(1 + self.stream.below(9)) };
        let mode = self.pick(&[Mode::Once, Mode::Clamp, Mode::Loop(repeat), Mode::PingPong(repeat)]);
        let start = self.tick();
        ClipNode {
            clip: self.clip(),
            mode,
            reverse: self.flag(),
            at_end: self.pick(&[AtEnd::Stop, AtEnd::RunOn]),
            window: self.flag().then(|| (start, start + Tick(1) + self.tick())),
            phase: self.flag().then(|| self.tick()),
            speed: self.value(-3.0, 3.0),
        }
    }

    /// A node, and the space of a delta.
    fn node(&mut self, kind: u32) -> (NodeKind, Option<DeltaSpace>) {
        let kind = match kind {
            0 => NodeKind::Clip(self.clip_node()),
            1 => NodeKind::Frame { clip: self.clip(), at: self.tick() },
            2 => NodeKind::Follow { clip: self.clip(), leader: self.stream.pick(&self.clocks).clone() },
            3 => {
                let (space, count) = self.space();
                let (inputs, delta) = self.alike(count);
                return (NodeKind::Space(SpaceNode { space, inputs }), delta);
            }
            4 => {
                let (space, count) = self.space();
                NodeKind::SyncSpace(SyncSpaceNode {
                    space,
                    clips: self.exactly(count, Maker::clip),
                    by_markers: self.flag(),
                    pace: self.pick(&[Pace::Leader, Pace::Blended]),
                    speed: self.value(-3.0, 3.0),
                })
            }
            5 => {
                let count = 1 + self.stream.below(3) as usize;
                let (inputs, delta) = self.alike(count);
                let fade = match self.stream.below(3) {
                    0 => FadeTimes::All(self.tick()),
                    1 => FadeTimes::To(self.exactly(count, Maker::tick)),
                    _ => FadeTimes::FromTo(self.exactly(count, |m| m.exactly(count, Maker::tick))),
                };
                let index = self.value(0.0, 4.0);
                let (policy, ease) = (self.policy(), self.ease());
                return (NodeKind::Switch(SwitchNode { index, inputs, fade, policy, ease }), delta);
            }
            6 => {
                let reference = if self.flag() { ReferenceDef::Rest } else { ReferenceDef::Node(self.pose()) };
                let space = self.pick(&[DeltaSpace::Local, DeltaSpace::Mesh]);
                return (NodeKind::Delta { source: self.pose(), reference, space }, Some(space));
            }
            7 => {
                let base = self.pose();
                let most = if self.deltas.is_empty() { 0 } else { 3 };
                let delta = |m: &mut Maker| {
                    let delta = m.delta();
                    DeltaInput { delta, alpha: m.value(0.0, 1.0), mask: m.mask() }
                };
                NodeKind::Additive { base, deltas: self.many(0, most, delta) }
            }
            8 => {
                let count = 1 + self.stream.below(4) as usize;
                let (inputs, delta) = self.alike(count);
                let weights = if self.flag() {
                    PartialWeights::Masks(self.exactly(count, |m| (m.value(0.0, 5.0), m.mask())))
                } else {
                    let names = ["spine", "head", "arm.l"];
                    let joints = 1 + self.stream.below(3) as usize;
                    let weights = self.exactly(joints, |m| m.exactly(count, |m| m.float(0.125, 2.0)));
                    PartialWeights::Joints(names.iter().map(|n| n.to_string()).zip(weights).collect())
                };
                let modes = [PartialMode::WeightedNlerp, PartialMode::PowerProduct, PartialMode::MatrixSum];
                let mode = self.pick(&modes);
                return (NodeKind::Partial(PartialNode { inputs, weights, mode }), delta);
            }
            9 => {
                let base = self.pose();
                let layer = |m: &mut Maker| {
                    let adds = m.flag() && !m.deltas.is_empty();
                    let node = if adds { m.delta() } else { m.pose() };
                    let mode = if adds { LayerMode::Additive } else { LayerMode::Override };
                    LayerDef { node, weight: m.value(0.0, 1.0), mask: m.mask(), mode }
                };
                NodeKind::Layers { base, layers: self.many(0, 3, layer) }
            }
            10 => {
                let count = 1 + self.stream.below(3) as usize;
                let (inputs, delta) = self.alike(count);
                let state = |(at, node): (usize, String)| StateDef { name: format!("state {at}"), node };
                let states: Vec<StateDef> = inputs.into_iter().enumerate().map(state).collect();
                let names: Vec<String> = states.iter().map(|state| state.name.clone()).collect();
                let transition = |m: &mut Maker| TransitionDef {
                    from: m.flag().then(|| m.pick(&names)),
                    to: m.pick(&names),
                    condition: m.condition(3),
                    fade: m.tick(),
                    priority: m.stream.below(9) as i32 - 4,
                    interruptible: m.flag(),
                    enter: m.pick(&[Enter::Restart, Enter::Resume, Enter::Sync]),
                };
                let transitions = self.many(0, 4, transition);
                let initial = self.pick(&names);
                let (policy, ease) = (self.policy(), self.ease());
                return (NodeKind::Machine(MachineNode { states, initial, transitions, policy, ease }), delta);
            }
            _ => NodeKind::Slot(SlotNode {
                input: self.pose(),
                mask: self.mask(),
                fade_in: self.tick(),
                fade_out: self.tick(),
            }),
        };
        (kind, None)
    }

    fn graph(&mut self) -> GraphDef {
        let mut nodes = Vec::new();
        (self.deltas, self.poses, self.clocks) = (Vec::new(), Vec::new(), Vec::new());
        for at in 0..2 + self.stream.below(14) {
            // The first one is a clip, so that there is something to read.
            let kind = if at == 0 { 0 } else { self.stream.below(12) };
            let (kind, delta) = self.node(kind);
            let name = format!("node {at}");
            match delta {
                Some(space) => self.deltas.push((name.clone(), space)),
                None => self.poses.push(name.clone()),
            }
            if matches!(kind, NodeKind::Clip(_) | NodeKind::SyncSpace(_)) {
                self.clocks.push(name.clone());
            }
            nodes.push(NodeDef { name, kind });
        }
        let output = self.pose();
        self.stream.shuffle(&mut nodes);
        let branch = |m: &mut Maker, joint: &str| BranchDef { joint: joint.into(), weight: m.float(0.0, 1.0) };
        GraphDef {
            parameters: PARAMETERS
                .map(|name| ParameterDef { name: name.into(), initial: self.float(-1e6, 1e6) })
                .into(),
            clips: Vec::new(),
            masks: MASKS
                .map(|name| MaskDef {
                    name: name.into(),
                    default: self.float(0.0, 1.0),
                    branches: ["spine", "head"].map(|joint| branch(self, joint)).into(),
                })
                .into(),
            nodes,
            output,
            event_weight_min: self.float(0.0, 1.0),
        }
    }

    fn moment(&mut self) -> Moment {
        let at = self.share();
        if self.flag() { Moment::Share(at) } else { Moment::Seconds(at) }
    }

    fn scene_clip(&mut self, name: &str, root: &Path) -> SceneClip {
        let event = |m: &mut Maker| {
            let at = m.moment();
            let until = m.flag().then_some(match at {
                Moment::Seconds(at) => Moment::Seconds(at + 0.5),
                Moment::Share(at) => Moment::Seconds(at),
            });
            ClipEvent { name: m.pick(&["left", "right foot"]).into(), at, until }
        };
        let start = self.share();
        let home = match self.stream.below(3) {
            0 => ClipHome::Model(0, ClipChoice::Number(3)),
            1 => ClipHome::Model(0, ClipChoice::Named(self.clip())),
            _ => ClipHome::File(root.join("walk.clip")),
        };
        let naming = ClipNaming {
            renames: self.many(0, 1, |m| (m.pick(&["mixamorig:Hips", "a \"b\""]).into(), "pelvis".into())),
            strip: ["mixamorig:", "b_"].into_iter().filter(|_| self.flag()).map(String::from).collect(),
            loose: self.flag(),
            retarget: self.flag(),
        };
        SceneClip {
            name: name.into(),
            home,
            naming,
            part_s: [self.flag().then_some(start), self.flag().then(|| start + 2.0 + self.share())],
            events: self.many(0, 3, event),
            markers: self.many(0, 2, |m| ClipMarker { name: "left".into(), at: m.moment() }),
        }
    }

    fn solver(&mut self) -> SolverDef {
        let joint = "hand".to_string();
        let (root, tip) = ("tail".to_string(), "tail.9".to_string());
        let kind = match self.stream.below(8) {
            0 => SolverKind::TwoBone {
                joint,
                targets: self.targets(),
                pole: self.flag().then_some(1),
                bend_axis: self.flag().then_some([1.0, 0.0, -0.5]),
                soften: self.float(0.1, 1.0),
            },
            1 => {
                let share = |m: &mut Maker| JointShare { joint: "spine".into(), weight: m.float(0.0, 1.0) };
                let (axis, shares) = ([self.float(0.1, 1.0), self.float(-1.0, 1.0), 0.0], self.many(0, 1, share));
                let eye = EyeDef {
                    offset_m: [self.float(-1.0, 1.0), 0.0, self.float(-1.0, 1.0)],
                    up: self.flag().then_some([0.0, 0.5, 1.0]),
                    pole: self.flag().then_some(2),
                };
                SolverKind::Aim { joint, axis, eye, targets: self.targets(), shares }
            }
            2 => SolverKind::Ccd { chain: self.chain(), limits: self.many(0, 1, Maker::limit) },
            3 => SolverKind::Jacobian { chain: self.chain(), limits: self.many(0, 1, Maker::limit) },
            4 => {
                let bend = |m: &mut Maker| BendDef { joint: "elbow".into(), max_deg: m.share() * 180.0 };
                SolverKind::Fabrik { chain: self.chain(), bends: self.many(0, 1, bend) }
            }
            5 => {
                let planting = PlantingDef {
                    plant_m: self.float(0.0, 0.1),
                    lift_m: self.float(0.1, 1.0),
                    tilt_max_deg: self.share() * 85.0,
                    reach_up_m: self.float(0.0, 2.0),
                    reach_down_m: self.float(0.0, 2.0),
                };
                let ground = self.flag().then_some(2);
                SolverKind::Feet { hip: root, ankles: vec![tip, joint], ground, planting }
            }
            6 => {
                let share = |m: &mut Maker| JointShare { joint: "spine".into(), weight: m.float(0.0, 1.0) };
                SolverKind::CopyRotation { joint, targets: self.targets(), shares: self.many(0, 1, share) }
            }
            _ => {
                let share = |m: &mut Maker| JointShare { joint: "spine".into(), weight: m.float(0.0, 1.0) };
                SolverKind::Twist { joint, shares: self.many(1, 1, share) }
            }
        };
        SolverDef { kind, weight: self.value(0.0, 1.0) }
    }

    fn targets(&mut self) -> Vec<TargetDef> {
        let target = |m: &mut Maker| TargetDef { node: m.stream.below(3) as usize, weight: m.float(0.1, 5.0) };
        if self.flag() {
            vec![TargetDef { node: self.stream.below(3) as usize, weight: 1.0 }]
        } else {
            self.many(1, 3, target)
        }
    }

    fn chain(&mut self) -> ChainDef {
        let (tolerance_m, iterations_max) = (self.float(0.0, 0.1), 1 + self.stream.below(500));
        ChainDef { root: "tail".into(), tip: "tail.9".into(), targets: self.targets(), tolerance_m, iterations_max }
    }

    fn limit(&mut self) -> LimitDef {
        let min = self.share() * 360.0 - 360.0;
        let range_deg = [min, min + self.share() * 360.0];
        let kind = match self.flag() {
            true => LimitKind::Hinge { range_deg },
            false => LimitKind::Cone { swing_max_deg: self.share() * 180.0, twist_deg: range_deg },
        };
        LimitDef { joint: "elbow".into(), axis: [self.float(0.1, 1.0), self.float(-1.0, 1.0), 0.0], kind }
    }

    fn animator(&mut self, name: &str) -> Animator {
        let graph = self.graph();
        let slots: Vec<String> =
            graph.nodes.iter().filter(|n| matches!(n.kind, NodeKind::Slot(_))).map(|n| n.name.clone()).collect();
        let mut at_s = -2.0;
        let play = |m: &mut Maker| {
            at_s += m.share();
            let clip = m.flag().then(|| m.clip());
            let (speed, passes) = match clip {
                Some(_) => (m.share() * 4.0 - 2.0, m.flag().then(|| 1 + m.stream.below(5))),
                None => (1.0, Some(1)),
            };
            PlayDef { at_s, slot: m.pick(&slots), clip, speed, passes }
        };
        Animator {
            name: name.into(),
            model: 0,
            mask_shapes: self.exactly(graph.masks.len(), Maker::mask_shapes),
            morphs: self.morphs(),
            plays: self.many(0, if slots.is_empty() { 0 } else { 3 }, play),
            solvers: self.many(0, 3, Maker::solver),
            graph,
            rate_hz: 1.0 + self.share() * 200.0,
            root_motion: self.flag().then(|| self.root_motion()),
        }
    }

    fn morphs(&mut self) -> Vec<AnimatorMorph> {
        let names = ["smile", "two words"].into_iter().filter(|_| self.stream.one_in(2)).collect::<Vec<_>>();
        let morph = |name: &str| AnimatorMorph {
            name: name.to_string(),
            weight: self.value(-2.0, 2.0),
            over_clips: self.flag(),
        };
        names.into_iter().map(morph).collect()
    }

    fn mask_shapes(&mut self) -> Vec<MaskShape> {
        let shape = |(number, weight): (usize, f32)| MaskShape { name: format!("shape {number}"), weight };
        self.many(0, 2, |m| m.share() as f32).into_iter().enumerate().map(shape).collect()
    }

    fn root_motion(&mut self) -> RootMotion {
        let rotation = self.pick(&[RootRotation::Stay, RootRotation::Yaw, RootRotation::Full]);
        let parts = RootParts { horizontal: true, vertical: self.flag(), rotation };
        RootMotion { joint: self.flag().then(|| "hips".into()), parts }
    }

    fn crowd(&mut self, name: &str, of: &Crowd) -> Crowd {
        let pair = |m: &mut Maker| {
            let low = 0.1 + m.share();
            [low, low + m.share()]
        };
        let change_s = self.flag().then(|| 1.0 + self.share());
        Crowd {
            name: name.into(),
            clips: self.many(1, 3, Maker::clip),
            count: 1 + self.stream.below(1000),
            area: match self.flag() {
                true => Area::Disk { radius_m: self.share() },
                false => Area::Box { size_m: [self.share(), 0.0, self.share()] },
            },
            turn_deg: pair(self),
            scale: pair(self),
            speed: pair(self),
            // Without changes there is nothing to say about them.
            fade_s: if change_s.is_some() { self.share() } else { 0.3 },
            change_s,
            root_motion: self.flag().then(|| self.root_motion()),
            seed: self.stream.next_u64() >> 1,
            baking: self.pick(&[CrowdBaking::Joints, CrowdBaking::Vertices]),
            error_mm: 0.1 + self.share(),
            lods: (1..1 + self.stream.below(3))
                .map(|at| CrowdLod { from_m: f64::from(at) * 10.0, model: self.flag().then_some(1) })
                .collect(),
            material: self.flag().then_some(0),
            casts_shadow: self.flag(),
            ..of.clone()
        }
    }
}
