//! Frusta: six planes of a projection, and conservative tests against them.
//!
//! Source: planes from the rows of the matrix, Gribb and Hartmann 2001, for wgpu's clip space (`0 <= z <= w`). A test
//! against planes one by one keeps some boxes near edges that a camera does not see; it never drops one that it does.

use glam::{Mat4, Vec3, Vec4};

use super::{Aabb, Sphere};

/// The points with `normal . p + offset >= 0`. The normal is a unit vector, or zero for a plane at infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    pub normal: Vec3,
    pub offset: f32,
}

impl Plane {
    /// The half space `row . (p, 1) >= 0`.
    pub fn from_row(row: Vec4) -> Plane {
        let length = row.truncate().length();
        if length > 0.0 {
            Plane { normal: row.truncate() / length, offset: row.w / length }
        } else {
            // Every point or none, as the sign of what is left says.
            Plane { normal: Vec3::ZERO, offset: row.w }
        }
    }
    /// Signed distance; positive inside.
    pub fn distance(&self, point: Vec3) -> f32 {
        self.normal.dot(point) + self.offset
    }
    /// What rounding may have added to or taken from [`distance`](Plane::distance) of points of that size.
    fn slack(&self, size: Vec3) -> f32 {
        (self.normal.abs().dot(size) + self.offset.abs()) * (8.0 * f32::EPSILON)
    }
}

/// What a projection sees: the points inside all planes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum {
    /// Left, right, bottom, top, then z = 0 and z = w (far and near with reversed Z).
    pub planes: [Plane; 6],
}

impl Frustum {
    /// The frustum of `clip_from_world`.
    pub fn new(clip_from_world: &Mat4) -> Frustum {
        let [x, y, z, w] = [0, 1, 2, 3].map(|index| clip_from_world.row(index));
        Frustum { planes: [w + x, w - x, w + y, w - y, z, w - z].map(Plane::from_row) }
    }
    /// False only if no point of the box is seen. An empty box is not.
    pub fn sees_aabb(&self, bounds: &Aabb) -> bool {
        if bounds.is_empty() {
            return false;
        }
        let (center, half) = (bounds.center(), bounds.half_size());
        let size = center.abs() + half;
        self.planes.iter().all(|plane| plane.distance(center) + plane.normal.abs().dot(half) >= -plane.slack(size))
    }
    /// False only if no point of the sphere is seen. An empty sphere is not.
    pub fn sees_sphere(&self, sphere: &Sphere) -> bool {
        let size = sphere.center.abs() + Vec3::splat(sphere.radius);
        !sphere.is_empty()
            && self.planes.iter().all(|plane| {
                plane.distance(sphere.center) + sphere.radius * plane.normal.length() >= -plane.slack(size)
            })
    }
    /// Whether the point is inside all planes, up to rounding.
    pub fn contains(&self, point: Vec3) -> bool {
        self.planes.iter().all(|plane| plane.distance(point) >= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::math::camera::{look_at, orthographic, perspective};

    fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-reach..reach).prop_map(Vec3::from)
    }

    fn seen(clip_from_world: &Mat4, point: Vec3) -> bool {
        let clip = *clip_from_world * point.extend(1.0);
        clip.x.abs() <= clip.w && clip.y.abs() <= clip.w && (0.0..=clip.w).contains(&clip.z)
    }

    fn projection(kind: u8) -> Mat4 {
        match kind {
            0 => perspective(0.8, 1.6, 0.1, Some(40.0)),
            1 => perspective(1.4, 0.7, 0.3, None),
            _ => orthographic(8.0, 5.0, 0.1, 30.0),
        }
    }

    #[test]
    fn what_lies_outside_one_plane_is_dropped() {
        for kind in 0..3 {
            let frustum = Frustum::new(&projection(kind));
            let at = |center: Vec3| Aabb::new(center - 0.5, center + 0.5);
            for (center, want) in [
                (Vec3::new(0.0, 0.0, -5.0), true),
                (Vec3::new(0.0, 0.0, 5.0), false),
                (Vec3::new(-30.0, 0.0, -5.0), false),
                (Vec3::new(30.0, 0.0, -5.0), false),
                (Vec3::new(0.0, 30.0, -5.0), false),
                (Vec3::new(0.0, -30.0, -5.0), false),
                (Vec3::new(0.0, 0.0, -60.0), kind == 1),
                (Vec3::ZERO, true),
            ] {
                assert_eq!(frustum.sees_aabb(&at(center)), want, "{kind} {center}");
                assert_eq!(frustum.sees_sphere(&Sphere::new(center, 0.5)), want, "{kind} {center}");
            }
            assert!(!frustum.sees_aabb(&Aabb::EMPTY));
            assert!(!frustum.sees_sphere(&Sphere::new(Vec3::new(0.0, 0.0, -5.0), -1.0)));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn nothing_seen_is_dropped(
            kind in 0u8..3, eye in vector(9.0), target in vector(9.0), a in vector(30.0), half in vector(6.0),
            t in prop::array::uniform3(-1.0f32..=1.0),
        ) {
            prop_assume!(eye.distance(target) > 0.1);
            let clip_from_world = projection(kind) * look_at(eye, target, Vec3::Y);
            let frustum = Frustum::new(&clip_from_world);
            let bounds = Aabb::new(a - half.abs(), a + half.abs());
            let inside = (a + half.abs() * Vec3::from(t)).clamp(bounds.min, bounds.max);
            if seen(&clip_from_world, inside) {
                prop_assert!(frustum.sees_aabb(&bounds));
                prop_assert!(frustum.sees_sphere(&Sphere::of_aabb(&bounds)));
            }
            // Just a point: the answers agree but for rounding.
            if frustum.planes.iter().all(|plane| plane.distance(inside).abs() > 1e-3) {
                prop_assert_eq!(frustum.contains(inside), seen(&clip_from_world, inside));
                prop_assert_eq!(frustum.sees_aabb(&Aabb::new(inside, inside)), seen(&clip_from_world, inside));
            }
        }
    }
}
