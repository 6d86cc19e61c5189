//! Volumetric fog: against closed forms, against integrals along rays in f64, and what shadows do in it.

use stillframe_base::math::ops64 as m;
use stillframe_scene::scene::{LightingMethod, RenderOptions, Scene};

use crate::truth::{linear, scene_of};

const PI: f64 = std::f64::consts::PI;
const SIZE_PX: [usize; 2] = [48, 32];
const WALL_M: f64 = 10.0;
const COLOR: [f64; 3] = [0.6, 0.3, 0.1];

/// A wall of one colour across the view, 10 m away; the camera is at the origin and looks along -z.
fn text(rest: &str) -> String {
    format!(
        "title = 'x'\n[output]\nsize_px = {SIZE_PX:?}\nsamples = 1\ntonemap = 'none'\nbackground = '#000000'\n\
         [camera.main]\nposition = [0.0, 0.0, 0.0]\nlook_at = [0.0, 0.0, -1.0]\nfov_y_deg = 50.0\n\
         [material.m]\nunlit = true\nbase_color = {COLOR:?}\n\
         [[node]]\nname = 'wall'\nshape = 'quad'\nsize_m = [100.0, 100.0]\nposition = [0.0, 0.0, {:?}]\n\
         material = 'm'\n{rest}",
        -WALL_M
    )
}

fn fog(keys: &str) -> String {
    format!("[[effect]]\nkind = 'volumetric_fog'\nfar_m = 12.0\n{keys}\n")
}

const SUN: &str = "[[light]]\nilluminance_lux = 3.0\ncolor = [1.0, 0.5, 0.25]\ndirection = [-0.6, -0.8, 0.0]\n";

/// The unit way of the ray through a pixel's middle.
fn way([x, y]: [usize; 2]) -> [f64; 3] {
    let half = m::tan(25f64.to_radians());
    let [width, height] = SIZE_PX.map(|size| size as f64);
    let across = ((x as f64 + 0.5) / width * 2.0 - 1.0) * half * width / height;
    let up = (1.0 - (y as f64 + 0.5) / height * 2.0) * half;
    let length = (across * across + up * up + 1.0).sqrt();
    [across / length, up / length, -1.0 / length]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Henyey, Greenstein 1941; `cosine`: between where light goes and where it goes on.
fn phase(g: f64, cosine: f64) -> f64 {
    (1.0 - g * g) / (4.0 * PI * m::pow(1.0 + g * g - 2.0 * g * cosine, 1.5))
}

fn pixels() -> impl Iterator<Item = [usize; 2]> {
    (0..SIZE_PX[1]).flat_map(|y| (0..SIZE_PX[0]).map(move |x| [x, y]))
}

fn assert_near(found: &[[f64; 3]], want: impl Fn([usize; 2]) -> [f64; 3], off: f64, what: &str) {
    let mut most: (f64, String) = (0.0, String::new());
    for at in pixels() {
        let (found, want) = (found[at[1] * SIZE_PX[0] + at[0]], want(at));
        for (found, want) in found.into_iter().zip(want) {
            if (found - want).abs() > most.0 {
                most = ((found - want).abs(), format!("{found} instead of {want} at {at:?}"));
            }
        }
    }
    assert!(most.0 <= off, "{what}: {}", most.1);
}

/// Even fog in the sun, without shadows: all of the ray is alike.
#[test]
fn even_fog_in_the_sun_has_a_closed_form() {
    for (g, ev) in [(0.0, 0.0), (0.6, 0.0), (-0.4, 1.0)] {
        let keys =
            format!("density_per_m = 0.08\nanisotropy = {g:?}\nalbedo = [0.9, 0.8, 0.5]\nambient = [0.02, 0.0, 0.1]");
        let exposure = format!("{SUN}shadow = false\n{}", fog(&keys)).replace("x'", "y'");
        let text = text(&exposure).replace("[output]\n", &format!("[output]\nexposure_ev = {ev:?}\n"));
        let want = |at| {
            let way = way(at);
            let kept = m::exp(-0.08 * WALL_M / -way[2]);
            // Light goes along its direction, and on against the ray.
            let phase = phase(g, -dot([-0.6, -0.8, 0.0], way));
            let sun = 3.0 * phase * m::pow(2.0, ev);
            let lights = [sun + 0.02, sun * 0.5, sun * 0.25 + 0.1];
            let shining = [lights[0] * 0.9, lights[1] * 0.8, lights[2] * 0.5];
            let own = COLOR.map(|own| own * m::pow(2.0, ev));
            [0, 1, 2].map(|at| own[at] * kept + shining[at] * (1.0 - kept))
        };
        assert_near(&linear(&scene_of(&text)), want, 1e-3, &format!("g = {g}"));
    }
}

/// Without lights it is `fog` of the colour `albedo` times `ambient`, even or by height.
#[test]
fn fog_without_lights_is_fog() {
    for (curve, falloff, off) in [("exp", 0.0, 3e-4), ("height", 0.3, 2e-3)] {
        let own = fog(&format!(
            "density_per_m = 0.1\nfalloff_per_m = {falloff}\nambient = [0.4, 0.8, 0.2]\nalbedo = [1.0, 0.5, 0.5]"
        ));
        let like = format!(
            "[[effect]]\nkind = 'fog'\ncurve = '{curve}'\ndensity_per_m = 0.1\nfalloff_per_m = {falloff}\ncolor = [0.4, 0.4, 0.1]\n"
        );
        let want = linear(&scene_of(&text(&like)));
        let found = linear(&scene_of(&text(&own)));
        assert_near(&found, |[x, y]| want[y * SIZE_PX[0] + x], off, curve);
    }
}

/// Light of a lamp that even fog sends along a ray, by 4000 steps; `lit`: what of the way to the lamp is free.
fn along(way: [f64; 3], lamp: [f64; 3], g: f64, lit: impl Fn([f64; 3]) -> f64) -> f64 {
    let (density, count, length) = (0.12, 4000, WALL_M / -way[2]);
    let step = length / f64::from(count);
    let sent = |number| {
        let t = (f64::from(number) + 0.5) * step;
        let point = way.map(|axis| axis * t);
        let to_lamp = [0, 1, 2].map(|axis| lamp[axis] - point[axis]);
        let d2 = dot(to_lamp, to_lamp);
        let cosine = dot(to_lamp, way) / d2.sqrt();
        m::exp(-density * t) * density * step * phase(g, cosine) * lit(point) / d2
    };
    (0..count).map(sent).sum()
}

const LAMP: [f64; 3] = [0.6, 1.1, -4.0];

fn lamp(kind: &str, keys: &str) -> String {
    format!("[[light]]\nkind = '{kind}'\nposition = {LAMP:?}\n{keys}\n")
}

/// A lamp in even fog, against an integral along each ray.
#[test]
fn fog_about_a_lamp_is_the_integral_along_the_ray() {
    for g in [0.0, 0.5] {
        let keys = format!("density_per_m = 0.12\nanisotropy = {g:?}\nslices = 128\npoints = 4");
        let text = text(&(lamp("point", "intensity_cd = 8.0\nshadow = false") + &fog(&keys)));
        let found = linear(&scene_of(&text));
        for at in pixels() {
            let way = way(at);
            // How near the ray comes to the lamp: froxels about it are 0.12 m wide, and none shows a pole.
            let along_m = dot(LAMP, way);
            if (dot(LAMP, LAMP) - along_m * along_m).sqrt() < 0.8 {
                continue;
            }
            let kept = m::exp(-0.12 * WALL_M / -way[2]);
            let want = 8.0 * along(way, LAMP, g, |_| 1.0);
            let found = found[at[1] * SIZE_PX[0] + at[0]][0] - COLOR[0] * kept;
            assert!((found - want).abs() < 0.025 * want + 1e-4, "g = {g}, {at:?}: {found} instead of {want}");
        }
    }
}

/// Lights with an area shine as lamps of the same candela, where they are small; the two halves of a hemisphere as
/// light from everywhere.
#[test]
fn other_lights_shine_in_fog() {
    let fog = fog("density_per_m = 0.12\nanisotropy = 0.3");
    let point = linear(&scene_of(&text(&(lamp("point", "intensity_cd = 8.0\nshadow = false") + &fog))));
    let nits = 8.0 / (PI * 0.01 * 0.01);
    let sphere = lamp("sphere", &format!("luminance_nits = {nits:?}\nradius_m = 0.01\nshadow = false"));
    let found = linear(&scene_of(&text(&(sphere + &fog))));
    for (found, want) in found.iter().flatten().zip(point.iter().flatten()) {
        assert!((found - want).abs() < 2e-3 * want, "{found} instead of {want}");
    }
    let even = fog.replace("anisotropy = 0.3", "anisotropy = 0.0");
    for (halves, mean) in
        [("up = [0.4, 0.4, 0.4]\ndown = [0.4, 0.4, 0.4]", 0.4), ("up = [0.6, 0.6, 0.6]\ndown = [0.0, 0.0, 0.0]", 0.3)]
    {
        let found = linear(&scene_of(&text(&format!("[[light]]\nkind = 'hemisphere'\n{halves}\n{even}"))));
        let want = linear(&scene_of(&text(&format!("{even}ambient = [{mean}, {mean}, {mean}]\n"))));
        assert_near(&found, |[x, y]| want[y * SIZE_PX[0] + x], 1e-4, halves);
    }
}

/// Above the view: what keeps the sun away from a layer of air.
fn roof(z: [f64; 2]) -> String {
    format!(
        "[[node]]\nname = 'roof'\nshape = 'box'\nsize_m = [60.0, 0.5, {:?}]\nposition = [0.0, 8.0, {:?}]\n",
        z[1] - z[0],
        -0.5 * (z[0] + z[1])
    )
}

const DOWN: &str = "[[light]]\nilluminance_lux = 3.0\ndirection = [0.0, -1.0, 0.0]\nshadow = true\n";

/// What of the ray lies in the shadow of something that the camera does not see sends no light.
#[test]
fn a_shadow_stands_in_the_fog() {
    let (begin, end) = (3.0, 6.0);
    let text =
        text(&(DOWN.to_string() + &roof([begin, end]) + &fog("density_per_m = 0.1\nanisotropy = 0.0\nslices = 96")));
    let want = |at| {
        let way = way(at);
        let kept = |depth: f64| m::exp(-0.1 * depth / -way[2]);
        let lit = 1.0 - kept(begin) + kept(end) - kept(WALL_M);
        COLOR.map(|own| own * kept(WALL_M) + 3.0 / (4.0 * PI) * lit)
    };
    assert_near(&linear(&scene_of(&text)), want, 3e-3, "a roof");
    // Whatever fits the maps, and however they are read.
    for shadow in [
        "'hard'",
        "'pcf3'",
        "'vsm'",
        "'csm'",
        "'pcss'",
        "{ fit = 'stable' }",
        "{ fit = 'scene' }",
        "{ fit = 'seen' }",
        "{ contact_m = 0.2 }",
    ] {
        let text = text.replace("shadow = true", &format!("shadow = {shadow}"));
        assert_near(&linear(&scene_of(&text)), want, 8e-3, shadow);
    }
}

/// A lamp's shadow, by one map and by six.
#[test]
fn a_lamps_shadow_stands_in_the_fog() {
    let lamp_at = [0.0, 6.0, -4.0];
    let board = "[[node]]\nname = 'board'\nshape = 'box'\nsize_m = [3.0, 0.1, 3.0]\nposition = [0.0, 4.0, -4.0]\n";
    let way_up = |point: [f64; 3]| [0, 1, 2].map(|axis| lamp_at[axis] - point[axis]);
    // Where the way to the lamp passes the board's upper side or its lower one.
    let is_free = |point: [f64; 3]| {
        let up = way_up(point);
        let misses = |y: f64| {
            let part = (y - point[1]) / up[1];
            (point[0] + up[0] * part).abs() > 1.5 || (point[2] + up[2] * part + 4.0).abs() > 1.5
        };
        if misses(3.95) && misses(4.05) { 1.0 } else { 0.0 }
    };
    for shadow in ["true", "'cube'"] {
        let light =
            format!("[[light]]\nkind = 'point'\nposition = {lamp_at:?}\nintensity_cd = 40.0\nshadow = {shadow}\n");
        let text = text(&(light + board + &fog("density_per_m = 0.12\nanisotropy = 0.0\nslices = 96\npoints = 4")));
        let found = linear(&scene_of(&text));
        let mut squares = 0.0;
        for at in pixels() {
            let way = way(at);
            let kept = m::exp(-0.12 * WALL_M / -way[2]);
            let want = COLOR[0] * kept + 40.0 * along(way, lamp_at, 0.0, is_free);
            let off = found[at[1] * SIZE_PX[0] + at[0]][0] - want;
            squares += off * off;
            assert!(off.abs() < 0.012, "{shadow}, {at:?}: {off} from {want}");
        }
        let rms = (squares / pixels().count() as f64).sqrt();
        assert!(rms < 3e-3, "{shadow}: rms {rms}");
    }
}

/// Fog that is not there changes no bit, and no method of lighting and no mean of pictures changes fog.
#[test]
fn fog_goes_with_everything() {
    let lit = "[material.n]\nbase_color = [0.5, 0.5, 0.5]\n[[node]]\nname = 'ball'\nshape = 'sphere'\nradius_m = 0.6\n\
               position = [0.3, 0.2, -5.0]\nmaterial = 'n'\n";
    let scene = |rest: &str| scene_of(&text(&format!("{SUN}shadow = true\n{lit}{rest}")));
    let clear = scene("");
    let plain = linear(&clear);
    assert_eq!(linear(&scene(&fog("density_per_m = 0.0"))), plain);
    let foggy = scene(&fog("density_per_m = 0.1"));
    let want = linear(&foggy);
    assert_ne!(want, plain);
    for (_, lighting) in LightingMethod::WORDS {
        let of = |scene: &Scene| {
            linear(&Scene { render: RenderOptions { lighting: *lighting, ..scene.render }, ..scene.clone() })
        };
        // What the method itself does to surfaces.
        let own: Vec<f64> =
            of(&clear).iter().flatten().zip(plain.iter().flatten()).map(|(own, plain)| own - plain).collect();
        for ((found, want), own) in of(&foggy).iter().flatten().zip(want.iter().flatten()).zip(own) {
            assert!((found - want).abs() <= own.abs() + 1e-3, "{lighting:?}: {found} instead of {want}");
        }
    }
    let own = format!("{SUN}shadow = true\n{lit}{}", fog("density_per_m = 0.1"));
    let mean = linear(&scene_of(&text(&format!("{own}[accumulate]\npixel = 4\n"))));
    let many = linear(&scene_of(&text(&own).replace("samples = 1", "samples = 4")));
    assert_near(&mean, |[x, y]| many[y * SIZE_PX[0] + x], 0.05, "accumulate");
}
