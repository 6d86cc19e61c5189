//! Clip: a box that holds a mesh at every moment of a clip.
//!
//! A point on a joint moves on a curve from frame to frame; the box of its two ends does not hold the bulge between. In
//! the time `s` from 0 to 1 between two frames, a point at `y(s)` in a joint's space is at `A(s) y(s)` in its parent's,
//! and
//!
//! ```text
//! |(A y)'|  <= |A'| |y| + |A| |y'|
//! |(A y)''| <= |A''| |y| + 2 |A'| |y'| + |A| |y''|
//! A = shift + turn * scale:  |A| <= scale, |A'| <= w scale + scale', |A''| <= (w^2 + w') scale + 2 w scale'
//! ```
//!
//! where shifts and scales are linear in `s` and turns are nlerp, by angles of `2 p`: `w = 4 tan(p / 2)` at most, `w' =
//! 4 sin p (1 - cos p) / cos(p / 2)^4`. From the joint up to the root that bounds the second derivative in the model,
//! and a curve is within an eighth of that of its chord. It is also within half of its length of one of its ends, which
//! is less where frames are far apart.
//!
//! Source: section 2.8 of "Game engine: principles and practice" volume 2 for what is wanted (its own steps of 0.05 ms
//! see single moments: D18); the bound is the mean value form of linear interpolation's error, worked out here for
//! chains of joints.

use glam::DVec3;
use stillframe_base::geom::Aabb;
use stillframe_base::lanes::Isa;
use stillframe_base::math::ops64;
use stillframe_base::tick::Tick;

use super::{BoundsError, JointBoxes};
use crate::pose::{Affine, JointBlock, NO_PARENT, check_finite, check_indices, check_length, check_parents};
use crate::sample::{DTrs, Sample, UniformClip};

/// Lengths of packed rotations are 1 within 16 bits; turns between them are so much faster at most.
const PACKED: f64 = 1.01;

/// Where a skin's joints are in a skeleton, and how the mesh was bound: what [`Palette`](crate::pose::Palette) takes.
#[derive(Clone, Copy, Debug)]
pub struct SkinJoints<'a> {
    pub joints: &'a [u16],
    pub inverse_binds: &'a [Affine],
}

/// The box of a mesh over all moments of a clip, in the model's space, with roots where the clip has them.
///
/// Shapes: `parents` has one entry a joint of the clip; `skin` one a joint of the palette of `boxes`. It costs as much
///         as posing every
/// frame some ten times; keep it with the clip. A set of clips has the union of their boxes.
pub fn clip_bounds(
    clip: &UniformClip,
    parents: &[u16],
    skin: SkinJoints<'_>,
    boxes: &JointBoxes,
) -> Result<Aabb, BoundsError> {
    check_length("parents", parents.len(), clip.joint_count())?;
    check_parents(parents)?;
    check_length("inverse bind matrices", skin.inverse_binds.len(), skin.joints.len())?;
    check_indices("joints of the skin", skin.joints.iter().copied(), parents.len())?;
    check_finite("inverse bind matrices", bytemuck::cast_slice(skin.inverse_binds))?;
    boxes.check_palette(skin.joints.len())?;

    let of_joint = |(own, bounds): (&u16, &Aabb)| {
        let bind = &skin.inverse_binds[usize::from(*own)];
        Points::new(skin.joints[usize::from(*own)], bind, bounds)
    };
    let points: Vec<Points> = boxes.joints().iter().zip(boxes.boxes()).map(of_joint).collect();
    let mut blocks = vec![JointBlock::IDENTITY; JointBlock::count_for(parents.len())];
    let mut sample = |frame: usize| -> Vec<DTrs> {
        let at = Tick((frame as i64).saturating_mul(clip.frame_ticks())).min(clip.duration());
        Sample { isa: Isa::detect(), clip, at, out: &mut blocks }.run();
        (0..parents.len()).map(|joint| JointBlock::joint(&blocks, joint).into()).collect()
    };
    let mut from = sample(0);
    let mut out = Aabb::EMPTY;
    for frame in 1..clip.frame_count() {
        let to = sample(frame);
        // The last frame may lie past the end; then what is sampled there is no frame, and the way to it has another
        // pace.
        let past = (frame as i64).saturating_mul(clip.frame_ticks()).saturating_sub(clip.duration().0);
        let even = past <= clip.frame_ticks() / 100;
        for points in &points {
            let mut way = Way::of(points);
            let mut joint = points.joint;
            while joint != NO_PARENT {
                way.climb(&from[usize::from(joint)], &to[usize::from(joint)]);
                joint = parents[usize::from(joint)];
            }
            out = out.union(way.bounds(even, f64::from(boxes.slack())));
        }
        from = to;
    }
    Ok(out)
}

/// The corners of a joint's box in the joint's space.
struct Points {
    joint: u16,
    corners: [DVec3; 8],
    /// Of the numbers that were summed for them.
    size: f64,
}

impl Points {
    fn new(joint: u16, bind: &Affine, bounds: &Aabb) -> Points {
        let row = |n: usize| DVec3::from_array([0, 1, 2].map(|i| f64::from(bind.0.0[4 * n + i])));
        let shift = |n: usize| f64::from(bind.0.0[4 * n + 3]);
        let corners = bounds.corners().map(|corner| corner.as_dvec3());
        let moved = corners.map(|c| DVec3::from_array([0, 1, 2].map(|n| row(n).dot(c) + shift(n))));
        let sizes =
            corners.map(|c| DVec3::from_array([0, 1, 2].map(|n| row(n).abs().dot(c.abs()) + shift(n).abs())).length());
        Points { joint, corners: moved, size: sizes.into_iter().fold(0.0, f64::max) }
    }
}

/// How points go from one frame to the next, in the space of some joint above them.
struct Way {
    ends: [[DVec3; 8]; 2],
    /// The furthest from the joint that a point is, anywhere on its way.
    reach: f64,
    /// The most of the first and second derivative.
    speed: f64,
    bend: f64,
    /// The most that is travelled.
    length: f64,
    /// Of the numbers that are summed.
    size: f64,
    depth: u32,
}

impl Way {
    /// In the joint's own space they stand.
    fn of(points: &Points) -> Way {
        let reach = points.corners.iter().map(|corner| corner.length()).fold(0.0, f64::max);
        let ends = [points.corners; 2];
        Way { ends, reach, speed: 0.0, bend: 0.0, length: 0.0, size: points.size, depth: 0 }
    }

    /// To the parent's space, by the joint in two frames.
    fn climb(&mut self, from: &DTrs, to: &DTrs) {
        let shift = from.translation.distance(to.translation);
        let scale = from.scale.abs().max(to.scale.abs()).max_element();
        let scaled = (to.scale - from.scale).abs().max_element();
        // Half of the turn between the two, without an arc cosine's loss near 0.
        let (a, b) = (from.rotation.normalize(), to.rotation.normalize());
        let p = 2.0 * ops64::atan2((a - b).length(), (a + b).length());
        let (sin, cos) = ops64::sin_cos(p);
        let cos_half = ops64::cos(0.5 * p);
        let w = PACKED * 2.0 * sin / (cos_half * cos_half);
        let w2 = PACKED * 4.0 * sin * (1.0 - cos) / (cos_half * cos_half * cos_half * cos_half);

        let moved = w * scale + scaled;
        let bend =
            ((w * w + w2) * scale + 2.0 * w * scaled) * self.reach + 2.0 * moved * self.speed + scale * self.bend;
        self.length = shift + (2.0 * p * scale + scaled) * self.reach + scale * self.length;
        self.speed = shift + moved * self.reach + scale * self.speed;
        self.bend = bend;
        self.size = from.translation.length().max(to.translation.length()) + scale * self.size;
        for (end, joint) in self.ends.iter_mut().zip([from, to]) {
            let rotation = joint.rotation.normalize();
            *end = end.map(|point| joint.translation + rotation * (joint.scale * point));
        }
        let furthest = self.ends.iter().flatten().map(|point| point.length()).fold(0.0, f64::max);
        self.reach = furthest + self.bulge(true);
        self.depth += 1;
    }

    /// How far from the hull of their ends points get.
    fn bulge(&self, even: bool) -> f64 {
        let half = 0.5 * self.length;
        // Half a turn between frames has no bound by derivatives: the number is infinite, or none at all.
        if even && self.bend < 8.0 * half { self.bend / 8.0 } else { half }
    }

    fn bounds(&self, even: bool, slack: f64) -> Aabb {
        let rounding = slack + 8.0 * f64::from(f32::EPSILON) * f64::from(self.depth + 1);
        let more = DVec3::splat(self.bulge(even) + rounding * self.size);
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for point in self.ends.iter().flatten() {
            (min, max) = (min.min(*point), max.max(*point));
        }
        Aabb::new((min - more).as_vec3(), (max + more).as_vec3())
    }
}
