//! The loops of FLIP: a rectangle of pixels, both pictures at once.
//!
//! In: filters, a source of linear colours, a rectangle. Out: its errors. A row of the rectangle and its halo is turned
//! into opponent planes and filtered along x at once; when all rows are there, each pixel is filtered along y, compared
//! and put together without leaving registers. Every pixel's sums run in the same order whatever the rectangle, so
//! tiles and whole pictures give the same bits.

use stillframe_base::lanes::{Isa, Work};

use super::colour::{Largest, WIDE, Wide, error, hunt_lab, hyab, opponent};
use super::filter::Filters;

/// Filtered along x: achromatic, red-green, blue-yellow twice, and of features the Gaussian and its two derivatives.
const PLANES: usize = 7;

/// Pixels `left..right`, `top..bottom`.
#[derive(Clone, Copy, Debug)]
pub struct Rect {
    pub left: usize,
    pub top: usize,
    pub right: usize,
    pub bottom: usize,
}

/// Pixels of a picture, across and down.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub width: usize,
    pub height: usize,
}

/// Where linear colours in 0..=1 come from.
pub trait Source: Sync {
    /// That of both pictures.
    fn size(&self) -> Size;
    /// Red, green and blue of row `y` of the reference (0) or the test picture (1), from column `left` on; beyond the
    /// picture its border goes on.
    fn row(&self, side: usize, y: usize, left: isize, out: &mut [Vec<f32>; 3]);
}

/// Room for one rectangle; kept from one to the next.
#[derive(Default)]
pub struct Scratch {
    /// Three planes of one row with its halo: colours, then opponent values.
    row: [Vec<f32>; 3],
    /// For each picture: rows of `PLANES` filtered planes.
    across: [Vec<f32>; 2],
}

/// Sources are called through a pointer, a row at a time: the loops are compiled once a level and not once a kind of
/// picture too.
pub struct Rectangle<'a> {
    pub filters: &'a Filters,
    pub largest: Largest,
    pub source: &'a dyn Source,
    pub rect: Rect,
    pub scratch: &'a mut Scratch,
    /// Rows of the rectangle; each becomes the larger of what it was and the error.
    pub errors: &'a mut [f32],
}

impl Work for Rectangle<'_> {
    type Out = ();

    #[inline(always)]
    fn run<const LEVEL: u8>(self) {
        let Rectangle { filters, largest, source, rect, scratch, errors } = self;
        let halo = filters.halo_px();
        let Size { height: picture_height, .. } = source.size();
        let width = rect.right - rect.left;
        // Whole blocks: what is computed beyond the rectangle is dropped.
        let wide = width.next_multiple_of(WIDE);
        let first_row = rect.top.saturating_sub(halo);
        let end_row = (rect.bottom + halo).min(picture_height);
        let stride = wide * PLANES;
        for side in 0..2 {
            let across = &mut scratch.across[side];
            across.resize((end_row - first_row) * stride, 0.0);
            for plane in &mut scratch.row {
                plane.resize(wide + 2 * halo, 0.0);
            }
            for (y, out) in (first_row..end_row).zip(across.chunks_exact_mut(stride)) {
                source.row(side, y, rect.left as isize - halo as isize, &mut scratch.row);
                let [red, green, blue] = scratch.row.each_mut().map(|plane| &mut plane[..wide + 2 * halo]);
                for i in Isa::each::<LEVEL>(wide + 2 * halo) {
                    [red[i], green[i], blue[i]] = opponent([red[i], green[i], blue[i]]);
                }
                row_across::<LEVEL>(filters, &scratch.row, halo, wide, out);
            }
        }
        for y in rect.top..rect.bottom {
            let row_at = |distance: isize| {
                let row = (y as isize + distance).clamp(0, picture_height as isize - 1) as usize;
                (row - first_row) * stride
            };
            let out = &mut errors[(y - rect.top) * width..(y - rect.top + 1) * width];
            for (block, out) in out.chunks_mut(WIDE).enumerate() {
                let at = block * WIDE;
                let found = pixels::<LEVEL>(filters, &scratch.across, &row_at, wide, at, &largest);
                for (out, found) in out.iter_mut().zip(found) {
                    *out = if found > *out { found } else { *out };
                }
            }
        }
    }
}

#[inline(always)]
fn load(from: &[f32], at: usize) -> Wide {
    *from[at..].first_chunk::<WIDE>().expect("rows are whole blocks and their halo")
}

#[inline(always)]
fn plus(a: Wide, b: Wide) -> Wide {
    std::array::from_fn(
        #[inline(always)]
        |i| a[i] + b[i],
    )
}

#[inline(always)]
fn minus(a: Wide, b: Wide) -> Wide {
    std::array::from_fn(
        #[inline(always)]
        |i| a[i] - b[i],
    )
}

#[inline(always)]
fn add(sum: &mut Wide, weight: f32, value: Wide) {
    for i in 0..WIDE {
        sum[i] += weight * value[i];
    }
}

/// An even filter around `centre`: `at(distance)` loads.
#[inline(always)]
fn even(weights: &[f32], at: impl Fn(isize) -> Wide) -> Wide {
    let mut sum = [0.0; WIDE];
    add(&mut sum, weights[0], at(0));
    for k in 1..weights.len() {
        add(&mut sum, weights[k], plus(at(-(k as isize)), at(k as isize)));
    }
    sum
}

#[inline(always)]
fn row_across<const LEVEL: u8>(filters: &Filters, row: &[Vec<f32>; 3], halo: usize, wide: usize, out: &mut [f32]) {
    for block in (0..wide).step_by(WIDE) {
        let from = |plane: usize| {
            let plane = &row[plane];
            #[inline(always)]
            move |distance: isize| load(plane, (block as isize + halo as isize + distance) as usize)
        };
        let (luma, red_green, blue_yellow) = (from(0), from(1), from(2));
        let mut features = [[0.0; WIDE]; 3];
        let [smooth, edge, point] = &mut features;
        add(smooth, filters.smooth[0], luma(0));
        add(point, filters.point[0], luma(0));
        for k in 1..filters.smooth.len() {
            let (before, after) = (luma(-(k as isize)), luma(k as isize));
            let both = plus(before, after);
            add(smooth, filters.smooth[k], both);
            add(point, filters.point[k], both);
            add(edge, filters.edge[k], minus(after, before));
        }
        let colours = [
            even(&filters.achromatic, luma),
            even(&filters.red_green, red_green),
            even(&filters.blue_yellow[0], blue_yellow),
            even(&filters.blue_yellow[1], blue_yellow),
        ];
        for (plane, values) in colours.iter().chain(&features).enumerate() {
            out[plane * wide + block..][..WIDE].copy_from_slice(values);
        }
    }
}

/// One block of one picture, filtered along y too: opponent colour, strength of edges and of points.
#[inline(always)]
fn down(
    filters: &Filters,
    across: &[f32],
    row_at: &impl Fn(isize) -> usize,
    wide: usize,
    at: usize,
) -> ([Wide; 3], Wide, Wide) {
    let from = |plane: usize| {
        #[inline(always)]
        move |distance: isize| load(across, row_at(distance) + plane * wide + at)
    };
    let luma = even(&filters.achromatic, from(0));
    let red_green = even(&filters.red_green, from(1));
    let blue_yellow = plus(even(&filters.blue_yellow[0], from(2)), even(&filters.blue_yellow[1], from(3)));
    let (smooth, edge, point) = (from(4), from(5), from(6));
    let edge_x = even(&filters.smooth, edge);
    let point_x = even(&filters.smooth, point);
    let mut edge_y = [0.0; WIDE];
    let mut point_y = [0.0; WIDE];
    add(&mut point_y, filters.point[0], smooth(0));
    for k in 1..filters.smooth.len() {
        let (before, after) = (smooth(-(k as isize)), smooth(k as isize));
        add(&mut point_y, filters.point[k], plus(before, after));
        add(&mut edge_y, filters.edge[k], minus(after, before));
    }
    let length = |a: Wide, b: Wide| -> Wide {
        std::array::from_fn(
            #[inline(always)]
            |i| (a[i] * a[i] + b[i] * b[i]).sqrt(),
        )
    };
    ([luma, red_green, blue_yellow], length(edge_x, edge_y), length(point_x, point_y))
}

#[inline(always)]
fn pixels<const LEVEL: u8>(
    filters: &Filters,
    across: &[Vec<f32>; 2],
    row_at: &impl Fn(isize) -> usize,
    wide: usize,
    at: usize,
    largest: &Largest,
) -> Wide {
    let (old, old_edge, old_point) = down(filters, &across[0], row_at, wide, at);
    let (new, new_edge, new_point) = down(filters, &across[1], row_at, wide, at);
    let mut out = [0.0; WIDE];
    for i in Isa::each::<LEVEL>(WIDE) {
        let a = hunt_lab([old[0][i], old[1][i], old[2][i]]);
        let b = hunt_lab([new[0][i], new[1][i], new[2][i]]);
        let edge = (old_edge[i] - new_edge[i]).abs();
        let point = (old_point[i] - new_point[i]).abs();
        let feature = std::f32::consts::FRAC_1_SQRT_2 * if edge > point { edge } else { point };
        out[i] = error(hyab(a, b), feature, largest);
    }
    out
}
