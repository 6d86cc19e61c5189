//! Fit: the part of space that a directional light's map must hold.
//!
//! Across the light, a map holds what is both seen and behind some caster; along it, from the first caster to the last
//! receiver. So a map's texels go where shadows can be seen, however large the ground is.

use glam::{Mat4, Vec3};
use stillframe_base::geom::Aabb;
use stillframe_base::math::camera::{look_rotation, orthographic};

use super::clip::{ViewVolume, corners};
use crate::view::product;

/// Texels around the fitted part that a filter may look at.
const MARGIN_TEXELS: f32 = 6.0;

/// `clip_from_world` of the map and the width of a texel, metres. `None`: no shadow can be seen.
pub fn fit_directional(
    direction: Vec3,
    volume: &ViewVolume,
    receivers: &[Aabb],
    casters: &[Aabb],
    size: u32,
) -> Option<(Mat4, f32)> {
    let light_from_world = Mat4::from_quat(look_rotation(direction, Vec3::Y).conjugate());
    let boxed = |points: &[Vec3]| points.iter().map(|&p| light_from_world.transform_point3(p)).fold(Aabb::EMPTY, grown);
    let seen = receivers.iter().map(|b| boxed(&volume.common_points(b))).fold(Aabb::EMPTY, union);
    let boxes: Vec<Aabb> = casters.iter().map(|b| boxed(&corners(b))).collect();
    // A caster counts where something seen can lie behind it.
    let counts = |b: &&Aabb| overlaps(b, &seen) && b.max.z > seen.min.z;
    let cast = boxes.iter().filter(counts).copied().fold(Aabb::EMPTY, union);
    let min = seen.min.max(cast.min);
    let max = seen.max.min(cast.max);
    if min.x > max.x || min.y > max.y || !(max - min).is_finite() {
        return None;
    }
    let side = (max.x - min.x).max(max.y - min.y).max(1e-3);
    let side = side * size as f32 / (size as f32 - 2.0 * MARGIN_TEXELS);
    let center = (min + max) * 0.5;
    // Along the light: its z points back at the light.
    let (first, last) = (cast.max.z.max(seen.max.z), seen.min.z);
    let slack = (first - last).max(side) * 1e-3;
    let eye = Mat4::from_translation(-Vec3::new(center.x, center.y, first + slack));
    let clip_from_view = orthographic(side, side, 0.0, first - last + 2.0 * slack);
    Some((product(clip_from_view, product(eye, light_from_world)), side / size as f32))
}

fn grown(bounds: Aabb, point: Vec3) -> Aabb {
    Aabb { min: bounds.min.min(point), max: bounds.max.max(point) }
}

fn union(a: Aabb, b: Aabb) -> Aabb {
    Aabb { min: a.min.min(b.min), max: a.max.max(b.max) }
}

/// Whether two boxes meet across the light.
fn overlaps(a: &Aabb, b: &Aabb) -> bool {
    a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y
}

#[cfg(test)]
mod tests {
    use stillframe_base::math::camera::{look_at, perspective};

    use super::*;

    fn cube(center: Vec3, half: f32) -> Aabb {
        Aabb { min: center - half, max: center + half }
    }

    fn volume() -> ViewVolume {
        let view = look_at(Vec3::new(0.0, 3.0, 8.0), Vec3::ZERO, Vec3::Y);
        ViewVolume::new(perspective(0.8, 1.0, 0.1, None) * view, 0.1 / 1000.0)
    }

    #[test]
    fn a_wide_ground_does_not_widen_the_map() {
        let ground = Aabb { min: Vec3::new(-500.0, 0.0, -500.0), max: Vec3::new(500.0, 0.0, 500.0) };
        let subject = cube(Vec3::new(0.0, 0.5, 0.0), 0.5);
        let direction = Vec3::new(0.3, -1.0, -0.2).normalize();
        let (matrix, texel) =
            fit_directional(direction, &volume(), &[ground, subject], &[subject], 1024).expect("a shadow is seen");
        assert!(texel < 2.0 / 1024.0, "{texel}");
        for corner in corners(&subject) {
            let ndc = matrix.project_point3(corner);
            assert!(ndc.x.abs() <= 1.0 && ndc.y.abs() <= 1.0 && (0.0..=1.0).contains(&ndc.z), "{ndc}");
        }
    }

    #[test]
    fn nearer_the_light_is_nearer_one() {
        let subject = cube(Vec3::ZERO, 1.0);
        let (matrix, _) =
            fit_directional(Vec3::NEG_Y, &volume(), &[subject], &[subject], 512).expect("a shadow is seen");
        let depth = |y| matrix.project_point3(Vec3::new(0.0, y, 0.0)).z;
        assert!(depth(1.0) > depth(0.0) && depth(0.0) > depth(-1.0) && depth(1.0) > 0.99);
    }

    #[test]
    fn casters_that_nothing_seen_lies_behind_give_no_map() {
        let seen = cube(Vec3::ZERO, 0.5);
        for caster in [cube(Vec3::new(30.0, 0.0, 0.0), 0.5), cube(Vec3::new(0.0, -20.0, 0.0), 0.5)] {
            assert_eq!(fit_directional(Vec3::NEG_Y, &volume(), &[seen], &[caster], 512), None);
        }
    }
}
