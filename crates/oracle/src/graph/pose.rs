//! Poses in f64, a joint at a time, by the definitions of the nodes; each joint with the error that f32 may have made
//! of it.
//!
//! Where a rotation is on the border of two hemispheres, either side is right: such a joint has an error without a
//! bound and is not compared, nor is what is made of it.

use glam::{DMat3, DQuat, DVec3};
use stillframe_anim::pose::Trs;
use stillframe_base::math::ops64;

/// A joint, and how far f32 may be from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
    pub error: f64,
}

pub type Pose = Vec<Joint>;

/// What one operation in f32 adds to the error, in metres of some metres or parts of a rotation.
const ROUNDING: f64 = 2e-6;

/// Errors above this are not compared.
pub const ERROR_MAX: f64 = 0.02;

impl Joint {
    pub const IDENTITY: Joint =
        Joint { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE, error: 0.0 };

    pub fn of(from: Trs) -> Joint {
        let (translation, scale) = (from.translation.as_dvec3(), from.scale.as_dvec3());
        // Shares are rounded: the larger what they share, the more is lost.
        let error = 2.0 * f64::from(f32::EPSILON) * f64::max(translation.length(), scale.length());
        Joint { translation, rotation: from.rotation.as_dquat(), scale, error }
    }

    /// How far another one is from this one, in its worst number. Rotations may have either sign.
    pub fn distance(&self, other: &Trs) -> f64 {
        let other = Joint::of(*other);
        let turn = (self.rotation - other.rotation).length().min((self.rotation + other.rotation).length());
        let ways = [(self.translation - other.translation).length(), turn, (self.scale - other.scale).length()];
        // A maximum would lose what is no number.
        if ways.iter().all(|way| way.is_finite()) { ways.into_iter().fold(0.0, f64::max) } else { f64::INFINITY }
    }
}

/// The weighted mean of a joint: shares of 1, rotations in the hemisphere of the first.
pub fn mean(parts: &[(f64, Joint)], any_order: bool) -> Joint {
    let mut parts: Vec<(f64, Joint)> = parts.iter().copied().filter(|(weight, _)| *weight > 0.0).collect();
    let whole: f64 = parts.iter().map(|(weight, _)| weight).sum();
    parts.iter_mut().for_each(|(weight, _)| *weight /= whole);
    if let [(_, only)] = parts[..] {
        return only;
    }
    let (mut translation, mut scale, mut sum) = (DVec3::ZERO, DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    let (mut error, mut is_border) = (0.0, false);
    let first = parts[0].1.rotation;
    for (share, joint) in &parts {
        translation += joint.translation * *share;
        scale += joint.scale * *share;
        let dot = first.dot(joint.rotation);
        is_border |= dot.abs() < 1e-3 + joint.error;
        sum += if dot < 0.0 { -joint.rotation } else { joint.rotation } * *share;
        error = f64::max(error, joint.error);
    }
    if any_order {
        // Three of which another first one would take another side.
        let dot = |a: usize, b: usize| parts[a].1.rotation.dot(parts[b].1.rotation);
        let others = |a: usize, b: usize| (b + 1..parts.len()).any(|c| dot(a, b) * dot(a, c) * dot(b, c) < 1e-3);
        is_border |= (0..parts.len()).any(|a| (a + 1..parts.len()).any(|b| others(a, b)));
    }
    let length = sum.length();
    let error = if is_border { f64::INFINITY } else { error / length.max(1e-9) + ROUNDING / length.max(1e-9) };
    Joint { translation, rotation: sum * (1.0 / length.max(1e-30)), scale, error }
}

/// The mean of a joint with the product of the rotations' powers, in order.
pub fn power_mean(parts: &[(f64, Joint)]) -> Joint {
    with_rotation(parts, &mut |parts| {
        let (mut product, mut error, mut is_border) = (DQuat::IDENTITY, 0.0, false);
        for (share, joint) in parts {
            is_border |= joint.rotation.w.abs() < 1e-3 + joint.error;
            let (half, axis) = half_turn(if joint.rotation.w < 0.0 { -joint.rotation } else { joint.rotation });
            let (sine, cosine) = ops64::sin_cos(half * share);
            let axis = axis * sine;
            product *= DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine);
            error += joint.error;
        }
        (product.normalize(), if is_border { f64::INFINITY } else { 2.0 * error })
    })
}

/// The mean of a joint with the sum of the matrices, with or (a mistake) without sizes: its first column, and what is
/// square to it.
pub fn matrix_mean(parts: &[(f64, Joint)], with_sizes: bool) -> Joint {
    with_rotation(parts, &mut |parts| {
        let (mut x, mut y, mut error) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for (share, joint) in parts {
            let size = if with_sizes { joint.scale } else { DVec3::ONE };
            x += joint.rotation * DVec3::X * size.x * *share;
            y += joint.rotation * DVec3::Y * size.y * *share;
            error = f64::max(error, 4.0 * joint.error * (1.0 + size.length()));
        }
        let lengths = x.length();
        let x = x / lengths.max(1e-30);
        let y = y - x * x.dot(y);
        let least = lengths.min(y.length());
        let y = y / y.length().max(1e-30);
        let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)));
        (rotation, if least < 0.02 { f64::INFINITY } else { (error + ROUNDING) / least })
    })
}

/// Weighted sums of what is no rotation, and a rotation and its error by another way. One input alone is what it is.
fn with_rotation(parts: &[(f64, Joint)], rotation: &mut dyn FnMut(&[(f64, Joint)]) -> (DQuat, f64)) -> Joint {
    if let [(_, only)] = parts {
        return *only;
    }
    let sum: f64 = parts.iter().map(|part| part.0).sum();
    let parts: Vec<(f64, Joint)> = parts.iter().map(|(weight, joint)| (weight / sum, *joint)).collect();
    let (rotation, error) = rotation(&parts);
    Joint {
        translation: parts.iter().map(|(share, joint)| joint.translation * *share).sum(),
        rotation,
        scale: parts.iter().map(|(share, joint)| joint.scale * *share).sum(),
        error: parts.iter().map(|part| part.1.error).fold(error, f64::max) + ROUNDING,
    }
}

/// What a joint does beyond a reference.
pub fn delta(source: Joint, reference: Joint) -> Joint {
    let error = 4.0 * (source.error + reference.error) + ROUNDING;
    let ratio = |of: f64, to: f64| if to.abs() < 1e-4 { 1.0 } else { of / to };
    let (s, r) = (source.scale, reference.scale);
    Joint {
        translation: source.translation - reference.translation,
        rotation: (reference.rotation.conjugate() * source.rotation).normalize(),
        scale: DVec3::new(ratio(s.x, r.x), ratio(s.y, r.y), ratio(s.z, r.z)),
        error,
    }
}

/// A joint with a share of a delta on top: in the joint's own frame, or (a mistake) in that of its parent.
pub fn add(base: Joint, delta: Joint, alpha: f64, in_parent: bool) -> Joint {
    if alpha <= 0.0 {
        return base;
    }
    let is_border = delta.rotation.w.abs() < 1e-3 + delta.error && alpha > 0.0;
    let signed = if delta.rotation.w < 0.0 { -delta.rotation } else { delta.rotation };
    let part = DQuat::IDENTITY * (1.0 - alpha) + signed * alpha;
    let product = if in_parent { part * base.rotation } else { base.rotation * part };
    Joint {
        translation: base.translation + delta.translation * alpha,
        rotation: product.normalize(),
        scale: base.scale * (DVec3::splat(1.0 - alpha) + delta.scale * alpha),
        error: if is_border { f64::INFINITY } else { 2.0 * base.error + 8.0 * delta.error + ROUNDING },
    }
}

/// Rotations in model space, the product of all from the root to the joint, with the errors of these.
fn models(pose: &[Joint], parent: impl Fn(usize) -> Option<usize>) -> Vec<Joint> {
    let model = |joint: usize| {
        let (mut rotation, mut error, mut above) = (pose[joint].rotation, pose[joint].error, parent(joint));
        while let Some(joint) = above {
            rotation = pose[joint].rotation * rotation;
            error += pose[joint].error + ROUNDING;
            above = parent(joint);
        }
        Joint { rotation, error, ..pose[joint] }
    };
    (0..pose.len()).map(model).collect()
}

/// What the joints of a pose do beyond a reference, as turns of the model.
pub fn mesh_delta(source: &[Joint], reference: &[Joint], parent: impl Fn(usize) -> Option<usize>) -> Pose {
    let joint = |(source, reference): (Joint, Joint)| {
        let rotation = (source.rotation * reference.rotation.conjugate()).normalize();
        Joint { rotation, ..delta(source, reference) }
    };
    models(source, &parent).into_iter().zip(models(reference, &parent)).map(joint).collect()
}

/// What a player may get wrong of deltas in mesh space.
#[derive(Clone, Copy, Debug)]
pub struct MeshFaults {
    /// Joints turn in their own frames.
    pub in_own_frame: bool,
    /// Joints are turned back by what their parents were before.
    pub from_old_parent: bool,
}

/// A pose with shares of a delta on top, whose turns are the model's.
pub fn mesh_add(
    base: &[Joint],
    delta: &[Joint],
    alphas: &[f64],
    parent: impl Fn(usize) -> Option<usize>,
    faults: MeshFaults,
) -> Pose {
    let before = models(base, &parent);
    let turned = |joint: usize| add(before[joint], delta[joint], alphas[joint], !faults.in_own_frame);
    let local = |joint: usize| {
        let above = parent(joint);
        if alphas[joint] <= 0.0 && above.is_none_or(|above| alphas[above] <= 0.0) {
            return base[joint];
        }
        let own = turned(joint);
        let Some(above) = above else { return own };
        let from = if faults.from_old_parent { before[above] } else { turned(above) };
        let rotation = (from.rotation.conjugate() * own.rotation).normalize();
        Joint { rotation, error: own.error + from.error + ROUNDING, ..own }
    };
    (0..base.len()).map(local).collect()
}

/// A number that dies away, by the polynomial of degree five.
#[derive(Clone, Copy, Debug, Default)]
struct Decay {
    direction: DVec3,
    size: f64,
    speed: f64,
    rate: f64,
}

impl Decay {
    fn new(direction: DVec3, size: f64, speed: f64) -> Decay {
        if direction == DVec3::ZERO {
            return Decay { rate: 1.0, ..Decay::default() };
        }
        let speed = speed.min(0.0);
        let rate = (-speed / (5.0 * size)).clamp(1.0, 1e6);
        Decay { direction, size, speed: (speed / rate).max(-5.0 * size), rate }
    }

    fn left(&self, elapsed: f64) -> f64 {
        let (x, v, s) = (self.size, self.speed, self.rate * elapsed);
        if s >= 1.0 {
            return 0.0;
        }
        let a = (-8.0 * v - 20.0 * x).max(0.0);
        let powers = [
            -(a + 6.0 * v + 12.0 * x) / 2.0,
            (3.0 * a + 16.0 * v + 30.0 * x) / 2.0,
            -(3.0 * a + 12.0 * v + 20.0 * x) / 2.0,
            a / 2.0,
            v,
            x,
        ];
        powers.into_iter().fold(0.0, |sum, power| sum * s + power).max(0.0)
    }
}

/// What dies away of one joint.
#[derive(Clone, Copy, Debug)]
pub struct Offset {
    translation: Decay,
    rotation: Decay,
    scale: Decay,
    error: f64,
}

/// Half of the angle of a rotation about an axis, and the axis.
fn half_turn(q: DQuat) -> (f64, DVec3) {
    let length = q.xyz().length();
    (ops64::atan2(length, q.w), if length > 1e-9 { q.xyz() / length } else { DVec3::ZERO })
}

impl Offset {
    /// From the two poses shown last to the new one; `per_fade` is how much of the fade lies between the two.
    pub fn new(before: Joint, last: Joint, target: Joint, per_fade: f64) -> Offset {
        let mut error = last.error + target.error;
        let noise = (before.error + last.error + target.error + 1e-6) * per_fade;
        let mut away = |before: DVec3, last: DVec3, target: DVec3| {
            let size = (last - target).length();
            let direction = if size > 1e-9 { (last - target) / size } else { DVec3::ZERO };
            error += noise.min(2.0 * size);
            Decay::new(direction, size, (size - (before - target).dot(direction)) * per_fade)
        };
        let translation = away(before.translation, last.translation, target.translation);
        let scale = away(before.scale, last.scale, target.scale);
        let near = |q: DQuat, like: DQuat| if q.dot(like) < 0.0 { -q } else { q };
        let turn = near(target.rotation.conjugate() * last.rotation, DQuat::IDENTITY);
        let (half, axis) = half_turn(turn);
        let turn_before = near(target.rotation.conjugate() * before.rotation, turn);
        let half_before = ops64::atan2(turn_before.xyz().dot(axis), turn_before.w);
        error += noise.min(2.0 * half);
        // An axis of almost nothing is noise, and so is the hemisphere of a half turn.
        let is_border = turn.w.abs() < 1e-3 + error || turn_before.dot(turn).abs() < 1e-3 + error;
        Offset {
            translation,
            rotation: Decay::new(axis, half, (half - half_before) * per_fade),
            scale,
            error: if is_border { f64::INFINITY } else { 2.0 * error + 4.0 * ROUNDING },
        }
    }

    /// The joint with what is left on top.
    pub fn on(&self, target: Joint, elapsed: f64) -> Joint {
        let (sine, cosine) = ops64::sin_cos(self.rotation.left(elapsed));
        let axis = self.rotation.direction * sine;
        Joint {
            translation: target.translation + self.translation.direction * self.translation.left(elapsed),
            rotation: (target.rotation * DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine)).normalize(),
            scale: target.scale + self.scale.direction * self.scale.left(elapsed),
            error: target.error + self.error,
        }
    }
}
