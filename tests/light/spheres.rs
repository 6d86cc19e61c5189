//! The sphere grid against closed forms: depth and ids by ray casting, colour by the lighting equations in f64.
//!
//! `tests/data/oracle/spheres_*`: 25 spheres of five roughnesses and metalnesses on a plane, a sun and a point light.
//! The model's spheres are tessellated and its shadows come from maps, so edges are left out where colour is compared.

use std::path::Path;

use stillframe::take::{Settings, take};
use stillframe_asset::source::Vfs;
use stillframe_base::math::ops64;
use stillframe_frames::{Picture, Samples, Values, decode_npy};
use stillframe_scene::scene::{
    Aov, Lighting, LightingMethod, Likeness, RenderOptions, Scene, Style, Tonemap, Wishes, resolve_text,
};
use stillframe_testkit::spheres::{GridEmitter, GridLight, GridPixel, sphere_grid_of};
use stillframe_testkit::vector::{Vector, cross, plus, scaled, unit};
use stillframe_testkit::worse;

const SIZE: usize = 512;

fn root(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn scene(samples: u32) -> Scene {
    let wishes = Wishes {
        style: Some(Style::Plain),
        size_px: Some([SIZE as u32; 2]),
        samples: Some(samples),
        lighting: Some(Lighting::File),
        tonemap: Some(Tonemap::None),
        ..Wishes::default()
    };
    Scene::for_model(&root("scenes/assets/spheres.glb"), &wishes).expect("the model is there").scene
}

fn pictures(samples: u32, aovs: &[Aov], bits: u8) -> Vec<Picture> {
    let settings = Settings { aovs: aovs.to_vec(), bits, ..Settings::default() };
    let taken = take(&scene(samples), &settings, &mut |_| ()).expect("the model can be pictured");
    taken.pictures.into_iter().map(|(_, picture)| picture).collect()
}

/// An oracle file of one value a pixel.
fn oracle(name: &str) -> Vec<f64> {
    let bytes = std::fs::read(root("tests/data/oracle").join(name)).expect("the oracle is there");
    match decode_npy(&bytes).expect("an array").values {
        Values::U8(values) => values.into_iter().map(f64::from).collect(),
        Values::F32(values) => values.into_iter().map(f64::from).collect(),
        other => panic!("{other:?}"),
    }
}

fn floats(picture: &Picture) -> &[f32] {
    match &picture.samples {
        Samples::F32(values) => values,
        other => panic!("{other:?}"),
    }
}

fn ids(picture: &Picture) -> &[u32] {
    match &picture.samples {
        Samples::U32(values) => values,
        other => panic!("{other:?}"),
    }
}

#[test]
fn depth_and_id() {
    let found = pictures(1, &[Aov::DEPTH, Aov::ID], 8);
    let (depth, id) = (floats(&found[0]), ids(&found[1]));
    let (want_depth, want_id) = (oracle("spheres_depth.npy"), oracle("spheres_id.npy"));
    // The oracle counts the plane first and the spheres row by row; the model names its nodes. A one-to-one map is
    // asked for.
    let mut name_of = [0u32; 27];
    let mut close = 0;
    let mut same = 0;
    for pixel in 0..SIZE * SIZE {
        let want = want_id[pixel] as usize;
        if name_of[want] == 0 && interior(&want_id, pixel) {
            name_of[want] = id[pixel];
        }
    }
    for (index, name) in name_of.iter().enumerate().skip(1) {
        assert!(*name != 0 && !name_of[..index].contains(name), "{name_of:?}");
    }
    for pixel in 0..SIZE * SIZE {
        let (found, want) = (f64::from(depth[pixel]), want_depth[pixel]);
        close += usize::from((found - want).abs() <= 1e-3 * want);
        same += usize::from(id[pixel] == name_of[want_id[pixel] as usize]);
    }
    let share = |count: usize| count as f64 / (SIZE * SIZE) as f64;
    println!("depth {:.5}, id {:.5}", share(close), share(same));
    assert!(share(close) >= 0.995 && share(same) >= 0.995, "depth {}, id {}", share(close), share(same));
}

/// Whether the 7x7 pixels around one hold one value.
fn interior(values: &[f64], pixel: usize) -> bool {
    around(pixel, 3).all(|near| values[near] == values[pixel])
}

/// Pixels at most `radius` away along both axes.
fn around(pixel: usize, radius: isize) -> impl Iterator<Item = usize> {
    let (x, y) = ((pixel % SIZE) as isize, (pixel / SIZE) as isize);
    let inside = |v: &isize| (0..SIZE as isize).contains(v);
    (y - radius..=y + radius)
        .filter(inside)
        .flat_map(move |v| (x - radius..=x + radius).filter(inside).map(move |u| v as usize * SIZE + u as usize))
}

/// sRGB encoding, in f64.
fn encoded(linear: f64) -> f64 {
    let c = linear.clamp(0.0, 1.0);
    let root = f64::from(stillframe_base::math::ops::pow(c as f32, 1.0 / 2.4));
    255.0 * if c <= 0.0031308 { 12.92 * c } else { 1.055 * root - 0.055 }
}

#[test]
fn colour() {
    let found = pictures(4, &[Aov::COLOR], 32);
    let found = floats(&found[0]);
    let bytes = std::fs::read(root("tests/data/oracle/spheres_direct.exr")).expect("the oracle is there");
    let want = image::load_from_memory(&bytes).expect("an EXR").into_rgb32f();
    let (want_id, shadow) = (oracle("spheres_id.npy"), oracle("spheres_shadow.npy"));
    // Two pixels from any edge, and the filter's width from shadows' edges: five texels of a map are at most three
    // pixels.
    let mut compared = 0;
    let mut close = 0;
    let mut worst = (0.0f64, 0);
    for pixel in 0..SIZE * SIZE {
        let edge = around(pixel, 2).any(|near| want_id[near] != want_id[pixel]);
        let penumbra = around(pixel, 5).any(|near| shadow[near] != shadow[pixel]);
        if edge || penumbra {
            continue;
        }
        compared += 1;
        let want = want.get_pixel((pixel % SIZE) as u32, (pixel / SIZE) as u32).0;
        let off = (0..3)
            .map(|c| (encoded(f64::from(found[pixel * 4 + c])) - encoded(f64::from(want[c]))).abs())
            .fold(0.0, worse);
        close += usize::from(off <= 2.0);
        if off > worst.0 {
            worst = (off, pixel);
        }
    }
    let share = close as f64 / compared as f64;
    println!("{share:.5} of {compared} pixels, worst {worst:?}");
    assert!(compared > SIZE * SIZE / 2, "{compared} pixels compared");
    assert!(share >= 0.99, "{share} of {compared} pixels, worst {worst:?}");
}

/// Sixteen samples against rays. Interiors: no edge and no edge of a shadow is near.
#[test]
fn sixteen_samples() {
    let found = pictures(16, &[Aov::COLOR], 32);
    let found = floats(&found[0]);
    let want = stillframe_testkit::spheres::sphere_grid(SIZE);
    let (want_id, shadow) = (oracle("spheres_id.npy"), oracle("spheres_shadow.npy"));
    // Sums of squares, and how many there are.
    let (mut whole, mut inside) = ((0.0, 0), (0.0, 0));
    for pixel in 0..SIZE * SIZE {
        let off = |c: usize| f64::from(found[pixel * 4 + c]).min(1.0) - want[pixel][c].min(1.0);
        let square: f64 = (0..3).map(|c| off(c) * off(c)).sum();
        whole = (whole.0 + square, whole.1 + 3);
        if around(pixel, 5).all(|near| want_id[near] == want_id[pixel] && shadow[near] == shadow[pixel]) {
            inside = (inside.0 + square, inside.1 + 3);
        }
    }
    let [whole, inside] = [whole, inside].map(|(sum, count): (f64, usize)| (sum / count as f64).sqrt());
    println!("RMSE {inside:.6} of interiors, {whole:.6} of all");
    assert!(inside <= 0.0006 && whole <= 0.0045, "RMSE {inside} of interiors, {whole} of all");
}

/// The grid in another light, from the camera of its file.
fn in_light(light: &str, method: LightingMethod) -> Scene {
    let text = format!(
        "title = 'x'\n[output]\nsize_px = [{SMALL}, {SMALL}]\nsamples = 16\ntonemap = 'none'\nmodel_lights = false\n\
         [camera.main]\nposition = [0, 5, 8.2]\nlook_at = [0, 0.1, 0.3]\nfov_y_deg = 40\n\
         [model.grid]\nfile = 'spheres.glb'\n[[node]]\nmodel = 'grid'\n{light}"
    );
    let folder = root("scenes/assets");
    let vfs = Vfs::open(&folder).expect("the folder is there");
    let scene = resolve_text(&text, Path::new("x.toml"), &folder, &vfs, &[]);
    let scene = scene.unwrap_or_else(|found| panic!("{found:#?}")).scene;
    Scene { render: RenderOptions { lighting: method, ..scene.render }, ..scene }
}

/// Width of the pictures of one light.
const SMALL: usize = 256;

/// The root of the mean square of what is off, where no edge and no edge of a shadow is within five pixels.
fn interior_rmse(found: &[f32], channels: usize, want: &[GridPixel], size: usize) -> f64 {
    let is_inside = |pixel: usize| {
        let (x, y) = ((pixel % size) as isize, (pixel / size) as isize);
        let inside = |v: &isize| (0..size as isize).contains(v);
        let mut near = (y - 5..=y + 5)
            .filter(inside)
            .flat_map(|v| (x - 5..=x + 5).filter(inside).map(move |u| v as usize * size + u as usize));
        near.all(|near| (want[near].id, want[near].shadows) == (want[pixel].id, want[pixel].shadows))
    };
    let inside: Vec<usize> = (0..size * size).filter(|pixel| is_inside(*pixel)).collect();
    assert!(inside.len() > size * size / 4, "{} pixels are inside", inside.len());
    let square = |pixel: usize, c: usize| {
        let off = f64::from(found[pixel * channels + c]).min(1.0) - want[pixel].color[c].min(1.0);
        off * off
    };
    let sum: f64 = inside.iter().map(|pixel| (0..3).map(|c| square(*pixel, c)).sum::<f64>()).sum();
    (sum / (3 * inside.len()) as f64).sqrt()
}

const SUN: &str = "[[light]]\nkind = 'directional'\nilluminance_lux = 3\ndirection = [-0.5, -1, -0.3]\n";
const LAMP: &str = "position = [2.5, 2.5, 2.5]\nintensity_cd = 10\ncolor = [1, 0.8, 0.6]\n";

/// Each kind of light whose light has a closed form at a point: its lines, and the same for rays.
fn kinds() -> Vec<(&'static str, String, GridLight)> {
    // sat(1 - (d / 6)^4), its square, and sat(1 - d / 6) without 1 / d^2.
    fn gltf(d: f64) -> f64 {
        let x = d / 6.0;
        (1.0 - x * x * x * x).clamp(0.0, 1.0)
    }
    // Cosines of 20 and 35 degrees.
    let [inner, outer] = [0.939_692_620_785_908_4, 0.819_152_044_288_991_8];
    let lamp = |lines: &str| format!("[[light]]\n{LAMP}{lines}");
    vec![
        ("directional", SUN.to_string(), GridLight::Sun),
        ("point", lamp("kind = 'point'\n"), GridLight::Lamp(|_| 1.0)),
        ("point, range", lamp("kind = 'point'\nrange_m = 6\n"), GridLight::Lamp(gltf)),
        (
            "point, smooth",
            lamp("kind = 'point'\nrange_m = 6\nwindow = 'smooth'\n"),
            GridLight::Lamp(|d| gltf(d) * gltf(d)),
        ),
        (
            "point, linear",
            lamp("kind = 'point'\nrange_m = 6\nwindow = 'linear'\n"),
            GridLight::Lamp(|d| d * d * (1.0 - d / 6.0).max(0.0)),
        ),
        (
            "spot",
            lamp("kind = 'spot'\nlook_at = [0, 0, 0]\ninner_deg = 20\nouter_deg = 35\n"),
            GridLight::Spot([inner, outer]),
        ),
        (
            "hemisphere",
            "[[light]]\nkind = 'hemisphere'\nup = [0.5, 0.6, 0.9]\ndown = [0.3, 0.2, 0.1]\n".into(),
            GridLight::Matte(|n| {
                let above = 0.5 + 0.5 * n[1];
                [[0.5, 0.3], [0.6, 0.2], [0.9, 0.1]].map(|[up, down]| up * above + down * (1.0 - above))
            }),
        ),
        (
            "sh9",
            "[[light]]\nkind = 'sh9'\ncoefficients = [[2, 1.6, 1.2], [0.4, 0, 0], [0, 0.3, 0], [0, 0, 0.5], [0, 0, 0], \
             [0, 0, 0], [0.3, 0, 0], [0, 0, 0], [0, 0.4, -0.3]]\n"
                .into(),
            // Harmonics about z, times 1, 2/3 and 1/4.
            GridLight::Matte(|[x, y, z]| {
                let (first, second) = (0.488_602_511_902_919_9 * 2.0 / 3.0, 0.315_391_565_252_520_1 / 4.0);
                let side = 0.546_274_215_296_039_5 / 4.0 * (x * x - y * y);
                let [red, green, blue] = [2.0, 1.6, 1.2].map(|l00| l00 * 0.282_094_791_773_878_14);
                [
                    red + 0.4 * first * y + 0.3 * second * (3.0 * z * z - 1.0),
                    green + 0.3 * first * z + 0.4 * side,
                    blue + 0.5 * first * x - 0.3 * side,
                ]
            }),
        ),
    ]
}

/// Every kind of light by itself.
#[test]
fn sixteen_samples_of_each_light_alone() {
    for (name, lines, light) in kinds() {
        let settings = Settings { bits: 32, ..Settings::default() };
        let taken = take(&in_light(&lines, LightingMethod::Forward), &settings, &mut |_| ()).expect("it can be drawn");
        let want = sphere_grid_of(SMALL, 4, &[light]);
        let rmse = interior_rmse(floats(&taken.pictures[0].1), 4, &want, SMALL);
        println!("{name}: RMSE {rmse:.6} of interiors");
        assert!(rmse <= 0.0006, "{name}: RMSE {rmse} of interiors");
    }
}

/// Whole pictures, edges and shadows too, by techniques of shadows. (Mitsuba 3 with 64 samples has 0.0027.)
#[test]
fn whole_pictures_by_technique() {
    let want = stillframe_testkit::spheres::sphere_grid(SIZE);
    let mut least = f64::INFINITY;
    for shadow in ["true", "'hard'", "'pcss'", "{ technique = 'tent3', size_px = 4096 }"] {
        let light = format!("{SUN}shadow = {shadow}\n[[light]]\n{LAMP}kind = 'point'\nshadow = {shadow}\n");
        let mut scene = in_light(&light, LightingMethod::Forward);
        (scene.output.width_px, scene.output.height_px) = (SIZE as u32, SIZE as u32);
        let settings = Settings { bits: 32, ..Settings::default() };
        let taken = take(&scene, &settings, &mut |_| ()).expect("it can be drawn");
        let found = floats(&taken.pictures[0].1);
        let off = |pixel: usize, c: usize| f64::from(found[pixel * 4 + c]).min(1.0) - want[pixel][c].min(1.0);
        let squares = |pixel: usize| (0..3).map(|c| off(pixel, c) * off(pixel, c)).sum::<f64>();
        let rmse = ((0..SIZE * SIZE).map(squares).sum::<f64>() / (3 * SIZE * SIZE) as f64).sqrt();
        println!("{shadow}: RMSE {rmse:.6} of all");
        assert!(rmse <= 0.0045, "{shadow}: RMSE {rmse}");
        least = least.min(rmse);
    }
    assert!(least <= 0.0027, "RMSE {least}");
}

/// Parts of a light's surface along each side.
const PARTS: usize = 24;

/// Lights with an area above the grid that look at its middle, of one nit: their lines, their parts of one nit, and how
/// far their fitted highlights may be off.
fn areas() -> [(&'static str, String, Vec<GridEmitter>, f64); 3] {
    let middle: Vector = [2.5, 2.5, 2.5];
    let ahead = unit(scaled(middle, -1.0));
    let right = unit(cross(ahead, [0.0, 1.0, 0.0]));
    let up = cross(right, ahead);
    let at = |i: usize| (i as f64 + 0.5) / PARTS as f64;
    let parts = |of: &dyn Fn(f64, f64) -> GridEmitter| -> Vec<GridEmitter> {
        (0..PARTS * PARTS).map(|part| of(at(part % PARTS), at(part / PARTS))).collect()
    };
    let each = 1.0 / (PARTS * PARTS) as f64;
    let place = |x: f64, y: f64| plus(middle, plus(scaled(right, x), scaled(up, y)));
    let rect = parts(&|u, v| GridEmitter {
        place: place(1.6 * (u - 0.5), 1.0 * (v - 0.5)),
        normal: ahead,
        area_m2: 1.6 * each,
    });
    let round = |u: f64| ops64::sin_cos(2.0 * std::f64::consts::PI * u);
    let disk = parts(&|u, v| {
        let ((sin, cos), radius) = (round(u), 0.6 * v.sqrt());
        GridEmitter {
            place: place(radius * cos, radius * sin),
            normal: ahead,
            area_m2: std::f64::consts::PI * 0.36 * each,
        }
    });
    let sphere = parts(&|u, v| {
        let ((sin, cos), height) = (round(u), 2.0 * v - 1.0);
        let ring = (1.0 - height * height).sqrt();
        let normal = plus(scaled(ahead, height), plus(scaled(right, ring * cos), scaled(up, ring * sin)));
        let area_m2 = 4.0 * std::f64::consts::PI * 0.25 * each;
        GridEmitter { place: plus(middle, scaled(normal, 0.5)), normal, area_m2 }
    });
    let light = |lines: &str| {
        format!(
            "[[light]]\nposition = [2.5, 2.5, 2.5]\nlook_at = [0, 0, 0]\nluminance_nits = 1\nshadow = false\n{lines}"
        )
    };
    [
        ("rect", light("kind = 'rect'\nsize_m = [1.6, 1.0]\n"), rect, 0.004),
        ("disk", light("kind = 'disk'\nradius_m = 0.6\n"), disk, 0.004),
        ("sphere", light("kind = 'sphere'\nradius_m = 0.5\n"), sphere, 0.004),
    ]
}

/// Lights with an area by the sum over their surface, at pixel centres. Their highlights are fitted lobes.
#[test]
fn lights_with_an_area_are_near_the_sum_over_their_surface() {
    for (name, lines, emitters, bound) in areas() {
        let mut scene = in_light(&lines, LightingMethod::Forward);
        scene.output.samples = 1;
        let taken = take(&scene, &Settings { bits: 32, ..Settings::default() }, &mut |_| ()).expect("it can be drawn");
        let want = sphere_grid_of(SMALL, 1, &[GridLight::Area(emitters)]);
        let rmse = interior_rmse(floats(&taken.pictures[0].1), 4, &want, SMALL);
        println!("{name}: RMSE {rmse:.6} of interiors");
        assert!(rmse <= bound, "{name}: RMSE {rmse} of interiors");
    }
}

/// Every way to bring lights to surfaces, in the light of the file.
#[test]
fn sixteen_samples_by_every_method() {
    let want = sphere_grid_of(SMALL, 4, &[GridLight::Sun, GridLight::Lamp(|_| 1.0)]);
    for (word, method) in LightingMethod::WORDS {
        let scene = in_light(&format!("{SUN}[[light]]\nkind = 'point'\n{LAMP}"), *method);
        let settings = Settings { bits: 32, ..Settings::default() };
        let taken = take(&scene, &settings, &mut |_| ()).expect("it can be drawn");
        let rmse = interior_rmse(floats(&taken.pictures[0].1), 4, &want, SMALL);
        println!("{word}: RMSE {rmse:.6} of interiors");
        let most = match method.row().likeness {
            Likeness::Equal => 0.0006,
            // Base colours of 8 bits are off by up to 0.5 % of themselves.
            Likeness::Near { delta, .. } => 0.0006 * (1.0 + delta),
            Likeness::Other(_) => continue,
        };
        assert!(rmse <= most, "{word}: RMSE {rmse} of interiors");
    }
}

/// The sum of the layers of light, which are taken at pixel centres.
#[test]
fn the_fold_of_layers_is_the_closed_form() {
    let scene = in_light(&format!("{SUN}[[light]]\nkind = 'point'\n{LAMP}"), LightingMethod::Forward);
    let aovs =
        ["ambient", "emissive", "light.directional", "light.point"].map(|word| Aov::parse(word).expect("a layer"));
    let taken = take(&scene, &Settings { aovs: aovs.to_vec(), ..Settings::default() }, &mut |_| ());
    let taken = taken.unwrap_or_else(|error| panic!("{error:#?}"));
    let layers: Vec<&[f32]> = taken.pictures.iter().map(|(_, picture)| floats(picture)).collect();
    let sum: Vec<f32> = (0..layers[0].len()).map(|at| layers.iter().map(|layer| layer[at]).sum()).collect();
    let want = sphere_grid_of(SMALL, 1, &[GridLight::Sun, GridLight::Lamp(|_| 1.0)]);
    let rmse = interior_rmse(&sum, 3, &want, SMALL);
    println!("layers: RMSE {rmse:.6} of interiors");
    assert!(rmse <= 0.0006, "RMSE {rmse} of interiors");
}
