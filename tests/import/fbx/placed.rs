//! Where things stand: axes, units, transform stacks, inheritance, cameras and lights, by hand.

use glam::{DMat4, DVec3, Vec3};
use stillframe_models::import::{
    Axis, EulerOrder, Inherit, Inherited, Local, Model, ModelLightKind, ModelProjection, TransformStack,
};
use stillframe_testkit::fbx::write::{File, Record, object, record, settings};
use stillframe_world::pose::pose;

use super::{imported, showing, square};

/// Where a point of a node comes to stand.
fn at(model: &Model, node: &str, point: [f32; 3]) -> Vec3 {
    let index = model.nodes.iter().position(|n| n.name == node).unwrap_or_else(|| panic!("no {node}"));
    pose(model, &[]).model_from_local[index].transform_point3(Vec3::from(point))
}

fn near(got: Vec3, want: [f32; 3]) {
    assert!(got.abs_diff_eq(Vec3::from(want), 1e-5), "{got} is not {want:?}");
}

#[test]
fn axes_and_units() {
    for (axes, signs, unit_cm, want, up) in [
        // 3ds Max, Y up in metres, X up, and a left-handed file.
        ([0, 2, 1], [1, 1, -1], 1.0, [0.01, 0.03, -0.02], Axis::Z),
        ([0, 1, 2], [1, 1, 1], 100.0, [1.0, 2.0, 3.0], Axis::Y),
        ([1, 0, 2], [-1, 1, 1], 100.0, [-2.0, 1.0, 3.0], Axis::X),
        ([0, 1, 2], [1, 1, -1], 2.54, [0.0254, 0.0508, -0.0762], Axis::Y),
    ] {
        let mut file = showing(square(20));
        file.settings = Some(settings(axes, signs, unit_cm));
        let model = imported(&file);
        near(at(&model, "node", [1.0, 2.0, 3.0]), want);
        assert_eq!(model.format.up, Some(up));
        assert!((model.format.unit_m.expect("stated") - unit_cm / 100.0).abs() < 1e-12);
        assert!(model.warnings.is_empty(), "{:?}", model.warnings);
    }
}

#[test]
fn settings_that_are_missing_or_nonsense_are_told() {
    let nonsense = [
        None,
        Some(record("GlobalSettings", [])),
        Some(settings([0, 0, 1], [1; 3], 1.0)),
        Some(settings([0, 1, 2], [1; 3], f64::NAN)),
        Some(settings([0, 1, 2], [1; 3], -5.0)),
    ];
    for settings in nonsense {
        let mut file = showing(square(20));
        file.settings = settings.clone();
        let model = imported(&file);
        assert!(model.warnings.iter().any(|w| w.code == "W0461"), "{settings:?}: {:?}", model.warnings);
        near(at(&model, "node", [1.0, 2.0, 3.0]), [0.01, 0.02, 0.03]);
    }
}

fn stack_of(record: Record) -> TransformStack {
    let mut file = File::new();
    file.add(record);
    let Local::Stack(stack) = imported(&file).nodes[0].local.clone() else { panic!("a stack") };
    *stack
}

#[test]
fn properties_of_the_stack() {
    let model = object("Model", 1, "node", "Null")
        .number("Lcl Translation", [1.0, 2.0, 3.0])
        .number("Lcl Rotation", [10.0, 20.0, 30.0])
        .number("Lcl Scaling", [2.0, 3.0, 4.0])
        .number("PreRotation", [5.0, 6.0, 7.0])
        .number("PostRotation", [8.0, 9.0, 10.0])
        .number("RotationOffset", [0.1, 0.2, 0.3])
        .number("RotationPivot", [0.4, 0.5, 0.6])
        .number("ScalingOffset", [0.7, 0.8, 0.9])
        .number("ScalingPivot", [1.1, 1.2, 1.3])
        .whole("RotationActive", 1)
        .whole("RotationOrder", 4)
        .whole("InheritType", 2);
    let want = TransformStack {
        translation: DVec3::new(1.0, 2.0, 3.0),
        rotation_deg: DVec3::new(10.0, 20.0, 30.0),
        scale: DVec3::new(2.0, 3.0, 4.0),
        order: EulerOrder::Zxy,
        pre_rotation_deg: DVec3::new(5.0, 6.0, 7.0),
        post_rotation_deg: DVec3::new(8.0, 9.0, 10.0),
        rotation_offset: DVec3::new(0.1, 0.2, 0.3),
        rotation_pivot: DVec3::new(0.4, 0.5, 0.6),
        scaling_offset: DVec3::new(0.7, 0.8, 0.9),
        scaling_pivot: DVec3::new(1.1, 1.2, 1.3),
        inherit: Inherit::Rrs,
    };
    assert_eq!(stack_of(model.clone()), want);
    // Order, pre- and post-rotation are only in force while the rotation is active.
    let plain = TransformStack {
        order: EulerOrder::Xyz,
        pre_rotation_deg: DVec3::ZERO,
        post_rotation_deg: DVec3::ZERO,
        ..want.clone()
    };
    assert_eq!(stack_of(model.clone().whole("RotationSpaceForLimitOnly", 1)), plain);
    let mut inactive = model;
    inactive.inside[0].inside.retain(|property| property.values[0] != "RotationActive".into());
    assert_eq!(stack_of(inactive.whole("RotationActive", 0)), plain);
    assert_eq!(stack_of(object("Model", 1, "node", "Null")), TransformStack::default());
}

#[test]
fn templates_are_the_defaults() {
    let mut file = showing(square(20));
    let template = record("PropertyTemplate", ["FbxNode".into()])
        .number("Lcl Translation", [5.0, 0.0, 0.0])
        .whole("InheritType", 2);
    file.definitions.push(record("ObjectType", ["Model".into()]).with([template]));
    near(at(&imported(&file), "node", [0.0; 3]), [5.0, 0.0, 0.0]);
    file.objects[0] = object("Model", 10, "node", "Mesh").number("Lcl Translation", [0.0, 1.0, 0.0]);
    near(at(&imported(&file), "node", [0.0; 3]), [0.0, 1.0, 0.0]);
}

/// A parent that scales x by 2 and a child that turns: each way of inheriting, through the file.
#[test]
fn ways_of_inheriting() {
    for (kind, x, y) in [
        (1, [2.0, 1.0, 0.0], [0.0, 0.0, 0.0]),
        (0, [2.0, 2.0, 0.0], [1.0, 0.0, 0.0]),
        (2, [2.0, 1.0, 0.0], [1.0, 0.0, 0.0]),
    ] {
        let mut file = File::new();
        file.add(object("Model", 1, "parent", "Null").number("Lcl Scaling", [2.0, 1.0, 1.0]));
        let child = object("Model", 2, "child", "Null").number("Lcl Translation", [1.0, 0.0, 0.0]);
        file.add(child.number("Lcl Rotation", [0.0, 0.0, 90.0]).whole("InheritType", kind));
        file.connect(1, 0);
        file.connect(2, 1);
        let model = imported(&file);
        near(at(&model, "child", [0.0; 3]), [2.0, 0.0, 0.0]);
        near(at(&model, "child", [1.0, 0.0, 0.0]), x);
        near(at(&model, "child", [0.0, 1.0, 0.0]), y);
    }
}

/// A chain in which scales are skipped twice: only the scale above those counts again.
#[test]
fn skipped_scales_in_a_chain() {
    let top = Inherited::top(DMat4::IDENTITY);
    let scaled = |scale: f64| TransformStack { scale: DVec3::splat(scale), ..TransformStack::default() };
    let a = top.below(&scaled(2.0).trs(), Inherit::RSrs);
    let b = a.below(&scaled(3.0).trs(), Inherit::RrSs);
    let c = b.below(&scaled(5.0).trs(), Inherit::Rrs);
    let size = |inherited: &Inherited| inherited.global.transform_vector3(DVec3::X).length();
    assert_eq!([size(&a), size(&b), size(&c)], [2.0, 6.0, 10.0]);
}

#[test]
fn geometric_transforms_move_meshes_only() {
    let mut file = showing(square(20));
    file.objects[0] = object("Model", 10, "node", "Mesh")
        .number("GeometricTranslation", [0.0, 0.0, 7.0])
        .number("GeometricScaling", [2.0; 3]);
    file.add(object("Model", 11, "child", "Null"));
    file.connect(11, 10);
    let model = imported(&file);
    near(at(&model, "child", [0.0; 3]), [0.0; 3]);
    let parts = pose(&model, &[]).model_from_parts[0];
    near(parts.transform_point3(Vec3::ONE), [2.0, 2.0, 9.0]);
}

#[test]
fn one_mesh_on_several_nodes_is_held_once() {
    let mut file = showing(square(20));
    file.add(object("Model", 11, "again", "Mesh").number("Lcl Translation", [3.0, 0.0, 0.0]));
    file.connect(11, 0);
    file.connect(20, 11);
    let model = imported(&file);
    assert_eq!((model.geometries.len(), model.nodes[0].parts == model.nodes[1].parts), (1, true));
}

#[test]
fn two_meshes_on_one_node() {
    let mut file = showing(square(20));
    file.add(square(21));
    file.connect(21, 10);
    let model = imported(&file);
    assert_eq!(
        model.nodes.iter().map(|n| (n.name.as_str(), n.parts.len())).collect::<Vec<_>>(),
        [("node", 1), ("node", 1)]
    );
    assert_eq!(model.nodes[1].parent, Some(0));
}

#[test]
fn hidden_nodes_hide_what_is_below() {
    let mut file = showing(square(20));
    file.objects[0] = object("Model", 10, "node", "Mesh").number("Visibility", [0.0]);
    file.add(object("Model", 11, "child", "Null"));
    file.connect(11, 10);
    assert_eq!(imported(&file).nodes.iter().map(|n| n.shown).collect::<Vec<_>>(), [false, false]);
}

#[test]
fn a_left_handed_file_is_not_inside_out() {
    let mut file = showing(square(20));
    file.settings = Some(settings([0, 1, 2], [1, 1, -1], 100.0));
    let model = imported(&file);
    // Mirrored as a whole: the renderer turns the sides of mirrored parts round.
    assert!(pose(&model, &[]).model_from_parts[0].determinant() < 0.0);
}

fn attribute(class: &str, change: impl Fn(Record) -> Record) -> File {
    let mut file = File::new();
    file.add(object("Model", 10, "eye", class));
    file.add(change(object("NodeAttribute", 20, "", class)));
    file.connect(10, 0);
    file.connect(20, 10);
    file
}

#[test]
fn cameras() {
    let of = |change: &dyn Fn(Record) -> Record| imported(&attribute("Camera", change)).cameras[0].clone();
    let plain =
        of(&|camera| camera.number("FieldOfView", [40.0]).number("NearPlane", [0.5]).number("FarPlane", [50.0]));
    assert_eq!((plain.name.as_str(), plain.near_m, plain.far_m), ("eye", 0.5, Some(50.0)));
    assert!((plain.local_from_camera * DVec3::NEG_Z).abs_diff_eq(DVec3::X, 1e-12), "looks along +X");
    let fov_deg = |change: &dyn Fn(Record) -> Record| match of(change).projection {
        ModelProjection::Perspective { fov_y_rad } => f64::from(fov_y_rad).to_degrees(),
        other => panic!("{other:?}"),
    };
    let wide = |camera: Record| camera.number("AspectWidth", [2.0]).number("AspectHeight", [1.0]);
    let rows: [(&str, &dyn Fn(Record) -> Record, f64); 5] = [
        ("vertical", &|c| wide(c).whole("ApertureMode", 2).number("FieldOfView", [40.0]), 40.0),
        ("horizontal", &|c| wide(c).whole("ApertureMode", 1).number("FieldOfView", [90.0]), 53.130_102),
        ("both", &|c| c.whole("ApertureMode", 0).number("FieldOfViewX", [70.0]).number("FieldOfViewY", [50.0]), 50.0),
        // 24 mm of film behind a lens of 50 mm.
        (
            "focal length",
            &|c| {
                c.whole("ApertureMode", 3)
                    .number("FocalLength", [50.0])
                    .number("FilmWidth", [36.0 / 25.4])
                    .number("FilmHeight", [24.0 / 25.4])
            },
            26.991_467,
        ),
        (
            "fitted to the width",
            &|c| {
                wide(c)
                    .whole("ApertureMode", 3)
                    .whole("GateFit", 2)
                    .number("FocalLength", [50.0])
                    .number("FilmWidth", [36.0 / 25.4])
                    .number("FilmHeight", [24.0 / 25.4])
            },
            20.407_951,
        ),
    ];
    for (what, change, want) in rows {
        let got = fov_deg(change);
        assert!((got - want).abs() < 1e-4, "{what}: {got}");
    }
    let flat = of(&|c| c.whole("CameraProjectionType", 1).number("OrthoZoom", [0.5]));
    assert_eq!(flat.projection, ModelProjection::Orthographic { height_m: 15.0 });
    let odd = imported(&attribute("Camera", |c| c.number("FieldOfView", [400.0])));
    assert!(odd.warnings.iter().any(|w| w.code == "W0453"), "{:?}", odd.warnings);
}

#[test]
fn lights() {
    let of = |change: &dyn Fn(Record) -> Record| imported(&attribute("Light", change)).lights.first().cloned();
    let pi = std::f32::consts::PI;
    let sun = of(&|l| l.whole("LightType", 1).number("Intensity", [200.0]).number("Color", [1.0, 0.5, 0.25]))
        .expect("a light");
    assert_eq!(sun.kind, ModelLightKind::Directional { illuminance_lux: 2.0 * pi });
    assert_eq!((sun.color, sun.shadow), ([1.0, 0.5, 0.25], true));
    assert!((sun.local_from_light * DVec3::NEG_Z).abs_diff_eq(DVec3::NEG_Y, 1e-12), "shines along -Y");
    let lamp = of(&|l| l.whole("DecayType", 2).whole("CastShadows", 0)).expect("a light");
    assert_eq!((lamp.kind, lamp.shadow), (ModelLightKind::Point { intensity_cd: pi, range_m: None }, false));
    let spot = of(&|l| {
        l.whole("LightType", 2).whole("DecayType", 2).number("InnerAngle", [30.0]).number("OuterAngle", [60.0])
    });
    let ModelLightKind::Spot { inner_rad, outer_rad, .. } = spot.expect("a light").kind else { panic!("a spot") };
    assert!((inner_rad - pi / 12.0).abs() < 1e-6 && (outer_rad - pi / 6.0).abs() < 1e-6);
    assert_eq!(of(&|l| l.whole("CastLight", 0)), None);
    let area = imported(&attribute("Light", |l| l.whole("LightType", 3)));
    assert!(area.warnings.iter().any(|w| w.code == "W0464"), "{:?}", area.warnings);
}

#[test]
fn levels_of_detail_show_the_first() {
    let mut file = File::new();
    file.add(object("Model", 1, "group", "LodGroup"));
    file.add(object("NodeAttribute", 5, "", "LodGroup"));
    file.connect(5, 1);
    for (id, name) in [(2, "near"), (3, "far")] {
        file.add(object("Model", id, name, "Mesh"));
        file.connect(id, 1);
    }
    file.connect(1, 0);
    let model = imported(&file);
    assert_eq!(
        model.nodes.iter().map(|n| (n.name.as_str(), n.shown)).collect::<Vec<_>>(),
        [("group", true), ("near", true), ("far", false)]
    );
}
