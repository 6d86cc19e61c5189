//! Normals of shapes that the file gives none for: what a mesh has that stands as the shape does.

use std::collections::BTreeMap;

use glam::Vec3;
use stillframe_models::import::Model;
use stillframe_testkit::fbx::write::{File, Record, layer, object, one};
use stillframe_testkit::worse;

use super::layers::smoothing;
use super::{asset, imported, showing};

/// Two triangles that share the edge of points 1 and 2; the last point is `up` above them.
fn fold(up: f64, layers: Vec<Record>) -> Record {
    object("Geometry", 20, "fold", "Mesh")
        .with([
            one("Vertices", vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, up]),
            one("PolygonVertexIndex", vec![0, 1, -3, 1, 3, -3]),
            one("Edges", vec![0, 1, 2, 3, 4]),
        ])
        .with(layers)
}

/// The flat fold with a shape that lifts its last point by 1, with these lists of the shape's.
fn lifted(layers: Vec<Record>, more: Vec<Record>) -> File {
    let mut file = showing(fold(0.0, layers));
    file.add(object("Deformer", 40, "face", "BlendShape"));
    file.connect(40, 20);
    file.add(object("Deformer", 41, "lift", "BlendShapeChannel").with([one("DeformPercent", 100.0)]));
    file.connect(41, 40);
    let shape = [one("Indexes", vec![3]), one("Vertices", vec![0.0, 0.0, 1.0])];
    file.add(object("Geometry", 50, "lift", "Shape").with(shape).with(more));
    file.connect(50, 41);
    file
}

/// The normal of each triangle's corners with the first shape added.
fn normals(model: &Model) -> Vec<Vec3> {
    let geometry = &model.geometries[0];
    let mut normals: Vec<Vec3> = geometry.surface.normals.iter().map(|normal| Vec3::from(*normal)).collect();
    if let Some(target) = geometry.targets.first() {
        for (vertex, normal) in target.vertices.iter().zip(&target.normals) {
            normals[*vertex as usize] += Vec3::from(*normal);
        }
    }
    geometry.surface.indices.iter().map(|vertex| normals[*vertex as usize]).collect()
}

fn near(a: &[Vec3], b: &[Vec3]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.distance(*b) < 1e-6)
}

/// Whichever way corners belong together: a shape without normals has those of a mesh that is built like it.
#[test]
fn shapes_are_smoothed_as_meshes_are() {
    for (mapping, values) in [
        ("ByPolygon", vec![1, 1]),
        ("ByPolygon", vec![3, 6]),
        ("ByPolygon", vec![1, 2]),
        ("ByPolygon", vec![0, 0]),
        ("ByEdge", vec![1, 1, 1, 1, 1]),
        ("ByEdge", vec![1, 0, 1, 1, 1]),
    ] {
        let layers = || vec![smoothing(mapping, values.clone())];
        let want = normals(&imported(&showing(fold(1.0, layers()))));
        let made = imported(&lifted(layers(), Vec::new()));
        assert!(near(&normals(&made), &want), "{mapping} {values:?}: {:?}, not {want:?}", normals(&made));
        // The same from a program that writes zeros because it knows no normals of shapes.
        let zeros = imported(&lifted(layers(), vec![one("Normals", vec![0.0; 3])]));
        assert_eq!(zeros.geometries, made.geometries, "{mapping} {values:?}");
        let folds = (values.len() == 2 && values[0] & values[1] == 0) || values == [1, 0, 1, 1, 1];
        assert_eq!(made.geometries[0].sources.len(), if folds { 6 } else { 4 }, "{mapping} {values:?}");
    }
}

/// Normals that the file gives are what is added, whatever the surface does.
#[test]
fn normals_of_the_file_stand() {
    let model = imported(&lifted(vec![smoothing("ByPolygon", vec![1, 1])], vec![one("Normals", vec![0.0, 0.5, 0.0])]));
    let target = &model.geometries[0].targets[0];
    assert_eq!((target.vertices.len(), &target.normals[..]), (1, &[[0.0, 0.5, 0.0]][..]));
}

/// Without smoothing, what shares a normal at rest shares one in the shape; normals of the file's own making turn as
/// the surface does.
#[test]
fn normals_turn_with_their_surface() {
    let all = |normal: [f64; 3]| {
        vec![layer("LayerElementNormal", 0, ["AllSame", "Direct"], ("Normals", normal.to_vec()), None)]
    };
    let smooth = normals(&imported(&showing(fold(1.0, vec![smoothing("ByPolygon", vec![1, 1])]))));
    let plain = imported(&lifted(all([0.0, 0.0, 1.0]), Vec::new()));
    assert!(near(&normals(&plain), &smooth), "{:?}, not {smooth:?}", normals(&plain));
    let leaning = normals(&imported(&lifted(all([0.6, 0.0, 0.8]), Vec::new())));
    for (corner, (normal, surface)) in leaning.iter().zip(&smooth).enumerate() {
        assert!((normal.length() - 1.0).abs() < 1e-6, "{corner}: {normal}");
        assert!((normal.dot(*surface) - 0.8).abs() < 1e-6, "{corner}: it leans as far as it did, {normal}");
    }
    assert_eq!(leaning[0], Vec3::new(0.6, 0.0, 0.8), "the corner that no moved triangle has");
}

/// A shape that moves nothing turns nothing, and one that moves everything along turns nothing either.
#[test]
fn what_stays_is_not_turned() {
    for by in [[0.0, 0.0, 0.0], [2.0, -1.0, 0.5]] {
        let mut file = lifted(vec![smoothing("ByPolygon", vec![1, 1])], Vec::new());
        let shape = file.objects.iter_mut().find(|object| object.values[0] == 50_i64.into()).expect("the shape");
        shape.inside = vec![one("Indexes", vec![0, 1, 2, 3]), one("Vertices", by.repeat(4))];
        let model = imported(&file);
        let target = &model.geometries[0].targets[0];
        assert!(target.normals.iter().flatten().all(|x| x.abs() < 1e-6), "{by:?}: {:?}", target.normals);
        assert_eq!(target.vertices.len(), 4, "{by:?}");
    }
}

/// Blender's FBX has no normals of shapes, its glTF has: both are one face.
#[test]
fn a_face_is_the_same_from_both_formats() {
    let (fbx, gltf) = (asset("mannequin.fbx"), asset("mannequin.glb"));
    for (shape, name) in ["blink_L", "blink_R", "smile", "mouth_open", "breathe"].into_iter().enumerate() {
        let of = |model: &Model, turn: &dyn Fn(Vec3) -> Vec3| {
            let mut out: BTreeMap<u32, Vec3> = BTreeMap::new();
            for geometry in &model.geometries {
                let Some(target) = geometry.targets.get(shape) else { continue };
                for (vertex, normal) in target.vertices.iter().zip(&target.normals) {
                    let at_rest = Vec3::from(geometry.surface.normals[*vertex as usize]);
                    let turned = turn((at_rest + Vec3::from(*normal)).normalize());
                    out.insert(geometry.sources[*vertex as usize], turned);
                }
            }
            out
        };
        // Blender's meshes are Z up; glTF's exporter has turned them.
        let (ours, theirs) = (of(&fbx, &|n| Vec3::new(n.x, n.z, -n.y)), of(&gltf, &|n| n));
        let both: Vec<(&u32, &Vec3, &Vec3)> =
            ours.iter().filter_map(|(point, normal)| Some((point, normal, theirs.get(point)?))).collect();
        assert!(both.len() > 20, "{name}: {} of {} and {}", both.len(), ours.len(), theirs.len());
        let worst = both.iter().map(|(_, a, b)| a.angle_between(**b).to_degrees()).fold(0.0, worse);
        assert!(worst < 2.0, "{name}: {worst} degrees");
    }
}
