//! `anim dump` beside Blender: every point, joint and weight that it wrote down, from each file that it wrote them to.

use std::fs;
use std::path::Path;

use glam::Vec3;
use serde_json::Value;
use stillframe_asset::source::Diagnostic;
use stillframe_models::import;
use stillframe_testkit::npy::{Npy, oracle};

use super::anim::{asset, dump};
use super::folder;

const HEAD_M_MAX: f32 = 1e-5;
const POSITION_M_MAX: f32 = 1e-5;
const WEIGHT_MAX: f32 = 1e-6;
/// Of 50, 90 and 99 % of the normals.
const NORMAL_DEG_MAX: [f32; 3] = [1.0, 3.0, 15.0];

/// A file, its name for the clip, and whether its weights move: a file of several takes has none (the exporter cannot
/// separate them).
const FILES: [(&str, &str, &str, bool); 6] = [
    ("walk", "mannequin.glb", "walk", true),
    ("wave", "mannequin.glb", "wave", true),
    ("walk", "mannequin_walk.fbx", "#0", true),
    ("wave", "mannequin_wave.fbx", "#0", true),
    ("walk", "mannequin.fbx", "walk", false),
    ("wave", "mannequin.fbx", "wave", false),
];

/// What Blender wrote of a clip.
struct Oracle {
    about: Value,
    positions: Npy,
    heads: Npy,
    morphs: Npy,
}

impl Oracle {
    fn of(clip: &str) -> Oracle {
        let file = format!("tests/data/oracle/mannequin_{clip}.json");
        let about = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        let [positions, heads, morphs] =
            ["positions", "bone_heads", "morphs"].map(|what| oracle(&format!("mannequin_{clip}_{what}.npy")));
        let oracle = Oracle { about: serde_json::from_slice(&about).unwrap(), positions, heads, morphs };
        let every = oracle.about["frame_count"].as_u64().unwrap() as usize;
        assert_eq!((oracle.heads.shape[0], oracle.morphs.shape[0]), (every, every));
        assert_eq!(oracle.position_frames().split(',').count(), oracle.positions.shape[0]);
        oracle
    }

    fn every_frame(&self) -> String {
        format!("0..{}", self.heads.shape[0] - 1)
    }

    /// Those whose points Blender wrote: all of the walk, every third of the wave.
    fn position_frames(&self) -> String {
        let frames = self.about["position_frames"].as_array().unwrap().iter();
        frames.map(Value::to_string).collect::<Vec<_>>().join(",")
    }
}

/// Row and place of [rows, places, 3].
fn point(npy: &Npy, row: usize, place: usize) -> Vec3 {
    Vec3::from_slice(&npy.values[(row * npy.shape[1] + place) * 3..][..3])
}

/// A value that is none is as wrong as can be.
fn larger(worst: f32, off: f32) -> f32 {
    if off <= worst { worst } else { off }
}

/// Where each name stands among what was dumped.
fn places(wanted: &Value, said: &Value) -> Vec<usize> {
    let said = said["names"].as_array().unwrap();
    let names = wanted.as_array().unwrap().iter();
    names.map(|name| said.iter().position(|own| own == name).unwrap_or_else(|| panic!("no {name}"))).collect()
}

#[test]
fn joints_are_where_blender_has_them_in_every_frame() {
    let here = folder("anim_oracle_joints");
    for (clip, file, name, _) in FILES {
        let wanted = Oracle::of(clip);
        let (found, said) = dump(&here, &asset(file), name, "joints", &wanted.every_frame());
        let places = places(&wanted.about["bones"], &said);
        assert_eq!((found.shape[0], places.len()), (wanted.heads.shape[0], wanted.heads.shape[1]));
        let mut worst_m = 0.0;
        for row in 0..found.shape[0] {
            for (bone, place) in places.iter().enumerate() {
                worst_m = larger(worst_m, (point(&found, row, *place) - point(&wanted.heads, row, bone)).length());
            }
        }
        println!("{file} {clip}: joints {worst_m:.2e} m");
        assert!(worst_m < HEAD_M_MAX, "{file} {clip}: {worst_m} m");
    }
}

#[test]
fn points_are_where_blender_has_them() {
    let here = folder("anim_oracle_points");
    let free = oracle("mannequin_morph_free.npy");
    for (clip, file, name, is_morphed) in FILES {
        let wanted = Oracle::of(clip);
        let (found, _) = dump(&here, &asset(file), name, "positions", &wanted.position_frames());
        assert_eq!(found.shape, wanted.positions.shape, "{file} {clip}");
        let places: Vec<usize> = (0..found.shape[1]).filter(|at| is_morphed || free.values[*at] != 0.0).collect();
        assert!(places.len() > found.shape[1] / 2, "{} points", places.len());
        let mut worst_m = 0.0;
        for row in 0..found.shape[0] {
            for place in &places {
                worst_m =
                    larger(worst_m, (point(&found, row, *place) - point(&wanted.positions, row, *place)).length());
            }
        }
        println!("{file} {clip}: {} points of {} frames, {worst_m:.2e} m", places.len(), found.shape[0]);
        assert!(worst_m < POSITION_M_MAX, "{file} {clip}: {worst_m} m");
    }
}

#[test]
fn weights_are_as_blender_has_them_in_every_frame() {
    let here = folder("anim_oracle_weights");
    for (clip, file, name, is_morphed) in FILES {
        if !is_morphed {
            continue;
        }
        let wanted = Oracle::of(clip);
        let (found, said) = dump(&here, &asset(file), name, "morphs", &wanted.every_frame());
        let places = places(&wanted.about["morphs"], &said);
        assert_eq!(found.shape, wanted.morphs.shape, "{file} {clip}");
        let width = found.shape[1];
        let mut worst = 0.0;
        for row in 0..found.shape[0] {
            for (morph, place) in places.iter().enumerate() {
                let (found, wanted) = (found.values[row * width + place], wanted.morphs.values[row * width + morph]);
                worst = larger(worst, (found - wanted).abs());
            }
        }
        println!("{file} {clip}: weights {worst:.2e}");
        assert!(worst < WEIGHT_MAX, "{file} {clip}: {worst}");
    }
}

/// Normals of a surface by its points: those of the triangles around each, by their area.
fn normals_by_area(triangles: &[[usize; 3]], of: &Npy, row: usize) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; of.shape[1]];
    for corners in triangles {
        let [a, b, c] = corners.map(|place| point(of, row, place));
        corners.iter().for_each(|place| sums[*place] += (b - a).cross(c - a));
    }
    sums.into_iter().map(Vec3::normalize_or_zero).collect()
}

/// The angle below which `share` of all lie.
fn quantile_deg(angles_deg: &mut [f32], share: f32) -> f32 {
    angles_deg.sort_unstable_by(f32::total_cmp);
    angles_deg[(angles_deg.len() as f32 * share) as usize]
}

/// Normals that joints turn, beside those of the surface that Blender left. Joints turn a normal by the matrix that
/// moves its point and know nothing of how weights change around it, and the file's triangles stand for quads, so that
/// single ones may be far off where a limb bends.
#[test]
fn normals_are_those_of_the_surface_that_blender_has() {
    let here = folder("anim_oracle_normals");
    let read = |path: &Path| fs::read(path).map_err(|e| Diagnostic::error("E0301", path, e.to_string()));
    for (clip, file, name) in [
        ("walk", "mannequin.glb", "walk"),
        ("wave", "mannequin.glb", "wave"),
        ("walk", "mannequin_walk.fbx", "#0"),
        ("wave", "mannequin_wave.fbx", "#0"),
    ] {
        let model = import::model(Path::new(&asset(file)), &read).unwrap();
        let body = model.nodes.iter().find(|node| node.skin.is_some()).unwrap();
        let wanted = Oracle::of(clip);
        let mut copies = vec![0; wanted.positions.shape[1]];
        let mut triangles = Vec::new();
        for part in &body.parts {
            let geometry = &model.geometries[part.geometry];
            geometry.sources.iter().for_each(|place| copies[*place as usize] += 1);
            let places = geometry.surface.indices.chunks_exact(3);
            triangles.extend(places.map(|t| [t[0], t[1], t[2]].map(|at| geometry.sources[at as usize] as usize)));
        }
        let frames = wanted.position_frames();
        let (found, _) = dump(&here, &asset(file), name, "normals", &frames);
        assert_eq!(found.shape, wanted.positions.shape);
        let first: Vec<Vec3> = (0..found.shape[1]).map(|place| point(&found, 0, place)).collect();
        let smooth_at_first = normals_by_area(&triangles, &wanted.positions, 0);
        let (mut off_deg, mut still_deg, mut compared) = (Vec::new(), Vec::new(), 0);
        for row in 0..found.shape[0] {
            let surface = normals_by_area(&triangles, &wanted.positions, row);
            for place in 0..found.shape[1] {
                let normal = point(&found, row, place);
                assert!((normal.length() - 1.0).abs() < 1e-5, "{file} {clip}: point {place} of row {row}: {normal}");
                // Where faces meet at an edge there is one normal a face, and none of the surface's.
                if copies[place] != 1 || smooth_at_first[place].dot(first[place]) < 0.995 {
                    continue;
                }
                let angle_deg = |normal: Vec3| normal.angle_between(surface[place]).to_degrees();
                off_deg.push(angle_deg(normal));
                still_deg.push(angle_deg(first[place]));
                compared += 1;
            }
        }
        let quantiles = |angles: &mut Vec<f32>| [0.5, 0.9, 0.99].map(|share| quantile_deg(angles, share));
        let (off, still) = (quantiles(&mut off_deg), quantiles(&mut still_deg));
        println!(
            "{file} {clip}: {compared} normals: {off:.2?} degrees at 50, 90, 99 %; those of the first frame {still:.2?}"
        );
        assert!(compared > wanted.positions.shape[0] * 1000, "{compared}");
        assert!(off.iter().zip(NORMAL_DEG_MAX).all(|(off, max)| *off < max), "{file} {clip}: {off:?} degrees");
        // Normals that nobody turns are far outside of that: the test can fail.
        assert!(still.iter().zip(NORMAL_DEG_MAX).all(|(still, max)| *still > max), "{file} {clip}: {still:?} degrees");
    }
}
