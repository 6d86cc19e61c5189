//! Clips: keys become motion as glTF says, and the figure stands where Blender put it.

use glam::{DQuat, Vec3};
use serde_json::{Value, json};
use stillframe_anim::{Property, TrackValues};
use stillframe_base::tick::{FrameRate, Tick};
use stillframe_models::import::{self, Local, Model};
use stillframe_testkit::glb::{Glb, TRIANGLE, triangle};
use stillframe_testkit::npy::{Npy, oracle};
use stillframe_testkit::worse;
use stillframe_world::pose::{self, Playing, Pose};

use super::{asset, assets, import_bytes, read};

/// A triangle whose node has one channel; `values` is an accessor.
fn moving(mut glb: Glb, path: &str, mode: Option<&str>, times: &[f32], values: usize) -> Model {
    let rows: Vec<[f32; 1]> = times.iter().map(|t| [*t]).collect();
    let input = glb.floats(&rows);
    let mut sampler = json!({ "input": input, "output": values });
    if let Some(mode) = mode {
        sampler["interpolation"] = json!(mode);
    }
    let channel = json!({ "sampler": 0, "target": { "node": 0, "path": path } });
    glb.push("animations", json!({ "name": "move", "channels": [channel], "samplers": [sampler] }));
    import_bytes(&glb.bytes()).unwrap_or_else(|d| panic!("{d:#?}"))
}

fn at(model: &Model, time_s: f64) -> Pose {
    pose::pose(model, &[Playing { clip: 0, time: Tick::from_seconds(time_s) }])
}

/// Where the node's origin stands.
fn origin(pose: &Pose) -> [f32; 3] {
    pose.model_from_local[0].w_axis.truncate().to_array()
}

#[test]
fn translations_in_every_mode() {
    let rows = [[0.0, 1.0, 0.0], [4.0, 1.0, -2.0], [4.0, 3.0, 6.0]];
    let times = [0.5, 1.0, 2.0];
    let mut glb = triangle();
    let values = glb.floats(&rows);
    let step = moving(glb.clone(), "translation", Some("STEP"), &times, values);
    let linear = moving(glb, "translation", None, &times, values);
    for (time_s, stepped, even) in [
        (0.0, rows[0], rows[0]),
        (0.5, rows[0], rows[0]),
        (0.75, rows[0], [2.0, 1.0, -1.0]),
        (1.0, rows[1], rows[1]),
        (1.75, rows[1], [4.0, 2.5, 4.0]),
        (2.0, rows[2], rows[2]),
        (9.0, rows[2], rows[2]),
    ] {
        assert_eq!(origin(&at(&step, time_s)), stepped, "step at {time_s}");
        assert_eq!(origin(&at(&linear, time_s)), even, "linear at {time_s}");
    }
    // In-tangent, value, out-tangent of each key; the curve is t^3 on x, t^2 on y and t on z.
    let key = |t: f32| [[3.0 * t * t, 2.0 * t, 1.0], [t * t * t, t * t, t], [3.0 * t * t, 2.0 * t, 1.0]];
    let mut glb = triangle();
    let values = glb.floats(&[key(0.0), key(1.0), key(3.0)].concat());
    let cubic = moving(glb, "translation", Some("CUBICSPLINE"), &[0.0, 1.0, 3.0], values);
    for time_s in [0.0_f32, 0.25, 0.5, 1.0, 1.5, 2.75, 3.0] {
        let found = origin(&at(&cubic, f64::from(time_s)));
        let wanted = [time_s * time_s * time_s, time_s * time_s, time_s];
        assert!((0..3).all(|c| (found[c] - wanted[c]).abs() < 1e-5), "{time_s}: {found:?}");
    }
}

#[test]
fn rotations_turn_evenly_along_the_shortest_arc() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // A quarter turn about y; the second key is written as its negative and of length 2.
    for second in [[0.0, half, 0.0, half], [0.0, -2.0 * half, 0.0, -2.0 * half]] {
        let mut glb = triangle();
        let values = glb.floats(&[[0.0, 0.0, 0.0, 1.0], second]);
        let model = moving(glb, "rotation", Some("LINEAR"), &[0.0, 1.0], values);
        for (time_s, degrees) in [(0.0, 0.0_f64), (1.0 / 3.0, 30.0), (0.5, 45.0), (1.0, 90.0)] {
            let wanted = DQuat::from_rotation_y(degrees.to_radians()).as_quat() * Vec3::X;
            let found = at(&model, time_s).model_from_local[0].transform_vector3(Vec3::X);
            assert!((found - wanted).length() < 1e-6, "{time_s}: {found}");
        }
    }
    // A spline's values are no unit quaternions: they are made so.
    let mut glb = triangle();
    let rest = [0.0; 4];
    let values = glb.floats(&[rest, [0.0, 0.0, 0.0, 1.0], rest, rest, [0.0, half, 0.0, half], rest]);
    let model = moving(glb, "rotation", Some("CUBICSPLINE"), &[0.0, 1.0], values);
    let middle = at(&model, 0.5).model_from_local[0];
    assert!((middle.x_axis.truncate().length() - 1.0).abs() < 1e-6);
    assert!((middle.transform_vector3(Vec3::X) - Vec3::new(half, 0.0, -half)).length() < 1e-6);
}

#[test]
fn whole_numbers_stand_for_fractions() {
    for (component, bytes, wanted) in [
        (5120, [0_u8, 127, 0, 0].as_slice(), 1.0),
        (5121, &[0, 255, 0, 0], 1.0),
        (5122, &[0, 0, 255, 127], 1.0),
        (5123, &[0, 0, 255, 255], 1.0),
    ] {
        // The weights of one morph target.
        let mut glb = Glb::new();
        let position = glb.floats(&TRIANGLE);
        glb.mesh(json!({ "attributes": { "POSITION": position }, "targets": [{ "POSITION": position }] }));
        let view = glb.view(bytes, None);
        let values = glb.push(
            "accessors",
            json!({ "bufferView": view, "componentType": component, "normalized": true, "count": 2, "type": "SCALAR" }),
        );
        let model = moving(glb, "weights", None, &[0.0, 1.0], values);
        assert_eq!(at(&model, 0.0).morph_weights[0], [0.0], "{component}");
        assert!((at(&model, 0.5).morph_weights[0][0] - 0.5).abs() < 1e-3, "{component}");
        assert_eq!(at(&model, 1.0).morph_weights[0], [wanted], "{component}");
    }
}

#[test]
fn keys_at_one_moment_are_a_jump() {
    let mut glb = triangle();
    let values = glb.floats(&[[0.0; 3], [1.0; 3], [5.0; 3], [7.0; 3], [8.0; 3]]);
    let model = moving(glb, "translation", None, &[0.0, 1.0, 1.0, 1.0, 2.0], values);
    assert!((origin(&at(&model, 0.5))[0] - 0.5).abs() < 1e-6);
    assert!((origin(&at(&model, 0.999_999))[0] - 1.0).abs() < 1e-4);
    assert_eq!(origin(&at(&model, 1.0)), [7.0; 3]);
    assert_eq!(origin(&at(&model, 1.5)), [7.5; 3]);
    // All keys at one moment: the last counts from then on.
    let mut glb = triangle();
    let values = glb.floats(&[[3.0; 3], [4.0; 3]]);
    let model = moving(glb, "translation", None, &[0.0, 0.0], values);
    assert_eq!(origin(&at(&model, 0.0)), [4.0; 3]);
}

#[test]
fn channels_that_move_nothing() {
    let channel = |target: Value| {
        let mut glb = triangle();
        glb.json["nodes"] = json!([{ "mesh": 0 }, { "name": "outside" }, { "matrix": vec![0.0; 16] }]);
        glb.json["scenes"][0]["nodes"] = json!([0, 2]);
        let input = glb.floats(&[[0.0], [1.0]]);
        let output = glb.floats(&[[1.0; 3]; 2]);
        glb.push(
            "animations",
            json!({ "channels": [{ "sampler": 0, "target": target }], "samplers": [{ "input": input, "output": output }] }),
        );
        import_bytes(&glb.bytes())
    };
    for (target, track_count, warning_count) in [
        (json!({ "node": 0, "path": "translation" }), 1, 0),
        (json!({ "node": 1, "path": "translation" }), 0, 0),
        (json!({ "path": "translation" }), 0, 0),
        (json!({ "node": 0, "path": "weights" }), 0, 1),
        (json!({ "node": 0, "path": "colour" }), 0, 1),
        (json!({ "node": 2, "path": "scale" }), 0, 1),
    ] {
        let model = channel(target.clone()).unwrap_or_else(|d| panic!("{target}: {d:#?}"));
        assert_eq!(model.clips[0].layers[0].tracks.len(), track_count, "{target}");
        assert_eq!(model.warnings.len(), warning_count, "{target}: {:?}", model.warnings);
        assert!(model.warnings.iter().all(|w| w.code == import::code::TRACK_SKIPPED));
        assert_eq!(model.clips[0].name, "animation 0");
    }
    assert_eq!(channel(json!({ "node": 9, "path": "scale" })).expect_err("no node")[0].code, "E0406");
}

#[test]
fn clips_play_one_by_one_or_together() {
    let mut glb = triangle();
    let input = glb.floats(&[[0.0], [1.0]]);
    for (path, row) in [("translation", [1.0, 2.0, 3.0]), ("scale", [2.0; 3]), ("translation", [9.0; 3])] {
        let output = glb.floats(&[row; 2]);
        let channel = json!({ "sampler": 0, "target": { "node": 0, "path": path } });
        glb.push("animations", json!({ "channels": [channel], "samplers": [{ "input": input, "output": output }] }));
    }
    let model = import_bytes(&glb.bytes()).expect("good");
    let place = |clips: &[usize]| {
        let playing: Vec<Playing> = clips.iter().map(|clip| Playing { clip: *clip, time: Tick::ZERO }).collect();
        pose::pose(&model, &playing).model_from_local[0].transform_point3(Vec3::X).to_array()
    };
    assert_eq!(place(&[]), [1.0, 0.0, 0.0]);
    assert_eq!(place(&[0]), [2.0, 2.0, 3.0]);
    assert_eq!(place(&[1]), [2.0, 0.0, 0.0]);
    assert_eq!(place(&[0, 1]), [3.0, 2.0, 3.0]);
    // The last of several counts.
    assert_eq!(place(&[0, 1, 2]), [11.0, 9.0, 9.0]);
}

#[test]
fn skins_share_have_roots_and_joints_outside_the_scene() {
    let mut glb = triangle();
    let joints = glb.shorts(&[[0_u16, 0, 0, 0]; 3]);
    // The second vertex has no weight at all: it hangs on its first joint.
    let weights = glb.floats(&[[2.0, 0.0, 0.0, 0.0], [0.0; 4], [1.0, 0.0, 0.0, 0.0]]);
    let attributes = &mut glb.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = json!(joints);
    attributes["WEIGHTS_0"] = json!(weights);
    glb.push("skins", json!({ "joints": [2], "skeleton": 2 }));
    glb.json["nodes"] = json!([
        { "mesh": 0, "skin": 0, "translation": [50, 0, 0] },
        { "mesh": 0, "skin": 0, "scale": [-1, 1, 1] },
        { "name": "hand", "translation": [0, 3, 0] },
    ]);
    glb.json["scenes"][0]["nodes"] = json!([0, 1]);
    let model = import_bytes(&glb.bytes()).expect("good");
    assert_eq!((model.skins.len(), model.geometries.len()), (1, 1));
    let codes: Vec<&str> = model.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, [import::code::VALUES_REPLACED]);
    for (_, geometry, model_from_parts) in super::shown(&model) {
        let placed: Vec<Vec3> =
            geometry.positions.iter().map(|p| model_from_parts.transform_point3(Vec3::from(*p))).collect();
        let wanted: Vec<Vec3> = TRIANGLE.iter().map(|p| Vec3::from(*p) + Vec3::Y * 3.0).collect();
        assert_eq!(placed, wanted, "the node's own place plays no part");
    }
    let hand = model.nodes.iter().find(|n| n.name == "hand").expect("it is there");
    assert!(!hand.shown);
}

/// Another reader of the same file finds the same keys, bit for bit.
#[test]
fn the_gltf_crate_reads_the_same_keys() {
    for name in ["mannequin.glb", "scene.gltf"] {
        let ours = asset(name);
        let bytes = read(&assets().join(name)).expect("readable");
        let theirs = gltf::Gltf::from_slice_without_validation(&bytes).expect("glTF");
        let own = theirs.blob.clone();
        let files: Vec<Vec<u8>> = theirs
            .buffers()
            .map(|buffer| match buffer.source() {
                gltf::buffer::Source::Bin => own.clone().expect("a chunk"),
                gltf::buffer::Source::Uri(uri) => read(&assets().join(uri)).expect("readable"),
            })
            .collect();
        let names: Vec<&str> = ours.clips.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, theirs.animations().map(|a| a.name().expect("a name")).collect::<Vec<_>>());
        let mut compared = 0;
        for (clip, animation) in ours.clips.iter().zip(theirs.animations()) {
            for channel in animation.channels() {
                let node = channel.target().node().name().expect("a name");
                let node = ours.nodes.iter().position(|n| n.name == node).expect("the same nodes");
                let reader = channel.reader(|buffer| Some(&files[buffer.index()]));
                use gltf::animation::util::ReadOutputs::{MorphTargetWeights, Rotations, Scales, Translations};
                let (property, values): (_, Vec<f32>) = match reader.read_outputs().expect("values") {
                    Translations(rows) => (Property::Translation, rows.flatten().collect()),
                    Rotations(rows) => (Property::Rotation, rows.into_f32().flatten().collect()),
                    Scales(rows) => (Property::Scale, rows.flatten().collect()),
                    MorphTargetWeights(rows) => (Property::MorphWeights, rows.into_f32().collect()),
                };
                let track = clip.layers[0].tracks.iter().find(|t| t.node == node && t.property == property);
                let TrackValues::Keyed(keyed) = &track.expect("a track").values else {
                    panic!("{name}: whole vectors")
                };
                let seconds: Vec<f32> = reader.read_inputs().expect("times").collect();
                let times = Tick::from_stored_seconds(&seconds);
                assert_eq!(keyed.times(), times, "{name}");
                let found: Vec<f32> = (0..times.len()).flat_map(|key| keyed.value(key).to_vec()).collect();
                assert_eq!(found, values, "{name}: {property:?}");
                compared += 1;
            }
        }
        assert_eq!(compared, ours.clips.iter().map(|c| c.layers[0].tracks.len()).sum::<usize>(), "{name}");
        assert!(compared > 0, "{name}");
    }
}

/// Row `row` of an oracle of [rows, items, 3].
fn points(npy: &Npy, row: usize) -> impl Iterator<Item = Vec3> + '_ {
    let width = npy.shape[1] * 3;
    npy.values[row * width..(row + 1) * width].chunks_exact(3).map(Vec3::from_slice)
}

fn figure_is_where_blender_put_it(clip: &str) {
    let file = format!("mannequin_{clip}.json");
    let about = std::fs::read(assets().join("../../tests/data/oracle").join(file)).expect("the oracle is there");
    let about: Value = serde_json::from_slice(&about).expect("JSON");
    let [positions, heads, morphs] =
        ["positions", "bone_heads", "morphs"].map(|what| oracle(&format!("mannequin_{clip}_{what}.npy")));
    let model = asset("mannequin.glb");
    let number = model.clips.iter().position(|c| c.name == clip).expect("the clip");
    let nodes: Vec<usize> = about["bones"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|bone| model.nodes.iter().position(|n| json!(n.name) == *bone).unwrap_or_else(|| panic!("no {bone}")))
        .collect();
    let body = model.nodes.iter().position(|n| n.skin.is_some()).expect("a body");
    let names: Vec<Value> = model.nodes[body].morphs.iter().map(|m| json!(m.name)).collect();
    assert_eq!(json!(names), about["morphs"]);
    let frames: Vec<u64> =
        about["position_frames"].as_array().expect("a list").iter().map(|f| f.as_u64().expect("a number")).collect();
    let rate = FrameRate::whole(30);
    let (mut head_worst_m, mut weight_worst, mut position_worst_m) = (0.0_f32, 0.0_f64, 0.0_f32);
    let mut seen = vec![false; positions.shape[1]];
    for frame in 0..heads.shape[0] {
        let pose = pose::pose(&model, &[Playing { clip: number, time: Tick::of_frame(frame as i64, rate) }]);
        for (node, wanted) in nodes.iter().zip(points(&heads, frame)) {
            let found = pose.model_from_local[*node].w_axis.truncate();
            head_worst_m = worse(head_worst_m, (found - wanted).length());
        }
        let weights = &morphs.values[frame * morphs.shape[1]..(frame + 1) * morphs.shape[1]];
        for (found, wanted) in pose.morph_weights[body].iter().zip(weights) {
            weight_worst = worse(weight_worst, (found - f64::from(*wanted)).abs());
        }
        let Some(row) = frames.iter().position(|f| *f == frame as u64) else { continue };
        let wanted: Vec<Vec3> = points(&positions, row).collect();
        for part in &model.nodes[body].parts {
            let geometry = pose::bend(&model, body, part.geometry, &pose).expect("it is bent");
            let sources = &model.geometries[part.geometry].sources;
            assert_eq!(sources.len(), geometry.positions.len());
            for (position, source) in geometry.positions.iter().zip(sources) {
                let off = (Vec3::from(*position) - wanted[*source as usize]).length();
                position_worst_m = worse(position_worst_m, off);
                seen[*source as usize] = true;
            }
        }
    }
    println!(
        "{clip}: {} frames, positions of {}: heads {head_worst_m:.2e} m, weights {weight_worst:.2e}, positions {position_worst_m:.2e} m",
        heads.shape[0],
        frames.len()
    );
    assert!(seen.iter().all(|s| *s), "every point is compared");
    assert!(head_worst_m < 1e-5, "heads {head_worst_m} m");
    assert!(weight_worst < 1e-6, "weights {weight_worst}");
    assert!(position_worst_m < 1e-5, "positions {position_worst_m} m");
}

#[test]
fn the_walking_figure_is_where_blender_put_it() {
    figure_is_where_blender_put_it("walk");
}

#[test]
fn the_waving_figure_is_where_blender_put_it() {
    figure_is_where_blender_put_it("wave");
}

/// A node's own transform stays what the file says when nothing plays.
#[test]
fn without_a_clip_nodes_stand_as_stored() {
    let model = asset("scene.gltf");
    let pose = pose::pose(&model, &[]);
    assert_eq!(model.nodes.len(), pose.model_from_local.len());
    assert!(model.nodes.iter().any(|node| node.parent.is_none()));
    for (node, matrix) in model.nodes.iter().zip(&pose.model_from_local).filter(|(n, _)| n.parent.is_none()) {
        let Local::Trs(local) = &node.local else { panic!("{}: {:?}", node.name, node.local) };
        assert_eq!(*matrix, local.matrix().as_mat4(), "{}", node.name);
    }
}
