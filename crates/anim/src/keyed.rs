//! Keyed vectors: whole vectors a key, one way of interpolation for all, as glTF stores them.
//!
//! Source: glTF 2.0, 3.11 and appendix C (interpolation modes). Outside the keys the first and the last value hold.

use glam::DQuat;
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

/// Vectors of `width` numbers at ascending times.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Keyed {
    times: Vec<Tick>,
    interpolation: Interpolation,
    width: usize,
    /// A key after the other; for `Cubic`, in-tangent, value and out-tangent of each.
    values: Vec<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Interpolation {
    Step,
    /// Rotations along the shortest arc.
    Linear,
    /// Hermite, tangents in units a second.
    Cubic,
}

/// What is wrong with keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyedError {
    NoKeys,
    /// This key is not later than the one before.
    Order(usize),
    /// So many numbers are needed.
    Length(usize),
}

impl Keyed {
    /// Shapes: `values.len() == times.len() * width`, three times as many for `Cubic`. Times ascend strictly.
    pub fn new(
        times: Vec<Tick>,
        interpolation: Interpolation,
        width: usize,
        values: Vec<f32>,
    ) -> Result<Keyed, KeyedError> {
        if times.is_empty() || width == 0 {
            return Err(KeyedError::NoKeys);
        }
        if let Some(at) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(KeyedError::Order(at + 1));
        }
        let wanted = times.len() * width * if interpolation == Interpolation::Cubic { 3 } else { 1 };
        if values.len() != wanted {
            return Err(KeyedError::Length(wanted));
        }
        Ok(Keyed { times, interpolation, width, values })
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn times(&self) -> &[Tick] {
        &self.times
    }

    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// The vector at key `key`, without tangents.
    pub fn value(&self, key: usize) -> &[f32] {
        self.part(key, if self.interpolation == Interpolation::Cubic { 1 } else { 0 })
    }

    /// In-tangent (0), value (1) or out-tangent (2) of a cubic key; the value (0) of others.
    fn part(&self, key: usize, part: usize) -> &[f32] {
        let stride = if self.interpolation == Interpolation::Cubic { 3 } else { 1 };
        let at = (key * stride + part) * self.width;
        &self.values[at..at + self.width]
    }

    /// The key at or before `at`, and how far it is to the next: 0 to 1, 0 at and outside the ends.
    fn place(&self, at: Tick) -> (usize, f64) {
        let after = self.times.partition_point(|time| *time <= at);
        let Some(key) = after.checked_sub(1) else { return (0, 0.0) };
        if after == self.times.len() {
            return (key, 0.0);
        }
        let (from, to) = (self.times[key].0, self.times[after].0);
        (key, (i128::from(at.0) - i128::from(from)) as f64 / (i128::from(to) - i128::from(from)) as f64)
    }

    /// The vector at a time, component by component.
    ///
    /// Shapes: `out.len() == width`.
    pub fn sample(&self, at: Tick, out: &mut [f64]) {
        assert_eq!(out.len(), self.width, "components");
        let (key, along) = self.place(at);
        if along == 0.0 || self.interpolation == Interpolation::Step {
            out.iter_mut().zip(self.value(key)).for_each(|(out, value)| *out = f64::from(*value));
            return;
        }
        let (from, to) = (self.value(key), self.value(key + 1));
        if self.interpolation == Interpolation::Linear {
            for (out, (from, to)) in out.iter_mut().zip(from.iter().zip(to)) {
                let (from, to) = (f64::from(*from), f64::from(*to));
                *out = from + (to - from) * along;
            }
            return;
        }
        // Keys may lie farther apart than a number of ticks goes.
        let span = i128::from(self.times[key + 1].0) - i128::from(self.times[key].0);
        let span_s = span as f64 / TICKS_PER_SECOND as f64;
        let (leave, arrive) = (self.part(key, 2), self.part(key + 1, 0));
        let (t, t2, t3) = (along, along * along, along * along * along);
        for (i, out) in out.iter_mut().enumerate() {
            *out = (2.0 * t3 - 3.0 * t2 + 1.0) * f64::from(from[i])
                + (t3 - 2.0 * t2 + t) * span_s * f64::from(leave[i])
                + (3.0 * t2 - 2.0 * t3) * f64::from(to[i])
                + (t3 - t2) * span_s * f64::from(arrive[i]);
        }
    }

    /// The rotation at a time, a unit quaternion: linear keys along the shortest arc at even speed.
    ///
    /// Shapes: width 4. Keys of no length count as no rotation.
    pub fn sample_rotation(&self, at: Tick) -> DQuat {
        assert_eq!(self.width, 4, "a quaternion has four components");
        let (key, along) = self.place(at);
        if self.interpolation == Interpolation::Linear && along != 0.0 {
            let [from, to] = [key, key + 1].map(|k| unit(self.value(k).iter().map(|v| f64::from(*v))));
            return slerp(from, to, along);
        }
        let mut out = [0.0; 4];
        self.sample(at, &mut out);
        unit(out.into_iter())
    }
}

fn unit(values: impl Iterator<Item = f64>) -> DQuat {
    let mut q = [0.0; 4];
    q.iter_mut().zip(values).for_each(|(q, value)| *q = value);
    let q = DQuat::from_array(q);
    // The processor's root; that of `length` is a program, with the same bits.
    let length = q.length_squared().sqrt();
    if length > 0.0 && length.is_finite() { q * (1.0 / length) } else { DQuat::IDENTITY }
}

/// Along the shortest arc, at even speed; straight where the two are so near that the arc is a line.
pub fn slerp(from: DQuat, to: DQuat, along: f64) -> DQuat {
    let dot = from.dot(to);
    let (to, dot) = if dot < 0.0 { (-to, -dot) } else { (to, dot) };
    // atan2 of sine and cosine keeps small angles exact where an arc cosine would not.
    let sine = (to - from * dot).length_squared().sqrt().min(1.0);
    let angle = stillframe_base::math::ops64::atan2(sine, dot);
    if sine < 1e-9 {
        return (from + (to - from) * along).normalize();
    }
    let sin = stillframe_base::math::ops64::sin;
    let turned = from * (sin((1.0 - along) * angle) / sine) + to * (sin(along * angle) / sine);
    turned * (1.0 / turned.length_squared().sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seconds(times: &[f64]) -> Vec<Tick> {
        times.iter().map(|t| Tick::from_seconds(*t)).collect()
    }

    fn sampled(keyed: &Keyed, at_s: f64) -> Vec<f64> {
        let mut out = vec![0.0; keyed.width()];
        keyed.sample(Tick::from_seconds(at_s), &mut out);
        out
    }

    #[test]
    fn modes() {
        let times = seconds(&[1.0, 2.0, 4.0]);
        let keyed = |interpolation, values: &[f32]| {
            Keyed::new(times.clone(), interpolation, 1, values.to_vec()).expect("well formed")
        };
        let step = keyed(Interpolation::Step, &[1.0, 3.0, 7.0]);
        let linear = keyed(Interpolation::Linear, &[1.0, 3.0, 7.0]);
        // Straight lines: slope 2 everywhere, so the spline is the line.
        let cubic = keyed(Interpolation::Cubic, &[2.0, 1.0, 2.0, 2.0, 3.0, 2.0, 2.0, 7.0, 2.0]);
        for (at_s, stepped, even) in
            [(-5.0, 1.0, 1.0), (1.0, 1.0, 1.0), (1.5, 1.0, 2.0), (2.0, 3.0, 3.0), (3.5, 3.0, 6.0), (9.0, 7.0, 7.0)]
        {
            assert_eq!(sampled(&step, at_s), [stepped], "step at {at_s}");
            assert_eq!(sampled(&linear, at_s), [even], "linear at {at_s}");
            assert!((sampled(&cubic, at_s)[0] - even).abs() < 1e-12, "cubic at {at_s}");
        }
        // One Hermite segment against its closed form: value 0 to 1 in two seconds with slopes 1 and 0.
        let bent = Keyed::new(seconds(&[0.0, 2.0]), Interpolation::Cubic, 1, vec![0.0, 0.0, 1.0, 0.0, 1.0, 0.0])
            .expect("well formed");
        assert!((sampled(&bent, 1.0)[0] - (0.125 * 2.0 + 0.5)).abs() < 1e-12);
    }

    #[test]
    fn mistakes_are_found() {
        let new =
            |times: &[f64], values: usize| Keyed::new(seconds(times), Interpolation::Linear, 2, vec![0.0; values]);
        assert_eq!(new(&[], 0).expect_err("empty"), KeyedError::NoKeys);
        assert_eq!(new(&[0.0, 1.0, 1.0], 6).expect_err("twice"), KeyedError::Order(2));
        assert_eq!(new(&[0.0, 1.0], 3).expect_err("short"), KeyedError::Length(4));
    }

    proptest! {
        #[test]
        fn rotations_stay_unit_and_turn_evenly(
            a in prop::array::uniform4(-1.0_f32..1.0), b in prop::array::uniform4(-1.0_f32..1.0), along in 0.0_f64..1.0,
        ) {
            prop_assume!(a.iter().map(|v| v * v).sum::<f32>() > 0.01 && b.iter().map(|v| v * v).sum::<f32>() > 0.01);
            let keyed = Keyed::new(seconds(&[0.0, 1.0]), Interpolation::Linear, 4, [a, b].concat()).expect("well formed");
            let (from, to) = (keyed.sample_rotation(Tick::ZERO), keyed.sample_rotation(Tick::from_seconds(1.0)));
            let here = keyed.sample_rotation(Tick::from_seconds(along));
            prop_assert!((here.length() - 1.0).abs() < 1e-12);
            let turn = |a: DQuat, b: DQuat| 2.0 * stillframe_base::math::ops64::atan2((b - a * a.dot(b)).length(), a.dot(b).abs());
            let (whole, part) = (turn(from, to), turn(from, here));
            prop_assert!((part - whole * along).abs() < 1e-6, "{part} of {whole} at {along}");
        }
    }
}
