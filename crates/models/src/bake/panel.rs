//! Panel: a light's picture, filtered for matte surfaces at several distances.
//!
//! A surface that faces a panel at a distance D sees each of its points by (1 + (r / D)^2)^-2, r metres from the
//! nearest one. A level is the mean by that weight over the panel itself, so nothing bleeds in from outside (after
//! Heitz, Hill 2017, who blur with a Gaussian and widen the picture's border). Texels of the picture are taken as
//! rectangles of one luminance.

use crate::asset::{Image, PANEL_SIDES, Panel, Texels, panel_distance};
use stillframe_base::math::colour::{linear_from_srgb, linear_rgb_from_srgb8};

/// Weights farther than this many distances away are left out where levels are fine.
const REACH: f64 = 6.0;
/// Texels of the level that is summed over, for each distance.
const SUMMED_PER_DISTANCE: f64 = 4.0;

type Color = [f64; 3];

/// A square picture.
struct Plane {
    side: usize,
    texels: Vec<Color>,
}

/// `size_m`: of the panel. Alpha is ignored.
pub fn panel(image: &Image, size_m: [f32; 2]) -> Panel {
    // Of a texel's sides, in roots of the area.
    let aspect = (f64::from(size_m[0]) / f64::from(size_m[1])).sqrt();
    let base = resampled(&colors(image), [image.width_px, image.height_px].map(|px| px as usize), PANEL_SIDES[0]);
    let mut values = Vec::new();
    for (level, &side) in PANEL_SIDES.iter().enumerate() {
        let plane = match level {
            0 => Plane { side, texels: base.texels.clone() },
            _ if side == 1 => reduced(&base, 1),
            _ => filtered(&base, side, panel_distance(level), aspect),
        };
        values.extend(plane.texels.iter().flatten().map(|value| *value as f32));
    }
    Panel { values }
}

/// Linear.
fn colors(image: &Image) -> Vec<Color> {
    match &image.texels {
        Texels::Rgba8(texels) => {
            texels.chunks_exact(4).map(|c| linear_rgb_from_srgb8([c[0], c[1], c[2]]).map(f64::from)).collect()
        }
        Texels::Rgba16(texels) => {
            let linear = |word: u16| f64::from(linear_from_srgb(f32::from(word) / 65535.0));
            texels.chunks_exact(4).map(|c| [c[0], c[1], c[2]].map(linear)).collect()
        }
        // A light cannot take light away.
        Texels::Rgba32Float(texels) => {
            texels.chunks_exact(4).map(|c| [c[0], c[1], c[2]].map(|value| f64::from(value.max(0.0)))).collect()
        }
    }
}

/// Which texels of a row of `from` cover texel `at` of a row of `to`, and how much of it.
fn covering(from: usize, to: usize, at: usize) -> impl Iterator<Item = (usize, f64)> {
    let scale = from as f64 / to as f64;
    let [begin, end] = [at as f64 * scale, (at + 1) as f64 * scale];
    (begin as usize..from.min(end.ceil() as usize)).filter_map(move |texel| {
        let share = (end.min((texel + 1) as f64) - begin.max(texel as f64)) / scale;
        (share > 0.0).then_some((texel, share))
    })
}

/// The mean over what each texel covers.
fn resampled(texels: &[Color], [width, height]: [usize; 2], side: usize) -> Plane {
    let mut out = vec![[0.0; 3]; side * side];
    for y in 0..side {
        for x in 0..side {
            let sum = &mut out[y * side + x];
            for (row, down) in covering(height, side, y) {
                for (column, across) in covering(width, side, x) {
                    let texel = texels[row * width + column];
                    (0..3).for_each(|c| sum[c] += texel[c] * (down * across));
                }
            }
        }
    }
    Plane { side, texels: out }
}

fn reduced(plane: &Plane, side: usize) -> Plane {
    resampled(&plane.texels, [plane.side; 2], side)
}

/// What is seen at the middle of each texel from a distance.
fn filtered(base: &Plane, side: usize, distance: f64, aspect: f64) -> Plane {
    let wanted = (SUMMED_PER_DISTANCE / distance) as usize;
    let plane = reduced(base, wanted.next_power_of_two().clamp(32, base.side));
    let count = plane.side;
    // Texels of the sum for each texel that is made.
    let each = count / side;
    // Weights by distance down and across, in texels of the sum. The middle of an even number is half a texel on.
    let (width, half) = (2 * count + 1, if each.is_multiple_of(2) { 0.5 } else { 0.0 });
    let away = |at: usize| (at as f64 - count as f64 - half) / count as f64;
    let share = |at: usize| {
        let (dy, dx) = (away(at / width) / aspect, away(at % width) * aspect);
        let near = 1.0 / (1.0 + (dx * dx + dy * dy) / (distance * distance));
        near * near
    };
    let shares: Vec<f64> = (0..width * width).map(share).collect();
    let reach = |scale: f64| (REACH * distance / scale * count as f64).ceil() as usize + 1;
    let [across, down] = [reach(aspect), reach(1.0 / aspect)];
    let mut out = Vec::with_capacity(side * side);
    for y in 0..side {
        for x in 0..side {
            // The texel of the sum at or before the middle.
            let [middle_x, middle_y] = [x, y].map(|at| (at * each * 2 + each - 1) / 2);
            let (mut sum, mut weights) = ([0.0; 3], 0.0);
            for row in middle_y.saturating_sub(down)..count.min(middle_y + down + 1) {
                let first = (row + count - middle_y) * width + count - middle_x;
                let columns = middle_x.saturating_sub(across)..count.min(middle_x + across + 1);
                let texels = &plane.texels[row * count..(row + 1) * count];
                for column in columns {
                    let (share, texel) = (shares[first + column], &texels[column]);
                    sum[0] += texel[0] * share;
                    sum[1] += texel[1] * share;
                    sum[2] += texel[2] * share;
                    weights += share;
                }
            }
            out.push(sum.map(|sum| sum / weights));
        }
    }
    Plane { side, texels: out }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width_px: u32, height_px: u32, texel: impl Fn(u32, u32) -> [f32; 3]) -> Image {
        let at = |index: u32| texel(index % width_px, index / width_px);
        let texels = (0..width_px * height_px).flat_map(|index| [at(index)[0], at(index)[1], at(index)[2], 0.5]);
        let texels = Texels::Rgba32Float(texels.collect());
        Image { name: "x".into(), width_px, height_px, texels, levels: Vec::new() }
    }

    /// Where each level begins.
    fn levels(panel: &Panel) -> Vec<&[f32]> {
        let mut rest = &panel.values[..];
        let mut out = Vec::new();
        for side in PANEL_SIDES {
            let (level, after) = rest.split_at(3 * side * side);
            out.push(level);
            rest = after;
        }
        assert!(rest.is_empty());
        out
    }

    #[test]
    fn one_colour_stays_itself() {
        let panel = panel(&image(5, 3, |_, _| [0.5, 2.0, 30.0]), [2.0, 0.7]);
        for texel in panel.values.chunks_exact(3) {
            assert!((texel[0] - 0.5).abs() < 1e-6 && (texel[2] - 30.0).abs() < 1e-4, "{texel:?}");
        }
    }

    /// The first level holds the picture's own texels, the last its mean; between them it fades from one to the other.
    #[test]
    fn levels_fade_to_the_mean() {
        let panel = panel(&image(2, 2, |x, y| [x as f32, y as f32, (x + y) as f32]), [1.0, 1.0]);
        let levels = levels(&panel);
        assert_eq!(levels[0][..3], [0.0; 3]);
        assert_eq!(levels[0][levels[0].len() - 3..], [1.0, 1.0, 2.0]);
        assert!((levels[9][0] - 0.5).abs() < 1e-6 && (levels[9][2] - 1.0).abs() < 1e-6, "{:?}", levels[9]);
        let mut before = 0.0;
        for level in &levels {
            // Red of the first texel.
            assert!(level[0] >= before - 1e-6, "{} after {before}", level[0]);
            before = level[0];
        }
        assert!((levels[8][0] - 0.5).abs() < 0.05, "{}", levels[8][0]);
    }

    /// The middle of a level of half light, half dark, by the closed sum over a fine grid.
    #[test]
    fn a_level_is_the_mean_by_its_weight() {
        let panel = panel(&image(4, 1, |x, _| [[1.0, 0.0, 0.0, 0.25][x as usize]; 3]), [2.0, 0.5]);
        let (level, side, distance) = (levels(&panel)[5], 16usize, 0.25f64);
        let at = |number: usize| (number as f64 + 0.5) / 400.0;
        for (x, y) in [(0, 0), (7, 8), (15, 3)] {
            let (mut sum, mut weights) = (0.0, 0.0);
            for i in 0..400 {
                for j in 0..400 {
                    // The panel is 2 m by 0.5 m: the root of its area is 1 m.
                    let dx = (at(i) - (x as f64 + 0.5) / 16.0) * 2.0;
                    let dy = (at(j) - (y as f64 + 0.5) / 16.0) * 0.5;
                    let near = 1.0 / (1.0 + (dx * dx + dy * dy) / (distance * distance));
                    sum += near * near * [1.0, 0.0, 0.0, 0.25][i / 100];
                    weights += near * near;
                }
            }
            let found = f64::from(level[3 * (y * side + x)]);
            assert!((found - sum / weights).abs() < 0.01, "{x} {y}: {found} for {}", sum / weights);
        }
    }
}
