//! Chunk: what the front end makes of one task: shaded vertices, set-up-ready primitives and their bins.
//!
//! In: primitives as local vertex numbers. Out: by tile, the primitives that may touch it, in drawing order. A
//! primitive over many tiles is kept in one list that every tile looks at, so that memory is bounded by primitives, not
//! by area.

use super::clip::{Along, Polygon, clip_line, clip_polygon};
use super::cover::{WideEdges, pixels_between, sample_positions, wide_edges};
use super::order::Box2;
use super::plan::{Plan, Shape};
use super::project::{CLIPPED, NOT_FINITE, POINT_REJECTS, Projection, REJECTS, UNFIT};
use super::setup::{Corner, area};

/// A primitive over more tiles than this is not binned.
const BINNED_TILES: i32 = 64;

/// One primitive: local vertices (a line repeats its first, a point has one thrice), its draw among the chunk's, and
/// whether it faces front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    pub v: [u16; 3],
    pub tag: u16,
}

impl Item {
    pub fn local_draw(&self) -> usize {
        usize::from(self.tag >> 1)
    }
    pub fn is_front(&self) -> bool {
        self.tag & 1 == 1
    }
}

/// The items of a tile: a range of `Chunk::entries`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub tile: u32,
    pub start: u32,
    pub count: u32,
}

/// The result of one task. Kept and refilled.
#[derive(Debug, Default)]
pub struct Chunk {
    pub corners: Vec<Corner>,
    pub codes: Vec<u16>,
    pub positions: Vec<[f32; 4]>,
    /// Where a vertex's words start in `varyings`.
    pub varyings_at: Vec<u32>,
    pub varyings: Vec<u32>,
    pub items: Vec<Item>,
    /// `primitive_index` of each item; empty where no draw of the chunk reads it.
    pub primitives: Vec<u32>,
    /// Draws of the pass, by the chunk's own numbers.
    pub draws: Vec<u32>,
    /// Items, tile by tile.
    pub entries: Vec<u32>,
    pub runs: Vec<Run>,
    /// Items that every tile must look at, ascending.
    pub wide: Vec<u32>,
}

impl Chunk {
    pub fn clear(&mut self) {
        self.corners.clear();
        self.codes.clear();
        self.positions.clear();
        self.varyings_at.clear();
        self.varyings.clear();
        self.items.clear();
        self.primitives.clear();
        self.draws.clear();
        self.entries.clear();
        self.runs.clear();
        self.wide.clear();
    }

    #[inline(always)]
    pub fn corners_of(&self, v: [u16; 3]) -> [Corner; 3] {
        let corner = |k: usize| self.corners[usize::from(v[k])];
        [corner(0), corner(1), corner(2)]
    }

    /// Where the words of the vertices start.
    #[inline(always)]
    pub fn varyings_of(&self, v: [u16; 3]) -> [u32; 3] {
        let at = |k: usize| self.varyings_at[usize::from(v[k])];
        [at(0), at(1), at(2)]
    }
}

/// What assembly needs of one draw.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    pub plan: &'a Plan,
    pub projection: &'a Projection,
    /// Pixels that any sample of the draw may touch.
    pub area_px: Box2,
    pub samples: usize,
    pub tiles_x: i32,
    /// The draw's number in the chunk.
    pub local_draw: u16,
    /// Items of this chunk carry their `primitive_index`.
    pub numbered: bool,
}

/// Working memory of binning and clipping.
#[derive(Debug, Default)]
pub struct Bins {
    /// Items of each tile, then where its run continues.
    counts: Vec<u32>,
    touched: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    wide_box: Option<Box2>,
    polygon: Polygon,
    spare: Polygon,
}

impl Bins {
    pub fn begin(&mut self, tile_count: usize) {
        self.counts.resize(tile_count, 0);
        self.pairs.clear();
        self.touched.clear();
        self.wide_box = None;
    }

    #[inline(always)]
    fn push(&mut self, tile: u32, item: u32) {
        let count = &mut self.counts[tile as usize];
        if *count == 0 {
            self.touched.push(tile);
        }
        *count += 1;
        self.pairs.push((tile, item));
    }

    /// Sorts what was pushed by tile into the chunk; leaves the counts zero.
    pub fn finish(&mut self, chunk: &mut Chunk, tiles_x: i32) {
        self.touched.sort_unstable();
        let mut start = 0;
        for &tile in &self.touched {
            let count = std::mem::replace(&mut self.counts[tile as usize], start);
            chunk.runs.push(Run { tile, start, count });
            start += count;
        }
        chunk.entries.resize(self.pairs.len(), 0);
        for &(tile, item) in &self.pairs {
            let at = &mut self.counts[tile as usize];
            chunk.entries[*at as usize] = item;
            *at += 1;
        }
        for &tile in &self.touched {
            self.counts[tile as usize] = 0;
        }
        if let Some(around) = self.wide_box {
            // Tiles that only the wide items reach must come by too.
            let runs = std::mem::take(&mut chunk.runs);
            let mut known = runs.iter().copied().peekable();
            for y in around.y0..around.y1 {
                for x in around.x0..around.x1 {
                    let tile = (y * tiles_x + x) as u32;
                    while let Some(run) = known.next_if(|run| run.tile < tile) {
                        chunk.runs.push(run);
                    }
                    let run = known.next_if(|run| run.tile == tile);
                    chunk.runs.push(run.unwrap_or(Run { tile, start: 0, count: 0 }));
                }
            }
            chunk.runs.extend(known);
        }
    }
}

/// Adds the primitive with local vertices `v`: rejects, clips, culls and bins it.
#[inline(always)]
pub fn add(chunk: &mut Chunk, bins: &mut Bins, setting: &Setting<'_>, v: [u16; 3], primitive: u32) {
    let code = |k: usize| chunk.codes[usize::from(v[k])];
    let codes = [code(0), code(1), code(2)];
    let (any, all) = (codes[0] | codes[1] | codes[2], codes[0] & codes[1] & codes[2]);
    if all & REJECTS != 0 || any & NOT_FINITE != 0 {
        return;
    }
    if any & (CLIPPED | UNFIT) != 0 {
        add_clipped(chunk, bins, setting, v, any, primitive);
        return;
    }
    match setting.plan.shape {
        Shape::Triangle => add_triangle(chunk, bins, setting, v, primitive),
        Shape::Line => add_item(chunk, bins, setting, v, true, primitive),
        Shape::Point if any & POINT_REJECTS == 0 => add_item(chunk, bins, setting, v, true, primitive),
        Shape::Point => {}
    }
}

#[inline(always)]
fn add_triangle(chunk: &mut Chunk, bins: &mut Bins, setting: &Setting<'_>, v: [u16; 3], primitive: u32) {
    let corners = chunk.corners_of(v);
    let doubled = area(&corners);
    if let Some(front) = facing(setting.plan, doubled) {
        let (x, y) = (corners.map(|c| c.x), corners.map(|c| c.y));
        let low = |v: [i32; 3]| v[0].min(v[1]).min(v[2]);
        let high = |v: [i32; 3]| v[0].max(v[1]).max(v[2]);
        let (x0, x1) = pixels_between(low(x), high(x), setting.samples);
        let (y0, y1) = pixels_between(low(y), high(y), setting.samples);
        let reach = Box2 { x0, y0, x1, y1 };
        let reach = reach.and(&setting.area_px);
        if !reach.is_empty() {
            bin(chunk, bins, setting, v, front, reach, primitive, || {
                wide_edges(&corners, doubled, 0, 0, sample_positions(setting.samples))
            });
        }
    }
}

/// Whether a triangle of this area faces front; `None` where nothing is drawn.
#[inline(always)]
fn facing(plan: &Plan, doubled: i64) -> Option<bool> {
    let front = doubled.signum() == plan.faces.front_sign;
    let drawn = doubled != 0 && !(plan.faces.cull_front && front || plan.faces.cull_back && !front);
    drawn.then_some(front)
}

/// A line or a point.
fn add_item(chunk: &mut Chunk, bins: &mut Bins, setting: &Setting<'_>, v: [u16; 3], front: bool, primitive: u32) {
    let corners = chunk.corners_of(v);
    let (x, y) = (corners.map(|c| c.x), corners.map(|c| c.y));
    let (low, high) = (|v: [i32; 3]| v[0].min(v[1]), |v: [i32; 3]| v[0].max(v[1]));
    // A line steps aside of its ends by half a pixel.
    let aside = i32::from(setting.plan.shape == Shape::Line);
    let reach = Box2 {
        x0: (low(x) >> 8) - aside,
        y0: (low(y) >> 8) - aside,
        x1: (high(x) >> 8) + 1 + aside,
        y1: (high(y) >> 8) + 1 + aside,
    };
    let reach = reach.and(&setting.area_px);
    if !reach.is_empty() {
        bin(chunk, bins, setting, v, front, reach, primitive, WideEdges::default);
    }
}

/// Puts one item into the bins of the tiles that `reach` (pixels, not empty) meets.
#[inline(always)]
fn bin(
    chunk: &mut Chunk,
    bins: &mut Bins,
    setting: &Setting<'_>,
    v: [u16; 3],
    front: bool,
    reach: Box2,
    primitive: u32,
    edges: impl Fn() -> WideEdges,
) {
    let item = chunk.items.len() as u32;
    chunk.items.push(Item { v, tag: setting.local_draw << 1 | u16::from(front) });
    if setting.numbered {
        chunk.primitives.push(primitive);
    }
    let tiles = Box2 { x0: reach.x0 >> 6, y0: reach.y0 >> 6, x1: (reach.x1 + 63) >> 6, y1: (reach.y1 + 63) >> 6 };
    let (width, height) = (tiles.x1 - tiles.x0, tiles.y1 - tiles.y0);
    let tile_at = |x: i32, y: i32| (y * setting.tiles_x + x) as u32;
    if width == 1 && height == 1 {
        bins.push(tile_at(tiles.x0, tiles.y0), item);
        return;
    }
    if i64::from(width) * i64::from(height) > i64::from(BINNED_TILES) {
        chunk.wide.push(item);
        bins.wide_box = Some(bins.wide_box.map_or(tiles, |known| known.around(&tiles)));
        return;
    }
    if width == 1 || height == 1 {
        for y in tiles.y0..tiles.y1 {
            for x in tiles.x0..tiles.x1 {
                bins.push(tile_at(x, y), item);
            }
        }
        return;
    }
    let edges = edges();
    for y in tiles.y0..tiles.y1 {
        for x in tiles.x0..tiles.x1 {
            if !misses(&edges, setting.samples, i64::from(x), i64::from(y)) {
                bins.push(tile_at(x, y), item);
            }
        }
    }
}

/// Whether all samples of a tile lie outside of one edge. `edges` are seen from tile (0, 0).
fn misses(edges: &WideEdges, samples: usize, x: i64, y: i64) -> bool {
    (0..3).any(|k| {
        let (a, b) = (edges.a[k], edges.b[k]);
        let reach = 64 * (a * x + b * y) + 63 * (a.max(0) + b.max(0));
        edges.e[..samples].iter().all(|e| e[k] + reach < 0)
    })
}

/// Clips a primitive; what is left becomes new vertices and items.
#[cold]
fn add_clipped(chunk: &mut Chunk, bins: &mut Bins, setting: &Setting<'_>, v: [u16; 3], any: u16, primitive: u32) {
    let plan = setting.plan;
    if plan.shape == Shape::Point || any & CLIPPED == 0 {
        // A point that would be clipped is dropped; a position that does not fit without clipping never will.
        return;
    }
    let words = plan.along.len();
    bins.polygon.clear();
    let ends = if plan.shape == Shape::Line { 2 } else { 3 };
    let first = chunk.varyings_at[usize::from(v[0])] as usize;
    for &v in &v[..ends] {
        let at = chunk.varyings_at[usize::from(v)] as usize;
        bins.polygon.push(chunk.positions[usize::from(v)], &chunk.varyings[at..at + words]);
        let start = bins.polygon.varyings.len() - words;
        for (k, along) in plan.along.iter().enumerate() {
            if *along == Along::Flat {
                bins.polygon.varyings[start + k] = chunk.varyings[first + k];
            }
        }
    }
    let clip = if ends == 2 { clip_line } else { clip_polygon };
    clip(&mut bins.polygon, &mut bins.spare, &plan.along, (plan.depth_clipped, setting.projection.guard));
    let count = bins.polygon.positions.len();
    let base = chunk.corners.len();
    if count < ends || base + count > usize::from(u16::MAX) {
        // Local numbers suffice: a chunk's 1024 triangles of ten vertices each stay below 2^14.
        debug_assert!(count < ends, "{base} vertices");
        return;
    }
    for k in 0..count {
        let (corner, fits) = setting.projection.corner(bins.polygon.positions[k]);
        if !fits {
            chunk.corners.truncate(base);
            return;
        }
        chunk.corners.push(corner);
    }
    for k in 0..count {
        chunk.codes.push(0);
        chunk.positions.push(bins.polygon.positions[k]);
        chunk.varyings_at.push((chunk.varyings.len() + k * words) as u32);
    }
    chunk.varyings.extend_from_slice(&bins.polygon.varyings);
    let local = |k: usize| (base + k) as u16;
    if ends == 2 {
        add_item(chunk, bins, setting, [local(0), local(1), local(0)], true, primitive);
        return;
    }
    let fan = |k: usize| [local(0), local(k), local(k + 1)];
    let areas = |chunk: &Chunk, k: usize| area(&chunk.corners_of(fan(k)));
    let whole: i64 = (1..count - 1).map(|k| areas(chunk, k)).sum();
    if facing(plan, whole).is_none() {
        return;
    }
    for k in 1..count - 1 {
        if areas(chunk, k).signum() == whole.signum() {
            add_triangle(chunk, bins, setting, fan(k), primitive);
        }
    }
}
