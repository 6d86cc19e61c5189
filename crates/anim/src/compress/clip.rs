//! Clip: what is in memory of a compressed clip, laid out to be read in lanes.
//!
//! A segment is a run of frames, both ends included. A track, one property of one joint that moves, has in each segment
//! a level (its keys are every frame, second, fourth, ... thirty-second, or the two ends), a step, and of each number a
//! minimum and a width. Up to sixteen tracks of one kind and level, of any joints, are a group: a key of theirs is
//! three or four rows of [`Planes`], with no place for lanes that have no track. A moment is found by arithmetic; it
//! touches two keys a group, and writes each track where its joint is.
//!
//! Of a rotation the number that stays furthest from zero in the segment is left out, and with it its sign; where none
//! stays far all four are kept. What stands still in a segment has its value once. What stands still in the clip is
//! among the constants.

use stillframe_base::lanes::{ROW, Row};
use stillframe_base::tick::Tick;

use super::ClipForm;
use crate::pose::JointBlock;

/// Levels: 1, 2, 4, ... 32 frames from key to key, or the whole segment.
pub(super) const LEVELS: usize = 7;

/// Intervals of a segment, at most: bits of what holds.
pub(super) const SEGMENT_INTERVALS_MAX: usize = 64;

/// Frames from key to key at a level.
pub(super) fn stride(level: usize, interval_count: usize) -> usize {
    if level + 1 == LEVELS { interval_count } else { 1 << level }
}

/// Keys of a track at a level.
pub(super) fn key_count(level: usize, interval_count: usize) -> usize {
    interval_count / stride(level, interval_count) + 1
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
pub(super) struct PartTracks {
    pub first: u32,
    pub count: u32,
}

/// Tracks of a block: rotation, translation, scale; none moves where `count` is 0.
pub(super) type BlockTracks = [PartTracks; 3];

/// How the tracks of a group are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Rotations whose fourth number follows from three.
    Three,
    /// Rotations of four numbers.
    Four,
    /// Translations and scales.
    Vector,
}

impl Kind {
    /// Numbers of a key.
    pub fn width(self) -> usize {
        if self == Kind::Four { 4 } else { 3 }
    }
}

/// How a number of the lanes of a group is kept, in half bytes: a plane of 16 bits where there are four or more, one of
/// bytes for two more, one of half bytes for one more; the low bits in the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Planes(pub u8);

impl Planes {
    /// Planes for numbers of so many bits.
    pub fn for_width(width: u8) -> Planes {
        Planes(width.div_ceil(4))
    }
    pub fn has_halves(self) -> bool {
        self.0 >= 4
    }
    pub fn has_bytes(self) -> bool {
        self.0 & 2 != 0
    }
    pub fn has_nibbles(self) -> bool {
        self.0 & 1 != 0
    }
    /// Bytes of a row of so many lanes.
    pub fn bytes(self, count: usize) -> usize {
        usize::from(self.has_halves()) * 2 * count
            + usize::from(self.has_bytes()) * count
            + usize::from(self.has_nibbles()) * count.div_ceil(2)
    }
}

/// What follows the planes, so that each can be read as if it had sixteen lanes.
pub(super) const PLANES_PADDING: usize = 2 * ROW;

/// What follows the ranges.
pub(super) const RANGES_PADDING: usize = ROW;

/// Up to sixteen tracks of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub kind: Kind,
    pub level: u8,
    /// Whether a rotation turns by more than 45 degrees from key to key.
    pub far: bool,
    /// Whether there are values that stay until the next key: `first_hold` is where it says which.
    pub holds: bool,
    /// Tracks: entries of `places`, rows of `ranges` and of `holds` have so many.
    pub count: u8,
    /// Where the lanes end that leave out the first number of a rotation, the second, third and fourth, or none.
    pub left_out_ends: [u8; 4],
    /// Of the numbers of a key.
    pub planes: [Planes; 4],
    /// Bytes of a key.
    pub key_bytes: u32,
    pub first_range: u32,
    pub first_place: u32,
    pub first_hold: u32,
    /// The first byte of the first key.
    pub first_key: u32,
}

/// A track that stands still in a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Still {
    pub place: u32,
    pub numbers: [f32; 4],
}

/// A run of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub interval_count: u32,
    pub first_group: u32,
    pub group_count: u32,
    /// Rotations, then the others.
    pub first_still: u32,
    pub still_rotations: u32,
    pub still_count: u32,
}

/// Floats of a block of joints.
const BLOCK_FLOATS: usize = size_of::<JointBlock>() / size_of::<f32>();

/// Where a track is written: the float of its first number in the pose.
pub(super) fn place(track: Track) -> u32 {
    let (block, lane) = (usize::from(track.joint) / ROW, usize::from(track.joint) % ROW);
    let part = match track.part {
        Part::Rotation => std::mem::offset_of!(JointBlock, rotation),
        Part::Translation => std::mem::offset_of!(JointBlock, translation),
        Part::Scale => std::mem::offset_of!(JointBlock, scale),
    };
    (block * BLOCK_FLOATS + part / size_of::<f32>() + lane) as u32
}

/// Frames a fixed time apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frames {
    pub frame_ticks: i64,
    pub interval_count: usize,
    /// Intervals of a segment; the last may have fewer.
    pub segment_intervals: usize,
    pub segments: Vec<Segment>,
    /// Of all segments, one after the other; so are the others.
    pub groups: Vec<Group>,
    pub stills: Vec<Still>,
    /// Rows of a group: minima and step, for [`Kind::Three`] with the sign of what is left out.
    pub ranges: Vec<f32>,
    /// Of each track of a group.
    pub places: Vec<u32>,
    /// Of each track of a group that holds a bit an interval: whether the key's value stays until the next. Only where
    /// every frame is a key.
    pub holds: Vec<u64>,
    /// Keys: of each the planes of its numbers.
    pub planes: Vec<u8>,
}

impl Frames {
    /// Without segments.
    pub fn new(frame_ticks: i64, interval_count: usize, segment_intervals: usize) -> Frames {
        Frames {
            frame_ticks,
            interval_count,
            segment_intervals,
            segments: Vec::new(),
            groups: Vec::new(),
            stills: Vec::new(),
            ranges: vec![0.0; RANGES_PADDING],
            places: Vec::new(),
            holds: Vec::new(),
            planes: vec![0; PLANES_PADDING],
        }
    }

    fn memory_bytes(&self) -> usize {
        size_of_val(&*self.segments)
            + size_of_val(&*self.groups)
            + size_of_val(&*self.stills)
            + size_of_val(&*self.ranges)
            + size_of_val(&*self.places)
            + size_of_val(&*self.holds)
            + size_of_val(&*self.planes)
    }
}

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
    pub(super) blocks: Vec<BlockTracks>,
    pub(super) form: Form,
    /// The file's bytes between its header and the bits of the keys of frames.
    pub(super) head: Vec<u8>,
}

/// Where the tracks of each part of each block begin; tracks are in order of blocks and parts.
pub(super) fn block_tracks(tracks: &[Track], block_count: usize) -> Vec<BlockTracks> {
    let mut out = vec![BlockTracks::default(); block_count];
    for (at, track) in tracks.iter().enumerate() {
        let part = &mut out[usize::from(track.joint) / ROW][track.part as usize];
        if part.count == 0 {
            part.first = at as u32;
        }
        part.count += 1;
    }
    out
}

/// The order of tracks.
pub(super) fn track_order(track: &Track) -> (usize, Part, u16) {
    (usize::from(track.joint) / ROW, track.part, track.joint)
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
            Form::Frames(frames) => frames.memory_bytes(),
            Form::Keys(keys) => size_of_val(&*keys.times) + size_of_val(&*keys.rows) + size_of_val(&*keys.first_rows),
        };
        size_of_val(&*self.constants) + self.head.len() + size_of_val(&*self.tracks) + size_of_val(&*self.blocks) + form
    }
}
