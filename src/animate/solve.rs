//! Solve: inverse kinematics on top of a pose.

use glam::{Quat, Vec3};
use stillframe_anim::graph::{Graph, Value};
use stillframe_anim::ik::{
    Aim, AimJoint, CHAIN_MAX, Ccd, CopyRotation, Fabrik, Foot, FootPlant, GroundHit, IkError, JacobianTranspose,
    JointLimit, Limit, Reach, Twist, TwoBone, weighted_target, weighted_turn,
};
use stillframe_anim::pose::{JointBlock, NO_PARENT};
use stillframe_anim::sample::Skeleton;

use super::Rig;
use crate::scene::{BendDef, EyeDef, JointShare, LimitDef, LimitKind, PlantingDef, SolverDef, SolverKind, TargetDef};

/// Where a straight chain bends to that must bend: forward.
const STRAIGHT_POLE: Vec3 = Vec3::Z;
/// Before a solver has said anything.
const UNREAD: Reach = Reach { reached: false, distance_m: 0.0, iterations: 0, blind: false, limited: false };

/// What solvers reach for, in the model's space.
pub trait Ground {
    /// Where a scene node stands.
    fn place(&self, node: usize) -> Vec3;
    /// How a scene node is turned; not at all where its scale leaves no turn.
    fn turn(&self, node: usize) -> Quat;
    /// Where a ray straight down meets what a scene node and those below it show (`None`: all of them), from this height on, at most so far below.
    fn below(&self, node: Option<usize>, from: Vec3, length_m: f32) -> Option<(Vec3, Vec3)>;
}

/// What a solver came to, of each joint that it has a place for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solving {
    /// The joint that reaches, or looks.
    pub joint: u16,
    pub reach: Reach,
    /// What it reached for, in the model's space.
    pub target: Vec3,
    /// What it bent towards, where it was told.
    pub pole: Option<Vec3>,
}

/// Joints of a solver by name.
///
/// Errors: the name that the skeleton has not, or what is wrong with the chain.
pub fn check(skeleton: &Skeleton, solver: &SolverDef) -> Result<(), Fault> {
    let chain = joints(skeleton, &solver.kind)?;
    match &solver.kind {
        SolverKind::Ccd { limits: defs, .. } | SolverKind::Jacobian { limits: defs, .. } => {
            limits(skeleton, &chain, defs).map(|_| ())
        }
        SolverKind::Fabrik { bends: defs, .. } => bends(skeleton, &chain, defs).map(|_| ()),
        SolverKind::TwoBone { .. }
        | SolverKind::Aim { .. }
        | SolverKind::CopyRotation { .. }
        | SolverKind::Feet { .. } => Ok(()),
        SolverKind::Twist { joint, shares } => twist_shares(skeleton, &chain, joint, shares).map(|_| ()),
    }
}

/// Whether a solver moves a joint, which may be nothing but to turn it.
pub fn moves(skeleton: &Skeleton, solver: &SolverDef, joint: u16) -> bool {
    let chain = joints(skeleton, &solver.kind).expect("checked when it was loaded");
    let mut at = joint;
    while at != NO_PARENT && at != chain[0] {
        at = skeleton.parents()[usize::from(at)];
    }
    at == chain[0]
}

/// Why a solver cannot be.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    Unknown(String),
    Chain(String),
}

/// The chain of a solver: root first. For feet three joints a foot, after the hip.
fn joints(skeleton: &Skeleton, kind: &SolverKind) -> Result<Vec<u16>, Fault> {
    let named = |name: &String| skeleton.joint_named(name).ok_or_else(|| Fault::Unknown(name.clone()));
    let parent = |joint: u16| match skeleton.parents()[usize::from(joint)] {
        NO_PARENT => Err(Fault::Chain(format!("\"{}\" has no parent", skeleton.names()[usize::from(joint)]))),
        parent => Ok(parent),
    };
    let leg = |end: &String| {
        let end = named(end)?;
        let middle = parent(end)?;
        Ok([parent(middle)?, middle, end])
    };
    match kind {
        SolverKind::TwoBone { joint, .. } => Ok(leg(joint)?.to_vec()),
        SolverKind::Aim { joint, shares, .. } | SolverKind::CopyRotation { joint, shares, .. } => {
            let names = shares.iter().map(|share| &share.joint).chain([joint]);
            let chain = names.map(named).collect::<Result<Vec<u16>, Fault>>()?;
            for pair in chain.windows(2) {
                let mut above = parent(pair[1]);
                while above.as_ref().is_ok_and(|above| *above != pair[0]) {
                    above = above.and_then(parent);
                }
                if above.is_err() {
                    let [above, below] = [pair[0], pair[1]].map(|joint| &skeleton.names()[usize::from(joint)]);
                    return Err(Fault::Chain(format!("\"{below}\" is not below \"{above}\"")));
                }
            }
            Ok(chain)
        }
        SolverKind::Ccd { chain, .. } | SolverKind::Jacobian { chain, .. } | SolverKind::Fabrik { chain, .. } => {
            let (root, tip) = (&chain.root, &chain.tip);
            let (root_joint, tip_joint) = (named(root)?, named(tip)?);
            let mut chain = vec![tip_joint];
            while let Some(joint) = chain.last().copied().filter(|joint| *joint != root_joint) {
                let up = parent(joint).map_err(|_| Fault::Chain(format!("\"{tip}\" is not below \"{root}\"")))?;
                chain.push(up);
            }
            if !(3..=CHAIN_MAX).contains(&chain.len()) {
                let message = format!(
                    "from \"{root}\" to \"{tip}\" there are {} joints; 3 to {CHAIN_MAX} are allowed",
                    chain.len()
                );
                return Err(Fault::Chain(message));
            }
            chain.reverse();
            Ok(chain)
        }
        SolverKind::Twist { joint, shares } => {
            // Up to the highest of those that take a share.
            let wanted: Vec<u16> = shares.iter().map(|share| named(&share.joint)).collect::<Result<_, Fault>>()?;
            let mut chain = vec![named(joint)?];
            let mut found = 0;
            while found < wanted.len() || chain.len() < 2 {
                let Ok(up) = parent(chain[chain.len() - 1]) else { break };
                found += usize::from(wanted.contains(&up));
                chain.push(up);
            }
            if !(2..=CHAIN_MAX).contains(&chain.len()) {
                let message = format!(
                    "above \"{joint}\" {} joints can take shares; 1 to {CHAIN_MAX} are allowed",
                    chain.len() - 1
                );
                return Err(Fault::Chain(message));
            }
            chain.reverse();
            Ok(chain)
        }
        SolverKind::Feet { hip, ankles, .. } => {
            let mut out = vec![named(hip)?];
            for ankle in ankles {
                out.extend(leg(ankle)?);
            }
            Ok(out)
        }
    }
}

/// One for each joint of the chain but the last.
fn twist_shares(skeleton: &Skeleton, chain: &[u16], joint: &str, defs: &[JointShare]) -> Result<Vec<f32>, Fault> {
    let mut out = vec![0.0; chain.len() - 1];
    for def in defs {
        let own = skeleton.joint_named(&def.joint).ok_or_else(|| Fault::Unknown(def.joint.clone()))?;
        let at = chain[..chain.len() - 1].iter().position(|joint| *joint == own);
        out[at.ok_or_else(|| Fault::Chain(format!("\"{joint}\" is not below \"{}\"", def.joint)))?] = def.weight;
    }
    Ok(out)
}

/// Where a joint of a chain stands in it, of those from `first` to the one before the tip.
fn turning(skeleton: &Skeleton, chain: &[u16], first: usize, name: &String) -> Result<usize, Fault> {
    let joint = skeleton.joint_named(name).ok_or_else(|| Fault::Unknown(name.clone()))?;
    chain[first..chain.len() - 1].iter().position(|own| *own == joint).ok_or_else(|| {
        let turning: Vec<&str> =
            chain[first..chain.len() - 1].iter().map(|own| skeleton.names()[usize::from(*own)].as_str()).collect();
        Fault::Chain(format!("a solver limits \"{name}\", which it does not move; it can limit {}", turning.join(", ")))
    })
}

/// One for each joint but the tip, about the rest pose.
fn limits(skeleton: &Skeleton, chain: &[u16], defs: &[LimitDef]) -> Result<Vec<JointLimit>, Fault> {
    if defs.is_empty() {
        return Ok(Vec::new());
    }
    let mut out = vec![JointLimit::FREE; chain.len() - 1];
    for def in defs {
        let at = turning(skeleton, chain, 0, &def.joint)?;
        let (axis, radians) = (Vec3::from(def.axis), |degrees: f64| degrees.to_radians() as f32);
        let limit = match def.kind {
            LimitKind::Hinge { range_deg: [min, max] } => {
                Limit::Hinge { axis, min_rad: radians(min), max_rad: radians(max) }
            }
            LimitKind::Cone { swing_max_deg, twist_deg: [min, max] } => Limit::Cone {
                axis,
                swing_max_rad: radians(swing_max_deg),
                twist_min_rad: radians(min),
                twist_max_rad: radians(max),
            },
        };
        out[at] = JointLimit { rest: skeleton.rest()[usize::from(chain[at])].rotation.normalize(), limit };
    }
    Ok(out)
}

/// One for each joint but the first and the tip.
fn bends(skeleton: &Skeleton, chain: &[u16], defs: &[BendDef]) -> Result<Vec<f32>, Fault> {
    let mut out = vec![std::f32::consts::PI; chain.len() - 2];
    for def in defs {
        out[turning(skeleton, chain, 1, &def.joint)?] = def.max_deg.to_radians() as f32;
    }
    Ok(out)
}

/// Solves on top of `locals`.
///
/// Errors: what the solver says of a pose or target that it cannot take; the pose is as it was.
pub fn solve(
    rig: &Rig,
    graph: &Graph,
    parameters: &[f32],
    solver: &SolverDef,
    ground: &dyn Ground,
    locals: &mut [JointBlock],
) -> Result<Vec<Solving>, IkError> {
    let skeleton = &rig.skeleton;
    let chain = joints(skeleton, &solver.kind).expect("checked when it was loaded");
    let weight = match &solver.weight {
        Value::Number(number) => *number,
        Value::Parameter(name) => parameters[graph.parameter(name).expect("checked when it was loaded")],
    }
    .clamp(0.0, 1.0);
    let (parents, pole) = (skeleton.parents(), STRAIGHT_POLE);
    let joint = chain[chain.len() - 1];
    let one = |reach: Reach, target: Vec3| Ok(vec![Solving { joint, reach, target, pole: None }]);
    let matrices = rig.matrices(locals);
    let place = |targets: &[TargetDef]| weighted_target(targets.iter().map(|of| (ground.place(of.node), of.weight)));
    let at = |joint: u16| matrices[usize::from(joint)].w_axis.truncate();
    let ik = stillframe_anim::ik::Rig { parents, locals };
    match &solver.kind {
        SolverKind::TwoBone { targets, pole, bend_axis, soften, .. } => {
            let joints = [chain[0], chain[1], chain[2]];
            let target = place(targets);
            let pole_at = pole.map(|pole| ground.place(pole));
            // Without a pole the middle joint bends the way it does.
            let pole = pole_at.map_or(Vec3::ZERO, |pole| pole - at(joints[0]));
            let bend_axis = bend_axis.map_or(Vec3::ZERO, Vec3::from);
            let job = TwoBone { rig: ik, joints, target, pole, bend_axis, soften: *soften, weight };
            job.validate()?;
            Ok(vec![Solving { joint, reach: job.run(), target, pole: pole_at }])
        }
        SolverKind::Aim { axis, eye: EyeDef { offset_m, up, pole }, targets, shares, .. } => {
            let target = place(targets);
            let joints = turning_joints(&chain, shares);
            let looks = usize::from(joint);
            let forward = Vec3::from(*axis);
            let usual = if forward.normalize_or_zero().y.abs() < 0.9 { Vec3::Y } else { Vec3::Z };
            let up = up.map_or(usual, Vec3::from);
            let pole_at = pole.map(|pole| ground.place(pole));
            let pole = pole_at.map_or_else(|| matrices[looks].transform_vector3(up), |pole| pole - at(joint));
            let offset = Vec3::from(*offset_m);
            let job = Aim { rig: ik, joints: &joints, target, offset, forward, up, pole, weight };
            job.validate()?;
            Ok(vec![Solving { joint, reach: job.run(), target, pole: pole_at }])
        }
        SolverKind::CopyRotation { targets, shares, .. } => {
            let joints = turning_joints(&chain, shares);
            let rest = rig.rest().model_from_local[usize::from(joint)].to_scale_rotation_translation().1;
            let rest = if rest.is_finite() { rest } else { Quat::IDENTITY };
            let rotation = weighted_turn(targets.iter().map(|of| (ground.turn(of.node), of.weight))) * rest;
            let job = CopyRotation { rig: ik, joints: &joints, rotation: rotation.normalize(), weight };
            job.validate()?;
            one(job.run(), at(joint))
        }
        SolverKind::Ccd { chain: def, limits: defs } => {
            let (joints, target) = (&chain, place(&def.targets));
            let limits = &limits(skeleton, &chain, defs).expect("checked when it was loaded");
            let (tolerance_m, iterations_max) = (def.tolerance_m, def.iterations_max);
            let job = Ccd { rig: ik, joints, limits, target, pole, tolerance_m, iterations_max, weight };
            job.validate()?;
            one(job.run(), target)
        }
        SolverKind::Jacobian { chain: def, limits: defs } => {
            let (joints, target) = (&chain, place(&def.targets));
            let limits = &limits(skeleton, &chain, defs).expect("checked when it was loaded");
            let (tolerance_m, iterations_max) = (def.tolerance_m, def.iterations_max);
            let job = JacobianTranspose { rig: ik, joints, limits, target, pole, tolerance_m, iterations_max, weight };
            job.validate()?;
            one(job.run(), target)
        }
        SolverKind::Fabrik { chain: def, bends: defs } => {
            let (joints, target) = (&chain, place(&def.targets));
            let bends_max_rad = &bends(skeleton, &chain, defs).expect("checked when it was loaded");
            let (tolerance_m, iterations_max) = (def.tolerance_m, def.iterations_max);
            let job = Fabrik { rig: ik, joints, bends_max_rad, target, pole, tolerance_m, iterations_max, weight };
            job.validate()?;
            one(job.run(), target)
        }
        SolverKind::Twist { joint, shares } => {
            let shares = &twist_shares(skeleton, &chain, joint, shares).expect("checked when it was loaded");
            let rest = skeleton.rest()[usize::from(chain[chain.len() - 1])].rotation.normalize();
            let job = Twist { rig: ik, joints: &chain, shares, rest, weight };
            job.validate()?;
            job.run();
            Ok(Vec::new())
        }
        SolverKind::Feet { ground: node, planting, .. } => {
            let PlantingDef { plant_m, lift_m, tilt_max_deg, reach_up_m, reach_down_m } = *planting;
            let rest = rest_heights(rig, &chain[1..]);
            let foot = |(leg, ankle_height_m): (&[u16], f32)| {
                let ankle = at(leg[2]);
                let from = Vec3::new(ankle.x, ankle.y + reach_up_m, ankle.z);
                let hit = ground.below(*node, from, reach_up_m + reach_down_m);
                let hit = hit.map(|(point, normal)| GroundHit { height_m: point.y, normal });
                Foot { joints: [leg[0], leg[1], leg[2]], bend_axis: Vec3::ZERO, ankle_height_m, hit }
            };
            let feet: Vec<Foot> = chain[1..].chunks_exact(3).zip(rest).map(foot).collect();
            let mut reaches = vec![UNREAD; feet.len()];
            let job = FootPlant {
                rig: ik,
                pelvis: chain[0],
                feet: &feet,
                ground_m: 0.0,
                plant_m,
                lift_m,
                tilt_max_rad: tilt_max_deg.to_radians() as f32,
                pelvis_before_m: 0.0,
                step_s: 0.0,
                // A moment has one pose, whatever came before.
                time_constant_s: 0.0,
                weight,
                reaches: &mut reaches,
            };
            job.validate()?;
            job.run();
            let target = |foot: &Foot| {
                let ankle = at(foot.joints[2]);
                Vec3::new(ankle.x, foot.hit.map_or(ankle.y, |hit| hit.height_m), ankle.z)
            };
            let solving = |(reach, foot): (&Reach, &Foot)| Solving {
                joint: foot.joints[2],
                reach: *reach,
                target: target(foot),
                pole: None,
            };
            Ok(reaches.iter().zip(&feet).map(solving).collect())
        }
    }
}

/// Joints that turn by shares, the last one by all that is left.
fn turning_joints(chain: &[u16], shares: &[JointShare]) -> Vec<AimJoint> {
    let weights = shares.iter().map(|share| share.weight).chain([1.0]);
    chain.iter().zip(weights).map(|(&joint, weight)| AimJoint { joint, weight }).collect()
}

/// How high ankles stand over the model's ground at rest.
fn rest_heights(rig: &Rig, legs: &[u16]) -> Vec<f32> {
    let height = |leg: &[u16]| rig.rest().model_from_local[usize::from(leg[2])].w_axis.y.max(0.0);
    legs.chunks_exact(3).map(height).collect()
}
