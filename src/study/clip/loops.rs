//! Loops: what one pass of a clip does to the joint that carries the others, and whether its end meets its start.

use glam::DVec3;
use stillframe_anim::sample::Worst;
use stillframe_base::tick::Tick;

use super::super::motion::{Motion, angle_deg, heading_deg, yaw_deg};
use super::{Place, Root, Seam, frames};

/// How far the root goes from the first pose to the last.
pub(super) fn travel(motion: &Motion<'_>, root: usize) -> Root {
    let places: Vec<_> = frames(motion).into_iter().map(|at| motion.models(&motion.locals(at))[root]).collect();
    let (first, last) = (places[0], places[places.len() - 1]);
    let level = |v: DVec3| DVec3::new(v.x, 0.0, v.z);
    let way = last.translation - first.translation;
    let travel_m = level(way).length();
    let turned = |a: &glam::DAffine3| a.to_scale_rotation_translation().1;
    let path = places.windows(2).map(|pair| level(pair[1].translation - pair[0].translation).length());
    let duration_s = motion.duration.seconds();
    Root {
        joint: motion.name(root).to_string(),
        travel_m,
        heading_deg: (travel_m > TRAVEL_MIN_M).then(|| heading_deg(way)),
        rise_m: way.y,
        turn_deg: yaw_deg(turned(&last) * turned(&first).inverse()),
        path_m: path.sum(),
        speed_m_s: (duration_s > 0.0).then(|| travel_m / duration_s),
    }
}

/// A root that ends nearer to where it began has come back.
pub const TRAVEL_MIN_M: f64 = 1e-3;

/// The last pose next to the first.
pub(super) fn seam(motion: &Motion<'_>, root: Option<usize>) -> Seam {
    let [first, last] = [Tick::ZERO, motion.duration].map(|at| motion.locals(at));
    let [from, to] = [&first, &last].map(|locals| motion.models(locals));
    // What is above the root travels with it.
    let counts = |joint: usize| root.is_none_or(|root| joint > root);
    let carried = |models: &[glam::DAffine3], joint: usize| match root {
        Some(root) => models[root].inverse().transform_point3(models[joint].translation),
        None => models[joint].translation,
    };
    let (mut rotation, mut position) = (Worst::default(), Worst::default());
    let note = |worst: &mut Worst, value: f64, joint: usize| {
        if value > worst.value {
            *worst = Worst { value, joint, at: motion.duration };
        }
    };
    for joint in (0..first.len()).filter(|joint| counts(*joint)) {
        note(&mut rotation, angle_deg(first[joint].rotation, last[joint].rotation), joint);
        note(&mut position, carried(&from, joint).distance(carried(&to, joint)), joint);
    }
    let place = |worst: Worst, scale: f64| Place {
        value: worst.value * scale,
        joint: if first.is_empty() { String::new() } else { motion.name(worst.joint).to_string() },
        at_s: worst.at.seconds(),
    };
    Seam { rotation_deg: place(rotation, 1.0), position_mm: place(position, 1000.0) }
}
