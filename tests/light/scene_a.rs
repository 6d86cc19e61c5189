//! A textured scene in motion against Blender's own numbers: depth, ids, albedo, normals after the normal map, motion
//! and direct light.
//!
//! `tests/data/oracle/scene_A_*` is frame 15 of `scene.gltf`, every clip playing. Pixels at the edge of an object are
//! left out, in the oracle's picture and in ours; for light also those at the edge of a shadow, which is softened
//! differently. The oracle samples textures at pixel centres without mip levels.

use std::collections::BTreeMap;
use std::path::Path;

use stillframe::take::{Settings, Take, take};
use stillframe_base::math::colour::srgb8_from_linear;
use stillframe_frames::{Samples, Values, decode_npy};
use stillframe_scene::scene::{Aov, CameraWish, ClipChoice, Scene, Style, Wishes, parse_look};
use stillframe_testkit::worse;

const SIZE: usize = 256;

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

/// The pictures of `aovs`, colour as linear light.
fn taken(aovs: &[Aov], shadows: bool) -> Take {
    let wishes = Wishes {
        style: Some(Style::Plain),
        size_px: Some([SIZE as u32; 2]),
        samples: Some(4),
        max_mip: Some(0),
        shadows: Some(shadows),
        clip: Some(ClipChoice::All),
        time_s: Some(0.5),
        camera: Some(CameraWish::Look(
            parse_look("1.100000023841858,2.299999952316284,5.400000095367432:0.05,0.62,-0.1:38").expect("a view"),
        )),
        ..Wishes::default()
    };
    let scene = Scene::for_model(&root("scenes/assets/scene.gltf"), &wishes).expect("the model is there").scene;
    let settings = Settings { aovs: aovs.to_vec(), bits: 32, frame_s: 1.0 / 30.0, ..Settings::default() };
    take(&scene, &settings, &mut |_| ()).expect("the model can be pictured")
}

fn values(taken: &Take, aov: Aov) -> Vec<f64> {
    let (_, picture) = taken.pictures.iter().find(|(found, _)| *found == aov).expect("it was asked for");
    match &picture.samples {
        Samples::F32(values) => values.iter().map(|&v| f64::from(v)).collect(),
        Samples::U32(values) => values.iter().map(|&v| f64::from(v)).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn blender_sees_the_same() {
    let ours = taken(&[Aov::COLOR, Aov::DEPTH, Aov::ID, Aov::ALBEDO, Aov::NORMAL, Aov::MOTION], true);
    let unshadowed = values(&taken(&[Aov::COLOR], false), Aov::COLOR);
    let meta = std::fs::read_to_string(root("tests/data/oracle/scene_A_meta.json")).expect("the oracle is there");
    let meta: serde_json::Value = serde_json::from_str(&meta).expect("JSON");
    // Our number of each of the oracle's objects.
    let mut our_id = BTreeMap::from([(0, 0)]);
    let names = &ours.object_names;
    for (name, id) in meta["ids"].as_object().expect("a table of ids") {
        let at = names.iter().position(|ours| ours == name).unwrap_or_else(|| panic!("no object {name} in {names:?}"));
        our_id.insert(id.as_u64().expect("a number") as u32, at as u32 + 1);
    }
    let want_id: Vec<f64> = oracle("scene_A_id.npy").iter().map(|&id| f64::from(our_id[&(id as u32)])).collect();
    let [color, depth, id, albedo, normal, motion] =
        [Aov::COLOR, Aov::DEPTH, Aov::ID, Aov::ALBEDO, Aov::NORMAL, Aov::MOTION].map(|aov| values(&ours, aov));
    let [want_light, want_depth, want_albedo, want_normal, want_motion] =
        ["direct", "depth", "albedo", "normal", "motion"].map(|name| oracle(&format!("scene_A_{name}.npy")));
    // How much of the light reaches a pixel.
    let lit: Vec<f64> = (0..SIZE * SIZE)
        .map(|pixel| {
            let sum = |values: &[f64]| values[pixel * 4] + values[pixel * 4 + 1] + values[pixel * 4 + 2];
            sum(&color) / sum(&unshadowed).max(1e-6)
        })
        .collect();

    let (mut count, mut light_count, mut moving_count) = (0, 0, 0);
    let mut good = [0; 5];
    let mut light_good = 0;
    let mut farthest_off = 0.0f64;
    for pixel in 0..SIZE * SIZE {
        let inside = |ids: &[f64]| around(pixel, 1).all(|near| ids[near] == ids[pixel]) && ids[pixel] != 0.0;
        if !inside(&want_id) || !inside(&id) {
            continue;
        }
        count += 1;
        let vector = |values: &[f64]| [0, 1, 2].map(|c| values[pixel * 3 + c]);
        let (a, b) = (vector(&albedo), vector(&want_albedo));
        let (n, m) = (vector(&normal), vector(&want_normal));
        let off = [0, 1].map(|c| (motion[pixel * 2 + c] - want_motion[pixel * 2 + c]).abs());
        farthest_off = worse(farthest_off, worse(off[0], off[1]));
        moving_count += usize::from(want_motion[pixel * 2] != 0.0);
        good[0] += usize::from((depth[pixel] - want_depth[pixel]).abs() <= 1e-3 * want_depth[pixel]);
        good[1] += usize::from(id[pixel] == want_id[pixel]);
        good[2] += usize::from((0..3).all(|c| (a[c] - b[c]).abs() <= 0.02));
        good[3] += usize::from(angle_deg(n, m) <= 1.0);
        good[4] += usize::from(off[0] <= 0.05 && off[1] <= 0.05);
        if around(pixel, 2).all(|near| (lit[near] - lit[pixel]).abs() <= 0.02) {
            light_count += 1;
            let shown = |value: f64| f64::from(srgb8_from_linear(value as f32));
            let near = |c: usize| (shown(color[pixel * 4 + c]) - shown(want_light[pixel * 3 + c])).abs() <= 8.0;
            light_good += usize::from((0..3).all(near));
        }
    }
    let [depth, id, albedo, normal, motion] = good.map(|good| good as f64 / f64::from(count));
    let light = f64::from(light_good as u32) / f64::from(light_count);
    println!(
        "of {count} pixels ({moving_count} in motion): depth {depth:.5}, id {id:.5}, albedo {albedo:.5}, normal {normal:.5}, \
         motion {motion:.5} (at most {farthest_off:.4} px off); of {light_count} pixels: light {light:.5}"
    );
    assert!(f64::from(count) > 0.5 * (SIZE * SIZE) as f64, "{count} pixels compared");
    assert!(moving_count > 1000 && f64::from(light_count) > 0.5 * f64::from(count), "{moving_count} {light_count}");
    assert!(depth == 1.0 && id == 1.0, "depth {depth}, id {id}");
    assert!(albedo >= 0.99 && normal >= 0.97, "albedo {albedo}, normal {normal}");
    assert!(motion >= 0.99 && light >= 0.97, "motion {motion}, light {light}");
}

/// The angle between two vectors by its sine and cosine, exact for small ones.
fn angle_deg(a: [f64; 3], b: [f64; 3]) -> f64 {
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let sine = (cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]).sqrt();
    stillframe_base::math::ops64::atan2(sine, dot).to_degrees()
}

/// A pixel and those at most `reach` away.
fn around(pixel: usize, reach: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (pixel % SIZE, pixel / SIZE);
    let near = move |v: usize| v.saturating_sub(reach)..=(v + reach).min(SIZE - 1);
    near(y).flat_map(move |v| near(x).map(move |u| v * SIZE + u))
}
