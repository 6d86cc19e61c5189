//! Light below surfaces: the profile against its integral, and pictures of planes against integrals over them in f64.

use stillframe_base::math::ops64 as m;
use stillframe_draw::shader;
use stillframe_soft::{Probe, Value};

use crate::truth::{linear, scene_of};

/// Red spreads most.
const SCALE: [f64; 3] = [1.0, 0.5, 0.25];
const COLOR: f64 = 0.6;

/// A hard cone of light of this radius on the middle of the plane.
fn cone(radius_m: f64) -> String {
    let angle = m::atan2(radius_m, 3.0).to_degrees();
    format!(
        "kind = 'spot'\nintensity_cd = 9.0\nposition = [0.0, 3.0, 0.0]\ninner_deg = {angle:?}\nouter_deg = {:?}\n",
        angle * 1.01
    )
}

/// A plane seen from above, as wide as the picture.
fn plane(more: &str, light: &str, width_m: f64, side_px: u32) -> String {
    format!(
        "title = 'plane'\n[output]\nsize_px = [{side_px}, {side_px}]\nsamples = 1\ntonemap = 'none'\nbackground = '#000000'\n\
         [camera.main]\nposition = [0.0, 3.0, 0.0]\nrotation_deg = [-90.0, 0.0, 0.0]\nheight_m = {width_m}\n\
         [material.m]\nmodel = 'openpbr'\nbase_color = [{COLOR}, {COLOR}, {COLOR}]\nspecular_weight = 0.0\n\
         subsurface_color = [{COLOR}, {COLOR}, {COLOR}]\n{more}\n\
         [[node]]\nname = 'plane'\nshape = 'plane'\nsize_m = [6.0, 6.0]\nmaterial = 'm'\n\
         [[light]]\nname = 'lamp'\n{light}direction = [0.0, -1.0, 0.0]\nshadow = false\n"
    )
}

/// d of the profile for this radius.
fn width(radius_m: f64) -> f64 {
    radius_m / (1.9 - COLOR + 3.5 * (COLOR - 0.8) * (COLOR - 0.8))
}

/// The share of the profile within `r`.
fn within(r: f64, d: f64) -> f64 {
    1.0 - m::exp(-r / d) / 4.0 - m::exp(-r / (3.0 * d)) * 3.0 / 4.0
}

/// What leaves at a point of a picture of the light that enters: over rings that hold equal shares of the profile.
fn gathered(even: &[[f64; 3]], side: u32, pixel_m: f64, [px, py]: [f64; 2], d: f64) -> f64 {
    let (rings, spokes) = (200, 64);
    let mut sum = 0.0;
    for ring in 0..rings {
        let share = (f64::from(ring) + 0.5) / f64::from(rings);
        let (mut low, mut high) = (0.0, 60.0 * d);
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            if within(middle, d) < share { low = middle } else { high = middle }
        }
        for spoke in 0..spokes {
            let (sin, cos) = m::sin_cos((f64::from(spoke) + share) * std::f64::consts::TAU / f64::from(spokes));
            let at = |x: f64| (x.floor().max(0.0) as u32).min(side - 1);
            let (x, y) = (at(px + low / pixel_m * cos), at(py + low / pixel_m * sin));
            sum += even[(y * side + x) as usize][0];
        }
    }
    sum / f64::from(rings * spokes)
}

/// Taps end where the profile holds as much as they stand for.
#[test]
fn taps_follow_the_profile() {
    let text = shader::compose(&[shader::COMMON, shader::SUBSURFACE]);
    let probe = Probe::new(&text).expect("a text");
    for at in 0..64 {
        let u = (f64::from(at) + 0.5) / 64.0;
        let found = probe.call("profile_radius", &[Value::F32(u as f32)]).expect("a number").f32();
        let share = within(f64::from(found), 1.0);
        assert!((share - u).abs() < 2e-5, "{u}: {found} holds {share}");
    }
}

/// The integral of R over the plane is 1, by rings.
#[test]
fn the_profile_adds_up_to_one() {
    let r = |x: f64| (m::exp(-x) + m::exp(-x / 3.0)) / (8.0 * std::f64::consts::PI * x);
    let steps = 60_000;
    let sum = (0..steps).fold(0.0, |sum, at| {
        let x = (f64::from(at) + 0.5) * 60.0 / f64::from(steps);
        sum + r(x) * 2.0 * std::f64::consts::PI * x * 60.0 / f64::from(steps)
    });
    assert!((sum - 1.0).abs() < 1e-6, "{sum}");
}

/// A plane in even light stays as it is.
#[test]
fn even_light_stays() {
    let sun = "illuminance_lux = 1.0\n";
    let with = linear(&scene_of(&plane("subsurface_weight = 1.0\nsubsurface_radius_m = 0.2", sun, 1.5, 64)));
    let without = linear(&scene_of(&plane("", sun, 1.5, 64)));
    for (found, wanted) in with.iter().zip(&without) {
        for c in 0..3 {
            assert!((found[c] - wanted[c]).abs() < 2e-4 * wanted[c], "{found:?}, not {wanted:?}");
        }
    }
}

/// Without a radius it is a matt surface of the colour, bit for bit.
#[test]
fn no_radius_is_matt() {
    let none = linear(&scene_of(&plane("subsurface_weight = 1.0\nsubsurface_radius_m = 0.0", &cone(0.4), 1.5, 64)));
    assert_eq!(none, linear(&scene_of(&plane("", &cone(0.4), 1.5, 64))));
}

/// The edge of a disk of light is blurred as the integral over the plane says, in each channel by its own width, and no
/// light is lost.
#[test]
fn edges_spread_as_the_integral_says() {
    let (radius_m, disk, side) = (0.12, 0.5, 120);
    let text = format!("subsurface_weight = 1.0\nsubsurface_radius_m = {radius_m}");
    let found = linear(&scene_of(&plane(&text, &cone(disk), 3.0, side)));
    let even = linear(&scene_of(&plane("", &cone(disk), 3.0, side)));
    let white = even.iter().fold(0.0, |most: f64, texel| most.max(texel[0]));
    let (mut worst, mut square, mut count) = (0.0f64, 0.0, 0.0);
    for px in 0..side {
        let texel = found[(side / 2 * side + px) as usize];
        for c in 0..3 {
            let place = [f64::from(px) + 0.5, f64::from(side / 2) + 0.5];
            let wanted = gathered(&even, side, 3.0 / f64::from(side), place, width(radius_m * SCALE[c]));
            let off = (texel[c] - wanted) / white;
            worst = worst.max(off.abs());
            square += off * off;
            count += 1.0;
        }
    }
    let rms = f64::sqrt(square / count);
    assert!(worst < 0.08 && rms < 0.02, "off by {worst:.4}, RMS {rms:.4}");
    let sum = |texels: &[[f64; 3]], c: usize| texels.iter().map(|texel| texel[c]).sum::<f64>();
    for c in 0..3 {
        let kept = sum(&found, c) / sum(&even, c);
        assert!((kept - 1.0).abs() < 0.01, "{kept} of the light is left in channel {c}");
    }
}

/// Light that turns back in no event goes further, and in albedo 0 no event turns anything.
#[test]
fn forward_scattering_spreads_further() {
    let at = |anisotropy: f64| {
        let text = format!(
            "subsurface_weight = 1.0\nsubsurface_radius_m = 0.1\nsubsurface_scatter_anisotropy = {anisotropy:?}"
        );
        let side = 100;
        let texels = &linear(&scene_of(&plane(&text, &cone(0.3), 2.0, side)));
        let near = |middle: u32| middle - 5..middle + 6;
        let block = near(side / 2).flat_map(|y| near(side / 4).map(move |x| texels[(y * side + x) as usize][0]));
        block.sum::<f64>()
    };
    let [back, even, forward] = [-0.8, 0.0, 0.8].map(at);
    assert!(back < even * 0.8 && even < forward * 0.8, "{back}, {even}, {forward}");
}
