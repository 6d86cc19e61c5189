//! Job: the local pose of a clip at a moment.
//!
//! ```text
//! for each number that moves: out = min + step * (q0 + (q1 - q0) * along)
//! rotation *= 1 / sqrt(x x + y y + z z + w w)
//! ```
//!
//! Interpolating before the range is applied saves half of the multiplications. Source: nlerp as in Blow,
//! "Understanding slerp, then not using it", 2004; frames below [`NLERP_KEY_ANGLE_DEG`](super::NLERP_KEY_ANGLE_DEG)
//! apart are within [`NLERP_ERROR_MAX_DEG`](super::NLERP_ERROR_MAX_DEG) of slerp.

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};
use stillframe_base::tick::Tick;

use super::UniformClip;
use super::uniform::{Plane, Range, load_u16};
use crate::pose::{JobError, JointBlock, check_length};

/// Writes the pose of a clip at a moment.
///
/// Shapes: `out` has the blocks of the clip's joints.
/// Time: ticks from the clip's start; outside the clip the nearer end holds.
pub struct Sample<'a> {
    pub isa: Isa,
    pub clip: &'a UniformClip,
    pub at: Tick,
    pub out: &'a mut [JointBlock],
}

impl Sample<'_> {
    /// A clip is checked when it is baked; what is left is its length.
    pub fn validate(&self) -> Result<(), JobError> {
        check_length("blocks of the pose", self.out.len(), self.clip.blocks.len())
    }

    /// Writes `out`. Panics where it has another length.
    pub fn run(self) {
        self.validate().unwrap_or_else(|error| panic!("{error}"));
        let (frame, along) = self.clip.place(self.at);
        let plane_count = self.clip.ranges.len();
        let (from, to) = self.clip.frames[frame * plane_count..(frame + 2) * plane_count].split_at(plane_count);
        self.isa.run_wide(Kernel { clip: self.clip, from, to, along, out: self.out });
    }
}

struct Kernel<'a> {
    clip: &'a UniformClip,
    from: &'a [Plane],
    to: &'a [Plane],
    along: f32,
    out: &'a mut [JointBlock],
}

/// `N` planes of two frames and their ranges, from plane `at` on.
struct Planes<'a, const N: usize> {
    from: &'a [Plane; N],
    to: &'a [Plane; N],
    ranges: &'a [Range; N],
}

impl<'a> Kernel<'a> {
    #[inline(always)]
    fn planes<const N: usize>(&self, at: u32) -> Planes<'a, N> {
        let at = at as usize;
        let found = (
            self.from[at..].first_chunk::<N>(),
            self.to[at..].first_chunk::<N>(),
            self.clip.ranges[at..].first_chunk::<N>(),
        );
        let (Some(from), Some(to), Some(ranges)) = found else { unreachable!("baking gives a block all its planes") };
        Planes { from, to, ranges }
    }
}

impl<const N: usize> Planes<'_, N> {
    #[inline(always)]
    fn number<W: Wide>(&self, wide: W, plane: usize, part: usize, along: W::F32) -> W::F32 {
        let from = load_u16(wide, &self.from[plane].0, part);
        let to = load_u16(wide, &self.to[plane].0, part);
        let Range { min, step } = &self.ranges[plane];
        wide.load(min, part) + wide.load(step, part) * (from + (to - from) * along)
    }
}

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(mut self, wide: W) {
        let out = std::mem::take(&mut self.out);
        let along = wide.splat(self.along);
        for ((block, constant), out) in self.clip.blocks.iter().zip(&self.clip.constants).zip(out) {
            match block.rotation {
                Some(at) => rotations(wide, self.planes(at), along, &mut out.rotation),
                None => copy(wide, &constant.rotation, &mut out.rotation),
            }
            match block.translation {
                Some(at) => vectors(wide, self.planes(at), along, &mut out.translation),
                None => copy(wide, &constant.translation, &mut out.translation),
            }
            match block.scale {
                Some(at) => vectors(wide, self.planes(at), along, &mut out.scale),
                None => copy(wide, &constant.scale, &mut out.scale),
            }
        }
    }
}

#[inline(always)]
fn rotations<W: Wide>(wide: W, planes: Planes<'_, 4>, along: W::F32, out: &mut [Row; 4]) {
    for part in 0..ROW / W::WIDTH {
        let part = wide.each(part);
        let x = planes.number(wide, 0, part, along);
        let y = planes.number(wide, 1, part, along);
        let z = planes.number(wide, 2, part, along);
        let w = planes.number(wide, 3, part, along);
        let factor = wide.splat(1.0) / wide.sqrt(((x * x + y * y) + z * z) + w * w);
        wide.store(x * factor, &mut out[0], part);
        wide.store(y * factor, &mut out[1], part);
        wide.store(z * factor, &mut out[2], part);
        wide.store(w * factor, &mut out[3], part);
    }
}

#[inline(always)]
fn vectors<W: Wide>(wide: W, planes: Planes<'_, 3>, along: W::F32, out: &mut [Row; 3]) {
    for part in 0..ROW / W::WIDTH {
        let part = wide.each(part);
        for plane in 0..3 {
            wide.store(planes.number(wide, plane, part, along), &mut out[plane], part);
        }
    }
}

#[inline(always)]
fn copy<W: Wide, const N: usize>(wide: W, from: &[Row; N], to: &mut [Row; N]) {
    for (from, to) in from.iter().zip(to) {
        for part in 0..ROW / W::WIDTH {
            let part = wide.each(part);
            wide.store(wide.load(from, part), to, part);
        }
    }
}
