//! Trs: a transform as three parts.

use glam::{DMat4, DQuat, DVec3};

/// translate * rotate * scale.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Trs {
    pub translation: DVec3,
    /// Unit.
    pub rotation: DQuat,
    pub scale: DVec3,
}

impl Trs {
    pub const IDENTITY: Trs = Trs { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    pub fn matrix(&self) -> DMat4 {
        DMat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}
