//! Functions of lights: what multiplies them by direction, against where directions are in f64.

use std::f64::consts::PI;

use stillframe_base::math::ops64 as m;
use stillframe_testkit::vector::{Vector, cross, dot, minus, unit};

use crate::truth::{linear, scene_of};

const SIDE: usize = 64;
/// Width of what the picture shows of the floor, metres.
const VIEW_M: f64 = 4.0;

/// The floor from above without perspective, right is +X and down is +Z.
fn floor(light: &str) -> Vec<Vector> {
    linear(&scene_of(&format!(
        "title = 'floor'\n[output]\nsize_px = [{SIDE}, {SIDE}]\nsamples = 1\ntonemap = 'none'\n[camera.main]\n\
         position = [0.0, 6.0, 0.0]\nrotation_deg = [-90.0, 0.0, 0.0]\nheight_m = {VIEW_M:?}\n\
         [[node]]\nshape = 'plane'\nsize_m = [8.0, 8.0]\n[material.white]\nunlit = true\nbase_color = '#ffffff'\n\
         [material.grey]\nunlit = true\nbase_color = [0.5, 0.25, 0.125]\n{PLACE}[[light]]\n{light}"
    )))
}

/// Shows u as red and v as green.
const PLACE: &str = "[material.place]\nunlit = true\nbase_color = 'shown.color'\n[[material.place.node]]\n\
    name = 'own'\nkind = 'uv'\n[[material.place.node]]\nname = 'three'\nkind = 'combine'\nx = 'own.x'\ny = 'own.y'\n\
    z = 1.0\n[[material.place.node]]\nname = 'shown'\nkind = 'color_alpha'\ncolor = 'three.xyz'\n";

/// The point of the floor at a pixel.
fn point(row: usize, column: usize) -> Vector {
    let at = |pixel: usize| ((pixel as f64 + 0.5) / SIDE as f64 - 0.5) * VIEW_M;
    [at(column), 0.0, at(row)]
}

const POSITION: Vector = [0.4, 1.6, -0.3];
const AT: Vector = [-0.2, 0.0, 0.3];

fn lights() -> [(&'static str, String); 5] {
    let at = format!("position = {POSITION:?}\nlook_at = {AT:?}\n");
    [
        ("spot", format!("kind = 'spot'\n{at}inner_deg = 30.0\nouter_deg = 50.0\n")),
        ("spot", format!("kind = 'spot'\n{at}inner_deg = 30.0\nouter_deg = 50.0\nwindow = 'smooth'\nrange_m = 9.0\n")),
        ("point", format!("kind = 'point'\n{at}")),
        ("point", format!("kind = 'point'\n{at}profile = 'assets/wall_lamp.ies'\nnormalize = true\n")),
        ("directional", format!("kind = 'directional'\n{at}")),
    ]
}

#[test]
fn white_is_no_function_and_grey_is_a_share() {
    for (_, light) in lights() {
        let [without, white, grey] =
            ["", "function = 'white'\n", "function = 'grey'\n"].map(|function| floor(&format!("{light}{function}")));
        assert!(without.iter().flatten().any(|value| *value > 0.05), "{light}");
        assert_eq!(white, without, "{light}");
        for (grey, without) in grey.iter().zip(&without) {
            assert_eq!(*grey, [without[0] * 0.5, without[1] * 0.25, without[2] * 0.125], "{light}");
        }
    }
}

/// The light's axes: right, up and ahead, as `look_at` turns it about the vertical.
fn axes() -> [Vector; 3] {
    let ahead = unit(minus(AT, POSITION));
    let right = unit(cross(ahead, [0.0, 1.0, 0.0]));
    [right, cross(right, ahead), ahead]
}

#[test]
fn a_function_is_seen_where_its_directions_are() {
    let [right, up, ahead] = axes();
    let tan = m::tan(50f64.to_radians());
    for (kind, light) in lights() {
        let tile = if kind == "directional" { "function_size_m = [1.3, 0.7]\n" } else { "" };
        let without = floor(&light);
        let with = floor(&format!("{light}{tile}function = 'place'\n"));
        let mut compared = 0;
        for row in 0..SIDE {
            for column in 0..SIDE {
                let pixel = row * SIDE + column;
                if without[pixel][0] < 1e-3 {
                    continue;
                }
                let offset = minus(point(row, column), POSITION);
                let [x, y, z] = [right, up, ahead].map(|axis| dot(axis, offset));
                let [u, v] = match kind {
                    "spot" => [0.5 + 0.5 * x / (z * tan), 0.5 - 0.5 * y / (z * tan)],
                    "point" => [m::atan2(-z, x) / (2.0 * PI) + 0.5, m::acos(y / dot(offset, offset).sqrt()) / PI],
                    _ => [(0.5 + x / 1.3).rem_euclid(1.0), (0.5 - y / 0.7).rem_euclid(1.0)],
                };
                // Neither at the edge of a tile nor at the seam.
                if [u, v].iter().any(|at| !(0.01..0.99).contains(at)) {
                    continue;
                }
                compared += 1;
                let found = [0, 1].map(|c| with[pixel][c] / without[pixel][c]);
                let off = (found[0] - u).abs().max((found[1] - v).abs());
                assert!(off < 2e-3, "{light}{row} {column}: {found:?} for {u} {v}");
                assert!((with[pixel][2] - without[pixel][2]).abs() <= 1e-6 * without[pixel][2]);
            }
        }
        assert!(compared > SIDE * SIDE / 4, "{light}: {compared}");
    }
}

/// By every method and as a layer: the same function.
#[test]
fn layers_and_methods_shine_through_the_same_function() {
    let light = format!("{}function = 'place'\n", lights()[0].1);
    let plain = floor(&light);
    for method in ["clustered", "deferred", "forward_plus"] {
        let text = format!("{light}[render]\nlighting = '{method}'\n");
        assert_eq!(floor(&text), plain, "{method}");
    }
}
