//! Rect: a rectangle that shines to one side or both. Its shadow is that of a lamp at its middle.

use glam::Vec3;

use super::AREA;
use super::extent::Extent;
use super::piece::of_rect;
use super::row::{Body, Row, Terms};
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row = Row {
    name: "rect",
    text: include_str!("rect.wgsl"),
    needs: &[AREA, OUTLINE],
    body: Body { extent, piece: of_rect },
    terms,
    ..Row::AREA
};

pub fn extent(light: &ShotLight, _: Vec3) -> Extent {
    let LightKind::Rect { size_m, .. } = light.kind else { unreachable!("it is of this row") };
    Extent::of_light(light, size_m.map(|side_m| side_m * 0.5), true)
}

pub const OUTLINE: &str = include_str!("outline_rect.wgsl");

pub fn terms(light: &ShotLight) -> Terms {
    let LightKind::Rect { luminance_nits, size_m: [width_m, height_m], two_sided, .. } = light.kind else {
        unreachable!("it is of this row")
    };
    let own = [width_m * 0.5, height_m * 0.5, f32::from(u8::from(two_sided)), 0.0];
    Terms { own, ..Terms::new(light, luminance_nits) }
}
