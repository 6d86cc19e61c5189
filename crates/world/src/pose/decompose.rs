//! Decomposition: a matrix as translation, rotation and scale.

use glam::{DMat3, DMat4, DQuat, DVec3};

use crate::import::Trs;

/// Axes this much shorter than the longest one have no direction.
pub(super) const FLAT: f64 = 1e-12;

/// A matrix as translation, rotation and scale. Axes without length are put where they make a rotation of the others,
/// as little turned as can be.
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
