//! Point: a lamp that shines everywhere. One map where one holds all shadows that are seen, else six around it.

use super::reach::Reach;
use super::row::{Row, Terms};
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row = Row { name: "point", text: include_str!("point.wgsl"), terms, reach, ..Row::LAMP };

fn terms(light: &ShotLight) -> Terms {
    let LightKind::Point { intensity_cd, range_m, .. } = light.kind else { unreachable!("it is of this row") };
    Terms { own: [inverse_range2(range_m), 0.0, 0.0, 0.0], ..Terms::new(light, intensity_cd) }
}

/// 1 / range^2; 0 without a range.
pub fn inverse_range2(range_m: Option<f32>) -> f32 {
    // A range of 0 lights nothing: the largest finite number makes the window 0 everywhere.
    range_m.map_or(0.0, |range| (1.0 / (range * range)).min(f32::MAX))
}

pub fn reach(light: &ShotLight) -> Reach {
    let LightKind::Point { range_m, .. } = light.kind else { unreachable!("it is of this row") };
    range_m.map_or(Reach::EVERYWHERE, |radius_m| Reach::sphere(light.position, radius_m))
}
