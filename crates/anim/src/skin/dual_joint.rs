//! Dual joint: what a matrix of a palette does, as a dual quaternion and a scale.

use glam::{Affine3A, Quat, Vec3A};
use stillframe_base::lanes::Row;

use super::SkinError;
use crate::pose::Affine;

/// How far from a turn with an even scale a matrix may be, relative to its scale squared.
const NOT_RIGID_MAX: f64 = 1e-3;

/// A turn, a translation and an even scale: a row of the real quaternion x y z w, the dual one, the scale and zeros;
/// then the same with both quaternions negated.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub struct DualJoint(pub [Row; 2]);

impl DualJoint {
    pub const IDENTITY: DualJoint = DualJoint([
        Row([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        Row([-0.0, -0.0, -0.0, -1.0, -0.0, -0.0, -0.0, -0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ]);

    /// Of the real and the dual quaternion and the scale.
    pub fn of_parts(real: [f32; 4], dual: [f32; 4], scale: f32) -> DualJoint {
        let mut rows = [Row::ZERO; 2];
        for (n, number) in real.into_iter().chain(dual).enumerate() {
            (rows[0].0[n], rows[1].0[n]) = (number, -number);
        }
        (rows[0].0[8], rows[1].0[8]) = (scale, scale);
        DualJoint(rows)
    }

    fn new(rotation: Quat, translation: Vec3A, scale: f32) -> DualJoint {
        let (t, q) = (translation, rotation);
        // Half of translation times rotation.
        let dual = [
            0.5 * ((t.x * q.w + t.y * q.z) - t.z * q.y),
            0.5 * ((t.y * q.w + t.z * q.x) - t.x * q.z),
            0.5 * ((t.z * q.w + t.x * q.y) - t.y * q.x),
            -0.5 * ((t.x * q.x + t.y * q.y) + t.z * q.z),
        ];
        DualJoint::of_parts(q.to_array(), dual, scale)
    }
}

/// Writes a palette as dual quaternions. Matrices that do more than turn, move and scale evenly are an error, and so
/// are mirrors.
///
/// Shapes: `out` has an entry a matrix.
pub fn dual_palette(palette: &[Affine], out: &mut [DualJoint]) -> Result<(), SkinError> {
    if out.len() != palette.len() {
        return Err(SkinError::Length { what: "dual quaternions", count: out.len(), want: palette.len() });
    }
    for (joint, (affine, out)) in palette.iter().zip(out).enumerate() {
        let Affine3A { matrix3, translation } = Affine3A::from(*affine);
        let axes = [matrix3.x_axis, matrix3.y_axis, matrix3.z_axis].map(|axis| axis.as_dvec3());
        let squared = (axes[0].length_squared() + axes[1].length_squared() + axes[2].length_squared()) / 3.0;
        let mut off = if axes[0].cross(axes[1]).dot(axes[2]) > 0.0 { 0.0f64 } else { f64::INFINITY };
        for (a, b, want) in [(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0), (0, 1, 0.0), (1, 2, 0.0), (2, 0, 0.0)] {
            off = off.max((axes[a].dot(axes[b]) / squared - want).abs());
        }
        if !(off <= NOT_RIGID_MAX && translation.is_finite()) {
            return Err(SkinError::NotRigid { joint, off });
        }
        let scale = squared.sqrt();
        let [x, y, z] = axes.map(|axis| axis / scale);
        let rotation = glam::DQuat::from_mat3(&glam::DMat3::from_cols(x, y, z)).normalize();
        *out = DualJoint::new(rotation.as_quat(), translation, scale as f32);
    }
    Ok(())
}
