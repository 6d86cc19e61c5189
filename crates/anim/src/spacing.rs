//! Spacing: how far apart the keys of a clip are, where they are evenly apart.
//!
//! In: moments of keys. Out: ticks of which every key is a whole number away from 0. Never here: what happens at keys.
//!
//! Euclid's way does not bear rounding: files tell times in f32 seconds, so the spacing is looked for among the shares
//! of the smallest distance, and each key narrows what it may be.

use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

/// Keys this far from a frame are on it: what times in f32 seconds are off by within a minute.
pub(crate) const ON_FRAME_TICKS: i64 = 1400;

/// Shares of the smallest distance that are tried.
const SHARES: i64 = 64;

/// Spacings that the keys do not show themselves, as two that are next to each other, are no finer than this ...
const FINE_TICKS: f64 = (TICKS_PER_SECOND / 240) as f64;

/// ... or have no more frames than so many a key.
const FRAMES_PER_KEY: f64 = 4.0;

/// Steps that files mean: whole rates, quarters of a millisecond, then whatever halves well.
const STEPS_TICKS: [i64; 5] = [TICKS_PER_SECOND / 4000, 256, 16, 4, 1];

/// How far off a key may be: more, the later it is, as f32 has it.
fn off_ticks(key: i64) -> f64 {
    (key as f64 / f64::from(1 << 24)).max(ON_FRAME_TICKS as f64)
}

/// The widest spacing that has every key on a frame, frames counted from 0; none where keys are at odd times, or there
/// are fewer than three. The last frame is no earlier than the end, if that is on a frame, too.
pub(crate) fn of_keys(duration: Tick, keys: &[Tick]) -> Option<i64> {
    let mut times: Vec<i64> = keys.iter().map(|key| key.0).filter(|key| (0..=duration.0).contains(key)).collect();
    times.push(0);
    times.sort_unstable();
    // What is this near is one key, written twice to jump.
    times.dedup_by(|next, kept| (*next - *kept) as f64 <= 2.0 * off_ticks(*next));
    if times.len() < 3 || keys.len() < 3 {
        return None;
    }
    let gap = |pair: &[i64]| (pair[1] - pair[0], pair[1]);
    let (smallest, at) = times.windows(2).map(gap).min()?;
    let off = 2.0 * off_ticks(at);
    (1..=SHARES).find_map(|share| {
        let narrow = [(smallest as f64 - off) / share as f64, (smallest as f64 + off) / share as f64];
        let frame_count = *times.last()? as f64 / narrow[1];
        let is_sane = share == 1 || narrow[1] >= FINE_TICKS || frame_count <= FRAMES_PER_KEY * times.len() as f64;
        // Below, keys would be on frames by chance.
        if !is_sane || narrow[0] <= 4.0 * off {
            return None;
        }
        let [low, high] = times.iter().skip(1).try_fold(narrow, on_frame)?;
        whole(duration, [low, high])
    })
}

/// What is left of a range of spacings when a key must be on a frame.
fn on_frame([low, high]: [f64; 2], key: &i64) -> Option<[f64; 2]> {
    let (at, off) = (*key as f64, off_ticks(*key));
    let frame = (at / (0.5 * (low + high))).round().max(1.0);
    let [low, high] = [low.max((at - off) / frame), high.min((at + off) / frame)];
    (low <= high).then_some([low, high])
}

/// The roundest number of ticks in a range.
fn whole(duration: Tick, [low, high]: [f64; 2]) -> Option<i64> {
    let is_in = |ticks: &i64| *ticks > 0 && (low..=high).contains(&(*ticks as f64));
    let rate = (TICKS_PER_SECOND as f64 / (0.5 * (low + high))).round() as i64;
    let of_rate = Some(TICKS_PER_SECOND / rate.max(1)).filter(is_in);
    // A frame that is a hair before the end would need another one behind it.
    let frames = (duration.0 as f64 / high).round().max(1.0);
    let to_end = duration.0 as f64 / frames;
    let low = if (low..=high).contains(&to_end) { to_end } else { low };
    let ends = |ticks: &i64| *ticks as f64 >= low;
    let round = |step: i64| (low / step as f64).ceil() as i64 * step;
    of_rate.filter(ends).into_iter().chain(STEPS_TICKS.map(round)).find(is_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys as files have them: f32 seconds.
    fn keys(seconds: impl Iterator<Item = f64>) -> (Tick, Vec<Tick>) {
        let keys: Vec<Tick> = seconds.map(|at| Tick::from_seconds(f64::from(at as f32))).collect();
        (*keys.last().expect("there are keys"), keys)
    }

    #[test]
    fn of_keys_in_files() {
        let even = |step: f64, count: u32| keys((0..=count).map(move |key| f64::from(key) * step));
        for (step_s, count, want) in [
            (0.075, 8, 52_920_000),
            (0.04375, 16, 30_870_000),
            (0.01, 100, 7_056_000),
            (1.0 / 144.0, 144, 4_900_000),
            (1.0 / 30.0, 54_000, 23_520_000),
            (1.0 / 24.0, 24, 29_400_000),
            (1001.0 / 24_000.0, 240, 29_429_400),
            (0.5, 2, 352_800_000),
            (0.001, 300, 705_600),
        ] {
            let (duration, keys) = even(step_s, count);
            let found = of_keys(duration, &keys).unwrap_or_else(|| panic!("{step_s} s, {count}"));
            assert!((found - want).abs() <= 2 * ON_FRAME_TICKS / i64::from(count) + 16, "{step_s} s, {count}: {found}");
            let frames = (duration.0 + found - 1) / found;
            assert_eq!(frames, i64::from(count), "{step_s} s: no frame more");
        }
        // Steps of two and three frames: neither is the spacing.
        let (duration, uneven) = keys([0.0, 2.0, 5.0, 7.0, 10.0, 12.0].into_iter().map(|frame| frame / 30.0));
        // Not a tick less: 0.4 s are a little more in f32, and the last frame is no earlier.
        assert_eq!(of_keys(duration, &uneven), Some(23_520_016));
        // Written twice.
        let (duration, jump) = keys([0.0, 0.1, 0.1, 0.2, 0.3].into_iter());
        assert_eq!(of_keys(duration, &jump).map(|found| (found - 70_560_000).abs() < 500), Some(true));
    }

    #[test]
    fn odd_times_have_none() {
        let (duration, odd) = keys([0.0, 0.1, 0.2718, 0.31415, 0.57721, 1.0].into_iter());
        assert_eq!(of_keys(duration, &odd), None);
        let (duration, two) = keys([0.0, 1.0].into_iter());
        assert_eq!(of_keys(duration, &two), None);
        assert_eq!(of_keys(Tick::ZERO, &[]), None);
    }
}
