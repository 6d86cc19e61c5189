//! Framing: the place from which a camera of a given direction just sees some points.
//!
//! What a camera sees is bounded by planes whose directions follow from its axes and its angle of view alone. So the
//! points matter only by how far they reach along a few directions (a [`Reach`]), which unites over meshes and moments,
//! and the place of the camera follows from these numbers: two planes give the distance at which the points fill the
//! width exactly, two the same for the height, and the larger distance counts. The side that the points do not fill is
//! centred by narrower planes ([`STEPS`]), between which the reach is convex.
//!
//! About a vertical axis the same holds for all turns at once: a point reaches as far as its circle does.

use glam::{DVec3, Mat4, Vec3};

use super::Aabb;

/// The least size that is framed, metres.
const SIZE_MIN_M: f64 = 1e-6;

/// Distance of a camera without perspective, over the size of what it sees: it stands outside of a floor that is six
/// times as wide.
const PARALLEL_DISTANCE_RATIO: f64 = 12.0;

/// The nearest plane, as a share of the distance.
const NEAR_RATIO: f64 = 0.01;

/// In so many steps narrower planes become parallel.
const STEPS: usize = 4;

/// Planes to the left, right, lower and upper side, the narrower first; then the near and the far plane.
const PLANES: usize = 4 * (STEPS + 1) + 2;

/// A direction to look from, and what part of space is seen: all that a camera is but its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Framing {
    right: DVec3,
    up: DVec3,
    /// Against the way it looks.
    back: DVec3,
    lens: Lens,
    /// Width over height of the picture.
    aspect: f64,
    /// Share of the picture that the points may fill.
    fill: f64,
    /// Where the vertical axis is that the camera turns about, x and z, if it turns.
    axis: Option<DVec3>,
}

/// How far a camera sees to the side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// The tangent of half the vertical angle of view.
    Perspective { tan_y: f64 },
    /// As much as is to be seen.
    Parallel,
}

/// How far points reach along the directions of a [`Framing`]: the least products with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach([f64; PLANES]);

/// The place of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Framed {
    pub eye: DVec3,
    pub right: DVec3,
    pub up: DVec3,
    pub back: DVec3,
    /// What a camera without perspective sees.
    pub height_m: Option<f64>,
    pub near_m: f64,
    /// Where the last of the points is, and a floor of six times their size.
    pub far_m: f64,
}

impl Default for Reach {
    fn default() -> Reach {
        Reach::EMPTY
    }
}

impl Reach {
    /// That of no points.
    pub const EMPTY: Reach = Reach([f64::INFINITY; PLANES]);

    pub fn is_empty(&self) -> bool {
        !self.0.iter().all(|low| low.is_finite())
    }

    /// That of the points of both; both are of one framing.
    #[must_use]
    pub fn union(self, other: Reach) -> Reach {
        Reach(std::array::from_fn(|at| least(self.0[at], other.0[at])))
    }
}

/// The lesser; what is not a number counts as nothing.
fn least(low: f64, value: f64) -> f64 {
    if value < low { value } else { low }
}

impl Framing {
    /// Looks against `back` with `up` upwards: neither is zero, nor along the other. The points may fill `fill` of a
    /// picture that is `aspect` times as wide as high.
    pub fn new([back, up]: [DVec3; 2], lens: Lens, aspect: f64, fill: f64) -> Framing {
        let back = back.normalize();
        let right = up.cross(back).normalize();
        Framing { right, up: back.cross(right), back, lens, aspect, fill, axis: None }
    }

    /// The same for a camera that turns about the vertical axis through `point`, and sees the points from all sides.
    #[must_use]
    pub fn about(self, point: Vec3) -> Framing {
        Framing { axis: Some(DVec3::new(f64::from(point.x), 0.0, f64::from(point.z))), ..self }
    }

    /// Tangents to the side and upwards that the points may fill; none without perspective.
    fn tangents(&self) -> [f64; 2] {
        match self.lens {
            Lens::Perspective { tan_y } => [tan_y * self.fill * self.aspect, tan_y * self.fill],
            Lens::Parallel => [0.0; 2],
        }
    }

    /// Of the planes, inward.
    fn directions(&self) -> [DVec3; PLANES] {
        let [x, y] = self.tangents();
        let Framing { right, up, back, .. } = *self;
        let sides = [(right, x), (-right, x), (up, y), (-up, y)];
        std::array::from_fn(|at| match sides.get(at / (STEPS + 1)) {
            Some((side, tangent)) => *side - back * (tangent * (at % (STEPS + 1)) as f64 / STEPS as f64),
            None if at + 2 == PLANES => -back,
            None => back,
        })
    }

    /// How far points reach, which `world_from_local` places.
    pub fn reach(&self, points: &[[f32; 3]], world_from_local: &Mat4) -> Reach {
        let world = world_from_local.as_dmat4();
        match self.axis {
            None => {
                let along = self.directions().map(|direction| {
                    let local = [world.x_axis, world.y_axis, world.z_axis].map(|axis| axis.truncate().dot(direction));
                    (local, world.w_axis.truncate().dot(direction))
                });
                let mut low = [f64::INFINITY; PLANES];
                for point in points {
                    let [x, y, z] = point.map(f64::from);
                    for (low, ([a, b, c], _)) in low.iter_mut().zip(&along) {
                        *low = least(*low, (a * x + b * y) + c * z);
                    }
                }
                Reach(std::array::from_fn(|at| low[at] + along[at].1))
            }
            Some(axis) => {
                let along = self.directions().map(|direction| {
                    let level = (direction.x * direction.x + direction.z * direction.z).sqrt();
                    (level, direction.y)
                });
                let mut low = [f64::INFINITY; PLANES];
                for point in points {
                    let at = world.transform_point3(DVec3::from(point.map(f64::from))) - axis;
                    let radius = (at.x * at.x + at.z * at.z).sqrt();
                    for (low, (level, up)) in low.iter_mut().zip(&along) {
                        *low = least(*low, up * at.y - level * radius);
                    }
                }
                Reach(low)
            }
        }
    }

    /// How far the corners of a box reach; one of two metres about the origin for an empty one.
    pub fn reach_of_bounds(&self, bounds: Aabb) -> Reach {
        let bounds = if bounds.is_empty() { Aabb::new(Vec3::NEG_ONE, Vec3::ONE) } else { bounds };
        self.reach(&bounds.corners().map(|corner| corner.to_array()), &Mat4::IDENTITY)
    }

    /// The nearest place from which all is seen that reaches so far, which is not empty. The camera has turned by the
    /// angle of this sine and cosine about the axis of [`Framing::about`], to its right.
    pub fn framed(&self, reach: Reach, [sin, cos]: [f64; 2]) -> Framed {
        assert!(!reach.is_empty(), "nothing to frame");
        let largest = reach.0.iter().fold(0.0, |largest: f64, low| largest.max(low.abs()));
        // Rounding of the points, which are 32-bit floats, and points without any size.
        let slack = f64::max(SIZE_MIN_M, largest * f64::from(f32::EPSILON) * 4.0);
        let low = reach.0.map(|low| low - slack);
        // The highest point of all along `back`, and the lowest.
        let [front, rear] = [-low[PLANES - 2], low[PLANES - 1]];
        let sides = [0, 1].map(|axis| Sides::of(&low, axis));
        let [width, height] = sides.map(|sides| sides.size(STEPS));
        let (distance, height_m) = match self.lens {
            Lens::Perspective { .. } => {
                let [x, y] = self.tangents();
                (f64::max(width / (2.0 * x), height / (2.0 * y)), None)
            }
            Lens::Parallel => {
                let size = (width * width + height * height + (front - rear) * (front - rear)).sqrt();
                let height = f64::max(height, width / self.aspect) / self.fill;
                (front + size * PARALLEL_DISTANCE_RATIO, Some(height))
            }
        };
        let from_middle = distance - (front + rear) * 0.5;
        let near_m = f64::min(from_middle * NEAR_RATIO, (distance - front) * 0.5);
        let far_m = match self.lens {
            Lens::Perspective { .. } => f64::INFINITY,
            Lens::Parallel => (distance - rear) + (distance - front),
        };
        let middle: [f64; 2] = std::array::from_fn(|axis| sides[axis].middle(self.tangents()[axis], distance));
        let turned = |v: DVec3| DVec3::new(v.x * cos + v.z * sin, v.y, v.z * cos - v.x * sin);
        let eye = turned(self.right * middle[0] + self.up * middle[1] + self.back * distance);
        Framed {
            eye: eye + self.axis.unwrap_or(DVec3::ZERO),
            right: turned(self.right),
            up: turned(self.up),
            back: turned(self.back),
            height_m,
            near_m,
            far_m,
        }
    }
}

/// How far points reach to two opposite sides, by step.
#[derive(Clone, Copy)]
struct Sides {
    low: [f64; STEPS + 1],
    high: [f64; STEPS + 1],
}

impl Sides {
    /// To the left and right, or to the lower and upper side.
    fn of(low: &[f64; PLANES], axis: usize) -> Sides {
        let side = |number: usize| std::array::from_fn(|step| low[number * (STEPS + 1) + step]);
        Sides { low: side(2 * axis), high: side(2 * axis + 1) }
    }

    /// What the points fill of the plane through the origin that faces the camera, as seen between these planes.
    fn size(&self, step: usize) -> f64 {
        -(self.low[step] + self.high[step])
    }

    /// Where a camera stands at a distance from the origin, so that the points are as far from one side of the picture
    /// as from the other: between the narrowest planes that hold them.
    fn middle(&self, tangent: f64, distance: f64) -> f64 {
        let centre = |step: usize| (self.low[step] - self.high[step]) * 0.5;
        // By how much a step's planes are too narrow.
        let lack = |step: usize| self.size(step) - 2.0 * (tangent * step as f64 / STEPS as f64) * distance;
        let Some(step) = (1..=STEPS).find(|step| lack(*step) <= 0.0) else { return centre(STEPS) };
        let (before, after) = (lack(step - 1), lack(step));
        let share = if before > 0.0 { before / (before - after) } else { 0.0 };
        centre(step - 1) + (centre(step) - centre(step - 1)) * share
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Half the picture's width and height that a point is away from the middle, and how far it is in front.
    fn seen(framed: &Framed, framing: &Framing, point: DVec3) -> [f64; 3] {
        let from = point - framed.eye;
        let [x, y, depth] = [from.dot(framed.right), from.dot(framed.up), -from.dot(framed.back)];
        let half = match (framing.lens, framed.height_m) {
            (Lens::Perspective { tan_y }, _) => tan_y * depth,
            (Lens::Parallel, height) => height.expect("a height") * 0.5,
        };
        [x / (half * framing.aspect), y / half, depth]
    }

    fn points() -> impl Strategy<Value = Vec<[f32; 3]>> {
        let point = prop::array::uniform3(-1.0f32..1.0);
        (prop::collection::vec(point, 1..40), prop::array::uniform3(-50.0f32..50.0), 0.01f32..20.0).prop_map(
            |(points, at, size)| {
                points.into_iter().map(|p| std::array::from_fn(|axis| at[axis] + p[axis] * size)).collect()
            },
        )
    }

    fn lens() -> impl Strategy<Value = Lens> {
        prop_oneof![Just(Lens::Perspective { tan_y: 0.414_213_56 }), Just(Lens::Parallel)]
    }

    proptest! {
        /// All points are inside of the margin, and some touch it on two opposite sides: no camera is nearer.
        #[test]
        fn points_fill_the_picture_up_to_the_margin(
            points in points(), lens in lens(), aspect in 0.3f64..3.0, back in prop::array::uniform3(-1.0f64..1.0),
        ) {
            let back = DVec3::from(back);
            prop_assume!(back.length() > 0.1 && back.cross(DVec3::Y).length() > 0.1);
            let framing = Framing::new([back, DVec3::Y], lens, aspect, 0.9);
            let framed = framing.framed(framing.reach(&points, &Mat4::IDENTITY), [0.0, 1.0]);
            let mut low = [f64::INFINITY; 2];
            let mut high = [f64::NEG_INFINITY; 2];
            for point in &points {
                let [x, y, depth] = seen(&framed, &framing, DVec3::from(point.map(f64::from)));
                prop_assert!(depth > framed.near_m && depth < framed.far_m && x.abs() <= 0.9 && y.abs() <= 0.9);
                low = [low[0].min(x), low[1].min(y)];
                high = [high[0].max(x), high[1].max(y)];
            }
            // As far from one side as from the other, as nearly as a few planes tell.
            for axis in 0..2 {
                prop_assert!((low[axis] + high[axis]).abs() < 0.2, "{low:?} {high:?}");
            }
            let touches = |axis: usize| low[axis] < -0.9 + 1e-3 && high[axis] > 0.9 - 1e-3;
            prop_assert!(points.len() < 2 || touches(0) || touches(1), "{low:?} {high:?}");
        }

        /// A camera that turns sees all points from everywhere, from one distance and height.
        #[test]
        fn a_turning_camera_sees_all_from_one_distance(points in points(), lens in lens(), aspect in 0.3f64..3.0) {
            let axis = Vec3::from(points[0]) + Vec3::new(0.3, 7.0, -0.2);
            let framing = Framing::new([DVec3::new(0.5, 0.42, 1.0), DVec3::Y], lens, aspect, 0.9).about(axis);
            let reach = framing.reach(&points, &Mat4::IDENTITY);
            let level = |eye: DVec3| DVec3::new(eye.x - f64::from(axis.x), 0.0, eye.z - f64::from(axis.z)).length();
            let first = framing.framed(reach, [0.0, 1.0]);
            let mut most = 0.0_f64;
            for angle in 0..64 {
                let (sin, cos) = crate::math::ops64::sin_cos(f64::from(angle) * std::f64::consts::TAU / 64.0);
                let framed = framing.framed(reach, [sin, cos]);
                prop_assert_eq!((framed.eye.y, framed.height_m), (first.eye.y, first.height_m));
                prop_assert!((level(framed.eye) - level(first.eye)).abs() < 1e-9 * level(first.eye).max(1.0));
                for point in &points {
                    let [x, y, depth] = seen(&framed, &framing, DVec3::from(point.map(f64::from)));
                    prop_assert!(depth > framed.near_m && depth < framed.far_m && x.abs() <= 0.9 && y.abs() <= 0.9);
                    most = most.max(x.abs()).max(y.abs());
                }
            }
            prop_assert!(most > 0.8, "{most}: it could be nearer");
        }

        /// Parts and their union, wherever a transform puts them.
        #[test]
        fn reaches_unite(points in points(), shift in prop::array::uniform3(-9.0f32..9.0)) {
            let framing = Framing::new([DVec3::ONE, DVec3::Y], Lens::Parallel, 1.5, 0.9);
            let place = Mat4::from_translation(Vec3::from(shift));
            let (one, other) = points.split_at(points.len() / 2);
            let whole = framing.reach(&points, &place);
            prop_assert_eq!(framing.reach(one, &place).union(framing.reach(other, &place)), whole);
            let moved: Vec<[f32; 3]> = points.iter().map(|p| place.transform_point3(Vec3::from(*p)).to_array()).collect();
            let moved = framing.reach(&moved, &Mat4::IDENTITY);
            prop_assert!(whole.0.iter().zip(moved.0).all(|(a, b)| (a - b).abs() < 1e-4));
        }
    }

    #[test]
    fn nothing_and_one_point_can_be_framed() {
        let framing = Framing::new([DVec3::Z, DVec3::Y], Lens::Perspective { tan_y: 0.4 }, 2.0, 0.9);
        assert!(Reach::EMPTY.is_empty() && framing.reach(&[[f32::NAN; 3]], &Mat4::IDENTITY).is_empty());
        assert_eq!(framing.reach(&[], &Mat4::IDENTITY), Reach::EMPTY);
        for framing in [framing, Framing { lens: Lens::Parallel, ..framing }] {
            let point = framing.reach(&[[1.0, 2.0, 3.0]], &Mat4::IDENTITY);
            let framed = framing.framed(point, [0.0, 1.0]);
            assert!(
                framed.eye.z > 3.0 && framed.near_m > 0.0 && framed.eye.truncate().abs_diff_eq([1.0, 2.0].into(), 1e-9)
            );
            assert!(!framing.reach_of_bounds(Aabb::EMPTY).is_empty());
        }
    }
}
