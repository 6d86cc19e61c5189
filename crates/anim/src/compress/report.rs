//! Report: what compressing has found in a clip, and what it has cost.

use crate::sample::Worst;

/// How a clip is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipForm {
    /// Frames a fixed time apart, in bits.
    Frames { frame_ticks: i64, frame_count: usize },
    /// Keys at times of their own, in f32: for what frames cannot follow.
    Keys { count: usize },
}

/// What compressing has found. Errors are the largest at five moments a frame (a quarter apart, and a tick before the
/// next), at every key, and a tick before it.
#[derive(Clone, Debug, PartialEq)]
pub struct CompressReport {
    pub form: ClipForm,
    pub joint_count: usize,
    /// Frames of the source at the rate that was asked for, or at a finer one that has its keys on frames.
    pub source_frame_count: usize,
    /// Frames of the clip for one of the source, at least 1: more where it bends too much between.
    pub frames_per_source_frame: usize,
    /// Of the file.
    pub bytes: usize,
    /// Properties of joints that do not move and are those of the identity; that do not move; that do.
    pub default_tracks: usize,
    pub constant_tracks: usize,
    pub moving_tracks: usize,
    /// At points [`Compression::shell_m`](super::Compression::shell_m) from the joint, in the model's space.
    pub object_m: Worst,
    /// 99 of 100 joints and moments are no worse than this, to a 256th of the bound.
    pub object_p99_m: f64,
    /// Numbers of keys by their bits, 0 to 23: those that a segment leaves out, or keeps once, count as 0.
    pub bits: [usize; 24],
    /// Tracks of segments by the frames from key to key: 1, 2, 4, 8, 16, 32, all; and those that stand still in it.
    pub strides: [usize; 8],
}

impl CompressReport {
    /// What it would take as f32, ten numbers a joint and frame of the source.
    pub fn raw_bytes(&self) -> usize {
        40 * self.joint_count * self.source_frame_count
    }

    pub fn ratio(&self) -> f64 {
        self.raw_bytes() as f64 / self.bytes as f64
    }
}
