//! Uniform: a clip as frames a fixed time apart, 16 bits a number, sixteen joints side by side.
//!
//! A frame is planes of sixteen numbers: four planes for a block of joints whose rotations move, three for one whose
//! translations do, three for scales. A number is `min + step * (0 to 65535)`, its range being that of its joint over
//! the clip. Blocks in which nothing moves have no planes but hold their value once. Signs of rotations run on from
//! frame to frame, so that the path between two is the short one without a test.
//!
//! Not the smallest three of a rotation (48 bits): its range is the same for all joints, so that errors are 3 to 27
//! times as large (0.0065 against 0.0002 to 0.0022 degrees), and each frame costs a root, a choice of four and a sign.

use stillframe_base::lanes::{ROW, Row, Wide};
use stillframe_base::tick::Tick;

use crate::pose::JointBlock;

/// One number of sixteen joints in one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Plane(pub [u16; ROW]);

/// What makes numbers of a plane: `min + step * q`. The step is 0 where a joint of the block stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub min: Row,
    pub step: Row,
}

/// Where the planes of a block of joints are in a frame; none where nothing moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BlockPlanes {
    pub rotation: Option<u32>,
    pub translation: Option<u32>,
    pub scale: Option<u32>,
}

/// A clip that is sampled in the same time at any moment. Made by [`bake`](super::bake).
#[derive(Clone, Debug, PartialEq)]
pub struct UniformClip {
    pub(super) joint_count: usize,
    pub(super) duration: Tick,
    /// At least 1.
    pub(super) frame_ticks: i64,
    /// Frames after the first: at least 1, even where they are all the same.
    pub(super) segment_count: usize,
    pub(super) blocks: Vec<BlockPlanes>,
    /// The value of what does not move; one a block.
    pub(super) constants: Vec<JointBlock>,
    /// One a plane of a frame.
    pub(super) ranges: Vec<Range>,
    /// A frame after the other, `ranges.len()` planes each.
    pub(super) frames: Vec<Plane>,
}

impl UniformClip {
    pub fn joint_count(&self) -> usize {
        self.joint_count
    }
    pub fn duration(&self) -> Tick {
        self.duration
    }
    /// Ticks from a frame to the next.
    pub fn frame_ticks(&self) -> i64 {
        self.frame_ticks
    }
    pub fn frame_count(&self) -> usize {
        self.segment_count + 1
    }
    /// What it takes in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.blocks)
            + size_of_val(&*self.constants)
            + size_of_val(&*self.ranges)
            + size_of_val(&*self.frames)
    }

    /// The frame at or before a moment and how far it is to the next, 0 to 1. Moments outside the clip are moved to its
    /// ends; the last frame is reached as the end of the segment before it.
    #[inline]
    pub fn place(&self, at: Tick) -> (usize, f32) {
        let ticks = at.0.clamp(0, self.duration.0);
        let frame = (ticks / self.frame_ticks).min(self.segment_count as i64 - 1);
        let rest = ticks - frame * self.frame_ticks;
        (frame as usize, (rest as f64 / self.frame_ticks as f64) as f32)
    }
}

/// A loop that every tier has a widening load for; the row in memory is only a way of writing it.
#[inline(always)]
pub(crate) fn load_u16<W: Wide>(wide: W, numbers: &[u16; ROW], part: usize) -> W::F32 {
    let mut row = Row::ZERO;
    for lane in 0..W::WIDTH {
        row.0[lane] = f32::from(numbers[part * W::WIDTH + lane]);
    }
    wide.load(&row, 0)
}
