//! Tiling: pictures that are drawn in tiles, one after the other, and put together from them.
//!
//! In: the size of a picture, what tiles show. Out: tiles, texels of a row of them or of the whole picture. Never here:
//! how a tile is drawn.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::Texels;
use super::shown::{Asked, EyesDrawn};
use crate::render::Tile;
use crate::scene::Aov;

/// Rows of pixels that have tiles in common.
pub fn bands(tile_px: u32, height_px: u32) -> Vec<Range<u32>> {
    (0..height_px).step_by(tile_px as usize).map(|top| top..height_px.min(top + tile_px)).collect()
}

/// The tiles of a picture, or of some rows of it, row by row; `None`: it is drawn at once.
pub fn tiles(asked: &Asked<'_>) -> Option<Vec<Tile>> {
    let size_px = [asked.output.width_px, asked.output.height_px];
    let side_px = asked.scene.render.tiles_px(size_px).filter(|_| asked.in_tiles)?;
    let mut out = Vec::new();
    for rows in bands(side_px, size_px[1]) {
        if asked.rows.as_ref().is_some_and(|wanted| !wanted.contains(&rows.start)) {
            continue;
        }
        for left in (0..size_px[0]).step_by(side_px as usize) {
            let width_px = side_px.min(size_px[0] - left);
            out.push(Tile { origin_px: [left, rows.start], size_px: [width_px, rows.end - rows.start] });
        }
    }
    Some(out)
}

/// What tiles are put together in.
pub struct Mosaic {
    /// The part of the picture that they fill.
    of: Tile,
    /// By eye and layer. What is not of the picture's pixels is that of the first tile: it is the same in all.
    eyes: Vec<BTreeMap<String, Texels>>,
    rest: EyesDrawn,
}

impl Mosaic {
    pub fn new(tiles: &[Tile]) -> Mosaic {
        let (first, last) = (tiles[0], tiles[tiles.len() - 1]);
        let size_px = [0, 1].map(|axis| last.origin_px[axis] + last.size_px[axis] - first.origin_px[axis]);
        Mosaic { of: Tile { origin_px: first.origin_px, size_px }, eyes: Vec::new(), rest: EyesDrawn::default() }
    }

    pub fn add(&mut self, tile: Tile, drawn: EyesDrawn) {
        let EyesDrawn { eyes, captures, stats, history: _ } = drawn;
        let is_first = self.eyes.is_empty();
        self.eyes.resize_with(eyes.len(), BTreeMap::new);
        for (all, eye) in self.eyes.iter_mut().zip(eyes) {
            for (name, texels) in eye {
                let is_of_picture = Aov::parse(&name).is_none_or(|aov| aov.is_as_seen());
                match is_of_picture {
                    true => put(all.entry(name).or_insert_with(|| blank(self.of, &texels)), self.of, tile, &texels),
                    false => drop(all.entry(name).or_insert_with(|| Texels::clone(&texels))),
                }
            }
        }
        let [left, top] = tile.origin_px;
        self.rest.captures.extend(captures.into_iter().map(|mut capture| {
            capture.name = format!("{} at {left} {top}", capture.name);
            capture
        }));
        self.rest.stats = if is_first { stats } else { std::mem::take(&mut self.rest.stats).and(stats) };
    }

    pub fn finish(self) -> EyesDrawn {
        let shared = |eye: BTreeMap<String, Texels>| eye.into_iter().map(|(name, it)| (name, Arc::new(it))).collect();
        EyesDrawn { eyes: self.eyes.into_iter().map(shared).collect(), ..self.rest }
    }
}

fn texel_bytes(texels: &Texels) -> usize {
    texels.bytes.len() / (texels.width_px * texels.height_px) as usize
}

/// Room for texels like these.
fn blank(of: Tile, like: &Texels) -> Texels {
    let [width_px, height_px] = of.size_px;
    let bytes = vec![0; width_px as usize * height_px as usize * texel_bytes(like)];
    Texels { width_px, height_px, bytes, ..*like }
}

fn put(all: &mut Texels, of: Tile, tile: Tile, texels: &Texels) {
    assert_eq!([texels.width_px, texels.height_px], tile.size_px, "a layer of the picture's pixels");
    let texel = texel_bytes(texels);
    let [left, top] = [0, 1].map(|axis| (tile.origin_px[axis] - of.origin_px[axis]) as usize);
    let (row, all_row) = (texels.width_px as usize * texel, all.width_px as usize * texel);
    for (y, line) in texels.bytes.chunks_exact(row).enumerate() {
        let at = (top + y) * all_row + left * texel;
        all.bytes[at..at + row].copy_from_slice(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Format;
    use crate::scene::RenderOptions;

    #[test]
    fn only_what_is_larger_is_parted() {
        for (wanted_px, size_px, want) in [
            (0, [8192, 8192], None),
            (0, [8193, 1], Some(512)),
            (64, [64, 64], None),
            (64, [1, 65], Some(64)),
            (4096, [20_000, 20_000], Some(4096)),
        ] {
            let options = RenderOptions { tile_px: wanted_px, ..RenderOptions::default() };
            assert_eq!(options.tiles_px(size_px), want, "{wanted_px} {size_px:?}");
        }
        assert_eq!(bands(64, 130), [0..64, 64..128, 128..130]);
    }

    #[test]
    fn tiles_fill_the_picture() {
        let tiles = [([0, 64], [64, 3]), ([64, 64], [6, 3])];
        let tiles = tiles.map(|(origin_px, size_px)| Tile { origin_px, size_px });
        let mut mosaic = Mosaic::new(&tiles);
        for (value, tile) in tiles.into_iter().enumerate() {
            let [width_px, height_px] = tile.size_px;
            let bytes = vec![value as u8 + 1; (4 * width_px * height_px) as usize];
            let texels = Texels { format: Format::Rgba8UnormSrgb, width_px, height_px, bytes };
            let eyes = vec![BTreeMap::from([("color".to_string(), Arc::new(texels))])];
            mosaic.add(tile, EyesDrawn { eyes, ..EyesDrawn::default() });
        }
        let drawn = mosaic.finish();
        let texels = &drawn.eyes[0]["color"];
        assert_eq!((texels.width_px, texels.height_px), (70, 3));
        for (at, texel) in texels.bytes.chunks_exact(4).enumerate() {
            assert_eq!(texel, [if at % 70 < 64 { 1 } else { 2 }; 4], "{at}");
        }
    }
}
