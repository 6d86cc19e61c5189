//! Spot: a lamp that shines into a cone. One map of no more than the cone, or six around a wide one.

use stillframe_base::math::ops;

use super::map::Wanted;
use super::point::inverse_range2;
use super::reach::{Cone, Reach};
use super::row::{Row, Terms};
use super::seen::Seen;
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row = Row { name: "spot", text: include_str!("spot.wgsl"), terms, reach, maps, ..Row::LAMP };

pub fn terms(light: &ShotLight) -> Terms {
    let LightKind::Spot { intensity_cd, range_m, inner_rad, outer_rad, .. } = light.kind else {
        unreachable!("it is of this row")
    };
    let (inner, outer) = (ops::cos(inner_rad), ops::cos(outer_rad));
    let own = [inverse_range2(range_m), outer, 1.0 / (inner - outer).max(1e-3), 0.0];
    Terms { own, ..Terms::new(light, intensity_cd) }
}

/// The cone, and the sphere about it: through the lamp and the rim where it is narrow, about the rim where it is wide.
pub fn reach(light: &ShotLight) -> Reach {
    let LightKind::Spot { range_m, outer_rad, .. } = light.kind else { unreachable!("it is of this row") };
    let (sin, cos) = (ops::sin(outer_rad), ops::cos(outer_rad));
    let sphere = range_m.map(|range_m| {
        let [away_m, radius_m] = match () {
            () if cos <= 0.0 => [0.0, range_m],
            () if sin > cos => [range_m * cos, range_m * sin],
            () => [range_m / (2.0 * cos); 2],
        };
        (light.position + light.direction * away_m, radius_m)
    });
    let cone = Cone { apex: light.position, axis: light.direction, cos: cos.max(0.0), sin };
    Reach { sphere, cone: Some(cone) }
}

pub fn maps(light: &ShotLight, seen: &Seen) -> Vec<Wanted> {
    let LightKind::Spot { outer_rad, .. } = light.kind else { unreachable!("it is of this row") };
    let half = ops::tan(outer_rad.clamp(0.01, 1.5));
    Wanted::lamp(light.position, Some((light.direction, half)), seen)
}
