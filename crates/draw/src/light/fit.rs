//! Fit: the part of space that a directional light's map must hold.
//!
//! Across the light, a map holds what is both seen and behind some other caster; along it, from the first caster to the
//! last receiver. So a map's texels go where shadows can be seen, however large the ground is, although it casts, too.

use glam::{Mat4, Vec3};
use stillframe_base::geom::Aabb;
use stillframe_base::math::camera::{look_rotation, orthographic};

use super::seen::Seen;
use super::sights::Sights;
use crate::view::product;

/// What a directional light's map must hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    light_from_world: Mat4,
    /// Across the light.
    center: Vec3,
    side_m: f32,
    /// Along the light, towards it.
    first: f32,
    last: f32,
    /// It stands in whole texels.
    is_snapped: bool,
    /// Depths of the camera between which it counts; both 0: at all of them.
    pub depths_m: [f32; 2],
}

impl Fit {
    /// A ball around what the camera sees between two depths: as large wherever it looks (Valient 2008). `None`: no
    /// shadow can be seen.
    pub fn stable(direction: Vec3, seen: &Seen, depths_m: [f32; 2]) -> Option<Fit> {
        let fit = Fit::new(direction, seen)?;
        let (center, radius) = seen.ball(depths_m);
        let mut center = fit.light_from_world.transform_point3(center);
        // Along the light in wide steps: depths keep their bits.
        let step = radius / 16.0;
        center.z = (center.z / step).floor() * step;
        let (side_m, last) = (2.0 * radius, center.z - radius);
        // All that casts is before it.
        let first = fit.first.max(center.z + radius + step);
        Some(Fit { center, side_m, first, last, is_snapped: true, depths_m, ..fit })
    }

    /// `None`: no shadow can be seen.
    pub fn new(direction: Vec3, seen: &Seen) -> Option<Fit> {
        let light_from_world = light_from_world(direction);
        Fit::of(light_from_world, Held::new(seen, |points| boxed(light_from_world, points))?)
    }

    /// The same for what is seen between two depths of the camera, by its points.
    pub fn in_sight(direction: Vec3, seen: &Seen, (sights, depths_m): (&Sights, [f32; 2])) -> Option<Fit> {
        let light_from_world = light_from_world(direction);
        let boxed = |points: &[Vec3]| boxed(light_from_world, points);
        let receivers = seen.boxes_in_sight(sights, depths_m, boxed);
        Fit::of(light_from_world, Held::by_boxes(seen, &receivers, boxed)?)
    }

    /// The same map where it counts between two depths of the camera alone.
    pub fn between(self, depths_m: [f32; 2]) -> Fit {
        Fit { depths_m, ..self }
    }

    fn of(light_from_world: Mat4, Held { first, fitted, last }: Held) -> Option<Fit> {
        let (min, max) = (fitted.min, fitted.max);
        if !(max - min).is_finite() {
            return None;
        }
        let side_m = (max.x - min.x).max(max.y - min.y).max(1e-3);
        let center = (min + max) * 0.5;
        Some(Fit { light_from_world, center, side_m, first, last, is_snapped: false, depths_m: [0.0; 2] })
    }

    /// Texels that the picture can show.
    pub fn wanted_px(&self, seen: &Seen) -> f32 {
        let half = Vec3::new(self.side_m, self.side_m, self.first - self.last) * 0.5;
        let middle = Vec3::new(self.center.x, self.center.y, (self.first + self.last) * 0.5);
        let held = Aabb { min: middle - half, max: middle + half };
        let world_from_light = self.light_from_world.transpose();
        let points = held.corners().map(|p| world_from_light.transform_vector3(p));
        self.side_m / seen.texel_m(points)
    }

    /// `clip_from_world` of the map, the width of a texel and how deep it is, metres. `margin`: texels around what it
    /// must hold that a filter may look at.
    pub fn map(&self, size_px: u32, margin: f32) -> (Mat4, f32, f32) {
        let Fit { light_from_world, mut center, side_m, first, last, is_snapped, depths_m: _ } = *self;
        let side = side_m * size_px as f32 / (size_px as f32 - 2.0 * margin);
        let texel = side / size_px as f32;
        if is_snapped {
            center.x = (center.x / texel).floor() * texel;
            center.y = (center.y / texel).floor() * texel;
        }
        let slack = (first - last).max(side) * 1e-3;
        let eye = Mat4::from_translation(-Vec3::new(center.x, center.y, first + slack));
        let deep = first - last + 2.0 * slack;
        let clip_from_view = orthographic(side, side, 0.0, deep);
        (product(clip_from_view, product(eye, light_from_world)), texel, deep)
    }
}

fn light_from_world(direction: Vec3) -> Mat4 {
    Mat4::from_quat(look_rotation(direction, Vec3::Y).conjugate())
}

/// The box around points as a light sees them.
pub fn boxed(light_from_world: Mat4, points: &[Vec3]) -> Aabb {
    points.iter().map(|&p| light_from_world.transform_point3(p)).fold(Aabb::EMPTY, Aabb::with)
}

/// What a light's map must hold, by boxes as the light sees them: across it and, in z, towards it.
pub struct Held {
    /// Of all that casts and all that is seen.
    pub first: f32,
    /// Across the light: what is both seen and behind some other caster.
    pub fitted: Aabb,
    pub last: f32,
}

impl Held {
    /// `boxed`: the box around points as the light sees them. `None`: no shadow can be seen.
    pub fn new(seen: &Seen, boxed: impl Fn(&[Vec3]) -> Aabb) -> Option<Held> {
        let receivers: Vec<Aabb> = seen.receivers.iter().map(|points| boxed(points)).collect();
        Held::by_boxes(seen, &receivers, boxed)
    }

    /// The same where `receivers` are the boxes around what is seen of each.
    fn by_boxes(seen: &Seen, receivers: &[Aabb], boxed: impl Fn(&[Vec3]) -> Aabb) -> Option<Held> {
        let others = Others::new(receivers);
        let (mut cast, mut fitted) = (Aabb::EMPTY, Aabb::EMPTY);
        for caster in &seen.casters {
            // A caster counts where something seen that is not itself can lie behind it.
            let (bounds, behind) = (boxed(&caster.bounds.corners()), others.without(caster.itself));
            if overlaps(&bounds, &behind) && bounds.max.z > behind.min.z {
                cast = cast.union(bounds);
                fitted = fitted.union(bounds.intersection(behind));
            }
        }
        let all = others.without(None);
        let is_empty = fitted.min.x > fitted.max.x || fitted.min.y > fitted.max.y;
        (!is_empty).then_some(Held { first: cast.max.z.max(all.max.z), fitted, last: all.min.z })
    }
}

/// The box around all boxes but one.
struct Others {
    /// Around those before a place, and around those from it on.
    before: Vec<Aabb>,
    from: Vec<Aabb>,
}

impl Others {
    fn new(boxes: &[Aabb]) -> Others {
        let mut before = vec![Aabb::EMPTY];
        let mut from = vec![Aabb::EMPTY];
        boxes.iter().for_each(|b| before.push(before[before.len() - 1].union(*b)));
        boxes.iter().rev().for_each(|b| from.push(from[from.len() - 1].union(*b)));
        from.reverse();
        Others { before, from }
    }

    fn without(&self, place: Option<usize>) -> Aabb {
        place.map_or(self.from[0], |place| self.before[place].union(self.from[place + 1]))
    }
}

/// Whether two boxes meet across the light.
fn overlaps(a: &Aabb, b: &Aabb) -> bool {
    a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_all_but_one() {
        let cube = |x: f32| Aabb { min: Vec3::splat(x), max: Vec3::splat(x + 1.0) };
        let others = Others::new(&[cube(0.0), cube(5.0), cube(9.0)]);
        let ends = |b: Aabb| (b.min.x, b.max.x);
        assert_eq!(
            [None, Some(0), Some(1), Some(2)].map(|place| ends(others.without(place))),
            [(0.0, 10.0), (5.0, 10.0), (0.0, 10.0), (0.0, 6.0)]
        );
        assert!(Others::new(&[cube(0.0)]).without(Some(0)).is_empty());
    }
}
