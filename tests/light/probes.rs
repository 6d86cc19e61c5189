//! Light probes: what surfaces in their boxes show, against environments, closed forms and rays that are traced.

use stillframe::take::{Settings, take};
use stillframe_scene::scene::LightingMethod;
use stillframe_testkit::vector::{Vector, unit};
use stillframe_testkit::worse;

use crate::truth::{linear, scene_of};

/// Colours of the walls +X -X +Y -Y +Z -Z of a room.
const WALLS: [[f64; 3]; 6] =
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5]];

/// Walls that shine, about a box from `low` to `high`.
fn walls(low: Vector, high: Vector, colors: [[f64; 3]; 6]) -> String {
    let mut out = String::new();
    for (face, color) in colors.iter().enumerate() {
        let (axis, is_low) = (face / 2, face % 2 == 1);
        let mut position = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
        position[axis] = if is_low { low[axis] } else { high[axis] };
        // Wide enough for every wall; they meet behind what is seen.
        let size = 2.0 * [0, 1, 2].map(|k| high[k] - low[k]).into_iter().fold(0.0, f64::max);
        let turn = [
            ["0.0, -90.0, 0.0", "0.0, 90.0, 0.0"],
            ["90.0, 0.0, 0.0", "-90.0, 0.0, 0.0"],
            ["0.0, 180.0, 0.0", "0.0, 0.0, 0.0"],
        ][axis][usize::from(is_low)];
        out += &format!(
            "[material.wall{face}]\nunlit = true\nbase_color = {color:?}\n[[node]]\nshape = 'quad'\n\
             size_m = [{size:?}, {size:?}]\nposition = {position:?}\nrotation_deg = [{turn}]\nmaterial = 'wall{face}'\n"
        );
    }
    out
}

fn worst(found: &[[f64; 3]], wanted: &[[f64; 3]]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    let pairs = found.iter().flatten().zip(wanted.iter().flatten());
    pairs.map(|(found, wanted)| (found - wanted).abs()).fold(0.0, worse)
}

/// A ball in a room whose walls shine white shows what it shows in white surroundings, whatever it is made of.
#[test]
fn a_white_room_is_a_furnace() {
    for material in ["roughness = 1.0", "metallic = 1.0\nroughness = 0.0", "metallic = 1.0\nroughness = 0.4"] {
        let text = |around: &str| {
            format!(
                "title = 'x'\n[output]\nsize_px = [33, 33]\ntonemap = 'none'\n[camera.main]\n\
                 position = [0.0, 0.0, 1.9]\nlook_at = [0.0, 0.0, 0.0]\nfov_y_deg = 40.0\n[material.ball]\n\
                 base_color = '#ffffff'\n{material}\n[[node]]\nshape = 'sphere'\nradius_m = 0.5\n\
                 material = 'ball'\n{}{around}",
                walls([-2.0; 3], [2.0; 3], [[0.7; 3]; 6])
            )
        };
        // The ball itself is too near to be captured.
        let probe = "[[light_probe]]\nsize_m = [4.0, 4.0, 4.0]\nnear_m = 1.0\nsize_px = 16\n";
        let (found, wanted) =
            (linear(&scene_of(&text(probe))), linear(&scene_of(&text("[environment]\ncolor = [0.7, 0.7, 0.7]\n"))));
        assert!(wanted[16 * 33 + 16][0] > 0.3);
        let worst = worst(&found, &wanted);
        assert!(worst < 2e-3, "{material}: {worst}");
    }
}

/// A probe without a box that shows the environment's picture is the environment, by every method, bit for bit.
#[test]
fn a_probe_with_the_environments_picture_is_the_environment() {
    let text = |around: &str| {
        format!(
            "title = 'x'\n[output]\nsize_px = [48, 32]\nsamples = 1\n[camera.main]\nposition = [0.0, 0.6, 3.0]\n\
             look_at = [0.0, 0.0, 0.0]\nfov_y_deg = 40.0\n{around}\n[material.a]\nmetallic = 1.0\nroughness = 0.0\n\
             [material.b]\nmodel = 'gltf'\nclearcoat = 1.0\nroughness = 0.6\nbase_color = '#a03020'\n\
             [[node]]\nshape = 'sphere'\nradius_m = 0.5\nposition = [-0.6, 0.0, 0.0]\nmaterial = 'a'\n\
             [[node]]\nshape = 'sphere'\nradius_m = 0.5\nposition = [0.6, 0.0, 0.0]\nmaterial = 'b'\n\
             [[light]]\nkind = 'point'\nposition = [0.0, 2.0, 2.0]\nintensity_cd = 3.0\n"
        )
    };
    let around = scene_of(&text("[environment]\nfile = 'assets/env_studio.exr'\nintensity = 0.5\n"));
    let probe = scene_of(&text("[[light_probe]]\ntexture = 'assets/env_studio.exr'\nintensity = 0.5\n"));
    for (word, method) in LightingMethod::WORDS {
        let [found, wanted] = [&probe, &around].map(|scene| {
            let mut scene = scene.clone();
            scene.render.lighting = *method;
            take(&scene, &Settings { bits: 32, ..Settings::default() }, &mut |_| ()).expect("a picture").pictures
        });
        assert!(found == wanted, "{word}");
    }
}

/// A mirror on the floor of a room shows the wall that the ray meets, but for rays within a texel of an edge.
#[test]
fn mirrors_show_walls_where_they_are() {
    const SIDE: usize = 48;
    const SIZE_PX: f64 = 128.0;
    let (low, high) = ([-2.0, -1.0, -3.0], [3.0, 2.0, 1.0]);
    let (eye, probe) = ([1.0, 0.6, 0.8], [0.2, 0.1, -0.5]);
    let size = [0, 1, 2].map(|k| high[k] - low[k]);
    let offset = [0, 1, 2].map(|k| 0.5 * (high[k] + low[k]) - probe[k]);
    let height_m = 2.0;
    let text = |parallax: bool| {
        format!(
            "title = 'x'\n[output]\nsize_px = [{SIDE}, {SIDE}]\nsamples = 1\ntonemap = 'none'\n[camera.main]\n\
             position = {eye:?}\nlook_at = [0.6, -0.99, -1.0]\nheight_m = {height_m:?}\n[material.mirror]\n\
             base_color = '#ffffff'\nmetallic = 1.0\nroughness = 0.0\n[[node]]\nshape = 'plane'\nsize_m = [5.0, 4.0]\n\
             position = [0.5, -0.99, -1.0]\nmaterial = 'mirror'\n[[light_probe]]\nposition = {probe:?}\n\
             size_m = {size:?}\noffset_m = {offset:?}\nsize_px = {SIZE_PX}\nparallax = {parallax}\n{}",
            walls(low, high, WALLS)
        )
    };
    let forward = unit([0, 1, 2].map(|k| [0.6, -0.99, -1.0][k] - eye[k]));
    let right = unit([-forward[2], 0.0, forward[0]]);
    let up = stillframe_testkit::vector::cross(right, forward);
    let mirrored = [forward[0], -forward[1], forward[2]];
    let wrong = |pixels: &[[f64; 3]]| {
        let (mut wrong, mut seen) = (0, [0; 6]);
        for (at, pixel) in pixels.iter().enumerate() {
            let place = |at: usize| ((at as f64 + 0.5) / SIDE as f64 - 0.5) * height_m;
            let (x, y) = (place(at % SIDE), -place(at / SIDE));
            let start = [0, 1, 2].map(|k| eye[k] + right[k] * x + up[k] * y);
            let way = (-0.99 - start[1]) / forward[1];
            let point = [0, 1, 2].map(|k| start[k] + forward[k] * way);
            let ways = [0, 1, 2].map(|k| (if mirrored[k] > 0.0 { high[k] } else { low[k] } - point[k]) / mirrored[k]);
            let axis = (0..3).min_by(|&a, &b| ways[a].total_cmp(&ways[b])).expect("three");
            let hit = [0, 1, 2].map(|k| point[k] + mirrored[k] * ways[axis]);
            // Texels of a face of the cube are this far apart where the probe sees the wall.
            let away = [0, 1, 2].map(|k| hit[k] - probe[k]);
            let texel_m = 2.0 * away.iter().fold(0.0, |most: f64, x| most.max(x.abs())) / SIZE_PX;
            let near = (0..3).filter(|&k| k != axis);
            let edge_m = near.map(|k| (hit[k] - low[k]).min(high[k] - hit[k])).fold(f64::MAX, f64::min);
            if edge_m < 1.5 * texel_m {
                continue;
            }
            let wall = 2 * axis + usize::from(mirrored[axis] < 0.0);
            seen[wall] += 1;
            if (0..3).any(|c| (pixel[c] - WALLS[wall][c]).abs() > 0.02) {
                wrong += 1;
            }
        }
        (wrong, seen.into_iter().filter(|count| *count > 40).count())
    };
    let (found, walls_seen) = wrong(&linear(&scene_of(&text(true))));
    assert!(walls_seen >= 2, "the mirror shows {walls_seen} walls");
    assert_eq!(found, 0, "of {} pixels", SIDE * SIDE);
    // The picture tells: walls far away are elsewhere.
    let (far, _) = wrong(&linear(&scene_of(&text(false))));
    assert!(far > 100, "{far}");
}

/// Weights fall outside of boxes, are divided by their sum, and leave the rest to the environment.
#[test]
fn probes_mix_by_distance() {
    let probe = |name: &str, x_m: [f64; 2], intensity: f64, turn: f64| {
        format!(
            "[[light_probe]]\nname = '{name}'\nposition = [{:?}, 0.0, 0.0]\nsize_m = [{:?}, 4.0, 4.0]\nblend_m = 1.0\n\
             intensity = {intensity:?}\ntexture = 'assets/env_white.exr'\nrotation_deg = [0.0, {turn:?}, 0.0]\n",
            0.5 * (x_m[0] + x_m[1]),
            x_m[1] - x_m[0]
        )
    };
    let boxes = [[-2.0, -1.0], [-0.5, 0.5]];
    let text = |probes: [String; 2]| {
        format!(
            "title = 'x'\n[output]\nsize_px = [60, 1]\nsamples = 1\ntonemap = 'none'\n[camera.main]\n\
             position = [0.0, 0.0, 4.0]\nlook_at = [0.0, 0.0, 0.0]\nheight_m = 0.1\n[environment]\n\
             color = [0.4, 0.4, 0.4]\n[material.m]\nbase_color = '#ffffff'\nmetallic = 1.0\nroughness = 1.0\n\
             [[node]]\nshape = 'quad'\nsize_m = [9.0, 9.0]\nmaterial = 'm'\n{}",
            probes.concat()
        )
    };
    let [a, b] = [probe("a", boxes[0], 0.2, 0.0), probe("b", boxes[1], 0.8, 180.0)];
    let found = linear(&scene_of(&text([a.clone(), b.clone()])));
    assert_eq!(found, linear(&scene_of(&text([b, a]))), "the order in the file has no bearing");
    let one = linear(&scene_of(&text([String::new(), String::new()])))[30][0] / 0.4;
    for (at, pixel) in found.iter().enumerate() {
        let x = (at as f64 + 0.5 - 30.0) * 0.1;
        let weights = boxes.map(|[low, high]| (1.0 - (low - x).max(x - high).max(0.0)).clamp(0.0, 1.0));
        let whole = weights[0] + weights[1];
        let wanted = (weights[0] * 0.2 + weights[1] * 0.8) / whole.max(1.0) + 0.4 * (1.0 - whole).max(0.0);
        assert!((pixel[0] - wanted * one).abs() < 2e-3, "{x}: {} for {}", pixel[0], wanted * one);
    }
}
