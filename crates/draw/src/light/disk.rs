//! Disk: a disk that shines to one side or both. Its shadow is that of a lamp at its middle.

use glam::Vec3;

use super::extent::Extent;
use super::piece::of_disk;
use super::row::{Body, Row, Terms};
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row =
    Row { name: "disk", text: include_str!("disk.wgsl"), body: Body { extent, piece: of_disk }, terms, ..Row::AREA };

fn extent(light: &ShotLight, _: Vec3) -> Extent {
    let LightKind::Disk { radius_m, .. } = light.kind else { unreachable!("it is of this row") };
    Extent::of_light(light, [radius_m; 2], false)
}

fn terms(light: &ShotLight) -> Terms {
    let LightKind::Disk { luminance_nits, radius_m, two_sided } = light.kind else { unreachable!("it is of this row") };
    Terms { own: [radius_m, 0.0, f32::from(u8::from(two_sided)), 0.0], ..Terms::new(light, luminance_nits) }
}
