//! Place: where a socket is.

use glam::{DAffine3, DMat3, DVec3};

use crate::pose::{Affine, Trs};
use crate::sample::DTrs;

/// Lengths of axes below this have no direction.
const AXIS_MIN: f64 = 1e-12;

/// What a socket takes over from its joint; the rest is the model's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inherit {
    pub translation: bool,
    pub rotation: bool,
    pub scale: bool,
}

impl Inherit {
    pub const ALL: Inherit = Inherit { translation: true, rotation: true, scale: true };
    pub const NONE: Inherit = Inherit { translation: false, rotation: false, scale: false };
}

impl Default for Inherit {
    fn default() -> Inherit {
        Inherit::ALL
    }
}

/// A place below a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Socket {
    pub(super) name: String,
    pub(super) joint: u16,
    pub local: Trs,
    pub inherit: Inherit,
}

impl Socket {
    pub fn name(&self) -> &str {
        &self.name
    }
    pub fn joint(&self) -> u16 {
        self.joint
    }

    /// From the socket's space to the model's: the joint's matrix, as far as it is inherited, times the local one.
    /// Products are f64 and rounded once.
    ///
    /// A joint's rotation is that of its axes made perpendicular, x first, then y; its scale their lengths, z negative
    /// where it mirrors. An axis of no length has no direction: a joint that has one turns nothing. Shapes: `models`
    /// has one entry a joint of the skeleton.
    pub fn model_from_socket(&self, models: &[Affine]) -> Affine {
        let joint = self.inherited(&models[usize::from(self.joint)]);
        let DTrs { translation, rotation, scale } = self.local.into();
        let local = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
        (joint * local).as_affine3a().into()
    }

    fn inherited(&self, joint: &Affine) -> DAffine3 {
        let Inherit { translation, rotation, scale } = self.inherit;
        let column = |i: usize| DVec3::from_array([0, 1, 2].map(|row| f64::from(joint.0.0[4 * row + i])));
        let (x, y, z) = (column(0), column(1), column(2));
        let matrix3 = match (rotation, scale) {
            (true, true) => DMat3::from_cols(x, y, z),
            (true, false) => turn(x, y, z),
            (false, true) => {
                let mirrored = x.cross(y).dot(z) < 0.0;
                DMat3::from_diagonal(DVec3::new(
                    x.length(),
                    y.length(),
                    if mirrored { -z.length() } else { z.length() },
                ))
            }
            (false, false) => DMat3::IDENTITY,
        };
        DAffine3 { matrix3, translation: if translation { column(3) } else { DVec3::ZERO } }
    }
}

/// The rotation of three axes.
fn turn(x: DVec3, y: DVec3, z: DVec3) -> DMat3 {
    let along = |v: DVec3| Some(v / v.length()).filter(|_| v.length() > AXIS_MIN);
    let turn = along(x).and_then(|x| {
        let y = along(y - x * x.dot(y))?;
        along(z).map(|_| DMat3::from_cols(x, y, x.cross(y)))
    });
    turn.unwrap_or(DMat3::IDENTITY)
}
