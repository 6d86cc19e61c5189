//! The sphere grid against closed forms: depth and ids by ray casting, colour by the lighting equations in f64.
//!
//! `tests/data/oracle/spheres_*`: 25 spheres of five roughnesses and metalnesses on a plane, a sun and a point light.
//! The model's spheres are tessellated and its shadows come from maps, so edges are left out where colour is compared.

use std::path::Path;

use stillframe::take::{Settings, take};
use stillframe_frames::{Picture, Samples, Values, decode_npy};
use stillframe_scene::scene::{Aov, Lighting, Scene, Tonemap, Wishes};
use stillframe_testkit::worse;

const SIZE: usize = 512;

fn root(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn scene(samples: u32) -> Scene {
    let wishes = Wishes {
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
    let found = pictures(1, &[Aov::Depth, Aov::Id], 8);
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
    let found = pictures(4, &[Aov::Color], 32);
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
    let found = pictures(16, &[Aov::Color], 32);
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
