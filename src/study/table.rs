//! Table: a clip as frames a fixed time apart, every joint in each, for programs that play tables.

use glam::Affine3A;
use stillframe_anim::pose::{Affine, JointBlock, LocalToModel};
use stillframe_anim::sample::{ClipReport, Sample, UniformClip};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, Tick};

use super::StudyError;
use super::motion::Motion;

/// The numbers of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Translation (3), rotation (x y z w) and scale (3), in the parent's space.
    Trs,
    /// Three rows of four, in the model's space.
    Matrices,
}

/// Frames as numbers, and how far they are from the file.
pub struct Table {
    pub clip: UniformClip,
    pub report: ClipReport,
    pub numbers: Numbers,
    /// Shape: [`Table::shape`], the last axis fastest. Translations in metres.
    pub values: Vec<f32>,
}

impl Numbers {
    /// Numbers per joint.
    pub fn width(self) -> usize {
        match self {
            Numbers::Trs => 10,
            Numbers::Matrices => 12,
        }
    }
}

impl Table {
    /// Frames, joints, numbers per joint.
    pub fn shape(&self) -> [usize; 3] {
        [self.clip.frame_count(), self.clip.joint_count(), self.numbers.width()]
    }
}

/// Bakes a clip at `rate` and lists the numbers that its frames hold, rounding to 16 bits included.
///
/// Errors: why it cannot be baked.
pub fn table(isa: Isa, motion: &Motion<'_>, rate: FrameRate, numbers: Numbers) -> Result<Table, StudyError> {
    let (clip, report) = motion.bake(rate)?;
    let values = values(isa, motion, &clip, numbers);
    Ok(Table { clip, report, numbers, values })
}

fn values(isa: Isa, motion: &Motion<'_>, clip: &UniformClip, what: Numbers) -> Vec<f32> {
    let joint_count = clip.joint_count();
    let mut locals = vec![JointBlock::IDENTITY; JointBlock::count_for(joint_count)];
    let mut models = vec![Affine::IDENTITY; joint_count];
    let mut out = Vec::with_capacity(clip.frame_count() * joint_count * what.width());
    for frame in 0..clip.frame_count() {
        Sample { isa, clip, at: time_of(clip, frame), out: &mut locals }.run();
        match what {
            Numbers::Trs => {
                for joint in (0..joint_count).map(|joint| JointBlock::joint(&locals, joint)) {
                    out.extend(joint.translation.to_array());
                    out.extend(joint.rotation.to_array());
                    out.extend(joint.scale.to_array());
                }
            }
            Numbers::Matrices => {
                let (parents, root) = (motion.skeleton.parents(), &Affine::IDENTITY);
                LocalToModel { isa, parents, locals: &locals, root, models: &mut models }.run();
                for model in &models {
                    let model = Affine3A::from(*model);
                    for row in 0..3 {
                        out.extend([0, 1, 2].map(|column| model.matrix3.col(column)[row]));
                        out.push(model.translation[row]);
                    }
                }
            }
        }
    }
    out
}

fn time_of(clip: &UniformClip, frame: usize) -> Tick {
    Tick(frame as i64 * clip.frame_ticks()).min(clip.duration())
}
