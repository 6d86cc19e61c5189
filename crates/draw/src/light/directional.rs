//! Directional: parallel light from far away. One map, fitted to what the camera sees.

use glam::Vec3;
use stillframe_base::math::ops;

use super::extent::Extent;
use super::fit::Fit;
use super::map::{Rays, Wanted};
use super::piece::of_directional;
use super::row::{Body, Row, Terms};
use super::seen::Seen;
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row = Row {
    name: "directional",
    text: include_str!("directional.wgsl"),
    rays: Rays::Parallel,
    body: Body { extent, piece: of_directional },
    terms,
    maps,
    ..Row::LAMP
};

fn extent(light: &ShotLight, forward: Vec3) -> Extent {
    let LightKind::Directional { angular_diameter_rad, .. } = light.kind else { unreachable!("it is of this row") };
    Extent::facing(forward, ops::tan(angular_diameter_rad * 0.5))
}

fn terms(light: &ShotLight) -> Terms {
    let LightKind::Directional { illuminance_lux, .. } = light.kind else { unreachable!("it is of this row") };
    Terms::new(light, illuminance_lux)
}

fn maps(light: &ShotLight, seen: &Seen) -> Vec<Wanted> {
    Fit::new(light.direction, seen).map(Wanted::Parallel).into_iter().collect()
}
