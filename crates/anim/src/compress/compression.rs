//! Compression: what a clip is compressed to.

use stillframe_base::tick::FrameRate;

use crate::sample::ClipError;
use crate::sample::source::NUMBER_MAX;

/// How a clip is compressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compression {
    /// Frames a second, where the clip's keys have no rate of their own.
    pub rate: FrameRate,
    /// The largest error, in metres, at points `shell_m` from each joint.
    pub object_error_max_m: f64,
    /// How far skin is from its joint, in metres, above 0 and at most 1e9;
    /// [`VIRTUAL_VERTEX_M`](crate::sample::VIRTUAL_VERTEX_M) for people. The larger, the finer are rotations.
    pub shell_m: f64,
}

impl Compression {
    /// What no clip can be measured at.
    pub(super) fn check(&self) -> Result<(), ClipError> {
        let good = self.shell_m > 0.0 && self.shell_m <= NUMBER_MAX;
        if good { Ok(()) } else { Err(ClipError::Shell { shell_m: self.shell_m }) }
    }
}
