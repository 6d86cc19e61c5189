//! Curves: a value that changes with time, from keys.
//!
//! Time is whole ticks; where between two keys a tick lies is one division of whole numbers, so a curve gives the same
//! bits everywhere and hits its keys exactly.

use stillframe_base::math::ops64;
use stillframe_base::tick::Tick;

use super::word::Word;

/// What the numbers of a curve are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    Number,
    /// That many numbers, each on its own.
    Vector(usize),
    /// A unit quaternion `[x, y, z, w]`; in between, the shortest way round.
    Rotation,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// The last key's value.
    Step,
    #[default]
    Linear,
    /// From rest to rest: 3 t^2 - 2 t^3.
    Smooth,
}

/// What holds before the first and after the last key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extend {
    /// Their values.
    #[default]
    Hold,
    /// The whole again and again: the last key is where the first one begins again.
    Repeat,
    /// There and back.
    Mirror,
}

/// At least one key, by rising time.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub form: Form,
    pub keys: Vec<(Tick, [f64; 4])>,
    pub interpolation: Interpolation,
    pub extend: Extend,
}

impl Word for Interpolation {
    const WORDS: &'static [(&'static str, Interpolation)] =
        &[("step", Interpolation::Step), ("linear", Interpolation::Linear), ("smooth", Interpolation::Smooth)];
}

impl Word for Extend {
    const WORDS: &'static [(&'static str, Extend)] =
        &[("hold", Extend::Hold), ("repeat", Extend::Repeat), ("mirror", Extend::Mirror)];
}

impl Form {
    /// How many of the four numbers count.
    pub fn count(self) -> usize {
        match self {
            Form::Number => 1,
            Form::Vector(count) => count,
            Form::Rotation => 4,
        }
    }
}

impl Curve {
    /// A value that does not change.
    pub fn constant(form: Form, value: [f64; 4]) -> Curve {
        Curve { form, keys: vec![(Tick::ZERO, value)], interpolation: Interpolation::Linear, extend: Extend::Hold }
    }

    /// The value at a time; numbers beyond the form's are 0.
    pub fn at(&self, tick: Tick) -> [f64; 4] {
        let tick = self.within(tick);
        let next = self.keys.partition_point(|(time, _)| *time <= tick);
        let Some((from_tick, from)) = next.checked_sub(1).map(|last| self.keys[last]) else { return self.keys[0].1 };
        let Some((to_tick, to)) = self.keys.get(next).copied() else { return from };
        if self.interpolation == Interpolation::Step || tick == from_tick {
            return from;
        }
        let span = i128::from(to_tick.0) - i128::from(from_tick.0);
        let t = (i128::from(tick.0) - i128::from(from_tick.0)) as f64 / span as f64;
        let t = if self.interpolation == Interpolation::Smooth { t * t * (3.0 - 2.0 * t) } else { t };
        match self.form {
            Form::Rotation => turn(from, to, t),
            // Rounding must not leave the range that both ends are in.
            _ => {
                std::array::from_fn(|n| (from[n] * (1.0 - t) + to[n] * t).clamp(from[n].min(to[n]), from[n].max(to[n])))
            }
        }
    }

    /// The same moment between the first and the last key.
    fn within(&self, tick: Tick) -> Tick {
        let (first, last) = (self.keys[0].0, self.keys[self.keys.len() - 1].0);
        // In 128 bits, since the ends of time are farther apart than 64 hold.
        let period = i128::from(last.0) - i128::from(first.0);
        if self.extend == Extend::Hold || period == 0 {
            return tick;
        }
        let since = i128::from(tick.0) - i128::from(first.0);
        let at = match self.extend {
            Extend::Mirror => {
                let there = since.rem_euclid(2 * period);
                if there > period { 2 * period - there } else { there }
            }
            _ => since.rem_euclid(period),
        };
        Tick((i128::from(first.0) + at) as i64)
    }
}

/// Spherical interpolation of unit quaternions the shortest way round (Shoemake 1985, "Animating rotation with
/// quaternion curves"); nearly equal ones are mixed, which is the same to the last bits and needs no division by a
/// small sine.
fn turn(from: [f64; 4], to: [f64; 4], t: f64) -> [f64; 4] {
    let dot = from.iter().zip(to).map(|(a, b)| a * b).sum::<f64>();
    let to = if dot < 0.0 { to.map(|b| -b) } else { to };
    let dot = dot.abs().min(1.0);
    let (a, b) = if dot > 0.999_999 {
        (1.0 - t, t)
    } else {
        let angle = ops64::acos(dot);
        let sin = ops64::sin(angle);
        (ops64::sin((1.0 - t) * angle) / sin, ops64::sin(t * angle) / sin)
    };
    let mixed: [f64; 4] = std::array::from_fn(|n| from[n] * a + to[n] * b);
    let length = mixed.iter().map(|x| x * x).sum::<f64>().sqrt();
    mixed.map(|x| x / length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn curve(keys: &[(i64, f64)], interpolation: Interpolation, extend: Extend) -> Curve {
        let keys = keys.iter().map(|(time, value)| (Tick(*time), [*value, 0.0, 0.0, 0.0])).collect();
        Curve { form: Form::Number, keys, interpolation, extend }
    }

    #[test]
    fn between_and_beyond() {
        use super::Extend::*;
        use super::Interpolation::*;
        let keys = [(10, 1.0), (20, 3.0), (40, 2.0)];
        for (interpolation, extend, at, want) in [
            (Linear, Hold, 15, 2.0),
            (Linear, Hold, 30, 2.5),
            (Step, Hold, 19, 1.0),
            (Step, Hold, 20, 3.0),
            (Smooth, Hold, 15, 2.0),
            (Smooth, Hold, 12, 1.208),
            (Linear, Hold, -100, 1.0),
            (Linear, Hold, 100, 2.0),
            (Linear, Repeat, 45, 2.0),
            (Linear, Repeat, 40, 1.0),
            (Linear, Repeat, 5, 2.25),
            (Linear, Mirror, 45, 2.25),
            (Linear, Mirror, 5, 2.0),
            (Linear, Mirror, 40, 2.0),
        ] {
            let got = curve(&keys, interpolation, extend).at(Tick(at))[0];
            assert!((got - want).abs() < 1e-12, "{interpolation:?} {extend:?} {at}: {got} {want}");
        }
        assert_eq!(curve(&[(5, 7.0)], Linear, Repeat).at(Tick(99))[0], 7.0);
    }

    fn any_curve(form: Form) -> impl Strategy<Value = Curve> {
        let steps = prop::collection::vec((1i64..1_000_000_000, prop::array::uniform4(-1e6f64..1e6)), 1..8);
        let words = (prop::sample::select(Interpolation::WORDS.to_vec()), prop::sample::select(Extend::WORDS.to_vec()));
        (-1i64 << 40..1 << 40, steps, words).prop_map(move |(start, steps, (interpolation, extend))| {
            let mut time = start;
            let keys = steps.into_iter().map(|(step, value)| {
                time += step;
                let unit = |v: [f64; 4]| {
                    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-9);
                    v.map(|x| x / length)
                };
                (Tick(time), if form == Form::Rotation { unit(value) } else { value })
            });
            Curve { form, keys: keys.collect(), interpolation: interpolation.1, extend: extend.1 }
        })
    }

    proptest! {
        #[test]
        fn keys_are_hit_exactly(curve in any_curve(Form::Vector(4))) {
            let last = curve.keys.len() - 1;
            for (index, (time, value)) in curve.keys.iter().enumerate() {
                // Where it repeats, the last key's moment is the first key's.
                let want = if index == last && last > 0 && curve.extend == Extend::Repeat { curve.keys[0].1 } else { *value };
                prop_assert_eq!(curve.at(*time), want);
            }
        }

        #[test]
        fn held_outside(curve in any_curve(Form::Vector(3)), beyond in 0i64..1 << 50) {
            let curve = Curve { extend: Extend::Hold, ..curve };
            let (first, last) = (curve.keys[0], curve.keys[curve.keys.len() - 1]);
            prop_assert_eq!(curve.at(Tick(first.0.0 - beyond)), first.1);
            prop_assert_eq!(curve.at(Tick(last.0.0 + beyond)), last.1);
        }

        #[test]
        fn repeated_is_periodic(curve in any_curve(Form::Rotation), at in -1i64 << 45..1 << 45, times in -20i64..20) {
            let period = (curve.keys[curve.keys.len() - 1].0 - curve.keys[0].0).0;
            let repeat = Curve { extend: Extend::Repeat, ..curve.clone() };
            prop_assert_eq!(repeat.at(Tick(at)), repeat.at(Tick(at + times * period)));
            let mirror = Curve { extend: Extend::Mirror, ..curve };
            prop_assert_eq!(mirror.at(Tick(at)), mirror.at(Tick(at + times * 2 * period)));
            // There and back: the end is a mirror.
            let end = mirror.keys[mirror.keys.len() - 1].0;
            prop_assert_eq!(mirror.at(end + Tick(at)), mirror.at(end - Tick(at)));
        }

        #[test]
        fn values_stay_between_their_neighbours(curve in any_curve(Form::Number), at in -1i64 << 45..1 << 45) {
            let value = curve.at(Tick(at))[0];
            let of = |pick: fn(f64, f64) -> f64| curve.keys.iter().map(|k| k.1[0]).reduce(pick).unwrap();
            prop_assert!(value >= of(f64::min) - 1e-9 && value <= of(f64::max) + 1e-9, "{}", value);
        }

        #[test]
        fn turns_are_short_and_of_unit_length(curve in any_curve(Form::Rotation), at in -1i64 << 45..1 << 45) {
            let q = curve.at(Tick(at));
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            prop_assert!((length - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn half_way_of_a_right_angle() {
        let half = 0.5f64.sqrt();
        let keys = vec![(Tick(0), [0.0, 0.0, 0.0, 1.0]), (Tick(2), [0.0, -half, 0.0, -half])];
        let curve = Curve { form: Form::Rotation, keys, interpolation: Interpolation::Linear, extend: Extend::Hold };
        // The far end is the same rotation as +90 degrees: 45 degrees lie between.
        let got = curve.at(Tick(1));
        let eighth = ops64::sin(std::f64::consts::PI / 8.0);
        assert!((got[1] - eighth).abs() < 1e-12, "{got:?}");
    }
}
