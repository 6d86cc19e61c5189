//! Tiles: squares of pixels, for lists of lights that the device makes from the depths it has drawn.
//!
//! In: a shot, the size of its picture. Out: how large the lists are, what `tile_lists` reads. The lists are made on
//! the device (`shader/tile_lists.wgsl`), since the depths are there.

use super::clusters::edge_line;
use super::seen_reach::SeenReach;
use crate::view::Shot;

/// Tiles: `tile_list`. Group 1.
pub const TILES: &str = include_str!("tiles.wgsl");

const TILE_MIN_PX: u32 = 16;
/// Words of all lists. Where there would be more, tiles are larger.
const WORDS_MAX: u64 = 1 << 22;
/// Words before the lists.
const HEADER: u64 = 4;

/// The tiles of a picture, each with room for every light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileGrid {
    pub size_px: [u32; 2],
    pub tile_px: u32,
    pub light_count: u32,
}

impl TileGrid {
    pub fn new(size_px: [u32; 2], light_count: u32) -> TileGrid {
        let mut grid = TileGrid { size_px, tile_px: TILE_MIN_PX, light_count };
        while grid.words() > WORDS_MAX && grid.count() > 1 {
            grid.tile_px *= 2;
        }
        grid
    }

    /// Columns and rows.
    pub fn size(self) -> [u32; 2] {
        self.size_px.map(|px| px.div_ceil(self.tile_px))
    }

    pub fn count(self) -> u32 {
        self.size().iter().product()
    }

    /// Of the lists.
    pub fn words(self) -> u64 {
        HEADER + u64::from(self.count()) * (1 + u64::from(self.light_count))
    }
}

/// What `tile_lists` reads.
#[derive(Clone, Debug, PartialEq)]
pub struct TileInputs {
    pub of: TileGrid,
    /// `TileGrid` of WGSL.
    pub grid: Vec<u32>,
    /// Two edges of each column, then of each row.
    pub edges: Vec<[f32; 4]>,
    /// `Reach` of WGSL: where each light reaches.
    pub reaches: Vec<[f32; 4]>,
}

/// What the lists of a shot's lights are made from.
pub fn tile_inputs(shot: &Shot, grid: TileGrid) -> TileInputs {
    let clip = shot.camera.clip_from_view.as_dmat4();
    let [columns, rows] = grid.size();
    // z = (b - a depth) / (d - c depth), solved for the depth.
    let [a, b, c, d] = [clip.z_axis.z, clip.w_axis.z, clip.z_axis.w, clip.w_axis.w].map(|value| value as f32);
    let from_eye = u32::from(!shot.blended.is_empty());
    let mut words: Vec<u32> = [b, d, a, c].map(f32::to_bits).to_vec();
    words.extend([grid.tile_px, columns, rows, grid.light_count, grid.size_px[0], grid.size_px[1], from_eye, 0]);
    let mut edges = Vec::new();
    // `up`: pixels go against the axis.
    for (axis, up) in [(0, 1.0), (1, -1.0)] {
        for tile in 0..grid.size()[axis] {
            // A pixel more on each side: samples lie beside the centre.
            let ends = [f64::from(tile * grid.tile_px) - 1.0, f64::from((tile + 1) * grid.tile_px) + 1.0];
            let [low, high] = ends.map(|px| {
                let edge = (2.0 * px / f64::from(grid.size_px[axis]) - 1.0) * up;
                edge_line(clip, axis, edge).map(|value| value as f32)
            });
            edges.push([low[0], low[1], high[0], high[1]]);
        }
    }
    let reaches = shot.lights.iter().flat_map(|light| {
        let SeenReach { sphere, cone } = SeenReach::new(shot, light);
        // Depths count away from the eye.
        let sphere =
            sphere.map_or([0.0, 0.0, 0.0, -1.0], |(center, radius_m)| [center.x, center.y, -center.z, radius_m]);
        let [apex, axis] = cone.map_or([[0.0, 0.0, 0.0, -1.0]; 2], |cone| {
            [[cone.apex.x, cone.apex.y, -cone.apex.z, cone.cos], [cone.axis.x, cone.axis.y, -cone.axis.z, cone.sin]]
        });
        [sphere, apex, axis].map(|row| row.map(|value| value as f32))
    });
    TileInputs { of: grid, grid: words, edges, reaches: reaches.collect() }
}
