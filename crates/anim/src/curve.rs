//! Curves: one number over time, with tangents at its keys and a rule for what lies outside them.
//!
//! Segments are cubic Beziers in time and value, as animation programs draw them: time is solved for the parameter, the
//! parameter gives the value. Outside the keys the rules are those of FBX (`FbxAnimCurve`'s extrapolation).

use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

/// Keys in strictly ascending time.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Curve {
    pub keys: Vec<CurveKey>,
    pub before: Extend,
    pub after: Extend,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CurveKey {
    pub time: Tick,
    pub value: f64,
    /// How the curve goes from here to the next key.
    pub then: Segment,
    /// At the end of the segment before.
    pub arrive: Tangent,
    /// At the start of the segment after.
    pub leave: Tangent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Segment {
    /// This key's value.
    Step,
    /// The next key's value.
    StepNext,
    Linear,
    /// A cubic Bezier in time and value.
    Cubic,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tangent {
    /// Units of the value a second.
    pub slope: f64,
    /// Length along time as a fraction of the segment, 0 to 1; one third makes time run evenly.
    pub weight: f64,
}

/// What holds outside the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Extend {
    pub kind: ExtendKind,
    /// Rounds, after which the last value holds; `None` is for ever.
    pub count: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ExtendKind {
    #[default]
    Hold,
    Repeat,
    /// Every round starts where the one before has ended.
    RepeatOffset,
    Mirror,
    /// On along the outermost key's tangent on its inner side.
    Slope,
}

impl Default for Tangent {
    fn default() -> Tangent {
        Tangent { slope: 0.0, weight: 1.0 / 3.0 }
    }
}

impl CurveKey {
    pub fn linear(time: Tick, value: f64) -> CurveKey {
        CurveKey { time, value, then: Segment::Linear, arrive: Tangent::default(), leave: Tangent::default() }
    }
}

impl Curve {
    /// The same value at all times.
    pub fn constant(value: f64) -> Curve {
        Curve { keys: vec![CurveKey::linear(Tick::ZERO, value)], ..Curve::default() }
    }
}

impl Curve {
    /// The value at a time; `None` for a curve without keys.
    pub fn sample(&self, at: Tick) -> Option<f64> {
        let (first, last) = (self.keys.first()?, self.keys.last()?);
        // One key is a value, not a direction.
        if self.keys.len() == 1 {
            return Some(first.value);
        }
        if at < first.time {
            return Some(self.outside(at, self.before, true));
        }
        if at > last.time {
            return Some(self.outside(at, self.after, false));
        }
        Some(self.within(at))
    }

    /// Between the first and the last key.
    fn within(&self, at: Tick) -> f64 {
        let after = self.keys.partition_point(|key| key.time <= at);
        let key = &self.keys[after - 1];
        let Some(next) = self.keys.get(after).filter(|_| key.time != at) else { return key.value };
        let span = (i128::from(next.time.0) - i128::from(key.time.0)) as f64;
        let along = (i128::from(at.0) - i128::from(key.time.0)) as f64 / span;
        match key.then {
            Segment::Step => key.value,
            Segment::StepNext => next.value,
            Segment::Linear => key.value * (1.0 - along) + next.value * along,
            Segment::Cubic => {
                let (leave, arrive) = (weight(key.leave), weight(next.arrive));
                let t = parameter(leave, 1.0 - arrive, along);
                let seconds = span / TICKS_PER_SECOND as f64;
                let handles = [
                    key.value,
                    key.value + key.leave.slope * leave * seconds,
                    next.value - next.arrive.slope * arrive * seconds,
                    next.value,
                ];
                bezier(handles, t)
            }
        }
    }

    fn outside(&self, at: Tick, extend: Extend, before: bool) -> f64 {
        let (first, last) = (&self.keys[0], &self.keys[self.keys.len() - 1]);
        let edge = if before { first } else { last };
        let away =
            i128::from(if before { first.time.0 } else { at.0 }) - i128::from(if before { at.0 } else { last.time.0 });
        let span = i128::from(last.time.0) - i128::from(first.time.0);
        match extend.kind {
            ExtendKind::Hold => return edge.value,
            ExtendKind::Slope => {
                let seconds = away as f64 / TICKS_PER_SECOND as f64;
                // The tangent that the outermost key has on its inner side, whatever its segment does with it.
                let slope = if before { edge.leave.slope } else { edge.arrive.slope };
                return edge.value + slope * if before { -seconds } else { seconds };
            }
            ExtendKind::Repeat | ExtendKind::RepeatOffset | ExtendKind::Mirror => {}
        }
        if span == 0 || extend.count == Some(0) {
            return edge.value;
        }
        let (mut round, mut into) = (away / span, away % span);
        if let Some(count) = extend.count.filter(|count| round >= i128::from(*count)) {
            // The end of the last round holds.
            (round, into) = (i128::from(count) - 1, span);
        }
        if extend.kind == ExtendKind::Mirror && round % 2 == 0 {
            into = span - into;
        }
        if before {
            into = span - into;
        }
        let value = self.within(Tick((i128::from(first.time.0) + into) as i64));
        if extend.kind != ExtendKind::RepeatOffset {
            return value;
        }
        let rise = (last.value - first.value) * (round + 1) as f64;
        if before { value - rise } else { value + rise }
    }
}

/// Handles may not reach past the segment: time would run backwards.
fn weight(tangent: Tangent) -> f64 {
    if tangent.weight >= 0.0 { tangent.weight.min(1.0) } else { 0.0 }
}

/// Handles by de Casteljau's rule: exact at the ends, never outside the handles.
fn bezier(handles: [f64; 4], t: f64) -> f64 {
    let mix = |a: f64, b: f64| a * (1.0 - t) + b * t;
    let [a, b, c] = [mix(handles[0], handles[1]), mix(handles[1], handles[2]), mix(handles[2], handles[3])];
    mix(mix(a, b), mix(b, c))
}

/// The parameter at which a Bezier from 0 to 1 with handles at `x1` and `x2` (0 to 1 each, so that it never turns back)
/// is at `x`: Newton's method, kept within a bracket that is halved where a step would leave it.
fn parameter(x1: f64, x2: f64, x: f64) -> f64 {
    const THIRD: f64 = 1.0 / 3.0;
    if (x1 - THIRD).abs() < 1e-15 && (x2 - (1.0 - THIRD)).abs() < 1e-15 {
        return x;
    }
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    let mut t = x;
    for _ in 0..64 {
        let error = bezier([0.0, x1, x2, 1.0], t) - x;
        if error.abs() < 1e-15 {
            break;
        }
        if error > 0.0 {
            high = t
        } else {
            low = t
        }
        let u = 1.0 - t;
        let slope = 3.0 * (u * u * x1 + 2.0 * u * t * (x2 - x1) + t * t * (1.0 - x2));
        let step = t - error / slope;
        t = if step > low && step < high { step } else { 0.5 * (low + high) };
    }
    t
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(seconds: f64) -> Tick {
        Tick::from_seconds(seconds)
    }

    fn key(seconds: f64, value: f64, then: Segment, slope: f64, weight: f64) -> CurveKey {
        let tangent = Tangent { slope, weight };
        CurveKey { time: at(seconds), value, then, arrive: tangent, leave: tangent }
    }

    fn line(kind: ExtendKind, count: Option<u32>) -> Curve {
        let extend = Extend { kind, count };
        let keys = vec![key(1.0, 2.0, Segment::Linear, 2.0, 1.0 / 3.0), key(3.0, 6.0, Segment::Linear, 2.0, 1.0 / 3.0)];
        Curve { keys, before: extend, after: extend }
    }

    #[test]
    fn segments() {
        for (then, want) in
            [(Segment::Step, 2.0), (Segment::StepNext, 6.0), (Segment::Linear, 3.0), (Segment::Cubic, 2.625)]
        {
            let curve = Curve {
                keys: vec![key(1.0, 2.0, then, 0.0, 1.0 / 3.0), key(3.0, 6.0, then, 0.0, 1.0 / 3.0)],
                ..Curve::default()
            };
            assert_eq!(curve.sample(at(1.0)), Some(2.0), "{then:?}");
            assert_eq!(curve.sample(at(3.0)), Some(6.0), "{then:?}");
            let got = curve.sample(at(1.5)).expect("keys");
            assert!((got - want).abs() < 1e-12, "{then:?}: {got}");
        }
        assert_eq!(Curve::default().sample(at(0.0)), None);
        assert_eq!(Curve::constant(4.0).sample(at(-9.0)), Some(4.0));
    }

    #[test]
    fn outside_the_keys() {
        use ExtendKind::{Hold, Mirror, Repeat, RepeatOffset, Slope};
        for (kind, count, seconds, want) in [
            (Hold, None, 9.0, 6.0),
            (Hold, None, -9.0, 2.0),
            (Slope, None, 4.0, 8.0),
            (Slope, None, 0.0, 0.0),
            (Repeat, None, 3.5, 3.0),
            (Repeat, None, 0.5, 5.0),
            (Repeat, None, 5.0, 2.0),
            (Repeat, Some(1), 4.5, 5.0),
            (Repeat, Some(1), 5.5, 6.0),
            (Repeat, Some(0), 4.0, 6.0),
            (RepeatOffset, None, 3.5, 7.0),
            (RepeatOffset, None, 6.0, 12.0),
            (RepeatOffset, None, 0.5, 1.0),
            (Mirror, None, 3.5, 5.0),
            (Mirror, None, 5.5, 3.0),
            (Mirror, None, 0.5, 3.0),
            (Mirror, None, -1.5, 5.0),
            (Mirror, Some(1), 99.0, 2.0),
        ] {
            let got = line(kind, count).sample(at(seconds)).expect("keys");
            assert!((got - want).abs() < 1e-9, "{kind:?} {count:?} at {seconds}: {got}");
        }
    }

    proptest! {
        /// The parameter found puts time where it was asked for, whatever the handles.
        #[test]
        fn time_is_solved(x1 in 0.0_f64..=1.0, x2 in 0.0_f64..=1.0, x in 0.0_f64..=1.0) {
            let t = parameter(x1, x2, x);
            prop_assert!((0.0..=1.0).contains(&t));
            prop_assert!((bezier([0.0, x1, x2, 1.0], t) - x).abs() < 1e-13, "{t}");
        }

        /// Even handles are Hermite's cubic.
        #[test]
        fn thirds_are_hermite(a in -9.0_f64..9.0, b in -9.0_f64..9.0, m in -9.0_f64..9.0, n in -9.0_f64..9.0, s in 0.0_f64..1.0) {
            let curve = Curve { keys: vec![key(0.0, a, Segment::Cubic, m, 1.0 / 3.0), key(2.0, b, Segment::Cubic, n, 1.0 / 3.0)], ..Curve::default() };
            let time = at(s * 2.0);
            let s = time.seconds() / 2.0;
            let (s2, s3) = (s * s, s * s * s);
            let want = (2.0 * s3 - 3.0 * s2 + 1.0) * a + (s3 - 2.0 * s2 + s) * 2.0 * m + (3.0 * s2 - 2.0 * s3) * b + (s3 - s2) * 2.0 * n;
            prop_assert!((curve.sample(time).expect("keys") - want).abs() < 1e-9);
        }

        /// A curve whose handles lie between its keys never leaves them, and time running on never goes back.
        #[test]
        fn flat_handles_stay_between(w in 0.0_f64..=1.0, v in 0.0_f64..=1.0, s in 0.0_f64..1.0, d in 0.0_f64..0.1) {
            let curve = Curve { keys: vec![key(0.0, 1.0, Segment::Cubic, 0.0, w), key(1.0, 2.0, Segment::Cubic, 0.0, v)], ..Curve::default() };
            let here = curve.sample(at(s)).expect("keys");
            let later = curve.sample(at(s + d)).expect("keys");
            prop_assert!((1.0..=2.0).contains(&here) && later >= here - 1e-12, "{here} {later}");
        }

        #[test]
        fn repeats_are_rounds(seconds in -20.0_f64..20.0) {
            let curve = line(ExtendKind::Repeat, None);
            let time = at(seconds);
            let folded = Tick(time.0 - at(1.0).0).within(at(2.0)) + at(1.0);
            prop_assert!((curve.sample(time).expect("keys") - curve.sample(folded).expect("keys")).abs() < 1e-9
                || time == at(3.0));
        }
    }
}
