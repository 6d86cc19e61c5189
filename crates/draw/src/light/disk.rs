//! Disk: a disk that shines to one side or both. Its shadow is that of a lamp at its middle.

use super::piece::of_disk;
use super::row::{Row, Terms};
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row = Row { name: "disk", text: include_str!("disk.wgsl"), piece: of_disk, terms, ..Row::AREA };

fn terms(light: &ShotLight) -> Terms {
    let LightKind::Disk { luminance_nits, radius_m, two_sided } = light.kind else { unreachable!("it is of this row") };
    Terms { own: [radius_m, 0.0, f32::from(u8::from(two_sided)), 0.0], ..Terms::new(light, luminance_nits) }
}
