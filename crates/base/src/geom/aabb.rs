//! Boxes along the axes.

use glam::{Mat4, Vec3};

/// The points p with `min <= p <= max` in each axis. Empty where a side is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    pub min: Vec3,
    pub max: Vec3,
}

impl Aabb {
    /// The box of nothing: neutral for [`union`](Aabb::union).
    pub const EMPTY: Aabb = Aabb { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    pub const fn new(min: Vec3, max: Vec3) -> Aabb {
        Aabb { min, max }
    }
    /// The least box around points; empty for none. Points that are not finite are left out.
    pub fn of_points(points: impl IntoIterator<Item = Vec3>) -> Aabb {
        points.into_iter().filter(|point| point.is_finite()).fold(Aabb::EMPTY, Aabb::with)
    }
    pub fn is_empty(&self) -> bool {
        !(self.min.x <= self.max.x && self.min.y <= self.max.y && self.min.z <= self.max.z)
    }
    /// The least box around this one and `point`.
    #[must_use]
    pub fn with(self, point: Vec3) -> Aabb {
        Aabb { min: self.min.min(point), max: self.max.max(point) }
    }
    /// The least box around both.
    #[must_use]
    pub fn union(self, other: Aabb) -> Aabb {
        Aabb { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
    /// What both share; empty if nothing.
    #[must_use]
    pub fn intersection(self, other: Aabb) -> Aabb {
        Aabb { min: self.min.max(other.min), max: self.max.min(other.max) }
    }
    pub fn contains(&self, point: Vec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }
    pub fn overlaps(&self, other: &Aabb) -> bool {
        !self.intersection(*other).is_empty()
    }
    pub fn center(&self) -> Vec3 {
        self.min * 0.5 + self.max * 0.5
    }
    /// Half of each side.
    pub fn half_size(&self) -> Vec3 {
        self.max * 0.5 - self.min * 0.5
    }
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }
    /// Area of the surface; 0 if empty.
    pub fn area(&self) -> f32 {
        let size = self.size().max(Vec3::ZERO);
        2.0 * (size.x * size.y + size.y * size.z + size.z * size.x)
    }
    /// Corner `index` of 8: bit 0 chooses x, bit 1 y, bit 2 z.
    pub fn corner(&self, index: usize) -> Vec3 {
        let side = |bit: usize| if index >> bit & 1 == 0 { self.min[bit] } else { self.max[bit] };
        Vec3::new(side(0), side(1), side(2))
    }
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|index| self.corner(index))
    }
    /// A box around this box under an affine `matrix`, a little enlarged for rounding. Source: Arvo 1990, with centre
    /// and half size. An empty box stays empty.
    #[must_use]
    pub fn transformed(&self, matrix: &Mat4) -> Aabb {
        if self.is_empty() {
            return Aabb::EMPTY;
        }
        let center = matrix.transform_point3(self.center());
        let half = self.half_size();
        let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate().abs());
        let reach = x * half.x + y * half.y + z * half.z;
        let sizes = x * self.center().x.abs() + y * self.center().y.abs() + z * self.center().z.abs();
        let slack = (sizes + reach + matrix.w_axis.truncate().abs()) * (8.0 * f32::EPSILON);
        Aabb { min: center - (reach + slack), max: center + (reach + slack) }
    }
    /// Distance from the box to `point`, squared; 0 inside.
    pub fn distance_squared(&self, point: Vec3) -> f32 {
        point.distance_squared(point.clamp(self.min, self.max))
    }
}

impl Default for Aabb {
    fn default() -> Aabb {
        Aabb::EMPTY
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
    fn empty_is_neutral() {
        let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
        assert!(Aabb::EMPTY.is_empty() && !unit.is_empty());
        assert_eq!(unit.union(Aabb::EMPTY), unit);
        assert!(unit.intersection(Aabb::EMPTY).is_empty());
        assert!(Aabb::EMPTY.transformed(&Mat4::from_translation(Vec3::ONE)).is_empty());
        assert_eq!((unit.area(), Aabb::EMPTY.area()), (6.0, 0.0));
        assert_eq!(Aabb::of_points([Vec3::NAN, Vec3::ONE, Vec3::ZERO, Vec3::INFINITY]), unit);
        assert_eq!(unit.corner(5), Vec3::new(1.0, 0.0, 1.0));
    }

    proptest! {
        #[test]
        fn a_transformed_box_holds_all_transformed_points(
            a in vector(50.0), b in vector(50.0), t in prop::array::uniform3(0.0f32..=1.0),
            columns in prop::array::uniform3(prop::array::uniform3(-3.0f32..3.0)), shift in vector(1000.0),
        ) {
            let bounds = Aabb::of_points([a, b]);
            let mut matrix = Mat4::from_mat3(glam::Mat3::from_cols_array_2d(&columns));
            matrix.w_axis = shift.extend(1.0);
            let inside = bounds.min + bounds.size() * Vec3::from(t);
            let inside = inside.clamp(bounds.min, bounds.max);
            let moved = bounds.transformed(&matrix);
            prop_assert!(moved.contains(matrix.transform_point3(inside)));
            // And it is not much larger than the box of the corners.
            let tight = Aabb::of_points(bounds.corners().map(|corner| matrix.transform_point3(corner)));
            prop_assert!((moved.size() - tight.size()).max_element() < 0.02);
        }

        #[test]
        fn distance_and_overlap(a in vector(5.0), b in vector(5.0), c in vector(5.0), d in vector(5.0), p in vector(9.0)) {
            let (one, two) = (Aabb::of_points([a, b]), Aabb::of_points([c, d]));
            prop_assert_eq!(one.contains(p), one.distance_squared(p) == 0.0);
            prop_assert_eq!(one.overlaps(&two), two.overlaps(&one));
            prop_assert!(one.union(two).contains(one.center()) && one.union(two).contains(two.center()));
            if one.contains(p) && two.contains(p) {
                prop_assert!(one.overlaps(&two));
            }
        }
    }
}
