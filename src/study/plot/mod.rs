//! Plot: what a clip or an animator does, as a chart. One file per kind of chart; each returns SVG text for light and
//! dark pages.

mod animator;
mod curves;
mod error;
mod root;
mod speed;
mod weights;

use stillframe_base::tick::Tick;

use super::StudyError;
use super::motion::{Motion, STILL_M, angle_deg};
use super::words::short;

pub use animator::{AnimatorPlot, animator, animator_moments, scripted_s};
pub use curves::curves;
pub use error::{baked_error, compressed_error};
pub use root::root;
pub use speed::speed;
pub use weights::weights;

/// Moments at which joints are compared for how much they move.
const CHOICE_MOMENTS: usize = 33;

/// What a chart of a clip is made of.
pub struct Plot<'a> {
    pub motion: &'a Motion<'a>,
    /// Named under the title.
    pub file: &'a str,
    /// Joints (for [`weights`], morphs) by name; those that move most where empty.
    pub joints: &'a [String],
}

impl Plot<'_> {
    fn duration_s(&self) -> f64 {
        self.motion.duration.seconds()
    }

    /// The file, the clip and its length.
    fn about(&self) -> String {
        let Plot { motion, file, .. } = self;
        format!("{file}, clip {}, {} s", motion.clip().name, short(motion.duration.seconds() as f32))
    }

    /// Moments close enough for smooth lines.
    fn moments(&self) -> Vec<Tick> {
        let count = (self.duration_s() * 120.0).ceil().clamp(64.0, 600.0);
        self.motion.moments(count as usize + 1)
    }

    /// The joints that were named; else the `most` that move most, by `score`, in the skeleton's order.
    fn joints(&self, most: usize, score: fn(&Motion<'_>) -> Vec<f64>) -> Result<Chosen, StudyError> {
        let names = self.motion.skeleton.names();
        if !self.joints.is_empty() {
            let find = |name: &String| {
                let unknown = || StudyError::Unknown { kind: "joint", name: name.clone(), names: names.to_vec() };
                names.iter().position(|own| own == name).ok_or_else(unknown)
            };
            return Ok(Chosen { joints: self.joints.iter().map(find).collect::<Result<_, _>>()?, of: None });
        }
        let scores = score(self.motion);
        let mut moving: Vec<usize> = (0..scores.len()).filter(|joint| scores[*joint] > STILL_M).collect();
        if moving.is_empty() {
            return Err(StudyError::NothingMoves { clip: self.motion.clip().name.clone(), what: "joint" });
        }
        let of = moving.len();
        moving.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        moving.truncate(most);
        moving.sort_unstable();
        Ok(Chosen { joints: moving, of: Some(of) })
    }
}

/// Joints of a chart, and of how many they are those that move most.
struct Chosen {
    joints: Vec<usize>,
    of: Option<usize>,
}

impl Chosen {
    /// Why these, where nobody has named them.
    fn words(&self) -> String {
        match self.of {
            Some(of) if of > self.joints.len() => format!("; the {} that move most of {of} joints", self.joints.len()),
            _ => String::new(),
        }
    }
}

/// How much every joint moves in its parent: degrees it turns, and a metre it goes as much as 180 of them.
fn moved_in_parent(motion: &Motion<'_>) -> Vec<f64> {
    let poses: Vec<_> = motion.moments(CHOICE_MOMENTS).into_iter().map(|at| motion.locals(at)).collect();
    let moved = |joint: usize| {
        let steps = poses.windows(2).map(|pair| {
            let (a, b) = (&pair[0][joint], &pair[1][joint]);
            angle_deg(a.rotation, b.rotation)
                + 180.0 * (a.translation.distance(b.translation) + a.scale.distance(b.scale))
        });
        // Rounding is not motion.
        steps.filter(|step| *step > 1e-4).sum()
    };
    (0..motion.skeleton.joint_count()).map(moved).collect()
}

/// How far every joint goes in the model, in metres.
fn moved_in_model(motion: &Motion<'_>) -> Vec<f64> {
    let poses: Vec<_> =
        motion.moments(CHOICE_MOMENTS).into_iter().map(|at| motion.models(&motion.locals(at))).collect();
    let moved = |joint: usize| {
        poses.windows(2).map(|pair| pair[0][joint].translation.distance(pair[1][joint].translation)).sum()
    };
    let moved: Vec<f64> = (0..motion.skeleton.joint_count()).map(moved).collect();
    // Where nothing goes anywhere, joints may still turn in their places.
    match moved.iter().any(|moved_m| *moved_m > STILL_M) {
        true => moved,
        false => moved_in_parent(motion),
    }
}
