//! Clips: keys, curves, skeletons and whole clips that are drawn, right and wrong, and what must come of them.
//!
//! What is wrong is refused by an error that names something which is wrong; what is right is sampled as a slow sampler
//! in f64 has it, and finite numbers give finite ones. One file a noun.

mod baked;
mod compressed;
mod curve;
mod keyed;
mod pose;
mod skeleton;

use stillframe_base::tick::Tick;

use crate::Choices;

/// What can be planted in the checks, to see whether they see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipMistake {
    /// At a key, the one before it is sampled still.
    LateKey,
    /// Rotations between keys go straight, at uneven speed.
    Straight,
    /// A circle of joints is a skeleton.
    Circle,
    /// A baked pose is one frame late.
    LateFrame,
    /// A compressed one is.
    LateKeyframe,
}

/// Every mistake: its name, and what it does.
pub const CLIP_MISTAKES: [(ClipMistake, &str, &str); 5] = [
    (ClipMistake::LateKey, "late-key", "at a key, the previous key is sampled"),
    (ClipMistake::Straight, "straight", "rotations are interpolated at uneven speed"),
    (ClipMistake::Circle, "circle", "a cycle of joints is accepted as a skeleton"),
    (ClipMistake::LateFrame, "late-frame", "a baked pose is one frame late"),
    (ClipMistake::LateKeyframe, "late-keyframe", "a compressed pose is one frame late"),
];

/// Draws something and checks what comes of it. None where that took more than is tried here.
///
/// Errors: what is not as it must be, what was drawn in marks.
pub fn check(choices: &mut Choices<'_>, mistake: Option<ClipMistake>) -> Result<(), String> {
    match choices.weighted(&[4, 3, 2, 3]) {
        0 => keyed::check(choices, mistake),
        1 => curve::check(choices),
        2 => skeleton::check(choices, mistake),
        _ => baked::check(choices, mistake),
    }
}

/// `Err` with the words unless `holds`.
macro_rules! must {
    ($holds:expr, $($words:tt)+) => {
        if !$holds {
            return Err(format!($($words)+));
        }
    };
}
use must;

/// Numbers as files have them: mostly harmless.
fn number(choices: &mut Choices<'_>) -> f32 {
    const EDGES: [f32; 12] = [
        1e9,
        -1e9,
        1e-30,
        f32::MIN_POSITIVE,
        1e-45,
        -0.0,
        16_777_217.0,
        1e30,
        f32::MAX,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
    ];
    match choices.weighted(&[20, 60, 10, 1]) {
        0 => choices.between(-2, 2) as f32,
        1 => choices.between(-2_000_000, 2_000_000) as f32 * 1e-6,
        2 => choices.between(-1000, 1000) as f32,
        _ => *choices.pick(&EDGES),
    }
}

/// Times of keys: mostly rising, now and then not, at the ends of time, or none.
fn times(choices: &mut Choices<'_>) -> Vec<Tick> {
    let count = choices.weighted(&[1, 8, 16, 8, 4, 4, 2, 2]);
    let mut at = match choices.weighted(&[20, 4, 1]) {
        0 => choices.between(-3, 3),
        1 => choices.between(-1 << 40, 1 << 40),
        _ => i64::MIN,
    };
    let mut times = Vec::new();
    for _ in 0..count {
        times.push(Tick(at));
        let step = match choices.weighted(&[8, 20, 2, 1]) {
            0 => choices.between(1, 3),
            1 => choices.between(1, 2_000_000_000),
            2 => choices.between(1, 1 << 55),
            _ => *choices.pick(&[i64::MAX, 0, -1]),
        };
        // A jump to the end of time is farther than a number of ticks where it starts before 0.
        at = if step == i64::MAX { step } else { at.saturating_add(step) };
    }
    if choices.one_in(8) {
        let spacing = choices.between(1, 100_000_000);
        times.iter_mut().enumerate().for_each(|(key, time)| *time = Tick((key as i64 - 1) * spacing));
    }
    times
}

/// Moments at which keys at `times` are asked for: they, their neighbours, the ends of time, between.
fn moments(choices: &mut Choices<'_>, times: &[Tick]) -> Vec<Tick> {
    let mut out = vec![Tick(i64::MIN), Tick(i64::MAX), Tick::ZERO];
    for pair in times.windows(2) {
        out.push(Tick(((i128::from(pair[0].0) + i128::from(pair[1].0)) >> 1) as i64));
    }
    out.extend(times.iter().flat_map(|time| [time.0.saturating_sub(1), time.0, time.0.saturating_add(1)]).map(Tick));
    let low = times.iter().map(|time| time.0).min().unwrap_or(0);
    let high = times.iter().map(|time| time.0).max().unwrap_or(0);
    let (low, high) = (i128::from(low), i128::from(high));
    let reach = (high - low).min(1 << 62) + 5;
    out.extend((0..4).map(|_| (low - reach / 8 + choices.wide(0, reach + reach / 4)) as i64).map(Tick));
    match choices.below(3) {
        0 => out.sort_unstable(),
        1 => out.sort_unstable_by(|a, b| b.cmp(a)),
        _ => {}
    }
    out
}

/// Whether two numbers are one but for rounding at the size of the numbers they were made of.
fn is_near(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() <= 1e-11 * size.max(1e-300) || a == b
}

#[cfg(test)]
mod tests {
    use super::*;
    use stillframe_base::rng::Rng;

    fn tried(number: u64, mistake: Option<ClipMistake>) -> Result<(), String> {
        check(&mut Choices::Random(&mut Rng::new(3).stream("clips", number)), mistake)
    }

    #[test]
    fn clips_are_as_they_must_be() {
        for number in 0..6000 {
            assert_eq!(tried(number, None), Ok(()), "{number}");
        }
    }

    /// Cubic keys farther apart than a number of ticks goes: their distance was taken in too few bits.
    #[test]
    fn keys_at_both_ends_of_time() {
        let bytes = include_bytes!("../../../../tests/data/seeds/clip/keys_at_both_ends_of_time/clip.bin");
        assert_eq!(check(&mut Choices::Bytes(bytes), None), Ok(()));
    }

    #[test]
    fn every_planted_mistake_is_found() {
        for (mistake, name, _) in CLIP_MISTAKES {
            // From several starts, as seeds are.
            let until_found = |start: u64| (0..400).find(|n| tried(start + n, Some(mistake)).is_err());
            let found: Vec<Option<u64>> = (0..11).map(|start| until_found(start * 400)).collect();
            println!("{name}: {found:?}");
            assert!(found.iter().all(Option::is_some), "{name}: {found:?}");
        }
    }
}
