//! Sphere: a ball that shines. Its shadow is that of a lamp at its middle.

use super::piece::of_round;
use super::row::{Row, Terms};
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row = Row { name: "sphere", text: include_str!("sphere.wgsl"), piece: of_round, terms, ..Row::AREA };

fn terms(light: &ShotLight) -> Terms {
    let LightKind::Sphere { luminance_nits, radius_m } = light.kind else { unreachable!("it is of this row") };
    Terms { own: [radius_m, 0.0, 0.0, 0.0], ..Terms::new(light, luminance_nits) }
}
