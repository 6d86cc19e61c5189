//! Curves of one number: segments by halving instead of Newton's method, and what lies outside the keys by its
//! definition.

use stillframe_anim::{Curve, CurveKey, Extend, ExtendKind, Segment, Tangent};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use super::{moments, must, number, times};
use crate::Choices;

pub fn draw(choices: &mut Choices<'_>) -> Curve {
    let tangent = |choices: &mut Choices<'_>| Tangent {
        slope: f64::from(number(choices)),
        weight: match choices.weighted(&[4, 8, 2, 1]) {
            0 => 1.0 / 3.0,
            1 => choices.between(0, 1000) as f64 * 1e-3,
            2 => *choices.pick(&[0.0, 1.0, 1e-9]),
            _ => f64::from(number(choices)),
        },
    };
    let keys = times(choices).into_iter().map(|time| CurveKey {
        time,
        value: f64::from(number(choices)),
        then: *choices.pick(&[Segment::Linear, Segment::Cubic, Segment::Cubic, Segment::Step, Segment::StepNext]),
        arrive: tangent(choices),
        leave: tangent(choices),
    });
    let keys = keys.collect();
    let mut extend = || {
        use ExtendKind::{Hold, Mirror, Repeat, RepeatOffset, Slope};
        let kind = *choices.pick(&[Hold, Repeat, RepeatOffset, Mirror, Slope]);
        let count = choices.one_in(3).then(|| choices.below(4) as u32);
        Extend { kind, count }
    };
    Curve { keys, before: extend(), after: extend() }
}

/// Whether a sampler may be asked for this curve: rising times.
pub fn is_ordered(curve: &Curve) -> bool {
    curve.keys.windows(2).all(|pair| pair[0].time < pair[1].time)
}

pub fn is_finite(curve: &Curve) -> bool {
    let numbers = |key: &CurveKey| [key.value, key.arrive.slope, key.arrive.weight, key.leave.slope, key.leave.weight];
    curve.keys.iter().flat_map(numbers).all(f64::is_finite)
}

/// The value at a moment, and how far it may be off.
fn value(curve: &Curve, at: i128) -> (f64, f64) {
    let time = |key: &CurveKey| i128::from(key.time.0);
    let (first, last) = (&curve.keys[0], &curve.keys[curve.keys.len() - 1]);
    if curve.keys.len() == 1 {
        return (first.value, 0.0);
    }
    let (start, end) = (time(first), time(last));
    let span = end - start;
    if (start..=end).contains(&at) {
        return within(curve, at);
    }
    let before = at < start;
    let (edge, extend) = if before { (first, curve.before) } else { (last, curve.after) };
    let seconds = (at - time(edge)) as f64 / TICKS_PER_SECOND as f64;
    match extend.kind {
        ExtendKind::Hold => (edge.value, 0.0),
        ExtendKind::Slope => {
            let slope = if before { first.leave.slope } else { last.arrive.slope };
            let way = slope * seconds;
            (edge.value + way, 1e-12 * (edge.value.abs() + way.abs()))
        }
        _ if extend.count == Some(0) => (edge.value, 0.0),
        kind => {
            // Away from the nearer end: whole rounds, and what is left of the next one.
            let away = if before { start - at } else { at - end };
            let (mut round, mut left) = (away / span, away - away / span * span);
            if let Some(count) = extend.count
                && round >= i128::from(count)
            {
                (round, left) = (i128::from(count) - 1, span);
            }
            // A mirrored round runs from the near end back, every other one.
            let runs_back = kind == ExtendKind::Mirror && round % 2 == 0;
            let from_start = if before != runs_back { span - left } else { left };
            let (value, off) = within(curve, start + from_start);
            if kind != ExtendKind::RepeatOffset {
                return (value, off);
            }
            let rise = (last.value - first.value) * (round + 1) as f64;
            (if before { value - rise } else { value + rise }, off + 1e-12 * (value.abs() + rise.abs()))
        }
    }
}

fn within(curve: &Curve, at: i128) -> (f64, f64) {
    let index = curve.keys.iter().rposition(|key| i128::from(key.time.0) <= at).unwrap_or(0);
    let key = &curve.keys[index];
    let here = i128::from(key.time.0);
    let Some(next) = curve.keys.get(index + 1).filter(|_| here != at) else { return (key.value, 0.0) };
    let whole = (i128::from(next.time.0) - here) as f64;
    let x = (at - here) as f64 / whole;
    match key.then {
        Segment::Step => (key.value, 0.0),
        Segment::StepNext => (next.value, 0.0),
        Segment::Linear => (key.value + (next.value - key.value) * x, 1e-12 * (key.value.abs() + next.value.abs())),
        Segment::Cubic => {
            let weight = |tangent: Tangent| if tangent.weight > 0.0 { tangent.weight.min(1.0) } else { 0.0 };
            let (w1, w2) = (weight(key.leave), weight(next.arrive));
            let seconds = whole / TICKS_PER_SECOND as f64;
            let times = [0.0, w1, 1.0 - w2, 1.0];
            let values = [
                key.value,
                key.value + key.leave.slope * w1 * seconds,
                next.value - next.arrive.slope * w2 * seconds,
                next.value,
            ];
            // Time is solved to 1e-13: the parameter may lie anywhere where time is that near.
            let (low, high) = (halve(times, x - 2e-13), halve(times, x + 2e-13));
            let largest = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
            let steepest = values.windows(2).fold(0.0, |most: f64, pair| most.max((pair[1] - pair[0]).abs()));
            let middle = bernstein(values, 0.5 * (low + high));
            (middle, 3.0 * steepest * (high - low) + 1e-11 * largest)
        }
    }
}

fn bernstein(handles: [f64; 4], t: f64) -> f64 {
    let u = 1.0 - t;
    handles[0] * u * u * u + 3.0 * handles[1] * u * u * t + 3.0 * handles[2] * u * t * t + handles[3] * t * t * t
}

/// The parameter at which a curve of time that never turns back is at `x`.
fn halve(handles: [f64; 4], x: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if bernstein(handles, middle) < x { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

pub fn check(choices: &mut Choices<'_>) -> Result<(), String> {
    let mut curve = draw(choices);
    if curve.keys.is_empty() {
        must!(curve.sample(Tick::ZERO).is_none(), "a value of no keys");
        return Ok(());
    }
    if !is_ordered(&curve) {
        // Whoever makes curves keeps them in order.
        curve.keys.sort_by_key(|key| key.time);
        curve.keys.dedup_by_key(|key| key.time);
    }
    let times: Vec<Tick> = curve.keys.iter().map(|key| key.time).collect();
    for at in moments(choices, &times) {
        let Some(got) = curve.sample(at) else { return Err(format!("no value: `{at:?} of {curve:?}`")) };
        if is_finite(&curve) {
            let (wanted, off) = value(&curve, i128::from(at.0));
            let near = (got - wanted).abs() <= off || got == wanted;
            must!(near, "another value of a curve: `{got}, not {wanted} within {off} at {at:?} of {curve:?}`");
        }
    }
    Ok(())
}
