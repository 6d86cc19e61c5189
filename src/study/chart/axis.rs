//! Axis: a range of numbers on paper, with ticks at round ones.

/// From a number to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    pub min: f64,
    pub max: f64,
    /// Places of `min` and `max`, in pixels.
    pub from: f64,
    pub to: f64,
}

impl Axis {
    pub fn place(&self, value: f64) -> f64 {
        self.from + (value - self.min) / (self.max - self.min) * (self.to - self.from)
    }

    /// About `about` round numbers, with their text.
    pub fn ticks(&self, about: usize) -> Vec<(f64, String)> {
        let (step, decimals) = step((self.max - self.min) / about.max(1) as f64);
        if !step.is_finite() {
            return Vec::new();
        }
        let words = |value: f64| match value.abs() {
            // This many digits cannot be read.
            size if size >= POWERS_FROM => format!("{value:e}"),
            _ => format!("{value:.decimals$}"),
        };
        let first = (self.min / step - 1e-6).ceil() as i64;
        let last = (self.max / step + 1e-6).floor() as i64;
        (first..=last)
            .map(|n| {
                let value = n as f64 * step;
                (value, words(if n == 0 { 0.0 } else { value }))
            })
            .collect()
    }
}

/// From here on, ticks are written as powers of ten.
const POWERS_FROM: f64 = 1e7;

/// The smallest of 1, 2, 5, 10, ... that is not under `least`, and the digits after the point that it needs. What is
/// not finite has none.
fn step(least: f64) -> (f64, usize) {
    for exponent in -9..=308_i32 {
        // As it is read from a text: no product of roundings.
        let power: f64 = format!("1e{exponent}").parse().expect("a power of ten");
        for round in [1.0, 2.0, 5.0] {
            if round * power >= least * (1.0 - 1e-9) {
                return (round * power, usize::try_from(-exponent).unwrap_or(0));
            }
        }
    }
    (f64::INFINITY, 0)
}

/// A range around values, with room; never empty.
pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (min, max) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), v| (min.min(v), max.max(v)));
    if min > max {
        return (0.0, 1.0);
    }
    // What does not move is a line in the middle, not noise.
    let least = 1e-3 * min.abs().max(max.abs()).max(1e-3);
    let room = if max - min < least { least } else { 0.06 * (max - min) };
    (min - room, max + room)
}

/// A unit of length in which an extent reads well, and how many of it are a metre.
pub fn length_unit(extent_m: f64) -> (&'static str, f64) {
    match extent_m {
        m if m >= 1.0 => ("m", 1.0),
        m if m >= 0.02 => ("cm", 100.0),
        _ => ("mm", 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        for (min, max, about, want) in [
            (0.0, 1.0, 5, vec!["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
            (-3.0, 12.0, 4, vec!["0", "5", "10"]),
            (0.0, 0.03, 3, vec!["0.00", "0.01", "0.02", "0.03"]),
            (-100.0, 100.0, 2, vec!["-100", "0", "100"]),
        ] {
            let words: Vec<String> =
                Axis { min, max, from: 0.0, to: 100.0 }.ticks(about).into_iter().map(|(_, words)| words).collect();
            assert_eq!(words, want, "{min} to {max}");
        }
        // Whatever files hold, a few ticks and short words.
        assert_eq!(Axis { min: -f64::MAX, max: f64::MAX, from: 0.0, to: 100.0 }.ticks(5), []);
        for size in [1e12, 1e13, 1e18, 3e38, 1e300] {
            let ticks = Axis { min: -size, max: size, from: 0.0, to: 100.0 }.ticks(5);
            assert!((1..=12).contains(&ticks.len()), "{size:e}: {} ticks", ticks.len());
            assert!(ticks.iter().all(|(value, words)| value.is_finite() && words.len() < 8), "{size:e}: {ticks:?}");
        }
        let axis = Axis { min: -1.0, max: 1.0, from: 100.0, to: 0.0 };
        assert_eq!((axis.place(-1.0), axis.place(0.0), axis.place(1.0)), (100.0, 50.0, 0.0));
        assert_eq!(range(std::iter::empty()), (0.0, 1.0));
        let (min, max) = range([5.0, 5.0].into_iter());
        assert!(min < 5.0 && max > 5.0);
    }
}
