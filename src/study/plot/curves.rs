//! Curves: translation, rotation and scale of joints over time, with marks at the file's keys.

use glam::{DQuat, DVec3};
use stillframe_anim::Property;
use stillframe_anim::sample::DTrs;
use stillframe_base::math::ops64;
use stillframe_base::tick::Tick;

use super::{Plot, moved_in_parent};
use crate::pose::track_key_times;
use crate::study::StudyError;
use crate::study::chart::length_unit;
use crate::study::chart::{FROM_CLIP, Head, Line, Panel, chart};
use crate::study::motion::{jump_times, moves_node, tracks};

/// Joints drawn where none is named.
const JOINTS_MOST: usize = 4;

/// A property of a joint over time.
struct Curve {
    joint: usize,
    property: Property,
    /// Of x, y, z.
    values: Vec<DVec3>,
}

/// Translation, rotation and scale of joints over time.
///
/// Errors: no joint of that name, or nothing moves.
pub fn curves(plot: &Plot<'_>) -> Result<String, StudyError> {
    let motion = plot.motion;
    let chosen = plot.joints(JOINTS_MOST, moved_in_parent)?;
    let keys: Vec<Tick> = chosen.joints.iter().flat_map(|joint| keys_of(plot, *joint, None)).collect();
    let jumps = chosen.joints.iter().flat_map(|joint| jumps_of(plot, *joint)).collect();
    let mut times = [plot.moments(), keys, jumps].concat();
    times.sort_unstable();
    times.dedup();
    let poses: Vec<Vec<DTrs>> = times.iter().map(|at| motion.locals(*at)).collect();
    let mut rows = Vec::new();
    for &joint in &chosen.joints {
        let curves = [Property::Translation, Property::Rotation, Property::Scale].map(|property| {
            let values = values(&poses, joint, &property);
            Curve { joint, property, values }
        });
        let moving: Vec<&Curve> = curves.iter().filter(|curve| curve.moves()).collect();
        // What holds still is said by its absence; a joint that does not move at all still has a row.
        let shown = if moving.is_empty() { vec![&curves[0], &curves[1]] } else { moving };
        rows.push(shown.into_iter().map(|curve| curve.panel(plot, &times)).collect::<Vec<Panel>>());
    }
    let head = Head {
        title: format!("Curves of {}", plot.motion.clip().name),
        sub: format!(
            "{}; in the parent's space; rotation as a vector (axis times angle); marks are the file's keys{}",
            plot.about(),
            chosen.words()
        ),
        legend: ["x", "y", "z"].map(String::from).to_vec(),
        shaded: Vec::new(),
    };
    let names: Vec<&str> = chosen.joints.iter().map(|joint| motion.name(*joint)).collect();
    let words = format!("Translation, rotation and scale over time of {}.", names.join(", "));
    Ok(chart(&head, &rows, (plot.duration_s(), FROM_CLIP), &words))
}

/// The ticks before a joint jumps, so that a step is drawn as one.
fn jumps_of(plot: &Plot<'_>, joint: usize) -> Vec<Tick> {
    let (clip, node) = (plot.motion.clip(), plot.motion.skeleton.nodes()[joint]);
    let moves = tracks(clip).filter(|track| track.node == node && moves_node(&track.property));
    let before = moves.flat_map(|track| jump_times(&track.values)).map(|at| at - clip.start - Tick(1));
    before.filter(|at| (Tick::ZERO..=plot.motion.duration).contains(at)).collect()
}

/// When the file has keys for a joint, from the clip's start; of all properties without one.
fn keys_of(plot: &Plot<'_>, joint: usize, property: Option<&Property>) -> Vec<Tick> {
    let (clip, node) = (plot.motion.clip(), plot.motion.skeleton.nodes()[joint]);
    let wanted = [Property::Translation, Property::Rotation, Property::Scale];
    let tracks = tracks(clip).filter(|track| track.node == node && wanted.contains(&track.property));
    let tracks = tracks.filter(|track| property.is_none_or(|property| track.property == *property));
    let mut keys: Vec<Tick> =
        tracks.flat_map(|track| track_key_times(&track.values)).map(|key| key - clip.start).collect();
    keys.retain(|key| (Tick::ZERO..=plot.motion.duration).contains(key));
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn values(poses: &[Vec<DTrs>], joint: usize, property: &Property) -> Vec<DVec3> {
    let mut before = DVec3::ZERO;
    let value = |pose: &Vec<DTrs>| match property {
        Property::Translation => pose[joint].translation,
        Property::Rotation => {
            before = rotation_vector_deg(pose[joint].rotation, before);
            before
        }
        _ => pose[joint].scale,
    };
    poses.iter().map(value).collect()
}

/// The axis of a rotation times its angle, of all that are this rotation the one nearest to the one before.
fn rotation_vector_deg(rotation: DQuat, before: DVec3) -> DVec3 {
    let way = DVec3::new(rotation.x, rotation.y, rotation.z);
    let sin = way.length();
    // Close to whole turns the axis is that of before.
    let axis = if sin < 1e-9 { before.normalize_or_zero() } else { way / sin };
    let angle = (2.0 * ops64::atan2(sin, rotation.w)).to_degrees();
    let turns = ((before.dot(axis) - angle) / 360.0).round();
    axis * (angle + 360.0 * turns)
}

impl Curve {
    fn moves(&self) -> bool {
        let first = self.values[0];
        let still = if self.property == Property::Rotation { 1e-3 } else { 1e-6 };
        self.values.iter().any(|value| value.distance(first) > still)
    }

    fn panel(&self, plot: &Plot<'_>, times: &[Tick]) -> Panel {
        let keys = keys_of(plot, self.joint, Some(&self.property));
        let extent = |i: usize| {
            let values = || self.values.iter().map(|value| value[i]);
            values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
        };
        let name = plot.motion.name(self.joint);
        let (head, scale) = match self.property {
            Property::Translation => {
                let (unit, scale) = length_unit((0..3).map(extent).fold(0.0, f64::max));
                (format!("{name}: translation, {unit}"), scale)
            }
            Property::Rotation => (format!("{name}: rotation, degrees"), 1.0),
            _ => (format!("{name}: scale"), 1.0),
        };
        let line = |axis: usize| {
            let points: Vec<[f64; 2]> =
                times.iter().zip(&self.values).map(|(at, value)| [at.seconds(), value[axis] * scale]).collect();
            let is_key = |at: &Tick| keys.binary_search(at).is_ok();
            let marks = times.iter().zip(&points).filter(|(at, _)| is_key(at)).map(|(_, point)| *point).collect();
            Line { color: axis, points, marks }
        };
        Panel { head, lines: (0..3).map(line).collect(), from_zero: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_vectors_run_on() {
        let mut before = DVec3::ZERO;
        for step in 0..=100 {
            let angle_deg = f64::from(step) * 9.0;
            let half = (angle_deg * 0.5).to_radians();
            let sign = if step % 7 < 3 { -1.0 } else { 1.0 };
            let (sin, cos) = ops64::sin_cos(half);
            let rotation = DQuat::from_xyzw(0.0, sign * sin, 0.0, sign * cos);
            before = rotation_vector_deg(rotation, before);
            assert!(before.distance(DVec3::new(0.0, angle_deg, 0.0)) < 1e-9, "{angle_deg}: {before}");
        }
    }
}
