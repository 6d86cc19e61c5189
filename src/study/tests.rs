//! Tests of studies on a small model, without the command line.

use std::path::Path;

use glam::Mat4;
use stillframe_anim::compress::Compression;
use stillframe_base::lanes::Isa;
use stillframe_base::math::ops;
use stillframe_base::tick::{FrameRate, Tick};

use super::plot::{self, Plot};
use super::{
    Motion, MotionPose, Numbers, StudyError, bounds, clip_facts, compressed, metrics, table, weight_facts, worst_off,
};
use crate::import::{self, Model};

/// A base that walks 2 m along +X in 2 s, and an arm that turns about X by 0, 20, 120 and 295 degrees, its last key
/// with the other sign. A triangle with a skin: its second vertex has weights that sum to 0.75.
fn model() -> Model {
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let turn = |angle_deg: f32, sign: f32| {
        let (sin, cos) = ops::sin_cos(angle_deg.to_radians() * 0.5);
        [sign * sin, 0.0, 0.0, sign * cos]
    };
    let parts: [(&str, Vec<u8>); 7] = [
        (r#""componentType":5126,"type":"SCALAR","count":2,"min":[0],"max":[2]"#, floats(&[0.0, 2.0])),
        (r#""componentType":5126,"type":"VEC3","count":2"#, floats(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0])),
        (r#""componentType":5126,"type":"SCALAR","count":4,"min":[0],"max":[2]"#, floats(&[0.0, 0.5, 1.0, 2.0])),
        (
            r#""componentType":5126,"type":"VEC4","count":4"#,
            floats(&[turn(0.0, 1.0), turn(20.0, 1.0), turn(120.0, 1.0), turn(295.0, -1.0)].concat()),
        ),
        (
            r#""componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0]"#,
            floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
        ),
        (
            r#""componentType":5126,"type":"VEC4","count":3"#,
            floats(&[1.0, 0.0, 0.0, 0.0, 0.5, 0.25, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0]),
        ),
        (r#""componentType":5121,"type":"VEC4","count":3"#, vec![0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]),
    ];
    let (mut bytes, mut views, mut accessors) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (accessor, part)) in parts.iter().enumerate() {
        views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, bytes.len(), part.len()));
        accessors.push(format!(r#"{{"bufferView":{number},{accessor}}}"#));
        bytes.extend_from_slice(part);
    }
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,2]}}],
        "nodes":[{{"name":"base","children":[1]}},{{"name":"arm","translation":[0,1,0]}},{{"name":"body","mesh":0,"skin":0}}],
        "skins":[{{"joints":[0,1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":4,"WEIGHTS_0":5,"JOINTS_0":6}}}}]}}],
        "animations":[{{"name":"walk",
          "samplers":[{{"input":0,"output":1}},{{"input":2,"output":3}}],
          "channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}},{{"sampler":1,"target":{{"node":1,"path":"rotation"}}}}]}}],
        "buffers":[{{"uri":"keys.bin","byteLength":{}}}],"bufferViews":[{}],"accessors":[{}]}}"#,
        bytes.len(),
        views.join(","),
        accessors.join(",")
    );
    let read = |path: &Path| Ok(if path.ends_with("keys.bin") { bytes.clone() } else { text.clone().into_bytes() });
    import::model(Path::new("/walker.gltf"), &read).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn near(value: f64, want: f64, slack: f64) -> bool {
    (value - want).abs() <= slack
}

#[test]
fn a_clip_is_described() {
    let model = model();
    let motion = Motion::new(&model, 0).unwrap();
    let facts = clip_facts(&motion);
    assert_eq!((facts.name.as_str(), facts.duration_s, facts.frames), ("walk", 2.0, 61));
    assert_eq!(facts.joints_moved, ["base", "arm"]);
    // 20, 100 and 175 degrees, the last nearly half a turn.
    assert_eq!((facts.turns.over_30_deg, facts.turns.over_90_deg, facts.turns.undecided), (2, 2, 1));
    let worst = facts.turns.worst.unwrap();
    assert!(near(worst.value, 175.0, 1e-3) && worst.joint == "arm" && worst.at_s == 2.0, "{worst:?}");
    assert_eq!(facts.sign_flips, 1);
    let root = facts.root.unwrap();
    assert!(root.joint == "base" && near(root.travel_m, 2.0, 1e-6) && near(root.path_m, 2.0, 1e-6), "{root:?}");
    assert!(near(root.heading_deg.unwrap(), 90.0, 1e-6) && near(root.speed_m_s.unwrap(), 1.0, 1e-6), "{root:?}");
    // From 295 degrees back to 0 it is 65; without the travel, the arm is where it was.
    let seam = facts.seam;
    assert!(near(seam.rotation_deg.value, 65.0, 1e-3) && near(seam.position_mm.value, 0.0, 1e-3), "{seam:?}");
    assert_eq!(facts.baked.iter().map(|baked| baked.frames).collect::<Vec<_>>(), [31, 61, 121]);
}

#[test]
fn the_box_holds_the_surface_and_weights_are_summed() {
    let model = model();
    let motion = Motion::new(&model, 0).unwrap();
    let found = bounds(&motion).unwrap();
    assert!(found.min[0] <= 0.0 && found.max[0] >= 2.0, "{found:?}");
    assert!(found.over_exact.is_none_or(|over| over >= 1.0), "{found:?}");
    let weights = weight_facts(&model);
    assert_eq!((weights.len(), weights[0].vertices, weights[0].joints_max, weights[0].sum_off), (1, 3, 2, 1));
    assert_eq!(weights[0].sum_worst, 0.75);
}

#[test]
fn tables_hold_the_frames() {
    let model = model();
    let motion = Motion::new(&model, 0).unwrap();
    let isa = Isa::detect();
    let found = table(isa, &motion, FrameRate::whole(10), Numbers::Trs).unwrap();
    assert_eq!(found.shape(), [21, 2, 10]);
    assert_eq!(found.values.len(), 21 * 2 * 10);
    // The base at the middle frame.
    assert!(near(f64::from(found.values[10 * 20]), 1.0, 1e-4), "{}", found.values[10 * 20]);
    let matrices = table(isa, &motion, FrameRate::whole(10), Numbers::Matrices).unwrap();
    assert_eq!(matrices.shape(), [21, 2, 12]);
    // The arm's place at the end: the base's 2 m along x, 1 m up.
    let end = &matrices.values[(20 * 2 + 1) * 12..];
    assert!(near(f64::from(end[3]), 2.0, 1e-4) && near(f64::from(end[7]), 1.0, 1e-4), "{end:?}");
}

#[test]
fn compressed_clips_keep_their_bound() {
    let model = model();
    let motion = Motion::new(&model, 0).unwrap();
    let compression = Compression { rate: FrameRate::whole(30), object_error_max_m: 1e-4, shell_m: 0.03 };
    let found = compressed(&motion, &compression).unwrap();
    let worst = worst_off(Isa::detect(), &motion, &found.clip, 0.03).unwrap();
    assert!(worst.value <= 1e-4, "{worst:?}");
    assert_eq!(found.left_out_count, 0);
    assert!(found.book.bytes > 0 && found.book.object_m.value > 0.0);
}

#[test]
fn metrics_are_zero_for_an_even_walk() {
    let pose = |frame: usize| MotionPose {
        world_from_model: Mat4::IDENTITY,
        model_from_joint: vec![Mat4::from_translation(glam::Vec3::new(frame as f32 * 0.1, 0.0, 0.0)); 2],
    };
    let frames: Vec<MotionPose> = (0..5).map(pose).collect();
    let found = metrics(&frames, &[1], 0.01).unwrap();
    assert_eq!((found.pop_deg_per_frame2.value, found.seam_deg.value), (0.0, 0.0));
    assert!(found.seam_m.value < 1e-6, "{}", found.seam_m.value);
    // The second joint is on the floor all the time and goes 0.1 m per frame.
    assert!(near(found.feet[0].slide_m, 0.4, 1e-6), "{}", found.feet[0].slide_m);
    assert_eq!(metrics(&frames[..2], &[], 0.01).err(), Some(StudyError::TooFewFrames { count: 2 }));
}

#[test]
fn charts_name_what_they_draw_and_what_is_missing() {
    let model = model();
    let motion = Motion::new(&model, 0).unwrap();
    let plot = Plot { motion: &motion, file: "walker.gltf", joints: &[] };
    for chart in
        [plot::curves(&plot), plot::speed(&plot), plot::root(&plot), plot::baked_error(&plot, Isa::detect(), 30)]
    {
        let svg = chart.unwrap();
        assert!(svg.starts_with("<svg ") && svg.contains("walker.gltf, clip walk, 2 s"), "{svg}");
    }
    assert_eq!(plot::weights(&plot), Err(StudyError::NoMorphs));
    let names = ["leg".to_string()];
    let unknown = plot::curves(&Plot { motion: &motion, file: "walker.gltf", joints: &names });
    let known = vec!["base".to_string(), "arm".to_string()];
    assert_eq!(unknown, Err(StudyError::Unknown { kind: "joint", name: "leg".into(), names: known }));
    assert_eq!(motion.moments(3), [Tick::ZERO, Tick(motion.duration.0 / 2), motion.duration]);
}
