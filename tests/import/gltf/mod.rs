//! Import: files become models and worlds as their makers meant them; what is broken becomes a diagnostic.

mod accessors;
mod cached;
mod clips;
mod documents;
mod extensions;
mod first;
mod hostile;
mod oracle;
mod packed;
mod placed;
mod surface;

use std::path::{Path, PathBuf};

use glam::{Mat4, Vec3};
use stillframe_asset::asset::Geometry;
use stillframe_asset::source::Diagnostic;
use stillframe_base::geom::Aabb;
use stillframe_models::import::{self, Local, Model};
use stillframe_testkit::worse;
use stillframe_world::pose;

pub fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets")
}

pub fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    std::fs::read(path).map_err(|e| Diagnostic::error("E0301", path, e.to_string()))
}

pub fn asset(name: &str) -> Model {
    let file = assets().join(name);
    let bytes = read(&file).expect("readable");
    import::gltf(&file, &bytes, &read).unwrap_or_else(|d| panic!("{name}: {d:#?}"))
}

/// Imports bytes as if they stood beside the assets.
pub fn import_bytes(bytes: &[u8]) -> Result<Model, Vec<Diagnostic>> {
    import::gltf(&assets().join("test.glb"), bytes, &read)
}

/// Everything that a model shows as its nodes are stored: the node, the geometry bent, where it stands.
pub fn shown(model: &Model) -> Vec<(usize, Geometry, Mat4)> {
    let pose = pose::pose(model, &[]);
    let mut out = Vec::new();
    for (index, node) in model.nodes.iter().enumerate() {
        for part in &node.parts {
            let stored = || model.geometries[part.geometry].surface.clone();
            let bent = pose::bend(model, index, part.geometry, &pose).unwrap_or_else(stored);
            out.push((index, bent, pose.model_from_parts[index]));
        }
    }
    out
}

/// Bounds of everything shown, by transformed vertices.
fn model_bounds(model: &Model) -> Aabb {
    let shown = shown(model);
    let points = shown.iter().flat_map(|(_, geometry, model_from_parts)| {
        geometry.positions.iter().map(|p| model_from_parts.transform_point3(Vec3::from(*p)))
    });
    Aabb::of_points(points)
}

#[test]
fn assets_have_the_sizes_that_their_list_says() {
    // Vertices and triangles as they are shown; shared ones count each time.
    let any = f32::NAN;
    for (name, vertex_count, triangle_count, min, max) in [
        ("mannequin.glb", 7568, 13192, [any; 3], [any; 3]),
        ("scene.gltf", 22507, 41952, [-10.0, -0.568, -10.0], [10.0, 1.9, 10.0]),
        ("materials.glb", 21430, 39680, [-2.4, -0.9, -0.4], [2.4, 0.9, 0.4]),
        ("spheres.glb", 4 + 25 * 8385, 2 + 25 * 16128, [-20.0, 0.0, -20.0], [20.0, 0.8, 20.0]),
        ("teapot.glb", 3353, 6200, [-0.176, 0.0, -0.107], [0.1835, 0.204, 0.107]),
        ("column.glb", 3490, 6528, [any; 3], [any; 3]),
        ("crate.glb", 216, 108, [-0.25; 3], [0.25; 3]),
        ("suzanne.glb", 2109, 3936, [-0.663, -0.4852, -0.3891], [0.663, 0.4696, 0.4112]),
        ("terrain.glb", 9409, 18432, [-10.0, -0.568, -10.0], [10.0, 0.917, 10.0]),
        ("leaf_card.glb", 4, 2, [any; 3], [any; 3]),
    ] {
        let model = asset(name);
        let shown = || model.nodes.iter().flat_map(|n| &n.parts).map(|p| &model.geometries[p.geometry].surface);
        assert_eq!(shown().map(|g| g.positions.len()).sum::<usize>(), vertex_count, "{name}: vertices");
        assert_eq!(shown().map(|g| g.indices.len() / 3).sum::<usize>(), triangle_count, "{name}: triangles");
        let bounds = model_bounds(&model);
        for axis in 0..3 {
            for (found, wanted) in [(bounds.min[axis], min[axis]), (bounds.max[axis], max[axis])] {
                assert!(wanted.is_nan() || (found - wanted).abs() < 1e-3, "{name}: axis {axis}: {found} for {wanted}");
            }
        }
        assert_eq!(model.warnings.len(), 0, "{name}: {:#?}", model.warnings);
    }
}

/// Another reader of the same files finds the same numbers, bit for bit.
#[test]
fn the_gltf_crate_reads_the_same_vertices() {
    for name in ["teapot.glb", "crate.glb", "materials.glb", "terrain.glb", "leaf_card.glb", "spheres.glb"] {
        let ours = asset(name);
        let bytes = read(&assets().join(name)).expect("readable");
        let theirs = gltf::Gltf::from_slice_without_validation(&bytes).expect("glTF");
        let blob = theirs.blob.as_deref();
        let mut compared = 0;
        for node in theirs.nodes().filter(|n| n.mesh().is_some()) {
            let found = ours.nodes.iter().find(|n| Some(n.name.as_str()) == node.name()).expect("same names");
            let primitives = node.mesh().expect("filtered").primitives();
            assert_eq!(found.parts.len(), primitives.len(), "{name}");
            for (part, primitive) in found.parts.iter().zip(primitives) {
                let reader = primitive.reader(|_| blob);
                let geometry = &ours.geometries[part.geometry].surface;
                assert!(reader.read_positions().expect("positions").eq(geometry.positions.iter().copied()), "{name}");
                assert!(reader.read_normals().expect("normals").eq(geometry.normals.iter().copied()), "{name}");
                let uv: Vec<[f32; 2]> = reader.read_tex_coords(0).map_or(Vec::new(), |uv| uv.into_f32().collect());
                assert_eq!(uv, geometry.uv0, "{name}");
                let tangents: Vec<[f32; 4]> = reader.read_tangents().map_or(Vec::new(), Iterator::collect);
                assert_eq!(tangents, geometry.tangents, "{name}");
                let indices: Vec<u32> = reader.read_indices().expect("indices").into_u32().collect();
                assert_eq!(indices, geometry.indices, "{name}");
                compared += 1;
            }
            let Local::Trs(local) = &found.local else { panic!("{name}: {:?}", found.local) };
            let (theirs, ours) = (node.transform().matrix(), local.matrix().as_mat4().to_cols_array_2d());
            for (a, b) in theirs.iter().flatten().zip(ours.iter().flatten()) {
                assert!((a - b).abs() < 1e-5, "{name}: {theirs:?} {ours:?}");
            }
        }
        assert!(compared > 0, "{name}");
    }
}

/// The figure stands as its maker saw it: skinned at the stored nodes, vertices matched by their stored numbers.
#[test]
fn skinned_rest_pose_is_the_oracles() {
    let model = asset("mannequin.glb");
    let rest = stillframe_testkit::npy::oracle("mannequin_rest.npy");
    let bytes = read(&assets().join("mannequin.glb")).expect("readable");
    let numbers = documents::custom_attribute(&bytes, "_VID");
    let mut worst_m = 0.0_f32;
    let mut seen = 0;
    for ((_, geometry, model_from_parts), numbers) in shown(&model).into_iter().zip(&numbers) {
        assert_eq!(model_from_parts, Mat4::IDENTITY, "a skin stands in model space");
        assert_eq!(geometry.positions.len(), numbers.len());
        for (position, number) in geometry.positions.iter().zip(numbers) {
            let start = *number as usize * 3;
            let wanted = Vec3::from_slice(&rest.values[start..start + 3]);
            worst_m = worse(worst_m, (Vec3::from(*position) - wanted).length());
            seen += 1;
        }
    }
    assert_eq!(seen, 7568);
    assert!(worst_m < 1e-5, "{worst_m} m");
}
