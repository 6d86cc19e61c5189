//! Sights: what is seen at every point of a picture that is shaded, so that maps hold that and no more (Lauritzen,
//! Salvi, Lefohn 2011).
//!
//! The points are of surfaces that hide what is behind them. Those that are seen through are nowhere among them: their
//! bounds count.

use glam::Vec3;
use stillframe_base::geom::Aabb;

use super::seen::{Seen, ends};

/// Places in the world, metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sights {
    pub points: Vec<Vec3>,
}

/// How much farther than depths say points may be, by rounding.
const SLACK: f32 = 1e-4;

impl Seen {
    /// Nearest and farthest depth of what is seen; `None`: nothing is.
    pub fn depths_in_sight(&self, sights: &Sights) -> Option<[f32; 2]> {
        let clear = self.receivers.iter().zip(&self.is_clear).filter(|(_, clear)| **clear);
        let points = sights.points.iter().chain(clear.flat_map(|(points, _)| points));
        let [near_m, far_m] = ends(points.map(|p| self.depth_m(*p)));
        (near_m <= far_m).then(|| [near_m.max(1e-3) * (1.0 - SLACK), far_m.max(1e-3) * (1.0 + SLACK)])
    }

    /// What of each receiver is seen between two depths, where `boxed` is the box around points as a light sees them.
    pub fn boxes_in_sight(
        &self,
        sights: &Sights,
        [begin_m, end_m]: [f32; 2],
        boxed: impl Fn(&[Vec3]) -> Aabb,
    ) -> Vec<Aabb> {
        let (begin_m, end_m) = (begin_m * (1.0 - SLACK), end_m * (1.0 + SLACK));
        let is_between = |p: &Vec3| (begin_m..=end_m).contains(&self.depth_m(*p));
        let bound = sights.points.iter().filter(|p| is_between(p)).map(|p| boxed(&[*p]));
        let bound = bound.fold(Aabb::EMPTY, Aabb::union);
        let boxes = self.receivers.iter().zip(&self.is_clear).map(|(points, is_clear)| {
            if !is_clear {
                let part = boxed(points).intersection(bound);
                return if part.is_empty() { Aabb::EMPTY } else { part };
            }
            let [near_m, far_m] = ends(points.iter().map(|p| self.depth_m(*p)));
            if near_m <= end_m && far_m >= begin_m { boxed(points) } else { Aabb::EMPTY }
        });
        boxes.collect()
    }
}
