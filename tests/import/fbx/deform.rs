//! Skins, blend shapes and clips.

use glam::{Mat4, Vec3};
use stillframe_anim::{ExtendKind, LayerBlend, Property, Segment, TrackValues};
use stillframe_base::tick::Tick;
use stillframe_models::import::{Model, SkinMethod};
use stillframe_testkit::fbx::random::SECOND;
use stillframe_testkit::fbx::write::{File, Record, object, one, record};
use stillframe_world::pose::{Playing, bend, pose};

use super::{imported, showing, square};

fn matrix(translation: [f64; 3]) -> Vec<f64> {
    let mut values: Vec<f64> = (0..16).map(|i| if i % 5 == 0 { 1.0 } else { 0.0 }).collect();
    values[12..15].copy_from_slice(&translation);
    values
}

/// The square, whose upper two points a joint 2 m up pulls, bound 1 m up.
fn skinned(cluster: impl Fn(Record) -> Record) -> File {
    let mut file = showing(square(20));
    file.add(object("Model", 11, "bone", "LimbNode").number("Lcl Translation", [0.0, 2.0, 0.0]));
    file.connect(11, 0);
    file.add(object("Deformer", 40, "skin", "Skin"));
    file.add(cluster(
        object("Deformer", 41, "cluster", "Cluster").with([one("Indexes", vec![2, 3]), one("Weights", vec![1.0, 0.5])]),
    ));
    file.connect(40, 20);
    file.connect(41, 40);
    file.connect(11, 41);
    file
}

/// Positions in the model's space as the square stands, by control point.
fn bent(model: &Model) -> Vec<Vec3> {
    let posed = pose(model, &[]);
    let geometry = bend(model, 0, 0, &posed).expect("bent");
    let mut out = vec![Vec3::ZERO; 4];
    for (vertex, source) in model.geometries[0].sources.iter().enumerate() {
        out[*source as usize] = posed.model_from_parts[0].transform_point3(Vec3::from(geometry.positions[vertex]));
    }
    out
}

#[test]
fn clusters_pull() {
    let bound =
        |c: Record| c.with([one("Transform", matrix([0.0, -1.0, 0.0])), one("TransformLink", matrix([0.0, 1.0, 0.0]))]);
    let model = imported(&skinned(bound));
    assert_eq!(model.skins[0].joints.len(), 1);
    assert_eq!(model.skins[0].joints[0].joint_from_mesh, Mat4::from_translation(-Vec3::Y));
    // From 1 up to 2 up; a weight alone is a whole one; points without any stay.
    assert_eq!(bent(&model), [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 2.0, 0.0), Vec3::new(0.0, 2.0, 0.0)]);
}

/// D1 of the book's defects: a joint below a node that is none was a root of its own.
#[test]
fn d1_a_joint_below_a_node_that_is_none_hangs_on_it() {
    let mut file = skinned(|c| c.with([one("Transform", matrix([0.0; 3]))]));
    for (id, name, kind, parent) in [(12, "gap", "Null", 11), (13, "tip", "LimbNode", 12)] {
        file.add(object("Model", id, name, kind).number("Lcl Translation", [0.0, 1.0, 0.0]));
        file.connect(id, parent);
    }
    let pulls = [one("Indexes", vec![0]), one("Weights", vec![1.0]), one("Transform", matrix([0.0; 3]))];
    file.add(object("Deformer", 43, "second", "Cluster").with(pulls));
    file.connect(43, 40);
    file.connect(13, 43);
    let model = imported(&file);
    let node = |name: &str| model.nodes.iter().position(|node| node.name == name).expect("it is there");
    let [bone, gap, tip] = ["bone", "gap", "tip"].map(node);
    assert_eq!((model.nodes[tip].parent, model.nodes[gap].parent), (Some(gap), Some(bone)));
    let mut joints: Vec<usize> = model.skins[0].joints.iter().map(|joint| joint.node).collect();
    joints.sort_unstable();
    assert_eq!(joints, [bone, tip]);
    assert_eq!(pose(&model, &[]).model_from_local[tip].w_axis.truncate(), Vec3::Y * 4.0);
}

#[test]
fn places_of_binding_come_from_the_pose_where_clusters_lack_them() {
    let mut file = skinned(|c| c);
    let node = |id: i64, at: [f64; 3]| record("PoseNode", []).with([one("Node", id), one("Matrix", matrix(at))]);
    file.add(object("Pose", 60, "bind", "BindPose").with([node(10, [0.0; 3]), node(11, [0.0, 1.0, 0.0])]));
    assert_eq!(imported(&file).skins[0].joints[0].joint_from_mesh, Mat4::from_translation(-Vec3::Y));
    file.objects.pop();
    let model = imported(&file);
    assert!(model.skins.is_empty() && model.warnings.iter().any(|w| w.code == "W0463"), "{:?}", model.warnings);
}

#[test]
fn geometric_transforms_are_part_of_the_bind() {
    let mut file = skinned(|c| c.with([one("Transform", matrix([0.0, -1.0, 0.0]))]));
    file.objects[0] = object("Model", 10, "node", "Mesh").number("GeometricTranslation", [5.0, 0.0, 0.0]);
    let model = imported(&file);
    assert_eq!(bent(&model)[2], Vec3::new(6.0, 2.0, 0.0));
    assert_eq!(bent(&model)[1], Vec3::new(6.0, 0.0, 0.0), "unweighted");
}

#[test]
fn methods_and_second_skins() {
    let bound = |c: Record| c.with([one("Transform", matrix([0.0; 3]))]);
    let mut file = skinned(bound);
    let skin = file.objects.iter_mut().find(|o| o.values[0] == 40_i64.into()).expect("the skin");
    skin.inside.push(one("SkinningType", "DualQuaternion"));
    assert_eq!(imported(&file).skins[0].method, SkinMethod::DualQuaternion);
    file.add(object("Deformer", 42, "other", "Skin"));
    file.connect(42, 20);
    let model = imported(&file);
    assert!(model.skins.len() == 1 && model.warnings.iter().any(|w| w.code == "W0463"), "{:?}", model.warnings);
}

#[test]
fn both_methods_are_blended_point_by_point() {
    let mut file = skinned(|c| c.with([one("Transform", matrix([0.0; 3]))]));
    let skin = file.objects.iter_mut().find(|o| o.values[0] == 40_i64.into()).expect("the skin");
    skin.inside.extend([
        one("SkinningType", "Blend"),
        one("Indexes", vec![2, 3, 9]),
        one("BlendWeights", vec![0.25, 1.5, 0.5]),
    ]);
    let model = imported(&file);
    assert_eq!(model.skins[0].method, SkinMethod::Blend);
    let geometry = &model.geometries[0];
    let want = geometry.sources.iter().map(|source| [0.0, 0.0, 0.25, 1.0][*source as usize]);
    assert_eq!(geometry.influences.dual_shares, want.collect::<Vec<f32>>());
    let codes: Vec<&str> = model.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["W0453"], "{:?}", model.warnings);
    // A joint that moves and does not turn takes points to one place either way.
    assert_eq!(bent(&model)[2..], [Vec3::new(1.0, 3.0, 0.0), Vec3::new(0.0, 3.0, 0.0)]);
}

fn morphing() -> File {
    let mut file = showing(square(20));
    file.add(object("Deformer", 40, "face", "BlendShape"));
    file.connect(40, 20);
    let channel = object("Deformer", 41, "smile", "BlendShapeChannel")
        .with([one("DeformPercent", 75.0), one("FullWeights", vec![50.0, 100.0])]);
    file.add(channel);
    file.connect(41, 40);
    for (id, name, up) in [(50, "half", 1.0), (51, "whole", 4.0)] {
        let shape = object("Geometry", id, name, "Shape").with([
            one("Indexes", vec![2, 0]),
            one("Vertices", vec![0.0, 0.0, up, 0.0, 0.0, -up]),
            one("Normals", vec![0.0; 6]),
        ]);
        file.add(shape);
        file.connect(id, 41);
    }
    file
}

#[test]
fn in_between_shapes() {
    let model = imported(&morphing());
    let channel = &model.nodes[0].morphs[0];
    assert_eq!(
        (channel.name.as_str(), channel.weight, channel.shapes.as_slice()),
        ("smile", 0.75, [(0.5, 0), (1.0, 1)].as_slice())
    );
    let targets = &model.geometries[0].targets;
    assert_eq!(targets.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["half", "whole"]);
    assert!(targets[0].vertices.is_sorted() && targets[0].vertices.len() == 2);
    // Half way between the two shapes.
    let points = bent(&model);
    assert_eq!((points[0].z, points[1].z, points[2].z), (-2.5, 0.0, 2.5));
}

fn moving(curve: Record, property: &str, target: i64) -> File {
    let mut file = morphing();
    file.add(object("AnimationStack", 70, "take", "").time("LocalStart", 0).time("LocalStop", 2 * SECOND));
    file.add(object("AnimationLayer", 71, "base", ""));
    file.add(object("AnimationCurveNode", 72, "n", "").number("d|X", [0.5]).number("d|Y", [0.25]).number("d|Z", [0.0]));
    file.add(curve);
    file.connect(71, 70);
    file.connect(72, 71);
    file.connect_property(72, target, property);
    file.connect_property(73, 72, "d|X");
    file
}

fn line(values: [f32; 2]) -> Record {
    object("AnimationCurve", 73, "", "").with([
        one("KeyTime", vec![0, 2 * SECOND]),
        one("KeyValueFloat", values.to_vec()),
        one("KeyAttrFlags", vec![4]),
        one("KeyAttrDataFloat", vec![0.0_f32; 4]),
        one("KeyAttrRefCount", vec![2]),
    ])
}

#[test]
fn curves_move_nodes() {
    let model = imported(&moving(line([1.0, 3.0]), "Lcl Translation", 10));
    let clip = &model.clips[0];
    assert_eq!((clip.name.as_str(), clip.start, clip.end), ("take", Tick::ZERO, Tick::from_seconds(2.0)));
    assert_eq!(clip.layers[0].blend, LayerBlend::Additive);
    let track = &clip.layers[0].tracks[0];
    assert_eq!((track.node, &track.property), (0, &Property::Translation));
    let TrackValues::Components { curves, rest } = &track.values else { panic!("components") };
    assert_eq!((curves[0].is_some(), curves[1].is_some(), rest.as_slice()), (true, false, [0.5, 0.25, 0.0].as_slice()));
    let at = |seconds: f64| {
        let posed = pose(&model, &[Playing { clip: 0, time: Tick::from_seconds(seconds) }]);
        posed.model_from_local[0].transform_point3(Vec3::ZERO)
    };
    assert_eq!(
        (at(0.0), at(1.0), at(9.0)),
        (Vec3::new(1.0, 0.25, 0.0), Vec3::new(2.0, 0.25, 0.0), Vec3::new(3.0, 0.25, 0.0))
    );
}

#[test]
fn curves_move_shapes_and_whatever_has_a_name() {
    let model = imported(&moving(line([0.0, 100.0]), "DeformPercent", 41));
    let posed = pose(&model, &[Playing { clip: 0, time: Tick::from_seconds(0.5) }]);
    assert_eq!(posed.morph_weights[0], [0.25]);
    for (property, want) in
        [("Visibility", Property::Visibility), ("FocalLength", Property::Other("FocalLength".to_string()))]
    {
        let model = imported(&moving(line([0.0, 1.0]), property, 10));
        assert_eq!(model.clips[0].layers[0].tracks[0].property, want);
    }
    let mut file = moving(line([0.0, 1.0]), "DiffuseColor", 30);
    file.add(object("Material", 30, "m", ""));
    let model = imported(&file);
    assert!(model.warnings.iter().any(|w| w.code == "W0464"), "{:?}", model.warnings);
}

#[test]
fn ways_of_interpolation_and_of_going_on() {
    let times = vec![0, SECOND, 2 * SECOND, 3 * SECOND];
    let mut curve = object("AnimationCurve", 73, "", "").with([
        one("KeyTime", times),
        one("KeyValueFloat", vec![0.0_f32, 1.0, 2.0, 3.0]),
        one("KeyAttrFlags", vec![0x2, 0x102, 0x4, 0x408]),
        one("KeyAttrDataFloat", vec![0.0_f32; 16]),
        one("KeyAttrRefCount", vec![1; 4]),
    ]);
    for (name, kind) in [("Pre-Extrapolation", b'K'), ("Post-Extrapolation", b'A')] {
        curve.inside.push(record(name, []).with([one("Type", i32::from(kind)), one("Repetition", 3)]));
    }
    let model = imported(&moving(curve, "Lcl Translation", 10));
    let TrackValues::Components { curves, .. } = &model.clips[0].layers[0].tracks[0].values else {
        panic!("components")
    };
    let curve = curves[0].as_ref().expect("a curve");
    let kinds: Vec<Segment> = curve.keys.iter().map(|key| key.then).collect();
    assert_eq!(kinds, [Segment::Step, Segment::StepNext, Segment::Linear, Segment::Cubic]);
    assert_eq!(
        (curve.before.kind, curve.after.kind, curve.after.count),
        (ExtendKind::Slope, ExtendKind::RepeatOffset, Some(3))
    );
}

#[test]
fn layers_and_their_weights() {
    for (mode, weight, want) in [(0, 50.0, 2.0), (1, 50.0, 2.0), (2, 50.0, 1.5), (2, 100.0, 2.0), (0, 0.0, 1.0)] {
        let mut file = moving(line([1.0, 1.0]), "Lcl Translation", 10);
        file.add(object("AnimationLayer", 81, "above", "").whole("BlendMode", mode).number("Weight", [weight]));
        file.add(
            object("AnimationCurveNode", 82, "n", "").number("d|X", [2.0]).number("d|Y", [0.0]).number("d|Z", [0.0]),
        );
        file.connect(81, 70);
        file.connect(82, 81);
        file.connect_property(82, 10, "Lcl Translation");
        let model = imported(&file);
        let posed = pose(&model, &[Playing { clip: 0, time: Tick::ZERO }]);
        assert_eq!(posed.model_from_local[0].w_axis.x, want, "mode {mode} at {weight}");
    }
}

/// Angles past a quarter turn, which no conversion to a rotation and back would keep.
#[test]
fn angles_of_an_overriding_layer_are_added_to() {
    let mut file = moving(line([1.0, 1.0]), "Lcl Rotation", 10);
    let layers = [
        object("AnimationLayer", 81, "over", "").whole("BlendMode", 1),
        object("AnimationLayer", 84, "added", "").whole("RotationAccumulationMode", 1),
    ];
    for (layer, (id, node, degrees)) in layers.into_iter().zip([(81, 82, -159.0), (84, 85, 133.0)]) {
        file.add(layer);
        file.add(
            object("AnimationCurveNode", node, "n", "")
                .number("d|X", [0.0])
                .number("d|Y", [degrees])
                .number("d|Z", [0.0]),
        );
        file.connect(id, 70);
        file.connect(node, id);
        file.connect_property(node, 10, "Lcl Rotation");
    }
    let model = imported(&file);
    let turned = pose(&model, &[Playing { clip: 0, time: Tick::ZERO }]).model_from_local[0];
    let want = glam::Mat4::from_rotation_y((133.0_f32 - 159.0).to_radians());
    assert!(turned.abs_diff_eq(want, 1e-6), "{turned} is not {want}");
}

#[test]
fn broken_curves_are_mended_and_told() {
    let curve = |times: Vec<i64>, values: Vec<f32>| {
        object("AnimationCurve", 73, "", "").with([one("KeyTime", times), one("KeyValueFloat", values)])
    };
    for (what, broken, left) in [
        ("not a number", curve(vec![0, 1, SECOND], vec![1.0, f32::NAN, 2.0]), 2),
        ("back in time", curve(vec![SECOND, 0, 2 * SECOND], vec![1.0, 2.0, 3.0]), 2),
        ("too few values", curve(vec![0, SECOND, 2 * SECOND], vec![1.0]), 1),
        ("twice at one time", curve(vec![0, 0, SECOND], vec![1.0, 2.0, 3.0]), 3),
    ] {
        let model = imported(&moving(broken, "Lcl Translation", 10));
        let TrackValues::Components { curves, .. } = &model.clips[0].layers[0].tracks[0].values else {
            panic!("components")
        };
        let keys = &curves[0].as_ref().expect("a curve").keys;
        assert_eq!(keys.len(), left, "{what}");
        assert!(keys.windows(2).all(|pair| pair[0].time < pair[1].time), "{what}");
        assert!(model.warnings.iter().any(|w| w.code == "W0453"), "{what}: {:?}", model.warnings);
    }
}
