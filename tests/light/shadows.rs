//! Shadows: every technique against rays cast in f64, closed forms of what they compute, and each other.

use std::fmt::Write;

use stillframe_base::math::ops64 as m;
use stillframe_draw::{light, shader};
use stillframe_scene::scene::{Scene, Shadow, ShadowReads, ShadowRow, ShadowTechnique, shadows_markdown};
use stillframe_soft::{Probe, Value};

use crate::furnace::{floor, floor_point};
use crate::layers::layers;
use crate::rays::{Traced, Wrong, still_life};

const SIZE: usize = 128;
const CENTER: [f64; 3] = [0.2, 0.7, -0.1];
const RADIUS: f64 = 0.3;
const BALL: &str = "[[node]]\nname = \"ball\"\nshape = \"sphere\"\nradius_m = 0.3\nsegments = 96\nrings = 48\nposition = [0.2, 0.7, -0.1]\n";

/// A slanted sun with this shadow.
fn sun(shadow: &str) -> String {
    format!("[[light]]\nname = 'light'\nkind = 'directional'\ndirection = [0.9, -1.0, 0.5]\nshadow = {shadow}\n")
}

/// The layer that says what no shadow keeps away.
fn mask(scene: &Scene) -> Vec<f32> {
    layers(scene, &["shadow_mask.light"]).remove("shadow_mask.light").expect("it was asked for")
}

/// How far from where a shadow ends a technique may be neither light nor dark, pixels.
fn band_px(row: &ShadowRow, is_parallel: bool) -> f64 {
    match row.reads {
        // Its light has a width: the sun is small.
        ShadowReads::Depth if row.name == "pcss" => {
            if is_parallel {
                5.0
            } else {
                12.0
            }
        }
        ShadowReads::Depth if row.by_pixel => 6.0,
        // As many texels more as its filter is wide.
        ShadowReads::Depth => 2.5 + f64::from(row.reach_texels),
        ShadowReads::Moments { .. } => 5.0,
    }
}

/// How far a technique reads from a point, texels.
fn reach_texels(row: &ShadowRow) -> f64 {
    match row.name {
        "disk" => 2.5,
        // As wide as the light: the band of `band_px`.
        "pcss" => 2.0,
        _ => f64::from(row.reach_texels) + if row.reads == ShadowReads::Depth { 0.0 } else { 2.0 },
    }
}

/// What a technique may leave of light where none is, and keep away where all is.
fn slack(row: &ShadowRow) -> f32 {
    match row.name {
        // One occluder: the bound is of two points, and exponentials grow.
        "esm" | "evsm2" | "evsm4" => 1e-3,
        // Light bleeds where shadows of two things meet.
        "vsm" => 0.2,
        "msm" => 0.04,
        // Ten of its 64 texels: penumbras of a lamp close by are wider than it can draw.
        "pcss" => 0.16,
        // Four texels are compared with one depth: taps that reach under the floor darken the foot of a wall.
        "tent3" | "cube" | "csm" => 0.13,
        _ => 0.0,
    }
}

/// How far what was found is from what rays say.
fn off((_, lit, found): &([usize; 2], bool, f32)) -> f32 {
    (found - f32::from(u8::from(*lit))).abs()
}

/// Shadows of a still life by every technique against rays cast in f64, away from their edges.
#[test]
fn every_technique_falls_where_rays_say() {
    let lights = [
        ("sun", true, "kind = 'directional'\ndirection = [0.9, -1.0, 0.5]"),
        ("low sun", true, "kind = 'directional'\ndirection = [2.4, -1.0, 0.3]"),
        ("lamp", false, "kind = 'point'\nposition = [-0.5, 2.9, 0.6]"),
        ("lamp inside", false, "kind = 'point'\nposition = [0.1, 0.5, -0.4]"),
    ];
    let mut report = String::new();
    let mut bad = Vec::new();
    for (name, is_parallel, light) in lights {
        let mut traced = Traced::new(still_life(light));
        for technique in ShadowTechnique::ALL.iter().filter(|technique| technique.row().serves.serves(is_parallel)) {
            let row = technique.row();
            traced.scene.lights[0].shadow = Some(Shadow::new(*technique));
            let Wrong { pixels, looked_at: [dark, lit] } = traced.wrong("lamp", band_px(row, is_parallel));
            let worst = pixels.iter().map(off).fold(0.0, f32::max);
            let wrong = pixels.iter().filter(|pixel| off(pixel) > slack(row)).count();
            _ = writeln!(report, "{:8} {name:12} {dark:5} dark {lit:6} lit {wrong:3} wrong, worst {worst:?}", row.name);
            if wrong > 0 || dark < 15 || lit < 5000 {
                bad.push(format!("{} {name} {:?}", row.name, pixels.iter().take(4).collect::<Vec<_>>()));
            }
        }
    }
    println!("{report}");
    assert!(bad.is_empty(), "{report}\n{bad:#?}");
}

/// Degrees between a floor and light in the tests of bias.
const HEIGHTS_DEG: [f64; 17] =
    [1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 85.0, 88.0, 89.0];

/// A floor under light from every height shadows itself nowhere, and a box on it has its whole shadow.
#[test]
fn nothing_shadows_itself_by_any_technique() {
    let things = "[[node]]\nshape = 'box'\nsize_m = [0.8, 0.4, 0.8]\nposition = [0.7, 0.2, 0.7]\nrotation_deg = [0.0, 25.0, 0.0]\n";
    let (mut report, mut bad) = (String::new(), Vec::new());
    for (elevation_deg, is_parallel) in HEIGHTS_DEG.iter().flat_map(|deg| [(deg, true), (deg, false)]) {
        let (sin, cos) = m::sin_cos(elevation_deg.to_radians());
        let kind = match is_parallel {
            true => format!("kind = 'directional'\ndirection = [{:?}, {:?}, {:?}]", cos * 0.8, -sin, cos * 0.6),
            false => format!("kind = 'point'\nposition = [{:?}, {:?}, {:?}]", -8.0 * cos, 10.0 * sin, -6.0 * cos),
        };
        let mut traced = Traced::new(floor(64, &format!("{things}[[light]]\nname = 'light'\n{kind}\n")));
        for technique in ShadowTechnique::ALL.iter().filter(|technique| technique.row().serves.serves(is_parallel)) {
            let row = technique.row();
            traced.scene.lights[0].shadow = Some(Shadow::new(*technique));
            // As wide as the filter is on the floor, where a pixel is 1/16 m wide; the lamp is 10 m away.
            let texel_px = traced.texel_m(10.0) / sin.max(0.01) * 16.0;
            let band_px = band_px(row, is_parallel).max(1.5 + (reach_texels(row) + 1.0) * texel_px);
            let Wrong { mut pixels, looked_at: [dark, lit] } = traced.wrong("light", band_px);
            // Lower down the filters of most are as wide as the picture.
            assert!(*elevation_deg < 15.0 || lit > 150, "{} at {elevation_deg} degrees: {lit} lit", row.name);
            // Where the floor meets the box, filters see the box.
            pixels.retain(|([x, y], lit, _)| !lit || traced.outline_px(y * 64 + x, band_px) >= band_px);
            pixels.retain(|pixel| off(pixel) > slack(row));
            _ = writeln!(
                report,
                "{:6} {elevation_deg} {is_parallel}: band {band_px:.1} px, {dark} dark, {lit} lit",
                row.name
            );
            if !pixels.is_empty() {
                let first = &pixels[..pixels.len().min(3)];
                bad.push(format!(
                    "{} at {elevation_deg} degrees, {is_parallel}, band {band_px}: {} {first:?}",
                    row.name,
                    pixels.len()
                ));
            }
        }
    }
    println!("{report}");
    assert!(bad.is_empty(), "{bad:#?}");
}

/// A bar as wide as a texel of the map has its whole shadow, and where it is: no filter takes it for an edge of
/// something that goes on beside it.
#[test]
fn what_is_one_texel_wide_has_its_whole_shadow() {
    const PIXELS: usize = 128;
    let scene = |width_m: f64, technique: &str| {
        let bar = format!(
            "[[node]]\nname = 'bar'\nshape = 'box'\nsize_m = [{width_m:?}, 0.001, 4.0]\nposition = [0.0, 0.8, 0.0]\n"
        );
        let light = "kind = 'directional'\ndirection = [-1.0, -1.0, 0.0]\n";
        let shadow = format!("{{ technique = '{technique}', size_px = 64, fit = 'stable' }}");
        floor(PIXELS, &format!("{bar}[[light]]\nname = 'light'\n{light}shadow = {shadow}\n"))
    };
    for technique in ["hard", "pcf3", "pcf5", "pcf7", "disk", "tent3"] {
        // The light comes at 45 degrees: a texel is wider on the floor than across its rays.
        let wide_m = 2.0f64.sqrt() * Traced::new(scene(0.1, technique)).texel_m(0.0);
        let mask = mask(&scene(wide_m, technique));
        let (mut dark_m, mut moment) = (0.0, 0.0);
        for (pixel, lit) in mask.iter().enumerate() {
            let x = floor_point(PIXELS, pixel)[0];
            // Of one metre along the bar, and away from the bar itself.
            if (PIXELS / 4..PIXELS / 2).contains(&(pixel / PIXELS)) && x < -0.25 {
                let dark = f64::from(1.0 - lit) * 16.0 / (PIXELS * PIXELS) as f64;
                (dark_m, moment) = (dark_m + dark, moment + dark * x);
            }
        }
        let (width, middle) = (dark_m / wide_m, moment / dark_m);
        assert!((width - 1.0).abs() < 0.2, "{technique}: {width} of its width");
        assert!((middle + 0.8).abs() < 0.6 * wide_m, "{technique}: at {middle} m, of texels of {wide_m} m");
    }
}

/// A board that stands on the floor: its shadow begins at its foot.
#[test]
fn shadows_begin_where_things_stand() {
    for row in ShadowTechnique::ALL.iter().map(|technique| technique.row()) {
        let kind = match row.serves.serves(true) {
            true => "kind = 'directional'\ndirection = [1.0, -1.0, 0.0]",
            false => "kind = 'point'\nintensity_cd = 100.0\nposition = [-10.0, 10.0, 0.0]",
        };
        let board = "[[node]]\nname = 'board'\nshape = 'box'\nsize_m = [0.1, 0.6, 2.0]\nposition = [0.0, 0.3, 0.0]\n";
        let text = format!("{board}[[light]]\nname = 'light'\n{kind}\nshadow = '{}'\n", row.name);
        let mask = mask(&floor(SIZE, &text));
        // Behind the board, its width away from its foot at most.
        let mut lit = 0;
        for (pixel, found) in mask.iter().enumerate() {
            let [x, z] = floor_point(SIZE, pixel);
            if x > 0.05 && x < 0.15 && z.abs() < 0.8 && *found > 0.1 {
                lit += 1;
            }
        }
        assert!(lit == 0, "{}: {lit} pixels of light at the foot", row.name);
    }
}

/// One map in whole texels is one cascade.
#[test]
fn one_cascade_is_a_stable_map() {
    let of = |shadow: &str| mask(&floor(SIZE, &format!("{BALL}{}", sun(shadow))));
    let one = of("{ technique = 'csm', cascades = 1 }");
    assert_eq!(one, of("{ fit = 'stable' }"));
    assert_ne!(one, of("true"));
}

/// While the camera moves by less than a texel, what a map in whole texels holds stays.
#[test]
fn stable_maps_keep_still() {
    let depths = |fit: &str, at: f32| {
        let text = format!("{BALL}{}", sun(&format!("{{ fit = '{fit}', size_px = 256 }}")));
        let mut scene = floor(SIZE, &text);
        scene.cameras[0].position.x += at;
        layers(&scene, &["shadow.0"]).remove("shadow.0").expect("it was asked for")
    };
    let shifts = [0.0, 0.001, 0.002, 0.003];
    let maps = shifts.map(|at| depths("stable", at));
    let moved = maps.windows(2).filter(|pair| pair[0] != pair[1]).count();
    // A texel is 0.03 m wide.
    assert!(moved <= 1, "{moved}");
    assert_ne!(maps[0], depths("stable", 0.2));
}

/// The penumbra of an edge under a round light: the share of the disk that is seen.
#[test]
fn pcss_is_as_wide_as_the_light_says() {
    let (height, angle_deg) = (0.5, 20.0f64);
    let board = format!(
        "[[node]]\nname = 'board'\nshape = 'box'\nsize_m = [2.0, 0.01, 4.0]\nposition = [1.0, {height}, 0.0]\n"
    );
    let shadow = format!("{{ technique = 'pcss', light_angle_deg = {angle_deg:?}, size_px = 256 }}");
    let text = format!(
        "{board}[[light]]\nname = 'light'\nkind = 'directional'\ndirection = [0.0, -1.0, 0.0]\nshadow = {shadow}\n"
    );
    let mut scene = floor(SIZE, &text);
    // From below the board's height the floor is seen.
    scene.cameras[0].near_m = 5.6;
    let mask = mask(&scene);
    let radius = height * m::tan(angle_deg.to_radians() * 0.5);
    let (mut sum, mut count) = (0.0, 0);
    for (pixel, found) in mask.iter().enumerate() {
        let [x, z] = floor_point(SIZE, pixel);
        // The board begins at x = 0.
        let s = -x / radius;
        if s.abs() < 1.0 && z.abs() < 1.5 {
            let seen = 0.5 + (m::asin(s) + s * (1.0 - s * s).sqrt()) / std::f64::consts::PI;
            sum += (f64::from(*found) - seen) * (f64::from(*found) - seen);
            count += 1;
        }
    }
    let rms = (sum / f64::from(count)).sqrt();
    println!("pcss against the disk that is seen: {rms} over {count} pixels of the penumbra");
    assert!(count > 500 && rms < 0.065, "{rms} over {count} pixels");
}

/// A wide lamp is many small ones, spread over a disk: the mean of their hard shadows is its soft one.
#[test]
fn pcss_is_near_the_mean_of_many_lamps() {
    const LAMPS: usize = 64;
    let (middle, width) = ([-0.6, 2.0, 0.5], 0.3f64);
    // Across the way to the ball.
    let way: [f64; 3] = std::array::from_fn(|c| CENTER[c] - middle[c]);
    let length = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
    let n = way.map(|c| c / length);
    let flat = (n[0] * n[0] + n[2] * n[2]).sqrt();
    let u = [n[2] / flat, 0.0, -n[0] / flat];
    let v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let lamp = |name: &str, at: [f64; 3], shadow: &str| {
        format!(
            "[[light]]\nname = '{name}'\nkind = 'point'\nintensity_cd = 1.0\nposition = {at:?}\nshadow = {shadow}\n"
        )
    };
    let hard = (0..LAMPS).map(|tap| {
        let radius = 0.5 * width * ((tap as f64 + 0.5) / LAMPS as f64).sqrt();
        let (sin, cos) = m::sin_cos(tap as f64 * golden);
        let at = std::array::from_fn(|c| middle[c] + radius * (cos * u[c] + sin * v[c]));
        lamp(&format!("lamp{tap}"), at, "{ technique = 'hard', size_px = 512 }")
    });
    let hard: String = hard.collect();
    let names: Vec<String> = (0..LAMPS).map(|tap| format!("shadow_mask.lamp{tap}")).collect();
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let masks = layers(&floor(SIZE, &format!("{BALL}{hard}")), &words);
    let soft = lamp("light", middle, &format!("{{ technique = 'pcss', light_width_m = {width:?}, size_px = 256 }}"));
    let soft = mask(&floor(SIZE, &format!("{BALL}{soft}")));
    let (mut sum, mut count) = (0.0, 0);
    for (pixel, found) in soft.iter().enumerate() {
        let mean = masks.values().map(|mask| f64::from(mask[pixel])).sum::<f64>() / LAMPS as f64;
        let [x, z] = floor_point(SIZE, pixel);
        let below = (x - CENTER[0]) * (x - CENTER[0]) + (z - CENTER[2]) * (z - CENTER[2]);
        // Where it is neither light nor dark, and the ball does not hide the floor.
        if mean > 0.0 && mean < 1.0 && below.sqrt() > RADIUS + 0.05 {
            sum += (f64::from(*found) - mean) * (f64::from(*found) - mean);
            count += 1;
        }
    }
    let rms = (sum / f64::from(count)).sqrt();
    println!("pcss against {LAMPS} lamps: {rms} over {count} pixels of the penumbra");
    assert!(count > 300 && rms < 0.05, "{rms} over {count} pixels");
}

/// The layer that says which map holds a point: cascades one after the other from the camera on, and the side of a
/// lamp's cube that the point is on.
#[test]
fn maps_that_hold_points_are_known() {
    let sun =
        still_life("kind = 'directional'\ndirection = [0.9, -1.0, 0.5]\nshadow = { technique = 'csm', cascades = 3 }");
    let found = layers(&sun, &["shadow_map.lamp", "depth"]);
    let mut points: Vec<(f32, f32)> =
        found["depth"].iter().copied().zip(found["shadow_map.lamp"].iter().copied()).collect();
    points.retain(|(_, map)| *map > 0.0);
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(points.is_sorted_by_key(|(_, map)| *map));
    for map in [1.0, 2.0, 3.0] {
        let count = points.iter().filter(|(_, own)| *own == map).count();
        assert!(count > 200, "{count} points in cascade {map}");
    }
    let lamp = [0.1, 0.5, -0.4];
    let scene = still_life(&format!("kind = 'point'\nposition = {lamp:?}\nshadow = 'cube'"));
    let found = layers(&scene, &["shadow_map.lamp", "position"]);
    let mut by_side = [0; 7];
    for (map, point) in found["shadow_map.lamp"].iter().zip(found["position"].chunks_exact(3)) {
        by_side[*map as usize] += 1;
        let way: [f32; 3] = std::array::from_fn(|c| point[c] - lamp[c]);
        let longest = (0..3).max_by(|a, b| way[*a].abs().total_cmp(&way[*b].abs())).unwrap();
        let mut lengths = way.map(f32::abs);
        lengths.sort_by(f32::total_cmp);
        // Not where two sides meet.
        if *map > 0.0 && lengths[2] > lengths[1] * 1.001 {
            let want = 2 * longest + usize::from(way[longest] < 0.0) + 1;
            assert_eq!(*map as usize, want, "{point:?}");
        }
    }
    assert!(by_side[1..].iter().filter(|count| **count > 100).count() >= 3, "{by_side:?}");
}

/// Fifty lamps among balls, six maps each: every one has its shadow.
#[test]
fn fifty_lamps_cast_fifty_shadows() {
    let lamp = |at: usize| {
        let (x, z) = ((at % 10) as f64 * 0.35 - 1.6, (at / 10) as f64 * 0.7 - 1.4);
        format!(
            "[[light]]\nname = 'lamp{at}'\nkind = 'point'\nintensity_cd = 1.0\nposition = [{x:?}, 0.6, {z:?}]\nshadow = 'cube'\n\
             [[node]]\nname = 'ball{at}'\nshape = 'sphere'\nsegments = 32\nrings = 16\nradius_m = 0.05\nposition = [{x:?}, 0.3, {z:?}]\n\
             [[node]]\nname = 'roof{at}'\nshape = 'sphere'\nsegments = 32\nrings = 16\nradius_m = 0.05\nposition = [{x:?}, 0.9, {z:?}]\n"
        )
    };
    let text: String = (0..50).map(lamp).collect();
    let scene = floor(SIZE, &text);
    let names: Vec<String> = (0..50).map(|at| format!("shadow_mask.lamp{at}")).collect();
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let masks = layers(&scene, &words);
    for (at, name) in names.iter().enumerate() {
        let (x, z) = ((at % 10) as f64 * 0.35 - 1.6, (at / 10) as f64 * 0.7 - 1.4);
        // The ball is halfway to the floor: its shadow has twice its radius, less what the balls above hide.
        let (mut dark, mut lit) = (0, 0);
        for (pixel, found) in masks[name].iter().enumerate() {
            let [px, pz] = floor_point(SIZE, pixel);
            let off = ((px - x) * (px - x) + (pz - z) * (pz - z)).sqrt();
            if (0.06..0.085).contains(&off) {
                dark += usize::from(*found < 0.2);
            } else if (0.13..0.17).contains(&off) {
                lit += usize::from(*found > 0.8);
            }
        }
        assert!(dark >= 6 && lit >= 20, "{name}: {dark} dark, {lit} lit");
    }
}

fn probe(techniques: light::Techniques, calls: &str) -> Probe {
    Probe::new(&shader::compose(&[
        shader::COMMON,
        shader::LOBES,
        shader::DIELECTRIC,
        &light::text(light::Kinds::default()),
        &light::shadow_text(techniques),
        calls,
    ]))
    .unwrap_or_else(|error| panic!("{error}"))
}

fn call<A: AsRef<[Value]>>(probe: &Probe, function: &str, rows: &[A]) -> Vec<f64> {
    let values = probe.call_many(function, rows).unwrap_or_else(|error| panic!("{error}"));
    let number = |value| match value {
        Value::F32(value) => f64::from(value),
        other => panic!("{other:?}"),
    };
    values.into_iter().map(number).collect()
}

/// Bounds of moments at points whose shares are known.
#[test]
fn bounds_of_moments_are_those_of_their_distributions() {
    let techniques = light::Techniques::of([ShadowTechnique::Vsm, ShadowTechnique::Msm]);
    let probe = probe(
        techniques,
        "fn call_four(a: vec3f, b: f32, t: f32) -> f32 {\n    return hamburger(vec4f(a, b), t);\n}\nfn call_two(a: f32, b: f32, t: f32) -> f32 {\n    return chebyshev(vec2f(a, b), t, 1e-7);\n}\n",
    );
    // Half of a filter at 0.3, half at the receiver's 0.9: half of the light arrives. Occluders at 0.2 and 0.6 before a
    // receiver at 0.9: light leaks.
    let rows =
        [[0.6, 0.45, 0.9], [0.4, 0.2, 0.9], [0.9, 0.81, 0.9], [0.9, 0.81, 0.5], [0.5, 0.26, 0.6], [0.3, 0.0904, 0.4]];
    let found = call(&probe, "call_two", &rows.map(|row| row.map(Value::F32)));
    for (found, want) in found.iter().zip([0.5, 0.04 / 0.29, 1.0, 1.0, 0.5, 0.038_462]) {
        assert!((found - want).abs() < 1e-4, "{found} for {want}");
    }
    // Four moments know two occluders and the receiver: no light leaks.
    let moments = |points: &[(f64, f64)]| -> [f64; 4] {
        let power = |t: f64, k: usize| std::iter::repeat_n(2.0 * t - 1.0, k + 1).product::<f64>();
        std::array::from_fn(|k| points.iter().map(|(t, share)| share * power(*t, k)).sum())
    };
    for (points, t, want) in [
        (vec![(0.2, 0.25), (0.5, 0.25), (0.9, 0.5)], 0.9, 0.5),
        (vec![(0.2, 0.5), (0.6, 0.5)], 0.9, 0.0),
        (vec![(0.3, 0.5), (0.9, 0.5)], 0.9, 0.5),
        (vec![(0.1, 0.3), (0.4, 0.3), (0.7, 0.4)], 0.7, 0.4),
        (vec![(0.3, 0.5), (0.9, 0.5)], 0.2, 1.0),
    ] {
        let four = moments(&points).map(|value| value as f32);
        let row = [Value::Vec3([four[0], four[1], four[2]]), Value::F32(four[3]), Value::F32(2.0 * t - 1.0)];
        let found = call(&probe, "call_four", &[row])[0];
        assert!((found - want).abs() < 0.02, "{points:?} at {t}: {found} for {want}");
    }
}

/// Points of the spiral cover the disk evenly: half of the squares of their radii is their mean.
#[test]
fn spirals_cover_their_disk() {
    let calls = "fn call_start(x: f32, y: f32) -> vec3f {\n    return vec3f(spiral_start(vec2f(x, y)), 0.0);\n}\nfn call_step(x: f32, y: f32) -> vec3f {\n    return vec3f(spiral_step(vec2f(x, y)), 0.0);\n}\n";
    let probe = probe(light::Techniques::of([ShadowTechnique::Disk]), calls);
    let vector = |function: &str, rows: &[[f32; 2]]| -> Vec<[f64; 2]> {
        let rows: Vec<_> = rows.iter().map(|row| row.map(Value::F32)).collect();
        let found = probe.call_many(function, &rows).unwrap_or_else(|error| panic!("{error}"));
        let both = |value| match value {
            Value::Vec3([x, y, _]) => [f64::from(x), f64::from(y)],
            other => panic!("{other:?}"),
        };
        found.into_iter().map(both).collect()
    };
    // The golden angle, and a unit start that differs from pixel to pixel with no mean.
    let step = vector("call_step", &[[1.0, 0.0]])[0];
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    assert!((step[0] - m::cos(golden)).abs() < 1e-6 && (step[1] - m::sin(golden)).abs() < 1e-6, "{step:?}");
    let pixels: Vec<[f32; 2]> = (0..4096).map(|at| [(at % 64) as f32 + 0.5, (at / 64) as f32 + 0.5]).collect();
    let starts = vector("call_start", &pixels);
    assert!(starts.iter().all(|[x, y]| (x * x + y * y - 1.0).abs() < 1e-5));
    let mean: [f64; 2] = std::array::from_fn(|c| starts.iter().map(|start| start[c]).sum::<f64>() / 4096.0);
    assert!(mean.iter().all(|mean| mean.abs() < 0.05), "{mean:?}");
}

/// The golden sheets show every technique.
#[test]
fn sheets_have_every_technique() {
    let of = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/shadow").join(name);
        std::fs::read_to_string(path).unwrap()
    };
    let (sun, lamp) = (of("mask_sheet.toml"), of("mask_lamp.toml"));
    for row in ShadowTechnique::ALL.iter().map(|technique| technique.row()) {
        let sheet = if row.serves.serves(true) { &sun } else { &lamp };
        assert!(sheet.contains(&format!("\"{}\"", row.name)), "{} is in no sheet", row.name);
    }
}

const PAGE: &str = "docs/shadows.md";
const MARK: &str = "<!-- Below: from the rows of the techniques. -->\n";

#[test]
#[expect(clippy::disallowed_methods, reason = "a test reads its own switches from the environment")]
fn the_page_of_the_techniques_is_fresh() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let have = std::fs::read_to_string(&path).unwrap();
    let (head, _) = have.split_once(MARK).expect("the page has its mark");
    let want = format!("{head}{MARK}\n{}", shadows_markdown());
    if have != want {
        if std::env::var_os("STILLFRAME_UPDATE").is_some_and(|value| value != "no") {
            std::fs::write(&path, want).unwrap();
        }
        panic!("{PAGE} is stale: STILLFRAME_UPDATE=all cargo test --test light shadows");
    }
}
