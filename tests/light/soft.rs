//! Soft shadows against the mean of the hard shadows of 256 pieces of the light.

use stillframe::take::{Settings, Sitting};
use stillframe_base::math::ops64 as m;
use stillframe_scene::scene::{Scene, Shadow, ShadowReads, ShadowRow, ShadowTechnique};

use crate::furnace::{floor, linear};
use crate::layers::layers;
use crate::rays::Traced;

/// What stands on the floor or over it.
const THINGS: [(&str, &str); 3] = [
    ("ball", "[[node]]\nshape = 'sphere'\nradius_m = 0.3\nsegments = 96\nrings = 48\nposition = [0.2, 0.7, -0.1]\n"),
    (
        "board that stands",
        "[[node]]\nshape = 'box'\nsize_m = [0.1, 0.6, 1.0]\nposition = [0.0, 0.3, 0.0]\nrotation_deg = [0.0, 20.0, 0.0]\n",
    ),
    (
        "bars one over the other",
        "[[node]]\nshape = 'box'\nsize_m = [0.2, 0.05, 1.4]\nposition = [0.0, 0.3, 0.0]\n[[node]]\nshape = 'box'\nsize_m = [1.4, 0.05, 0.2]\nposition = [0.0, 0.8, 0.1]\n",
    ),
];

const SIZE: usize = 96;

/// Every kind of light with a size, and how far `pcss` may be off.
const LIGHTS: [(&str, &str, f64); 6] = [
    ("sun", "kind = 'directional'\ndirection = [0.9, -1.0, 0.5]\nangular_diameter_deg = 8.0", 0.04),
    ("disk", "kind = 'disk'\nposition = [-1.2, 2.2, 0.9]\nlook_at = [0.1, 0.3, 0.0]\nradius_m = 0.15", 0.04),
    ("sphere", "kind = 'sphere'\nposition = [-1.2, 2.2, 0.9]\nradius_m = 0.15", 0.04),
    ("rect", "kind = 'rect'\nposition = [-1.2, 2.2, 0.9]\nlook_at = [0.1, 0.3, 0.0]\nsize_m = [0.3, 0.2]", 0.04),
    (
        "long rect",
        "kind = 'rect'\nposition = [-1.2, 2.2, 0.9]\ndirection = [0.0, -1.0, 0.0]\nsize_m = [0.5, 0.1]",
        0.05,
    ),
    ("tube", "kind = 'tube'\nposition = [-1.2, 2.2, 0.9]\nlength_m = 0.3\nradius_m = 0.05", 0.04),
];

/// A floor with a light that casts by a technique. Only its shadow matters: it does not look at the floor's colour.
fn scene(size_px: usize, things: &str, light: &str, shadow: &str) -> Scene {
    floor(size_px, &format!("{things}[[light]]\nname = 'light'\nshadow = {shadow}\n{light}\n"))
}

/// What of the light of 256 pieces arrives at each pixel of the floor; `None` where something stands over it.
fn truth(scene: &Scene) -> Vec<Option<f64>> {
    let mut with = scene.clone();
    with.lights[0].shadow = Some(Shadow::new(ShadowTechnique::Hard));
    with.accumulate.light = 256;
    let without = Scene { shadows: false, ..with.clone() };
    let ids = layers(scene, &["id"]).remove("id").expect("it was asked for");
    let pairs = linear(&with).into_iter().zip(linear(&without)).zip(ids);
    pairs.map(|((with, without), id)| (id == 1.0).then(|| f64::from(with[0]) / f64::from(without[0]))).collect()
}

/// What a technique leaves of it, as its lighting has it.
fn found(scene: &Scene) -> Vec<f64> {
    let without = Scene { shadows: false, ..scene.clone() };
    linear(scene).into_iter().zip(linear(&without)).map(|(with, without)| f64::from(with[0] / without[0])).collect()
}

/// Root of the mean of squares of what is off where there is neither light nor dark, the worst, how many pixels.
#[derive(Debug)]
struct Off {
    rms: f64,
    worst: f64,
    count: usize,
}

fn off(found: &[f64], truth: &[Option<f64>]) -> Off {
    let pairs = found.iter().zip(truth).filter_map(|(found, truth)| Some((*found, (*truth)?)));
    let soft = pairs.filter(|(_, truth)| *truth > 1e-3 && *truth < 1.0 - 1e-3);
    let offs: Vec<f64> = soft.map(|(found, truth)| (found - truth).abs()).collect();
    let squares: f64 = offs.iter().map(|off| off * off).sum();
    Off {
        rms: (squares / offs.len() as f64).sqrt(),
        worst: offs.iter().copied().fold(0.0, f64::max),
        count: offs.len(),
    }
}

/// Penumbras of `pcss`, whose light is as large as the one that it stands for, and of `shadow = true`, which knows only
/// the light's middle.
#[test]
fn pcss_is_near_the_mean_of_256_lights() {
    for (at, (light, text, most)) in LIGHTS.into_iter().enumerate() {
        // All things under the sun.
        for (name, things) in &THINGS[..if at == 0 { 3 } else { 1 }] {
            let soft = scene(SIZE, things, text, "'pcss'");
            let truth = truth(&soft);
            let pcss = off(&found(&soft), &truth);
            let plain = off(&found(&scene(SIZE, things, text, "true")), &truth);
            println!(
                "{light:6} {name:23} {:4} pixels: pcss {:.3}, worst {:.2}; true {:.3}, worst {:.2}",
                pcss.count, pcss.rms, pcss.worst, plain.rms, plain.worst
            );
            assert!(pcss.count > 100 && pcss.rms < most, "{light} {name}: {pcss:?}");
            assert!(pcss.rms < 0.5 * plain.rms, "{light} {name}: {pcss:?}, {plain:?} of the middle alone");
        }
    }
}

/// A light that grows casts the shadow of its size at each moment.
#[test]
fn pcss_follows_the_size_of_its_light() {
    let light = |radius: &str| format!("kind = 'sphere'\nposition = [-1.2, 2.2, 0.9]\nradius_m = {radius}");
    let at = |radius: &str, time_s: f64| {
        let scene = scene(32, THINGS[0].1, &light(radius), "'pcss'");
        let mut sitting = Sitting::begin(&scene, &Settings::default(), &mut |_| ()).expect("it loads");
        sitting.at(time_s, &mut |_| ()).expect("it is drawn").pictures
    };
    let grown = at("{ keys = [[0.0, 0.05], [1.0, 0.25]] }", 1.0);
    assert!(grown == at("0.25", 0.0) && grown != at("0.05", 0.0));
}

/// Variance of a technique's filter, texels squared.
fn variance(row: &ShadowRow, shadow: &Shadow) -> Option<f64> {
    let blur = f64::from(shadow.value("blur_texels").unwrap_or(0.0));
    match (row.name, row.reads) {
        ("pcss", _) => None,
        // Tents, and bilinear between them.
        (_, ShadowReads::Moments { .. }) => Some((blur + 1.0) * (blur + 1.0) / 6.0),
        ("tent3", _) => Some(4.0 / 6.0),
        ("disk", _) => shadow.value("radius_texels").map(|radius| f64::from(radius * radius) / 4.0 + 1.0 / 12.0),
        (name, _) => {
            let side: f64 = name.strip_prefix("pcf")?.parse().ok()?;
            Some(side * side / 12.0)
        }
    }
}

/// Filters of one width are right where penumbras have one width: under a sun as large as the filter, behind a board
/// that is as high over the floor everywhere.
#[test]
fn filters_are_near_the_mean_of_256_lights() {
    let board = "[[node]]\nshape = 'box'\nsize_m = [1.6, 0.01, 1.6]\nposition = [0.0, 0.5, 0.0]\nrotation_deg = [0.0, 20.0, 0.0]\n";
    let of = |angle_deg: f64, technique: ShadowTechnique| {
        let light = format!("kind = 'directional'\ndirection = [0.0, -1.0, 0.0]\nangular_diameter_deg = {angle_deg:?}");
        let mut scene = scene(SIZE, board, &light, "true");
        // From below the board's height the floor is seen.
        scene.cameras[0].near_m = 5.6;
        scene.lights[0].shadow = Some(Shadow { size_px: Some(128), ..Shadow::new(technique) });
        scene
    };
    for technique in ShadowTechnique::ALL {
        let (row, shadow) = (technique.row(), Shadow::new(*technique));
        let Some(variance) = variance(row, &shadow) else { continue };
        let texel_m = Traced::new(of(0.0, *technique)).texel_m(0.0);
        // A disk of radius r has the variance r^2 / 4.
        let radius_m = 2.0 * variance.sqrt() * texel_m;
        let angle_deg = 2.0 * m::atan2(radius_m, 0.5).to_degrees();
        let soft = of(angle_deg, *technique);
        let truth = truth(&soft);
        let off = off(&found(&soft), &truth);
        println!("{:6} {:4} pixels: {:.3}, worst {:.2}", row.name, off.count, off.rms, off.worst);
        // Squares of texels have steps, which light of one texel's width does not have.
        let side = row.name.strip_prefix("pcf").and_then(|side| side.parse().ok());
        let most = side.map_or(0.05, |side: f64| 0.33 / side);
        assert!(off.count > 50 && off.rms < most, "{}: {off:?}", row.name);
    }
}
