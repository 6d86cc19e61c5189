//! Clip: what is in memory of a compressed clip; the bits as they are in the file, what is needed to read them laid out.
//!
//! A segment is a run of frames, both ends included. A track, one property of one joint that moves, has in each segment a level (its
//! keys are every frame, second, fourth, ... thirty-second, or the two ends), a step, and of each number a minimum and a width. Keys of
//! one level at one moment stand together, so that a moment touches two places a level.
//!
//! Of a rotation the number that stays furthest from zero in the segment is left out, and with it its sign; where none stays far
//! all four are kept.

use stillframe_base::lanes::Row;
use stillframe_base::tick::Tick;

use super::ClipForm;
use crate::pose::JointBlock;

/// Levels: 1, 2, 4, ... 32 frames from key to key, or the whole segment.
pub(super) const LEVELS: usize = 7;

/// Intervals of a segment, at most: bits of [`TrackBits::hold`].
pub(super) const SEGMENT_INTERVALS_MAX: usize = 64;

/// Frames from key to key at a level.
pub(super) fn stride(level: usize, interval_count: usize) -> usize {
    if level + 1 == LEVELS { interval_count } else { 1 << level }
}

/// A property of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Rotation,
    Translation,
    Scale,
}

impl Part {
    pub const ALL: [Part; 3] = [Part::Rotation, Part::Translation, Part::Scale];

    /// Numbers it has.
    pub fn width(self) -> usize {
        if self == Part::Rotation { 4 } else { 3 }
    }
}

/// A property of a joint that moves. In order of blocks, parts and joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Track {
    pub joint: u16,
    pub part: Part,
}

/// Tracks of one part of one block, in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub first: u32,
    pub count: u32,
    /// Its place among groups of rotations, or among those of vectors.
    pub ranges: u32,
}

/// Groups of a block: rotation, translation, scale; none moves where `count` is 0.
pub(super) type Groups = [Group; 3];

/// What makes rotations of `q`; lanes that stand still have step 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RotationRange {
    pub min: [Row; 4],
    pub step: Row,
    /// 1 or -1 where the number is left out, 0 elsewhere.
    pub left_out: [Row; 4],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct VectorRange {
    pub min: [Row; 3],
    pub step: Row,
}

/// Where the bits of a track in a segment are, and where its numbers go: `number * 16 + lane`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TrackBits {
    /// A bit an interval: whether the key's value stays until the next. Only where every frame is a key.
    pub hold: u64,
    /// The first key, from the start of the segment's bits.
    pub at: u32,
    /// Of the first three numbers kept: what is left of a key's bits shifted by so many.
    pub masks: [u32; 3],
    pub shifts: [u8; 3],
    /// And of the one that is not kept, if there is one.
    pub places: [u8; 4],
    pub lane: u8,
    pub level: u8,
    /// A key has four numbers, or more bits than one read.
    pub is_long: bool,
    /// Of all four, in order.
    pub widths: [u8; 4],
}

/// A run of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub interval_count: u32,
    /// The first byte of its bits.
    pub at: u32,
    /// Whether a rotation turns by more than 45 degrees from key to key.
    pub far: bool,
    /// Bits from a key to the next, a level; eight of them, so that three bits are a level.
    pub row_bits: [u32; LEVELS + 1],
}

/// Frames a fixed time apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frames {
    pub frame_ticks: i64,
    pub interval_count: usize,
    /// Intervals of a segment; the last may have fewer.
    pub segment_intervals: usize,
    pub segments: Vec<Segment>,
    /// One a segment and track.
    pub tracks: Vec<TrackBits>,
    /// One a segment and group.
    pub rotations: Vec<RotationRange>,
    pub vectors: Vec<VectorRange>,
    /// Of all segments, one after the other; and eight bytes, so that every key can be read as a u64.
    pub bits: Vec<u8>,
}

/// Bits that eight bytes have from any bit of the first on.
pub(super) const WORD_BITS: u32 = 57;

/// What follows the bits.
pub(super) const BITS_PADDING: usize = 8;

/// Keys at any times, in f32: at least two, the first at 0, ascending.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Keys {
    pub times: Vec<Tick>,
    /// Of each key the rows of all groups: four of a rotation, three of a vector.
    pub rows: Vec<Row>,
    /// Rows of a key.
    pub row_count: usize,
    /// The first row of each group, in order of blocks and parts.
    pub first_rows: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    Frames(Frames),
    Keys(Keys),
}

/// A clip within an error bound, in the bits of its file. Made by [`compress`](super::compress) or read by
/// [`from_bytes`](CompressedClip::from_bytes).
#[derive(Clone, Debug, PartialEq)]
pub struct CompressedClip {
    pub(super) joint_count: usize,
    pub(super) duration: Tick,
    /// The value of what does not move, one a block.
    pub(super) constants: Vec<JointBlock>,
    pub(super) tracks: Vec<Track>,
    pub(super) groups: Vec<Groups>,
    pub(super) form: Form,
    /// The file's bytes between its header and the bits of the frames.
    pub(super) head: Vec<u8>,
}

/// How many groups of rotations and of vectors there are in [`groups`].
pub(super) fn group_counts(groups: &[Groups]) -> (usize, usize) {
    let count = |parts: &[usize]| {
        groups.iter().map(|groups| parts.iter().filter(|part| groups[**part].count > 0).count()).sum::<usize>()
    };
    (count(&[0]), count(&[1, 2]))
}

/// Tracks in order of blocks and parts, and where each group of them begins.
pub(super) fn groups(tracks: &[Track], block_count: usize) -> Vec<Groups> {
    let mut out = vec![Groups::default(); block_count];
    let (mut rotations, mut vectors) = (0, 0);
    for (at, track) in tracks.iter().enumerate() {
        let group = &mut out[usize::from(track.joint) / stillframe_base::lanes::ROW][track.part as usize];
        if group.count == 0 {
            group.first = at as u32;
            let next = if track.part == Part::Rotation { &mut rotations } else { &mut vectors };
            group.ranges = *next;
            *next += 1;
        }
        group.count += 1;
    }
    out
}

/// The order of tracks.
pub(super) fn track_order(track: &Track) -> (usize, Part, u16) {
    (usize::from(track.joint) / stillframe_base::lanes::ROW, track.part, track.joint)
}

impl CompressedClip {
    pub fn joint_count(&self) -> usize {
        self.joint_count
    }
    pub fn duration(&self) -> Tick {
        self.duration
    }
    pub fn form(&self) -> ClipForm {
        match &self.form {
            Form::Frames(frames) => {
                ClipForm::Frames { frame_ticks: frames.frame_ticks, frame_count: frames.interval_count + 1 }
            }
            Form::Keys(keys) => ClipForm::Keys { count: keys.times.len() },
        }
    }
    /// The times of a clip of keys.
    pub(super) fn key_times(&self) -> &[Tick] {
        match &self.form {
            Form::Frames(_) => &[],
            Form::Keys(keys) => &keys.times,
        }
    }
    /// What it takes in memory; the file is smaller.
    pub fn memory_bytes(&self) -> usize {
        let form = match &self.form {
            Form::Frames(frames) => {
                size_of_val(&*frames.segments)
                    + size_of_val(&*frames.tracks)
                    + size_of_val(&*frames.rotations)
                    + size_of_val(&*frames.vectors)
                    + size_of_val(&*frames.bits)
            }
            Form::Keys(keys) => size_of_val(&*keys.times) + size_of_val(&*keys.rows) + size_of_val(&*keys.first_rows),
        };
        size_of_val(&*self.constants) + self.head.len() + size_of_val(&*self.tracks) + size_of_val(&*self.groups) + form
    }
}
