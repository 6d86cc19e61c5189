//! Rect: a rectangle that shines to one side or both. Its shadow is that of a lamp at its middle.

use super::AREA;
use super::piece::of_rect;
use super::row::{Row, Terms};
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row =
    Row { name: "rect", text: include_str!("rect.wgsl"), needs: &[AREA, OUTLINE], piece: of_rect, terms, ..Row::AREA };

pub const OUTLINE: &str = include_str!("outline_rect.wgsl");

pub fn terms(light: &ShotLight) -> Terms {
    let LightKind::Rect { luminance_nits, size_m: [width_m, height_m], two_sided, .. } = light.kind else {
        unreachable!("it is of this row")
    };
    let own = [width_m * 0.5, height_m * 0.5, f32::from(u8::from(two_sided)), 0.0];
    Terms { own, ..Terms::new(light, luminance_nits) }
}
