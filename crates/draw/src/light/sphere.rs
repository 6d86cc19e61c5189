//! Sphere: a ball that shines. Its shadow is that of a lamp at its middle.

use glam::Vec3;

use super::extent::Extent;
use super::piece::of_round;
use super::row::{Body, Row, Terms};
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row = Row {
    name: "sphere",
    text: include_str!("sphere.wgsl"),
    body: Body { extent, piece: of_round },
    terms,
    ..Row::AREA
};

fn extent(light: &ShotLight, forward: Vec3) -> Extent {
    let LightKind::Sphere { radius_m, .. } = light.kind else { unreachable!("it is of this row") };
    Extent::facing(forward, radius_m)
}

fn terms(light: &ShotLight) -> Terms {
    let LightKind::Sphere { luminance_nits, radius_m } = light.kind else { unreachable!("it is of this row") };
    Terms { own: [radius_m, 0.0, 0.0, 0.0], ..Terms::new(light, luminance_nits) }
}
