//! The text of an OBJ file, chunk by chunk: numbers and statements, nothing resolved yet.
//!
//! Chunks are cut at fixed sizes (then at the end of a line), parsed side by side, and joined in order: what comes out
//! depends on the text alone.

use std::ops::Range;

use glam::DVec3;
use stillframe_base::par::Pool;

use crate::import::number::{double, float, integer};

/// No index.
pub const NONE: u32 = u32::MAX;

/// What a face's corner names: position, texture coordinate, normal, counted from 0 or [`NONE`].
pub type Corner = [u32; 3];

/// Bytes of a chunk.
const CHUNK_BYTES: usize = 1 << 21;

/// What changes between faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Object(String),
    Group(String),
    Material(String),
    /// 0: off.
    Smoothing(u32),
    Library(String),
    /// A line through vertices, or points.
    Strokes {
        is_line: bool,
        vertices: Vec<Vertex>,
    },
}

/// A vertex that a stroke names, from 0; `is_relative`: it counts from this chunk's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vertex {
    pub index: i64,
    pub is_relative: bool,
}

/// A file, or a chunk of one.
#[derive(Clone, Debug, Default)]
pub struct Text {
    pub positions: Vec<[f32; 3]>,
    /// As many as positions, or none where no position has a colour.
    pub colors: Vec<[f32; 3]>,
    pub uvs: Vec<[f32; 2]>,
    pub normals: Vec<[f32; 3]>,
    pub corners: Vec<Corner>,
    /// Corners of each face, 3 or more.
    pub counts: Vec<u32>,
    /// Before which face a statement stands.
    pub statements: Vec<(usize, Statement)>,
    /// Elements that are not read: curves and surfaces.
    pub skipped_count: usize,
    /// Faces with fewer than three corners.
    pub thin_count: usize,
    /// The first line that makes no sense.
    pub fault: Option<(Range<usize>, &'static str)>,
    /// Places in `corners` whose index counts from this chunk's start.
    relative: Vec<(u32, u8)>,
}

impl Text {
    /// Parses a whole file.
    pub fn parse(bytes: &[u8]) -> Text {
        let ends = chunk_ends(bytes);
        let chunk = |index: usize| {
            let start = if index == 0 { 0 } else { ends[index - 1] };
            let mut text = Text::default();
            text.read(&bytes[start..ends[index]], start);
            text
        };
        if ends.len() < 4 {
            let mut out = Text::default();
            (0..ends.len()).for_each(|index| out.append(chunk(index)));
            return out;
        }
        let mut out = Text::default();
        Pool::new(0).map(ends.len(), chunk).into_iter().for_each(|text| out.append(text));
        out
    }

    /// Joins what follows. Faults after the first are dropped.
    fn append(&mut self, mut next: Text) {
        let bases = [self.positions.len(), self.uvs.len(), self.normals.len()].map(|count| count as u32);
        for (corner, kind) in next.relative.drain(..) {
            let index = &mut next.corners[corner as usize][kind as usize];
            *index = index.wrapping_add(bases[kind as usize]);
        }
        if self.colors.is_empty() && !next.colors.is_empty() {
            self.colors = vec![[1.0; 3]; self.positions.len()];
        }
        if !self.colors.is_empty() {
            next.colors.resize(next.positions.len(), [1.0; 3]);
        }
        let faces = self.counts.len();
        for (_, statement) in &mut next.statements {
            let Statement::Strokes { vertices, .. } = statement else { continue };
            for vertex in vertices.iter_mut().filter(|vertex| vertex.is_relative) {
                vertex.index += i64::from(bases[0]);
            }
        }
        join(&mut self.positions, next.positions);
        join(&mut self.colors, next.colors);
        join(&mut self.uvs, next.uvs);
        join(&mut self.normals, next.normals);
        join(&mut self.corners, next.corners);
        join(&mut self.counts, next.counts);
        self.statements.extend(next.statements.into_iter().map(|(face, statement)| (face + faces, statement)));
        self.skipped_count += next.skipped_count;
        self.thin_count += next.thin_count;
        self.fault = self.fault.take().or(next.fault);
    }

    fn read(&mut self, bytes: &[u8], base: usize) {
        // A position takes about 30 bytes, a face of three corners about as many.
        self.positions.reserve(bytes.len() / 96);
        self.corners.reserve(bytes.len() / 24);
        let mut at = 0;
        while at < bytes.len() {
            blanks(bytes, &mut at);
            let start = at;
            let fault = match bytes[at..] {
                [b'v', b' ' | b'\t', ..] => self.position(bytes, &mut at),
                [b'v', b't', b' ' | b'\t', ..] => self.uv(bytes, &mut at),
                [b'v', b'n', b' ' | b'\t', ..] => self.normal(bytes, &mut at),
                [b'f', b' ' | b'\t', ..] => self.face(bytes, &mut at),
                _ => self.other(bytes, &mut at),
            };
            if let Some(fault) = fault {
                let end = line_end(bytes, start);
                self.fault = Some((base + start..base + end, fault));
                return;
            }
            at = line_end(bytes, at.max(start)) + 1;
        }
    }

    fn position(&mut self, bytes: &[u8], at: &mut usize) -> Option<&'static str> {
        *at += 1;
        let mut position = [0.0; 3];
        for value in &mut position {
            blanks(bytes, at);
            match float(bytes, at) {
                Some(number) => *value = number,
                None => return Some("`v` needs three finite numbers"),
            }
        }
        self.positions.push(position);
        blanks(bytes, at);
        if is_end(bytes, *at) {
            if !self.colors.is_empty() {
                self.colors.push([1.0; 3]);
            }
            return None;
        }
        let mut more = [0.0; 4];
        let mut count = 0;
        while count < 4
            && let Some(number) = float(bytes, at)
        {
            more[count] = number;
            count += 1;
            blanks(bytes, at);
        }
        // One number more is a weight, which polygons have no use for.
        if count >= 3 {
            self.colors.resize(self.positions.len() - 1, [1.0; 3]);
            self.colors.push([more[0], more[1], more[2]]);
        } else if !self.colors.is_empty() {
            self.colors.push([1.0; 3]);
        }
        None
    }

    fn uv(&mut self, bytes: &[u8], at: &mut usize) -> Option<&'static str> {
        *at += 2;
        blanks(bytes, at);
        let u = float(bytes, at);
        blanks(bytes, at);
        let v = if is_end(bytes, *at) { Some(0.0) } else { float(bytes, at) };
        match (u, v) {
            (Some(u), Some(v)) => self.uvs.push([u, v]),
            _ => return Some("`vt` needs one or two finite numbers"),
        }
        None
    }

    fn normal(&mut self, bytes: &[u8], at: &mut usize) -> Option<&'static str> {
        *at += 2;
        let mut normal = [0.0; 3];
        for value in &mut normal {
            blanks(bytes, at);
            // A normal that is no number is made anew, like one without a length.
            *value = match float(bytes, at) {
                Some(number) => number,
                None if is_end(bytes, *at) => return Some("`vn` needs three numbers"),
                None => {
                    self.normals.push([0.0; 3]);
                    return None;
                }
            };
        }
        self.normals.push(normal);
        None
    }

    fn face(&mut self, bytes: &[u8], at: &mut usize) -> Option<&'static str> {
        const WRONG: &str = "`f` needs integers other than 0: `f 1/2/3 ...`, `f 1//3 ...` or `f 1 ...`";
        *at += 1;
        let before = self.corners.len();
        loop {
            blanks(bytes, at);
            if is_end(bytes, *at) {
                break;
            }
            let mut corner = [NONE; 3];
            for kind in 0..3 {
                if kind > 0 {
                    if bytes.get(*at) != Some(&b'/') {
                        break;
                    }
                    *at += 1;
                }
                if kind == 1 && bytes.get(*at) == Some(&b'/') {
                    continue;
                }
                match integer(bytes, at) {
                    Some(number) if number > 0 => corner[kind] = (number - 1) as u32,
                    Some(number) if number < 0 => {
                        let count = [self.positions.len(), self.uvs.len(), self.normals.len()][kind];
                        self.relative.push((self.corners.len() as u32, kind as u8));
                        corner[kind] = (count as i64 + number) as u32;
                    }
                    // `1/` and `1//` stand for nothing there.
                    None if kind > 0 && (is_end(bytes, *at) || matches!(bytes[*at], b' ' | b'\t')) => {}
                    _ => {
                        self.forget(before);
                        return Some(WRONG);
                    }
                }
            }
            self.corners.push(corner);
        }
        let count = self.corners.len() - before;
        if count < 3 {
            self.forget(before);
            self.thin_count += 1;
        } else {
            self.counts.push(count as u32);
        }
        None
    }

    /// Takes back the corners from `count` on.
    fn forget(&mut self, count: usize) {
        self.corners.truncate(count);
        while self.relative.pop_if(|(corner, _)| *corner as usize >= count).is_some() {}
    }

    fn other(&mut self, bytes: &[u8], at: &mut usize) -> Option<&'static str> {
        let end = line_end(bytes, *at);
        let line = String::from_utf8_lossy(&bytes[*at..end]);
        let line = line.trim_end();
        *at = end;
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let rest = rest.trim();
        let statement = match word {
            "o" => Statement::Object(rest.to_string()),
            "g" => Statement::Group(rest.split_whitespace().collect::<Vec<_>>().join(" ")),
            "usemtl" => Statement::Material(rest.to_string()),
            "mtllib" => Statement::Library(rest.to_string()),
            "s" => Statement::Smoothing(if rest.eq_ignore_ascii_case("on") { 1 } else { rest.parse().unwrap_or(0) }),
            "l" | "p" => match self.strokes(word == "l", rest) {
                Some(strokes) => strokes,
                None => {
                    return Some("`l` and `p` need integers other than 0: `l 1 2 ...`, `l 1/2 2/3 ...` or `p 1 ...`");
                }
            },
            "curv" | "curv2" | "surf" => {
                self.skipped_count += 1;
                return None;
            }
            _ => return None,
        };
        self.statements.push((self.counts.len(), statement));
        None
    }
}

impl Text {
    /// What an `l` or a `p` names; texture coordinates are passed over.
    fn strokes(&self, is_line: bool, rest: &str) -> Option<Statement> {
        let vertex = |word: &str| {
            let number: i64 = word.split('/').next()?.parse().ok()?;
            match number {
                0 => None,
                1.. => Some(Vertex { index: number - 1, is_relative: false }),
                _ => Some(Vertex { index: self.positions.len() as i64 + number, is_relative: true }),
            }
        };
        let words = rest.split_whitespace().filter(|word| *word != "\\");
        Some(Statement::Strokes { is_line, vertices: words.map(vertex).collect::<Option<Vec<_>>>()? })
    }
}

/// Every position with the digits that the file has.
///
/// Shapes: `bytes` has been parsed without a fault.
pub fn exact_positions(bytes: &[u8]) -> Vec<DVec3> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        blanks(bytes, &mut at);
        if let [b'v', b' ' | b'\t', ..] = bytes[at..] {
            at += 1;
            out.push(DVec3::from([0; 3].map(|_| {
                blanks(bytes, &mut at);
                double(bytes, &mut at).unwrap_or(0.0)
            })));
        }
        at = line_end(bytes, at) + 1;
    }
    out
}

/// The byte range of the line of face number `wanted`.
pub fn face_line(bytes: &[u8], wanted: usize) -> Range<usize> {
    let mut text = Text::default();
    let mut at = 0;
    while at < bytes.len() {
        blanks(bytes, &mut at);
        let start = at;
        if let [b'f', b' ' | b'\t', ..] = bytes[at..] {
            text.face(bytes, &mut at);
            if text.counts.len() > wanted {
                return start..line_end(bytes, at);
            }
            text.corners.clear();
            text.relative.clear();
        }
        at = line_end(bytes, at) + 1;
    }
    0..0
}

fn join<T>(all: &mut Vec<T>, next: Vec<T>) {
    if all.is_empty() {
        *all = next;
    } else {
        all.extend(next);
    }
}

/// Where chunks end: at the ends of lines.
fn chunk_ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        at = (line_end(bytes, (at + CHUNK_BYTES).min(bytes.len())) + 1).min(bytes.len());
        ends.push(at);
    }
    ends
}

/// Moves over blanks, and over line ends behind a backslash.
#[inline]
fn blanks(bytes: &[u8], at: &mut usize) {
    loop {
        match bytes[*at..] {
            [b' ' | b'\t', ..] => *at += 1,
            [b'\\', b'\n', ..] => *at += 2,
            [b'\\', b'\r', b'\n', ..] => *at += 3,
            _ => return,
        }
    }
}

#[inline]
fn is_end(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), None | Some(b'\n' | b'\r' | b'#'))
}

/// Where the line at `at` ends: its line feed that no backslash precedes, or the end of the text.
fn line_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        if bytes[at] == b'\n' {
            let before = if at > 0 && bytes[at - 1] == b'\r' { at.saturating_sub(2) } else { at.saturating_sub(1) };
            if at == 0 || bytes[before] != b'\\' {
                return at;
            }
        }
        at += 1;
    }
    bytes.len()
}
