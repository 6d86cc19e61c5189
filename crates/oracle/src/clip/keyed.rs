//! Keyed vectors, and the three ways of finding a key: asking each, going on from the last one found, and where keys
//! lie evenly a division.

use glam::DQuat;
use stillframe_anim::{Interpolation, Keyed, KeyedError};
use stillframe_base::math::ops64;
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use super::{ClipMistake, is_near, moments, must, number, times};
use crate::Choices;

/// Keys as they were drawn, good or not.
#[derive(Clone, Debug)]
pub struct RawKeys {
    pub times: Vec<Tick>,
    pub interpolation: Interpolation,
    pub width: usize,
    pub values: Vec<f32>,
}

pub fn draw(choices: &mut Choices<'_>, width: usize) -> RawKeys {
    let times = times(choices);
    let interpolation =
        *choices.pick(&[Interpolation::Linear, Interpolation::Step, Interpolation::Cubic, Interpolation::Linear]);
    let wanted = times.len() * width * if interpolation == Interpolation::Cubic { 3 } else { 1 };
    let count = if choices.one_in(40) { wanted + choices.below(3) as usize } else { wanted };
    let values = (0..count).map(|_| number(choices)).collect();
    RawKeys { times, interpolation, width, values }
}

impl RawKeys {
    /// Everything that is wrong.
    fn faults(&self) -> Vec<KeyedError> {
        let mut out = Vec::new();
        if self.times.is_empty() || self.width == 0 {
            out.push(KeyedError::NoKeys);
        }
        // The first key that is not later than the one before.
        out.extend((1..self.times.len()).find(|key| self.times[*key] <= self.times[key - 1]).map(KeyedError::Order));
        let wanted = self.times.len() * self.width * self.stride();
        if self.values.len() != wanted {
            out.push(KeyedError::Length(wanted));
        }
        out
    }

    fn stride(&self) -> usize {
        if self.interpolation == Interpolation::Cubic { 3 } else { 1 }
    }

    pub fn keyed(&self) -> Result<Keyed, KeyedError> {
        Keyed::new(self.times.clone(), self.interpolation, self.width, self.values.clone())
    }

    pub fn is_finite(&self) -> bool {
        self.values.iter().all(|value| value.is_finite())
    }

    /// In-tangent (0), value (1) or out-tangent (2) of a key.
    fn part(&self, key: usize, part: usize) -> Vec<f64> {
        let part = if self.stride() == 3 { part } else { 0 };
        let first = (key * self.stride() + part) * self.width;
        self.values[first..first + self.width].iter().map(|value| f64::from(*value)).collect()
    }

    /// The last key that is not after a moment, by asking each; the first if all are.
    fn key_at(&self, at: Tick) -> usize {
        (0..self.times.len()).rev().find(|key| self.times[*key] <= at).unwrap_or(0)
    }

    /// The vector at a moment, and how large numbers were on the way.
    pub fn sample(&self, at: Tick) -> (Vec<f64>, f64) {
        let key = self.key_at(at);
        let largest = |values: &[f64]| values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let from = self.part(key, 1);
        if at <= self.times[key] || key + 1 == self.times.len() || self.interpolation == Interpolation::Step {
            return (from.clone(), largest(&from));
        }
        let to = self.part(key + 1, 1);
        let whole = (i128::from(self.times[key + 1].0) - i128::from(self.times[key].0)) as f64;
        let u = (i128::from(at.0) - i128::from(self.times[key].0)) as f64 / whole;
        let size = largest(&from) + largest(&to);
        if self.interpolation == Interpolation::Linear {
            return (from.iter().zip(&to).map(|(a, b)| a * (1.0 - u) + b * u).collect(), size);
        }
        // Hermite's cubic as a Bezier: handles a third of the way along the tangents.
        let third_s = whole / TICKS_PER_SECOND as f64 / 3.0;
        let (leave, arrive) = (self.part(key, 2), self.part(key + 1, 0));
        let size = size + third_s * 3.0 * (largest(&leave) + largest(&arrive));
        let mix = |a: f64, b: f64| a + (b - a) * u;
        let value = |i: usize| {
            let (b, c) = (from[i] + leave[i] * third_s, to[i] - arrive[i] * third_s);
            let (p, q, r) = (mix(from[i], b), mix(b, c), mix(c, to[i]));
            mix(mix(p, q), mix(q, r))
        };
        ((0..self.width).map(value).collect(), size)
    }

    /// The rotation at a moment. None where it hangs on rounding: near half turns and near no rotation at all.
    pub fn rotation(&self, at: Tick) -> Option<DQuat> {
        let unit = |values: &[f64]| {
            let q = DQuat::from_array([values[0], values[1], values[2], values[3]]);
            let length = q.length();
            (length > 1e-12 && length.is_finite()).then(|| q * (1.0 / length))
        };
        let key = self.key_at(at);
        let is_between = at > self.times[key] && key + 1 < self.times.len();
        if self.interpolation != Interpolation::Linear || !is_between {
            let (values, size) = self.sample(at);
            let length = values.iter().map(|value| value * value).sum::<f64>().sqrt();
            return unit(&values).filter(|_| length > 1e-6 * size);
        }
        let (from, to) = (unit(&self.part(key, 1))?, unit(&self.part(key + 1, 1))?);
        let to = if from.dot(to) < 0.0 { -to } else { to };
        if from.dot(to).abs() < 1e-9 {
            return None;
        }
        let whole = (i128::from(self.times[key + 1].0) - i128::from(self.times[key].0)) as f64;
        let u = (i128::from(at.0) - i128::from(self.times[key].0)) as f64 / whole;
        // Kahan: the angle between two unit vectors, exact for small and large ones.
        let angle = 2.0 * ops64::atan2((from - to).length(), (from + to).length());
        if angle < 1e-7 {
            return Some((from * (1.0 - u) + to * u).normalize());
        }
        let sum = from * ops64::sin((1.0 - u) * angle) + to * ops64::sin(u * angle);
        Some(sum.normalize())
    }

    /// The two keys around a moment as keys of their own: what a sampler reads that has found `key` in its own way.
    fn around(&self, key: usize) -> Keyed {
        let keys = key..(key + 2).min(self.times.len());
        let stride = self.stride() * self.width;
        let values = self.values[keys.start * stride..keys.end * stride].to_vec();
        Keyed::new(self.times[keys].to_vec(), self.interpolation, self.width, values).expect("keys of good keys")
    }

    /// The step from key to key, if it is one.
    fn spacing(&self) -> Option<i64> {
        let step = self.times.get(1)?.0.checked_sub(self.times[0].0)?;
        self.times.windows(2).all(|pair| pair[1].0.checked_sub(pair[0].0) == Some(step)).then_some(step)
    }
}

/// The turn from one unit rotation to another, in radians.
pub fn turn_rad(a: DQuat, b: DQuat) -> f64 {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    4.0 * ops64::atan2((a - b).length(), (a + b).length())
}

pub fn check(choices: &mut Choices<'_>, mistake: Option<ClipMistake>) -> Result<(), String> {
    let width = *choices.pick(&[3, 4, 4, 1, 5, 0]);
    let raw = draw(choices, width);
    let faults = raw.faults();
    let keyed = match raw.keyed() {
        Ok(keyed) => keyed,
        Err(error) => {
            must!(faults.contains(&error), "keys are refused for what they are not: `{error:?} for {raw:?}`");
            return Ok(());
        }
    };
    must!(faults.is_empty(), "keys are taken though they are wrong: `{faults:?} in {raw:?}`");
    let bits = |keyed: &Keyed, at: Tick| -> Vec<u64> {
        if width == 4 {
            return keyed.sample_rotation(at).to_array().map(f64::to_bits).to_vec();
        }
        let mut out = vec![0.0; width];
        keyed.sample(at, &mut out);
        out.into_iter().map(f64::to_bits).collect()
    };
    let mut cursor = 0;
    for at in moments(choices, &raw.times) {
        let mut asked = at;
        if mistake == Some(ClipMistake::LateKey) && raw.times.contains(&at) {
            asked = Tick(at.0.saturating_sub(1));
        }
        let mut got = vec![0.0; width];
        keyed.sample(asked, &mut got);
        if raw.is_finite() {
            let (wanted, size) = raw.sample(at);
            let near = got.iter().zip(&wanted).all(|(a, b)| is_near(*a, *b, size));
            must!(near, "another value: `{got:?}, not {wanted:?} at {at:?} of {raw:?}`");
        }
        if width == 4 {
            let mut got = keyed.sample_rotation(asked);
            must!((got.length() - 1.0).abs() < 1e-12, "a rotation is not unit: `{got:?} at {at:?} of {raw:?}`");
            if mistake == Some(ClipMistake::Straight) {
                keyed.sample(asked, &mut [0.0; 4]);
                let (values, _) = raw.sample(at);
                got = DQuat::from_array([values[0], values[1], values[2], values[3]]).normalize();
            }
            if let Some(wanted) = raw.rotation(at).filter(|_| raw.is_finite()) {
                let off = turn_rad(got, wanted);
                must!(off < 1e-7, "another rotation: `{got:?}, not {wanted:?} at {at:?} of {raw:?}`");
            }
        }
        // Keys are found alike, to the bit.
        while cursor > 0 && raw.times[cursor] > at {
            cursor -= 1;
        }
        while cursor + 1 < raw.times.len() && raw.times[cursor + 1] <= at {
            cursor += 1;
        }
        let wanted = bits(&keyed, at);
        let divided = raw.spacing().map(|step| {
            let key = (i128::from(at.0) - i128::from(raw.times[0].0)).div_euclid(i128::from(step));
            key.clamp(0, raw.times.len() as i128 - 1) as usize
        });
        for (way, key) in [("asking each", Some(raw.key_at(at))), ("a cursor", Some(cursor)), ("a division", divided)] {
            let Some(key) = key else { continue };
            must!(bits(&raw.around(key), at) == wanted, "{way} finds another key: `{key} at {at:?} of {raw:?}`");
        }
    }
    Ok(())
}
