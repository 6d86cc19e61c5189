//! Accumulation: means of many pictures against closed forms, and against `samples`.

use stillframe::take::{Settings, take};
use stillframe_base::math::ops64 as m;
use stillframe_frames::Samples;
use stillframe_scene::scene::{Aov, Scene};

use crate::truth::{linear, scene_of};

const PI: f64 = std::f64::consts::PI;

/// Bits of the linear picture.
fn bits(scene: &Scene) -> Vec<u32> {
    let settings = Settings { bits: 32, ..Settings::default() };
    let taken = take(scene, &settings, &mut |_| ()).expect("a picture");
    match &taken.pictures[0].1.samples {
        Samples::F32(values) => values.iter().map(|value| value.to_bits()).collect(),
        other => panic!("{other:?}"),
    }
}

fn still_life(more: &str) -> Scene {
    scene_of(&format!(
        "title = 'a ball and a box'
[output]
size_px = [72, 48]
{more}
[environment]
color = [0.2, 0.25, 0.3]
[camera.main]
position = [1.0, 1.5, 3.0]
look_at = [0.0, 0.3, 0.0]
fov_y_deg = 35.0
[[light]]
direction = [-0.5, -1.0, -0.6]
[[node]]
shape = 'plane'
size_m = [6.0, 6.0]
[[node]]
shape = 'sphere'
radius_m = 0.4
position = [-0.3, 0.4, 0.0]
[[node]]
shape = 'box'
size_m = [0.5, 0.5, 0.5]
position = [0.5, 0.25, 0.3]
rotation_deg = [0.0, 20.0, 0.0]
"
    ))
}

/// Sixteen points of a pixel are sixteen samples, bit for bit, and four are four that are shaded one by one.
#[test]
fn points_of_a_pixel_are_samples() {
    let sixteen = bits(&still_life("samples = 16"));
    assert_eq!(bits(&still_life("samples = 1\n[accumulate]\npixel = 16")), sixteen);
    let four = bits(&still_life("samples = 4\nshading = 'sample'"));
    assert_eq!(bits(&still_life("samples = 1\n[accumulate]\npixel = 4")), four);
    assert_ne!(four, sixteen);
}

/// Where nothing is out of focus, nothing moves and lights have no area, many pictures are one.
#[test]
fn points_of_nothing_change_nothing() {
    let one = linear(&still_life("samples = 4"));
    let many = linear(&still_life("samples = 4\n[accumulate]\nshutter = 8\nlight = 16"));
    for (one, many) in one.iter().zip(&many) {
        for channel in 0..3 {
            assert!((one[channel] - many[channel]).abs() <= 1e-6 * one[channel].abs(), "{one:?} {many:?}");
        }
    }
}

/// Other layers are those of the plain picture.
#[test]
fn other_layers_are_taken_at_pixel_centres() {
    let layer = |more: &str| {
        let aovs = vec![Aov::DEPTH, Aov::ID, Aov::COLOR];
        let settings = Settings { aovs, bits: 32, ..Settings::default() };
        take(&still_life(more), &settings, &mut |_| ()).expect("pictures").pictures
    };
    let (plain, mean) = (layer("samples = 1"), layer("samples = 1\n[accumulate]\npixel = 64"));
    assert_eq!(plain[..2], mean[..2]);
    assert_ne!(plain[2], mean[2]);
}

/// A point that is not in focus becomes an image of the lens: a disk of the diameter that similar triangles say, with
/// as much light as the point.
#[test]
fn a_point_out_of_focus_is_a_disk() {
    const SIDE: usize = 192;
    let at = |z_m: f64, f_number: f64, lens: u32| {
        let scene = scene_of(&format!(
            "title = 'a point'
[output]
size_px = [{SIDE}, {SIDE}]
samples = 1
[camera.main]
position = [0.0, 0.0, 0.0]
fov_y_deg = 30.0
focus_m = 2.0
f_number = {f_number:?}
[accumulate]
lens = {lens}
[material.glow]
base_color = [1.0, 1.0, 1.0]
unlit = true
[[node]]
shape = 'disk'
radius_m = {:?}
position = [0.0, 0.0, {:?}]
rotation_deg = [90.0, 0.0, 0.0]
material = 'glow'
",
            0.02 * z_m,
            -z_m
        ));
        linear(&scene).iter().map(|color| color[0]).collect::<Vec<f64>>()
    };
    let tan = m::sin(15f64.to_radians()) / m::cos(15f64.to_radians());
    for (z_m, f_number) in [(1.2, 0.4), (4.0, 0.4), (4.0, 0.8), (1.5, 0.2)] {
        let found = at(z_m, f_number, 1024);
        // The lens, as seen from the point, on the plane in focus; there the picture is 4 tan m high.
        let lens_m = 0.012 / tan / f_number;
        let blur_px = lens_m * (z_m - 2.0f64).abs() / z_m / (4.0 * tan) * SIDE as f64;
        let own_px = 0.02 * 2.0 / (2.0 * tan) * SIDE as f64;
        let area = |diameter_px: f64| PI / 4.0 * diameter_px * diameter_px;
        let sum: f64 = found.iter().sum();
        assert!((sum / area(own_px) - 1.0).abs() < 0.02, "{z_m} m: {sum} for {}", area(own_px));
        // A disk over a disk: the variance of a disk of diameter d is d^2 / 16 along each axis.
        for axis in [0, 1] {
            let place = |pixel: usize| [pixel % SIDE, pixel / SIDE][axis] as f64 + 0.5 - SIDE as f64 / 2.0;
            let variance = found.iter().enumerate().map(|(at, light)| light * place(at) * place(at)).sum::<f64>() / sum;
            let want = (blur_px * blur_px + own_px * own_px) / 16.0;
            assert!((variance / want - 1.0).abs() < 0.02, "{z_m} m, f/{f_number}: {variance} for {want}");
        }
    }
    // In focus nothing is blurred.
    let soft = at(2.0, 0.4, 64).iter().filter(|light| **light > 0.02 && **light < 0.98).count();
    assert!(soft <= 8, "{soft} pixels");
}

/// An edge that moves while the shutter is open is a ramp as wide as its way.
#[test]
fn a_moving_edge_is_a_ramp() {
    let of = |shutter: u32| {
        let scene = scene_of(&format!(
            "title = 'an edge'
[output]
size_px = [256, 4]
samples = 1
time_s = 1.0
[camera.main]
position = [0.0, 0.0, 5.0]
height_m = 0.04
[accumulate]
shutter = {shutter}
shutter_s = [-0.1, 0.15]
[material.glow]
base_color = [1.0, 1.0, 1.0]
unlit = true
[[node]]
shape = 'box'
size_m = [10.0, 1.0, 1.0]
position = {{ keys = [[0.0, [-7.0, 0.0, 0.0]], [2.0, [-3.0, 0.0, 0.0]]] }}
material = 'glow'
"
        ));
        let mut worst = 0f64;
        for (column, found) in linear(&scene)[..256].iter().enumerate() {
            // At 1 s the edge is in the middle of the picture; it goes 2 m/s to the right.
            let x_m = (column as f64 + 0.5 - 128.0) * 0.01;
            let passes_s = x_m / 2.0;
            let share = ((0.15 - passes_s) / 0.25).clamp(0.0, 1.0);
            worst = worst.max((found[0] - share).abs());
        }
        worst
    };
    for shutter in [16, 64, 256] {
        let worst = of(shutter);
        assert!(worst <= 0.5 / f64::from(shutter) + 1e-3, "{shutter} moments: {worst}");
    }
}

/// How much of a disk is on one side of a line, `at` radii from its middle.
fn disk_share(at: f64) -> f64 {
    let at = at.clamp(-1.0, 1.0);
    let root = (1.0 - at * at).sqrt();
    0.5 + (at * root + m::atan2(at, root)) / PI
}

/// A half plane between a floor and a light far above: the penumbra is the share of the light that is seen past the
/// edge.
fn penumbra(light: &str, count: u32) -> Vec<(f64, f64)> {
    const WIDTH: usize = 256;
    let text = |slab: &str| {
        scene_of(&format!(
            "title = 'a penumbra'
[output]
size_px = [{WIDTH}, 4]
samples = 1
[camera.main]
position = [0.0, 0.5, 0.0]
rotation_deg = [-90.0, 0.0, 0.0]
height_m = {:?}
[accumulate]
light = {count}
[[node]]
shape = 'plane'
size_m = [4.0, 4.0]
[[light]]
{light}
{slab}",
            4.0 / WIDTH as f64
        ))
    };
    let slab = "[[node]]\nshape = 'box'\nsize_m = [8.0, 0.01, 8.0]\nposition = [-4.0, 1.0, 0.0]\n";
    let (with, without) = (linear(&text(slab)), linear(&text("")));
    let x_m = |column: usize| (column as f64 + 0.5) / WIDTH as f64 - 0.5;
    (0..WIDTH).map(|column| (x_m(column), with[column][0] / without[column][0])).collect()
}

/// Penumbras of a disk, a rectangle and a sun are those of the closed forms; the error falls with the count.
#[test]
fn soft_shadows_are_closed_forms() {
    // The light is 9 m over the edge, which is 1 m over the floor: a point x m from below the edge sees what of the
    // light is beyond -9 x m.
    let disk = "kind = 'disk'\nradius_m = 1.5\nposition = [0.0, 10.0, 0.0]\ndirection = [0.0, -1.0, 0.0]";
    let rect = "kind = 'rect'\nsize_m = [3.0, 2.0]\nposition = [0.0, 10.0, 0.0]\ndirection = [0.0, -1.0, 0.0]";
    let sun = "direction = [0.0, -1.0, 0.0]\nangular_diameter_deg = 18.0";
    let of_disk = |x_m: f64| disk_share(9.0 * x_m / 1.5);
    let of_rect = |side_m: f64| move |x_m: f64| (0.5 + 9.0 * x_m / side_m).clamp(0.0, 1.0);
    let of_sun = |x_m: f64| disk_share(x_m / (m::sin(9f64.to_radians()) / m::cos(9f64.to_radians())));
    let rms = |light: &str, count: u32, want: &dyn Fn(f64) -> f64| {
        let found = penumbra(light, count);
        let squares: f64 = found.iter().map(|(x_m, lit)| (lit - want(*x_m)) * (lit - want(*x_m))).sum();
        (squares / found.len() as f64).sqrt()
    };
    let across = |x_m: f64| of_rect(3.0)(x_m).max(0.0);
    for (name, light, want) in
        [("disk", disk, &of_disk as &dyn Fn(f64) -> f64), ("rect", rect, &across), ("sun", sun, &of_sun)]
    {
        let errors = [16, 64, 256].map(|count| rms(light, count, want));
        println!("{name}: {errors:.5?}");
        assert!(errors[2] < 0.01 && errors[1] < 0.02 && errors[0] < 0.06, "{name}: {errors:?}");
        assert!(errors[2] < errors[0] / 3.0, "{name}: {errors:?}");
    }
}

/// Without anything in its way a light in pieces is the light as a whole.
#[test]
fn pieces_of_a_light_are_the_light() {
    for light in [
        "kind = 'disk'\nradius_m = 0.3\nposition = [0.3, 1.2, 0.2]\ndirection = [0.2, -1.0, 0.1]",
        "kind = 'rect'\nsize_m = [0.6, 0.3]\nposition = [0.3, 1.2, 0.2]\ndirection = [0.2, -1.0, 0.1]",
        "kind = 'sphere'\nradius_m = 0.2\nposition = [0.3, 1.0, 0.2]",
        "kind = 'tube'\nlength_m = 0.6\nradius_m = 0.05\nposition = [0.3, 1.0, 0.2]\nrotation_deg = [0.0, 30.0, 0.0]",
        "direction = [0.2, -1.0, 0.1]\nangular_diameter_deg = 10.0",
    ] {
        let floor = |count: u32| {
            linear(&scene_of(&format!(
                "title = 'a floor'
[output]
size_px = [32, 32]
samples = 1
[camera.main]
position = [0.0, 3.0, 0.0]
rotation_deg = [-90.0, 0.0, 0.0]
height_m = 3.0
[accumulate]
light = {count}
[material.matte]
roughness = 1.0
[[node]]
shape = 'plane'
size_m = [4.0, 4.0]
material = 'matte'
[[light]]
shadow = false
{light}
"
            )))
        };
        let (whole, pieces) = (floor(1), floor(1024));
        let most = whole.iter().map(|color| color[0]).fold(0.0, f64::max);
        let worst = whole.iter().zip(&pieces).map(|(a, b)| (a[0] - b[0]).abs() / most).fold(0.0, f64::max);
        println!("{light:?}: {worst:.4}");
        assert!(worst < 0.02, "{light}: {worst}");
    }
}
