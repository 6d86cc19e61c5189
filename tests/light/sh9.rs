//! Light of spherical harmonics against sums over all directions in f64.

use std::f64::consts::PI;

use stillframe_base::math::ops64 as m;
use stillframe_testkit::vector::{Vector, dot};

use crate::truth::{linear, scene_of};

const SIDE: usize = 64;
/// Height of the view of a ball of 1 m, metres.
const VIEW_M: f64 = 2.1;

/// The real, orthonormal harmonics in the order of the key, from their definition (Ramamoorthi, Hanrahan 2001,
/// equation 3).
fn harmonics([x, y, z]: Vector) -> [f64; 9] {
    let of = |number: f64| (number / PI).sqrt();
    [
        0.5 * of(1.0),
        0.5 * of(3.0) * y,
        0.5 * of(3.0) * z,
        0.5 * of(3.0) * x,
        0.5 * of(15.0) * x * y,
        0.5 * of(15.0) * y * z,
        0.25 * of(5.0) * (3.0 * z * z - 1.0),
        0.5 * of(15.0) * x * z,
        0.25 * of(15.0) * (x * x - y * y),
    ]
}

/// Rings of the sum over all directions, and half the directions of a ring.
const RINGS: usize = 80;

/// What a white matte surface that faces `n` shows, by the sum over all directions.
fn shown(coefficients: &[Vector; 9], n: Vector) -> Vector {
    let mut sum = [0.0; 3];
    for ring in 0..RINGS {
        let z = (ring as f64 + 0.5) / RINGS as f64 * 2.0 - 1.0;
        for step in 0..2 * RINGS {
            let (sin, cos) = m::sin_cos(PI * (step as f64 + 0.5) / RINGS as f64);
            let across = (1.0 - z * z).sqrt();
            let d = [across * cos, across * sin, z];
            let share = dot(n, d).max(0.0) * 4.0 / (2 * RINGS * RINGS) as f64;
            for (value, coefficient) in harmonics(d).into_iter().zip(coefficients) {
                (0..3).for_each(|c| sum[c] += coefficient[c] * value * share);
            }
        }
    }
    sum
}

/// A ball of 1 m in this light.
fn ball(material: &str, light: &str) -> Vec<Vector> {
    linear(&scene_of(&format!(
        "title = 'a ball'\n[output]\nsize_px = [{SIDE}, {SIDE}]\nsamples = 1\ntonemap = 'none'\n[camera.main]\n\
         position = [0.0, 0.0, 5.0]\nlook_at = [0.0, 0.0, 0.0]\nheight_m = {VIEW_M:?}\n[material.m]\n{material}\n\
         [[node]]\nshape = 'sphere'\nradius_m = 1.0\nsegments = 512\nrings = 256\nmaterial = 'm'\n{light}"
    )))
}

fn sh9(coefficients: &[Vector; 9], more: &str) -> String {
    format!("[[light]]\nkind = 'sh9'\ncoefficients = {coefficients:?}\n{more}")
}

/// The ball's normal at a pixel.
fn normal([row, column]: [usize; 2]) -> Vector {
    let at = |pixel: usize| ((pixel as f64 + 0.5) / SIDE as f64 - 0.5) * VIEW_M;
    let (x, y) = (at(column), -at(row));
    [x, y, (1.0 - x * x - y * y).sqrt()]
}

const PLACES: [[usize; 2]; 9] =
    [[32, 32], [32, 45], [20, 32], [32, 55], [45, 20], [15, 45], [32, 10], [55, 32], [50, 50]];

const CHALK: &str = "base_color = [0.8, 0.6, 0.4]\n";
const BASE: Vector = [0.8, 0.6, 0.4];

const BANDS: [Vector; 9] = [
    [2.0, 1.8, 1.6],
    [0.3, -0.2, 0.1],
    [0.2, 0.5, -0.4],
    [-0.5, 0.1, 0.2],
    [0.3, -0.1, 0.2],
    [-0.2, 0.4, 0.1],
    [0.1, 0.2, -0.3],
    [0.4, -0.3, 0.1],
    [-0.1, 0.2, 0.4],
];

#[test]
fn a_ball_shows_the_sum_over_all_directions() {
    // About the diagonal of all axes by a third of a turn: the light's x goes along the world's y.
    let turned = "rotation_quat = [0.5, 0.5, 0.5, 0.5]\n";
    for (more, local) in [("", [0, 1, 2]), (turned, [1, 2, 0])] {
        for model in ["", "model = 'lambert'\n"] {
            let found = ball(&format!("{model}{CHALK}"), &sh9(&BANDS, more));
            for place in PLACES {
                let n = normal(place);
                let want = shown(&BANDS, local.map(|axis| n[axis]));
                for c in 0..3 {
                    let (found, want) = (found[place[0] * SIDE + place[1]][c], want[c] * BASE[c]);
                    assert!((found - want).abs() < 1e-3, "{more}{model}{place:?}: {found} for {want}");
                }
            }
        }
    }
}

/// Each coefficient by itself, on top of the same everywhere: none stands for another.
#[test]
fn every_coefficient_has_its_place() {
    for number in 1..9 {
        let mut coefficients = [[0.0; 3]; 9];
        coefficients[0] = [3.0; 3];
        coefficients[number] = [1.0, -1.0, 0.5];
        let found = ball(CHALK, &sh9(&coefficients, ""));
        for place in PLACES {
            let want = shown(&coefficients, normal(place));
            for c in 0..3 {
                let (found, want) = (found[place[0] * SIDE + place[1]][c], want[c] * BASE[c]);
                assert!((found - want).abs() < 1e-3, "{number} at {place:?}: {found} for {want}");
            }
        }
    }
}

/// Two halves in the first two bands are a hemisphere light, within rounding. Metal shows nothing, and what is less
/// than no light is none.
#[test]
fn two_bands_are_a_hemisphere() {
    let (up, down) = ([0.9, 0.7, 0.5], [0.1, 0.2, 0.3]);
    let mut coefficients = [[0.0; 3]; 9];
    for c in 0..3 {
        // pi (up (0.5 + 0.5 y) + down (0.5 - 0.5 y)) = pi Y00 L00 + 2 pi / 3 Y1-1 L1-1.
        coefficients[0][c] = (up[c] + down[c]) * PI.sqrt();
        coefficients[1][c] = (up[c] - down[c]) * 0.75 * (4.0 * PI / 3.0).sqrt();
    }
    let hemisphere = format!("[[light]]\nkind = 'hemisphere'\nup = {up:?}\ndown = {down:?}\n");
    let [found, want] = [sh9(&coefficients, ""), hemisphere].map(|light| ball(CHALK, &light));
    let off = found.iter().flatten().zip(want.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-6 && found[32 * SIDE + 32][0] > 0.1, "{off}");
    let steel = ball("metallic = 1.0\n", &sh9(&coefficients, ""));
    assert!(steel.iter().flatten().all(|value| *value == 0.0));
    let dark = ball(CHALK, &sh9(&coefficients.map(|row| row.map(|c| -c)), ""));
    assert!(dark.iter().flatten().all(|value| *value == 0.0));
}
