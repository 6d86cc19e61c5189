//! Hemisphere: soft light from what is above and what is below. It casts no shadow.

use glam::Vec3;

use super::row::{Arrival, Row, Terms};
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row = Row {
    name: "hemisphere",
    text: include_str!("hemisphere.wgsl"),
    arrival: Arrival::Many,
    occluded: true,
    terms,
    maps: |_, _| Vec::new(),
    ..Row::LAMP
};

fn terms(light: &ShotLight) -> Terms {
    let LightKind::Hemisphere { up, down } = light.kind else { unreachable!("it is of this row") };
    let [up, down] = [up, down].map(|half| Vec3::from(half) * Vec3::from(light.color));
    Terms { color: up, own: down.extend(0.0).to_array(), ..Terms::default() }
}
