//! Maps: how many depth maps a picture draws, and which sides of meshes are drawn into them.

use stillframe::take::{Dump, Settings, take};
use stillframe_scene::scene::Scene;

use crate::truth::{linear, scene_of};

/// A ball and whatever else on a floor, lit from `lights`.
fn scene(more: &str, floor_m: f32, lights: &[[f32; 3]]) -> Scene {
    let lamp = |at: &[f32; 3]| format!("[[light]]\nkind = 'point'\nposition = {at:?}\nintensity_cd = 8.0\n");
    scene_of(&format!(
        "title = 'maps'\n[output]\nsize_px = [160, 120]\nsamples = 1\n[camera.main]\nposition = [0.0, 2.0, 5.0]\n\
         look_at = [0.0, 0.3, 0.0]\n[[node]]\nname = 'ball'\nshape = 'sphere'\nradius_m = 0.5\nposition = [0.0, 0.5, 0.0]\n\
         material = 'ball'\n[[node]]\nshape = 'plane'\nsize_m = [{floor_m:?}, {floor_m:?}]\n{more}\n{}",
        lights.iter().map(lamp).collect::<String>()
    ))
}

const OPAQUE: &str = "[material.ball]\nbase_color = '#c04030'\n";

fn plan(scene: &Scene) -> String {
    let settings = Settings { dump: Some(Dump::Plan), ..Settings::default() };
    take(scene, &settings, &mut |_| ()).expect("it can be drawn").dump.expect("it was asked for")
}

fn map_count(scene: &Scene) -> usize {
    plan(scene).lines().filter(|line| line.contains(" local map ")).count()
}

#[test]
fn a_lamp_outside_of_what_casts_shadows_has_one_map() {
    let lamps = [[1.5, 2.0, 1.0], [-1.2, 1.5, 1.5], [0.0, 4.0, 0.0], [0.0, 0.2, 3.0]];
    for lamp in lamps {
        assert_eq!(map_count(&scene(OPAQUE, 4.0, &[lamp])), 1, "{lamp:?}");
    }
    assert_eq!(map_count(&scene(OPAQUE, 4.0, &lamps)), lamps.len());
    // The ground goes on behind the lamp: only what is behind the ball can be in a shadow.
    assert_eq!(map_count(&scene(OPAQUE, 2000.0, &[lamps[0]])), 1);
}

#[test]
fn a_lamp_among_what_casts_shadows_has_a_map_for_each_side_that_shows_one() {
    let balls: String = [[2.0, 0.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, -2.0]]
        .map(|at: [f32; 3]| {
            format!("[[node]]\nshape = 'sphere'\nradius_m = 0.3\nposition = {:?}\n", [at[0], 1.5, at[2]])
        })
        .concat();
    let count = map_count(&scene(&format!("{OPAQUE}{balls}"), 4.0, &[[0.0, 1.5, 0.0]]));
    assert!((5..=6).contains(&count), "{count}");
    // Inside of the ball: it is dark outside, on all sides that are seen.
    let dark = linear(&scene(OPAQUE, 4.0, &[[0.0, 0.5, 0.0]]));
    assert!(dark.iter().flatten().all(|value| *value < 1e-3), "light leaves the ball");
}

#[test]
fn nothing_to_cast_a_shadow_on_needs_no_map() {
    let alone = scene_of(
        "title = 'alone'\n[output]\nsize_px = [64, 64]\n[camera.main]\nposition = [0.0, 2.0, 5.0]\nlook_at = [0.0, 0.0, 0.0]\n\
         [[node]]\nshape = 'plane'\nsize_m = [4.0, 4.0]\n[[light]]\nkind = 'point'\nposition = [0.0, 2.0, 0.0]\nintensity_cd = 8.0\n",
    );
    assert_eq!(map_count(&alone), 0);
}

/// A cut-out without holes casts from both sides, an opaque ball from those that face the lamp.
#[test]
fn closed_meshes_cast_the_same_from_the_sides_that_face_the_light() {
    let lamps = [[1.5, 2.0, 1.0], [-1.2, 1.5, 1.5]];
    let cut_out = format!("{OPAQUE}alpha_mode = 'mask'\nalpha_cutoff = 0.5\n");
    let more = "[[light]]\nkind = 'directional'\ndirection = [-0.5, -1.0, -0.4]\nilluminance_lux = 3.0\n";
    let mirrored =
        "[[node]]\nshape = 'torus'\nposition = [1.2, 0.5, 0.0]\nscale = [-0.4, 0.4, 0.4]\nmaterial = 'ball'\n";
    let [front, both] =
        [OPAQUE, &cut_out].map(|material| linear(&scene(&format!("{material}{more}{mirrored}"), 4.0, &lamps)));
    let shaded = linear(&Scene { shadows: false, ..scene(&format!("{OPAQUE}{more}{mirrored}"), 4.0, &lamps) });
    assert_eq!(front, both);
    let darker = front.iter().zip(&shaded).filter(|(with, without)| with[0] < without[0] * 0.9).count();
    assert!(darker > 250, "{darker} pixels are in shadow");
}
