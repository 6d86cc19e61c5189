//! Sample: the palettes of actors, from baked frames. The formula is that of the [module](super)'s page.
//!
//! Lanes hold sixteen numbers of one palette, not one number of sixteen actors: actors stand at different frames, and
//! gathering their numbers would cost more than all the arithmetic.

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};

use super::frames::{Plane, Segment};
use super::{Actor, BakedFrames, CrowdError, Track, Visible, frame_of_phase};

/// Rows that are made before they are streamed.
const STREAM_ROWS: usize = 16;

/// Writes one frame's worth of numbers for each of some actors.
///
/// Shapes: `phases` has an entry a clip ([`BakedFrames::clip_phases`]); `out` has [`BakedFrames::frame_rows`] rows for
///         each entry of
/// `visible`.
pub struct SampleCrowd<'a> {
    pub isa: Isa,
    pub baked: &'a BakedFrames,
    pub phases: &'a [u32],
    pub actors: &'a [Actor],
    /// The actors that are wanted, in any order.
    pub visible: &'a [Visible],
    pub out: &'a mut [Row],
    /// Whether `out` is stored past the caches, to the same bits: faster where all that is written before it is read,
    /// by this job and its neighbours on other threads, is more than the caches hold.
    pub stream: bool,
}

impl SampleCrowd<'_> {
    /// Looks at every actor.
    pub fn validate(&self) -> Result<(), CrowdError> {
        self.check_shape()?;
        for visible in self.visible {
            let actor = visible.actor as usize;
            let Some(Actor { tracks, fade, .. }) = self.actors.get(actor) else {
                return Err(CrowdError::Actor { actor, what: "there is none of this number" });
            };
            if !(0.0..=1.0).contains(fade) {
                return Err(CrowdError::Actor { actor, what: "its fade is not in 0 to 1" });
            }
            let count = self.baked.clips().len();
            let read = if *fade == 0.0 { 1 } else { 2 };
            for (track, &Track { clip, .. }) in tracks.iter().enumerate().take(read) {
                if clip as usize >= count {
                    return Err(CrowdError::Clip { actor, track, clip, count });
                }
            }
        }
        Ok(())
    }

    fn check_shape(&self) -> Result<(), CrowdError> {
        let want = self.baked.clips().len();
        if self.phases.len() != want {
            return Err(CrowdError::Count { what: "phases of clips", count: self.phases.len(), want });
        }
        let want = self.visible.len() * self.baked.frame_rows();
        if self.out.len() != want {
            return Err(CrowdError::Count { what: "rows of palettes", count: self.out.len(), want });
        }
        Ok(())
    }

    /// Writes `out`. Panics where lengths differ, or an actor or a clip is none of those there are.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        self.isa.run_wide(Kernel(self));
    }
}

struct Kernel<'a>(SampleCrowd<'a>);

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let SampleCrowd { baked, phases, actors, visible, out, stream, .. } = self.0;
        let rows = baked.frame_rows();
        // Items without joints have no rows; there is nothing to write then.
        for (visible, out) in visible.iter().zip(out.chunks_exact_mut(rows.max(1))) {
            let Actor { tracks: [first, second], fade, .. } = &actors[visible.actor as usize];
            let place = |track: &Track| {
                let clip = track.clip as usize;
                let (frame, along) = frame_of_phase(track.phase_at(phases[clip]), baked.clips[clip].segment_count);
                (baked.segment(clip, frame), along)
            };
            let (segment, along) = place(first);
            if *fade == 0.0 {
                match segment {
                    Segment::F32 { from, to } => write(wide, Exact { from, to, along }, stream, out),
                    Segment::Ranged16 { from, to, min, step } => {
                        write(wide, Ranged { from, to, min, step, along }, stream, out);
                    }
                }
                continue;
            }
            match (segment, place(second)) {
                (Segment::F32 { from, to }, (Segment::F32 { from: from_b, to: to_b }, along_b)) => {
                    let (a, b) = (Exact { from, to, along }, Exact { from: from_b, to: to_b, along: along_b });
                    write(wide, Faded { a, b, fade: *fade }, stream, out);
                }
                (
                    Segment::Ranged16 { from, to, min, step },
                    (Segment::Ranged16 { from: from_b, to: to_b, min: min_b, step: step_b }, along_b),
                ) => {
                    let a = Ranged { from, to, min, step, along };
                    let b = Ranged { from: from_b, to: to_b, min: min_b, step: step_b, along: along_b };
                    write(wide, Faded { a, b, fade: *fade }, stream, out);
                }
                _ => unreachable!("a texture has one kind of texels"),
            }
        }
        if stream {
            wide.fence();
        }
    }
}

/// A frame between two baked ones.
trait Between {
    /// A part of a row. Implementations must be `#[inline(always)]`.
    fn number<W: Wide>(&self, wide: W, row: usize, part: usize) -> W::F32;
}

struct Exact<'a> {
    from: &'a [Row],
    to: &'a [Row],
    along: f32,
}

struct Ranged<'a> {
    from: &'a [Plane],
    to: &'a [Plane],
    min: &'a [Row],
    step: &'a [Row],
    along: f32,
}

impl Between for Exact<'_> {
    #[inline(always)]
    fn number<W: Wide>(&self, wide: W, row: usize, part: usize) -> W::F32 {
        let (a, b) = (wide.load(&self.from[row], part), wide.load(&self.to[row], part));
        a + (b - a) * wide.splat(self.along)
    }
}

impl Between for Ranged<'_> {
    #[inline(always)]
    fn number<W: Wide>(&self, wide: W, row: usize, part: usize) -> W::F32 {
        let (a, b) = (load_u16(wide, &self.from[row], part), load_u16(wide, &self.to[row], part));
        let q = a + (b - a) * wide.splat(self.along);
        wide.load(&self.min[row], part) + wide.load(&self.step[row], part) * q
    }
}

/// A fade between two frames between baked ones.
struct Faded<A, B> {
    a: A,
    b: B,
    fade: f32,
}

impl<A: Between, B: Between> Between for Faded<A, B> {
    #[inline(always)]
    fn number<W: Wide>(&self, wide: W, row: usize, part: usize) -> W::F32 {
        let (a, b) = (self.a.number(wide, row, part), self.b.number(wide, row, part));
        a + (b - a) * wide.splat(self.fade)
    }
}

#[inline(always)]
fn write<W: Wide>(wide: W, between: impl Between, stream: bool, out: &mut [Row]) {
    if !stream {
        write_rows(wide, &between, 0, out);
        return;
    }
    // Lines that are streamed one by one between other stores cost twice as much.
    let mut made = [Row::ZERO; STREAM_ROWS];
    for (chunk, out) in out.chunks_mut(STREAM_ROWS).enumerate() {
        let made = &mut made[..out.len()];
        write_rows(wide, &between, chunk * STREAM_ROWS, made);
        for (from, to) in made.iter().zip(out) {
            wide.stream(from, to);
        }
    }
}

#[inline(always)]
fn write_rows<W: Wide>(wide: W, between: &impl Between, first: usize, out: &mut [Row]) {
    for (row, out) in out.iter_mut().enumerate() {
        for part in 0..ROW / W::WIDTH {
            let part = wide.each(part);
            wide.store(between.number(wide, first + row, part), out, part);
        }
    }
}

/// A loop that every tier has a widening load for; the row in memory is only a way of writing it.
#[inline(always)]
fn load_u16<W: Wide>(wide: W, plane: &Plane, part: usize) -> W::F32 {
    let mut row = Row::ZERO;
    for lane in 0..W::WIDTH {
        row.0[lane] = f32::from(plane.0[part * W::WIDTH + lane]);
    }
    wide.load(&row, 0)
}
