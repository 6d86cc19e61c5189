//! Edges: where shadows end, against rays in f64, in strips of pictures that are 2,048 pixels wide.

use stillframe_base::math::ops64 as m;
use stillframe_scene::scene::Scene;
use stillframe_testkit::worse;

use crate::truth::{linear, scene_of};

const WIDTH: usize = 2048;
const HEIGHT: usize = 16;
/// Width of what is seen: a pixel is 2 mm wide.
const SEEN_M: f64 = 4.096;

/// Lights by their kind; a spot by its half angle, degrees.
#[derive(Clone, Copy, Debug)]
enum Lamp {
    Sun,
    Point,
    Spot(f64),
}

impl Lamp {
    /// In the plane z = 0, at x and y; a sun shines from there to (0, 1).
    fn text(self, at: [f64; 2]) -> String {
        let lamp = format!("position = [{:?}, {:?}, 0.0]\nintensity_cd = 100.0", at[0], at[1]);
        match self {
            Lamp::Sun => format!(
                "[[light]]\nkind = 'directional'\nilluminance_lux = 3.0\ndirection = [{:?}, {:?}, 0.0]\n",
                -at[0],
                1.0 - at[1]
            ),
            Lamp::Point => format!("[[light]]\nkind = 'point'\n{lamp}\n"),
            Lamp::Spot(outer_deg) => {
                format!("[[light]]\nkind = 'spot'\n{lamp}\ndirection = [0.0, -1.0, 0.0]\nouter_deg = {outer_deg:?}\n")
            }
        }
    }
}

/// A floor seen from above, so that x = `middle` is in the middle of a picture this many pixels wide.
fn floor(width: usize, middle: f64, more: &str) -> Scene {
    scene_of(&format!(
        "title = 'an edge'
[output]
size_px = [{width}, {HEIGHT}]
samples = 1
tonemap = 'none'
[camera.main]
position = [{middle:?}, 5.0, 0.0]
rotation_deg = [-90.0, 0.0, 0.0]
height_m = {:?}
[[node]]
name = 'floor'
shape = 'plane'
size_m = [40.0, 40.0]
{more}",
        SEEN_M * HEIGHT as f64 / width as f64
    ))
}

/// Something at x < 0 with an edge 1 m above the floor at x = 0, turned about it; and where a pixel and a lamp are, in
/// metres from the plane through that edge.
struct Edge {
    text: String,
    sin: f64,
    cos: f64,
}

impl Edge {
    /// `width` and `height`: of a bar without end.
    fn new(turn_deg: f64, width: f64, height: f64) -> Edge {
        let (sin, cos) = m::sin_cos(turn_deg.to_radians());
        let text = format!(
            "[[node]]\nshape = 'box'\nsize_m = [{width:?}, {height:?}, 40.0]\nrotation_deg = [0.0, {turn_deg:?}, 0.0]\n\
             position = [{:?}, {:?}, {:?}]\n",
            -width / 2.0 * cos,
            1.0 - height / 2.0,
            width / 2.0 * sin
        );
        Edge { text, sin, cos }
    }

    fn from(&self, x: f64, z: f64) -> f64 {
        x * self.cos - z * self.sin
    }

    /// How far from the plane the ray over the edge meets the floor.
    fn shadow_m(&self, lamp: [f64; 2]) -> f64 {
        -self.from(lamp[0], 0.0) / (lamp[1] - 1.0)
    }
}

/// How much of the light arrives in each row of pixels, and where that is: metres from the plane through the edge.
fn strip(width: usize, edge: &Edge, lamp: Lamp, at: [f64; 2]) -> Vec<Vec<(f64, f64)>> {
    let middle = edge.shadow_m(at) / edge.cos;
    let scene = floor(width, middle, &format!("{}{}", edge.text, lamp.text(at)));
    let dark = linear(&Scene { shadows: false, ..scene.clone() });
    let lit: Vec<f64> = linear(&scene).iter().zip(dark).map(|(with, without)| with[0] / without[0].max(1e-9)).collect();
    let pixel_m = SEEN_M / width as f64;
    let of_row = |(row, lit): (usize, &[f64])| {
        let z = (row as f64 + 0.5 - HEIGHT as f64 / 2.0) * pixel_m;
        let x = |column: usize| middle + (column as f64 + 0.5 - width as f64 / 2.0) * pixel_m;
        lit.iter().enumerate().map(|(column, lit)| (edge.from(x(column), z), *lit)).collect()
    };
    lit.chunks_exact(width).enumerate().map(of_row).collect()
}

const LAMPS: [(Lamp, [f64; 2]); 12] = [
    (Lamp::Sun, [-0.2, 3.0]),
    (Lamp::Sun, [-1.5, 3.0]),
    (Lamp::Sun, [-4.0, 3.0]),
    (Lamp::Point, [-0.2, 3.0]),
    (Lamp::Point, [-1.5, 3.0]),
    (Lamp::Point, [-4.0, 3.0]),
    (Lamp::Spot(60.0), [-0.2, 3.0]),
    (Lamp::Spot(60.0), [-1.5, 3.0]),
    (Lamp::Spot(60.0), [-2.5, 3.0]),
    (Lamp::Spot(88.0), [-0.2, 3.0]),
    (Lamp::Spot(88.0), [-1.5, 3.0]),
    (Lamp::Spot(88.0), [-4.0, 3.0]),
];

/// Half of the light is where the ray over an edge, 1 m above the floor, meets it.
#[test]
fn shadow_edges_are_within_3_mm_of_rays() {
    let mut wrong = Vec::new();
    for ((lamp, at), turn_deg) in LAMPS.into_iter().flat_map(|lamp| [0.0, 30.0].map(|turn_deg| (lamp, turn_deg))) {
        let what = format!("{lamp:?} at {at:?}, turned by {turn_deg}");
        let edge = Edge::new(turn_deg, 1.0, 0.02);
        let true_m = edge.shadow_m(at);
        let rows = strip(WIDTH, &edge, lamp, at);
        for row in [&rows[0], &rows[HEIGHT / 2]] {
            // From the slab's own edge, which hides what is under it.
            let near = row.windows(2).filter(|two| two[0].0 > 0.005 && (two[0].0 - true_m).abs() < 0.3);
            let crossed: Vec<_> = near.filter(|two| (two[0].1 <= 0.5) != (two[1].1 <= 0.5)).collect();
            let [&[(a_m, a), (b_m, b)]] = crossed[..] else {
                wrong.push(format!("{what}: {} edges for 1", crossed.len()));
                continue;
            };
            let off_mm = (a_m + (0.5 - a) / (b - a) * (b_m - a_m) - true_m) * 1000.0;
            if off_mm.is_nan() || off_mm.abs() > 3.0 || a > b {
                wrong.push(format!("{what}: {off_mm:.2} mm from the ray"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// On the far side of a wall the floor is dark from the wall's foot to near the shadow's edge, in small pictures too.
#[test]
fn no_light_at_the_foot_of_a_wall() {
    let mut wrong = Vec::new();
    let turned = |lamp| [(0.0, WIDTH), (30.0, WIDTH), (30.0, 256)].map(|more| (lamp, more));
    for ((lamp, at), (turn_deg, width)) in LAMPS.into_iter().flat_map(turned) {
        let edge = Edge::new(turn_deg, 0.02, 1.0);
        let true_m = edge.shadow_m(at);
        let pixel_m = SEEN_M / width as f64;
        let rows = strip(width, &edge, lamp, at);
        // A filter reaches less than ten pixels into the shadow. In small pictures half a pixel at the foot is spared,
        // where a sixth of the light is found under grazing lamps.
        let foot_m = if width == WIDTH { 0.0 } else { pixel_m / 2.0 };
        let inside = |m: f64| m > foot_m && m < (true_m - 10.0 * pixel_m).max(true_m / 2.0);
        let shaded: Vec<f64> = rows.iter().flatten().filter(|(m, _)| inside(*m)).map(|(_, lit)| *lit).collect();
        let most = shaded.iter().copied().fold(0.0, worse);
        if most.is_nan() || most > 0.01 || shaded.len() < 2 * HEIGHT {
            wrong.push(format!("{lamp:?} at {at:?}, turned by {turn_deg}, {width} px: {most:.3}, {}", shaded.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
