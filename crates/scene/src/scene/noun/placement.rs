//! Where things are, and which way they face: keys that nodes, lights, cameras and crowds share.

use glam::{Mat3, Quat, Vec3};

use crate::scene::angle::{direction, rotation_xyz, unit};
use crate::scene::code;
use crate::scene::key::{Key, Moved, numbers, optional};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{ANY, Type, VEC3};
use crate::scene::text::syntax::Table;

pub(crate) const POSITION: Key<Vec3> =
    numbers("position", &[0.0, 0.0, 0.0], ANY, "Metres, in the parent's space.").moves();
pub(crate) const LOOK_AT: Key<Option<Vec3>> =
    optional("look_at", VEC3, "none", "Turns -Z towards this point of the parent's space, +Y upwards.").moves();
pub(crate) const DIRECTION: Key<Option<Vec3>> =
    optional("direction", VEC3, "none", "The direction in which it shines, of any length but 0.").moves();
pub(crate) const ROTATION_DEG: Key<Option<[f64; 3]>> = optional(
    "rotation_deg",
    VEC3,
    "none",
    "Turns about the parent's X axis, then Y, then Z, by these angles (Blender's \"XYZ Euler\").",
)
.moves();
pub(crate) const ROTATION_QUAT: Key<Option<[f32; 4]>> = optional(
    "rotation_quat",
    Type::Numbers { count: 4, range: ANY },
    "none",
    "A quaternion `[x, y, z, w]` of any length but 0.",
)
.moves();

/// At most one of these can hold.
pub(crate) static DIRECTIONS: &[&str] = &[LOOK_AT.name(), ROTATION_DEG.name(), ROTATION_QUAT.name()];

/// Local transform: translate * rotate * scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    pub position: Vec3,
    pub rotation: Quat,
    pub scale: Vec3,
}

impl Placement {
    pub const IDENTITY: Placement = Placement { position: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };
}

/// A placement of size 1. `position`: the key of a noun with its own default.
pub(crate) fn placement(resolver: &mut Resolver<'_>, table: &Table, position: Key<Vec3>) -> Placement {
    let position = table.ask(position);
    Placement { position, rotation: rotation(resolver, table, position), scale: Vec3::ONE }
}

/// The rotation that `look_at`, `direction`, `rotation_deg` or `rotation_quat` means, for a thing at `position`.
fn rotation(resolver: &mut Resolver<'_>, table: &Table, position: Vec3) -> Quat {
    if let Some(angles_deg) = table.ask(ROTATION_DEG) {
        return rotation_xyz(angles_deg);
    }
    let towards = |to: Vec3| direction(to).map(|d| look_rotation(d, Vec3::Y));
    // `None` where nothing is written, or not even numbers, which the check has reported.
    let found = [
        (LOOK_AT.name(), table.ask(LOOK_AT).map(|to| towards(to - position))),
        (DIRECTION.name(), table.ask(DIRECTION).map(towards)),
        (ROTATION_QUAT.name(), table.ask(ROTATION_QUAT).map(unit)),
    ];
    for (key, rotation) in found {
        match rotation {
            Some(Some(rotation)) => return rotation,
            Some(None) if key == LOOK_AT.name() => {
                let message = "`look_at` is its own position, which gives no direction";
                resolver.complain_of(table, &[key], code::NO_DIRECTION, message);
            }
            Some(None) => {
                resolver.complain_of(table, &[key], code::NO_DIRECTION, format!("`{key}` has no length"));
            }
            None => {}
        }
    }
    Quat::IDENTITY
}

/// Position and rotation.
pub(crate) fn print(out: &mut Printer<'_>, placement: &Placement) {
    out.line(POSITION, placement.position);
    print_rotation(out, placement.rotation);
}

/// The rotation in the one spelling that moves, else as a quaternion.
pub(crate) fn print_rotation(out: &mut Printer<'_>, rotation: Quat) {
    match [LOOK_AT, DIRECTION].into_iter().find(|key| out.scene.track(out.thing, key.name()).is_some()) {
        Some(key) => out.line(key, Some(Vec3::ZERO)),
        None => out.line(ROTATION_QUAT, Some(rotation.to_array())),
    }
}

/// Moves what the key is of.
pub(crate) fn moved(placement: &mut Placement, moved: &Moved<'_>) {
    // A direction without length is only met between keys; there it is the scene's -Z.
    let towards = |to: Vec3| direction(to).map_or(Quat::IDENTITY, |d| look_rotation(d, Vec3::Y));
    if let Some(position) = moved.of(POSITION) {
        placement.position = position;
    } else if let Some(quat) = moved.of(ROTATION_QUAT).flatten() {
        placement.rotation = unit(quat).unwrap_or(Quat::IDENTITY);
    } else if let Some(to) = moved.of(DIRECTION).flatten() {
        placement.rotation = towards(to);
    } else if let Some(to) = moved.of(LOOK_AT).flatten() {
        placement.rotation = towards(to - placement.position);
    }
}

/// The rotation that turns local -Z to `forward` and keeps local +Y as near to `up` as it can.
///
/// Units: any length but zero. Where `forward` runs along `up`, +Z stands in for `up` (then +X).
pub fn look_rotation(forward: Vec3, up: Vec3) -> Quat {
    let back = -forward.normalize();
    let mut right = Vec3::ZERO;
    for candidate in [up, Vec3::Z, Vec3::X] {
        right = candidate.cross(back);
        if right.length_squared() > 1e-10 {
            break;
        }
    }
    let right = right.normalize();
    Quat::from_mat3(&Mat3::from_cols(right, back.cross(right), back)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_along_and_across_up() {
        for forward in [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z, Vec3::new(3.0, -2.0, 0.5)] {
            let rotation = look_rotation(forward, Vec3::Y);
            let seen = rotation * -Vec3::Z;
            assert!((seen - forward.normalize()).length() < 1e-6, "{forward}: {seen}");
            assert!((rotation * Vec3::Y).y >= -1e-6, "{forward}");
        }
    }
}
