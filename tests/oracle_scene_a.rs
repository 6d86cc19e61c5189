//! A textured scene against Blender's own numbers: depth, ids, albedo and normals after the normal map.
//!
//! `tests/data/oracle/scene_A_*` is frame 15 of `scene.gltf`; what moves until then (`crate_top`, `suzanne`) is left out, in
//! the oracle's picture and in ours. The oracle samples textures at pixel centres without mip levels.

use std::collections::BTreeMap;
use std::path::Path;

use stillframe::scene::{Aov, CameraWish, Scene, Wishes, parse_look};
use stillframe::take::{Settings, take};
use stillframe_frames::{Samples, Values, decode_npy};

const SIZE: usize = 256;
const MOVING: [&str; 2] = ["crate_top", "suzanne"];

fn root(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn oracle(name: &str) -> Vec<f64> {
    let bytes = std::fs::read(root("tests/data/oracle").join(name)).expect("the oracle is there");
    match decode_npy(&bytes).expect("an array").values {
        Values::U8(values) => values.into_iter().map(f64::from).collect(),
        Values::F32(values) => values.into_iter().map(f64::from).collect(),
        other => panic!("{other:?}"),
    }
}

/// Our pictures, in the order depth, id, albedo, normal, and the names of our ids.
fn ours() -> ([Vec<f64>; 4], Vec<String>) {
    let wishes = Wishes {
        size_px: Some([SIZE as u32; 2]),
        samples: Some(1),
        max_mip: Some(0),
        camera: Some(CameraWish::Look(
            parse_look("1.100000023841858,2.299999952316284,5.400000095367432:0.05,0.62,-0.1:38").expect("a view"),
        )),
        ..Wishes::default()
    };
    let scene = Scene::for_model(&root("scenes/assets/scene.gltf"), &wishes).expect("the model is there").scene;
    let aovs = vec![Aov::Depth, Aov::Id, Aov::Albedo, Aov::Normal];
    let taken =
        take(&scene, &Settings { aovs, ..Settings::default() }, &mut |_| ()).expect("the model can be pictured");
    let values = |index: usize| match &taken.pictures[index].1.samples {
        Samples::F32(values) => values.iter().map(|&v| f64::from(v)).collect(),
        Samples::U32(values) => values.iter().map(|&v| f64::from(v)).collect(),
        other => panic!("{other:?}"),
    };
    ([0, 1, 2, 3].map(values), taken.object_names)
}

#[test]
fn what_stands_still_is_where_blender_sees_it() {
    let ([depth, id, albedo, normal], names) = ours();
    let meta = std::fs::read_to_string(root("tests/data/oracle/scene_A_meta.json")).expect("the oracle is there");
    let meta: serde_json::Value = serde_json::from_str(&meta).expect("JSON");
    // Our number of each of the oracle's objects.
    let mut our_id = BTreeMap::from([(0, 0)]);
    for (name, id) in meta["ids"].as_object().expect("a table of ids") {
        let at = names.iter().position(|ours| ours == name).unwrap_or_else(|| panic!("no object {name} in {names:?}"));
        our_id.insert(id.as_u64().expect("a number") as u32, at as u32 + 1);
    }
    let moving = MOVING.map(|name| names.iter().position(|ours| ours == name).expect("an object") as f64 + 1.0);
    let want_id: Vec<f64> = oracle("scene_A_id.npy").iter().map(|&id| f64::from(our_id[&(id as u32)])).collect();
    let want_depth = oracle("scene_A_depth.npy");
    let want_albedo = oracle("scene_A_albedo.npy");
    let want_normal = oracle("scene_A_normal.npy");

    let mut count = 0;
    let mut good = [0; 4];
    for pixel in 0..SIZE * SIZE {
        let still = |ids: &[f64]| {
            around(pixel).all(|near| ids[near] == ids[pixel]) && ids[pixel] != 0.0 && !moving.contains(&ids[pixel])
        };
        if !still(&want_id) || !still(&id) {
            continue;
        }
        count += 1;
        let vector = |values: &[f64]| [0, 1, 2].map(|c| values[pixel * 3 + c]);
        let (a, b) = (vector(&albedo), vector(&want_albedo));
        let (n, m) = (vector(&normal), vector(&want_normal));
        good[0] += usize::from((depth[pixel] - want_depth[pixel]).abs() <= 1e-3 * want_depth[pixel]);
        good[1] += usize::from(id[pixel] == want_id[pixel]);
        good[2] += usize::from((0..3).all(|c| (a[c] - b[c]).abs() <= 0.02));
        good[3] += usize::from(angle_deg(n, m) <= 1.0);
    }
    let share = good.map(|good| good as f64 / f64::from(count));
    println!(
        "of {count} pixels: depth {:.5}, id {:.5}, albedo {:.5}, normal {:.5}",
        share[0], share[1], share[2], share[3]
    );
    assert!(f64::from(count) > 0.5 * (SIZE * SIZE) as f64, "{count} pixels compared");
    assert!(share[0] == 1.0 && share[1] == 1.0, "depth and id {share:?}");
    assert!(share[2] >= 0.99 && share[3] >= 0.97, "albedo and normal {share:?}");
}

/// The angle between two vectors by its sine and cosine, exact for small ones.
fn angle_deg(a: [f64; 3], b: [f64; 3]) -> f64 {
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let sine = (cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]).sqrt();
    stillframe_base::math::ops64::atan2(sine, dot).to_degrees()
}

/// A pixel and its eight neighbours.
fn around(pixel: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (pixel % SIZE, pixel / SIZE);
    let near = |v: usize| v.saturating_sub(1)..=(v + 1).min(SIZE - 1);
    near(y).flat_map(move |v| near(x).map(move |u| v * SIZE + u))
}
