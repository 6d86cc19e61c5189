//! Spheres.

use glam::{Mat4, Vec3};

use super::Aabb;
use crate::math::ops;

/// The points within `radius` of `center`. Empty where the radius is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    pub center: Vec3,
    pub radius: f32,
}

impl Sphere {
    pub const fn new(center: Vec3, radius: f32) -> Sphere {
        Sphere { center, radius }
    }
    /// The sphere through a box's corners, a little enlarged for rounding; of radius -1 for an empty box.
    pub fn of_aabb(bounds: &Aabb) -> Sphere {
        if bounds.is_empty() {
            return Sphere { center: Vec3::ZERO, radius: -1.0 };
        }
        let center = bounds.center();
        let slack = (center.abs().max_element() + bounds.half_size().max_element()) * (4.0 * f32::EPSILON);
        Sphere { center, radius: bounds.half_size().length() * (1.0 + 4.0 * f32::EPSILON) + slack }
    }
    /// A small sphere around points: the better of the box's centre and Ritter's (1990), at most about a tenth too
    /// large. Of radius -1 for no points.
    pub fn of_points(points: &[Vec3]) -> Sphere {
        let bounds = Aabb::of_points(points.iter().copied());
        if bounds.is_empty() {
            return Sphere { center: Vec3::ZERO, radius: -1.0 };
        }
        let around = |center: Vec3| {
            let far = points.iter().map(|point| point.distance_squared(center)).fold(0.0, ops::max);
            let slack = (center.abs().max_element() + bounds.half_size().max_element()) * (4.0 * f32::EPSILON);
            Sphere { center, radius: far.sqrt() + slack }
        };
        let farthest = |from: Vec3| {
            points.iter().copied().fold(from, |best, point| {
                if point.distance_squared(from) > best.distance_squared(from) { point } else { best }
            })
        };
        let a = farthest(bounds.center());
        let b = farthest(a);
        let (mut center, mut radius) = ((a + b) * 0.5, a.distance(b) * 0.5);
        for &point in points {
            let distance = point.distance(center);
            if distance > radius {
                let grown = (radius + distance) * 0.5;
                center += (point - center) * ((grown - radius) / distance);
                radius = grown;
            }
        }
        let (ritter, middle) = (around(center), around(bounds.center()));
        if ritter.radius < middle.radius { ritter } else { middle }
    }
    pub fn is_empty(&self) -> bool {
        self.radius < 0.0
    }
    pub fn contains(&self, point: Vec3) -> bool {
        !self.is_empty() && self.center.distance_squared(point) <= self.radius * self.radius
    }
    pub fn overlaps(&self, other: &Sphere) -> bool {
        let reach = self.radius + other.radius;
        !self.is_empty() && !other.is_empty() && self.center.distance_squared(other.center) <= reach * reach
    }
    pub fn overlaps_aabb(&self, bounds: &Aabb) -> bool {
        !self.is_empty() && !bounds.is_empty() && bounds.distance_squared(self.center) <= self.radius * self.radius
    }
    /// A sphere around this one under an affine `matrix`: the radius grows by no less than the longest stretch.
    #[must_use]
    pub fn transformed(&self, matrix: &Mat4) -> Sphere {
        let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate());
        // The largest stretch is at most the root of the largest row sum of |M^T M| (Gershgorin): exact without shear.
        let (xy, yz, zx) = (x.dot(y).abs(), y.dot(z).abs(), z.dot(x).abs());
        let rows = [x.length_squared() + xy + zx, y.length_squared() + xy + yz, z.length_squared() + yz + zx];
        let stretch = rows.into_iter().fold(0.0, ops::max).sqrt();
        let center = matrix.transform_point3(self.center);
        let sizes = stretch * (self.center.length() + self.radius.abs()) + matrix.w_axis.truncate().length();
        Sphere {
            center,
            radius: self.radius * stretch + if self.is_empty() { 0.0 } else { sizes * (8.0 * f32::EPSILON) },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-reach..reach).prop_map(Vec3::from)
    }

    #[test]
    fn empty_stays_empty() {
        assert!(Sphere::of_points(&[]).is_empty() && Sphere::of_aabb(&Aabb::EMPTY).is_empty());
        assert!(!Sphere::of_points(&[]).contains(Vec3::ZERO));
        assert!(Sphere::of_points(&[]).transformed(&Mat4::from_scale(Vec3::splat(3.0))).is_empty());
        assert!(Sphere::of_points(&[Vec3::ONE]).contains(Vec3::ONE));
    }

    proptest! {
        #[test]
        fn holds_its_points(points in prop::collection::vec(vector(20.0), 1..40)) {
            let sphere = Sphere::of_points(&points);
            let boxed = Sphere::of_aabb(&Aabb::of_points(points.iter().copied()));
            for &point in &points {
                prop_assert!(sphere.contains(point) && boxed.contains(point));
            }
            prop_assert!(sphere.radius <= boxed.radius * 1.0001);
        }

        #[test]
        fn a_transformed_sphere_holds_all_transformed_points(
            center in vector(9.0), radius in 0.0f32..9.0, direction in vector(1.0),
            columns in prop::array::uniform3(prop::array::uniform3(-3.0f32..3.0)), shift in vector(100.0),
        ) {
            let sphere = Sphere::new(center, radius);
            let mut matrix = Mat4::from_mat3(glam::Mat3::from_cols_array_2d(&columns));
            matrix.w_axis = shift.extend(1.0);
            let point = center + direction.normalize_or_zero() * (radius * 0.999_999);
            let moved = sphere.transformed(&matrix);
            prop_assert!(moved.center.distance(matrix.transform_point3(point)) <= moved.radius * 1.000_001 + 1e-5);
            let turned = sphere.transformed(&Mat4::from_scale(Vec3::splat(2.0)));
            prop_assert!((turned.radius - 2.0 * radius).abs() < 1e-3);
        }

        #[test]
        fn box_and_sphere_meet_where_a_point_is_in_both(a in vector(5.0), b in vector(5.0), c in vector(5.0), r in 0.0f32..4.0, p in vector(5.0)) {
            let (bounds, sphere) = (Aabb::of_points([a, b]), Sphere::new(c, r));
            if bounds.contains(p) && sphere.contains(p) {
                prop_assert!(sphere.overlaps_aabb(&bounds));
            }
            let nearest = c.clamp(bounds.min, bounds.max);
            prop_assert_eq!(sphere.overlaps_aabb(&bounds), sphere.contains(nearest));
        }
    }
}
