//! Feet: ankles stand on the ground, and the hip is lowered where a leg is too short.

use glam::Vec3;
use stillframe_anim::ik::{Foot, FootPlant, GroundHit, IkError, Reach};

use super::chain::Names;
use super::{Fault, Job, Row, Solving, no_check};
use crate::scene::{PlantingDef, SolverKind};

pub(super) const ROW: Row = Row { chain, check: no_check, run };

/// Before a solver has said anything.
const UNREAD: Reach = Reach { reached: false, distance_m: 0.0, iterations: 0, blind: false, limited: false };

/// The hip, then three joints a foot.
fn chain(kind: &SolverKind, names: Names<'_>) -> Result<Vec<u16>, Fault> {
    let SolverKind::Feet { hip, ankles, .. } = kind else { unreachable!("its own kind") };
    let mut out = vec![names.named(hip)?];
    for ankle in ankles {
        out.extend(names.leg(ankle)?);
    }
    Ok(out)
}

fn run(kind: &SolverKind, mut job: Job<'_>) -> Result<Vec<Solving>, IkError> {
    let SolverKind::Feet { hip: _, ankles: _, ground, planting } = kind else { unreachable!("its own kind") };
    let PlantingDef { plant_m, lift_m, tilt_max_deg, reach_up_m, reach_down_m } = *planting;
    let foot = |leg: &[u16]| {
        let ankle = job.at(leg[2]);
        let from = Vec3::new(ankle.x, ankle.y + reach_up_m, ankle.z);
        let hit = job.ground.below(*ground, from, reach_up_m + reach_down_m);
        let hit = hit.map(|(point, normal)| GroundHit { height_m: point.y, normal });
        // How high it is over the model's ground at rest.
        let ankle_height_m = job.rig.rest().model_from_local[usize::from(leg[2])].w_axis.y.max(0.0);
        Foot { joints: [leg[0], leg[1], leg[2]], bend_axis: Vec3::ZERO, ankle_height_m, hit }
    };
    let feet: Vec<Foot> = job.chain[1..].chunks_exact(3).map(foot).collect();
    let mut reaches = vec![UNREAD; feet.len()];
    let (pelvis, weight) = (job.chain[0], job.weight);
    let ik = FootPlant {
        rig: job.ik(),
        pelvis,
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
    ik.validate()?;
    ik.run();
    let solving = |(reach, foot): (&Reach, &Foot)| {
        let ankle = job.at(foot.joints[2]);
        let target = Vec3::new(ankle.x, foot.hit.map_or(ankle.y, |hit| hit.height_m), ankle.z);
        Solving { joint: foot.joints[2], reach: *reach, target, pole: None }
    };
    Ok(reaches.iter().zip(&feet).map(solving).collect())
}
