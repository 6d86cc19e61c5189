//! Tube: a tube with round ends that shines. Its shadow is that of a lamp at its middle.

use std::f32::consts::FRAC_PI_4;

use glam::Vec3;

use super::extent::Extent;
use super::piece::of_round;
use super::row::{Body, Row, Terms};
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row =
    Row { name: "tube", text: include_str!("tube.wgsl"), body: Body { extent, piece: of_round }, terms, ..Row::AREA };

/// A rectangle as large as its outline from the side.
fn extent(light: &ShotLight, forward: Vec3) -> Extent {
    let LightKind::Tube { length_m, radius_m, .. } = light.kind else { unreachable!("it is of this row") };
    let half_m = 0.5 * length_m + FRAC_PI_4 * radius_m;
    let along = light.across.cross(forward).normalize_or(light.across.any_orthonormal_vector()) * radius_m;
    Extent { across: light.across * half_m, along, is_square: true }
}

fn terms(light: &ShotLight) -> Terms {
    let LightKind::Tube { luminance_nits, length_m, radius_m } = light.kind else { unreachable!("it is of this row") };
    Terms { own: [length_m * 0.5, radius_m, 0.0, 0.0], ..Terms::new(light, luminance_nits) }
}
