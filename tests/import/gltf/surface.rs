//! Surfaces: tangents as other tools make them, and as hand calculation says.

use glam::Vec3;
use stillframe_asset::asset::Geometry;
use stillframe_models::bake::{TangentWish, complete};

use super::asset;

/// Blender stored MikkTSpace tangents in these files; ours are the same where theirs are taken away.
#[test]
fn tangents_equal_those_that_blender_stored() {
    for (name, share_min) in [("crate.glb", 0.99), ("materials.glb", 0.97)] {
        let model = asset(name);
        let (mut near, mut all) = (0, 0);
        for raw in model.geometries.iter().map(|g| &g.surface).filter(|g| !g.tangents.is_empty() && !g.uv0.is_empty()) {
            let bare = Geometry { tangents: Vec::new(), ..raw.clone() };
            let baked = complete(bare, TangentWish::Uv(0));
            assert!(!baked.crowded);
            assert_eq!(baked.degenerate_count, 0, "{name}: corners would not match up");
            assert_eq!(raw.indices.len(), baked.geometry.indices.len(), "{name}");
            for (stored, made) in raw.indices.iter().zip(&baked.geometry.indices) {
                let stored = raw.tangents[*stored as usize];
                let made = baked.geometry.tangents[*made as usize];
                let cosine = Vec3::from_slice(&stored).dot(Vec3::from_slice(&made));
                near += usize::from(cosine > 0.999 && stored[3] == made[3]);
                all += 1;
            }
        }
        assert!(all > 300, "{name}: {all}");
        assert!(near as f64 >= all as f64 * share_min, "{name}: {near} of {all} corners agree");
    }
}

/// A square in the XY plane with texture coordinates that an affine map makes of its positions.
fn square(u: [f32; 3], v: [f32; 3]) -> Geometry {
    let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let at = |row: [f32; 3], p: &[f32; 3]| row[0] * p[0] + row[1] * p[1] + row[2];
    Geometry {
        uv0: positions.iter().map(|p| [at(u, p), at(v, p)]).collect(),
        normals: vec![[0.0, 0.0, 1.0]; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
        positions,
        ..Geometry::default()
    }
}

#[test]
fn tangents_of_plain_mirrored_and_turned_squares() {
    // v counts downwards: an upright picture has v = 1 - y. The bitangent must point up on the picture.
    let s = std::f32::consts::FRAC_1_SQRT_2;
    for (what, u, v, tangent, w) in [
        ("upright", [1.0, 0.0, 0.0], [0.0, -1.0, 1.0], [1.0, 0.0, 0.0], 1.0),
        ("mirrored in u", [-1.0, 0.0, 1.0], [0.0, -1.0, 1.0], [-1.0, 0.0, 0.0], -1.0),
        ("upside down", [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], -1.0),
        ("a quarter turn", [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 1.0),
        ("an eighth", [s, s, 0.0], [s, -s, 0.0], [s, s, 0.0], 1.0),
        ("stretched", [5.0, 0.0, 0.0], [0.0, -0.1, 1.0], [1.0, 0.0, 0.0], 1.0),
    ] {
        let baked = complete(square(u, v), TangentWish::Uv(0)).geometry;
        assert_eq!(baked.tangents.len(), 4, "{what}");
        for found in &baked.tangents {
            let off = (Vec3::from_slice(found) - Vec3::from(tangent)).length();
            assert!(off < 1e-5 && found[3] == w, "{what}: {found:?}");
            let up = Vec3::Z.cross(Vec3::from_slice(found)) * found[3];
            // Going along the bitangent, v must shrink.
            assert!(v[0] * up.x + v[1] * up.y < 0.0, "{what}: bitangent {up}");
        }
    }
}

#[test]
fn a_mirror_seam_splits_its_vertices() {
    // Two squares side by side that share an edge, texture coordinates mirrored across it.
    let geometry = Geometry {
        positions: vec![
            [-1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [-1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
        ],
        normals: vec![[0.0, 0.0, 1.0]; 6],
        uv0: vec![[1.0, 1.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 0.0]],
        indices: vec![0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4],
        ..Geometry::default()
    };
    let baked = complete(geometry, TangentWish::Uv(0)).geometry;
    assert_eq!(baked.positions.len(), 8, "the two vertices of the seam are there twice");
    for (corner, index) in baked.indices.iter().enumerate() {
        let wanted = if corner < 6 { [-1.0, 0.0, 0.0, -1.0] } else { [1.0, 0.0, 0.0, 1.0] };
        let found = baked.tangents[*index as usize];
        let off: f32 = found.iter().zip(wanted).map(|(a, b): (&f32, f32)| (a - b).abs()).sum();
        assert!(off < 1e-5, "corner {corner}: {found:?}");
    }
}

/// Too many triangles in one point: tangents come all the same, and it is told.
#[test]
fn a_crowded_fan_neither_hangs_nor_overflows() {
    let count = 300_000_u32;
    let mut geometry = Geometry::default();
    geometry.positions.push([0.0; 3]);
    for k in 0..=count {
        let x = k as f32 / count as f32;
        geometry.positions.push([1.0, x, x * x]);
    }
    geometry.uv0 = geometry.positions.iter().map(|p| [p[0], p[1]]).collect();
    geometry.normals = vec![[0.0, 0.0, 1.0]; geometry.positions.len()];
    geometry.indices = (1..=count).flat_map(|k| [0, k, k + 1]).collect();
    let baked = complete(geometry, TangentWish::Uv(0));
    assert!(baked.crowded);
    assert_eq!(baked.geometry.tangents.len(), baked.geometry.positions.len());
}

#[test]
fn missing_normals_are_flat_and_broken_ones_mended() {
    let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [5.0, 5.0, 5.0]];
    let indices = vec![0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 0, 1, 4, 4, 4];
    let raw = Geometry { positions: positions.clone(), indices: indices.clone(), ..Geometry::default() };
    let baked = complete(raw, TangentWish::Any);
    assert_eq!(baked.degenerate_count, 2);
    let geometry = &baked.geometry;
    assert_eq!((geometry.indices.len(), geometry.positions.len()), (12, 12));
    let third = 1.0 / 3.0_f32.sqrt();
    for (triangle, wanted) in geometry.indices.chunks_exact(3).zip([
        [0.0, 0.0, -1.0],
        [0.0, -1.0, 0.0],
        [-1.0, 0.0, 0.0],
        [third, third, third],
    ]) {
        for index in triangle {
            let found = Vec3::from(geometry.normals[*index as usize]);
            assert!((found - Vec3::from(wanted)).length() < 1e-6, "{found} for {wanted:?}");
        }
    }
    let raw = Geometry { positions, indices, normals: vec![[0.0; 3]; 5], ..Geometry::default() };
    let baked = complete(raw, TangentWish::Any);
    assert_eq!(baked.mended_count, 5);
    assert_eq!(baked.geometry.positions.len(), 4, "the unused vertex is gone");
    let found = Vec3::from(baked.geometry.normals[0]);
    assert!((found - Vec3::NEG_ONE.normalize()).length() < 1e-6, "{found}");
}
