//! Assemble: draws become pieces of at most `CHUNK_VERTICES` vertices, pieces become chunks: the tasks of the front
//! end.
//!
//! In: the draws of a pass. Out: pieces in drawing order, one round of bounded size after the other. Never here:
//! vertices.

use std::ops::Range;

use wgpu_types::{IndexFormat, PrimitiveTopology};

use crate::work::{Draw, DrawKind, IndexRange};

/// Vertices of a chunk: enough that most are shared inside, few enough that local numbers fit 16 bits and tasks are
/// many.
pub const CHUNK_VERTICES: u32 = 3072;
/// Pieces of a chunk.
const CHUNK_PIECES: usize = 1024;
/// Memory of a round's vertices, were none of them shared.
const ROUND_BYTES: usize = 64 << 20;

/// A run of vertices of one instance, without a restart inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub draw: u32,
    /// `instance_index`.
    pub instance: u32,
    /// First position: in the index range, or added to the first vertex.
    pub first: u32,
    pub count: u32,
    /// `primitive_index` of the first primitive.
    pub primitive: u32,
    /// The first triangle is an odd one of its strip.
    pub odd: bool,
}

/// Counts of a draw, read at the time of execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub first: u32,
    pub count: u32,
    pub base_vertex: u32,
    pub first_instance: u32,
    pub instance_count: u32,
}

impl Counts {
    pub fn of(draw: &Draw) -> Counts {
        match &draw.what {
            DrawKind::Direct { first_vertex, vertex_count, first_instance, instance_count } => Counts {
                first: 0,
                count: *vertex_count,
                base_vertex: *first_vertex,
                first_instance: *first_instance,
                instance_count: *instance_count,
            },
            DrawKind::Indexed { first_index, index_count, base_vertex, first_instance, instance_count } => Counts {
                first: *first_index,
                count: *index_count,
                base_vertex: *base_vertex as u32,
                first_instance: *first_instance,
                instance_count: *instance_count,
            },
            DrawKind::Indirect { arguments, offset_bytes, indexed } => {
                let words = if *indexed { 5 } else { 4 };
                let mut bytes = [0; 20];
                let end = offset_bytes.saturating_add(words as u64 * 4);
                if end > arguments.memory.size_bytes() as u64 {
                    return Counts::default();
                }
                arguments.memory.read(*offset_bytes as usize, &mut bytes[..words * 4]);
                let word = |k: usize| u32::from_le_bytes(bytes[k * 4..k * 4 + 4].try_into().expect("4 bytes"));
                if *indexed {
                    Counts {
                        count: word(0),
                        instance_count: word(1),
                        first: word(2),
                        base_vertex: word(3),
                        first_instance: word(4),
                    }
                } else {
                    Counts {
                        first: 0,
                        count: word(0),
                        instance_count: word(1),
                        base_vertex: word(2),
                        first_instance: word(3),
                    }
                }
            }
        }
    }
}

/// How vertices make primitives.
#[derive(Clone, Copy, Debug)]
struct Grouping {
    /// Vertices of a primitive.
    per: u32,
    /// Each vertex begins a primitive that shares the others with its neighbours.
    strip: bool,
}

impl Grouping {
    fn of(topology: PrimitiveTopology) -> Grouping {
        let per = match topology {
            PrimitiveTopology::PointList => 1,
            PrimitiveTopology::LineList | PrimitiveTopology::LineStrip => 2,
            PrimitiveTopology::TriangleList | PrimitiveTopology::TriangleStrip => 3,
        };
        Grouping { per, strip: topology.is_strip() }
    }
}

/// Vertices in a row that make primitives of their own.
#[derive(Clone, Copy, Debug)]
struct Strip {
    first: u32,
    count: u32,
    /// Primitives before it.
    before: u32,
}

/// Reads indices `first .. first + out.len()`; those outside the range are 0.
pub fn read_indices(index: &IndexRange, first: u32, out: &mut Vec<u32>, count: u32, bytes: &mut Vec<u8>) {
    let size = if index.format == IndexFormat::Uint16 { 2 } else { 4 };
    let memory = &index.range.buffer.memory;
    let end = (memory.size_bytes() as u64).min(index.range.offset_bytes.saturating_add(index.range.size_bytes));
    let length = end.saturating_sub(index.range.offset_bytes);
    let start = u64::from(first) * size;
    let inside = (length.saturating_sub(start) / size).min(u64::from(count)) as usize;
    let at = (index.range.offset_bytes + start) as usize;
    out.clear();
    if inside > 0 && size == 2 {
        bytes.resize(inside * 2, 0);
        memory.read(at, &mut bytes[..inside * 2]);
        out.extend(bytes[..inside * 2].as_chunks::<2>().0.iter().map(|b| u32::from(u16::from_le_bytes(*b))));
    } else if inside > 0 {
        out.resize(inside, 0);
        memory.read(at, bytemuck::cast_slice_mut(out));
        out.iter_mut().for_each(|word| *word = u32::from_le(*word));
    }
    out.resize(count as usize, 0);
}

/// What the walk must know of each draw.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    pub counts: Counts,
    /// Has a round to itself, whatever its size: its side effects must come tile by tile.
    pub alone: bool,
    /// Memory that one vertex takes in the front end.
    pub vertex_bytes: usize,
}

/// Where a walk stands inside a draw.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    instance: u32,
    strip: usize,
    /// Vertices of the strip that are done.
    done: u32,
}

/// What a chunk holds so far.
#[derive(Clone, Copy, Debug, Default)]
struct Cut {
    vertices: u32,
    pieces: usize,
}

impl Cut {
    /// The next piece of a draw, and `place` moved behind it; `None` where the chunk should be closed first. `strips`:
    /// at least one, each of a primitive or more.
    fn next(&mut self, place: &mut Place, strips: &[Strip], grouping: Grouping) -> Option<Piece> {
        let Strip { first, count, before } = strips[place.strip];
        let Grouping { per, strip } = grouping;
        let (left, room) = (count - place.done, CHUNK_VERTICES - self.vertices);
        let take = if left <= room { left } else { room - if strip { 0 } else { room % per } };
        let better_fresh = take < left && self.vertices > 0 && left <= CHUNK_VERTICES;
        if take < per || better_fresh || self.pieces >= CHUNK_PIECES {
            return None;
        }
        let piece = Piece {
            draw: 0,
            instance: place.instance,
            first: first.saturating_add(place.done),
            count: take,
            primitive: before + if strip { place.done } else { place.done / per },
            odd: strip && place.done % 2 == 1,
        };
        self.vertices += take;
        self.pieces += 1;
        place.done += take - if strip { per - 1 } else { 0 };
        if take == left {
            place.done = 0;
            place.strip += 1;
            if place.strip == strips.len() {
                place.strip = 0;
                place.instance += 1;
            }
        }
        Some(piece)
    }
}

/// Where the walk through a pass's draws stands.
#[derive(Debug, Default)]
pub struct Cursor {
    draw: usize,
    entered: bool,
    place: Place,
    /// Of the current draw.
    strips: Vec<Strip>,
}

/// A round: pieces, and the pieces of each chunk.
#[derive(Debug, Default)]
pub struct Round {
    pub pieces: Vec<Piece>,
    pub chunks: Vec<Range<usize>>,
}

impl Cursor {
    /// Whether everything has been handed out.
    pub fn is_done(&self, draws: &[Draw]) -> bool {
        self.draw >= draws.len()
    }

    /// Fills `round` with the next chunks; `spans`: one a draw.
    pub fn next_round(&mut self, draws: &[Draw], spans: &[Span], round: &mut Round) {
        round.pieces.clear();
        round.chunks.clear();
        let (mut start, mut bytes, mut cut) = (0, 0, Cut::default());
        while self.draw < draws.len() {
            let (draw, span) = (&draws[self.draw], &spans[self.draw]);
            let head = round.pieces.first().map(|piece| piece.draw as usize);
            let lonely = head.is_some_and(|head| head != self.draw && (span.alone || spans[head].alone));
            if lonely || !span.alone && bytes >= ROUND_BYTES {
                break;
            }
            if !self.entered {
                self.enter(draw, span.counts);
            }
            if self.strips.is_empty() || self.place.instance >= span.counts.instance_count {
                self.leave();
                continue;
            }
            match cut.next(&mut self.place, &self.strips, Grouping::of(draw.pipeline.primitive.topology)) {
                Some(piece) => {
                    bytes += piece.count as usize * span.vertex_bytes;
                    let instance = span.counts.first_instance.wrapping_add(piece.instance);
                    round.pieces.push(Piece { draw: self.draw as u32, instance, ..piece });
                }
                None => {
                    round.chunks.push(start..round.pieces.len());
                    (start, cut) = (round.pieces.len(), Cut::default());
                }
            }
        }
        if start < round.pieces.len() {
            round.chunks.push(start..round.pieces.len());
        }
    }

    fn leave(&mut self) {
        self.draw += 1;
        self.entered = false;
        self.strips.clear();
    }

    fn enter(&mut self, draw: &Draw, counts: Counts) {
        (self.place, self.entered) = (Place::default(), true);
        self.strips.clear();
        let Grouping { per, strip } = Grouping::of(draw.pipeline.primitive.topology);
        if counts.instance_count == 0 || counts.count < per {
            return;
        }
        match &draw.index {
            Some(index) if strip && is_indexed(draw) => self.find_restarts(index, counts, per),
            _ if strip => self.strips.push(Strip { first: counts.first, count: counts.count, before: 0 }),
            _ => {
                let count = counts.count - counts.count % per;
                self.strips.push(Strip { first: counts.first, count, before: 0 });
            }
        }
    }

    fn find_restarts(&mut self, index: &IndexRange, counts: Counts, per: u32) {
        let restart = if index.format == IndexFormat::Uint16 { 0xFFFF } else { u32::MAX };
        let (mut words, mut bytes) = (Vec::new(), Vec::new());
        let (mut start, mut before) = (0, 0);
        let mut strips = std::mem::take(&mut self.strips);
        let mut close = |start: u32, end: u32| {
            if end - start >= per {
                strips.push(Strip { first: counts.first.wrapping_add(start), count: end - start, before });
                before += end - start - (per - 1);
            }
        };
        let mut at = 0;
        while at < counts.count {
            let part = (counts.count - at).min(1 << 16);
            // Positions past 2^32 are outside of any buffer.
            let Some(first) = counts.first.checked_add(at) else { break };
            read_indices(index, first, &mut words, part, &mut bytes);
            for (k, &word) in words.iter().enumerate() {
                if word == restart {
                    close(start, at + k as u32);
                    start = at + k as u32 + 1;
                }
            }
            at += part;
        }
        if start < counts.count {
            close(start, counts.count);
        }
        self.strips = strips;
    }
}

/// Whether a draw reads its index range.
pub fn is_indexed(draw: &Draw) -> bool {
    match draw.what {
        DrawKind::Direct { .. } => false,
        DrawKind::Indexed { .. } => true,
        DrawKind::Indirect { indexed, .. } => indexed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The primitives of a draw as triples of positions, from its pieces.
    fn primitives(strips: &[Strip], grouping: Grouping) -> Vec<(u32, u32)> {
        let Grouping { per, strip } = grouping;
        strips
            .iter()
            .flat_map(|&Strip { first, count, before }| {
                let n = if strip { count + 1 - per } else { count / per };
                (0..n).map(move |i| (before + i, first + if strip { i } else { i * per }))
            })
            .collect()
    }

    /// A cursor's pieces cover each primitive once, in order, whatever the size.
    #[test]
    fn chunks_cut_between_primitives() {
        for (per, strip) in [(1, false), (2, false), (2, true), (3, false), (3, true)] {
            for count in [1, 2, 3, 7, 3071, 3072, 3073, 3074, 10_000, 20_001] {
                let count = if strip { count } else { count - count % per };
                let grouping = Grouping { per, strip };
                let mut strips =
                    vec![Strip { first: 5, count, before: 0 }, Strip { first: 50_000, count, before: 100_000 }];
                strips.retain(|strip| strip.count >= per);
                let want: Vec<_> = (0..2).flat_map(|_| primitives(&strips, grouping)).collect();
                let mut pieces = Vec::new();
                let mut chunks = Vec::new();
                walk(&strips, grouping, 2, &mut pieces, &mut chunks);
                let strip_of = |p: &Piece| Strip { first: p.first, count: p.count, before: p.primitive };
                let got: Vec<_> = pieces.iter().flat_map(|p| primitives(&[strip_of(p)], grouping)).collect();
                assert_eq!(got, want, "{per} {strip} {count}");
                assert!(chunks.iter().all(|n| *n <= CHUNK_VERTICES));
                for p in &pieces {
                    assert_eq!(p.odd, strip && (p.first - if p.first >= 50_000 { 50_000 } else { 5 }) % 2 == 1);
                }
            }
        }
    }

    fn walk(strips: &[Strip], grouping: Grouping, instances: u32, pieces: &mut Vec<Piece>, chunks: &mut Vec<u32>) {
        let (mut cut, mut place) = (Cut::default(), Place::default());
        while place.instance < instances && !strips.is_empty() {
            match cut.next(&mut place, strips, grouping) {
                Some(piece) => pieces.push(piece),
                None => {
                    chunks.push(cut.vertices);
                    cut = Cut::default();
                }
            }
        }
        chunks.push(cut.vertices);
    }
}
