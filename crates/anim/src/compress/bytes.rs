//! Bytes: a compressed clip as a file, and back.
//!
//! ```text
//! "SFAC"  version u16  form u8  0 u8  length of the rest u64  its checksum u64       little-endian
//! rest, in bits:   joints 16, ticks of the clip 64
//!   each joint, each of rotation, translation, scale:   2   identity, constant or moving;   constant: f32 each
//!   frames:   ticks from frame to frame 64, intervals 32, intervals of a segment 7
//!     each segment, each track:   level 3 (7: stands still);   level 0: holds 1, if so a bit an interval
//!         step 8;   rotation: left-out number 3 (4: none), if any its sign 1
//!         bits of the minima 6, each kept number: minimum;   if it moves, each kept number: width 5
//!     up to a whole byte, then the keys of each segment, each up to a whole byte
//!   keys:   count 32;   each time 64;   each key, each track: f32 each
//! ```
//!
//! Reading trusts nothing: not the checksum either, which anyone can compute. What is read is within every limit that
//! decoding relies on, and takes no more than [`MEMORY_FACTOR`] times the file's size.

use stillframe_base::hash::Digest;
use stillframe_base::lanes::{ROW, Row};
use stillframe_base::tick::Tick;

use super::CompressedClip;
use super::bits::{BitReader, BitWriter, bit_width, unzigzag, zigzag};
use super::clip::{
    BlockTracks, Form, Frames, Keys, LEVELS, Part, SEGMENT_INTERVALS_MAX, Track, block_tracks, stride, track_order,
};
use super::lattice::{MIN_WIDTH_MAX, WIDTH_MAX, min_of, step};
use super::layout::{key_bit_count, key_bits, read_keys};
use super::segment::TrackCode;
use crate::pose::{JointBlock, NO_PARENT, Trs};

const MAGIC: [u8; 4] = *b"SFAC";
const VERSION: u16 = 2;
const HEADER_BYTES: usize = 24;

/// A clip in memory is at most this much larger than its file, and 64 KiB: one joint that moves takes the lanes of
/// sixteen.
pub const MEMORY_FACTOR: usize = 512;

/// The level of a track that stands still in a segment.
const STILL: u64 = LEVELS as u64;

/// The number left out where none is.
const NONE_LEFT_OUT: u64 = 4;

/// Rotations of files are at most this far from what rotations are.
const ROTATION_MAX: f32 = 4.0;

/// Why bytes are no clip.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BytesError {
    #[error("no compressed clip")]
    Magic,
    #[error("version {found}, which is none that is read")]
    Version { found: u16 },
    #[error("{found} bytes where the file says {want}")]
    Length { found: u64, want: u64 },
    #[error("the checksum is another: the file is damaged")]
    Checksum,
    #[error("the file ends before its {what}")]
    Ends { what: &'static str },
    /// Something that no clip has.
    #[error("{what} is out of range")]
    Range { what: &'static str },
    #[error("bytes follow the clip")]
    Follows,
}

/// Writes the part of a file that is not keys.
pub(super) struct Head(BitWriter);

impl Head {
    /// All but segments.
    pub fn of(clip: &CompressedClip) -> Head {
        let mut writer = BitWriter::default();
        writer.put(clip.joint_count as u64, 16);
        put64(&mut writer, clip.duration.0 as u64);
        for joint in 0..clip.joint_count {
            let moving = |part| clip.blocks[joint / ROW][part as usize].count > 0 && clip.has_track(joint, part);
            for part in Part::ALL {
                let value = numbers(&clip.constants, joint, part);
                let kind = if moving(part) { 2 } else { u64::from(value != numbers(&[JointBlock::IDENTITY], 0, part)) };
                writer.put(kind, 2);
                if kind == 1 {
                    value[..part.width()].iter().for_each(|number| writer.put(u64::from(number.to_bits()), 32));
                }
            }
        }
        if let Form::Frames(frames) = &clip.form {
            put64(&mut writer, frames.frame_ticks as u64);
            writer.put(frames.interval_count as u64, 32);
            writer.put(frames.segment_intervals as u64, 7);
        }
        Head(writer)
    }

    /// The tracks of a segment.
    pub fn segment(&mut self, tracks: &[Track], codes: &[TrackCode], interval_count: usize) {
        let writer = &mut self.0;
        for (track, code) in tracks.iter().zip(codes) {
            let is_still = code.is_still();
            writer.put(if is_still { STILL } else { u64::from(code.level) }, 3);
            if !is_still && code.level == 0 {
                writer.put(u64::from(code.hold != 0), 1);
                if code.hold != 0 {
                    (0..interval_count).for_each(|i| writer.put(code.hold >> i & 1, 1));
                }
            }
            writer.put(u64::from(code.step), 8);
            if track.part == Part::Rotation {
                writer.put(code.left_out.map_or(NONE_LEFT_OUT, |(i, _)| u64::from(i)), 3);
                if let Some((_, negative)) = code.left_out {
                    writer.put(u64::from(negative), 1);
                }
            }
            let kept = kept(track.part, code.left_out);
            let min_width = kept.clone().map(|i| bit_width(zigzag(code.mins[i]))).max().unwrap_or(0);
            writer.put(u64::from(min_width), 6);
            kept.clone().for_each(|i| writer.put(zigzag(code.mins[i]), min_width));
            if !is_still {
                kept.for_each(|i| writer.put(u64::from(code.widths[i]), 5));
            }
        }
    }

    pub fn finish(self) -> Vec<u8> {
        self.0.finish()
    }
}

fn put64(writer: &mut BitWriter, value: u64) {
    writer.put(value & 0xFFFF_FFFF, 32);
    writer.put(value >> 32, 32);
}

/// Numbers of a part that are kept.
fn kept(part: Part, left_out: Option<(u8, bool)>) -> impl Iterator<Item = usize> + Clone {
    (0..part.width()).filter(move |i| left_out.is_none_or(|(out, _)| *i != usize::from(out)))
}

/// The numbers of a part of a joint.
fn numbers(pose: &[JointBlock], joint: usize, part: Part) -> [f32; 4] {
    let Trs { rotation, translation, scale } = JointBlock::joint(pose, joint);
    match part {
        Part::Rotation => rotation.to_array(),
        Part::Translation => [translation.x, translation.y, translation.z, 0.0],
        Part::Scale => [scale.x, scale.y, scale.z, 0.0],
    }
}

impl CompressedClip {
    pub(super) fn has_track(&self, joint: usize, part: Part) -> bool {
        let group = self.blocks[joint / ROW][part as usize];
        let tracks = &self.tracks[group.first as usize..][..group.count as usize];
        tracks.iter().any(|track| usize::from(track.joint) == joint)
    }

    /// How many tracks are the identity, constant, and moving.
    pub(super) fn track_kinds(&self) -> [usize; 3] {
        let mut out = [0; 3];
        for joint in 0..self.joint_count {
            for part in Part::ALL {
                let identity = numbers(&[JointBlock::IDENTITY], 0, part);
                let kind = match self.has_track(joint, part) {
                    true => 2,
                    false => usize::from(numbers(&self.constants, joint, part) != identity),
                };
                out[kind] += 1;
            }
        }
        out
    }

    /// The clip as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (form, bits) = match &self.form {
            Form::Frames(frames) => (0, self.bits(frames)),
            Form::Keys(_) => (1, Vec::new()),
        };
        let rest = [self.head.as_slice(), &bits].concat();
        let mut out = Vec::with_capacity(HEADER_BYTES + rest.len());
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend([form, 0]);
        out.extend((rest.len() as u64).to_le_bytes());
        out.extend(checksum(&rest));
        out.extend(rest);
        out
    }

    /// The bits of the keys of frames, as they are in the file.
    fn bits(&self, frames: &Frames) -> Vec<u8> {
        let mut reader = Reader { bits: BitReader::new(&self.head), rest: &self.head };
        let head = reader.joints().and_then(|(_, duration, tracks)| reader.segments(&tracks, duration));
        let Ok((_, codes)) = head else { unreachable!("a clip's head was written or read before") };
        let mut out = Vec::new();
        for (segment, (count, mut codes)) in frames.segments.iter().zip(codes) {
            frames.take_keys(segment, &self.tracks, &mut codes);
            out.extend(key_bits(&codes, count));
        }
        out
    }

    /// Reads a file. Takes memory of at most [`MEMORY_FACTOR`] times its size.
    pub fn from_bytes(bytes: &[u8]) -> Result<CompressedClip, BytesError> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER_BYTES>() else { return Err(BytesError::Magic) };
        if header[..4] != MAGIC {
            return Err(BytesError::Magic);
        }
        let version = u16::from_le_bytes([header[4], header[5]]);
        if version != VERSION {
            return Err(BytesError::Version { found: version });
        }
        let [_, _, _, _, _, _, form, zero, l0, l1, l2, l3, l4, l5, l6, l7, ..] = *header;
        let want = u64::from_le_bytes([l0, l1, l2, l3, l4, l5, l6, l7]);
        if want != rest.len() as u64 {
            return Err(BytesError::Length { found: rest.len() as u64, want });
        }
        if header[16..] != checksum(rest) {
            return Err(BytesError::Checksum);
        }
        if form > 1 || zero != 0 {
            return Err(BytesError::Range { what: "form" });
        }
        Reader { bits: BitReader::new(rest), rest }.clip(form == 1)
    }
}

pub(super) fn checksum(bytes: &[u8]) -> [u8; 8] {
    let [a, b, c, d, e, f, g, h, ..] = Digest::of_bytes(bytes).0;
    [a, b, c, d, e, f, g, h]
}

/// The intervals of a segment, and its codes.
type SegmentCodes = (usize, Vec<TrackCode>);

struct Reader<'a> {
    bits: BitReader<'a>,
    rest: &'a [u8],
}

impl Reader<'_> {
    fn take(&mut self, width: u32, what: &'static str) -> Result<u64, BytesError> {
        self.bits.take(width).ok_or(BytesError::Ends { what })
    }

    fn take_ticks(&mut self, what: &'static str) -> Result<i64, BytesError> {
        let ticks = (self.take(32, what)? | self.take(32, what)? << 32) as i64;
        if ticks < 0 { Err(BytesError::Range { what }) } else { Ok(ticks) }
    }

    fn take_numbers(&mut self, part: Part, what: &'static str) -> Result<[f32; 4], BytesError> {
        let mut out = [0.0; 4];
        for number in &mut out[..part.width()] {
            *number = f32::from_bits(self.take(32, what)? as u32);
        }
        let square: f32 = out.iter().map(|x| x * x).sum();
        let good = match part {
            Part::Rotation => (0.99..=1.01).contains(&square),
            _ => out.iter().all(|x| x.is_finite()),
        };
        if good { Ok(out) } else { Err(BytesError::Range { what }) }
    }

    fn clip(mut self, keys: bool) -> Result<CompressedClip, BytesError> {
        let (joints, duration, tracks) = self.joints()?;
        let constants = JointBlock::pack(&joints);
        let blocks = block_tracks(&tracks, constants.len());
        let mut clip = CompressedClip {
            joint_count: joints.len(),
            duration,
            constants,
            tracks,
            blocks,
            form: Form::Keys(Keys { times: Vec::new(), rows: Vec::new(), row_count: 0, first_rows: Vec::new() }),
            head: Vec::new(),
        };
        if keys {
            self.keys(&mut clip)?
        } else {
            self.frames(&mut clip)?
        }
        Ok(clip)
    }

    /// What does not move, how long the clip is, and what moves.
    fn joints(&mut self) -> Result<(Vec<Trs>, Tick, Vec<Track>), BytesError> {
        let joint_count = self.take(16, "joints")? as usize;
        if joint_count > usize::from(NO_PARENT) {
            return Err(BytesError::Range { what: "joints" });
        }
        let duration = Tick(self.take_ticks("ticks of the clip")?);
        let (mut tracks, mut joints) = (Vec::new(), Vec::new());
        for joint in 0..joint_count {
            let mut values =
                [Part::Rotation, Part::Translation, Part::Scale].map(|part| numbers(&[JointBlock::IDENTITY], 0, part));
            for part in Part::ALL {
                match self.take(2, "joints")? {
                    0 => {}
                    1 => values[part as usize] = self.take_numbers(part, "constants")?,
                    2 => tracks.push(Track { joint: joint as u16, part }),
                    _ => return Err(BytesError::Range { what: "kind of a track" }),
                }
            }
            let [[rx, ry, rz, rw], [tx, ty, tz, _], [sx, sy, sz, _]] = values;
            joints.push(Trs {
                translation: glam::Vec3::new(tx, ty, tz),
                rotation: glam::Quat::from_xyzw(rx, ry, rz, rw),
                scale: glam::Vec3::new(sx, sy, sz),
            });
        }
        tracks.sort_by_key(track_order);
        Ok((joints, duration, tracks))
    }

    fn frames(mut self, clip: &mut CompressedClip) -> Result<(), BytesError> {
        let (mut frames, segments) = self.segments(&clip.tracks, clip.duration)?;
        let head_bytes = self.bits.whole_bytes().ok_or(BytesError::Range { what: "bits before the keys" })?;
        let (head, mut keys) = self.rest.split_at(head_bytes);
        clip.head = head.to_vec();
        for (count, mut codes) in segments {
            let bytes = key_bit_count(&codes, count).div_ceil(8);
            let (of_segment, left) = keys.split_at_checked(bytes).ok_or(BytesError::Ends { what: "keys" })?;
            read_keys(&mut codes, count, of_segment).ok_or(BytesError::Range { what: "bits after the keys" })?;
            keys = left;
            frames.push(&clip.tracks, &codes, count);
        }
        if !keys.is_empty() {
            return Err(BytesError::Follows);
        }
        clip.form = Form::Frames(frames);
        Ok(())
    }

    /// Frames without segments, and of each segment its intervals and its codes without keys.
    fn segments(&mut self, tracks: &[Track], duration: Tick) -> Result<(Frames, Vec<SegmentCodes>), BytesError> {
        let frame_ticks = self.take_ticks("ticks of a frame")?;
        let interval_count = self.take(32, "frames")? as usize;
        let segment_intervals = self.take(7, "frames")? as usize;
        let enough = i128::from(frame_ticks) * interval_count as i128 >= i128::from(duration.0);
        if frame_ticks < 1 || interval_count < 1 || !(1..=SEGMENT_INTERVALS_MAX).contains(&segment_intervals) || !enough
        {
            return Err(BytesError::Range { what: "frames" });
        }
        let mut segments = Vec::new();
        for first in (0..interval_count).step_by(segment_intervals) {
            let count = segment_intervals.min(interval_count - first);
            let codes: Result<Vec<TrackCode>, BytesError> =
                tracks.iter().map(|track| self.track(track.part, count)).collect();
            segments.push((count, codes?));
        }
        Ok((Frames::new(frame_ticks, interval_count, segment_intervals), segments))
    }

    fn track(&mut self, part: Part, interval_count: usize) -> Result<TrackCode, BytesError> {
        let range = |what| Err(BytesError::Range { what });
        let mut code = TrackCode::default();
        let level = self.take(3, "tracks")?;
        let is_still = level == STILL;
        code.level = if is_still { LEVELS as u8 - 1 } else { level as u8 };
        if !interval_count.is_multiple_of(stride(usize::from(code.level), interval_count)) {
            return range("level");
        }
        if level == 0 && self.take(1, "tracks")? == 1 {
            for i in 0..interval_count {
                code.hold |= self.take(1, "tracks")? << i;
            }
        }
        code.step = self.take(8, "tracks")? as u8;
        if part == Part::Rotation {
            let left_out = self.take(3, "tracks")?;
            match left_out {
                0..NONE_LEFT_OUT => code.left_out = Some((left_out as u8, self.take(1, "tracks")? == 1)),
                NONE_LEFT_OUT => {}
                _ => return range("number left out"),
            }
        }
        let min_width = self.take(6, "tracks")? as u32;
        if min_width > MIN_WIDTH_MAX {
            return range("bits of minima");
        }
        for i in kept(part, code.left_out) {
            code.mins[i] = unzigzag(self.take(min_width, "tracks")?);
        }
        if !is_still {
            for i in kept(part, code.left_out) {
                code.widths[i] = self.take(5, "tracks")? as u8;
                if u32::from(code.widths[i]) > WIDTH_MAX {
                    return range("width");
                }
            }
        }
        let step = step(code.step);
        if code.is_still() != is_still {
            return range("widths");
        }
        let beyond = |i: usize| {
            let min = min_of(code.mins[i], step);
            min < -ROTATION_MAX || min + step * ((1u64 << code.widths[i]) - 1) as f32 > ROTATION_MAX
        };
        if part == Part::Rotation && (0..4).any(beyond) {
            return range("rotation");
        }
        Ok(code)
    }

    fn keys(mut self, clip: &mut CompressedClip) -> Result<(), BytesError> {
        let count = self.take(32, "keys")? as usize;
        let mut times: Vec<Tick> = Vec::new();
        for _ in 0..count {
            let time = Tick(self.take_ticks("times")?);
            if times.last().map_or(time != Tick::ZERO, |before| time <= *before) {
                return Err(BytesError::Range { what: "order of times" });
            }
            times.push(time);
        }
        if times.len() < 2 {
            return Err(BytesError::Range { what: "keys" });
        }
        let mut keys = Keys::new(times, &clip.blocks);
        for key in 0..count {
            let mut rows = keys.still_rows(&clip.blocks, &clip.constants);
            for track in &clip.tracks {
                let values = self.take_numbers(track.part, "values of keys")?;
                keys.set(&clip.blocks, &mut rows, *track, values);
            }
            keys.rows.extend(rows);
            debug_assert_eq!(keys.rows.len(), (key + 1) * keys.row_count, "rows of a key");
        }
        clip.head = self.rest.to_vec();
        if !self.bits.is_done() {
            return Err(BytesError::Follows);
        }
        clip.form = Form::Keys(keys);
        Ok(())
    }
}

impl Keys {
    pub fn new(times: Vec<Tick>, groups: &[BlockTracks]) -> Keys {
        let (mut row_count, mut first_rows) = (0, Vec::new());
        for (part, group) in groups.iter().flat_map(|groups| Part::ALL.into_iter().zip(groups)) {
            if group.count > 0 {
                first_rows.push(row_count as u32);
                row_count += part.width();
            }
        }
        Keys { times, rows: Vec::new(), row_count, first_rows }
    }

    /// The rows of a key in which nothing differs from the constants.
    pub fn still_rows(&self, groups: &[BlockTracks], constants: &[JointBlock]) -> Vec<Row> {
        let mut rows = Vec::with_capacity(self.row_count);
        for (groups, constant) in groups.iter().zip(constants) {
            let parts: [&[Row]; 3] = [&constant.rotation, &constant.translation, &constant.scale];
            parts.iter().zip(groups).filter(|(_, group)| group.count > 0).for_each(|(part, _)| rows.extend(*part));
        }
        rows
    }

    /// Writes a track's value into the rows of a key.
    pub fn set(&self, groups: &[BlockTracks], rows: &mut [Row], track: Track, values: [f32; 4]) {
        let (block, lane) = (usize::from(track.joint) / ROW, usize::from(track.joint) % ROW);
        let before = groups[..block].iter().flatten().chain(&groups[block][..track.part as usize]);
        let group = before.filter(|group| group.count > 0).count();
        let first = self.first_rows[group] as usize;
        for (row, value) in rows[first..first + track.part.width()].iter_mut().zip(values) {
            row.0[lane] = value;
        }
    }

    /// The keys as they are in the file.
    pub fn write(&self, head: &mut Head, groups: &[BlockTracks], tracks: &[Track]) {
        let writer = &mut head.0;
        writer.put(self.times.len() as u64, 32);
        self.times.iter().for_each(|time| put64(writer, time.0 as u64));
        for rows in self.rows.chunks_exact(self.row_count.max(1)) {
            for track in tracks {
                let (block, lane) = (usize::from(track.joint) / ROW, usize::from(track.joint) % ROW);
                let before = groups[..block].iter().flatten().chain(&groups[block][..track.part as usize]);
                let group = before.filter(|group| group.count > 0).count();
                for row in &rows[self.first_rows[group] as usize..][..track.part.width()] {
                    writer.put(u64::from(row.0[lane].to_bits()), 32);
                }
            }
        }
    }
}
