//! Tree: the nodes of a scene and of its models, by name, by order and by transform. Never here: what moves them.

use glam::{Mat4, Quat, Vec3};

use crate::import::{Axis, Model};
use crate::scene::{Node, Placement, Up};

/// A path below another.
pub fn join(path: &str, name: &str) -> String {
    match (path.is_empty(), name.is_empty()) {
        (true, _) => name.to_string(),
        (_, true) => path.to_string(),
        _ => format!("{path}/{name}"),
    }
}

/// Nodes' names, below those of their parents.
pub fn paths(nodes: &[Node]) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(nodes.len());
    for node in nodes {
        out.push(join(node.parent.map_or("", |parent| &out[parent]), &node.name));
    }
    out
}

/// Positions of nodes depth first: each node, then its children in file order.
pub fn depth_first(nodes: &[Node]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        match node.parent {
            Some(parent) => children[parent].push(index),
            None => roots.push(index),
        }
    }
    let mut out = Vec::with_capacity(nodes.len());
    let mut stack: Vec<usize> = roots.into_iter().rev().collect();
    while let Some(index) = stack.pop() {
        out.push(index);
        stack.extend(children[index].iter().rev());
    }
    out
}

pub fn local_transform(placement: &Placement) -> Mat4 {
    Mat4::from_scale_rotation_translation(placement.scale, placement.rotation, placement.position)
}

/// What a node that hangs on a joint follows of it: translation, rotation, scale.
pub fn inherited(joint: Mat4, [translation, rotation, scale]: [bool; 3]) -> Mat4 {
    if translation && rotation && scale {
        return joint;
    }
    let (s, r, t) = joint.to_scale_rotation_translation();
    Mat4::from_scale_rotation_translation(
        if scale { s } else { Vec3::ONE },
        if rotation && r.is_finite() { r } else { Quat::IDENTITY },
        if translation { t } else { Vec3::ZERO },
    )
}

/// How a model is turned so that the wished axis is up. What its format says is already up stays so.
pub fn upright(wish: Up, file: Option<Axis>) -> Option<Quat> {
    // -90 degrees about +X: +Z becomes +Y.
    let z_to_y = Quat::from_xyzw(-std::f32::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2);
    match (wish, file) {
        (Up::Auto, Some(_)) | (Up::Y, Some(Axis::Y) | None) | (Up::Z, Some(Axis::Z)) => None,
        (Up::Auto | Up::Z, None) | (Up::Z, Some(_)) => Some(z_to_y),
        (Up::Y, Some(_)) => Some(z_to_y.inverse()),
    }
}

/// Which nodes of a model are shown: all, or those under nodes of the given names; of these only nodes with the given
/// meshes, where meshes are named. They stay where the file has them.
pub fn shown_nodes(model: &Model, choice: &crate::scene::Model) -> Vec<bool> {
    let mut shown = vec![choice.nodes.is_empty(); model.nodes.len()];
    for (index, node) in model.nodes.iter().enumerate() {
        let chosen = choice.nodes.contains(&node.name);
        shown[index] = shown[index] || chosen || node.parent.is_some_and(|p| shown[p]);
    }
    if !choice.meshes.is_empty() {
        for (node, shown) in model.nodes.iter().zip(&mut shown) {
            *shown &= node.mesh.as_ref().is_some_and(|mesh| choice.meshes.contains(mesh));
        }
    }
    shown
}
