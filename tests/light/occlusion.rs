//! Occlusion: how much light from around arrives, against closed forms and rays; and what it leaves alone.

use stillframe::take::{Settings, take};
use stillframe_frames::{Picture, Samples};
use stillframe_scene::scene::{LightingMethod, Scene};

use crate::truth::scene_of;

/// A picture of `size_px` under white light from everywhere, where a surface shows what part of it arrives.
fn text(size_px: [usize; 2], camera: &str, rest: &str) -> String {
    format!(
        "title = 'x'\n[output]\nsize_px = {size_px:?}\nsamples = 1\ntonemap = 'none'\n[camera.main]\n{camera}\n\
         [environment]\ncolor = [1.0, 1.0, 1.0]\n[material.m]\nbase_color = [1.0, 1.0, 1.0]\nroughness = 1.0\nspecular = 0.0\n{rest}"
    )
}

fn shares(scene: &Scene) -> Vec<f64> {
    let settings = Settings { bits: 32, ..Settings::default() };
    let mut taken = take(scene, &settings, &mut |_| ()).expect("a picture");
    let Picture { samples, channel_count, .. } = taken.pictures.remove(0).1;
    let Samples::F32(values) = samples else { panic!("floats") };
    values.chunks(channel_count as usize).map(|pixel| f64::from(pixel[0])).collect()
}

fn effect(kind: &str, keys: &str) -> String {
    format!("[[effect]]\nkind = '{kind}'\n{keys}\n")
}

const ABOVE: &str = "position = [0.0, 10.0, 0.0]\nrotation_deg = [-90.0, 0.0, 0.0]\nheight_m = 2.0";
const FLOOR: &str = "[[node]]\nname = 'floor'\nshape = 'plane'\nsize_m = [40.0, 40.0]\nmaterial = 'm'\n";

/// Nothing is near a plane, from any side.
#[test]
fn planes_are_white() {
    for camera in [ABOVE, "position = [0.0, 1.0, 3.0]\nlook_at = [0.0, 0.0, 0.0]\nfov_y_deg = 30.0"] {
        for (keys, off) in [("", 4e-3), ("power = 3.0", 12e-3)] {
            for kind in ["gtao", "ssao"] {
                let scene = |rest: &str| scene_of(&text([48, 32], camera, &format!("{FLOOR}{rest}")));
                let plain = shares(&scene(""));
                for (found, plain) in shares(&scene(&effect(kind, keys))).iter().zip(&plain) {
                    assert!((found - plain).abs() < off, "{kind} {keys}: {found} instead of {plain}");
                }
            }
        }
    }
}

/// A floor at a distance from a long wall of a height below the radius: 1 - (1 - d / sqrt(d^2 + h^2)) / 2.
#[test]
fn a_wall_keeps_away_what_it_hides() {
    let wall = "[[node]]\nname = 'wall'\nshape = 'box'\nsize_m = [4.0, 0.5, 60.0]\nposition = [-2.0, 0.25, 0.0]\nmaterial = 'm'\n";
    // Steps of the usual count find walls near by.
    for (keys, last, bound) in [
        ("radius_m = 4.0\nfalloff = 0.0\nslices = 4\nsteps = 32", 72, 0.015),
        ("radius_m = 1.5\nfalloff = 0.0", 58, 0.03),
        ("radius_m = 1.5\nfalloff = 0.0\nsize = 'half'", 58, 0.03),
    ] {
        let rest = format!("{FLOOR}{wall}{}", effect("gtao", keys));
        let above = ABOVE.replace("height_m = 2.0", "height_m = 8.0");
        let found = shares(&scene_of(&text([96, 256], &above, &rest)));
        let (mut sum, mut count) = (0.0, 0.0);
        for x in 50..last {
            let d = (x as f64 + 0.5 - 48.0) / 32.0;
            let want = 1.0 - 0.5 * (1.0 - d / (d * d + 0.25).sqrt());
            let found = found[128 * 96 + x];
            sum += (found - want).abs();
            count += 1.0;
        }
        assert!(sum / count < bound, "{keys}: {}", sum / count);
    }
}

/// Bright surfaces light each other in gaps: a cubic in the share and the colour's luminance (Jimenez et al. 2016).
#[test]
fn bounces_brighten_gaps() {
    let wall = "[[node]]\nname = 'wall'\nshape = 'box'\nsize_m = [4.0, 0.5, 60.0]\nposition = [-2.0, 0.25, 0.0]\nmaterial = 'm'\n";
    let lit = |albedo: f64, rest: &str| {
        let text = text([96, 64], &ABOVE.replace("height_m = 2.0", "height_m = 3.0"), &format!("{FLOOR}{wall}{rest}"));
        shares(&scene_of(&text.replace("base_color = [1.0, 1.0, 1.0]", &format!("base_color = {:?}", [albedo; 3]))))
    };
    for (kind, albedo) in [("gtao", 0.2), ("gtao", 0.8), ("ssao", 0.8)] {
        let plain = lit(albedo, "");
        let [without, with] =
            ["", "\nbounces = true"].map(|keys| lit(albedo, &effect(kind, &format!("radius_m = 0.8{keys}"))));
        let mut most = 0.0f64;
        for at in 0..plain.len() {
            let share = without[at] / plain[at];
            let (a, b, c) = (2.0404 * albedo - 0.3324, 0.6417 - 4.7951 * albedo, 2.7552 * albedo + 0.6903);
            let want = share.max(((share * a + b) * share + c) * share);
            let found = with[at] / plain[at];
            assert!((found - want).abs() < 1e-5, "{kind} {albedo}: {found} instead of {want}");
            most = most.max(want - share);
        }
        assert!(albedo < 0.5 || most > 0.05, "{kind} {albedo}: {most}");
    }
}

const THINGS: &str = "[[node]]\nname = 'wall'\nshape = 'box'\nsize_m = [3.0, 1.0, 0.4]\nposition = [0.0, 0.5, -0.6]\nmaterial = 'm'\n\
                      [[node]]\nname = 'ball'\nshape = 'sphere'\nradius_m = 0.3\nposition = [0.2, 0.3, 0.0]\nmaterial = 'm'\n";
const AHEAD: &str = "position = [0.4, 1.0, 3.0]\nlook_at = [0.0, 0.3, 0.0]\nfov_y_deg = 30.0";

/// A sun is as bright as without it, and so is emission; without light from around there is nothing to keep away.
#[test]
fn only_light_from_around_is_kept_away() {
    let sun = "[[light]]\nname = 'sun'\nilluminance_lux = 2.0\ndirection = [-0.4, -1.0, -0.3]\n";
    let glow = "[[node]]\nname = 'lamp'\nshape = 'box'\nsize_m = [0.4, 0.4, 0.4]\nposition = [-0.6, 0.2, 0.1]\nmaterial = 'g'\n\
                [material.g]\nbase_color = [0.0, 0.0, 0.0]\nspecular = 0.0\nemissive = [0.7, 0.7, 0.7]\n";
    let rest = format!("{FLOOR}{THINGS}{glow}{sun}");
    let scene = |more: &str, is_dark: bool| {
        let text = text([60, 40], AHEAD, &format!("{rest}{more}"));
        shares(&scene_of(&if is_dark { text.replace("[environment]\ncolor = [1.0, 1.0, 1.0]\n", "") } else { text }))
    };
    let occlusion = effect("gtao", "radius_m = 0.6");
    let [plain, occluded] = ["", &occlusion].map(|more| scene(more, false));
    let [by_sun, by_sun_occluded] = ["", &occlusion].map(|more| scene(more, true));
    assert_eq!(by_sun, by_sun_occluded);
    let mut darker = 0;
    for ((plain, occluded), by_sun) in plain.iter().zip(&occluded).zip(&by_sun) {
        assert!(*occluded <= plain + 1e-3 && *occluded >= by_sun - 1e-3, "{by_sun} {occluded} {plain}");
        darker += usize::from(*occluded < plain - 0.05);
    }
    assert!(darker > 200, "{darker}");
}

/// By every method of lighting, and with several samples the pixels that show one surface.
#[test]
fn every_method_reads_it() {
    let rest = format!("{FLOOR}{THINGS}{}", effect("gtao", "radius_m = 0.6"));
    let forward = scene_of(&text([60, 40], AHEAD, &rest));
    let want = shares(&forward);
    for (_, lighting) in LightingMethod::WORDS {
        let mut scene = forward.clone();
        scene.render.lighting = *lighting;
        let off = if *lighting == LightingMethod::DeferredPacked { 2e-2 } else { 1e-5 };
        for (at, (found, want)) in shares(&scene).iter().zip(&want).enumerate() {
            assert!((found - want).abs() < off, "{lighting:?} at {at}: {found} instead of {want}");
        }
    }
    let samples = scene_of(&text([60, 40], AHEAD, &rest).replace("samples = 1", "samples = 4"));
    let equal = shares(&samples).iter().zip(&want).filter(|(found, want)| (*found - *want).abs() < 2e-3).count();
    assert!(equal > 1900, "{equal} of 2400");
}

/// Half of it is the mean of the picture without it and with it.
#[test]
fn the_amount_mixes() {
    for kind in ["gtao", "ssao"] {
        let of = |rest: &str| shares(&scene_of(&text([60, 40], AHEAD, &format!("{FLOOR}{THINGS}{rest}"))));
        let [plain, half, whole] = [of(""), of(&effect(kind, "amount = 0.5")), of(&effect(kind, ""))];
        for ((plain, half), whole) in plain.iter().zip(&half).zip(&whole) {
            assert!((half - 0.5 * (plain + whole)).abs() < 1e-4, "{kind}: {half} between {plain} and {whole}");
        }
        assert!(whole.iter().zip(&plain).filter(|(whole, plain)| *whole + 0.05 < **plain).count() > 100, "{kind}");
    }
}

/// A mean of pictures has it in each of them.
#[test]
fn means_have_it() {
    let rest = format!("{FLOOR}{THINGS}{}", effect("gtao", "radius_m = 0.6"));
    let whole = text([60, 40], AHEAD, &rest);
    let [one, mean] = [whole.clone(), format!("{whole}[accumulate]\npixel = 4\n")].map(|text| shares(&scene_of(&text)));
    let off: f64 = one.iter().zip(&mean).map(|(one, mean)| (one - mean).abs()).sum::<f64>() / 2400.0;
    assert!(off < 0.01, "{off}");
}
