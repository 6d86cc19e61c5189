//! Screen: what surfaces reflect of the picture, against the mirrored scene.

use stillframe_scene::scene::LightingMethod;

use crate::truth::{linear, scene_of};

const SIZE_PX: [usize; 2] = [96, 72];

/// A mirror of a floor, and a box of one colour on it.
fn text(floor: &str, boxes: &str, rest: &str) -> String {
    format!(
        "title = 'x'\n[output]\nsize_px = {SIZE_PX:?}\nsamples = 1\ntonemap = 'none'\nbackground = '#000000'\n\
         [camera.main]\nposition = [0.3, 1.6, 4.0]\nlook_at = [0.0, 0.2, 0.0]\nfov_y_deg = 40.0\n\
         [environment]\ncolor = [0.25, 0.25, 0.25]\n\
         [material.mirror]\nbase_color = [1.0, 1.0, 1.0]\nmetallic = 1.0\nroughness = 0.0\n\
         [material.red]\nunlit = true\nbase_color = [0.9, 0.2, 0.1]\n\
         [material.blue]\nunlit = true\nbase_color = [0.1, 0.2, 0.9]\n{floor}{boxes}{rest}"
    )
}

const FLOOR: &str = "[[node]]\nname = 'floor'\nshape = 'plane'\nsize_m = [8.0, 8.0]\nmaterial = 'mirror'\n";

fn boxes(side: f64) -> String {
    format!(
        "[[node]]\nname = 'a'\nshape = 'box'\nsize_m = [0.8, 0.8, 0.8]\nposition = [-0.5, {}, 0.0]\nmaterial = 'red'\n\
         [[node]]\nname = 'b'\nshape = 'box'\nsize_m = [0.6, 1.2, 0.6]\nposition = [0.7, {}, -0.4]\nmaterial = 'blue'\n",
        0.4 * side,
        0.6 * side
    )
}

const REFLECTS: &str = "[[effect]]\nkind = 'ssr'\nrim = 0.0\nreach_m = 1000.0\nthickness_m = 0.8\nsteps = 256\n";

/// A flat mirror shows the mirrored scene, where the picture shows what that is of.
#[test]
fn a_mirror_shows_the_mirrored_scene() {
    for march in ["steps", "texels"] {
        is_mirrored(&format!("{REFLECTS}march = '{march}'\n"));
    }
}

/// A wire 1 pixel wide: rays of 12 steps pass through most of it.
#[test]
fn what_is_thin_is_reflected() {
    let wire = "[[node]]\nname = 'wire'\nshape = 'box'\nsize_m = [2.0, 0.05, 0.05]\nposition = [0.0, 0.4, 0.0]\n\
                material = 'red'\n";
    let reds = |rest: &str| {
        let picture = linear(&scene_of(&text(FLOOR, wire, rest)));
        picture.iter().filter(|value| value[0] - value[1] > 0.05).count()
    };
    let none = reds("");
    let march = |march: &str, steps: u32| {
        let reflects = REFLECTS.replace("0.8", "0.1").replace("steps = 256", &format!("steps = {steps}"));
        reds(&format!("{reflects}march = '{march}'\n")) - none
    };
    let (all, few, texels) = (march("steps", 1024), march("steps", 12), march("texels", 12));
    // Pixels that the ray touches, however little, count.
    assert!(all > 60 && texels >= all && texels < 2 * all, "{texels} pixels of {all}");
    assert!(few * 5 < all * 3, "{few} pixels of {all}");
}

fn is_mirrored(reflects: &str) {
    let found = linear(&scene_of(&text(FLOOR, &boxes(1.0), reflects)));
    let plain = linear(&scene_of(&text(FLOOR, &boxes(1.0), "")));
    let mirrored = linear(&scene_of(&text("", &boxes(-1.0), "")));
    let is = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.03);
    let (mut right, mut wrong, mut missing) = (0, 0, 0);
    for ((found, plain), mirrored) in found.iter().zip(&plain).zip(&mirrored) {
        // Boxes hide the floor.
        if !is(*plain, [0.25; 3]) {
            assert!(is(*found, *plain), "{found:?} instead of {plain:?}");
            continue;
        }
        let shown = if mirrored.iter().all(|value| *value == 0.0) { *plain } else { *mirrored };
        match () {
            () if is(*found, shown) => right += 1,
            () if is(*found, *plain) => missing += 1,
            () => wrong += 1,
        }
    }
    // What no pixel shows (a box's top from below) is not there; edges are a pixel wrong at most.
    assert!(
        right > 2000 && wrong * 50 < right && missing * 20 < right,
        "{reflects}{right} right, {wrong} wrong, {missing} missing"
    );
    let of_boxes = mirrored.iter().filter(|value| value[0] > 0.0).count();
    assert!(of_boxes > 400, "{of_boxes}");
}

/// Where there is nothing to reflect but what is around, and on what is too rough, the picture is as without it.
#[test]
fn what_is_not_seen_is_not_reflected() {
    let alone = linear(&scene_of(&text(FLOOR, "", REFLECTS)));
    let rough = |rest: &str| {
        let text = text(FLOOR, &boxes(1.0), rest).replace("roughness = 0.0", "roughness = 0.7");
        linear(&scene_of(&text))
    };
    for (found, want) in [(alone, linear(&scene_of(&text(FLOOR, "", "")))), (rough(REFLECTS), rough(""))] {
        for (found, want) in found.iter().flatten().zip(want.iter().flatten()) {
            assert!((found - want).abs() < 1e-6, "{found} instead of {want}");
        }
    }
}

/// Half of it is the mean of the picture without it and with it.
#[test]
fn the_amount_mixes() {
    let of = |rest: &str| linear(&scene_of(&text(FLOOR, &boxes(1.0), rest)));
    let (plain, half, whole) = (of(""), of(&format!("{REFLECTS}amount = 0.5\n")), of(REFLECTS));
    for ((plain, half), whole) in plain.iter().flatten().zip(half.iter().flatten()).zip(whole.iter().flatten()) {
        assert!((half - 0.5 * (plain + whole)).abs() < 2e-3, "{half} between {plain} and {whole}");
    }
    assert!(whole.iter().zip(&plain).filter(|(whole, plain)| whole != plain).count() > 400);
}

/// Whatever the method, such scenes are drawn forward; several samples change edges alone.
#[test]
fn every_method_and_number_of_samples_reflects() {
    let forward = scene_of(&text(FLOOR, &boxes(1.0), REFLECTS));
    let want = linear(&forward);
    for (_, lighting) in LightingMethod::WORDS {
        let mut scene = forward.clone();
        scene.render.lighting = *lighting;
        assert_eq!(linear(&scene), want, "{lighting:?}");
    }
    let four = linear(&scene_of(&text(FLOOR, &boxes(1.0), REFLECTS).replace("samples = 1", "samples = 4")));
    let equal = four.iter().zip(&want).filter(|(a, b)| a.iter().zip(*b).all(|(a, b)| (a - b).abs() < 5e-3)).count();
    assert!(equal * 10 > four.len() * 9, "{equal} of {}", four.len());
}
