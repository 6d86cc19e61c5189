//! Far: models that stand far from their file's origin, as surveys, scans and buildings do.
//!
//! An f32 has seven digits: at 50 km it tells 4 mm apart, and a picture shows noise. So a model whose middle is farther
//! from the origin than [`FAR_RATIO`] times its size is moved there, in f64, before its numbers become f32. Where it
//! stood is kept ([`Model::origin`]): scenes put it back, bare models are shown where nothing is lost.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};

use super::{Inherit, Inherited, Local, Model, ModelNode};

/// Farther than this times its size is far. At that distance steps of f32 are a tenth of a thousandth of the size.
const FAR_RATIO: f64 = 1000.0;

/// The middle of points, if it is far away.
pub fn far_middle(points: impl IntoIterator<Item = DVec3>) -> Option<DVec3> {
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for point in points {
        (min, max) = (min.min(point), max.max(point));
    }
    let (middle, size) = ((min + max) * 0.5, (max - min).length());
    (size > 0.0 && size.is_finite() && middle.length() > FAR_RATIO * size).then_some(middle)
}

/// Moves points whose exact places are known. Out: what was taken off, if they are far away.
pub fn move_points(positions: &mut [[f32; 3]], exact: &[DVec3]) -> Option<DVec3> {
    let middle = far_middle(exact.iter().copied())?;
    for (position, exact) in positions.iter_mut().zip(exact) {
        *position = (*exact - middle).as_vec3().to_array();
    }
    Some(middle)
}

/// Whether points are so far away that their exact places are worth reading.
pub fn is_far(positions: &[[f32; 3]]) -> bool {
    far_middle(positions.iter().map(|p| DVec3::from(p.map(f64::from)))).is_some()
}

/// Where nodes stand as they are stored.
pub fn places(model: &Model) -> Vec<Inherited> {
    let top = Inherited::top(model.model_from_file);
    let mut placed: Vec<Inherited> = Vec::with_capacity(model.nodes.len());
    for node in &model.nodes {
        let above = node.parent.map_or(top, |parent| placed[parent]);
        placed.push(match &node.local {
            Local::Trs(trs) => above.below(trs, Inherit::RSrs),
            Local::Matrix(matrix) => above.below_matrix(**matrix),
            Local::Stack(stack) => above.below(&stack.trs(), stack.inherit),
        });
    }
    placed
}

/// Moves a model whose nodes stand far away, with its cameras and lights.
pub fn move_nodes(model: &mut Model) {
    let places = places(model);
    let mut corners: Vec<DVec3> = Vec::new();
    for (node, place) in model.nodes.iter().zip(&places) {
        let model_from_parts = place.global * node.local_from_parts.as_dmat4();
        // Joints place what hangs on them; without a pose, they themselves tell where that is.
        let joints = node.skin.map_or(&[][..], |skin| &model.skins[skin].joints);
        corners.extend(joints.iter().map(|joint| places[joint.node].global.w_axis.truncate()));
        for part in node.parts.iter().filter(|_| node.skin.is_none() && node.shown) {
            let points = model.geometries[part.geometry].surface.positions.iter();
            let points = points.map(|point| DVec3::from(point.map(f64::from)));
            let (min, max) =
                points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), p| (min.min(p), max.max(p)));
            if min.is_finite() && max.is_finite() {
                let corner = |i: u8| DVec3::select(glam::BVec3::new(i & 1 > 0, i & 2 > 0, i & 4 > 0), max, min);
                corners.extend((0..8).map(|i| model_from_parts.transform_point3(corner(i))));
            }
        }
    }
    if let Some(middle) = far_middle(corners) {
        model.model_from_file = DMat4::from_translation(-middle) * model.model_from_file;
        model.origin = middle;
        move_parts(model);
    }
}

/// Moves what nodes show to the nodes, where it is far from them: their own places, with the digits of an f64, have
/// been moved already. What a skin bends stays, and what several nodes show together with different parts.
fn move_parts(model: &mut Model) {
    let list_of = |node: &ModelNode| node.parts.iter().map(|part| part.geometry).collect::<Vec<_>>();
    let mut lists: BTreeMap<Vec<usize>, Option<DVec3>> = BTreeMap::new();
    let mut shown: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, node) in model.nodes.iter().enumerate().filter(|(_, node)| !node.parts.is_empty()) {
        let list = list_of(node);
        if node.skin.is_some() || !lists.contains_key(&list) {
            // One mark for each list, and one for each node with a skin.
            list.iter().for_each(|geometry| shown.entry(*geometry).or_default().push(number));
        }
        if node.skin.is_none() {
            lists.entry(list).or_default();
        }
    }
    for (list, moved) in &mut lists {
        if list.iter().any(|geometry| shown[geometry].len() > 1) {
            continue;
        }
        let points = list.iter().flat_map(|geometry| &model.geometries[*geometry].surface.positions);
        let middle = far_middle(points.map(|point| DVec3::from(point.map(f64::from))));
        // Of an f32's digits, so that nothing is lost where it is put back.
        *moved = middle.map(|middle| middle.as_vec3().as_dvec3());
        for geometry in list.iter().filter(|_| moved.is_some()) {
            for point in &mut model.geometries[*geometry].surface.positions {
                *point = (DVec3::from(point.map(f64::from)) - moved.unwrap_or_default()).as_vec3().to_array();
            }
        }
    }
    for node in model.nodes.iter_mut().filter(|node| node.skin.is_none()) {
        if let Some(Some(middle)) = lists.get(&list_of(node)) {
            let parts = node.local_from_parts.as_dmat4() * DMat4::from_translation(*middle);
            node.local_from_parts = parts.as_mat4();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_is_a_matter_of_size() {
        let cube = |at: DVec3, side: f64| far_middle([at - side * 0.5, at + side * 0.5]);
        assert_eq!(cube(DVec3::new(50_000.0, 0.0, 50_000.0), 2.0), Some(DVec3::new(50_000.0, 0.0, 50_000.0)));
        assert_eq!(cube(DVec3::new(50_000.0, 0.0, 50_000.0), 100.0), None);
        assert_eq!(cube(DVec3::ZERO, 1e-30), None);
        assert_eq!(cube(DVec3::X, 0.0), None);
        assert_eq!(far_middle([]), None);
        assert_eq!(far_middle([DVec3::ZERO, DVec3::splat(f64::NAN)]), None);
    }
}
