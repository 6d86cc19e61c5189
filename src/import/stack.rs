//! FBX's transform stack: how a node's properties become its own matrix, and how it inherits its parent's.
//!
//! Source: FBX SDK, "Computing transformation matrices":
//! `T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1`.

use glam::{DMat4, DVec3};

/// Angles are in degrees, as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct TransformStack {
    pub translation: DVec3,
    pub rotation_deg: DVec3,
    pub scale: DVec3,
    pub order: EulerOrder,
    pub pre_rotation_deg: DVec3,
    pub post_rotation_deg: DVec3,
    pub rotation_offset: DVec3,
    pub rotation_pivot: DVec3,
    pub scaling_offset: DVec3,
    pub scaling_pivot: DVec3,
    pub inherit: Inherit,
}

/// The axis named first turns first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EulerOrder {
    #[default]
    Xyz,
    Xzy,
    Yzx,
    Yxz,
    Zxy,
    Zyx,
    /// Written in files; read as `Xyz`, as other readers do.
    SphericXyz,
}

/// In which order rotations R, r and scales S, s of parent and node meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inherit {
    /// Parent's rotation, node's rotation, parent's scale, node's scale.
    RrSs,
    /// As plain matrices multiply.
    #[default]
    RSrs,
    /// The parent's scale is left out.
    Rrs,
}

impl Default for TransformStack {
    fn default() -> TransformStack {
        TransformStack {
            translation: DVec3::ZERO,
            rotation_deg: DVec3::ZERO,
            scale: DVec3::ONE,
            order: EulerOrder::default(),
            pre_rotation_deg: DVec3::ZERO,
            post_rotation_deg: DVec3::ZERO,
            rotation_offset: DVec3::ZERO,
            rotation_pivot: DVec3::ZERO,
            scaling_offset: DVec3::ZERO,
            scaling_pivot: DVec3::ZERO,
            inherit: Inherit::default(),
        }
    }
}

impl TransformStack {
    /// The node's own matrix.
    pub fn matrix(&self) -> DMat4 {
        let at = DMat4::from_translation;
        let turn = |angles_deg, order| DMat4::from_quat(euler(angles_deg, order));
        at(self.translation)
            * at(self.rotation_offset)
            * at(self.rotation_pivot)
            * turn(self.pre_rotation_deg, EulerOrder::Xyz)
            * turn(self.rotation_deg, self.order)
            * turn(self.post_rotation_deg, EulerOrder::Xyz).inverse()
            * at(-self.rotation_pivot)
            * at(self.scaling_offset)
            * at(self.scaling_pivot)
            * DMat4::from_scale(self.scale)
            * at(-self.scaling_pivot)
    }
}

/// The rotation of Euler angles in degrees.
pub fn euler(angles_deg: DVec3, order: EulerOrder) -> glam::DQuat {
    let half = |degrees: f64| stillframe_base::math::ops64::sin_cos(degrees.to_radians() * 0.5);
    let about = |axis: DVec3, degrees: f64| {
        let (sin, cos) = half(degrees);
        glam::DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
    };
    let x = about(DVec3::X, angles_deg.x);
    let y = about(DVec3::Y, angles_deg.y);
    let z = about(DVec3::Z, angles_deg.z);
    match order {
        EulerOrder::Xyz | EulerOrder::SphericXyz => z * y * x,
        EulerOrder::Xzy => y * z * x,
        EulerOrder::Yzx => x * z * y,
        EulerOrder::Yxz => z * x * y,
        EulerOrder::Zxy => y * x * z,
        EulerOrder::Zyx => x * y * z,
    }
}
