//! Memory: the poses that a change over starts from.
//!
//! Source: Bollo, "Inertialization: high-performance animation transitions in Gears of War", GDC 2018. What was shown
//! is not played on: its offset to the new pose, and how fast that offset changed, die away on top of the new pose by a
//! polynomial of degree five, a number for each joint's translation, rotation (about one axis) and scale. As there, a
//! speed away from the new pose counts as 0, a fast one shortens the time so that nothing overshoots, and the
//! acceleration starts at 0 or against the motion. What is ours: offsets of rotations are in the joint's frame; the
//! offset begins at the pose that was shown last, so that no pose of the source is made again; time is ticks.
//!
//! ```text
//! x0, v0: offset and its speed in units of the fade's length, v0 <= 0
//! rate = max(1, -v0 / (5 x0)); v = v0 / rate; s = rate * elapsed / length
//! a = max(0, -8 v - 20 x0)
//! x(s) = -(a + 6 v + 12 x0)/2 s^5 + (3 a + 16 v + 30 x0)/2 s^4 - (3 a + 12 v + 20 x0)/2 s^3 + a/2 s^2 + v s + x0, 0 from s = 1 on
//! ```

use glam::{DQuat, DVec3};
use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};
use stillframe_base::math::ops64;
use stillframe_base::tick::Tick;

use super::FadePolicy;
use crate::pose::{Blend, BlendLayer, JointBlock, Trs, load3};
use crate::sample::DTrs;
use crate::time::{Fade, Weight};

/// What a switch or a machine has shown, and what it fades from.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct PoseMemory {
    /// A change over since the last evaluation.
    pub pending: Option<Fade>,
    /// The one under way.
    fade: Option<Fade>,
    /// Poses remembered: 0, 1 or 2.
    seen: u8,
    last_at: Tick,
    before_at: Tick,
    #[cfg_attr(feature = "serde", serde(with = "as_bits"))]
    last: Vec<JointBlock>,
    #[cfg_attr(feature = "serde", serde(with = "as_bits"))]
    before: Vec<JointBlock>,
    /// What is faded from: a pose that stands still, or nothing.
    #[cfg_attr(feature = "serde", serde(with = "as_bits"))]
    frozen: Vec<JointBlock>,
    /// What dies away, or nothing.
    #[cfg_attr(feature = "serde", serde(with = "as_bits"))]
    offsets: Vec<OffsetBlock>,
}

/// Offsets of sixteen joints.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
struct OffsetBlock {
    translation: Decay,
    /// Half of the angle.
    rotation: Decay,
    scale: Decay,
}

/// A vector that keeps its direction and dies away.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
struct Decay {
    direction: [Row; 3],
    size: Row,
    speed: Row,
    rate: Row,
}

impl PoseMemory {
    pub fn new(policy: FadePolicy, block_count: usize) -> PoseMemory {
        let room = |wanted: bool| vec![JointBlock::IDENTITY; if wanted { block_count } else { 0 }];
        let inertial = policy == FadePolicy::Inertial;
        PoseMemory {
            pending: None,
            fade: None,
            seen: 0,
            last_at: Tick::ZERO,
            before_at: Tick::ZERO,
            last: room(true),
            before: room(inertial),
            frozen: room(!inertial),
            offsets: vec![bytemuck::Zeroable::zeroed(); if inertial { block_count } else { 0 }],
        }
    }

    /// What was shown long ago is nothing to fade from.
    pub fn forget(&mut self) {
        (self.pending, self.fade, self.seen) = (None, None, 0);
    }

    /// Begins the change over that an update has asked for, given the new pose as it is at `at`.
    pub fn begin(&mut self, target: &[JointBlock]) {
        let Some(fade) = self.pending.take() else { return };
        self.fade = None;
        if self.seen == 0 || fade.length() == Tick::ZERO {
            return;
        }
        if self.offsets.is_empty() {
            self.frozen.copy_from_slice(&self.last);
            self.fade = Some(fade);
            return;
        }
        let ticks = (self.last_at.0 - self.before_at.0) as f64;
        // How much of the fade lies between the two poses that are remembered.
        let per_fade = if self.seen < 2 { 0.0 } else { fade.length().0 as f64 / ticks };
        for (b, offset) in self.offsets.iter_mut().enumerate() {
            for lane in 0..ROW {
                offset.capture(
                    lane,
                    self.before[b].lane(lane),
                    self.last[b].lane(lane),
                    target[b].lane(lane),
                    per_fade,
                );
            }
        }
        self.fade = Fade::new(self.last_at, fade.length(), fade.ease).ok();
    }

    /// Whether a fade changes the pose at `at`.
    pub fn is_fading(&mut self, at: Tick) -> bool {
        self.fade = self.fade.filter(|fade| fade.weight(at) < Weight::ONE);
        self.fade.is_some()
    }

    /// The pose of a fade under way.
    pub fn show(&self, isa: Isa, at: Tick, target: &[JointBlock], out: &mut [JointBlock]) {
        let Some(fade) = self.fade else { unreachable!("asked for only while it fades") };
        if self.offsets.is_empty() {
            let weight = fade.weight(at);
            let layers = [
                BlendLayer { pose: &self.frozen, weight: weight.rest().value() },
                BlendLayer { pose: target, weight: weight.value() },
            ];
            return Blend { isa, layers: &layers, rest: target, threshold: 0.0, out }.run();
        }
        let elapsed = ((at.0 - fade.start.0) as f64 / fade.length().0 as f64) as f32;
        isa.run_wide(Show { offsets: &self.offsets, elapsed, target, out });
    }

    /// Keeps what is shown at `at`. Showing one moment again takes its place.
    pub fn remember(&mut self, at: Tick, shown: &[JointBlock]) {
        if self.seen == 0 || at != self.last_at {
            std::mem::swap(&mut self.before_at, &mut self.last_at);
            if !self.before.is_empty() {
                std::mem::swap(&mut self.before, &mut self.last);
            }
            self.seen = (self.seen + 1).min(2);
        }
        self.last_at = at;
        self.last.copy_from_slice(shown);
    }
}

impl OffsetBlock {
    fn capture(&mut self, lane: usize, before: Trs, last: Trs, target: Trs, per_fade: f64) {
        let [before, last, target] = [before, last, target].map(DTrs::from);
        for (decay, before, last, target) in [
            (&mut self.translation, before.translation, last.translation, target.translation),
            (&mut self.scale, before.scale, last.scale, target.scale),
        ] {
            let offset = last - target;
            let size = offset.length();
            let direction = if size > SIZE_MIN { offset / size } else { DVec3::ZERO };
            decay.set(lane, direction, size, (size - (before - target).dot(direction)) * per_fade);
        }

        let turn = |rotation: DQuat, like: DQuat| {
            let turn = target.rotation.conjugate() * rotation;
            if turn.dot(like) < 0.0 { -turn } else { turn }
        };
        let offset = turn(last.rotation, DQuat::IDENTITY);
        let length = offset.xyz().length();
        let axis = if length > SIZE_MIN { offset.xyz() / length } else { DVec3::ZERO };
        let half = ops64::atan2(length, offset.w);
        let offset_before = turn(before.rotation, offset);
        let half_before = ops64::atan2(offset_before.xyz().dot(axis), offset_before.w);
        self.rotation.set(lane, axis, half, (half - half_before) * per_fade);
    }
}

/// Smaller offsets have no direction; they are below the last bit of what they are added to.
const SIZE_MIN: f64 = 1e-9;

/// Offsets that end sooner than in this share of the fade end there.
const RATE_MAX: f64 = 1e6;

impl Decay {
    fn set(&mut self, lane: usize, direction: DVec3, size: f64, speed: f64) {
        let gone = direction == DVec3::ZERO;
        let (size, speed) = if gone { (0.0, 0.0) } else { (size, speed.min(0.0)) };
        let rate = if gone { 1.0 } else { (-speed / (5.0 * size)).clamp(1.0, RATE_MAX) };
        for (row, number) in self.direction.iter_mut().zip(direction.to_array()) {
            row.0[lane] = number as f32;
        }
        self.size.0[lane] = size as f32;
        // Not past the shortest end.
        self.speed.0[lane] = (speed / rate).max(-5.0 * size) as f32;
        self.rate.0[lane] = rate as f32;
    }

    /// What is left of its size after a share of the fade.
    #[inline(always)]
    fn left<W: Wide>(&self, wide: W, elapsed: W::F32, part: usize) -> W::F32 {
        let (zero, one, half) = (wide.splat(0.0), wide.splat(1.0), wide.splat(0.5));
        let number = |n: f32| wide.splat(n);
        let (x, v) = (wide.load(&self.size, part), wide.load(&self.speed, part));
        let s = wide.load(&self.rate, part) * elapsed;
        let wanted = number(-8.0) * v - number(20.0) * x;
        let a = wide.select_less(wanted, zero, zero, wanted);
        let five = (a + number(6.0) * v) + number(12.0) * x;
        let four = (number(3.0) * a + number(16.0) * v) + number(30.0) * x;
        let three = (number(3.0) * a + number(12.0) * v) + number(20.0) * x;
        let high = ((four - five * s) * s - three) * s + a;
        let left = ((high * half) * s + v) * s + x;
        let left = wide.select_less(left, zero, zero, left);
        wide.select_less(s, one, left, zero)
    }
}

/// Adds what is left of offsets to a pose.
struct Show<'a> {
    offsets: &'a [OffsetBlock],
    elapsed: f32,
    target: &'a [JointBlock],
    out: &'a mut [JointBlock],
}

impl WideWork for Show<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let elapsed = wide.splat(self.elapsed);
        for ((offset, target), out) in self.offsets.iter().zip(self.target).zip(self.out) {
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                for (decay, from, to) in [
                    (&offset.translation, &target.translation, &mut out.translation),
                    (&offset.scale, &target.scale, &mut out.scale),
                ] {
                    let left = decay.left(wide, elapsed, part);
                    for n in 0..3 {
                        let moved = wide.load(&from[n], part) + left * wide.load(&decay.direction[n], part);
                        wide.store(moved, &mut to[n], part);
                    }
                }
                let (sine, w) = sine_and_cosine(wide, offset.rotation.left(wide, elapsed, part));
                let axis = load3(wide, &offset.rotation.direction, part);
                let [x, y, z] = [axis[0] * sine, axis[1] * sine, axis[2] * sine];
                let q = [0, 1, 2, 3].map(|n| wide.load(&target.rotation[n], part));
                wide.store(((q[3] * x + q[0] * w) + q[1] * z) - q[2] * y, &mut out.rotation[0], part);
                wide.store(((q[3] * y + q[1] * w) + q[2] * x) - q[0] * z, &mut out.rotation[1], part);
                wide.store(((q[3] * z + q[2] * w) + q[0] * y) - q[1] * x, &mut out.rotation[2], part);
                wide.store(((q[3] * w - q[0] * x) - q[1] * y) - q[2] * z, &mut out.rotation[3], part);
            }
        }
    }
}

/// Of 0 to a quarter turn: Taylor's series, whose first missing terms are below 1e-8 there.
#[inline(always)]
fn sine_and_cosine<W: Wide>(wide: W, x: W::F32) -> (W::F32, W::F32) {
    let one = wide.splat(1.0);
    let square = x * x;
    let nested = |divisors: [f32; 6]| {
        let mut sum = one;
        for divisor in divisors {
            sum = one - square * wide.splat(1.0 / divisor) * sum;
        }
        sum
    };
    let sine = x * nested([156.0, 110.0, 72.0, 42.0, 20.0, 6.0]);
    (sine, nested([132.0, 90.0, 56.0, 30.0, 12.0, 2.0]))
}

/// Poses as the bits of their numbers: text forms of numbers need not give the same back.
#[cfg(feature = "serde")]
mod as_bits {
    use bytemuck::Pod;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<T: Pod, S: Serializer>(blocks: &[T], to: S) -> Result<S::Ok, S::Error> {
        bytemuck::cast_slice::<T, u32>(blocks).serialize(to)
    }

    pub fn deserialize<'de, T: Pod, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
        let bits = Vec::<u32>::deserialize(from)?;
        if !(size_of_val(&*bits)).is_multiple_of(size_of::<T>()) {
            return Err(D::Error::custom("poses are whole blocks"));
        }
        Ok(bytemuck::pod_collect_to_vec(&bits))
    }
}
