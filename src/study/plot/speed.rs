//! Speed: how fast joints turn and move in the model.

use super::{Plot, moved_in_model};
use crate::study::chart::{FROM_CLIP, Head, Line, Panel, chart};
use crate::study::motion::angle_deg;
use crate::study::{StudyError, short};

/// Joints drawn where none is named.
const JOINTS_MOST: usize = 6;

/// Speeds are means over so long: between keys that are joined by straight lines they would be stairs.
const FRAMES_PER_SECOND: f64 = 30.0;

/// Speeds of joints over time, in degrees and metres per second of the model's space.
///
/// Errors: no joint of that name, or nothing moves.
pub fn speed(plot: &Plot<'_>) -> Result<String, StudyError> {
    let motion = plot.motion;
    let chosen = plot.joints(JOINTS_MOST, moved_in_model)?;
    let count = (plot.duration_s() * FRAMES_PER_SECOND - 1e-6).ceil().clamp(2.0, 1200.0) as usize + 1;
    let times = motion.moments(count);
    let poses: Vec<_> = times.iter().map(|at| motion.models(&motion.locals(*at))).collect();
    let (mut turning, mut going) = (Vec::new(), Vec::new());
    for (color, &joint) in chosen.joints.iter().enumerate() {
        let (mut turns, mut goes) = (Vec::new(), Vec::new());
        for (times, poses) in times.windows(2).zip(poses.windows(2)) {
            let span_s = (times[1] - times[0]).seconds();
            let middle_s = times[0].seconds() + 0.5 * span_s;
            let [(_, from, at), (_, to, then)] = [0, 1].map(|i| poses[i][joint].to_scale_rotation_translation());
            turns.push([middle_s, angle_deg(from, to) / span_s]);
            goes.push([middle_s, at.distance(then) / span_s]);
        }
        turning.push(Line { color, points: turns, marks: Vec::new() });
        going.push(Line { color, points: goes, marks: Vec::new() });
    }
    let names: Vec<String> = chosen.joints.iter().map(|joint| motion.name(*joint).to_string()).collect();
    let words = format!("Speeds over time of {}.", names.join(", "));
    let head = Head {
        title: format!("Speed of joints in {}", motion.clip().name),
        sub: format!(
            "{}; in the model's space, means over {} s{}",
            plot.about(),
            short((plot.duration_s() / (count - 1) as f64) as f32),
            chosen.words()
        ),
        legend: names,
        shaded: Vec::new(),
    };
    let rows = [
        vec![Panel { head: "turning, degrees per second".into(), lines: turning, from_zero: true }],
        vec![Panel { head: "moving, metres per second".into(), lines: going, from_zero: true }],
    ];
    Ok(chart(&head, &rows, (plot.duration_s(), FROM_CLIP), &words))
}
