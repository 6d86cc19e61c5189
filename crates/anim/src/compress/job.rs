//! Job: the local pose of a compressed clip at a moment.
//!
//! ```text
//! out = constants;  for each track that stands still in the moment's segment: out there = its value
//! for each group of sixteen tracks: its keys before and after the moment -> q0, q1, as whole numbers
//!   number = min + step * q
//!   the number left out = sign * sqrt(1 - x x - y y - z z)
//!   rotation = unit(a + (b - a) * eased(along)); others = a + (b - a) * along
//!   out where each track's joint is = its lane
//! ```

use std::ops::Range;

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};
use stillframe_base::tick::Tick;

use super::clip::{Form, Frames, Group, Keys, Kind, LEVELS, Planes, Segment};
use super::{CompressedClip, slerp};
use crate::pose::{JobError, JointBlock, check_length};
use crate::sample::load_u16;

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
    /// The bit of the interval among those that hold; none at the clip's end, which is the value after the last.
    holding: u64,
    /// Of each level: the key before the moment; how far it is to the next.
    keys: [u32; LEVELS],
    along: [f32; LEVELS],
}

impl<'a> Place<'a> {
    fn of(frames: &'a Frames, ticks: i64) -> Place<'a> {
        let frame = (ticks / frames.frame_ticks).min(frames.interval_count as i64 - 1);
        let is_end = ticks - frame * frames.frame_ticks == frames.frame_ticks;
        let rest = (ticks - frame * frames.frame_ticks) as f64 / frames.frame_ticks as f64;
        let number = frame as usize / frames.segment_intervals;
        let frame = frame as usize - number * frames.segment_intervals;
        let segment = &frames.segments[number];
        let (mut keys, mut along) = ([0; LEVELS], [0.0; LEVELS]);
        for level in 0..LEVELS - 1 {
            let key = frame >> level;
            keys[level] = key as u32;
            along[level] = (((frame - (key << level)) as f64 + rest) * (1.0 / f64::from(1u32 << level))) as f32;
        }
        along[LEVELS - 1] = ((frame as f64 + rest) / f64::from(segment.interval_count)) as f32;
        Place { segment, holding: if is_end { 0 } else { 1 << frame }, keys, along }
    }
}

/// Sixteen numbers that may begin anywhere; what follows the last is read and not used.
#[inline(always)]
fn chunk<const N: usize, T>(from: &[T]) -> &[T; N] {
    let Some(chunk) = from.first_chunk() else { unreachable!("a clip's planes and ranges are followed by room") };
    chunk
}

/// Half bytes as bytes, the low one first.
#[inline(always)]
fn nibbles(from: &[u8; ROW / 2]) -> [u8; ROW] {
    let spread = |four: u32| {
        let x = u64::from(four);
        let x = (x | x << 16) & 0x0000_FFFF_0000_FFFF;
        let x = (x | x << 8) & 0x00FF_00FF_00FF_00FF;
        ((x | x << 4) & 0x0F0F_0F0F_0F0F_0F0F).to_le_bytes()
    };
    let [a, b, c, d, e, f, g, h] = *from;
    bytemuck::cast([spread(u32::from_le_bytes([a, b, c, d])), spread(u32::from_le_bytes([e, f, g, h]))])
}

/// Two planes as one: the high numbers count `scale` of the low ones.
#[inline(always)]
fn join<W: Wide>(wide: W, low: W::F32, high: W::F32, scale: f32) -> W::F32 {
    low + wide.splat(scale) * high
}

/// The numbers of a row of planes of two keys, of `count` lanes.
#[inline(always)]
fn unpack<W: Wide>(wide: W, planes: Planes, keys: [&[u8]; 2], count: usize, out: [&mut Row; 2]) {
    let halves =
        |from: &[u8]| bytemuck::pod_read_unaligned::<[u16; ROW]>(chunk::<{ 2 * ROW }, u8>(from)).map(u16::from_le);
    let [from, to] = keys;
    let [a, b] = out;
    let parts = count.div_ceil(W::WIDTH);
    match planes.0 {
        0 => (a.0, b.0) = ([0.0; ROW], [0.0; ROW]),
        1 | 2 => {
            let [from, to] =
                if planes.0 == 1 { [nibbles(chunk(from)), nibbles(chunk(to))] } else { [*chunk(from), *chunk(to)] };
            for part in 0..parts {
                let part = wide.each(part);
                wide.store(wide.load_u8(&from, part), a, part);
                wide.store(wide.load_u8(&to, part), b, part);
            }
        }
        3 => {
            let (from, from_high) = (chunk(from), nibbles(chunk(&from[count..])));
            let (to, to_high) = (chunk(to), nibbles(chunk(&to[count..])));
            for part in 0..parts {
                let part = wide.each(part);
                wide.store(join(wide, wide.load_u8(from, part), wide.load_u8(&from_high, part), 256.0), a, part);
                wide.store(join(wide, wide.load_u8(to, part), wide.load_u8(&to_high, part), 256.0), b, part);
            }
        }
        4 => {
            let (from, to) = (halves(from), halves(to));
            for part in 0..parts {
                let part = wide.each(part);
                wide.store(load_u16(wide, &from, part), a, part);
                wide.store(load_u16(wide, &to, part), b, part);
            }
        }
        high => {
            for (from, out) in [(from, a), (to, b)] {
                let (h, rest) = (halves(from), &from[2 * count..]);
                let high = if high == 5 { nibbles(chunk(rest)) } else { *chunk(rest) };
                for part in 0..parts {
                    let part = wide.each(part);
                    wide.store(join(wide, load_u16(wide, &h, part), wide.load_u8(&high, part), 65536.0), out, part);
                }
            }
        }
    }
}

/// Floats from the first number of a rotation to the next, and of all of them.
const FOUR: usize = 3 * ROW + 1;

/// And of a translation or a scale.
const THREE: usize = 2 * ROW + 1;

struct FramesKernel<'a> {
    clip: &'a CompressedClip,
    frames: &'a Frames,
    place: Place<'a>,
    out: &'a mut [JointBlock],
}

/// A group at a moment: numbers of both keys, minima and steps.
struct Read {
    from: [Row; 4],
    to: [Row; 4],
    min: [Row; 4],
    step: Row,
    along: Row,
}

impl Read {
    #[inline(always)]
    fn number<W: Wide>(&self, wide: W, step: W::F32, row: usize, part: usize) -> [W::F32; 2] {
        let min = wide.load(&self.min[row], part);
        [min + step * wide.load(&self.from[row], part), min + step * wide.load(&self.to[row], part)]
    }

    /// Both keys of rotations, the number left out put in as the fourth.
    #[inline(always)]
    fn three<W: Wide>(&self, wide: W, part: usize) -> [[W::F32; 4]; 2] {
        let step = wide.load(&self.step, part);
        let sign = wide.sign(step);
        let step = wide.flip(step, sign);
        let [x0, x1] = self.number(wide, step, 0, part);
        let [y0, y1] = self.number(wide, step, 1, part);
        let [z0, z1] = self.number(wide, step, 2, part);
        let (zero, one) = (wide.splat(0.0), wide.splat(1.0));
        let rest0 = one - ((x0 * x0 + y0 * y0) + z0 * z0);
        let rest1 = one - ((x1 * x1 + y1 * y1) + z1 * z1);
        let w0 = wide.flip(wide.sqrt(wide.select_less(rest0, zero, zero, rest0)), sign);
        let w1 = wide.flip(wide.sqrt(wide.select_less(rest1, zero, zero, rest1)), sign);
        [[x0, y0, z0, w0], [x1, y1, z1, w1]]
    }

    #[inline(always)]
    fn four<W: Wide>(&self, wide: W, part: usize) -> [[W::F32; 4]; 2] {
        let step = wide.load(&self.step, part);
        let [x0, x1] = self.number(wide, step, 0, part);
        let [y0, y1] = self.number(wide, step, 1, part);
        let [z0, z1] = self.number(wide, step, 2, part);
        let [w0, w1] = self.number(wide, step, 3, part);
        [[x0, y0, z0, w0], [x1, y1, z1, w1]]
    }
}

impl FramesKernel<'_> {
    #[inline(always)]
    fn group<W: Wide>(&self, wide: W, group: &Group, read: &mut Read, rows: &mut [Row; 4], out: &mut [f32]) {
        let (width, level, count) = (group.kind.width(), usize::from(group.level), usize::from(group.count));
        let key_bytes = group.key_bytes as usize;
        let mut from = &self.frames.planes[group.first_key as usize + self.place.keys[level] as usize * key_bytes..];
        let ranges = &self.frames.ranges[group.first_range as usize..];
        for row in 0..width {
            let planes = group.planes[row];
            unpack(wide, planes, [from, &from[key_bytes..]], count, [&mut read.from[row], &mut read.to[row]]);
            from = &from[planes.bytes(count)..];
            read.min[row].0 = *chunk(&ranges[row * count..]);
        }
        read.step.0 = *chunk(&ranges[width * count..]);
        read.along.0 = [self.place.along[level]; ROW];
        if group.holds {
            let holds = &self.frames.holds[group.first_hold as usize..][..count];
            for (along, hold) in read.along.0.iter_mut().zip(holds) {
                *along = if hold & self.place.holding != 0 { 0.0 } else { *along };
            }
        }
        match (group.kind, group.far) {
            (Kind::Three, false) => rotations::<W, false, false>(wide, read, count, rows),
            (Kind::Three, true) => rotations::<W, false, true>(wide, read, count, rows),
            (Kind::Four, false) => rotations::<W, true, false>(wide, read, count, rows),
            (Kind::Four, true) => rotations::<W, true, true>(wide, read, count, rows),
            (Kind::Vector, _) => vectors(wide, read, count, rows),
        }
        let places = &self.frames.places[group.first_place as usize..][..count];
        if group.kind == Kind::Vector {
            for (lane, place) in places.iter().enumerate() {
                let out = &mut out[*place as usize..][..THREE];
                (0..3).for_each(|i| out[i * ROW] = rows[i].0[lane]);
            }
            return;
        }
        let [a, b, c, d] = group.left_out_ends.map(usize::from);
        scatter(rows, 0..a, places, [1, 2, 3, 0], out);
        scatter(rows, a..b, places, [0, 2, 3, 1], out);
        scatter(rows, b..c, places, [0, 1, 3, 2], out);
        scatter(rows, c..d, places, [0, 1, 2, 3], out);
    }
}

/// Writes lanes of rotations where their joints are, each row as the number that `numbers` says.
#[inline(always)]
fn scatter(rows: &[Row; 4], lanes: Range<usize>, places: &[u32], numbers: [usize; 4], out: &mut [f32]) {
    for lane in lanes {
        let out = &mut out[places[lane] as usize..][..FOUR];
        (0..4).for_each(|i| out[numbers[i] * ROW] = rows[i].0[lane & (ROW - 1)]);
    }
}

impl WideWork for FramesKernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(mut self, wide: W) {
        let out = std::mem::take(&mut self.out);
        out.copy_from_slice(&self.clip.constants);
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        let segment = self.place.segment;
        let stills = &self.frames.stills[segment.first_still as usize..][..segment.still_count as usize];
        let (turned, moved) = stills.split_at(segment.still_rotations as usize);
        for still in turned {
            let out = &mut out[still.place as usize..][..FOUR];
            (0..4).for_each(|i| out[i * ROW] = still.numbers[i]);
        }
        for still in moved {
            let out = &mut out[still.place as usize..][..THREE];
            (0..3).for_each(|i| out[i * ROW] = still.numbers[i]);
        }
        let (zeros, mut rows) = ([Row::ZERO; 4], [Row::ZERO; 4]);
        let mut read = Read { from: zeros, to: zeros, min: zeros, step: Row::ZERO, along: Row::ZERO };
        for group in &self.frames.groups[segment.first_group as usize..][..segment.group_count as usize] {
            self.group(wide, group, &mut read, &mut rows, out);
        }
    }
}

#[inline(always)]
fn rotations<W: Wide, const ALL: bool, const FAR: bool>(wide: W, read: &Read, count: usize, out: &mut [Row; 4]) {
    for part in 0..count.div_ceil(W::WIDTH) {
        let part = wide.each(part);
        let [a, b] = if ALL { read.four(wide, part) } else { read.three(wide, part) };
        between(wide, a, b, wide.load(&read.along, part), FAR, out, part);
    }
}

#[inline(always)]
fn vectors<W: Wide>(wide: W, read: &Read, count: usize, out: &mut [Row; 4]) {
    for part in 0..count.div_ceil(W::WIDTH) {
        let part = wide.each(part);
        let (along, step) = (wide.load(&read.along, part), wide.load(&read.step, part));
        for row in 0..3 {
            let (from, to) = (wide.load(&read.from[row], part), wide.load(&read.to[row], part));
            wide.store(wide.load(&read.min[row], part) + step * (from + (to - from) * along), &mut out[row], part);
        }
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
    let square = (x * x + y * y) + (z * z + w * w);
    let factor = if far {
        // No length at all comes from damaged files alone: finite, whatever it is.
        let least = wide.splat(1e-12);
        wide.splat(1.0) / wide.sqrt(wide.select_less(square, least, least, square))
    } else {
        slerp::inverse_root(wide, square)
    };
    wide.store(x * factor, &mut out[0], part);
    wide.store(y * factor, &mut out[1], part);
    wide.store(z * factor, &mut out[2], part);
    wide.store(w * factor, &mut out[3], part);
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
        for ((tracks, constant), out) in clip.blocks.iter().zip(&clip.constants).zip(out) {
            let mut next = |count: u32| if count > 0 { first_rows.next().map(|row| *row as usize) } else { None };
            let [rotation, translation, scale] = tracks.map(|part| next(part.count));
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

#[cfg(test)]
mod tests {
    use stillframe_base::rng::Rng;

    use super::super::clip::PLANES_PADDING;
    use super::super::layout::{put, take};
    use super::*;

    struct Unpack<'a> {
        planes: Planes,
        keys: [&'a [u8]; 2],
        count: usize,
    }

    impl WideWork for Unpack<'_> {
        type Out = [Row; 2];
        #[inline(always)]
        fn run<W: Wide>(self, wide: W) -> [Row; 2] {
            let [mut from, mut to] = [Row::ZERO; 2];
            unpack(wide, self.planes, self.keys, self.count, [&mut from, &mut to]);
            [from, to]
        }
    }

    /// Numbers of every width, in every number of lanes, come back whole on every instruction set.
    #[test]
    fn planes_are_unpacked() {
        let mut random = Rng::new(3).stream("planes", 0);
        for width in 0..=24u8 {
            for count in 1..=ROW {
                let planes = Planes::for_width(width);
                assert!(planes.bytes(count) * 8 >= usize::from(width) * count);
                let low = ((1u64 << width) - 1) as u32;
                // The first is the largest there is; what follows the row is not its own.
                let keys = [0, 1].map(|key| {
                    let numbers: Vec<u32> =
                        (0..count).map(|i| if i == key { low } else { random.below(1 << 24) & low }).collect();
                    let mut bytes = vec![0; planes.bytes(count)];
                    for (lane, number) in numbers.iter().enumerate() {
                        put(planes, &mut bytes, count, lane, *number);
                    }
                    bytes.resize(bytes.len() + PLANES_PADDING, 0xA5);
                    for (lane, number) in numbers.iter().enumerate() {
                        assert_eq!(take(planes, &bytes, count, lane), *number, "{width} bits, lane {lane} of {count}");
                    }
                    (bytes, numbers)
                });
                for isa in Isa::available() {
                    let rows = isa.run_wide(Unpack { planes, keys: [&keys[0].0, &keys[1].0], count });
                    for (row, (_, numbers)) in rows.iter().zip(&keys) {
                        let want: Vec<f32> = numbers.iter().map(|number| *number as f32).collect();
                        assert_eq!(row.0[..count], want, "{width} bits, {count} lanes, {isa}");
                    }
                }
            }
        }
    }
}
