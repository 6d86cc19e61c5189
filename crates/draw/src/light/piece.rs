//! Piece: a light with an area as one of many small ones, whose hard shadows together are its soft one.
//!
//! In: a light, a point of the unit square. Out: the light there, as strong as the whole one; the mean over points
//! that cover the square evenly is the light. Sources: a square onto a disk (Shirley, Chiu 1997); equal areas of a
//! sphere and of a tube have equal lengths along the axis (Archimedes).

use std::f32::consts::{FRAC_PI_4, PI};

use glam::Vec3;
use stillframe_base::math::ops;

use crate::asset::{LightFile, PANEL_SIDES};
use crate::scene::LightKind;
use crate::view::ShotLight;

/// Which of so many pieces of a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// From 0 to 1.
    pub at: [f32; 2],
    pub count: u32,
}

impl Piece {
    /// Sides of a piece, in sides of what is divided.
    fn side(self) -> f32 {
        1.0 / (self.count as f32).sqrt()
    }

    /// Its middle in a square from -1 to 1.
    fn in_square(self) -> [f32; 2] {
        self.at.map(|at| 2.0 * at - 1.0)
    }

    /// Its middle in a disk of radius 1.
    fn in_disk(self) -> [f32; 2] {
        disk(self.at)
    }
}

/// A point of the unit square in a disk of radius 1: equal areas stay equal.
pub fn disk(at: [f32; 2]) -> [f32; 2] {
    let [x, y] = at.map(|at| 2.0 * at - 1.0);
    let (radius, angle) = match (x.abs() > y.abs(), y == 0.0) {
        (true, _) => (x, FRAC_PI_4 * (y / x)),
        (false, true) => return [0.0; 2],
        (false, false) => (y, 2.0 * FRAC_PI_4 - FRAC_PI_4 * (x / y)),
    };
    let (sin, cos) = ops::sin_cos(angle);
    [radius * cos, radius * sin]
}

/// The axis across the light that is at right angles to `across`.
pub fn down(light: &ShotLight) -> Vec3 {
    light.across.cross(light.direction)
}

/// A part of a sun's disk: light from there alone.
pub fn of_directional(light: &ShotLight, piece: Piece) -> ShotLight {
    let LightKind::Directional { illuminance_lux, angular_diameter_rad } = light.kind else { return light.clone() };
    if angular_diameter_rad == 0.0 {
        return light.clone();
    }
    let edge = ops::cos(angular_diameter_rad * 0.5);
    let [x, y] = piece.in_disk();
    // Equal shares of the disk are equal solid angles of the cone.
    let fall = (x * x + y * y) * (1.0 - edge);
    let sin_by_radius = ((1.0 - edge) * (2.0 - fall)).sqrt();
    let aside = (light.across * x + down(light) * y) * sin_by_radius;
    // A surface that faces the middle gets what the scene says.
    let kind = LightKind::Directional { illuminance_lux: illuminance_lux * 2.0 / (1.0 + edge), angular_diameter_rad };
    ShotLight { direction: (light.direction * (1.0 - fall) + aside).normalize(), kind, ..light.clone() }
}

/// A part of a rectangle.
pub fn of_rect(light: &ShotLight, piece: Piece) -> ShotLight {
    let LightKind::Rect { luminance_nits, size_m: [width_m, height_m], two_sided, .. } = light.kind else {
        return light.clone();
    };
    let ([x, y], side) = (piece.in_square(), piece.side());
    let position = light.position + light.across * (x * 0.5 * width_m) + down(light) * (y * 0.5 * height_m);
    let color = match light.file.as_deref() {
        Some(LightFile::Panel(panel)) => {
            let shown = shown(&panel.values, [x, y], side);
            [0, 1, 2].map(|channel| light.color[channel] * shown[channel])
        }
        _ => light.color,
    };
    let kind = LightKind::Rect {
        luminance_nits: luminance_nits * piece.count as f32,
        size_m: [width_m * side, height_m * side],
        two_sided,
        texture: None,
    };
    ShotLight { kind, color, position, file: None, ..light.clone() }
}

/// The mean of a panel's picture over a part of it, about a point of a square from -1 to 1.
fn shown(texels: &[f32], middle: [f32; 2], side: f32) -> [f32; 3] {
    let width = PANEL_SIDES[0];
    let range = |middle: f32| {
        let place = |at: f32| ((0.5 - 0.5 * at) * width as f32).clamp(0.0, width as f32);
        let (first, end) = (place(middle + side) as usize, ops::ceil(place(middle - side)) as usize);
        first.min(width - 1)..end.clamp(first.min(width - 1) + 1, width)
    };
    let (columns, rows) = (range(middle[0]), range(middle[1]));
    let mut sum = [0.0f32; 3];
    for row in rows.clone() {
        for column in columns.clone() {
            let texel = 3 * (row * width + column);
            (0..3).for_each(|channel| sum[channel] += texels[texel + channel]);
        }
    }
    sum.map(|sum| sum / (rows.len() * columns.len()) as f32)
}

/// A part of a disk.
pub fn of_disk(light: &ShotLight, piece: Piece) -> ShotLight {
    let LightKind::Disk { luminance_nits, radius_m, two_sided } = light.kind else { return light.clone() };
    let [x, y] = piece.in_disk();
    let position = light.position + (light.across * x + down(light) * y) * radius_m;
    let kind = LightKind::Disk {
        luminance_nits: luminance_nits * piece.count as f32,
        radius_m: radius_m * piece.side(),
        two_sided,
    };
    ShotLight { kind, position, ..light.clone() }
}

/// A part of a ball's surface, or of a tube's: a small disk that faces outwards.
pub fn of_round(light: &ShotLight, piece: Piece) -> ShotLight {
    let (luminance_nits, length_m, radius_m) = match light.kind {
        LightKind::Sphere { luminance_nits, radius_m } => (luminance_nits, 0.0, radius_m),
        LightKind::Tube { luminance_nits, length_m, radius_m } => (luminance_nits, length_m, radius_m),
        _ => return light.clone(),
    };
    let reach_m = length_m * 0.5 + radius_m;
    let along_m = (2.0 * piece.at[1] - 1.0) * reach_m;
    // On the axis, and from there beyond the tube's straight part.
    let axis_m = along_m.clamp(-0.5 * length_m, 0.5 * length_m);
    let end = (along_m - axis_m) / radius_m;
    let (sin, cos) = ops::sin_cos(2.0 * PI * piece.at[0]);
    let radial = (light.direction * cos + down(light) * sin) * (1.0 - end * end).max(0.0).sqrt();
    let outwards = (light.across * end + radial).normalize();
    let kind = LightKind::Disk {
        luminance_nits: luminance_nits * piece.count as f32,
        // The whole surface is 4 pi times radius times reach.
        radius_m: 2.0 * (radius_m * reach_m).sqrt() * piece.side(),
        two_sided: false,
    };
    ShotLight {
        kind,
        position: light.position + light.across * axis_m + outwards * radius_m,
        direction: outwards,
        across: outwards.any_orthonormal_vector(),
        ..light.clone()
    }
}
