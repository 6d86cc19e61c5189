//! FBX's transform stack: how a node's properties become its own matrix, and how it inherits its parent's.
//!
//! Source: FBX SDK, "Computing transformation matrices":
//! `T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1`.

use glam::{DMat3, DMat4, DQuat, DVec3};
use stillframe_base::math::ops64;

use super::Trs;

/// Angles are in degrees, as stored.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
    /// The node's own rotation: pre-rotation, rotation, the opposite of post-rotation.
    pub fn rotation(&self) -> DQuat {
        euler(self.pre_rotation_deg, EulerOrder::Xyz)
            * euler(self.rotation_deg, self.order)
            * euler(self.post_rotation_deg, EulerOrder::Xyz).inverse()
    }

    /// The same as three parts: pivots and offsets only shift.
    pub fn trs(&self) -> Trs {
        Trs { translation: self.matrix().w_axis.truncate(), rotation: self.rotation(), scale: self.scale }
    }

    /// The node's own matrix.
    pub fn matrix(&self) -> DMat4 {
        let at = DMat4::from_translation;
        at(self.translation)
            * at(self.rotation_offset)
            * at(self.rotation_pivot)
            * DMat4::from_quat(self.rotation())
            * at(-self.rotation_pivot)
            * at(self.scaling_offset)
            * at(self.scaling_pivot)
            * DMat4::from_scale(self.scale)
            * at(-self.scaling_pivot)
    }
}

/// The rotation of Euler angles in degrees.
pub fn euler(angles_deg: DVec3, order: EulerOrder) -> DQuat {
    let half = |degrees: f64| ops64::sin_cos(degrees.to_radians() * 0.5);
    let about = |axis: DVec3, degrees: f64| {
        let (sin, cos) = half(degrees);
        DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
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

/// Angles in degrees whose [`euler`] is a rotation. Where the middle turn is a quarter and two axes become one, the
/// first angle is 0.
pub fn angles_of(rotation: DQuat, order: EulerOrder) -> DVec3 {
    let (i, j, k) = match order {
        EulerOrder::Xyz | EulerOrder::SphericXyz => (0, 1, 2),
        EulerOrder::Xzy => (0, 2, 1),
        EulerOrder::Yzx => (1, 2, 0),
        EulerOrder::Yxz => (1, 0, 2),
        EulerOrder::Zxy => (2, 0, 1),
        EulerOrder::Zyx => (2, 1, 0),
    };
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let columns = DMat3::from_quat(rotation).to_cols_array_2d();
    let at = |row: usize, column: usize| columns[column][row];
    let sine = (-sign * at(k, i)).clamp(-1.0, 1.0);
    let cosine = (at(k, j) * at(k, j) + at(k, k) * at(k, k)).sqrt();
    let mut angles = DVec3::ZERO;
    angles[j] = ops64::atan2(sine, cosine).to_degrees();
    if cosine > 1e-12 {
        angles[i] = ops64::atan2(sign * at(k, j), at(k, k)).to_degrees();
        angles[k] = ops64::atan2(sign * at(j, i), at(i, i)).to_degrees();
    } else {
        angles[k] = ops64::atan2(-sign * at(i, j), at(j, j)).to_degrees();
    }
    angles
}

/// How a node inherits: what it passes on to those below, beside its own global matrix.
#[derive(Clone, Copy, Debug)]
pub struct Inherited {
    pub global: DMat4,
    /// The global matrix without the node's own scale.
    unscaled: DMat4,
    /// The scale that those below may take component by component.
    scale: DVec3,
    /// The scale that the node has taken from above in that way.
    taken: DVec3,
}

impl Inherited {
    /// What nodes at the top inherit.
    pub fn top(model_from_file: DMat4) -> Inherited {
        Inherited { global: model_from_file, unscaled: model_from_file, scale: DVec3::ONE, taken: DVec3::ONE }
    }

    /// A node below whose own matrix is all that is known; as if it had no scale of its own to pass on.
    pub fn below_matrix(&self, own: DMat4) -> Inherited {
        let global = self.global * own;
        Inherited { global, unscaled: global, scale: DVec3::ONE, taken: DVec3::ONE }
    }

    /// A node below.
    ///
    /// `RSrs` multiplies matrices. The others keep the scales of parent and node apart, so that nothing is sheared:
    /// `RrSs` multiplies them component by component, `Rrs` skips the parent's. Source: FBX SDK,
    /// `FbxTransform::EInheritType`; chains of `Rrs` as in `ufbx` 0.11.
    pub fn below(&self, own: &Trs, inherit: Inherit) -> Inherited {
        let taken = match inherit {
            Inherit::RSrs => {
                let unscaled = Trs { scale: DVec3::ONE, ..*own }.matrix();
                return Inherited {
                    global: self.global * own.matrix(),
                    unscaled: self.global * unscaled,
                    scale: own.scale,
                    taken: DVec3::ONE,
                };
            }
            Inherit::RrSs => self.scale,
            Inherit::Rrs => self.taken,
        };
        let own = Trs { translation: own.translation * self.scale, rotation: own.rotation, scale: own.scale * taken };
        let unscaled = Trs { scale: DVec3::ONE, ..own }.matrix();
        Inherited { global: self.unscaled * own.matrix(), unscaled: self.unscaled * unscaled, scale: own.scale, taken }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ORDERS: [EulerOrder; 7] = [
        EulerOrder::Xyz,
        EulerOrder::Xzy,
        EulerOrder::Yzx,
        EulerOrder::Yxz,
        EulerOrder::Zxy,
        EulerOrder::Zyx,
        EulerOrder::SphericXyz,
    ];

    #[test]
    fn orders_by_hand() {
        // Two quarter turns: X then Y takes Y to Z (by X) and Z to X (by Y).
        let quarter = DVec3::new(90.0, 90.0, 0.0);
        assert!((euler(quarter, EulerOrder::Xyz) * DVec3::Y).abs_diff_eq(DVec3::X, 1e-12));
        // Y then X leaves Y until X takes it to Z.
        assert!((euler(quarter, EulerOrder::Yxz) * DVec3::Y).abs_diff_eq(DVec3::Z, 1e-12));
    }

    #[test]
    fn pivots_by_hand() {
        let about = |point: DVec3| TransformStack {
            rotation_deg: DVec3::new(0.0, 0.0, 90.0),
            rotation_pivot: point,
            ..TransformStack::default()
        };
        let turned = about(DVec3::X).matrix();
        assert!(turned.transform_point3(DVec3::X).abs_diff_eq(DVec3::X, 1e-12), "the pivot stays");
        assert!(turned.transform_point3(DVec3::ZERO).abs_diff_eq(DVec3::new(1.0, -1.0, 0.0), 1e-12));
        let scaled = TransformStack {
            scale: DVec3::splat(3.0),
            scaling_pivot: DVec3::Y,
            scaling_offset: DVec3::Z,
            ..TransformStack::default()
        };
        assert!(scaled.matrix().transform_point3(DVec3::Y).abs_diff_eq(DVec3::new(0.0, 1.0, 1.0), 1e-12));
        let posted = TransformStack { post_rotation_deg: DVec3::new(0.0, 0.0, 90.0), ..TransformStack::default() };
        assert!(posted.matrix().transform_point3(DVec3::Y).abs_diff_eq(DVec3::X, 1e-12), "the opposite turn");
    }

    #[test]
    fn inheritance_by_hand() {
        let parent = Trs { scale: DVec3::new(2.0, 1.0, 1.0), ..Trs::IDENTITY };
        let child = TransformStack {
            translation: DVec3::X,
            rotation_deg: DVec3::new(0.0, 0.0, 90.0),
            scale: DVec3::new(1.0, 5.0, 1.0),
            ..TransformStack::default()
        };
        let top = Inherited::top(DMat4::IDENTITY).below(&parent, Inherit::RSrs);
        // Where the child's X axis, its Y axis and its origin come to lie.
        for (inherit, x, y) in [
            (Inherit::RSrs, DVec3::Y, DVec3::X * -10.0),
            (Inherit::RrSs, DVec3::Y * 2.0, DVec3::X * -5.0),
            (Inherit::Rrs, DVec3::Y, DVec3::X * -5.0),
        ] {
            let global = top.below(&child.trs(), inherit).global;
            assert!(global.transform_vector3(DVec3::X).abs_diff_eq(x, 1e-12), "{inherit:?}");
            assert!(global.transform_vector3(DVec3::Y).abs_diff_eq(y, 1e-12), "{inherit:?}");
            assert!(global.transform_point3(DVec3::ZERO).abs_diff_eq(DVec3::X * 2.0, 1e-12), "{inherit:?}");
        }
    }

    proptest! {
        #[test]
        fn angles_come_back(x in -180.0_f64..180.0, y in -180.0_f64..180.0, z in -180.0_f64..180.0, order in 0_usize..7, flat in any::<bool>()) {
            let order = ORDERS[order];
            let mut angles = DVec3::new(x, y, z);
            if flat {
                // Two axes become one.
                angles = DVec3::new((x / 90.0).round() * 90.0, (y / 90.0).round() * 90.0, z);
            }
            let rotation = euler(angles, order);
            let again = euler(angles_of(rotation, order), order);
            prop_assert!(rotation.dot(again).abs() > 1.0 - 1e-12, "{angles} {order:?}");
        }

        #[test]
        fn parts_are_the_matrix(v in prop::array::uniform12(-9.0_f64..9.0)) {
            let at = |i: usize| DVec3::new(v[i], v[i + 1], v[i + 2]);
            let stack = TransformStack {
                translation: at(0),
                rotation_deg: at(1) * 20.0,
                scale: at(2),
                order: EulerOrder::Zxy,
                pre_rotation_deg: at(3) * 9.0,
                post_rotation_deg: at(4) * 9.0,
                rotation_offset: at(5),
                rotation_pivot: at(6),
                scaling_offset: at(7),
                scaling_pivot: at(9),
                inherit: Inherit::RSrs,
            };
            prop_assert!(stack.matrix().abs_diff_eq(stack.trs().matrix(), 1e-9));
        }
    }
}
