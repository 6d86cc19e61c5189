//! Directional: parallel light from far away. One map, fitted to what the camera sees.

use super::fit::Fit;
use super::map::{Rays, Wanted};
use super::reach::Reach;
use super::row::{Row, Terms};
use super::seen::Seen;
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row =
    Row { name: "directional", text: include_str!("directional.wgsl"), rays: Rays::Parallel, terms, reach, maps };

fn terms(kind: &LightKind) -> Terms {
    let LightKind::Directional { illuminance_lux } = *kind else { unreachable!("it is of this row") };
    Terms { strength: illuminance_lux, own: [0.0; 4] }
}

fn reach(_: &ShotLight) -> Reach {
    Reach::Everything
}

fn maps(light: &ShotLight, seen: &Seen) -> Vec<Wanted> {
    Fit::new(light.direction, seen).map(Wanted::Parallel).into_iter().collect()
}
