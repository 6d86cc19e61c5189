//! Layout: a segment's codes as its bits, and what is needed to read them in lanes.

use stillframe_base::lanes::{ROW, Row};

use super::bits::BitWriter;
use super::clip::{
    BITS_PADDING, Frames, Groups, LEVELS, Part, RotationRange, Segment, Track, TrackBits, VectorRange, WORD_BITS,
    group_counts, stride,
};
use super::lattice::{min_of, step};
use super::segment::TrackCode;
use super::slerp::NEAR_DOT;
use crate::pose::JointBlock;

/// The bits of the keys, level by level, moment by moment, track by track.
pub(super) fn key_bits(codes: &[TrackCode], interval_count: usize) -> Vec<u8> {
    let mut writer = BitWriter::default();
    for level in 0..LEVELS {
        let of_level = || codes.iter().filter(|code| usize::from(code.level) == level && !code.keys.is_empty());
        if of_level().next().is_none() {
            continue;
        }
        for key in 0..=interval_count / stride(level, interval_count) {
            for code in of_level() {
                for (value, width) in code.keys[key].iter().zip(code.widths) {
                    writer.put(u64::from(*value), u32::from(width));
                }
            }
        }
    }
    writer.finish()
}

/// Bits of a row of keys at each level, and of all of them together.
pub(super) fn sizes(codes: &[TrackCode], interval_count: usize) -> ([u32; LEVELS + 1], usize) {
    let mut rows = [0u32; LEVELS + 1];
    codes.iter().for_each(|code| rows[usize::from(code.level)] += code.key_bits());
    let all = (0..LEVELS)
        .filter(|level| rows[*level] > 0)
        .map(|level| rows[level] as usize * (interval_count / stride(level, interval_count) + 1));
    (rows, all.sum())
}

/// Whether a rotation turns by more than 45 degrees from key to key.
pub(super) fn is_far(tracks: &[Track], codes: &[TrackCode]) -> bool {
    let quat = |code: &TrackCode, key: &[u32; 4]| {
        let step = step(code.step);
        let mut q = [0, 1, 2, 3].map(|i| f64::from(min_of(code.mins[i], step)) + f64::from(step) * f64::from(key[i]));
        if let Some((i, negative)) = code.left_out {
            let rest = (1.0 - q.iter().map(|x| x * x).sum::<f64>()).max(0.0).sqrt();
            q[usize::from(i)] = if negative { -rest } else { rest };
        }
        q
    };
    let turns = |code: &TrackCode| {
        code.keys.windows(2).any(|pair| {
            let (a, b) = (quat(code, &pair[0]), quat(code, &pair[1]));
            (0..4).map(|i| a[i] * b[i]).sum::<f64>() < NEAR_DOT
        })
    };
    tracks.iter().zip(codes).any(|(track, code)| track.part == Part::Rotation && turns(code))
}

/// Where a track is, in fours as the job reads it.
fn track_bits(code: &TrackCode, at: u32, lane: usize) -> TrackBits {
    let out = code.left_out.map_or(3, |(out, _)| usize::from(out));
    let mut bits = TrackBits {
        hold: code.hold,
        at,
        masks: [0; 3],
        shifts: [0; 3],
        places: [0; 4],
        lane: lane as u8,
        level: code.level,
        is_long: code.key_bits() > WORD_BITS || code.widths[out] > 0,
        widths: code.widths,
    };
    bits.places[3] = (out * ROW + lane) as u8;
    let mut shift = 0;
    for (i, number) in (0..4).filter(|number| *number != out).enumerate() {
        bits.masks[i] = ((1u64 << code.widths[number]) - 1) as u32;
        bits.shifts[i] = shift;
        bits.places[i] = (number * ROW + lane) as u8;
        // Of long keys these are not used.
        shift = (shift + code.widths[number]).min(63);
    }
    bits
}

impl Frames {
    /// Adds a segment; `bits` are those of its keys.
    pub fn push(
        &mut self,
        tracks: &[Track],
        groups: &[Groups],
        constants: &[JointBlock],
        codes: &[TrackCode],
        interval_count: usize,
        far: bool,
        bits: &[u8],
    ) {
        self.bits.truncate(self.bits.len().saturating_sub(BITS_PADDING));
        let (row_bits, _) = sizes(codes, interval_count);
        self.segments.push(Segment {
            interval_count: interval_count as u32,
            at: self.bits.len() as u32,
            far,
            row_bits,
        });
        self.bits.extend(bits);
        self.bits.resize(self.bits.len() + BITS_PADDING, 0);

        let (rotation_count, vector_count) = group_counts(groups);
        let (first_rotation, first_vector) = (self.rotations.len(), self.vectors.len());
        let none = RotationRange { min: [Row::ZERO; 4], step: Row::ZERO, left_out: [Row::ZERO; 4] };
        self.rotations.resize(first_rotation + rotation_count, none);
        self.vectors.resize(first_vector + vector_count, VectorRange { min: [Row::ZERO; 3], step: Row::ZERO });
        for (groups, constant) in groups.iter().zip(constants) {
            if groups[0].count > 0 {
                self.rotations[first_rotation + groups[0].ranges as usize].min = constant.rotation;
            }
            for (group, constant) in [(groups[1], constant.translation), (groups[2], constant.scale)] {
                if group.count > 0 {
                    self.vectors[first_vector + group.ranges as usize].min = constant;
                }
            }
        }

        let mut next = [0u32; LEVELS];
        let mut start = 0;
        for level in 0..LEVELS {
            next[level] = start;
            if row_bits[level] > 0 {
                start += row_bits[level] * (interval_count / stride(level, interval_count) + 1) as u32;
            }
        }
        for (track, code) in tracks.iter().zip(codes) {
            let (block, lane) = (usize::from(track.joint) / ROW, usize::from(track.joint) % ROW);
            let level = usize::from(code.level);
            self.tracks.push(track_bits(code, next[level], lane));
            next[level] += code.key_bits();
            let group = groups[block][track.part as usize];
            let step = step(code.step);
            if track.part == Part::Rotation {
                let range = &mut self.rotations[first_rotation + group.ranges as usize];
                (0..4).for_each(|i| range.min[i].0[lane] = min_of(code.mins[i], step));
                range.step.0[lane] = step;
                if let Some((i, negative)) = code.left_out {
                    range.left_out[usize::from(i)].0[lane] = if negative { -1.0 } else { 1.0 };
                }
            } else {
                let range = &mut self.vectors[first_vector + group.ranges as usize];
                (0..3).for_each(|i| range.min[i].0[lane] = min_of(code.mins[i], step));
                range.step.0[lane] = step;
            }
        }
    }

    /// Takes the last segment back.
    pub fn pop(&mut self, track_count: usize, groups: &[Groups]) {
        let Some(segment) = self.segments.pop() else { return };
        let (rotation_count, vector_count) = group_counts(groups);
        self.bits.truncate(segment.at as usize);
        self.bits.resize(segment.at as usize + BITS_PADDING, 0);
        self.tracks.truncate(self.tracks.len() - track_count);
        self.rotations.truncate(self.rotations.len() - rotation_count);
        self.vectors.truncate(self.vectors.len() - vector_count);
    }
}
