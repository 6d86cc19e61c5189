//! Study: what the clips of a model and the animators of a scene do, as figures and charts.
//!
//! In: a [`Model`] and one of its clips, or the poses of a figure over time. Out: plain data (lengths in metres, angles
//! in degrees, times in seconds) and charts (SVG text, the same on every machine). Never here: printing, arguments,
//! files, wgpu.
//!
//! A [`Motion`] is a clip as joints over time; most functions take one. [`clip_facts`] lists what a clip is made of and
//! what may go wrong with it, [`weight_facts`] does the same for skin weights, [`bounds`] is the box that a clip never
//! leaves, [`metrics`] judges poses in a row, [`Compressed`] and [`Table`] are the clip in other forms with their
//! errors, and [`plot`] draws charts. `stillframe_models::import` reads models; clips, skeletons and poses are
//! [`stillframe_anim`]'s.

mod bounds;
mod chart;
mod clip;
mod compress;
mod error;
mod metrics;
mod motion;
pub mod plot;
mod table;
#[cfg(test)]
mod tests;
mod texture;
mod weights;
mod words;

pub use crate::import::Model;
pub use bounds::{Bounds, bounds};
pub use clip::{
    Baked, ClipFacts, FRAMES_PER_SECOND, Place, PropertyFacts, Root, Seam, TRAVEL_MIN_M, Turns, clip_facts,
};
pub use compress::{Book, Compressed, compressed, worst_off};
pub use error::StudyError;
pub use metrics::{FRAMES_MIN, Foot, JointPeak, Metrics, MotionPose, metrics};
pub use motion::Motion;
pub use stillframe_base::tick::{FrameRate, Tick};
pub use table::{Numbers, Table, table};
pub use weights::{WeightFacts, weight_facts};

pub(crate) use texture::texel_values;
pub(crate) use words::{bytes_words, count, short};
