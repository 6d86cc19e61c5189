//! Noise: the same on every device, since it begins with an integer hash.
//!
//! PCG in three dimensions (Jarzynski, Olano, "Hash Functions for GPU Rendering", 2020). Gradient noise is Perlin's of
//! 2002, cells are Worley's of 1996. Ours: hashes in the place of permutation tables, so that noise never repeats.

use super::{fixed, number};
use crate::row::{Default, Eval, Form, Geometry, Given, Meaning, Out, Pin, Row, Setting, Sized4, Width};

const PCG: &str = "Jarzynski, Olano, \"Hash Functions for GPU Rendering\" (2020)";
const AT: Pin =
    fixed("position", 3, Meaning::Position, Default::Geometry(Geometry::ObjectPosition), "Where; a cell is 1 wide.");

const fn out(name: &'static str, form: &'static str, ulp: f64, eval: fn(&Given<'_>) -> Sized4) -> Out {
    let (width, meaning, form) = (Width::Fixed(1), Meaning::Number, Form::Whole(form));
    Out { name, width, meaning, form, eval: Eval::Whole(eval), ulp }
}

fn one(value: f64) -> Sized4 {
    ([value, 0.0, 0.0, 0.0], 1.0)
}

/// Beyond this, f32 has no room behind the point.
const CELL_MAX: f64 = 8_388_608.0;

fn cell(x: f64) -> f64 {
    x.floor().clamp(-CELL_MAX, CELL_MAX)
}

fn hash(cell: [i32; 3]) -> [u32; 3] {
    let mut v = cell.map(|x| (x as u32).wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    for round in 0..2 {
        v[0] = v[0].wrapping_add(v[1].wrapping_mul(v[2]));
        v[1] = v[1].wrapping_add(v[2].wrapping_mul(v[0]));
        v[2] = v[2].wrapping_add(v[0].wrapping_mul(v[1]));
        if round == 0 {
            v = v.map(|x| x ^ x >> 16);
        }
    }
    v
}

fn unit(hash: u32) -> f64 {
    f64::from(hash >> 8) / 16_777_216.0
}

fn cell_of(position: &[f64; 4]) -> ([i32; 3], [f64; 3]) {
    let cells: [f64; 3] = std::array::from_fn(|n| cell(position[n]));
    (cells.map(|x| x as i32), std::array::from_fn(|n| (position[n] - cells[n]).clamp(0.0, 1.0)))
}

/// The mean of eight corners' values with the quintic weights of Perlin 2002.
fn corners(position: &[f64; 4], value: fn([u32; 3], [f64; 3]) -> f64) -> f64 {
    let (cell, inside) = cell_of(position);
    let fade = inside.map(|t| t * t * t * (t * (t * 6.0 - 15.0) + 10.0));
    let mut sum = 0.0;
    for corner in 0..8 {
        let offset: [i32; 3] = std::array::from_fn(|axis| corner >> axis & 1);
        let hash = hash(std::array::from_fn(|axis| cell[axis] + offset[axis]));
        let from = std::array::from_fn(|axis| inside[axis] - f64::from(offset[axis]));
        let weight: f64 = (0..3).map(|axis| if offset[axis] == 1 { fade[axis] } else { 1.0 - fade[axis] }).product();
        sum += weight * value(hash, from);
    }
    sum
}

/// The twelve directions to the edges of a cube, four of them twice.
fn gradient(hash: [u32; 3], p: [f64; 3]) -> f64 {
    let h = hash[0] >> 28;
    let u = if h < 8 { p[0] } else { p[1] };
    let v = if h < 4 {
        p[1]
    } else if h == 12 || h == 14 {
        p[0]
    } else {
        p[2]
    };
    (if h & 1 == 0 { u } else { -u }) + (if h & 2 == 0 { v } else { -v })
}

fn fractal(given: &Given<'_>) -> Sized4 {
    let (gain, lacunarity) = (given.inputs[1][0].clamp(0.0, 1.0), given.inputs[2][0].clamp(1.0, 16.0));
    let (mut sum, mut total, mut weight, mut scale) = (0.0, 0.0, 1.0, 1.0f32);
    for _ in 0..given.numbers[0] as u32 {
        // Where a layer is read is rounded to f32, or its cells could be others.
        let at = given.inputs[0].map(|x| f64::from(x as f32 * scale));
        sum += weight * corners(&at, gradient);
        total += weight;
        weight *= gain;
        scale *= lacunarity as f32;
    }
    one(sum / total)
}

/// Distance to the nearest point, and the hash of its cell.
fn nearest(position: &[f64; 4], jitter: f64) -> (f64, u32) {
    let jitter = jitter.clamp(0.0, 1.0);
    let (cell, inside) = cell_of(position);
    let (mut best, mut id) = (f64::MAX, 0);
    for z in -1..=1 {
        for y in -1..=1 {
            for x in -1..=1 {
                let offset = [x, y, z];
                let hash = hash(std::array::from_fn(|n| cell[n] + offset[n]));
                let squared: f64 = (0..3)
                    .map(|n| {
                        let point = 0.5 + jitter * (unit(hash[n]) - 0.5);
                        let d = f64::from(offset[n]) + point - inside[n];
                        d * d
                    })
                    .sum();
                if squared < best {
                    (best, id) = (squared, hash[0] ^ hash[1]);
                }
            }
        }
    }
    (best.sqrt(), id)
}

pub(super) const ROWS: &[Row] = &[
    Row {
        word: "random",
        doc: "A number in 0..1 for each cell",
        source: PCG,
        inputs: &[AT],
        outputs: &[out("value", "graph_random({position})", 0.0, |g| one(unit(hash(cell_of(&g.inputs[0]).0)[0])))],
        ..Row::EMPTY
    },
    Row {
        word: "value_noise",
        doc: "Random numbers at the corners of cells, smooth between: 0..1",
        source: PCG,
        inputs: &[AT],
        outputs: &[out("value", "graph_value_noise({position})", 16.0, |g| {
            one(corners(&g.inputs[0], |hash, _| unit(hash[0])))
        })],
        ..Row::EMPTY
    },
    Row {
        word: "noise",
        doc: "Gradient noise: -1..1, and 0 at the corners of cells",
        source: "Perlin, \"Improving Noise\" (2002); hash: Jarzynski, Olano (2020)",
        inputs: &[AT],
        outputs: &[out("value", "graph_noise({position})", 16.0, |g| one(corners(&g.inputs[0], gradient)))],
        ..Row::EMPTY
    },
    Row {
        word: "fractal_noise",
        doc: "A sum of gradient noise at several scales, divided by the sum of their weights: -1..1",
        source: "Perlin, \"Improving Noise\" (2002); hash: Jarzynski, Olano (2020)",
        inputs: &[
            AT,
            number("gain", 0.5, "Weight of a layer, in terms of the layer before; clamped to 0..1."),
            number("lacunarity", 2.0, "Scale of a layer, in terms of the layer before; clamped to 1..16."),
        ],
        setting: Setting::Octaves,
        outputs: &[out("value", "graph_fractal_noise({position}, {gain}, {lacunarity}, {setting})", 24.0, fractal)],
        ..Row::EMPTY
    },
    Row {
        word: "cells",
        doc: "A random point in every cell: the distance to the nearest one, and a number in 0..1 that is its own",
        source: "Worley, \"A Cellular Texture Basis Function\" (1996); hash: Jarzynski, Olano (2020)",
        inputs: &[AT, number("jitter", 1.0, "How far points are from the middle of their cells; clamped to 0..1.")],
        outputs: &[
            out("distance", "graph_cells({position}, {jitter}).x", 16.0, |g| {
                one(nearest(&g.inputs[0], g.inputs[1][0]).0)
            }),
            out("random", "graph_cells({position}, {jitter}).y", 0.0, |g| {
                one(unit(nearest(&g.inputs[0], g.inputs[1][0]).1))
            }),
        ],
        ..Row::EMPTY
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures from an independent run of the paper's listing in Python.
    #[test]
    fn hashes_are_those_of_the_paper() {
        assert_eq!(hash([0, 0, 0]), HASH_0);
        assert_eq!(hash([1, -2, 3]), HASH_1);
    }

    const HASH_0: [u32; 3] = [0x9BAFD7C6, 0xA8E88A6B, 0x3F15482C];
    const HASH_1: [u32; 3] = [0x846D14A4, 0xC98A0AC6, 0xA1AD79E1];
}
