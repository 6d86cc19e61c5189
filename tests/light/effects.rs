//! Effects: each against its formula in f64, its identity, and what it must keep; and the graph that they make.

use std::fmt::Write;

use stillframe::take::{Settings, take};
use stillframe_base::math::ops64 as m;
use stillframe_effects::{EFFECTS, Effect, EffectId, ParamKind, Space, Table, Values};
use stillframe_frames::{Picture, Samples};
use stillframe_models::import;
use stillframe_scene::scene::Scene;

use crate::truth::scene_of;

const SIZE_PX: [usize; 2] = [36, 24];
const MIDDLE: [usize; 2] = [18, 12];

/// A picture of 36 x 24 pixels a metre wide each, of one colour, with `rest`.
fn text(color: [f64; 3], rest: &str) -> String {
    format!(
        "title = 'x'\n[output]\nsize_px = {SIZE_PX:?}\nsamples = 1\ntonemap = 'none'\nbackground = '#000000'\n\
         [camera.main]\nposition = [0.0, 0.0, 20.0]\nlook_at = [0.0, 0.0, 0.0]\nheight_m = 24.0\n\
         [material.m]\nunlit = true\nbase_color = {color:?}\n\
         [[node]]\nname = 'all'\nshape = 'quad'\nsize_m = [100.0, 100.0]\nmaterial = 'm'\n{rest}"
    )
}

fn effect(kind: &str, keys: &str) -> String {
    format!("[[effect]]\nkind = '{kind}'\n{keys}\n")
}

/// Red, green, blue and alpha, row by row: linear light before tone mapping, or light of a display.
fn pixels(scene: &Scene, is_developed: bool) -> Vec<[f64; 4]> {
    let bits = if is_developed { 16 } else { 32 };
    pixels_with(scene, &Settings { bits, ..Settings::default() })
}

fn pixels_with(scene: &Scene, settings: &Settings) -> Vec<[f64; 4]> {
    let mut taken = take(scene, settings, &mut |_| ()).expect("a picture");
    let Picture { samples, channel_count, .. } = taken.pictures.remove(0).1;
    let linear = |x: f64| if x <= 0.04045 { x / 12.92 } else { m::pow((x + 0.055) / 1.055, 2.4) };
    let values: Vec<f64> = match samples {
        Samples::F32(values) => values.iter().map(|value| f64::from(*value)).collect(),
        Samples::U16(values) => values.iter().map(|value| linear(f64::from(*value) / 65535.0)).collect(),
        other => panic!("{other:?}"),
    };
    let channels = channel_count as usize;
    values.chunks(channels).map(|c| [c[0], c[1], c[2], if channels == 4 { c[3] } else { 1.0 }]).collect()
}

fn pixel(pixels: &[[f64; 4]], [x, y]: [usize; 2]) -> [f64; 4] {
    pixels[y * SIZE_PX[0] + x]
}

fn assert_near(found: [f64; 3], want: [f64; 3], off: f64, what: &str) {
    for (found, want) in found.iter().zip(want) {
        assert!((found - want).abs() <= off, "{what}: {found} instead of {want}");
    }
}

fn luminance(c: [f64; 3]) -> f64 {
    0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
}

fn encoded(x: f64) -> f64 {
    if x <= 0.0031308 { 12.92 * x } else { 1.055 * m::pow(x, 1.0 / 2.4) - 0.055 }
}

fn decoded(x: f64) -> f64 {
    if x <= 0.04045 { x / 12.92 } else { m::pow((x + 0.055) / 1.055, 2.4) }
}

const COLOR: [f64; 3] = [0.6, 0.3, 0.1];

/// A monotone cubic through values at 0, 1/4, 1/2, 3/4 and 1 (Fritsch, Carlson 1980).
fn curve(x: f64, values: [f64; 5]) -> f64 {
    let at = ((4.0 * x) as usize).min(3);
    let rise = |at: usize| values[at + 1] - values[at];
    let slope = |at: usize| match at {
        0 | 4 => rise(at.min(3)),
        _ if rise(at - 1) * rise(at) <= 0.0 => 0.0,
        _ => {
            let [left, right] = [rise(at - 1), rise(at)];
            (0.5 * (left + right).abs()).min(3.0 * left.abs()).min(3.0 * right.abs()).copysign(right)
        }
    };
    let t = 4.0 * x - at as f64;
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * values[at]
        + (t3 - 2.0 * t2 + t) * slope(at)
        + (3.0 * t2 - 2.0 * t3) * values[at + 1]
        + (t3 - t2) * slope(at + 1)
}

/// What each effect makes of one colour, in f64.
fn twins() -> Vec<(&'static str, &'static str, bool, [f64; 3])> {
    let each = |f: &dyn Fn(f64) -> f64| COLOR.map(f);
    let grey = luminance(COLOR);
    let tone = {
        let sum = luminance([1.0, 0.8, 0.55]);
        [1.0, 0.8, 0.55].map(|x| grey * x / sum)
    };
    let cdl = {
        let x = [m::pow(0.6 * 1.2 + 0.01, 1.1), 0.3 - 0.02, m::pow(0.1 * 0.8, 0.9)];
        x.map(|value| luminance(x) + (value - luminance(x)) * 1.3)
    };
    let contrast = COLOR.map(|x: f64| 0.18 * m::pow(x / 0.18, 1.5));
    let less = contrast.map(|x| luminance(contrast) + (x - luminance(contrast)) * 0.5);
    let lift = each(&|x| decoded(m::pow((1.1 * (encoded(x) + 0.1 * (1.0 - encoded(x)))).clamp(0.0, 1.0), 1.0 / 1.4)));
    let curved = {
        let points = [[0.05, 0.25, 0.5, 0.75, 1.0], [0.0, 0.25, 0.45, 0.75, 1.0], [0.1, 0.25, 0.6, 0.75, 0.8]];
        let x = [0, 1, 2].map(|at| curve(encoded(COLOR[at]), points[at]));
        x.map(|x| decoded(curve(x, [0.0, 0.04, 0.5, 0.85, 1.0])))
    };
    // Of lines 4 pixels apart, 5/8 and 3/8 of that above and below.
    let beams = each(&|x| {
        let width = 0.2 + 0.25 * x.sqrt();
        x * [0.625, 0.375].map(|away| m::exp(-0.5 * away * away / (width * width))).iter().sum::<f64>()
    });
    let water = {
        let kept = [0.05, 0.02, 0.0].map(|absorbed: f64| m::exp(-20.0 * absorbed));
        [kept[0] * 0.6, kept[1] * 0.3 + (1.0 - kept[1]) * 0.2, 0.1]
    };
    let intensified = [0.25, 1.0, 0.35].map(|x| x * (1.0 - m::exp(-m::pow(2.0, 1.5) * grey)));
    // Between orange and light yellow.
    let hot = {
        let step = 5.0 * (encoded(grey) - 0.2) / 0.6 - 3.0;
        [1.0, decoded(0.5 + 0.35 * step), decoded(0.2 * step)]
    };
    vec![
        ("exposure", "ev = 1.5", false, each(&|x| x * m::pow(2.0, 1.5))),
        ("channel_mixer", "red = [0.0, 1.0, 0.5]", false, [0.35, 0.3, 0.1]),
        (
            "cdl",
            "slope = [1.2, 1.0, 0.8]\noffset = [0.01, -0.02, 0.0]\npower = [1.1, 1.0, 0.9]\nsaturation = 1.3",
            false,
            cdl,
        ),
        ("adjust", "contrast = 1.5\nsaturation = 0.5", false, less),
        ("gray", "", false, [grey; 3]),
        ("auto_exposure", "", false, each(&|x| x * 0.18 / grey)),
        ("auto_exposure", "frames = 3\nadapt_s = 1.0", false, each(&|x| x * 0.18 / grey)),
        // 0.956 stops above 0.18.
        ("false_color", "", false, [0.85, 0.75, 0.05]),
        (
            "light_shafts",
            "threshold = 0.2\ndecay = 1.0\nstrength = 0.5",
            false,
            each(&|x| x + 0.5 * (x - 0.2).max(0.0)),
        ),
        ("sepia", "", false, tone),
        ("lift_gamma_gain", "lift = [0.1, 0.1, 0.1]\ngamma = [1.4, 1.4, 1.4]\ngain = [1.1, 1.1, 1.1]", true, lift),
        ("flash", "strength = 0.25\ncolor = [0.0, 1.0, 0.0]", true, [0.45, 0.475, 0.075]),
        ("posterize", "steps = 5", true, each(&|x| decoded((encoded(x) * 4.0).round() / 4.0))),
        ("vignette", "strength = 0.6", false, each(&|x| x * (1.0 - 0.6 * 0.5 / (18.0 * 18.0 + 12.0 * 12.0)))),
        ("vignette", "shape = 'natural'\nangle_deg = 0.0\nstrength = 1.0", false, COLOR),
        ("blend", "mode = 'add'", false, each(&|x| x + x)),
        ("blend", "mode = 'multiply'\nshare = 0.5", false, each(&|x| 0.5 * x + 0.5 * x * x)),
        ("blend", "mode = 'screen'", false, each(&|x| 2.0 * x - x * x)),
        (
            "curves",
            "black = [0.05, 0.0, 0.1]\nmids = [0.5, 0.45, 0.6]\nwhite = [1.0, 1.0, 0.8]\n\
             master_shadows = 0.04\nmaster_lights = 0.85",
            true,
            curved,
        ),
        ("crt", "curvature = 0.0\ncorner = 0.0\nmask = 0.0", true, beams),
        ("crt", "curvature = 0.0\ncorner = 0.0\nbeam = 0.0\nmask = 0.5", true, [0.6, 0.15, 0.05]),
        ("night_vision", "gain_ev = 1.5\nnoise = 0.0", false, intensified),
        ("thermal", "low = 0.2\nhigh = 0.8", true, hot),
        ("thermal", "palette = 'black_hot'", true, [decoded(1.0 - encoded(grey)); 3]),
        // Along parallel rays, 20 m to the wall.
        ("underwater", "amplitude = 0.0\nabsorption_per_m = [0.05, 0.02, 0.0]\ncolor = [0.0, 0.2, 0.5]", false, water),
        // Along parallel rays, 20 m to the wall: 1 - exp(-0.05 * 20), Wenzel 2007.
        ("fog", "density_per_m = 0.05\ncolor = [1.0, 0.0, 0.0]", false, fogged(0.63212)),
        ("fog", "curve = 'exp2'\ndensity_per_m = 0.05\ncolor = [1.0, 0.0, 0.0]", false, fogged(0.63212)),
        ("fog", "curve = 'linear'\nstart_m = 5.0\nend_m = 55.0\ncolor = [1.0, 0.0, 0.0]", false, fogged(0.3)),
    ]
}

fn fogged(share: f64) -> [f64; 3] {
    [COLOR[0] + (1.0 - COLOR[0]) * share, COLOR[1] * (1.0 - share), COLOR[2] * (1.0 - share)]
}

#[test]
fn effects_are_their_formulas() {
    for (kind, keys, is_developed, want) in twins() {
        let found = pixels(&scene_of(&text(COLOR, &effect(kind, keys))), is_developed);
        let [r, g, b, _] = pixel(&found, MIDDLE);
        // Pictures for displays begin with half floats.
        let off = if is_developed { 4e-4 } else { 2e-5 };
        assert_near([r, g, b], want, off, &format!("{kind} {keys}"));
    }
}

/// Density 0.1 at the ground, falling by 0.2 per metre, from 2 m above the ground 10 m far to the ground: 0.82420.
#[test]
fn fog_by_height_is_the_integral_along_the_ray() {
    // A ray that falls 2 m on 10 m.
    let rest = effect("fog", "curve = 'height'\ndensity_per_m = 0.1\nfalloff_per_m = 0.2\ncolor = [1.0, 0.0, 0.0]");
    let scene = format!(
        "title = 'x'\n[output]\nsize_px = [1, 1]\nsamples = 1\ntonemap = 'none'\n\
         [camera.main]\nposition = [0.0, 2.0, 0.0]\nlook_at = [0.0, 0.0, -9.797958971]\nfov_y_deg = 1.0\n\
         [material.m]\nunlit = true\nbase_color = [0.0, 0.0, 1.0]\n\
         [[node]]\nname = 'all'\nshape = 'plane'\nsize_m = [100.0, 100.0]\nmaterial = 'm'\n{rest}"
    );
    let found = pixels(&scene_of(&scene), false);
    assert!((found[0][0] - (1.0 - m::exp(-0.82420))).abs() < 2e-4, "{:?}", found[0]);
}

/// A lamp of 4000 K is white, and grey stays grey at the white of the picture.
#[test]
fn white_balance_makes_the_white_of_a_temperature_white() {
    // Linear Rec. 709 of daylight of 5000 K, Y = 1 (CIE 015).
    let (x, y) = (0.34567, 0.35850);
    let [x, z] = [x / y, (1.0 - x - y) / y];
    let white = [
        3.2404542 * x - 1.5371385 - 0.4985314 * z,
        -0.9692660 * x + 1.8760108 + 0.0415560 * z,
        0.0556434 * x - 0.2040259 + 1.0572252 * z,
    ];
    let color = white.map(|value| 0.5 * value);
    let found = pixels(&scene_of(&text(color, &effect("white_balance", "temperature_k = 5000.0"))), false);
    let [r, g, b, _] = pixel(&found, MIDDLE);
    assert_near([r, g, b], [0.5; 3], 2e-3, "5000 K");
}

/// What a table makes of an encoded colour, in f64: by tetrahedra, or by cubes.
fn looked_up(table: &Table, color: [f64; 3], by_cubes: bool) -> [f64; 3] {
    let last = f64::from(table.size - 1);
    let place = color.map(|x| x.clamp(0.0, 1.0) * last);
    let first = place.map(|x| x.floor().min(last - 1.0));
    let t: Vec<f64> = place.iter().zip(first).map(|(x, first)| x - first).collect();
    let at = |corner: [usize; 3], channel: usize| {
        let [r, g, b] = [0, 1, 2].map(|axis| first[axis] as usize + corner[axis]);
        let size = table.size as usize;
        match table.dimensions {
            1 => f64::from(table.colors[[r, g, b][channel]][channel]),
            _ => f64::from(table.colors[r + size * (g + size * b)][channel]),
        }
    };
    [0, 1, 2].map(|channel| {
        if by_cubes || table.dimensions == 1 {
            let corners = (0..8).map(|corner: usize| [corner & 1, corner >> 1 & 1, corner >> 2]);
            let weight = |corner: [usize; 3]| -> f64 {
                (0..3).map(|axis| if corner[axis] == 1 { t[axis] } else { 1.0 - t[axis] }).product()
            };
            return corners.map(|corner| weight(corner) * at(corner, channel)).sum();
        }
        // From the corner of all floors, one axis after the other, the farthest first.
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| t[*b].total_cmp(&t[*a]));
        let mut corner = [0; 3];
        let mut value = at(corner, channel);
        for axis in axes {
            let before = at(corner, channel);
            corner[axis] = 1;
            value += t[axis] * (at(corner, channel) - before);
        }
        value
    })
}

#[test]
fn tables_are_looked_up() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets");
    for (file, keys, by_cubes) in [
        ("warm.cube", "", false),
        ("warm.cube", "between = 'cubes'", true),
        ("cross.cube", "", false),
        ("identity.cube", "", false),
    ] {
        let table = import::table(&folder, &std::fs::read(folder.join(file)).unwrap()).unwrap();
        for color in [
            [0.0, 0.0, 0.0],
            [1.0, 1.0, 1.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 1.0],
            COLOR,
            [0.1, 0.3, 0.6],
            [0.3, 0.6, 0.1],
            [0.3, 0.1, 0.6],
            [0.1, 0.6, 0.3],
            [0.6, 0.1, 0.3],
        ] {
            let rest = effect("lut", &format!("file = 'assets/{file}'\n{keys}"));
            let [r, g, b, _] = pixel(&pixels(&scene_of(&text(color, &rest)), true), MIDDLE);
            let want = looked_up(&table, color.map(encoded), by_cubes).map(decoded);
            assert_near([r, g, b], want, 4e-4, &format!("{file} {keys} {color:?}"));
        }
    }
}

/// Keys with which an effect changes nothing.
fn idle(row: &Effect) -> String {
    let mut out = String::new();
    for (name, value) in row.identity {
        let kind = row.params[row.param(name).unwrap()].kind;
        _ = match kind {
            ParamKind::Color { .. } | ParamKind::Triple { .. } => {
                writeln!(out, "{name} = [{value:?}, {value:?}, {value:?}]")
            }
            ParamKind::Whole { .. } => writeln!(out, "{name} = {}", *value as i64),
            _ => writeln!(out, "{name} = {value:?}"),
        };
    }
    out
}

const THING: &str = "[material.n]\nunlit = true\nbase_color = [0.05, 0.4, 0.9]\n\
                     [[node]]\nname = 'thing'\nshape = 'quad'\nsize_m = [7.3, 5.2]\nposition = [2.2, 1.1, 3.0]\nmaterial = 'n'\n";

/// At its identity an effect is left out; forced, it changes at most the last bits.
#[test]
fn an_effect_at_its_identity_is_no_effect() {
    let plain = scene_of(&text(COLOR, THING));
    let [light, display] = [false, true].map(|is_developed| pixels(&plain, is_developed));
    for row in EFFECTS.iter().filter(|row| !row.identity.is_empty()) {
        let keys = idle(row);
        let idle = scene_of(&text(COLOR, &format!("{THING}{}", effect(row.name, &keys))));
        assert!(idle.effects[0].is_idle(), "{}", row.name);
        assert!(pixels(&idle, true) == display && pixels(&idle, false) == light, "{}", row.name);
        let forced = scene_of(&text(COLOR, &format!("{THING}{}", effect(row.name, &format!("{keys}force = true")))));
        let is_ldr = row.space == Space::Ldr;
        let found = pixels(&forced, is_ldr);
        let want = if is_ldr { &display } else { &light };
        for (found, want) in found.iter().flatten().zip(want.iter().flatten()) {
            // A step of 16 bits, or the last bits of f32.
            let off = if is_ldr { 4e-5 } else { 4e-7 };
            assert!((found - want).abs() <= off, "{}: {found} instead of {want}", row.name);
        }
    }
}

/// Where there is one colour, what only moves light about keeps it.
#[test]
fn one_colour_stays_one_colour() {
    for (kind, keys) in [
        ("bloom", "strength = 1.0"),
        ("bloom", "strength = 1.0\nfireflies = 'keep'\nlevels = 3"),
        ("blur", "sigma_px = 3.0"),
        ("blur", "sigma_px = 2.5\nshape = 'box'"),
        ("radial_blur", "strength = 0.5"),
        ("tilt_shift", "sigma_px = 5.0"),
        ("light_shafts", "threshold = 1.0"),
        ("aberration", "strength = 0.1"),
        ("distortion", "k1 = -0.1"),
        ("kuwahara", ""),
        ("pixelate", ""),
        ("sharpen", "strength = 1.0"),
        ("fxaa", ""),
        ("smaa", ""),
        ("outline", ""),
        ("depth_of_field", "focus_m = 5.0\naperture_m = 2.0"),
        ("glitch", "strength = 0.5"),
        ("bilateral", "sigma_px = 4.0"),
        ("lens_flare", "threshold = 1.0\nstrength = 4.0\nhalo = 0.3\ndirt = 2.0"),
        ("underwater", "amplitude = 0.1\nabsorption_per_m = [0.0, 0.0, 0.0]"),
        ("screen_roll", "offset = 0.3\nbar = 0.0\njitter = 0.1"),
        ("taa", "frames = 3"),
        ("afterimage", "frames = 3\nkept = 0.9"),
    ] {
        let is_ldr = EffectId::of_name(kind).unwrap().row().space == Space::Ldr;
        let found = pixels(&scene_of(&text(COLOR, &effect(kind, keys))), is_ldr);
        for [r, g, b, alpha] in found {
            assert_near([r, g, b], COLOR, if is_ldr { 4e-4 } else { 2e-6 }, &format!("{kind} {keys}"));
            assert!((alpha - 1.0).abs() < 1e-6, "{kind}: {alpha}");
        }
    }
}

/// How much of the pixel at x, y is on the side of a line that `normal` shows to: its square, clipped.
fn coverage([x, y]: [f64; 2], point: [f64; 2], normal: [f64; 2]) -> f64 {
    let square = [[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]];
    let side = |p: [f64; 2]| (p[0] - point[0]) * normal[0] + (p[1] - point[1]) * normal[1];
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for (at, a) in square.into_iter().enumerate() {
        let b = square[(at + 1) % 4];
        if side(a) >= 0.0 {
            kept.push(a);
        }
        if (side(a) >= 0.0) != (side(b) >= 0.0) {
            let part = side(a) / (side(a) - side(b));
            kept.push([a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]);
        }
    }
    let next = kept.iter().cycle().skip(1);
    0.5 * kept.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>().abs()
}

/// Edges at 24 angles, against the area of each pixel that they cover.
#[test]
fn smaa_beats_fxaa() {
    // From the left and the top, in pixels.
    let point = [18.3, 12.2];
    let kinds = ["", "fxaa", "smaa"];
    let mut squares = [0.0; 3];
    for step in 0..24 {
        let angle_deg = 7.5 * f64::from(step) + 1.9;
        let (sin, cos) = m::sin_cos(angle_deg.to_radians());
        // A quad 100 m wide, whose left side goes through the point; y is up.
        let position = [point[0] - 18.0 + 50.0 * cos, 12.0 - point[1] + 50.0 * sin, 3.0];
        let white = format!(
            "[material.n]\nunlit = true\nbase_color = [1.0, 1.0, 1.0]\n\
             [[node]]\nname = 'edge'\nshape = 'quad'\nsize_m = [100.0, 100.0]\nposition = {position:?}\n\
             rotation_deg = [0.0, 0.0, {angle_deg:?}]\nmaterial = 'n'\n"
        );
        for (kind, squares) in kinds.iter().zip(&mut squares) {
            let rest = if kind.is_empty() { String::new() } else { effect(kind, "") };
            let found = pixels(&scene_of(&text([0.0; 3], &format!("{white}{rest}"))), true);
            for (at, pixel) in found.iter().enumerate() {
                let corner = [(at % SIZE_PX[0]) as f64, (at / SIZE_PX[0]) as f64];
                let off = pixel[1] - coverage(corner, point, [cos, -sin]);
                *squares += off * off;
            }
        }
    }
    let [none, fxaa, smaa] = squares.map(|sum| (sum / (24 * SIZE_PX[0] * SIZE_PX[1]) as f64).sqrt());
    // 0.054, 0.030 and 0.021.
    assert!(none < 0.06, "edges are elsewhere: {none}");
    assert!(smaa < 0.8 * fxaa && fxaa < none, "none {none}, fxaa {fxaa}, smaa {smaa}");
}

/// Sides along rows and columns have their bits.
#[test]
fn smaa_keeps_rows_and_columns() {
    let plain = pixels(&scene_of(&text(COLOR, THING)), true);
    let found = pixels(&scene_of(&text(COLOR, &format!("{THING}{}", effect("smaa", "")))), true);
    assert!(plain.iter().any(|pixel| *pixel != plain[0]), "there is a thing");
    assert_eq!(found, plain);
}

/// One white pixel on black.
const POINT: &str = "[material.p]\nunlit = true\nbase_color = [1.0, 1.0, 1.0]\n[[node]]\nname = 'point'\nshape = 'quad'\nsize_m = [1.0, 1.0]\n\
                     position = [0.5, -0.5, 3.0]\nmaterial = 'p'\n";

/// The light of a point is spread, and none of it is lost.
#[test]
fn blurs_keep_the_sum_of_light() {
    for (kind, keys, off) in [
        ("blur", "sigma_px = 2.0", 1e-5),
        ("blur", "sigma_px = 1.3\nshape = 'box'", 1e-5),
        ("bloom", "strength = 1.0\nfireflies = 'keep'\nlevels = 2", 2e-2),
        ("pixelate", "size_px = 4", 1e-5),
    ] {
        let found = pixels(&scene_of(&text([0.0; 3], &format!("{POINT}{}", effect(kind, keys)))), false);
        let sum: f64 = found.iter().map(|pixel| pixel[1]).sum();
        assert!((sum - 1.0).abs() < off, "{kind} {keys}: {sum}");
        assert!(pixel(&found, MIDDLE)[1] < 0.5, "{kind} {keys} spreads nothing");
    }
}

/// A Gauss of the deviation that is asked for.
#[test]
fn a_blur_has_its_deviation() {
    for (keys, sigma) in [("sigma_px = 2.0", 2.0), ("sigma_px = 2.0\nshape = 'box'", 2.0)] {
        let found = pixels(&scene_of(&text([0.0; 3], &format!("{POINT}{}", effect("blur", keys)))), false);
        let mut variance = 0.0;
        for (at, pixel) in found.iter().enumerate() {
            let x = (at % SIZE_PX[0]) as f64 - MIDDLE[0] as f64;
            variance += pixel[1] * x * x;
        }
        assert!((variance.sqrt() - sigma).abs() < 0.05, "{keys}: {}", variance.sqrt());
    }
}

/// Where all colours are alike to it, a bilateral blur is a Gauss; where none are, it is nothing.
#[test]
fn a_bilateral_blur_keeps_edges() {
    let [gauss, wide, narrow, plain] = [
        effect("blur", "sigma_px = 2.0"),
        effect("bilateral", "sigma_px = 2.0\nsigma_color = 10000.0"),
        effect("bilateral", "sigma_px = 3.0\nsigma_color = 0.05"),
        String::new(),
    ]
    .map(|rest| pixels(&scene_of(&text(COLOR, &format!("{THING}{rest}"))), false));
    for (found, want, what) in [(&wide, &gauss, "wide"), (&narrow, &plain, "narrow")] {
        for (found, want) in found.iter().flatten().zip(want.iter().flatten()) {
            assert!((found - want).abs() < 1e-5, "{what}: {found} instead of {want}");
        }
    }
    assert_ne!(wide, plain);
}

/// The ghost of a square of 2 x 2 pixels is as far from the centre on the other side, and by (1 - r)^5 as bright.
#[test]
fn a_ghost_lies_across_the_centre() {
    let square = "[material.p]\nunlit = true\nbase_color = [1.0, 1.0, 1.0]\n\
                  [[node]]\nname = 'square'\nshape = 'quad'\nsize_m = [2.0, 2.0]\nposition = [7.0, 5.0, 3.0]\n\
                  material = 'p'\n";
    let keys = "strength = 1.0\nthreshold = 0.0\nghosts = 1\nhalo = 0.0\nshift = 0.0\nblur_px = 0.0\nstarburst = 0.0";
    let found = pixels(&scene_of(&text([0.0; 3], &format!("{square}{}", effect("lens_flare", keys)))), false);
    let (mut sum, mut x_sum, mut y_sum) = (0.0, 0.0, 0.0);
    for (at, pixel) in found.iter().enumerate() {
        let (x, y) = ((at % SIZE_PX[0]) as f64 + 0.5, (at / SIZE_PX[0]) as f64 + 0.5);
        // Beside the square itself.
        if x < 18.0 {
            sum += pixel[1];
            x_sum += pixel[1] * x;
            y_sum += pixel[1] * y;
        }
    }
    let radius = (7f64 * 7.0 + 5.0 * 5.0).sqrt() / (18f64 * 18.0 + 12.0 * 12.0).sqrt();
    assert!((sum - 4.0 * m::pow(1.0 - radius, 5.0)).abs() < 1e-4, "{sum}");
    assert!((x_sum / sum - 11.0).abs() < 1e-3 && (y_sum / sum - 17.0).abs() < 1e-3, "{x_sum} {y_sum} of {sum}");
}

/// A picture that rolls has the rows that it had, in their order, with the bar between the last and the first.
#[test]
fn a_picture_that_rolls_has_its_rows() {
    let plain = pixels(&scene_of(&text(COLOR, THING)), false);
    let rolled = |keys: &str, time_s: f64| {
        let keys = format!("tear = 0.0\njitter = 0.0\nnoise = 0.0\n{keys}");
        let scene = scene_of(&text(COLOR, &format!("{THING}{}", effect("screen_roll", &keys))));
        pixels(&Scene { time_s, ..scene }, false)
    };
    let row = |pixels: &[[f64; 4]], y: usize| pixels[y * SIZE_PX[0]..(y + 1) * SIZE_PX[0]].to_vec();
    let quarter = rolled("offset = 0.0\nspeed = 0.5\nbar = 0.0", 0.5);
    let half = rolled("offset = 0.5\nspeed = 0.0\nbar = 0.5", 0.5);
    for y in 0..SIZE_PX[1] {
        assert_eq!(row(&quarter, y), row(&plain, (y + 6) % 24), "{y}");
        match (y + 18) % 36 {
            bar @ 24.. => assert!(row(&half, y).iter().all(|pixel| pixel[..3] == [0.0; 3]), "{y} {bar}"),
            shown => assert_eq!(row(&half, y), row(&plain, shown), "{y}"),
        }
    }
}

/// 1.2 m of lens at 3 m, of what is 6 m away: circles of 1.2 * 3 / (6 * 3) in the tangent of the angle.
#[test]
fn a_point_out_of_focus_is_a_disk() {
    let keys = "focus_m = 3.0\naperture_m = 1.2\nradius_max_px = 40.0";
    let scene = format!(
        "title = 'x'\n[output]\nsize_px = [61, 61]\nsamples = 1\ntonemap = 'none'\nbackground = '#000000'\n\
         [camera.main]\nposition = [0.0, 0.0, 6.0]\nlook_at = [0.0, 0.0, 0.0]\nfov_y_deg = 60.0\n\
         [material.p]\nunlit = true\n[material.m]\nunlit = true\nbase_color = [0.0, 0.0, 0.0]\n\
         [[node]]\nname = 'all'\nshape = 'quad'\nsize_m = [40.0, 40.0]\nmaterial = 'm'\n\
         [[node]]\nname = 'point'\nshape = 'quad'\nsize_m = [0.113, 0.113]\nposition = [0.0, 0.0, 0.001]\nmaterial = 'p'\n{}",
        effect("depth_of_field", keys)
    );
    let found = pixels(&scene_of(&scene), false);
    let radius = 0.5 * 1.2 * 3.0 / 18.0 * 61.0 / (2.0 * m::tan(30f64.to_radians()));
    let (mut sum, mut variance) = (0.0, 0.0);
    for (at, pixel) in found.iter().enumerate() {
        let (x, y) = ((at % 61) as f64 - 30.0, (at / 61) as f64 - 30.0);
        sum += pixel[1];
        variance += pixel[1] * (x * x + y * y);
        assert!(pixel[1] == 0.0 || (x * x + y * y).sqrt() < radius + 1.5, "{x} {y}");
    }
    // The mean square of the radius of a disk is half that of its rim.
    let found = (2.0 * variance / sum).sqrt();
    assert!((found - radius).abs() < 0.12 * radius, "{found} instead of {radius}");
}

/// An edge that moves by 8 pixels a frame is a ramp while the shutter is open half the time, and what rests stays.
#[test]
fn what_moves_is_drawn_out() {
    let moving = "[material.n]\nunlit = true\nbase_color = [1.0, 1.0, 1.0]\n\
                  [[node]]\nname = 'thing'\nshape = 'quad'\nsize_m = [20.0, 60.0]\nmaterial = 'n'\n\
                  position = { keys = [[0.0, [-20.0, 0.0, 3.0]], [1.0, [-12.0, 0.0, 3.0]]], interpolation = 'linear' }\n";
    let scene = |keys: &str| {
        let text = text([0.0; 3], &format!("{moving}{}", effect("motion_blur", keys)));
        Scene { time_s: 1.0, ..scene_of(&text.replace("[output]", "[output]\nfps = 1")) }
    };
    let row = |keys: &str| -> Vec<f64> {
        let found = pixels_with(&scene(keys), &Settings { bits: 32, frame_s: 1.0, ..Settings::default() });
        (0..SIZE_PX[0]).map(|x| pixel(&found, [x, MIDDLE[1]])[1]).collect()
    };
    // The edge is at -2 m, between pixels 15 and 16, and has moved by 8 pixels.
    assert_eq!(row("shutter = 0.0")[15..17], [1.0, 0.0]);
    let blurred = row("shutter = 0.5\ntaps = 64");
    for x in 0..SIZE_PX[0] {
        let want = ((16.0 + 2.0 - (x as f64 + 0.5)) / 4.0).clamp(0.0, 1.0);
        assert!((blurred[x] - want).abs() < 0.05, "{x}: {} instead of {want}", blurred[x]);
    }
    assert!(blurred[14] < 1.0 && blurred[17] > 0.0 && blurred[8] == 1.0 && blurred[24] == 0.0, "{blurred:?}");
    // What rests has its bits.
    let resting = text(COLOR, &format!("{THING}{}", effect("motion_blur", "shutter = 1.0")));
    assert_eq!(pixels(&scene_of(&resting), false), pixels(&scene_of(&text(COLOR, THING)), false));
}

/// Noise and patterns leave the mean, and come from the moment and the seed alone.
#[test]
fn grain_and_dither_keep_the_mean() {
    let grey = [0.3; 3];
    let mean = |pixels: &[[f64; 4]]| pixels.iter().map(|pixel| encoded(pixel[1])).sum::<f64>() / pixels.len() as f64;
    for (kind, keys, off) in [("dither", "steps = 8.0", 2e-3), ("grain", "strength = 0.02", 4e-3)] {
        let found = pixels(&scene_of(&text(grey, &effect(kind, keys))), true);
        assert!((mean(&found) - encoded(0.3)).abs() < off, "{kind}: {}", mean(&found));
        assert!(found.iter().any(|pixel| pixel[1] != found[0][1]), "{kind} does nothing");
    }
    let at = |time_s: f64, seed: u32| {
        let scene = scene_of(&text(grey, &effect("grain", &format!("seed = {seed}"))));
        pixels(&Scene { time_s, ..scene }, true)
    };
    assert_eq!(at(0.5, 1), at(0.5, 1));
    assert_ne!(at(0.5, 1), at(0.6, 1));
    assert_ne!(at(0.5, 1), at(0.5, 2));
}

/// `amount` mixes an effect with its input; effects can be branches, put together again.
#[test]
fn effects_make_a_graph() {
    let half = pixels(&scene_of(&text(COLOR, &effect("gray", "amount = 0.5"))), false);
    let [r, g, b, _] = pixel(&half, MIDDLE);
    assert_near([r, g, b], COLOR.map(|x| 0.5 * (x + luminance(COLOR))), 1e-6, "half grey");
    let branches = "[[effect]]\nkind = 'exposure'\nname = 'up'\nev = 1.0\n\
                    [[effect]]\nkind = 'gray'\ninput = 'scene'\n\
                    [[effect]]\nkind = 'blend'\nwith = 'up'\nmode = 'add'\n";
    let found = pixels(&scene_of(&text(COLOR, branches)), false);
    let [r, g, b, _] = pixel(&found, MIDDLE);
    assert_near([r, g, b], COLOR.map(|x| 2.0 * x + luminance(COLOR)), 1e-6, "branches");
    // What comes after tone mapping is not in linear pictures.
    let late = "[[effect]]\nkind = 'exposure'\nev = 1.0\n[[effect]]\nkind = 'flash'\nstrength = 1.0\n";
    let found = pixels(&scene_of(&text(COLOR, late)), false);
    let [r, g, b, _] = pixel(&found, MIDDLE);
    assert_near([r, g, b], COLOR.map(|x| 2.0 * x), 1e-6, "linear");
}

/// The mean of many pictures has effects, once; both eyes of a stereo picture have them, and panoramas have none.
#[test]
fn effects_are_of_pictures_that_are_looked_at() {
    let doubled = effect("exposure", "ev = 1.0");
    let near = |scene: &Scene, factor: f64, what: &str| {
        for [r, g, b, _] in pixels(scene, false) {
            assert_near([r, g, b], COLOR.map(|x| factor * x), 1e-5, what);
        }
    };
    near(&scene_of(&text(COLOR, &format!("{doubled}[accumulate]\npixel = 4\n"))), 2.0, "accumulated");
    let views = "[[view]]\nname = 'eyes'\nkind = 'stereo'\nsize_px = [8, 8]\n\
                 [[view]]\nname = 'around'\nkind = 'panorama'\nposition = [0.0, 0.0, 0.5]\nsize_px = [16, 8]\n\
                 [[view]]\nname = 'screen'\ncamera = 'main'\nsize_px = [8, 8]\ntonemap = 'none'\n";
    let scene = scene_of(&text(COLOR, &format!("{doubled}{views}")));
    near(&scene.for_view("eyes").unwrap(), 2.0, "two eyes");
    let around = pixels(&scene.for_view("around").unwrap(), false);
    assert!(around.iter().any(|pixel| (pixel[0] - COLOR[0]).abs() < 1e-5), "{:?}", around[0]);
    // What a monitor shows is drawn without effects, and the picture of the monitor has them.
    let shown = format!("{doubled}{views}").replace(
        "[[view]]\nname = 'eyes'",
        "[material.s]\nunlit = true\nbase_color_texture = { view = 'screen' }\n\
         [[node]]\nname = 'monitor'\nshape = 'quad'\nsize_m = [100.0, 100.0]\nposition = [0.0, 0.0, 5.0]\n\
         material = 's'\n[[view]]\nname = 'eyes'",
    );
    let shown = shown.replace("name = 'screen'\n", "name = 'screen'\nhide = ['monitor']\n");
    let found = pixels(&scene_of(&text(COLOR, &shown)), false);
    let [r, g, b, _] = pixel(&found, MIDDLE);
    assert_near([r, g, b], COLOR.map(|x| 2.0 * x), 2e-2, "a monitor");
}

/// Numbers of effects move with key frames.
#[test]
fn numbers_of_effects_move() {
    let rest = effect("exposure", "ev = { keys = [[0.0, 0.0], [1.0, 2.0]] }");
    let scene = scene_of(&text(COLOR, &rest));
    let found = pixels(&Scene { time_s: 0.5, ..scene }, false);
    let [r, g, b, _] = pixel(&found, MIDDLE);
    assert_near([r, g, b], COLOR.map(|x| 2.0 * x), 1e-5, "half way");
}

/// Also where the studio has an effect of its own.
#[test]
fn numbers_of_effects_move_in_a_studio() {
    let rest = effect("exposure", "ev = { keys = [[0.0, 0.0], [1.0, 2.0]] }");
    let text = text(COLOR, &rest).replace("[output]", "[output]\nlighting = 'studio'\nstyle = 'studio'");
    let found = pixels(&Scene { time_s: 0.5, ..scene_of(&text) }, false);
    let [r, g, b, _] = pixel(&found, MIDDLE);
    assert_near([r, g, b], COLOR.map(|x| 2.0 * x), 1e-5, "half way");
}

#[test]
fn defaults_are_within_their_bounds() {
    for id in EffectId::all() {
        let values = Values::new(id);
        for (param, value) in id.row().params.iter().zip(&values.numbers) {
            let (min, max, count) = match param.kind {
                ParamKind::Number { min, max, .. } => (min, max, 1),
                ParamKind::Whole { min, max, .. } => (min as f64, max as f64, 1),
                ParamKind::Pair { min, max, .. } => (min, max, 2),
                ParamKind::Triple { min, max, .. } => (min, max, 3),
                ParamKind::Color { max, .. } => (0.0, max, 3),
                ParamKind::Flag { .. } => (0.0, 1.0, 1),
                ParamKind::File => (0.0, 0.0, 0),
                ParamKind::Choice { words, .. } => (0.0, words.len() as f64 - 1.0, 1),
            };
            let holds = |number: &f32| (min..=max).contains(&f64::from(*number));
            assert!(value[..count].iter().all(holds), "{} {}", id.row().name, param.name);
        }
    }
}

/// In lines of at most 120 columns.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is one");
        if last.is_empty() || last.len() + 1 + word.len() <= 120 {
            last.push_str(if last.is_empty() { "" } else { " " });
            last.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines.join("\n")
}

const PAGE: &str = "docs/effects.md";
const MARK: &str = "<!-- Below: from the rows of the effects. -->\n";

#[test]
#[expect(clippy::disallowed_methods, reason = "a test reads its own switches from the environment")]
fn the_page_of_the_effects_is_fresh() {
    let mut out = String::new();
    for row in EFFECTS {
        let space = match row.space {
            Space::Hdr => "before tone mapping",
            Space::Ldr => "after tone mapping",
            Space::Any => "before or after tone mapping",
            Space::Occlusion | Space::Reflection => "before the picture, wherever it is in the list",
        };
        let source = if row.source.is_empty() { String::new() } else { format!(" Source: {}.", row.source) };
        let doc = wrapped(&format!("{} It comes {space}.", row.doc));
        let formula = wrapped(&format!("Formula: {}.{source}", row.formula));
        _ = writeln!(out, "### `{}`\n\n{doc}\n\n{formula}\n", row.name);
        if row.params.is_empty() {
            continue;
        }
        _ = writeln!(out, "| key | values | default | meaning |\n| --- | --- | --- | --- |");
        for param in row.params {
            let (values, default) = match param.kind {
                ParamKind::Number { default, min, max } => (format!("{min} to {max}"), default.to_string()),
                ParamKind::Whole { default, min, max } => (format!("whole, {min} to {max}"), default.to_string()),
                ParamKind::Pair { default, min, max } => (format!("two, {min} to {max}"), format!("{default:?}")),
                ParamKind::Triple { default, min, max } => (format!("three, {min} to {max}"), format!("{default:?}")),
                ParamKind::Color { default, max } => (format!("colour, 0 to {max}"), format!("{default:?}")),
                ParamKind::Flag { default } => ("`true`, `false`".to_string(), default.to_string()),
                ParamKind::File => ("a file".to_string(), "none".to_string()),
                ParamKind::Choice { default, words } => {
                    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                    (words.join(", "), format!("`{default}`"))
                }
            };
            _ = writeln!(out, "| `{}` | {values} | {default} | {} |", param.name, param.doc);
        }
        out.push('\n');
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let have = std::fs::read_to_string(&path).unwrap();
    let (head, _) = have.split_once(MARK).expect("the page has its mark");
    let want = format!("{head}{MARK}\n{}\n", out.trim_end());
    if have != want {
        if std::env::var_os("STILLFRAME_UPDATE").is_some_and(|value| value != "no") {
            std::fs::write(&path, want).unwrap();
        }
        panic!("{PAGE} is stale: STILLFRAME_UPDATE=all cargo test --test light effects");
    }
}

/// Depth of field from one picture, against the mean of pictures through 64 points of the lens.
#[test]
fn depth_of_field_is_near_the_lens() {
    let scene = |rest: &str, camera: &str| {
        let text = format!(
            "title = 'x'\ninclude = ['assets/post_stage.toml']\n[output]\nsize_px = [192, 128]\ntonemap = 'none'\n\
             [camera.main]\nfocus_m = 3.8\n{camera}\n{rest}"
        );
        pixels(&scene_of(&text), false)
    };
    // 12 mm over the tangent of half the angle of view, over the diameter of the lens.
    let f_number = 0.012 / m::tan(20f64.to_radians()) / 0.25;
    let lens = scene("[accumulate]\nlens = 64\n", &format!("f_number = {f_number:?}"));
    let rms = |other: &[[f64; 4]]| {
        let off =
            |(a, b): (&[f64; 4], &[f64; 4])| (0..3).map(|i| m::pow(a[i].min(1.0) - b[i].min(1.0), 2.0)).sum::<f64>();
        let sum: f64 = lens.iter().zip(other).map(off).sum();
        (sum / (3.0 * lens.len() as f64)).sqrt()
    };
    let [plain, blurred] =
        ["", &effect("depth_of_field", "focus_m = 3.8\naperture_m = 0.25")].map(|rest| rms(&scene(rest, "")));
    assert!(blurred < 0.02 && blurred < 0.5 * plain, "{blurred} of {plain}");
}
