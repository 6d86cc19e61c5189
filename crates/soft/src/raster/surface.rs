//! Surface: one plane of an attachment, and how a tile is read from it and written to it.
//!
//! In: a texture's rows, texels with their samples side by side. Out: planes of a tile, one a word and sample, in the
//! tile's own order. Never here: what the words mean.

use super::depth::TilePlane;
use super::order::{TILE_AREA, TILE_PX, index_of};
use crate::store::{LevelLayout, Memory};

/// The largest texel: four samples of 16 bytes.
const TEXEL_BYTES_MAX: usize = 64;

/// Two rows of texels, to copy through.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Rows([u32; 2 * TILE_PX * TEXEL_BYTES_MAX / 4]);

impl Default for Rows {
    fn default() -> Rows {
        Rows([0; 2 * TILE_PX * TEXEL_BYTES_MAX / 4])
    }
}

/// A single level and layer of one plane of a texture.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    memory: &'a Memory,
    offset_bytes: usize,
    row_bytes: usize,
    texel_bytes: usize,
    samples: usize,
}

/// The part of the target that a tile covers, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileBox {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

impl<'a> Surface<'a> {
    pub fn new(memory: &'a Memory, layout: &LevelLayout, layer: usize, samples: usize) -> Surface<'a> {
        Surface {
            memory,
            offset_bytes: layout.offset_bytes + layer * layout.layer_bytes,
            row_bytes: layout.row_bytes,
            texel_bytes: layout.texel_bytes,
            samples,
        }
    }

    /// Bytes of one sample.
    fn sample_bytes(&self) -> usize {
        self.texel_bytes / self.samples
    }

    /// Words of one sample.
    pub fn words(&self) -> usize {
        self.sample_bytes().div_ceil(4)
    }

    /// Rows of one word a pixel, as wide as the tile: pairs of pixels move as one.
    fn has_whole_rows(&self, at: &TileBox) -> bool {
        self.samples == 1 && self.texel_bytes == 4 && at.width == TILE_PX && cfg!(target_endian = "little")
    }

    fn row_at(&self, at: &TileBox, y: usize) -> usize {
        self.offset_bytes + (at.y + y) * self.row_bytes + at.x * self.texel_bytes
    }

    /// Reads a tile. `planes`: one a sample and word, words of a sample together.
    pub fn read(&self, at: &TileBox, planes: &mut [Box<TilePlane>], rows: &mut Rows) {
        let row_bytes = at.width * self.texel_bytes;
        if self.has_whole_rows(at) {
            for y in (0..at.height).step_by(2) {
                let (upper, lower) = rows.0.split_at_mut(TILE_PX);
                self.memory.read(self.row_at(at, y), bytemuck::cast_slice_mut(upper));
                if y + 1 < at.height {
                    self.memory.read(self.row_at(at, y + 1), bytemuck::cast_slice_mut(&mut lower[..TILE_PX]));
                }
                let pair: &mut [u64; TILE_PX] =
                    (&mut bytemuck::cast_slice_mut(&mut rows.0)[..TILE_PX]).try_into().expect("64");
                join_rows(pair, &mut planes[0], y);
            }
            return;
        }
        for y in 0..at.height {
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut rows.0);
            self.memory.read(self.row_at(at, y), &mut bytes[..row_bytes]);
            let (size, samples, words) = (self.sample_bytes(), self.samples, self.words());
            match size {
                1 => each(at.width, samples, y, |from, s, index| planes[s].0[index] = u32::from(bytes[from])),
                2 => each(at.width, samples, y, |from, s, index| {
                    planes[s].0[index] = u32::from(u16::from_le_bytes([bytes[from * 2], bytes[from * 2 + 1]]));
                }),
                _ => {
                    let row: &[u32] = bytemuck::cast_slice(bytes);
                    each(at.width, samples, y, |from, s, index| {
                        for w in 0..words {
                            planes[s * words + w].0[index] = u32::from_le(row[from * words + w]);
                        }
                    });
                }
            }
        }
    }

    /// Writes a tile; the reverse of `read`.
    pub fn write(&self, at: &TileBox, planes: &[Box<TilePlane>], rows: &mut Rows) {
        let row_bytes = at.width * self.texel_bytes;
        if self.has_whole_rows(at) {
            for y in (0..at.height).step_by(2) {
                let pair: &mut [u64; TILE_PX] =
                    (&mut bytemuck::cast_slice_mut(&mut rows.0)[..TILE_PX]).try_into().expect("64");
                part_rows(&planes[0], y, pair);
                self.memory.write(self.row_at(at, y), bytemuck::cast_slice(&rows.0[..TILE_PX]));
                if y + 1 < at.height {
                    self.memory.write(self.row_at(at, y + 1), bytemuck::cast_slice(&rows.0[TILE_PX..2 * TILE_PX]));
                }
            }
            return;
        }
        for y in 0..at.height {
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut rows.0);
            let (size, samples, words) = (self.sample_bytes(), self.samples, self.words());
            match size {
                1 => each(at.width, samples, y, |to, s, index| bytes[to] = planes[s].0[index] as u8),
                2 => each(at.width, samples, y, |to, s, index| {
                    bytes[to * 2..to * 2 + 2].copy_from_slice(&(planes[s].0[index] as u16).to_le_bytes());
                }),
                _ => {
                    let row: &mut [u32] = bytemuck::cast_slice_mut(bytes);
                    each(at.width, samples, y, |to, s, index| {
                        for w in 0..words {
                            row[to * words + w] = planes[s * words + w].0[index].to_le();
                        }
                    });
                }
            }
            let bytes: &[u8] = bytemuck::cast_slice(&rows.0);
            self.memory.write(self.row_at(at, y), &bytes[..row_bytes]);
        }
    }

    /// Writes one texel, the same for all samples, to every pixel of a tile. `words`: of one sample.
    pub fn fill(&self, at: &TileBox, words: [u32; 4], rows: &mut Rows) {
        let size = self.sample_bytes();
        let sample: [u8; 16] = bytemuck::cast(words.map(u32::to_le));
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut rows.0);
        let row = &mut bytes[..at.width * self.texel_bytes];
        row.chunks_exact_mut(size).for_each(|texel| texel.copy_from_slice(&sample[..size]));
        for y in 0..at.height {
            self.memory.write(self.row_at(at, y), row);
        }
    }
}

/// `f(sample's place in the row, sample, index in the tile)` for a row of texels.
#[inline(always)]
fn each(width: usize, samples: usize, y: usize, mut f: impl FnMut(usize, usize, usize)) {
    for x in 0..width {
        let index = index_of(x, y) & (TILE_AREA - 1);
        for s in 0..samples {
            f(x * samples + s, s, index);
        }
    }
}

/// Two whole rows of 32-bit texels into the tile: pairs of pixels, upper and lower in turn, make quads.
fn join_rows(rows: &[u64; TILE_PX], plane: &mut TilePlane, y: usize) {
    let plane: &mut [u64; TILE_AREA / 2] = bytemuck::cast_mut(&mut plane.0);
    let base = index_of(0, y) / 2;
    for block in 0..8 {
        let out = &mut plane[base + block * 32..base + block * 32 + 8];
        for quad in 0..4 {
            out[quad * 2] = rows[block * 4 + quad];
            out[quad * 2 + 1] = rows[32 + block * 4 + quad];
        }
    }
}

/// The reverse of `join_rows`.
fn part_rows(plane: &TilePlane, y: usize, rows: &mut [u64; TILE_PX]) {
    let plane: &[u64; TILE_AREA / 2] = bytemuck::cast_ref(&plane.0);
    let base = index_of(0, y) / 2;
    for block in 0..8 {
        let from = &plane[base + block * 32..base + block * 32 + 8];
        for quad in 0..4 {
            rows[block * 4 + quad] = from[quad * 2];
            rows[32 + block * 4 + quad] = from[quad * 2 + 1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_come_back_as_they_were() {
        for (texel_bytes, samples) in
            [(1, 1), (2, 1), (4, 1), (8, 1), (16, 1), (4, 4), (16, 4), (8, 4), (64, 4), (32, 4)]
        {
            let layout = LevelLayout {
                width: 100,
                height: 75,
                depth_or_layers: 2,
                offset_bytes: 64,
                row_bytes: 100 * texel_bytes,
                layer_bytes: 7500 * texel_bytes,
                texel_bytes,
            };
            let memory = Memory::zeroed(64 + 2 * layout.layer_bytes).expect("memory");
            let bytes: Vec<u8> = (0..memory.size_bytes()).map(|i| (i * 7 + i / 253) as u8).collect();
            memory.write(0, &bytes);
            let surface = Surface::new(&memory, &layout, 1, samples);
            let mut rows = Rows::default();
            for at in [
                TileBox { x: 0, y: 0, width: 64, height: 64 },
                TileBox { x: 64, y: 64, width: 36, height: 11 },
                TileBox { x: 0, y: 64, width: 64, height: 11 },
            ] {
                let mut planes: Vec<_> = (0..samples * surface.words()).map(|_| TilePlane::boxed()).collect();
                surface.read(&at, &mut planes, &mut rows);
                // One texel by hand: its last sample's first byte.
                let (x, y) = (at.width - 1, at.height - 1);
                let size = texel_bytes / samples;
                let from = 64 + layout.layer_bytes + (at.y + y) * layout.row_bytes + (at.x + x) * texel_bytes;
                let want = bytes[from + (samples - 1) * size];
                assert_eq!(planes[(samples - 1) * surface.words()].0[index_of(x, y)] & 0xFF, u32::from(want));
                surface.fill(&at, [1, 2, 3, 4], &mut rows);
                surface.write(&at, &planes, &mut rows);
            }
            let mut got = vec![0; bytes.len()];
            memory.read(0, &mut got);
            assert_eq!(got, bytes, "{texel_bytes} {samples}");
        }
    }

    #[test]
    fn a_fill_repeats_the_sample() {
        let layout = LevelLayout {
            width: 3,
            height: 2,
            depth_or_layers: 1,
            offset_bytes: 0,
            row_bytes: 24,
            layer_bytes: 48,
            texel_bytes: 8,
        };
        let memory = Memory::zeroed(48).expect("memory");
        let surface = Surface::new(&memory, &layout, 0, 4);
        surface.fill(&TileBox { x: 1, y: 0, width: 2, height: 2 }, [0xBBAA, 0, 0, 0], &mut Rows::default());
        let mut got = [0; 48];
        memory.read(0, &mut got);
        for (i, byte) in got.into_iter().enumerate() {
            let want = if i % 24 < 8 { 0 } else { [0xAA, 0xBB][i % 2] };
            assert_eq!(byte, want, "{i}");
        }
    }
}
