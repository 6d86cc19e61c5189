//! Animators and clips: what plays on models.

use std::path::PathBuf;

use stillframe_anim::graph::{GraphDef, Value};
use stillframe_anim::root::{RootParts, RootRotation};

use super::ClipChoice;

/// `[[clip]]`: a clip of a file under a name of the scene's own, with what is known about it.
///
/// Clips of a model's file that no `[[clip]]` names can be played on it by the names they have there.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneClip {
    pub name: String,
    pub home: ClipHome,
    /// A part of it; from its start and to its end where there is none. Moments count from where the part starts.
    pub part_s: [Option<f64>; 2],
    /// In the order in which they are written.
    pub events: Vec<ClipEvent>,
    /// Moments that clips share which are blended in one phase, such as a foot's contact.
    pub markers: Vec<ClipMarker>,
    /// How a model of another file finds what it moves.
    pub naming: ClipNaming,
}

/// Where a clip is.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipHome {
    /// In the file of a model, by its position in `Scene::models`; there by name or by number.
    Model(usize, ClipChoice),
    /// Alone in a `.clip`, by its absolute path.
    File(PathBuf),
}

/// How joints and shapes of a clip's file are those of another model.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClipNaming {
    /// (in the clip's file, in the model).
    pub renames: Vec<(String, String)>,
    /// What names may begin with that is no part of them.
    pub strip: Vec<String>,
    /// Whether case and some signs are no part of names.
    pub loose: bool,
    /// Whether the model keeps its own proportions.
    pub retarget: bool,
}

/// A named moment of a clip, or a span of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipEvent {
    pub name: String,
    pub at: Moment,
    pub until: Option<Moment>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ClipMarker {
    pub name: String,
    pub at: Moment,
}

/// Where in a clip something is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    Seconds(f64),
    /// Of the clip's length, 0 to 1: stays where it is when the clip is scaled.
    Share(f64),
}

/// `[[animator]]`: a graph that gives a model its pose. Each node of the scene that wears it shows the same pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Animator {
    pub name: String,
    /// Position in `Scene::models`.
    pub model: usize,
    /// Its parameters hold the values of the scene's moment; those that change have tracks (`Thing::Parameter`). Without clips: what
    /// is known of them stands in the files, which are read later.
    pub graph: GraphDef,
    /// By mask of the graph: shapes that have weights of their own there.
    pub mask_shapes: Vec<Vec<MaskShape>>,
    /// Shapes that numbers and parameters drive.
    pub morphs: Vec<AnimatorMorph>,
    /// What slots are asked to play, by rising time.
    pub plays: Vec<PlayDef>,
    /// In the order in which they are solved.
    pub solvers: Vec<SolverDef>,
    /// Updates a second, at 0 s and from then on: parameters and conditions are looked at then.
    pub rate_hz: f64,
    /// What of the root's way moves the nodes that wear it instead of the pose; `None`: nothing.
    pub root_motion: Option<RootMotion>,
}

/// How much of a layer reaches the shapes of a name, whichever node wears them.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskShape {
    pub name: String,
    pub weight: f32,
}

/// The weight that the shapes of a name have instead of the stored one, whichever nodes wear them.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimatorMorph {
    pub name: String,
    pub weight: Value,
    /// Whether it counts whatever clips do with the shape.
    pub over_clips: bool,
}

/// A joint whose way is the actor's.
#[derive(Clone, Debug, PartialEq)]
pub struct RootMotion {
    /// `None`: the first of the model's joints.
    pub joint: Option<String>,
    pub parts: RootParts,
}

impl RootMotion {
    /// What words of the schema take; `None` for none.
    pub(super) fn parts(words: &[&str]) -> Option<RootParts> {
        let takes = |word: &str| words.contains(&word);
        let rotation = match (takes("rotation"), takes("yaw")) {
            (true, _) => RootRotation::Full,
            (false, true) => RootRotation::Yaw,
            (false, false) => RootRotation::Stay,
        };
        let parts = RootParts { horizontal: takes("horizontal"), vertical: takes("vertical"), rotation };
        Some(parts).filter(|parts| *parts != RootParts::NONE)
    }

    /// The words that take `parts`.
    pub(super) fn words(parts: RootParts) -> impl Iterator<Item = &'static str> {
        let turn = match parts.rotation {
            RootRotation::Stay => None,
            RootRotation::Yaw => Some("yaw"),
            RootRotation::Full => Some("rotation"),
        };
        [parts.horizontal.then_some("horizontal"), parts.vertical.then_some("vertical"), turn].into_iter().flatten()
    }
}

/// A clip that is played in a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayDef {
    pub at_s: f64,
    pub slot: String,
    /// `None`: what plays there is stopped.
    pub clip: Option<String>,
    pub speed: f64,
    /// How often; `None`: until it is stopped.
    pub passes: Option<u32>,
}

/// Inverse kinematics on top of the graph's pose.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverDef {
    pub kind: SolverKind,
    /// How much of it, 0 to 1.
    pub weight: Value,
}

impl SolverDef {
    /// Nodes of the scene that it reaches for or bends towards.
    pub fn reached_nodes(&self) -> impl Iterator<Item = usize> {
        let (targets, other): (&[TargetDef], _) = match &self.kind {
            SolverKind::TwoBone { targets, pole, .. } => (targets, *pole),
            SolverKind::Aim { targets, eye, .. } => (targets, eye.pole),
            SolverKind::CopyRotation { targets, .. } => (targets, None),
            SolverKind::Ccd { chain, .. } | SolverKind::Jacobian { chain, .. } | SolverKind::Fabrik { chain, .. } => {
                (&chain.targets, None)
            }
            SolverKind::Feet { .. } | SolverKind::Twist { .. } => (&[], None),
        };
        targets.iter().map(|target| target.node).chain(other)
    }

    /// Nodes of the scene that it names.
    pub fn nodes_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let (targets, other): (&mut [TargetDef], _) = match &mut self.kind {
            SolverKind::TwoBone { targets, pole, .. } => (targets, pole.as_mut()),
            SolverKind::Aim { targets, eye, .. } => (targets, eye.pole.as_mut()),
            SolverKind::CopyRotation { targets, .. } => (targets, None),
            SolverKind::Ccd { chain, .. } | SolverKind::Jacobian { chain, .. } | SolverKind::Fabrik { chain, .. } => {
                (&mut chain.targets, None)
            }
            SolverKind::Feet { ground, .. } => (&mut [], ground.as_mut()),
            SolverKind::Twist { .. } => (&mut [], None),
        };
        targets.iter_mut().map(|target| &mut target.node).chain(other)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum SolverKind {
    /// Turns a joint's parent and grandparent so that it reaches its targets, the one between bent towards `pole`.
    TwoBone {
        joint: String,
        targets: Vec<TargetDef>,
        pole: Option<usize>,
        /// About which the middle joint bends where the limb is straight, in its own space; `None`: as the pose bends.
        bend_axis: Option<[f32; 3]>,
        /// The share of the limb's length from which on it comes nearer ever less.
        soften: f32,
    },
    /// Turns a joint so that its axis points at its targets. `shares` turn first, from the root side, each by its share of what is left.
    Aim { joint: String, axis: [f32; 3], eye: EyeDef, targets: Vec<TargetDef>, shares: Vec<JointShare> },
    /// Turns a joint from its rest pose as its targets are turned. `shares` turn first, from the root side.
    CopyRotation { joint: String, targets: Vec<TargetDef>, shares: Vec<JointShare> },
    /// Turns every joint of a chain in turn.
    Ccd { chain: ChainDef, limits: Vec<LimitDef> },
    /// Turns them all at once, a little.
    Jacobian { chain: ChainDef, limits: Vec<LimitDef> },
    /// Pulls the bones of a chain along.
    Fabrik { chain: ChainDef, bends: Vec<BendDef> },
    /// Stands each of these joints (ankles) on what `ground` (a node of the scene) and the nodes below it show, else on what all do, as high
    /// above it as the clip has it above 0, and lowers `hip` where a leg is too short.
    Feet { hip: String, ankles: Vec<String>, ground: Option<usize>, planting: PlantingDef },
    /// Turns joints above about their own bones by shares of how far `joint` is twisted from the rest pose; it stays turned as it is.
    Twist { joint: String, shares: Vec<JointShare> },
}

impl SolverKind {
    /// As scenes write it.
    pub fn word(&self) -> &'static str {
        match self {
            SolverKind::TwoBone { .. } => "two_bone",
            SolverKind::Aim { .. } => "aim",
            SolverKind::CopyRotation { .. } => "copy_rotation",
            SolverKind::Ccd { .. } => "ccd",
            SolverKind::Jacobian { .. } => "jacobian",
            SolverKind::Fabrik { .. } => "fabrik",
            SolverKind::Feet { .. } => "feet",
            SolverKind::Twist { .. } => "twist",
        }
    }
}

/// How a joint looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EyeDef {
    /// Where it looks from, in the joint's space.
    pub offset_m: [f32; 3],
    /// What of the joint is up; `None`: its Y axis, or Z where it looks along Y.
    pub up: Option<[f32; 3]>,
    /// What up turns towards; `None`: to where it is in the pose.
    pub pole: Option<usize>,
}

/// When a foot stands, and how far the ground may be from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlantingDef {
    /// A sole this high over the ground of the clip stands, and from `lift_m` on it is in the air.
    pub plant_m: f32,
    pub lift_m: f32,
    /// Feet tilt no further.
    pub tilt_max_deg: f64,
    /// The ground is looked for so far over and under the ankle.
    pub reach_up_m: f32,
    pub reach_down_m: f32,
}

impl Default for PlantingDef {
    fn default() -> PlantingDef {
        PlantingDef { plant_m: 0.02, lift_m: 0.15, tilt_max_deg: 29.8, reach_up_m: 0.5, reach_down_m: 1.0 }
    }
}

/// A node that is reached for. Of several the point between, nearer to those of more weight.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetDef {
    pub node: usize,
    pub weight: f32,
}

/// A chain from `root` to `tip`, whose tip shall reach its targets.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainDef {
    pub root: String,
    pub tip: String,
    pub targets: Vec<TargetDef>,
    pub tolerance_m: f32,
    pub iterations_max: u32,
}

/// How much a joint turns: of what is left, or of a twist.
#[derive(Clone, Debug, PartialEq)]
pub struct JointShare {
    pub joint: String,
    pub weight: f32,
}

/// The largest angle between the bone that begins at a joint and the one before.
#[derive(Clone, Debug, PartialEq)]
pub struct BendDef {
    pub joint: String,
    pub max_deg: f64,
}

/// How far a joint may turn from its rest pose.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitDef {
    pub joint: String,
    /// In the joint's space.
    pub axis: [f32; 3],
    pub kind: LimitKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LimitKind {
    /// About the axis alone, between these two.
    Hinge { range_deg: [f64; 2] },
    /// The axis leans so far, and the joint turns about it between these two.
    Cone { swing_max_deg: f64, twist_deg: [f64; 2] },
}

/// What is drawn of a model beside its surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Show {
    /// A bone from each joint to its parent, and the joint's axes.
    Skeleton,
    /// Axes of the nodes that hang on its joints.
    Sockets,
    /// Targets and poles of its solvers, and what misses them.
    Targets,
    /// Where its root and the tips of its limbs were in the last second.
    Trails,
    /// A box around each part as it is bent.
    Bounds,
}

impl Show {
    pub const WORDS: &[(&str, Show)] = &[
        ("skeleton", Show::Skeleton),
        ("sockets", Show::Sockets),
        ("targets", Show::Targets),
        ("trails", Show::Trails),
        ("bounds", Show::Bounds),
    ];
}
