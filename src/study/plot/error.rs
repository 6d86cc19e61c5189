//! Error: how far the clip as frames is from the file, joint by joint over time, as a heat map.

use stillframe_anim::compress::CompressedClip;
use stillframe_anim::sample::{DTrs, VIRTUAL_VERTEX_M};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, Tick};

use super::Plot;
use crate::study::chart::Axis;
use crate::study::chart::{FROM_CLIP, Head, RIGHT, WIDTH, seconds_below, text_width};
use crate::study::chart::{HEATS, Hold, Svg};
use crate::study::compress::{frame_count, key_moments};
use crate::study::motion::{Motion, baked_locals, compressed_locals};
use crate::study::{StudyError, bytes_words, count, short};

/// Moments looked at between two frames of a clip that is baked.
const STEPS_PER_FRAME: usize = 8;

/// Columns of the map; each shows the worst of its moments.
const COLUMNS_MAX: usize = 288;

const ROW_HEIGHT: f64 = 13.0;
const LABELS_MAX: f64 = 180.0;

/// A joint that is nowhere further off than this has no row of its own.
const NOTHING_MM: f64 = 1e-6;

/// Moments per frame that the map of a compressed clip shows: those that compressing measures, so that both give one
/// error.
const STEPS_PER_SAMPLE: usize = 4;

/// What a map is of.
struct Map<'a> {
    motion: &'a Motion<'a>,
    title: String,
    /// Shown under the title, without points, joints and sizes.
    about: String,
    bytes: usize,
    frame_count: usize,
    shell_m: f64,
    /// The rows; where empty, every joint that is off somewhere.
    named: Vec<usize>,
    /// Moments measured between two frames.
    steps: usize,
    /// Moments measured in addition to the even ones.
    also: Vec<Tick>,
}

/// How far the clip as frames at `fps` is from the file, joint by joint over time, as a heat map.
///
/// Errors: no joint of that name, or the clip cannot be baked.
pub fn baked_error(plot: &Plot<'_>, isa: Isa, fps: u32) -> Result<String, StudyError> {
    let motion = plot.motion;
    let (clip, report) = motion.bake(FrameRate::whole(fps))?;
    let named = if plot.joints.is_empty() { Vec::new() } else { plot.joints(0, |_| Vec::new())?.joints };
    let map = Map {
        motion,
        title: format!("Error of {} at {fps} frames per second", motion.clip().name),
        about: plot.about(),
        bytes: report.bytes,
        frame_count: clip.frame_count(),
        shell_m: VIRTUAL_VERTEX_M,
        named,
        steps: STEPS_PER_FRAME,
        also: Vec::new(),
    };
    Ok(map.draw(|at| baked_locals(isa, &clip, at)))
}

/// How far a compressed clip is from the file, at points `shell_m` from each joint, as a heat map.
pub fn compressed_error(plot: &Plot<'_>, isa: Isa, clip: &CompressedClip, shell_m: f64) -> String {
    let motion = plot.motion;
    let map = Map {
        motion,
        title: format!("Error of {}, compressed", motion.clip().name),
        about: plot.about(),
        bytes: clip.to_bytes().len(),
        frame_count: frame_count(clip),
        shell_m,
        named: Vec::new(),
        steps: STEPS_PER_SAMPLE,
        also: key_moments(motion),
    };
    map.draw(|at| compressed_locals(isa, clip, at))
}

impl Map<'_> {
    /// The map of a clip whose joints are at `locals`.
    fn draw(&self, locals: impl Fn(Tick) -> Vec<DTrs>) -> String {
        let motion = self.motion;
        let joint_count = motion.skeleton.joint_count();
        let steps = self.frame_count.saturating_sub(1) * self.steps;
        let columns = steps.clamp(1, COLUMNS_MAX);
        let mut worst_mm = vec![vec![0.0_f64; columns]; joint_count];
        let even = motion.moments(steps + 1).into_iter().enumerate();
        let even = even.map(|(step, at)| ((step * columns / (steps + 1)).min(columns - 1), at));
        let column_of = |at: &Tick| {
            let column = i128::from(at.0) * columns as i128 / i128::from(motion.duration.0.max(1));
            column.clamp(0, columns as i128 - 1) as usize
        };
        for (column, at) in even.chain(self.also.iter().map(|at| (column_of(at), *at))) {
            for (row, off_m) in worst_mm.iter_mut().zip(motion.off_m(at, &locals(at), self.shell_m)) {
                row[column] = row[column].max(1000.0 * off_m);
            }
        }
        let most = |joint: usize| worst_mm[joint].iter().fold(0.0_f64, |a, b| a.max(*b));
        let any = self.named.is_empty();
        let joints = if any { (0..joint_count).collect() } else { self.named.clone() };
        let shown: Vec<usize> = joints.iter().copied().filter(|joint| !any || most(*joint) > NOTHING_MM).collect();
        let exact = joints.len() - shown.len();
        let worst = shown.iter().map(|joint| most(*joint)).fold(0.0, f64::max);

        let head = Head {
            title: self.title.clone(),
            sub: format!(
                "{}; points {} cm from each joint, in the model's space; {}, {}{}",
                self.about,
                short((self.shell_m * 100.0) as f32),
                bytes_words(self.bytes),
                count(self.frame_count, "frame", "frames"),
                if exact > 0 { format!("; {} exact", count(exact, "joint is", "joints are")) } else { String::new() }
            ),
            legend: Vec::new(),
            shaded: Vec::new(),
        };
        let labels = shown.iter().map(|joint| text_width(motion.name(*joint)) + 68.0).fold(120.0, f64::max);
        let left = labels.min(LABELS_MAX + 68.0);
        let mut svg = Svg::new(WIDTH);
        let top = head.draw(&mut svg) + 40.0;
        scale(&mut svg, left, top - 34.0, worst);
        let high = ROW_HEIGHT * shown.len().max(1) as f64;
        let x = Axis { min: 0.0, max: motion.duration.seconds().max(1e-3), from: left, to: WIDTH - RIGHT };
        let mut heats = vec![String::new(); HEATS];
        for (row, joint) in shown.iter().enumerate() {
            let y = top + row as f64 * ROW_HEIGHT;
            let name = motion.name(*joint);
            svg.text([left - 56.0, y + 10.0], "", Hold::End, &cut(name));
            svg.text([left - 8.0, y + 10.0], "", Hold::End, &short(most(*joint) as f32));
            cells(&worst_mm[*joint], worst, row, &mut heats);
        }
        // A column and a row are one wide and high there.
        svg.scaled([left, top], [(x.to - x.from) / columns as f64, ROW_HEIGHT]);
        for (heat, path) in heats.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            svg.path(&format!("cell s{heat}"), path);
        }
        svg.plain();
        svg.text([left - 8.0, top - 8.0], "", Hold::End, "worst, mm");
        seconds_below(&mut svg, &x, [top + high; 2], Some(FROM_CLIP));
        svg.rect("frame", [left, top], [x.to - x.from, high]);
        let words = format!("At most {} mm, joint by joint over time.", short(worst as f32));
        svg.file(top + high + 48.0, &head.title, &words)
    }
}

/// One row: neighbours of one heat are one stroke.
fn cells(values: &[f64], worst: f64, row: usize, heats: &mut [String]) {
    let heat = |value: f64| match worst > 0.0 {
        true => ((value / worst * HEATS as f64) as usize).min(HEATS - 1),
        false => 0,
    };
    let mut start = 0;
    for end in 1..=values.len() {
        if end == values.len() || heat(values[end]) != heat(values[start]) {
            heats[heat(values[start])].push_str(&format!("M{start},{row}.5h{}", end - start));
            start = end;
        }
    }
}

/// The scale of colours over the map.
fn scale(svg: &mut Svg, left: f64, top: f64, worst: f64) {
    let wide = 14.0;
    for heat in 0..HEATS {
        svg.rect(&format!("h{heat}"), [left + heat as f64 * wide, top], [wide, 10.0]);
    }
    svg.text([left - 8.0, top + 9.0], "", Hold::End, "0");
    let words = format!("{} mm", short(worst as f32));
    svg.text([left + HEATS as f64 * wide + 8.0, top + 9.0], "", Hold::Start, &words);
}

/// A name that fits.
fn cut(name: &str) -> String {
    let most = (LABELS_MAX / 6.3) as usize;
    match name.chars().count() > most {
        true => name.chars().take(most - 1).chain(['\u{2026}']).collect(),
        false => name.to_string(),
    }
}
