//! One `AnimationCurve`: keys with the ways of interpolation and tangents that FBX knows, as a [`Curve`].
//!
//! Sources: FBX SDK, `FbxAnimCurveDef` (flags, tangent modes, packed weights); how automatic and TCB tangents come
//! about is not documented by Autodesk: the rules here are those that `ufbx` 0.11 found out. Kochanek and Bartels 1984
//! for TCB.

use std::borrow::Cow;

use stillframe_anim::{Curve, CurveKey, Extend, ExtendKind, Segment, Tangent};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use super::tree::At;
use crate::import::{Budget, Fault};

const CONSTANT: u32 = 0x2;
const LINEAR: u32 = 0x4;
const CUBIC: u32 = 0x8;
/// With `CONSTANT`: the next key's value.
const STANDARD_NEXT: u32 = 0x100;
const TCB: u32 = 0x200;
const USER: u32 = 0x400;
const CLAMP: u32 = 0x1000;
const TIME_INDEPENDENT: u32 = 0x2000;
const CLAMP_PROGRESSIVE: u32 = 0x4000;
const WEIGHTED_RIGHT: u32 = 0x100_0000;
const WEIGHTED_NEXT_LEFT: u32 = 0x200_0000;

const THIRD: f64 = 1.0 / 3.0;
/// Values nearer than this are equal for clamped tangents.
const CLAMP_NEAR: f64 = 0.0001;

/// What values are multiplied with.
#[derive(Clone, Copy, Debug)]
pub struct Scale(pub f64);

impl Scale {
    pub const ONE: Scale = Scale(1.0);
    /// Percent become parts of 1.
    pub const PARTS: Scale = Scale(0.01);
}

/// A curve, and what was wrong with it.
pub struct Read {
    pub curve: Curve,
    pub problem: Option<&'static str>,
}

/// A file's time as ours, to the nearest tick.
pub fn tick(time: i64, ticks_per_second: i64) -> Tick {
    let wide = i128::from(time) * i128::from(TICKS_PER_SECOND) * 2 + i128::from(ticks_per_second);
    let ticks = wide.div_euclid(i128::from(ticks_per_second) * 2);
    // An hour from the ends, so that sums of times stay in range.
    let limit = i128::from(i64::MAX / 8);
    Tick(ticks.clamp(-limit, limit) as i64)
}

/// A key as the file has it.
#[derive(Clone, Copy)]
struct Stored {
    seconds: f64,
    tick: Tick,
    value: f64,
    flags: u32,
    /// Slope to the right, slope to the left of the next key, packed weights, packed velocities; or TCB.
    data: [u32; 4],
}

impl Stored {
    fn number(&self, place: usize) -> f64 {
        let value = f64::from(f32::from_bits(self.data[place]));
        if value.is_finite() { value } else { 0.0 }
    }

    /// Packed as ten-thousandths: the lower half to the right, the upper half to the left of the next key.
    fn weight(&self, left_of_next: bool) -> f64 {
        let (flag, bits) = if left_of_next {
            (WEIGHTED_NEXT_LEFT, self.data[2] >> 16)
        } else {
            (WEIGHTED_RIGHT, self.data[2] & 0xffff)
        };
        if self.flags & flag == 0 { THIRD } else { (f64::from(bits) * 0.0001).min(1.0) }
    }
}

/// Reads a curve. Keys that are no numbers of 32 bits or go back in time are left out.
///
/// Errors: lists that cannot be unpacked or would take too much memory.
pub fn read(at: At<'_>, ticks_per_second: i64, scale: Scale, budget: &mut Budget, what: &str) -> Result<Read, Fault> {
    let mut problem = None;
    let times = at.list("KeyTime").map_or(Ok(Cow::default()), |l| l.longs(budget, what))?;
    let values = at.list("KeyValueFloat").map_or(Ok(Cow::default()), |l| l.floats(budget, what))?;
    let flags = at.list("KeyAttrFlags").map_or(Ok(Cow::default()), |l| l.integers(budget, what))?;
    let data = at.list("KeyAttrDataFloat").map_or(Ok(Vec::new()), |l| l.words(budget, what))?;
    let counts = at.list("KeyAttrRefCount").map_or(Ok(Cow::default()), |l| l.integers(budget, what))?;
    if times.len() != values.len() {
        problem = Some("has different numbers of times and values; ignored the surplus");
    }
    budget.spend((times.len() * size_of::<CurveKey>()) as u64, what)?;
    budget.allow((times.len() * size_of::<Stored>()) as u64, what)?;
    let data = data.as_chunks::<4>().0;
    let mut stored: Vec<Stored> = Vec::with_capacity(times.len().min(values.len()));
    let (mut entry, mut used) = (0, 0);
    for (time, value) in times.iter().zip(&values[..]) {
        // Flags and data are written once for a run of keys.
        while counts.get(entry).is_some_and(|count| used >= *count) {
            entry += 1;
            used = 0;
        }
        used += 1;
        let attributes = flags.get(entry).copied().zip(data.get(entry).copied());
        if attributes.is_none() && problem.is_none() {
            problem = Some("has too few interpolation modes; the other keys are linear");
        }
        let (flags, data) = attributes.unwrap_or((LINEAR as i32, [0; 4]));
        let mut tick = tick(*time, ticks_per_second);
        if let Some(last) = stored.last_mut() {
            let gap = tick.0 - last.tick.0;
            // Two keys at one time are a jump: the first moves out of the way, where there is room.
            if gap == 0 {
                tick = Tick(tick.0 + 1);
            } else if gap < 0 {
                problem = Some("has keys that go back in time; ignored them");
                continue;
            }
        }
        // Slopes between larger ones would be no numbers.
        if !(value.abs() <= f64::from(f32::MAX)) {
            problem = Some("has invalid keys; ignored them");
            continue;
        }
        let seconds = *time as f64 / ticks_per_second as f64;
        stored.push(Stored { seconds, tick, value: *value * scale.0, flags: flags as u32, data });
    }
    let curve = Curve {
        keys: keys(&stored, scale),
        before: extend(at, "Pre-Extrapolation"),
        after: extend(at, "Post-Extrapolation"),
    };
    Ok(Read { curve, problem })
}

/// What holds outside the keys.
fn extend(at: At<'_>, name: &str) -> Extend {
    let Some(at) = at.child(name) else { return Extend::default() };
    let kind = match at.child("Type").and_then(|kind| kind.integer(0)).and_then(|kind| u8::try_from(kind).ok()) {
        Some(b'A') => ExtendKind::RepeatOffset,
        Some(b'K') => ExtendKind::Slope,
        Some(b'M') => ExtendKind::Mirror,
        Some(b'R') => ExtendKind::Repeat,
        _ => ExtendKind::Hold,
    };
    let count = at.child_integer("Repetition").and_then(|count| u32::try_from(count).ok());
    Extend { kind, count }
}

fn keys(stored: &[Stored], scale: Scale) -> Vec<CurveKey> {
    let mut out = Vec::with_capacity(stored.len());
    // The end of the segment before: what the key before says of this one's left side.
    let mut left = Tangent { slope: 0.0, weight: THIRD };
    for (place, key) in stored.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| stored[before]).filter(|k| k.seconds < key.seconds);
        let after = stored.get(place + 1).copied().filter(|k| k.seconds > key.seconds);
        let mut right = Tangent { slope: key.number(0) * scale.0, weight: key.weight(false) };
        let mut next_left = Tangent { slope: key.number(1) * scale.0, weight: key.weight(true) };
        let then = if key.flags & CONSTANT != 0 {
            right = Tangent { slope: 0.0, weight: THIRD };
            next_left = right;
            if key.flags & STANDARD_NEXT != 0 { Segment::StepNext } else { Segment::Step }
        } else if key.flags & CUBIC != 0 {
            let sides = Sides { before, key: *key, after };
            if key.flags & TCB != 0 {
                (left.slope, right.slope) = sides.tcb();
                // Of the next key nothing is said: it says itself.
                next_left = Tangent { slope: 0.0, weight: THIRD };
            } else if key.flags & USER == 0 {
                (left.slope, right.slope) = sides.automatic(left, right, scale);
            }
            Segment::Cubic
        } else {
            let slope = after.map_or(0.0, |after| (after.value - key.value) / (after.seconds - key.seconds));
            right = Tangent { slope, weight: THIRD };
            next_left = right;
            Segment::Linear
        };
        out.push(CurveKey { time: key.tick, value: key.value, then, arrive: left, leave: right });
        left = next_left;
    }
    out
}

/// A key between its neighbours.
struct Sides {
    before: Option<Stored>,
    key: Stored,
    after: Option<Stored>,
}

impl Sides {
    fn slope_left(&self) -> Option<f64> {
        self.before.map(|before| (self.key.value - before.value) / (self.key.seconds - before.seconds))
    }

    fn slope_right(&self) -> Option<f64> {
        self.after.map(|after| (after.value - self.key.value) / (after.seconds - self.key.seconds))
    }

    /// Tension, continuity, bias: slopes to the left and to the right.
    fn tcb(&self) -> (f64, f64) {
        let (left, right) = (self.slope_left(), self.slope_right());
        let factor = if left.is_some() && right.is_some() { 0.5 } else { 1.0 };
        let (left, right) = (left.unwrap_or(0.0), right.unwrap_or(0.0));
        let [tension, continuity, bias] = [0, 1, 2].map(|place| self.key.number(place));
        let part = |bias: f64, continuity: f64| factor * (1.0 - tension) * (1.0 + bias) * (1.0 + continuity);
        (
            part(bias, -continuity) * left + part(-bias, continuity) * right,
            part(bias, continuity) * left + part(-bias, -continuity) * right,
        )
    }

    /// Slopes that are worked out from the neighbours. What is stored in the place of slopes is a bias in percent.
    fn automatic(&self, left: Tangent, right: Tangent, scale: Scale) -> (f64, f64) {
        let (bias_left, bias_right) = (left.slope / scale.0, right.slope / scale.0);
        match (self.before, self.after) {
            (Some(before), Some(after)) => {
                let solve = |bias: f64| self.between(before, after, left.weight, right.weight, bias, scale);
                if (bias_left + bias_right).abs() <= 0.0001 {
                    let slope = solve(bias_right);
                    (slope, slope)
                } else {
                    (solve(-bias_left), solve(bias_right))
                }
            }
            (Some(before), None) => {
                let slope = self.at_end(self.slope_left(), before.value, -bias_left, scale);
                (slope, slope)
            }
            (None, Some(after)) => {
                let slope = self.at_end(self.slope_right(), after.value, bias_right, scale);
                (slope, slope)
            }
            (None, None) => (0.0, 0.0),
        }
    }

    fn between(
        &self,
        before: Stored,
        after: Stored,
        weight_left: f64,
        weight_right: f64,
        bias: f64,
        scale: Scale,
    ) -> f64 {
        let key = self.key;
        let near = (before.value - key.value).abs().min((after.value - key.value).abs());
        if key.flags & CLAMP != 0 && near <= CLAMP_NEAR * scale.0 {
            return 0.0;
        }
        let (left, right) = (self.slope_left().unwrap_or(0.0), self.slope_right().unwrap_or(0.0));
        let span = after.seconds - before.seconds;
        let mut slope = (after.value - before.value) / span;
        if key.flags & TIME_INDEPENDENT == 0 {
            let along = (key.seconds - before.seconds) / span;
            slope = slope * 0.5 + (left * (1.0 - along) + right * along) * 0.5;
            let share = bias.abs() / 100.0;
            if share > 0.0001 {
                let toward = if bias > 0.0 { right } else { left };
                let way = toward - slope;
                slope = slope * (1.0 - share) + toward * share;
                let sign = if way.abs() > 0.00001 * scale.0 { way } else { bias };
                slope += beyond(share, sign, scale);
            }
        }
        if key.flags & CLAMP_PROGRESSIVE != 0 {
            // No further than either neighbour lies.
            let sign = if slope >= 0.0 { 1.0 } else { -1.0 };
            let most = |weight: f64, seconds: f64, rise: f64| {
                let range = weight * seconds;
                if range > 0.0 { (sign * rise / range).max(0.0) } else { 0.0 }
            };
            let most_left = most(weight_left, key.seconds - before.seconds, key.value - before.value);
            let most_right = most(weight_right, after.seconds - key.seconds, after.value - key.value);
            slope = sign * (sign * slope).min(most_left).min(most_right);
        }
        slope
    }

    /// At the first or the last key.
    fn at_end(&self, slope: Option<f64>, neighbour: f64, bias: f64, scale: Scale) -> f64 {
        let flags = self.key.flags;
        let near = (neighbour - self.key.value).abs() <= CLAMP_NEAR * scale.0;
        if flags & CLAMP_PROGRESSIVE != 0 || (flags & CLAMP != 0 && near) {
            return 0.0;
        }
        let slope = slope.unwrap_or(0.0);
        if flags & TIME_INDEPENDENT != 0 { slope } else { slope + beyond(bias.abs() / 100.0, bias, scale) }
    }
}

/// A bias of more than 500 percent adds to the slope whatever the neighbours are.
fn beyond(share: f64, sign: f64, scale: Scale) -> f64 {
    let over = share - 5.0;
    if over <= 0.0 { 0.0 } else { over * over * 40.0 * scale.0 * if sign > 0.0 { 1.0 } else { -1.0 } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_become_ticks() {
        const FBX: i64 = 46_186_158_000;
        for (time, ticks) in
            [(0, 0), (FBX, TICKS_PER_SECOND), (FBX / 30, TICKS_PER_SECOND / 30), (-FBX, -TICKS_PER_SECOND)]
        {
            assert_eq!(tick(time, FBX), Tick(ticks), "{time}");
        }
        assert_eq!(tick(141_120_000, 141_120_000), Tick(TICKS_PER_SECOND));
        assert_eq!(tick(33, FBX), Tick(1), "half a tick goes up");
        assert_eq!(tick(i64::MAX, 1), Tick(i64::MAX / 8));
    }

    proptest::proptest! {
        /// For files' own ticks of both kinds: at most half a tick of ours off, in order, and two keys are one only
        /// where a tick of ours does not lie between them. Frames of usual rates come back to the tick.
        #[test]
        fn p41_fbx_ticks_keep_their_order_and_come_back(
            times in proptest::collection::btree_set(-1_i64 << 55..1 << 55, 2..40),
            steps in proptest::collection::vec(0_i64..200, 1..20),
            frame in -1_000_000_i64..1_000_000,
        ) {
            for per_second in [46_186_158_000_i64, 141_120_000] {
                let mut times: Vec<i64> = times.iter().copied().collect();
                // Neighbours that are nearer than our ticks are.
                let mut last = times[0];
                times.extend(steps.iter().map(|step| { last += step; last }));
                times.sort_unstable();
                times.dedup();
                let ours = |time: i64| i128::from(time) * i128::from(TICKS_PER_SECOND);
                for pair in times.windows(2) {
                    let [a, b] = [pair[0], pair[1]].map(|time| tick(time, per_second));
                    let off = (i128::from(a.0) * i128::from(per_second) - ours(pair[0])).abs();
                    proptest::prop_assert!(2 * off <= i128::from(per_second), "{} is {off} off", pair[0]);
                    proptest::prop_assert!(a <= b);
                    let is_a_tick_apart = ours(pair[1]) - ours(pair[0]) > i128::from(per_second);
                    proptest::prop_assert!(a < b || !is_a_tick_apart, "{pair:?} are one");
                }
                for rate in [24, 25, 30, 60, 120] {
                    let time = frame * (per_second / rate);
                    if per_second % rate == 0 {
                        proptest::prop_assert_eq!(tick(time, per_second), Tick(frame * (TICKS_PER_SECOND / rate)));
                    }
                }
            }
        }
    }

    fn stored(seconds: f64, value: f64, flags: u32, data: [f32; 4]) -> Stored {
        Stored { seconds, tick: Tick::from_seconds(seconds), value, flags, data: data.map(f32::to_bits) }
    }

    #[test]
    fn tangents_by_hand() {
        let automatic = |flags| {
            let of = |seconds, value| stored(seconds, value, CUBIC | flags, [0.0; 4]);
            keys(&[of(0.0, 0.0), of(1.0, 1.0), of(3.0, 2.0)], Scale::ONE)
        };
        // Half the chord's slope 2/3, half the mix of 1 and 1/2 by thirds: 1/3 + (2/3 + 1/6) / 2.
        assert!((automatic(0)[1].leave.slope - 0.75).abs() < 1e-12);
        assert!((automatic(TIME_INDEPENDENT)[1].leave.slope - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(automatic(0)[0].leave.slope, 1.0);
        assert_eq!(automatic(CLAMP_PROGRESSIVE)[0].leave.slope, 0.0);
        // Tension 1 stands still; without any of the three a key leans on both sides alike.
        let tcb = |data| {
            keys(
                &[
                    stored(0.0, 0.0, CUBIC | TCB, data),
                    stored(1.0, 1.0, CUBIC | TCB, data),
                    stored(2.0, 4.0, CUBIC | TCB, data),
                ],
                Scale::ONE,
            )
        };
        assert_eq!(tcb([1.0, 0.0, 0.0, 0.0])[1].leave.slope, 0.0);
        assert_eq!(tcb([0.0; 4])[1].leave.slope, 2.0);
        assert_eq!((tcb([0.0, 1.0, 0.0, 0.0])[1].arrive.slope, tcb([0.0, 1.0, 0.0, 0.0])[1].leave.slope), (3.0, 1.0));
        // Packed weights: 0.25 to the right, 0.5 at the next key's left.
        let mut packed = stored(0.0, 0.0, CUBIC | USER | WEIGHTED_RIGHT | WEIGHTED_NEXT_LEFT, [1.0, 2.0, 0.0, 0.0]);
        packed.data[2] = 5000 << 16 | 2500;
        let made = keys(&[packed, stored(1.0, 1.0, LINEAR, [0.0; 4])], Scale::ONE);
        assert_eq!(made[0].leave, Tangent { slope: 1.0, weight: 0.25 });
        assert_eq!(made[1].arrive, Tangent { slope: 2.0, weight: 0.5 });
    }
}
