//! SH9: soft light from everywhere, by nine coefficients of its radiance. It casts no shadow.

use super::VALUES;
use super::row::{Arrival, Row, Terms};
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row = Row {
    name: "sh9",
    text: include_str!("sh9.wgsl"),
    needs: &[VALUES],
    arrival: Arrival::Many,
    occluded: true,
    values,
    terms: |light| Terms::new(light, 1.0),
    maps: |_, _| Vec::new(),
    ..Row::LAMP
};

fn values(light: &ShotLight) -> Vec<f32> {
    let LightKind::Sh9 { coefficients } = light.kind else { unreachable!("it is of this row") };
    coefficients.as_flattened().to_vec()
}
