//! Completing geometry: everything that a file left out, or left broken, is made.

use std::cmp::Ordering;

use glam::Vec3;
use stillframe_base::geom::Aabb;

use super::{normal, tangent, weld};
use crate::asset::{Bend, Geometry, Material, Slot, has_frame};

/// Which tangents a geometry without any gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum TangentWish {
    /// Some unit vector across each normal: for materials that no tangent shows of.
    Any,
    /// MikkTSpace over texture coordinates 0 or 1: those of the normal map; 0 for brushing and hair without one.
    Uv(u32),
}

impl TangentWish {
    /// What a material needs.
    pub fn of(material: &Material) -> TangentWish {
        // Nodes read normal maps by the first set.
        let is_read = material.graph.as_ref().is_some_and(|graph| graph.reads(stillframe_graph::Geometry::Tangent));
        let maps = [Slot::Normal, Slot::ClearcoatNormal, Slot::Anisotropy];
        match maps.into_iter().find_map(|slot| material.textures.get(&slot)) {
            _ if is_read => TangentWish::Uv(0),
            Some(slot) => TangentWish::Uv(slot.uv_set),
            None if has_frame(material) => TangentWish::Uv(0),
            None => TangentWish::Any,
        }
    }
}

/// Geometry that keeps every promise of [`Geometry`], and what was mended on the way.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Completed {
    pub geometry: Geometry,
    /// Triangles without an area, left out.
    pub degenerate_count: usize,
    /// Normals of zero length, made from the triangles around.
    pub mended_count: usize,
    /// So many triangles meet in one point that tangents were not made from texture coordinates.
    pub crowded: bool,
}

/// Makes raw geometry complete.
///
/// In this order: triangles without an area go; missing normals are made flat (and stored tangents ignored, as glTF
/// wants), broken ones from the triangles around; missing texture coordinates are 0; vertices equal in every bit become
/// one and unused ones go; tangents are made or cleaned; bounds are measured. Vertices keep their order.
pub fn complete(mut geometry: Geometry, wish: TangentWish) -> Completed {
    let before = geometry.indices.len();
    drop_degenerate(&mut geometry);
    let degenerate_count = (before - geometry.indices.len()) / 3;
    let (completed, _) = complete_by(geometry, wish, &|_, _| Ordering::Equal);
    Completed { degenerate_count, ..completed }
}

/// The same for a geometry that will be bent, which has normals: triangles without an area stay, since they may get
/// one, and only vertices that also bend alike become one.
///
/// Out: the geometry at rest, and what bends it.
pub fn complete_bending(geometry: Geometry, bend: &Bend, wish: TangentWish) -> (Completed, Bend) {
    assert_eq!(geometry.normals.len(), geometry.positions.len(), "normals that are made flat are made of what is bent");
    let (completed, sources) = complete_by(geometry, wish, &|a, b| bend.compare(a, b));
    (completed, bend.of_vertices(&sources))
}

/// Everything but triangles without an area. Out: also the old number of each vertex.
fn complete_by(
    mut geometry: Geometry,
    wish: TangentWish,
    other: &dyn Fn(u32, u32) -> Ordering,
) -> (Completed, Vec<u32>) {
    let mended_count = if geometry.normals.is_empty() {
        geometry.tangents = Vec::new();
        normal::make_flat(&mut geometry);
        0
    } else {
        normal::clean(&mut geometry)
    };
    let has_uv = match wish {
        TangentWish::Uv(0) => !geometry.uv0.is_empty(),
        TangentWish::Uv(_) => !geometry.uv1.is_empty(),
        TangentWish::Any => false,
    };
    let mut sources = weld::weld_by(&mut geometry, other);
    if geometry.uv0.is_empty() {
        geometry.uv0 = vec![[0.0; 2]; geometry.positions.len()];
    }
    let mut crowded = false;
    match wish {
        _ if !geometry.tangents.is_empty() => tangent::clean(&mut geometry),
        TangentWish::Uv(set) if has_uv && tangent::tractable(&geometry) => {
            let copies = tangent::make(&mut geometry, set);
            sources.extend(copies.iter().map(|copy| sources[*copy as usize]).collect::<Vec<u32>>());
        }
        _ => {
            crowded = has_uv;
            tangent::make_any(&mut geometry);
        }
    }
    geometry.bounds = bounds(&geometry.positions);
    (Completed { geometry, degenerate_count: 0, mended_count, crowded }, sources)
}

/// Bounds of points; empty for none.
pub fn bounds(positions: &[[f32; 3]]) -> Aabb {
    Aabb::of_points(positions.iter().map(|p| Vec3::from(*p)))
}

/// Removes triangles whose corners lie on a line or in a point, as far as 32 bits can tell.
fn drop_degenerate(geometry: &mut Geometry) {
    let mut kept = 0;
    for start in (0..geometry.indices.len() / 3 * 3).step_by(3) {
        if normal::face_normal(&geometry.positions, &geometry.indices[start..start + 3]) != Vec3::ZERO {
            geometry.indices.copy_within(start..start + 3, kept);
            kept += 3;
        }
    }
    geometry.indices.truncate(kept);
}
