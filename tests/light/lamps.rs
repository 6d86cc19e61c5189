//! Lamps whose light ends in other ways than glTF's, and light from two halves of a sky, against their formulas in f64.

use std::path::Path;
use std::sync::LazyLock;

use stillframe_asset::source::Vfs;
use stillframe_base::math::ops64 as m;
use stillframe_draw::light::{self, Kinds};
use stillframe_draw::shader;
use stillframe_scene::scene::resolve_text;
use stillframe_soft::{Probe, Value};

use crate::truth::{linear, scene_of};

const CALLS: &str = "
fn call_irradiance(terms: vec4f, window: f32, point: vec3f) -> vec3f {
    var light: Light;
    light.kind = LIGHT_LAMP;
    light.position = vec3f(0.0, 2.0, 0.0);
    light.direction = vec3f(0.0, -1.0, 0.0);
    light.color = vec3f(10.0, 5.0, 1.0);
    light.terms = terms;
    light.more = vec4f(window, 0.0, 0.0, 0.0);
    return incident(light, point).e;
}
";

static LAMP: LazyLock<Probe> = LazyLock::new(|| {
    // Alone: the text of another kind reads a table, which is not here.
    let place = light::ROWS.iter().position(|row| row.name == "lamp").expect("it is a kind");
    let lights = light::text(Kinds::of([place as u32]));
    let text = shader::compose(&[shader::COMMON, shader::LOBES, shader::DIELECTRIC, &lights, CALLS]);
    Probe::new(&text).unwrap_or_else(|error| panic!("{error}"))
});

fn red(terms: [f32; 4], window: f32, point: [f32; 3]) -> f64 {
    let row = [Value::Vec4(terms), Value::F32(window), Value::Vec3(point)];
    match LAMP.call_many("call_irradiance", &[row]).unwrap_or_else(|error| panic!("{error}"))[0] {
        Value::Vec3([red, ..]) => f64::from(red),
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn windows_follow_their_curves() {
    let range = 3.0f64;
    let everywhere = [(1.0 / (range * range)) as f32, -3.0, 1.0, 1.0];
    for step in 1..=70 {
        let d = 0.05 * f64::from(step);
        let x = d / range;
        let gltf = (1.0 - x * x * x * x).max(0.0);
        let curves = [gltf / (d * d), gltf * gltf / (d * d), (1.0 - x).max(0.0)];
        for (window, curve) in curves.into_iter().enumerate() {
            let found = red(everywhere, window as f32, [0.0, (2.0 - d) as f32, 0.0]);
            assert!(
                (found - 10.0 * curve).abs() <= 1e-5 * found + 2e-6,
                "{window} at {d}: {found} for {}",
                10.0 * curve
            );
            assert!(d < range + 0.01 || found == 0.0, "{window} at {d}: {found} out of reach");
        }
    }
    // Without a range nothing fades, and `linear` lights all places alike.
    let endless = [0.0, -3.0, 1.0, 1.0];
    assert!((red(endless, 1.0, [0.0, -98.0, 0.0]) - 1e-3).abs() < 1e-8);
    assert!((red(endless, 2.0, [0.0, -98.0, 0.0]) - 10.0).abs() < 1e-5);
}

#[test]
fn cones_follow_their_power() {
    let (inner, outer) = (m::cos(0.3), m::cos(0.7));
    for falloff in [0.5, 1.0, 2.0, 7.0] {
        let terms = [0.0, outer as f32, (1.0 / (inner - outer)) as f32, falloff as f32];
        for step in 0..=18 {
            let angle = 0.05 * f64::from(step);
            let (sin, cos) = m::sin_cos(angle);
            let share = ((cos - outer) / (inner - outer)).clamp(0.0, 1.0);
            let want = if share > 0.0 { 10.0 * m::pow(share, falloff) } else { 0.0 };
            let found = red(terms, 0.0, [sin as f32, (2.0 - cos) as f32, 0.0]);
            assert!((found - want).abs() <= 2e-4 * want + 1e-5, "{falloff} at {angle}: {found} for {want}");
            assert!(angle < 0.71 || found == 0.0, "{falloff} at {angle}: {found} outside of the cone");
        }
    }
}

/// A lamp whose words are those of glTF's is that lamp, bit for bit; with others it is not.
#[test]
fn a_lamp_says_which_window_and_cone_it_has() {
    let picture = |lamp: &str| {
        let text = format!(
            "title = \"floor\"\n[output]\nsize_px = [64, 64]\nsamples = 1\ntonemap = \"none\"\n[camera.main]\n\
             position = [0.0, 3.0, 0.01]\nlook_at = [0.0, 0.0, 0.0]\n[[light]]\nkind = \"spot\"\nrange_m = 4.0\n\
             position = [0.0, 2.0, 0.0]\ndirection = [0.0, -1.0, 0.0]\ninner_deg = 10.0\nouter_deg = 40.0\n{lamp}\n\
             [[node]]\nshape = \"plane\"\nsize_m = [4.0, 4.0]\n"
        );
        linear(&scene_of(&text))
    };
    let usual = picture("");
    assert_eq!(picture("window = \"gltf\"\ncone = \"gltf\"\nfalloff = 5.0"), usual);
    // glTF's cone is the books' with a falloff of 2.
    let same = picture("cone = \"book\"\nfalloff = 2.0");
    let off = same.iter().zip(&usual).map(|(a, b)| (a[0] - b[0]).abs()).fold(0.0, f64::max);
    assert!(off < 1e-5, "{off}");
    for other in ["window = \"smooth\"", "window = \"linear\"", "cone = \"book\""] {
        let off = picture(other).iter().zip(&usual).map(|(a, b)| (a[0] - b[0]).abs()).fold(0.0, f64::max);
        assert!(off > 0.01, "{other}: {off}");
    }
}

/// Quads at all angles to the sky, by formula; the metal shows nothing.
#[test]
fn two_skies_light_by_the_height_of_the_normal() {
    let skies =
        [([0.9, 0.7, 0.5], [0.1, 0.2, 0.3], [1.0, 0.5, 2.0]), ([0.2, 0.1, 0.4], [0.6, 0.0, 0.1], [0.5, 1.0, 1.0])];
    let picture = |tilt_deg: f64, metallic: f64, skies: &[([f64; 3], [f64; 3], [f64; 3])]| {
        let mut text = format!(
            "title = \"patch\"\n[output]\nsize_px = [8, 8]\nsamples = 1\ntonemap = \"none\"\n[camera.main]\n\
             position = [0.0, 0.0, 5.0]\nlook_at = [0.0, 0.0, 0.0]\nheight_m = 0.1\n[material.patch]\n\
             base_color = [0.8, 0.5, 0.2]\nmetallic = {metallic:?}\n[[node]]\nshape = \"quad\"\n\
             material = \"patch\"\nrotation_deg = [{tilt_deg:?}, 0.0, 0.0]\n"
        );
        for (up, down, color) in skies {
            text += &format!("[[light]]\nkind = \"hemisphere\"\nup = {up:?}\ndown = {down:?}\ncolor = {color:?}\n");
        }
        linear(&scene_of(&text))[36]
    };
    for tilt_deg in [-80.0, -30.0, 0.0, 45.0, 75.0] {
        // Turned about X, the top goes towards the eye: the normal goes down.
        let above = 0.5 - 0.5 * m::sin(f64::to_radians(tilt_deg));
        let want = [0, 1, 2].map(|c| {
            let sky = skies.iter().map(|(up, down, color)| color[c] * (up[c] * above + down[c] * (1.0 - above)));
            [0.8, 0.5, 0.2][c] * sky.sum::<f64>()
        });
        let found = picture(tilt_deg, 0.0, &skies);
        let apart = [picture(tilt_deg, 0.0, &skies[..1]), picture(tilt_deg, 0.0, &skies[1..])];
        for c in 0..3 {
            assert!((found[c] - want[c]).abs() < 1e-5, "{tilt_deg}: {found:?} for {want:?}");
            assert!((apart[0][c] + apart[1][c] - found[c]).abs() < 1e-6, "{apart:?} for {found:?}");
        }
        assert_eq!(picture(tilt_deg, 1.0, &skies), [0.0; 3]);
    }
}

/// A matte patch a metre below a lamp, in a folder with `lamp.ies`.
fn below(name: &str, profile: &str, lamp: &str) -> f64 {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("lamp.ies"), profile).unwrap();
    let text = format!(
        "title = \"patch\"\n[output]\nsize_px = [8, 8]\nsamples = 1\ntonemap = \"none\"\n[camera.main]\n\
         position = [1.0, 0.0, 5.0]\nlook_at = [0.0, 0.0, 0.0]\nheight_m = 0.0001\n[material.patch]\n\
         base_color = [1.0, 1.0, 1.0]\nroughness = 1.0\n[[node]]\nshape = \"quad\"\nmaterial = \"patch\"\n\
         [[light]]\nkind = \"point\"\nposition = [0.0, 0.0, 1.0]\nshadow = false\n{lamp}"
    );
    let vfs = Vfs::open(&folder).expect("the folder is there");
    let resolved = resolve_text(&text, Path::new("test.toml"), &folder, &vfs, &[]);
    linear(&resolved.unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}")).scene)[36][0]
}

fn ies(vertical: &str, horizontal: &str, candela: &str) -> String {
    let count = |text: &str| text.split(' ').count();
    format!(
        "IESNA:LM-63-2002\nTILT=NONE\n1 1000 1 {} {} 1 2 0 0 0\n1 1 20\n{vertical}\n{horizontal}\n{candela}\n",
        count(vertical),
        count(horizontal)
    )
}

/// Candela in the direction of each axis of the lamp; whole planes of the file, and one between.
#[test]
fn a_profile_shines_where_its_file_says() {
    let planes = ies("0 90 180", "0 90 180 270 360", "7 100 1 7 200 1 7 300 1 7 400 1 7 100 1");
    let plain = below("profile_shines", "", "intensity_cd = 1.0\n");
    let file = "profile = \"lamp.ies\"\n";
    for (turn, want) in [
        // Down its axis, up it, and what is towards +X, +Y, -X, -Y of it.
        ("[0.0, 0.0, 0.0]", 7.0),
        ("[180.0, 0.0, 0.0]", 1.0),
        ("[0.0, 90.0, 0.0]", 100.0),
        ("[-90.0, 0.0, 0.0]", 200.0),
        ("[0.0, -90.0, 0.0]", 300.0),
        ("[90.0, 0.0, 0.0]", 400.0),
        // Half-way from the axis to +X.
        ("[0.0, 45.0, 0.0]", 53.5),
    ] {
        let found = below("profile_shines", &planes, &format!("{file}rotation_deg = {turn}\n")) / plain;
        assert!((found - want).abs() < 0.01 * want, "{turn}: {found} for {want}");
        let found = below(
            "profile_shines",
            &planes,
            &format!("{file}normalize = true\nintensity_cd = 4.0\nrotation_deg = {turn}\n"),
        ) / plain;
        assert!((found - want / 100.0).abs() < 1e-4 * want, "{turn}: {found} for {}", want / 100.0);
    }
}

/// A profile that is the same everywhere is no profile, bit for bit.
#[test]
fn a_flat_profile_is_a_plain_lamp() {
    for (vertical, horizontal) in [("0 180", "0"), ("0 90 180", "0 90 180 270 360")] {
        let values = vec!["250"; vertical.split(' ').count() * horizontal.split(' ').count()].join(" ");
        let flat = ies(vertical, horizontal, &values);
        for window in ["", "range_m = 3.0\n", "range_m = 3.0\nwindow = \"linear\"\n"] {
            let lamp = format!("intensity_cd = 3.7\nrotation_deg = [20.0, 31.0, 5.0]\n{window}");
            let profile = format!("{lamp}profile = \"lamp.ies\"\nnormalize = true\n");
            assert_eq!(
                below("profile_flat", &flat, &profile).to_bits(),
                below("profile_flat", &flat, &lamp).to_bits(),
                "{horizontal} {window}"
            );
        }
    }
}
