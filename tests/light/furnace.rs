//! Light whose right answer is arithmetic: white rooms, units of lights, shadows by ray casting, backgrounds.

use std::path::{Path, PathBuf};

use stillframe::take::{Settings, take};
use stillframe_asset::source::Vfs;
use stillframe_base::math::ops64 as m;
use stillframe_frames::Samples;
use stillframe_scene::scene::{Aov, EnvironmentSource, Scene, resolve_text};
use stillframe_testkit::lobes::lobes;

pub const PI: f64 = std::f64::consts::PI;

fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes")
}

fn scene(text: &str) -> Scene {
    let vfs = Vfs::open(&scenes()).expect("the folder is there");
    let resolved = resolve_text(text, Path::new("test.toml"), &scenes(), &vfs, &[]);
    resolved.unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}")).scene
}

/// Linear red, green, blue and alpha.
pub fn linear(scene: &Scene) -> Vec<[f32; 4]> {
    let settings = Settings { bits: 32, ..Settings::default() };
    let taken = take(scene, &settings, &mut |_| ()).expect("a picture");
    match &taken.pictures[0].1.samples {
        Samples::F32(values) => values.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]).collect(),
        other => panic!("{other:?}"),
    }
}

fn bytes(scene: &Scene) -> Vec<u8> {
    match take(scene, &Settings::default(), &mut |_| ()).expect("a picture").pictures.remove(0).1.samples {
        Samples::U8(values) => values,
        other => panic!("{other:?}"),
    }
}

/// Angles between normal and eye of the patches below, degrees.
pub const TILTS_DEG: [f64; 5] = [0.0, 20.0, 40.0, 60.0, 75.0];
pub const PATCH: usize = 16;
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A scene that sees a row of patches from +Z without perspective.
pub fn row_of_patches(patches: &str) -> String {
    format!(
        "title = \"patches\"
[output]
size_px = [{}, {PATCH}]
samples = 1
tonemap = \"none\"
[camera.main]
position = [0.0, 0.0, 5.0]
look_at = [0.0, 0.0, 0.0]
height_m = 1.0
{patches}
",
        PATCH * TILTS_DEG.len()
    )
}

/// Where each patch stands on the X axis, and its angle about +Y, degrees.
pub fn places() -> impl Iterator<Item = (f64, f64)> {
    let middle = (TILTS_DEG.len() - 1) as f64 / 2.0;
    TILTS_DEG.iter().enumerate().map(move |(index, tilt)| (index as f64 - middle, *tilt))
}

/// A row of square patches, each turned about +Y by its angle.
fn patches(material: &str, more: &str) -> Scene {
    let mut text = row_of_patches(&format!("[material.patch]\n{material}\n{more}"));
    for (index, (x, tilt)) in places().enumerate() {
        text += &format!(
            "[[node]]\nname = \"p{index}\"\nshape = \"quad\"\nsize_m = [0.9, 0.9]\nmaterial = \"patch\"\n\
             position = [{x:?}, 0.0, 0.0]\nrotation_deg = [0.0, {tilt:?}, 0.0]\n"
        );
    }
    scene(&text)
}

/// The middle pixel of each patch.
pub fn middles(scene: &Scene) -> Vec<[f32; 4]> {
    let pixels = linear(scene);
    let row = PATCH / 2 * PATCH * TILTS_DEG.len();
    (0..TILTS_DEG.len()).map(|index| pixels[row + index * PATCH + PATCH / 2]).collect()
}

pub fn mu(index: usize) -> f64 {
    m::cos(TILTS_DEG[index].to_radians())
}

/// Specular albedo for f0 = 1, and its part of the Fresnel weight: quadrature over microfacets.
pub fn specular(mu: f64, roughness: f64) -> (f64, f64) {
    let alpha = (roughness * roughness).max(0.002025);
    let a2 = alpha * alpha;
    let (rings, steps) = (400, 200);
    let (mut all, mut weighted) = (0.0, 0.0);
    for i in 0..rings {
        let u = (f64::from(i) + 0.5) / f64::from(rings);
        let cos2 = (1.0 - u) / (1.0 + (a2 - 1.0) * u);
        let (cos, sin) = (cos2.sqrt(), (1.0 - cos2).sqrt());
        for j in 0..steps {
            let phi = (f64::from(j) + 0.5) / f64::from(steps) * PI;
            let vh = (1.0 - mu * mu).sqrt() * sin * m::cos(phi) + mu * cos;
            let nl = 2.0 * vh * cos - mu;
            if vh <= 0.0 || nl <= 0.0 {
                continue;
            }
            let root = |x: f64| (x * x * (1.0 - a2) + a2).sqrt();
            let value = 0.5 / (nl * root(mu) + mu * root(nl)) * nl * 4.0 * vh / cos;
            let t = 1.0 - vh.min(1.0);
            all += value;
            weighted += value * t * t * t * t * t;
        }
    }
    let count = f64::from(rings * steps);
    (all / count, weighted / count)
}

/// Integral of (1 - v.h)^5 over the Lambert lobe.
pub fn fresnel_of_lambert(mu: f64) -> f64 {
    let steps = 300;
    let mut sum = 0.0;
    for i in 0..steps {
        let u = (f64::from(i) + 0.5) / f64::from(steps);
        for j in 0..steps {
            let cos = m::cos((f64::from(j) + 0.5) / f64::from(steps) * PI);
            let vl = (1.0 - mu * mu).sqrt() * u.sqrt() * cos + mu * (1.0 - u).sqrt();
            let t = 1.0 - ((1.0 + vl) / 2.0).max(0.0).sqrt();
            sum += t * t * t * t * t;
        }
    }
    sum / f64::from(steps * steps)
}

pub fn uniform(mut scene: Scene, value: [f32; 3]) -> Scene {
    scene.environment.source = EnvironmentSource::Uniform(value);
    scene
}

#[test]
fn white_room_rough_metal_loses_what_single_scattering_loses() {
    for (roughness, bound) in [(1.0, 0.002), (0.5, 0.002), (0.3, 0.002)] {
        let material = format!("base_color = [1.0, 1.0, 1.0]\nmetallic = 1.0\nroughness = {roughness:?}");
        let found = middles(&uniform(patches(&material, ""), [1.0; 3]));
        for (index, pixel) in found.iter().enumerate() {
            let (want, _) = specular(mu(index), roughness);
            let off = (f64::from(pixel[0]) - want).abs() / want;
            assert!(off < bound, "roughness {roughness}, {} degrees: {pixel:?} for {want}", TILTS_DEG[index]);
        }
    }
}

#[test]
fn white_room_matt_white_is_the_sum_of_its_lobes() {
    let material = "base_color = [1.0, 1.0, 1.0]\nmetallic = 0.0\nroughness = 1.0";
    let found = middles(&uniform(patches(material, ""), [2.0; 3]));
    for (index, pixel) in found.iter().enumerate() {
        let (all, weighted) = specular(mu(index), 1.0);
        let lambert = 0.96 * (1.0 - fresnel_of_lambert(mu(index)));
        let want = 2.0 * (lambert + 0.04 * (all - weighted) + weighted);
        let off = (f64::from(pixel[0]) - want).abs() / want;
        assert!(off < 1e-3, "{} degrees: {pixel:?} for {want}", TILTS_DEG[index]);
    }
}

#[test]
fn axes_environment_lights_a_lambert_surface_with_half_plus_a_third_of_its_normal() {
    // A black base has the same specular part, so the difference is the Lambert part alone.
    let around = "[environment]\nfile = \"assets/env_axes.exr\"";
    let of = |base: &str| {
        let material = format!("base_color = [{base}, {base}, {base}]\nmetallic = 0.0\nroughness = 1.0");
        middles(&patches(&material, around))
    };
    let (white, black) = (of("1.0"), of("0.0"));
    for index in 0..TILTS_DEG.len() {
        let share = 0.96 * (1.0 - fresnel_of_lambert(mu(index)));
        let sin = m::sin(TILTS_DEG[index].to_radians());
        for (channel, n) in [(0, sin), (1, 0.0), (2, mu(index))] {
            let found = f64::from(white[index][channel]) - f64::from(black[index][channel]);
            let want = share * (0.5 + n / 3.0);
            assert!((found - want).abs() < 3e-3, "{} degrees, channel {channel}: {found} for {want}", TILTS_DEG[index]);
        }
    }
}

#[test]
fn turning_the_environment_turns_its_light() {
    // +X of the axes is bright red; turned by 90 degrees counter-clockwise seen from above it stands at -Z, behind.
    let around = "[environment]\nfile = \"assets/env_axes.exr\"\nrotation_deg = 90.0";
    let material = "base_color = [1.0, 1.0, 1.0]\nmetallic = 0.0\nroughness = 1.0";
    let turned = middles(&patches(material, around))[0];
    // The patch faces +Z, where the unturned environment's -X is now: red 0.5 - 1/3, and blue 0.5 from the side.
    assert!(turned[0] < 0.2 && (turned[2] - 0.49).abs() < 0.02, "{turned:?}");
}

#[test]
fn a_directional_light_of_e_lux_shows_e_over_pi() {
    let light = "[[light]]\nname = \"sun\"\nkind = \"directional\"\nilluminance_lux = 3.0\ndirection = [0.0, 0.0, -1.0]\nshadow = false";
    for (roughness, metallic) in [(1.0, 0.0), (0.5, 0.0), (0.6, 1.0), (0.8, 0.5)] {
        let material = format!("base_color = [0.8, 0.8, 0.8]\nmetallic = {metallic:?}\nroughness = {roughness:?}");
        for (index, pixel) in middles(&patches(&material, light)).iter().enumerate() {
            // Light and eye are one: both stand at the patch's tilt.
            let sin = m::sin(TILTS_DEG[index].to_radians());
            let v = [sin, 0.0, mu(index)];
            let want = 3.0 * lobes(0.8, roughness, metallic, [Z, v, v]);
            assert!((f64::from(pixel[0]) - want).abs() <= 1e-3 * want, "{index}: {pixel:?} for {want}");
        }
    }
    // The Lambert part alone: what black takes away is everything but E / pi (1 - F), F = 0.04 where l = v.
    let of = |base: &str| {
        let material = format!("base_color = [{base}, {base}, {base}]\nmetallic = 0.0\nroughness = 1.0");
        f64::from(middles(&patches(&material, light))[0][0])
    };
    let lambert = of("1.0") - of("0.0");
    assert!((lambert - 0.96 * 3.0 / PI).abs() < 1e-3, "{lambert}");
}

/// A floor of 4 m, white and matt, that fills the picture, seen straight from above without perspective.
pub fn floor(size_px: usize, more: &str) -> Scene {
    scene(&format!(
        "title = \"floor\"
[output]
size_px = [{size_px}, {size_px}]
samples = 1
tonemap = \"none\"
[camera.main]
position = [0.0, 6.0, 0.0]
look_at = [0.0, 0.0, 0.0]
height_m = 4.0
[material.white]
base_color = [1.0, 1.0, 1.0]
roughness = 1.0
[[node]]
name = \"floor\"
shape = \"plane\"
size_m = [4.0, 4.0]
material = \"white\"
{more}
"
    ))
}

/// Where on the floor a pixel's centre is. Looking straight down, up in the picture is +Z and right is -X.
pub fn floor_point(size_px: usize, pixel: usize) -> [f64; 2] {
    let at = |v: usize| 2.0 - (v as f64 + 0.5) / size_px as f64 * 4.0;
    [at(pixel % size_px), at(pixel / size_px)]
}

#[test]
fn a_point_light_of_i_candela_gives_i_over_the_square_of_the_distance() {
    const SIZE: usize = 32;
    let light =
        "[[light]]\nname = \"lamp\"\nkind = \"point\"\nintensity_cd = 5.0\nposition = [0.3, 1.5, -0.2]\nshadow = false";
    for (pixel, found) in linear(&floor(SIZE, light)).iter().enumerate() {
        let [x, z] = floor_point(SIZE, pixel);
        let offset = [0.3 - x, 1.5, -0.2 - z];
        let d2 = offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];
        let l = offset.map(|c| c / d2.sqrt());
        // In the frame of the floor's normal: the eye is straight above.
        let want = 5.0 / d2 * lobes(1.0, 1.0, 0.0, [Z, [l[0], l[2], l[1]], Z]);
        assert!((f64::from(found[0]) - want).abs() <= 1e-3 * want, "{x} {z}: {found:?} for {want}");
    }
}

#[test]
fn a_spot_light_ends_at_its_cone() {
    const SIZE: usize = 64;
    let light = "[[light]]\nname = \"spot\"\nkind = \"spot\"\nintensity_cd = 5.0\nposition = [0.0, 2.0, 0.0]\n\
                 direction = [0.0, -1.0, 0.0]\ninner_deg = 20.0\nouter_deg = 35.0\nshadow = false";
    let (inner, outer) = (m::cos(20f64.to_radians()), m::cos(35f64.to_radians()));
    for (pixel, found) in linear(&floor(SIZE, light)).iter().enumerate() {
        let [x, z] = floor_point(SIZE, pixel);
        let d2 = x * x + z * z + 4.0;
        let cos = 2.0 / d2.sqrt();
        if cos < outer - 1e-4 {
            assert_eq!(found[..3], [0.0; 3], "{x} {z}");
            continue;
        }
        let share = ((cos - outer) / (inner - outer)).clamp(0.0, 1.0);
        let l = [-x / d2.sqrt(), -z / d2.sqrt(), cos];
        let want = 5.0 / d2 * share * share * lobes(1.0, 1.0, 0.0, [Z, l, Z]);
        assert!((f64::from(found[0]) - want).abs() <= 2e-3 * want + 2e-4, "{x} {z}: {found:?} for {want}");
    }
}

#[test]
fn twice_the_light_is_twice_the_picture() {
    let at = |cd: &str| {
        let light = format!(
            "[[light]]\nname = \"lamp\"\nkind = \"point\"\nintensity_cd = {cd}\nposition = [0.3, 1.5, -0.2]\n\
             [[node]]\nname = \"ball\"\nshape = \"sphere\"\nradius_m = 0.3\nposition = [0.0, 0.5, 0.0]\n"
        );
        linear(&floor(48, &light))
    };
    for (one, two) in at("1.5").iter().zip(at("3.0")) {
        assert_eq!([one[0] * 2.0, one[1] * 2.0, one[2] * 2.0], two[..3]);
    }
    let mut brighter = floor(
        8,
        "[[light]]\nname = \"sun\"\nkind = \"directional\"\nilluminance_lux = 1.0\ndirection = [0.0, -1.0, 0.0]",
    );
    let plain = linear(&brighter);
    brighter.output.exposure_ev = 3.0;
    for (one, eight) in plain.iter().zip(linear(&brighter)) {
        assert_eq!([one[0] * 8.0, one[1] * 8.0, one[2] * 8.0], eight[..3]);
    }
}

/// A floor alone under light from every height shadows itself nowhere.
#[test]
fn nothing_shadows_itself() {
    for elevation_deg in [1.0, 3.0, 10.0, 30.0, 60.0, 89.0f64] {
        let (sin, cos) = m::sin_cos(elevation_deg.to_radians());
        let light = format!(
            "[[light]]\nname = \"sun\"\nkind = \"directional\"\nilluminance_lux = 2.0\ndirection = [{:?}, {:?}, {:?}]\n\
             [[node]]\nname = \"bar\"\nshape = \"box\"\nsize_m = [0.1, 0.02, 0.1]\nposition = [1.8, 0.5, 1.8]\n",
            cos * 0.8,
            -sin,
            cos * 0.6
        );
        let mut shaded = floor(64, &light);
        let with = linear(&shaded);
        shaded.shadows = false;
        let without = linear(&shaded);
        let same = with.iter().zip(&without).filter(|(a, b)| a == b).count();
        assert!(same >= 64 * 64 - 64, "{elevation_deg} degrees: {} pixels differ", 64 * 64 - same);
    }
}

#[test]
fn a_plain_background_is_the_colour_it_says_and_transparency_is_straight() {
    let text = |background: &str| {
        format!(
            "title = \"glass\"
[output]
size_px = [16, 16]
samples = 1
background = \"{background}\"
[camera.main]
position = [0.0, 0.0, 3.0]
look_at = [0.0, 0.0, 0.0]
height_m = 2.0
[material.glass]
base_color = [0.25, 0.5, 1.0, 0.5]
alpha_mode = \"blend\"
unlit = true
[[node]]
name = \"pane\"
shape = \"quad\"
size_m = [1.0, 1.0]
material = \"glass\"
"
        )
    };
    let mut plain = scene(&text("#20242c"));
    plain.output.exposure_ev = 2.0;
    assert_eq!(bytes(&plain)[..3], [0x20, 0x24, 0x2c]);
    let mut clear = scene(&text("transparent"));
    clear.output.tonemap = stillframe_scene::scene::Tonemap::None;
    let found = bytes(&clear);
    assert_eq!(found.len(), 16 * 16 * 4);
    assert_eq!(found[..4], [0; 4]);
    let middle = (8 * 16 + 8) * 4;
    assert_eq!(found[middle..middle + 4], [137, 188, 255, 128]);
}

#[test]
fn sixteen_bits_are_eight_bits_finer() {
    let scene = floor(
        16,
        "[[light]]\nname = \"sun\"\nkind = \"directional\"\nilluminance_lux = 1.0\ndirection = [0.0, -1.0, 0.0]",
    );
    let settings = Settings { bits: 16, aovs: vec![Aov::COLOR], ..Settings::default() };
    let taken = take(&scene, &settings, &mut |_| ()).expect("a picture");
    let Samples::U16(fine) = &taken.pictures[0].1.samples else { panic!("{:?}", taken.pictures[0].1.samples) };
    for (fine, coarse) in fine.iter().zip(bytes(&scene)) {
        assert!((f64::from(*fine) / 257.0 - f64::from(coarse)).abs() <= 0.51, "{fine} {coarse}");
    }
}
