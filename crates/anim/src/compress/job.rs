//! Job: the local pose of a compressed clip at a moment.
//!
//! ```text
//! for each track of the moment's segment: its two keys around the moment -> q0, q1     bit by bit, one lane at a time
//! number = min + step * q                                                              from here on in lanes
//! the number left out = sign * sqrt(1 - x x - y y - z z)
//! rotation = unit(a + (b - a) * eased(along)); others = a + (b - a) * along
//! ```

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};
use stillframe_base::tick::Tick;

use super::clip::{Form, Frames, Group, Keys, LEVELS, RotationRange, Segment, TrackBits, VectorRange, stride};
use super::{CompressedClip, slerp};
use crate::pose::{JobError, JointBlock, check_length};

/// Writes the pose of a compressed clip at a moment.
///
/// Shapes: `out` has the blocks of the clip's joints.
/// Time: ticks from the clip's start; outside the clip the nearer end holds.
pub struct Decompress<'a> {
    pub isa: Isa,
    pub clip: &'a CompressedClip,
    pub at: Tick,
    pub out: &'a mut [JointBlock],
}

impl Decompress<'_> {
    /// A clip is checked when it is made or read; what is left is its length.
    pub fn validate(&self) -> Result<(), JobError> {
        check_length("blocks of the pose", self.out.len(), self.clip.constants.len())
    }

    /// Writes `out`. Panics where it has another length.
    pub fn run(self) {
        self.validate().unwrap_or_else(|error| panic!("{error}"));
        let ticks = self.at.0.clamp(0, self.clip.duration.0);
        match &self.clip.form {
            Form::Frames(frames) => {
                let place = Place::of(frames, ticks);
                self.isa.run_wide(FramesKernel { clip: self.clip, frames, place, out: self.out });
            }
            Form::Keys(keys) => {
                self.isa.run_wide(KeysKernel { clip: self.clip, keys, ticks, out: self.out });
            }
        }
    }
}

/// A moment within its segment.
struct Place<'a> {
    segment: &'a Segment,
    number: usize,
    /// The bit of the interval among those that hold; none at the clip's end, which is the value after the last.
    holding: u64,
    /// Of each level: the bit of the key before the moment, from where its keys begin; how far it is to the next.
    key_bits: [u32; LEVELS + 1],
    along: [f32; LEVELS + 1],
}

impl<'a> Place<'a> {
    fn of(frames: &'a Frames, ticks: i64) -> Place<'a> {
        let frame = (ticks / frames.frame_ticks).min(frames.interval_count as i64 - 1);
        let is_end = ticks - frame * frames.frame_ticks == frames.frame_ticks;
        let rest = (ticks - frame * frames.frame_ticks) as f64 / frames.frame_ticks as f64;
        let number = frame as usize / frames.segment_intervals;
        let frame = frame as usize - number * frames.segment_intervals;
        let segment = &frames.segments[number];
        let (mut key_bits, mut along) = ([0; LEVELS + 1], [0.0; LEVELS + 1]);
        for level in 0..LEVELS {
            let stride = stride(level, segment.interval_count as usize);
            let key = frame / stride;
            key_bits[level] = key as u32 * segment.row_bits[level];
            along[level] = (((frame - key * stride) as f64 + rest) / stride as f64) as f32;
        }
        Place { segment, number, holding: if is_end { 0 } else { 1 << frame }, key_bits, along }
    }
}

/// The first f32 whose fraction counts in ones: whole numbers of 23 bits are its fraction, and it taken away.
const WHOLE: f32 = 8_388_608.0;

/// As many numbers as a byte can name, so that none is looked up beyond.
const READ: usize = 256;

/// The two keys of sixteen tracks as they are read, in rows: four numbers of the first as fractions of [`WHOLE`], four of the second,
/// and how far it is from one to the other.
#[repr(C, align(64))]
struct Read([f32; READ]);

/// Rows of a key.
const TO: u8 = 4;

const ALONG: u8 = 8;

impl Read {
    #[inline(always)]
    fn row(&self, row: u8) -> &Row {
        &bytemuck::cast_ref::<[f32; READ], [Row; READ / ROW]>(&self.0)[usize::from(row)]
    }
}

struct FramesKernel<'a> {
    clip: &'a CompressedClip,
    frames: &'a Frames,
    place: Place<'a>,
    out: &'a mut [JointBlock],
}

impl FramesKernel<'_> {
    /// Lanes without a track keep what was there: their step is 0.
    #[inline(always)]
    fn read(&self, group: &Group, read: &mut Read) {
        let first = self.place.number * self.clip.tracks.len() + group.first as usize;
        let bits = &self.frames.bits[self.place.segment.at as usize..];
        for track in &self.frames.tracks[first..first + group.count as usize] {
            let level = usize::from(track.level & 7);
            let from = track.at + self.place.key_bits[level];
            let to = from + self.place.segment.row_bits[level];
            let along = if track.hold & self.place.holding != 0 { 0.0 } else { self.place.along[level] };
            read.0[usize::from(ALONG * ROW as u8 + track.lane)] = along;
            if track.is_long {
                unpack_long(bits, from, track, 0, read);
                unpack_long(bits, to, track, TO, read);
            } else {
                unpack(bits, from, track, 0, read);
                unpack(bits, to, track, TO, read);
            }
        }
    }
}

/// A key of three numbers in one word.
#[inline(always)]
fn unpack(bits: &[u8], at: u32, track: &TrackBits, row: u8, out: &mut Read) {
    let word = word_at(bits, at);
    let first = row * ROW as u8;
    for i in 0..3 {
        let number = (word >> (track.shifts[i] & 63)) as u32 & track.masks[i];
        out.0[usize::from(track.places[i].wrapping_add(first))] = f32::from_bits(number | WHOLE.to_bits());
    }
    out.0[usize::from(track.places[3].wrapping_add(first))] = WHOLE;
}

/// A key of four numbers, or of many bits.
#[inline(never)]
fn unpack_long(bits: &[u8], at: u32, track: &TrackBits, row: u8, out: &mut Read) {
    let mut at = at;
    for (i, width) in track.widths.into_iter().enumerate() {
        let number = word_at(bits, at) as u32 & ((1u64 << width) - 1) as u32;
        out.0[(usize::from(row) + i) * ROW + usize::from(track.lane)] = f32::from_bits(number | WHOLE.to_bits());
        at += u32::from(width);
    }
}

/// At least 57 bits from a bit on.
#[inline(always)]
fn word_at(bits: &[u8], at: u32) -> u64 {
    let byte = at as usize / 8;
    let bytes = bits.get(byte..byte + 8).and_then(|bytes| bytes.try_into().ok());
    let Some(bytes) = bytes else { unreachable!("a clip's bits are followed by eight bytes") };
    u64::from_le_bytes(bytes) >> (at % 8)
}

/// A number of sixteen tracks.
#[inline(always)]
fn load_whole<W: Wide>(wide: W, read: &Read, row: u8, part: usize) -> W::F32 {
    wide.load(read.row(row), part) - wide.splat(WHOLE)
}

impl WideWork for FramesKernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(mut self, wide: W) {
        let out = std::mem::take(&mut self.out);
        let far = self.place.segment.far;
        let (rotation_count, vector_count) = (self.frames.rotations.len(), self.frames.vectors.len());
        let segments = self.frames.segments.len();
        let rotations = &self.frames.rotations[self.place.number * (rotation_count / segments)..];
        let vectors = &self.frames.vectors[self.place.number * (vector_count / segments)..];
        let mut read = Read([WHOLE; READ]);
        read.0[usize::from(ALONG) * ROW..].fill(0.0);
        for ((groups, constant), out) in self.clip.groups.iter().zip(&self.clip.constants).zip(out) {
            let [rotation, translation, scale] = groups;
            if rotation.count > 0 {
                self.read(rotation, &mut read);
                let range = &rotations[rotation.ranges as usize];
                if far {
                    write_rotations::<W, true>(wide, &read, range, &mut out.rotation);
                } else {
                    write_rotations::<W, false>(wide, &read, range, &mut out.rotation);
                }
            } else {
                copy(wide, &constant.rotation, &mut out.rotation);
            }
            for (group, constant, out) in
                [(translation, &constant.translation, &mut out.translation), (scale, &constant.scale, &mut out.scale)]
            {
                if group.count > 0 {
                    self.read(group, &mut read);
                    write_vectors(wide, &read, &vectors[group.ranges as usize], out);
                } else {
                    copy(wide, constant, out);
                }
            }
        }
    }
}

/// A key in lanes, its left-out number put in.
#[inline(always)]
fn rotation_key<W: Wide>(wide: W, read: &Read, row: u8, range: &RotationRange, part: usize) -> [W::F32; 4] {
    let step = wide.load(&range.step, part);
    let x = wide.load(&range.min[0], part) + step * load_whole(wide, read, row, part);
    let y = wide.load(&range.min[1], part) + step * load_whole(wide, read, row + 1, part);
    let z = wide.load(&range.min[2], part) + step * load_whole(wide, read, row + 2, part);
    let w = wide.load(&range.min[3], part) + step * load_whole(wide, read, row + 3, part);
    let zero = wide.splat(0.0);
    let rest = wide.splat(1.0) - (((x * x + y * y) + z * z) + w * w);
    let out = wide.sqrt(wide.select_less(rest, zero, zero, rest));
    [
        x + out * wide.load(&range.left_out[0], part),
        y + out * wide.load(&range.left_out[1], part),
        z + out * wide.load(&range.left_out[2], part),
        w + out * wide.load(&range.left_out[3], part),
    ]
}

#[inline(always)]
fn write_rotations<W: Wide, const FAR: bool>(wide: W, read: &Read, range: &RotationRange, out: &mut [Row; 4]) {
    for part in 0..ROW / W::WIDTH {
        let part = wide.each(part);
        let a = rotation_key(wide, read, 0, range, part);
        let b = rotation_key(wide, read, TO, range, part);
        between(wide, a, b, wide.load(read.row(ALONG), part), FAR, out, part);
    }
}

/// Along the arc from `a` to `b`, the way that their signs say.
#[inline(always)]
fn between<W: Wide>(
    wide: W,
    a: [W::F32; 4],
    b: [W::F32; 4],
    along: W::F32,
    far: bool,
    out: &mut [Row; 4],
    part: usize,
) {
    let dot = ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3];
    let along = slerp::eased(wide, dot, along, far);
    let x = a[0] + (b[0] - a[0]) * along;
    let y = a[1] + (b[1] - a[1]) * along;
    let z = a[2] + (b[2] - a[2]) * along;
    let w = a[3] + (b[3] - a[3]) * along;
    // No length at all comes from damaged files alone: finite, whatever it is.
    let (square, least) = (((x * x + y * y) + z * z) + w * w, wide.splat(1e-12));
    let factor = wide.splat(1.0) / wide.sqrt(wide.select_less(square, least, least, square));
    wide.store(x * factor, &mut out[0], part);
    wide.store(y * factor, &mut out[1], part);
    wide.store(z * factor, &mut out[2], part);
    wide.store(w * factor, &mut out[3], part);
}

#[inline(always)]
fn write_vectors<W: Wide>(wide: W, read: &Read, range: &VectorRange, out: &mut [Row; 3]) {
    for part in 0..ROW / W::WIDTH {
        let part = wide.each(part);
        let along = wide.load(read.row(ALONG), part);
        let step = wide.load(&range.step, part);
        for i in 0..3u8 {
            let (from, to) = (load_whole(wide, read, i, part), load_whole(wide, read, TO + i, part));
            let i = usize::from(i);
            wide.store(wide.load(&range.min[i], part) + step * (from + (to - from) * along), &mut out[i], part);
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

struct KeysKernel<'a> {
    clip: &'a CompressedClip,
    keys: &'a Keys,
    ticks: i64,
    out: &'a mut [JointBlock],
}

impl WideWork for KeysKernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let KeysKernel { clip, keys, ticks, out } = self;
        let key = keys.times.partition_point(|time| time.0 <= ticks).clamp(1, keys.times.len() - 1) - 1;
        let (start, end) = (keys.times[key].0, keys.times[key + 1].0);
        let along = wide.splat(((ticks.min(end) - start) as f64 / (end - start) as f64) as f32);
        let (from, to) = keys.rows[key * keys.row_count..(key + 2) * keys.row_count].split_at(keys.row_count);
        let mut first_rows = keys.first_rows.iter();
        for ((groups, constant), out) in clip.groups.iter().zip(&clip.constants).zip(out) {
            let mut next = |count: u32| if count > 0 { first_rows.next().map(|row| *row as usize) } else { None };
            let [rotation, translation, scale] = groups.map(|group| next(group.count));
            match rotation {
                Some(row) => {
                    for part in 0..ROW / W::WIDTH {
                        let part = wide.each(part);
                        let load = |rows: &[Row], i: usize| wide.load(&rows[row + i], part);
                        let a = [load(from, 0), load(from, 1), load(from, 2), load(from, 3)];
                        let b = [load(to, 0), load(to, 1), load(to, 2), load(to, 3)];
                        between(wide, a, b, along, true, &mut out.rotation, part);
                    }
                }
                None => copy(wide, &constant.rotation, &mut out.rotation),
            }
            for (row, constant, out) in
                [(translation, &constant.translation, &mut out.translation), (scale, &constant.scale, &mut out.scale)]
            {
                let Some(row) = row else {
                    copy(wide, constant, out);
                    continue;
                };
                for i in 0..3 {
                    for part in 0..ROW / W::WIDTH {
                        let part = wide.each(part);
                        let (a, b) = (wide.load(&from[row + i], part), wide.load(&to[row + i], part));
                        wide.store(a + (b - a) * along, &mut out[i], part);
                    }
                }
            }
        }
    }
}
