//! Root: the way over the ground of the joint that carries the others, seen from above, with marks in time.

use glam::DVec3;
use stillframe_base::tick::Tick;

use super::Plot;
use crate::study::chart::{Axis, length_unit, range};
use crate::study::chart::{Head, LEFT, RIGHT, WIDTH};
use crate::study::chart::{Hold, Svg};
use crate::study::{StudyError, short};

/// Height of a path that is as long as wide; a long one is lower.
const HEIGHT_MAX: f64 = 540.0;
const HEIGHT_MIN: f64 = 200.0;

/// Steps of marks, in seconds.
const STEPS_S: [f64; 10] = [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0];

/// Approximate number of marks.
const MARKS: f64 = 10.0;

/// The path over the ground of the named joint, else of the root.
///
/// Errors: no joint of that name, or no joint moves from its place.
pub fn root(plot: &Plot<'_>) -> Result<String, StudyError> {
    let motion = plot.motion;
    let joint = match plot.joints.first() {
        Some(_) => plot.joints(1, super::moved_in_model)?.joints[0],
        None => motion.root().ok_or_else(|| StudyError::NoRoot { clip: motion.clip().name.clone() })?,
    };
    let at = |time: Tick| motion.models(&motion.locals(time))[joint].translation;
    let places: Vec<DVec3> = plot.moments().into_iter().map(at).collect();
    let [xs, zs] = [0, 2].map(|axis| range(places.iter().map(|place| place[axis])));
    let (unit, scale) = length_unit((xs.1 - xs.0).max(zs.1 - zs.0));

    // One scale for both axes: the larger extent decides.
    let wide = WIDTH - LEFT - RIGHT;
    let px_per_m = (wide / (xs.1 - xs.0)).min(HEIGHT_MAX / (zs.1 - zs.0));
    let high = ((zs.1 - zs.0) * px_per_m).clamp(HEIGHT_MIN, HEIGHT_MAX);
    let around = |(min, max): (f64, f64), px: f64| {
        let (middle, half) = (0.5 * (min + max), 0.5 * px / px_per_m);
        (scale * (middle - half), scale * (middle + half))
    };
    let ((x_min, x_max), (z_min, z_max)) = (around(xs, wide), around(zs, high));

    let mut svg = Svg::new(WIDTH);
    let way_m: f64 = places.windows(2).map(|pair| (pair[1] - pair[0]).with_y(0.0).length()).sum();
    let head = Head {
        title: format!("Way of {} in {}", motion.name(joint), motion.clip().name),
        sub: format!(
            "{}; seen from above, up the page is -z; {} m of way, {} m from start to end",
            plot.about(),
            short(way_m as f32),
            short((places[places.len() - 1] - places[0]).with_y(0.0).length() as f32)
        ),
        legend: Vec::new(),
        shaded: Vec::new(),
    };
    let top = head.draw(&mut svg) + 8.0;
    let x = Axis { min: x_min, max: x_max, from: LEFT, to: LEFT + wide };
    let z = Axis { min: z_min, max: z_max, from: top, to: top + high };
    for (value, words) in x.ticks(10) {
        svg.line(grid(value), [x.place(value), top], [x.place(value), top + high]);
        svg.text([x.place(value), top + high + 16.0], "", Hold::Middle, &words);
    }
    for (value, words) in z.ticks((high / 60.0) as usize) {
        svg.line(grid(value), [LEFT, z.place(value)], [LEFT + wide, z.place(value)]);
        svg.text([LEFT - 6.0, z.place(value) + 4.0], "", Hold::End, &words);
    }
    svg.rect("frame", [LEFT, top], [wide, high]);
    svg.text([LEFT + 0.5 * wide, top + high + 34.0], "", Hold::Middle, &format!("x, {unit}"));
    svg.text([LEFT + 6.0, top + 16.0], "", Hold::Start, &format!("z, {unit}"));

    let on_paper = |place: DVec3| [x.place(place.x * scale), z.place(place.z * scale)];
    let points: Vec<[f64; 2]> = places.iter().map(|place| on_paper(*place)).collect();
    svg.points("line c2", &points);
    for (index, time) in marks(plot.duration_s()).into_iter().enumerate() {
        let mark = on_paper(at(Tick::from_seconds(time).min(motion.duration)));
        svg.dot("d2", mark, if index == 0 { 4.5 } else { 2.6 });
        svg.text([mark[0] + 8.0, mark[1] - 6.0], "", Hold::Start, &format!("{} s", short(time as f32)));
    }
    let end = points[points.len() - 1];
    svg.dot("line c2", end, 4.5);
    let words = format!("Path over the ground of {} over {} s.", motion.name(joint), short(plot.duration_s() as f32));
    Ok(svg.file(top + high + 48.0, &head.title, &words))
}

fn grid(value: f64) -> &'static str {
    if value == 0.0 { "zero" } else { "grid" }
}

/// Seconds that are marked: evenly from 0.
fn marks(duration_s: f64) -> Vec<f64> {
    let step = STEPS_S.into_iter().find(|step| duration_s / step <= MARKS).unwrap_or(duration_s / MARKS);
    let count = (duration_s / step + 1e-9) as usize;
    (0..=count).map(|mark| mark as f64 * step).collect()
}
