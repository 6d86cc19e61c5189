//! Relative: nodes in their parents' spaces, however the file writes them, as translation, rotation and scale.
//!
//! What is translation, rotation and scale already stays what it is: a matrix between would lose the rotation below a scale of 0, and
//! which axes a scale mirrors.

use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};
use stillframe_anim::sample::DTrs;

use super::local::State;
use super::place::{Playing, placed, states};
use crate::import::{Inherit, Local, Model, Trs};

/// Axes this much shorter than the longest one have no direction.
const FLAT: f64 = 1e-12;

/// Every node relative to its parent, roots to the model, while some of the model's clips play. What a scale has sheared is straight
/// again; a node that leaves out the scale of a parent without size stands as it does by itself.
pub fn locals(model: &Model, playing: &[Playing]) -> Vec<DTrs> {
    let states = states(model, playing);
    let inherits = |node: usize| matches!(&states[node].local, Local::Stack(stack) if stack.inherit != Inherit::RSrs);
    let is_apart = |node: usize| model.nodes[node].parent.is_some() && inherits(node);
    let globals: Vec<DMat4> = match (0..states.len()).any(is_apart) {
        true => placed(model, &states).collect(),
        false => Vec::new(),
    };
    let local = |(node, state): (usize, &State)| match model.nodes[node].parent {
        Some(parent) if inherits(node) => apart(&globals[parent], &globals[node]).unwrap_or_else(|| own(&state.local)),
        Some(_) => own(&state.local),
        None => top(model.model_from_file, &state.local),
    };
    states.iter().enumerate().map(local).collect()
}

/// A node by itself.
fn own(local: &Local) -> DTrs {
    match local {
        Local::Trs(trs) => sound(trs),
        Local::Stack(stack) => sound(&stack.trs()),
        Local::Matrix(matrix) => sound(&parts(&matrix.as_dmat4())),
    }
}

/// A node that no other one is above.
fn top(model_from_file: DMat4, local: &Local) -> DTrs {
    if model_from_file == DMat4::IDENTITY {
        return own(local);
    }
    let above = parts(&model_from_file);
    let size = above.scale.max_element();
    let is_even = above.scale.cmpgt(DVec3::ZERO).all() && (above.scale - size).abs().max_element() <= FLAT * size;
    let DTrs { translation, rotation, scale } = own(local);
    match (is_even, local) {
        (true, Local::Trs(_) | Local::Stack(_)) => DTrs {
            translation: model_from_file.transform_point3(translation),
            rotation: (above.rotation * rotation).normalize(),
            scale: scale * size,
        },
        (_, Local::Matrix(matrix)) => sound(&parts(&(model_from_file * matrix.as_dmat4()))),
        _ => sound(&parts(&(model_from_file * DMat4::from_scale_rotation_translation(scale, rotation, translation)))),
    }
}

/// A node from where it and its parent stand; none below a parent without size.
fn apart(parent: &DMat4, node: &DMat4) -> Option<DTrs> {
    let local = DAffine3::from_mat4(*parent).inverse() * DAffine3::from_mat4(*node);
    local.is_finite().then(|| sound(&parts(&DMat4::from(local))))
}

fn sound(local: &Trs) -> DTrs {
    let finite = |vector: DVec3| if vector.is_finite() { vector } else { DVec3::ZERO };
    let rotation = match local.rotation.length() {
        length if length > 0.0 && length.is_finite() => local.rotation.normalize(),
        _ => DQuat::IDENTITY,
    };
    DTrs { translation: finite(local.translation), rotation, scale: finite(local.scale) }
}

/// A matrix as translation, rotation and scale. Axes without length are put where they make a rotation of the others, as little turned
/// as can be.
pub(super) fn parts(matrix: &DMat4) -> Trs {
    let axes = DMat3::from_mat4(*matrix);
    let lengths = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
    let longest = lengths.into_iter().fold(0.0, f64::max);
    let translation = matrix.w_axis.truncate();
    let is_flat = !(axes.determinant().abs() > FLAT * lengths.iter().product::<f64>()) || lengths.contains(&0.0);
    if !is_flat {
        let (scale, rotation, _) = matrix.to_scale_rotation_translation();
        return Trs { translation, rotation: rotation.normalize(), scale };
    }
    let is_long = lengths.map(|length| length > FLAT * longest);
    let unit = |axis: usize| axes.col(axis) / lengths[axis];
    // The longest first: what is left of others must stand square on it.
    let first = (0..3).rev().max_by(|a, b| lengths[*a].total_cmp(&lengths[*b])).unwrap_or(0);
    let rotation = match is_long[first] && lengths[first].is_finite() {
        false => DQuat::IDENTITY,
        true => {
            let [second, third] = [(first + 1) % 3, (first + 2) % 3];
            let square = |axis: usize| {
                let rest = unit(axis) - unit(first) * unit(axis).dot(unit(first));
                (is_long[axis] && rest.length() > 1e-6).then(|| rest.normalize())
            };
            let mut columns = [DVec3::ZERO; 3];
            columns[first] = unit(first);
            match (square(second), square(third)) {
                (Some(axis), _) => (columns[second], columns[third]) = (axis, unit(first).cross(axis)),
                (None, Some(axis)) => (columns[second], columns[third]) = (axis.cross(unit(first)), axis),
                (None, None) => {
                    let turn = DQuat::from_rotation_arc(DVec3::AXES[first], unit(first));
                    (columns[second], columns[third]) = (turn * DVec3::AXES[second], turn * DVec3::AXES[third]);
                }
            }
            DQuat::from_mat3(&DMat3::from_cols(columns[0], columns[1], columns[2])).normalize()
        }
    };
    Trs { translation, rotation, scale: DVec3::from_array(lengths) }
}

#[cfg(test)]
mod tests {
    use glam::{DVec4, EulerRot};

    use super::*;

    /// Whatever is flat keeps its place, and turns what still has a length as it did.
    #[test]
    fn flat_matrices_keep_what_they_tell() {
        let turned = DQuat::from_euler(EulerRot::XYZ, 0.3, -0.8, 1.1);
        let place = DVec3::new(1.0, -2.0, 3.0);
        for scale in [[2.0, 0.0, 0.5], [0.0, 3.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 4.0], [0.0, 2.0, 0.0], [0.0; 3]] {
            let scale = DVec3::from_array(scale);
            let matrix = DMat4::from_scale_rotation_translation(scale, turned, place);
            let found = parts(&matrix);
            assert!(found.matrix().abs_diff_eq(matrix, 1e-12), "{scale}: {found:?}");
            assert!(found.rotation.is_normalized(), "{scale}: {found:?}");
            if scale.cmpgt(DVec3::ZERO).bitmask().count_ones() == 2 {
                assert!(found.rotation.dot(turned).abs() > 1.0 - 1e-12, "{scale}: {found:?}");
            }
        }
        // Two axes that are one, as a shear that has gone all the way.
        let sheared = DMat4::from_cols(DVec4::X, DVec4::X, DVec4::Z, place.extend(1.0));
        let found = parts(&sheared);
        assert!(found.rotation.is_normalized() && found.translation == place, "{found:?}");
    }
}
