//! Shapes and bytes that files of every format are made of.

use stillframe_base::rng::Stream;

use crate::fuzz::mutate::{between, float};

/// A small mesh: points and faces of three to six corners.
pub struct Mesh {
    pub points: Vec<[f32; 3]>,
    pub faces: Vec<Vec<u32>>,
}

/// A few faces over a few points, now and then with a corner that is not there or twice.
pub fn mesh(stream: &mut Stream) -> Mesh {
    let count = between(stream, 3, 12);
    let points = (0..count).map(|_| std::array::from_fn(|_| float(stream))).collect();
    let faces = (0..between(stream, 1, 8)).map(|_| face(stream, count)).collect();
    Mesh { points, faces }
}

fn face(stream: &mut Stream, count: usize) -> Vec<u32> {
    let corners = if stream.one_in(3) { between(stream, 3, 6) } else { 3 };
    let first = stream.below(count as u32);
    (0..corners as u32)
        .map(|corner| if stream.one_in(60) { stream.below(count as u32 + 2) } else { (first + corner) % count as u32 })
        .collect()
}

/// Bytes that end up in a file, with the numbers of any order.
#[derive(Clone, Debug, Default)]
pub struct Bytes {
    pub bytes: Vec<u8>,
    pub big_endian: bool,
}

impl Bytes {
    pub fn u8(&mut self, number: u8) -> &mut Bytes {
        self.bytes.push(number);
        self
    }
    pub fn u16(&mut self, number: u16) -> &mut Bytes {
        self.put(&number.to_le_bytes())
    }
    pub fn u32(&mut self, number: u32) -> &mut Bytes {
        self.put(&number.to_le_bytes())
    }
    pub fn u64(&mut self, number: u64) -> &mut Bytes {
        self.put(&number.to_le_bytes())
    }
    pub fn f32(&mut self, number: f32) -> &mut Bytes {
        self.put(&number.to_le_bytes())
    }
    pub fn f64(&mut self, number: f64) -> &mut Bytes {
        self.put(&number.to_le_bytes())
    }
    /// As they are, in whatever order.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Bytes {
        self.bytes.extend_from_slice(bytes);
        self
    }
    fn put(&mut self, little: &[u8]) -> &mut Bytes {
        if self.big_endian {
            self.bytes.extend(little.iter().rev());
        } else {
            self.bytes.extend(little);
        }
        self
    }
}

/// A number, now and then another one.
pub fn lie(stream: &mut Stream, rare: u32, number: u32) -> u32 {
    if !stream.one_in(rare) {
        return number;
    }
    match stream.below(4) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        2 => *stream.pick(&[0, 1, 255, 65_535, 65_536, 1 << 24, 1 << 30, 1 << 31, u32::MAX]),
        _ => stream.next_u32(),
    }
}
