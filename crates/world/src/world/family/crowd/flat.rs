//! Flat: normals for what figures of crowds wear. They are bent with the joints, so that they must be there before
//! anything is baked.

use crate::bake::make_flat;
use crate::import::{Influences, Model, ModelGeometry, MorphTarget};

/// Gives triangles without normals flat ones, and vertices of their own with all that bends them.
pub fn with_normals(model: &mut Model) {
    let lacks = |of: &&mut ModelGeometry| of.surface.normals.is_empty() && !of.surface.indices.is_empty();
    for geometry in model.geometries.iter_mut().filter(lacks) {
        // By vertex of the flat geometry the one that it was.
        let corners = geometry.surface.indices.clone();
        geometry.surface.tangents = Vec::new();
        make_flat(&mut geometry.surface);
        geometry.influences = influences(&geometry.influences, &corners);
        geometry.targets.iter_mut().for_each(|target| *target = shape(target, &corners));
        let sources = &geometry.sources;
        let source = |corner: &u32| sources.get(*corner as usize).copied().unwrap_or(*corner);
        geometry.sources = corners.iter().map(source).collect();
    }
}

fn influences(of: &Influences, corners: &[u32]) -> Influences {
    if of.starts.is_empty() {
        return Influences::default();
    }
    let mut out = Influences { starts: vec![0], ..Influences::default() };
    for corner in corners.iter().map(|corner| *corner as usize) {
        let range = of.starts[corner] as usize..of.starts[corner + 1] as usize;
        out.joints.extend(&of.joints[range.clone()]);
        out.weights.extend(&of.weights[range]);
        out.starts.push(out.joints.len() as u32);
        out.dual_shares.extend(of.dual_shares.get(corner));
    }
    out
}

/// Without normals and tangents: those that were stored belong to others.
fn shape(of: &MorphTarget, corners: &[u32]) -> MorphTarget {
    let mut out = MorphTarget { name: of.name.clone(), ..MorphTarget::default() };
    for (vertex, corner) in (0..).zip(corners) {
        if let Ok(at) = of.vertices.binary_search(corner) {
            out.vertices.push(vertex);
            out.positions.push(of.positions[at]);
        }
    }
    out
}
