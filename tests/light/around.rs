//! Around: what a ball shows of the studio map, against f64 integrals over all of the map.

use std::path::Path;

use stillframe_base::math::ops64 as m;
use stillframe_testkit::vector::{cross, unit};
use stillframe_testkit::worse;

use crate::furnace::{fresnel_of_lambert, specular};
use crate::truth::{linear, scene_of};

const PI: f64 = std::f64::consts::PI;
const SIDE: usize = 128;
/// Height of the view of a ball of 1 m, metres.
const VIEW_M: f64 = 2.1;

/// Pixels (row, column) from the middle of the ball to its rim, on all sides.
const PLACES: [[usize; 2]; 12] = [
    [64, 64],
    [64, 90],
    [40, 64],
    [64, 110],
    [90, 40],
    [30, 90],
    [64, 20],
    [110, 64],
    [85, 100],
    [50, 40],
    [105, 95],
    [20, 50],
];

/// The studio map as wgpu reads it: bilinear, repeated around, clamped at the poles.
struct Map {
    width: usize,
    height: usize,
    texels: Vec<[f64; 3]>,
}

impl Map {
    fn studio() -> Map {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets/env_studio.exr");
        let map =
            image::load_from_memory(&std::fs::read(path).expect("the map is there")).expect("an EXR").into_rgb32f();
        let (width, height) = (map.width() as usize, map.height() as usize);
        Map { width, height, texels: map.pixels().map(|p| p.0.map(f64::from)).collect() }
    }

    fn radiance(&self, d: [f64; 3]) -> [f64; 3] {
        let x = (m::atan2(d[2], d[0]) / (2.0 * PI) + 0.5) * self.width as f64 - 0.5;
        let y = m::acos(d[1].clamp(-1.0, 1.0)) / PI * self.height as f64 - 0.5;
        let (column, row) = (x.floor(), y.floor());
        let at = |i: f64, j: f64| {
            let column = (column + i).rem_euclid(self.width as f64) as usize % self.width;
            let row = (row + j).clamp(0.0, self.height as f64 - 1.0) as usize;
            self.texels[row * self.width + column]
        };
        let (u, v) = (x - column, y - row);
        let mix = |a: [f64; 3], b: [f64; 3], t: f64| [0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * t);
        mix(mix(at(0.0, 0.0), at(1.0, 0.0), u), mix(at(0.0, 1.0), at(1.0, 1.0), u), v)
    }

    /// The mean over directions of a lobe about `about`: rings of equal share, whose tilts from it `tilt` tells as
    /// (cosine, weight) of a share.
    fn mean(&self, about: [f64; 3], rings: u32, tilt: impl Fn(f64) -> (f64, f64)) -> [f64; 3] {
        let side = if about[1].abs() < 0.9 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] };
        let t = unit(cross(side, about));
        let u = cross(about, t);
        let (mut sum, mut weights) = ([0.0; 3], 0.0);
        for ring in 0..rings {
            let (cos, weight) = tilt((f64::from(ring) + 0.5) / f64::from(rings));
            if weight <= 0.0 {
                continue;
            }
            let sin = (1.0 - cos * cos).max(0.0).sqrt();
            for step in 0..rings {
                // Each ring is turned by the golden ratio, so that no direction is preferred.
                let turn = f64::from(ring) * 0.618034 + f64::from(step) / f64::from(rings);
                let (s, c) = m::sin_cos(turn * 2.0 * PI);
                let found = self.radiance([0, 1, 2].map(|k| about[k] * cos + (t[k] * c + u[k] * s) * sin));
                (0..3).for_each(|k| sum[k] += found[k] * weight);
                weights += weight;
            }
        }
        sum.map(|sum| sum / weights)
    }

    /// What a mirror of this roughness shows about `r`: GGX with n = v = r, weighted by the cosine (Karis 2013).
    fn reflected(&self, r: [f64; 3], roughness: f64) -> [f64; 3] {
        let a2 = m::pow(roughness.max(0.045), 4.0);
        self.mean(r, RINGS, |share| {
            let cos2 = (1.0 - share) / (1.0 + (a2 - 1.0) * share);
            let cosine = 2.0 * cos2 - 1.0;
            (cosine, cosine)
        })
    }

    /// Irradiance of a surface that faces `n`, over pi.
    fn irradiance(&self, n: [f64; 3]) -> [f64; 3] {
        self.mean(n, RINGS, |share| ((1.0 - share).sqrt(), 1.0))
    }
}

/// Rings of a lobe, and directions of a ring.
const RINGS: u32 = 160;

/// The ball's normal at a place; the eye is at +Z, without perspective.
fn normal([row, column]: [usize; 2]) -> [f64; 3] {
    let at = |pixel: usize| ((pixel as f64 + 0.5) / SIDE as f64 - 0.5) * VIEW_M;
    let (x, y) = (at(column), -at(row));
    [x, y, (1.0 - x * x - y * y).sqrt()]
}

fn ball(base: [f64; 3], metallic: f64, roughness: f64) -> Vec<[f64; 3]> {
    ball_by(0, base, metallic, roughness)
}

/// The same by so many directions.
fn ball_by(quality: u32, base: [f64; 3], metallic: f64, roughness: f64) -> Vec<[f64; 3]> {
    linear(&scene_of(&format!(
        "title = 'a ball in the studio map'
[output]
size_px = [{SIDE}, {SIDE}]
samples = 1
tonemap = 'none'
[camera.main]
position = [0.0, 0.0, 5.0]
height_m = {VIEW_M:?}
[environment]
file = 'assets/env_studio.exr'
quality = {quality}
[material.m]
base_color = {base:?}
roughness = {roughness:?}
metallic = {metallic:?}
[[node]]
shape = 'sphere'
radius_m = 1.0
segments = 512
rings = 256
material = 'm'
"
    )))
}

/// Each place where some channel is off by more than `most` of the brightest one.
fn off(what: &str, most: f64, place: [usize; 2], got: [f64; 3], want: [f64; 3]) -> Option<String> {
    let brightest = want.iter().copied().fold(0.0, f64::max);
    let off = (0..3).map(|c| (got[c] - want[c]).abs()).fold(0.0, worse) / brightest;
    (off.is_nan() || off > most).then(|| format!("{what}, row and column {place:?}: {got:.5?} for {want:.5?}"))
}

#[test]
fn reflections_are_the_split_sum_without_loss_at_every_place() {
    let map = Map::studio();
    let base = [0.9, 0.4, 0.1];
    let mut wrong = Vec::new();
    for roughness in [0.15, 0.3, 0.5, 0.75, 1.0] {
        let found = ball(base, 1.0, roughness);
        for place in PLACES {
            let n = normal(place);
            let (all, weighted) = specular(n[2], roughness);
            let r = [2.0 * n[2] * n[0], 2.0 * n[2] * n[1], 2.0 * n[2] * n[2] - 1.0];
            let shown = map.reflected(r, roughness);
            let want = [0, 1, 2].map(|c| shown[c] * (base[c] * (all - weighted) + weighted));
            let got = found[place[0] * SIDE + place[1]];
            wrong.extend(off(&format!("roughness {roughness}"), 0.05, place, got, want));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// As sums over directions, at steps of roughness themselves.
#[test]
fn reflections_by_many_directions_are_the_integral() {
    let map = Map::studio();
    let base = [0.9, 0.4, 0.1];
    let mut wrong = Vec::new();
    // Steps of the ladder themselves.
    for step in [10.0, 6.0, 2.0, 0.0] {
        let roughness = m::exp2(-step / 6.0);
        let found = ball_by(1024, base, 1.0, roughness);
        for place in PLACES {
            let n = normal(place);
            let (all, weighted) = specular(n[2], roughness);
            let r = [2.0 * n[2] * n[0], 2.0 * n[2] * n[1], 2.0 * n[2] * n[2] - 1.0];
            let shown = map.reflected(r, roughness);
            let want = [0, 1, 2].map(|c| shown[c] * (base[c] * (all - weighted) + weighted));
            let got = found[place[0] * SIDE + place[1]];
            println!("{roughness:.3} {place:?}: {got:.4?} for {want:.4?}");
            wrong.extend(off(&format!("roughness {roughness}"), 0.045, place, got, want));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn irradiance_is_the_integral_over_the_map_at_every_place() {
    let map = Map::studio();
    // A black ball has the same reflections, so the difference is the Lambert part alone.
    let (white, black) = (ball([1.0; 3], 0.0, 1.0), ball([0.0; 3], 0.0, 1.0));
    let mut wrong = Vec::new();
    for place in PLACES {
        let n = normal(place);
        let pixel = place[0] * SIDE + place[1];
        let share = 0.96 * (1.0 - fresnel_of_lambert(n[2]));
        let got = [0, 1, 2].map(|c| (white[pixel][c] - black[pixel][c]) / share);
        wrong.extend(off("irradiance", 0.05, place, got, map.irradiance(n)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
