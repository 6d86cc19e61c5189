//! Panel: a rectangle that shows a picture. Its shadow is that of a lamp at its middle.

use super::piece::of_rect;
use super::row::{Body, Row};
use super::{AREA, VALUES, rect};
use crate::view::ShotLight;

pub const ROW: Row = Row {
    name: "panel",
    text: include_str!("panel.wgsl"),
    needs: &[AREA, rect::OUTLINE, VALUES],
    values,
    body: Body { extent: rect::extent, piece: of_rect },
    terms: rect::terms,
    ..Row::AREA
};

/// Levels of the picture.
fn values(light: &ShotLight) -> Vec<f32> {
    light.file.as_ref().expect("the world reads the file that the scene names").panel().values.clone()
}
