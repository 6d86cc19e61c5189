//! Layout: a segment's codes as the bits of the file, and as what the job reads in lanes.
//!
//! In the file keys stand level by level, moment by moment, track by track, each number in as many bits as it needs. In
//! memory tracks that are decoded alike stand side by side, sixteen to a group, whatever their joints; each number of a
//! key of theirs is a row of planes, of half bytes, bytes and 16 bits. Which track stands where follows from the codes
//! alone, so that either can be made of the other.

use stillframe_base::lanes::ROW;

use super::bits::{BitReader, BitWriter};
use super::clip::{
    Frames, Group, Kind, LEVELS, PLANES_PADDING, Part, Planes, RANGES_PADDING, Segment, Still, Track, key_count, place,
};
use super::lattice::{min_of, step};
use super::segment::TrackCode;
use super::slerp::NEAR_DOT;

/// Which tracks are decoded together: sixteen of one kind and level at most, each once.
pub(super) struct Plan {
    pub groups: Vec<(Kind, usize, Vec<usize>)>,
    /// Those that have no keys, rotations first.
    pub stills: Vec<usize>,
}

impl Plan {
    pub fn of(tracks: &[Track], codes: &[TrackCode]) -> Plan {
        let kind = |i: usize| match (tracks[i].part, codes[i].left_out) {
            (Part::Rotation, Some(_)) => Kind::Three,
            (Part::Rotation, None) => Kind::Four,
            _ => Kind::Vector,
        };
        let mut moving: Vec<(Kind, u8, bool, u32, usize)> = Vec::new();
        let mut stills = Vec::new();
        for (i, code) in codes.iter().enumerate() {
            if code.is_still() {
                stills.push(i);
            } else {
                // By size, so that few lanes are wider than they need to be.
                moving.push((kind(i), code.level, code.hold != 0, code.key_bits(), i));
            }
        }
        stills.sort_by_key(|i| (tracks[*i].part != Part::Rotation, *i));
        moving.sort_unstable();
        let mut groups = Vec::new();
        for alike in moving.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
            let (kind, level) = (alike[0].0, usize::from(alike[0].1));
            groups.extend(alike.chunks(ROW).map(|some| {
                let mut members: Vec<usize> = some.iter().map(|track| track.4).collect();
                members.sort_by_key(|i| left_out(&codes[*i]));
                (kind, level, members)
            }));
        }
        Plan { groups, stills }
    }
}

/// The number that is left out; the last where none is.
fn left_out(code: &TrackCode) -> u8 {
    code.left_out.map_or(3, |(out, _)| out)
}

/// Writes a number of a lane into its planes, `row` on.
pub(super) fn put(planes: Planes, row: &mut [u8], count: usize, lane: usize, value: u32) {
    let (mut row, mut value) = (row, value);
    if planes.has_halves() {
        row[2 * lane..][..2].copy_from_slice(&(value as u16).to_le_bytes());
        (row, value) = (&mut row[2 * count..], value >> 16);
    }
    if planes.has_bytes() {
        row[lane] = value as u8;
        (row, value) = (&mut row[count..], value >> 8);
    }
    if planes.has_nibbles() {
        row[lane / 2] |= (value as u8 & 15) << (4 * (lane % 2));
    }
}

/// Reads what [`put`] wrote.
pub(super) fn take(planes: Planes, row: &[u8], count: usize, lane: usize) -> u32 {
    let (mut row, mut value, mut shift) = (row, 0, 0);
    if planes.has_halves() {
        value = u32::from(u16::from_le_bytes([row[2 * lane], row[2 * lane + 1]]));
        (row, shift) = (&row[2 * count..], 16);
    }
    if planes.has_bytes() {
        value |= u32::from(row[lane]) << shift;
        (row, shift) = (&row[count..], shift + 8);
    }
    if planes.has_nibbles() {
        value |= u32::from(row[lane / 2] >> (4 * (lane % 2)) & 15) << shift;
    }
    value
}

/// Codes of a level that have keys.
fn of_level(codes: &[TrackCode], level: usize) -> impl Iterator<Item = usize> + '_ {
    (0..codes.len()).filter(move |i| usize::from(codes[*i].level) == level && !codes[*i].is_still())
}

/// The bits of the keys, level by level, moment by moment, track by track.
pub(super) fn key_bits(codes: &[TrackCode], interval_count: usize) -> Vec<u8> {
    let mut writer = BitWriter::default();
    for level in 0..LEVELS {
        for key in 0..key_count(level, interval_count) {
            for code in of_level(codes, level).map(|i| &codes[i]) {
                for (value, width) in code.keys[key].iter().zip(code.widths) {
                    writer.put(u64::from(*value), u32::from(width));
                }
            }
        }
    }
    writer.finish()
}

/// How many bits [`key_bits`] makes.
pub(super) fn key_bit_count(codes: &[TrackCode], interval_count: usize) -> usize {
    let keys = |code: &TrackCode| key_count(usize::from(code.level), interval_count);
    codes.iter().map(|code| code.key_bits() as usize * keys(code)).sum()
}

/// Reads what [`key_bits`] wrote; none where there is less.
pub(super) fn read_keys(codes: &mut [TrackCode], interval_count: usize, bits: &[u8]) -> Option<()> {
    let mut reader = BitReader::new(bits);
    for level in 0..LEVELS {
        let tracks: Vec<usize> = of_level(codes, level).collect();
        let count = key_count(level, interval_count);
        tracks.iter().for_each(|i| codes[*i].keys.reserve_exact(count));
        for _ in 0..count {
            for i in &tracks {
                let mut key = [0; 4];
                for (number, width) in key.iter_mut().zip(codes[*i].widths) {
                    *number = reader.take(u32::from(width))? as u32;
                }
                codes[*i].keys.push(key);
            }
        }
    }
    reader.is_done().then_some(())
}

/// Numbers of a track in the order in which lanes have them: the one that is left out comes last.
fn order(kind: Kind, code: &TrackCode) -> [usize; 4] {
    match (kind, code.left_out) {
        (Kind::Three, Some((0, _))) => [1, 2, 3, 0],
        (Kind::Three, Some((1, _))) => [0, 2, 3, 1],
        (Kind::Three, Some((2, _))) => [0, 1, 3, 2],
        _ => [0, 1, 2, 3],
    }
}

/// The rotation of a key, not rounded to f32.
fn rotation(code: &TrackCode, key: &[u32; 4]) -> [f64; 4] {
    let step = step(code.step);
    let mut q = [0, 1, 2, 3].map(|i| f64::from(min_of(code.mins[i], step)) + f64::from(step) * f64::from(key[i]));
    if let Some((i, negative)) = code.left_out {
        let rest = (1.0 - q.iter().map(|x| x * x).sum::<f64>()).max(0.0).sqrt();
        q[usize::from(i)] = if negative { -rest } else { rest };
    }
    q
}

/// How far the square of a rotation's length may be from 1: more are there in damaged files, and where turns are hardly
/// seen.
const SQUARE_OFF_MAX: f64 = 0.005;

/// Whether a rotation turns by more than 45 degrees from key to key, or is none.
fn is_far(code: &TrackCode) -> bool {
    let quats: Vec<[f64; 4]> = code.keys.iter().map(|key| rotation(code, key)).collect();
    let dot = |a: &[f64; 4], b: &[f64; 4]| (0..4).map(|i| a[i] * b[i]).sum::<f64>();
    quats.iter().any(|quat| (dot(quat, quat) - 1.0).abs() > SQUARE_OFF_MAX)
        || quats.windows(2).any(|pair| dot(&pair[0], &pair[1]) < NEAR_DOT)
}

/// The value of a track that stands still, as the job would make it of two equal keys.
fn still_value(part: Part, code: &TrackCode) -> [f32; 4] {
    let mins = code.mins.map(|min| min_of(min, step(code.step)));
    if part != Part::Rotation {
        return mins;
    }
    super::slerp::unit(rotation(code, &[0; 4])).map(|number| number as f32)
}

impl Frames {
    /// Adds a segment.
    pub fn push(&mut self, tracks: &[Track], codes: &[TrackCode], interval_count: usize) {
        let Plan { groups, stills } = Plan::of(tracks, codes);
        self.segments.push(Segment {
            interval_count: interval_count as u32,
            first_group: self.groups.len() as u32,
            group_count: groups.len() as u32,
            first_still: self.stills.len() as u32,
            still_rotations: stills.iter().filter(|i| tracks[**i].part == Part::Rotation).count() as u32,
            still_count: stills.len() as u32,
        });
        self.stills.extend(
            stills
                .iter()
                .map(|i| Still { place: place(tracks[*i]), numbers: still_value(tracks[*i].part, &codes[*i]) }),
        );
        self.ranges.truncate(self.ranges.len() - RANGES_PADDING);
        self.planes.truncate(self.planes.len() - PLANES_PADDING);
        for (kind, level, members) in groups {
            let (keys, width, count) = (key_count(level, interval_count), kind.width(), members.len());
            let mut planes = [Planes::default(); 4];
            for i in &members {
                for (planes, number) in planes[..width].iter_mut().zip(order(kind, &codes[*i])) {
                    planes.0 = planes.0.max(Planes::for_width(codes[*i].widths[number]).0);
                }
            }
            let key_bytes: usize = planes.iter().map(|planes| planes.bytes(count)).sum();
            let (first_range, first_key) = (self.ranges.len(), self.planes.len());
            self.groups.push(Group {
                kind,
                level: level as u8,
                far: kind != Kind::Vector && members.iter().any(|i| is_far(&codes[*i])),
                holds: codes[members[0]].hold != 0,
                count: count as u8,
                left_out_ends: [0, 1, 2, 3].map(|out| members.partition_point(|i| left_out(&codes[*i]) <= out) as u8),
                planes,
                key_bytes: key_bytes as u32,
                first_range: first_range as u32,
                first_place: self.places.len() as u32,
                first_hold: self.holds.len() as u32,
                first_key: first_key as u32,
            });
            self.ranges.resize(first_range + (width + 1) * count, 0.0);
            self.planes.resize(first_key + keys * key_bytes, 0);
            for (lane, i) in members.iter().enumerate() {
                let code = &codes[*i];
                let (numbers, step) = (order(kind, code), step(code.step));
                let ranges = &mut self.ranges[first_range..];
                for (row, number) in numbers[..width].iter().enumerate() {
                    ranges[row * count + lane] = min_of(code.mins[*number], step);
                }
                let negative = code.left_out.is_some_and(|(_, negative)| negative);
                ranges[width * count + lane] = if negative { -step } else { step };
                self.places.push(place(tracks[*i]));
                if code.hold != 0 {
                    self.holds.push(code.hold);
                }
                for (key, values) in self.planes[first_key..].chunks_exact_mut(key_bytes).zip(&code.keys) {
                    let mut at = 0;
                    for (planes, number) in planes[..width].iter().zip(numbers) {
                        put(*planes, &mut key[at..], count, lane, values[number]);
                        at += planes.bytes(count);
                    }
                }
            }
        }
        self.ranges.resize(self.ranges.len() + RANGES_PADDING, 0.0);
        self.planes.resize(self.planes.len() + PLANES_PADDING, 0);
    }

    /// Takes the last segment back.
    pub fn pop(&mut self) {
        let Some(segment) = self.segments.pop() else { return };
        self.stills.truncate(segment.first_still as usize);
        if let Some(group) = self.groups.get(segment.first_group as usize) {
            self.ranges.truncate(group.first_range as usize);
            self.ranges.resize(group.first_range as usize + RANGES_PADDING, 0.0);
            self.planes.truncate(group.first_key as usize);
            self.planes.resize(group.first_key as usize + PLANES_PADDING, 0);
            self.places.truncate(group.first_place as usize);
            self.holds.truncate(group.first_hold as usize);
        }
        self.groups.truncate(segment.first_group as usize);
    }

    /// Fills the keys of a segment's codes.
    pub fn take_keys(&self, segment: &Segment, tracks: &[Track], codes: &mut [TrackCode]) {
        let groups = &self.groups[segment.first_group as usize..];
        for ((kind, level, members), group) in Plan::of(tracks, codes).groups.into_iter().zip(groups) {
            let (count, keys) = (members.len(), key_count(level, segment.interval_count as usize));
            for (lane, i) in members.into_iter().enumerate() {
                let numbers = order(kind, &codes[i]);
                for key in self.planes[group.first_key as usize..].chunks_exact(group.key_bytes as usize).take(keys) {
                    let (mut values, mut at) = ([0; 4], 0);
                    for (planes, number) in group.planes[..kind.width()].iter().zip(numbers) {
                        values[number] = take(*planes, &key[at..], count, lane);
                        at += planes.bytes(count);
                    }
                    codes[i].keys.push(values);
                }
            }
        }
    }
}
