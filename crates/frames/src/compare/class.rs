//! Classes: labels that explain a difference at a glance. They never decide.
//!
//! In: two pictures and their exact comparison. Out: a set of labels, printed `edge+area`. Definitions, in this order;
//! one step is 1 of 255, of 65535, or the next float:
//!
//! - `lsb`: no delta is over one step. No other label is asked then.
//! - `gain`: one factor or one offset, common to all colour channels (in samples as stored or, for 8 and 16 bit, in
//!   linear light), explains three in four of the differing samples to 1.5 of 255 steps or 1 %, and old values differ
//!   enough (32 of 255 steps) for that to mean anything.
//! - `edge`: of the differing pixels of more than one step that no gain explains, one in twenty or more lie off areas
//!   (three pixels, below) on an edge (old or new has a step of 16 of 255 within 3 x 3 pixels) and show what a small
//!   shift would: each new channel lies between the least and the largest old one within 3 x 3 pixels, give or take 2
//!   steps of 255, or the other way round.
//! - `area`: pixels that none of these explains fill at least 3 x 3 pixels somewhere.
//!
//! Numbers (ids) have no labels but `area`: a changed number is never a step, a gain or a shift. Where more than 32,768
//! pixels differ, every n-th tile is looked at, so that labels cost little beside the comparison.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use stillframe_base::math::colour::{LINEAR_FROM_SRGB8, linear_from_srgb};

use super::exact::{Exact, colour_count};
use super::mask::{Mask, TILE_PX};
use crate::picture::{Picture, SampleKind, Samples};

/// What a difference looks like; printed as names with `+` between, `-` for none.
///
/// Serialised as it is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Classes {
    /// All deltas are at most one step.
    pub lsb: bool,
    /// What differs lies on edges, as if they had moved a little.
    pub edge: bool,
    /// A common factor or offset explains it.
    pub gain: bool,
    /// Compact areas that are none of these.
    pub area: bool,
}

impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = [(self.lsb, "lsb"), (self.edge, "edge"), (self.gain, "gain"), (self.area, "area")];
        let names: Vec<&str> = labels.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        f.pad(&if names.is_empty() { "-".to_owned() } else { names.join("+") })
    }
}

impl From<Classes> for String {
    fn from(classes: Classes) -> String {
        classes.to_string()
    }
}

/// Not names of classes with `+` between, nor `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("classes are `-`, or some of lsb, edge, gain and area with `+` between")]
pub struct ParseClassesError;

impl FromStr for Classes {
    type Err = ParseClassesError;

    fn from_str(text: &str) -> Result<Classes, ParseClassesError> {
        let mut out = Classes::default();
        if text == "-" {
            return Ok(out);
        }
        for name in text.split('+') {
            *match name {
                "lsb" => &mut out.lsb,
                "edge" => &mut out.edge,
                "gain" => &mut out.gain,
                "area" => &mut out.area,
                _ => return Err(ParseClassesError),
            } = true;
        }
        Ok(out)
    }
}

impl TryFrom<String> for Classes {
    type Error = ParseClassesError;

    fn try_from(text: String) -> Result<Classes, ParseClassesError> {
        text.parse()
    }
}

/// Differing pixels above which tiles are left out.
const LOOKED_AT_MAX: u64 = 32_768;
/// Of 255 steps of the range; a float's range is 0..=1 here.
const EDGE_STEP: f32 = 16.0 / 255.0;
const SHIFT_SLACK: f32 = 2.0 / 255.0;
const GAIN_SLACK: f32 = 1.5 / 255.0;
const GAIN_SLACK_SHARE: f32 = 0.01;
const GAIN_SPREAD: f32 = 32.0 / 255.0;

/// The labels of a difference; none where nothing differs.
///
/// `exact` is the comparison of the same two pictures.
pub fn classes(old: &Picture, new: &Picture, exact: &Exact) -> Classes {
    let mut out = Classes::default();
    if exact.is_same() {
        return out;
    }
    let seen = sampled(exact);
    match (&old.samples, &new.samples) {
        (Samples::U8(a), Samples::U8(b)) => labels(&Pair::new(a, b, exact), &seen, &mut out),
        (Samples::U16(a), Samples::U16(b)) => labels(&Pair::new(a, b, exact), &seen, &mut out),
        (Samples::F32(a), Samples::F32(b)) => labels(&Pair::new(a, b, exact), &seen, &mut out),
        _ => out.area = !seen.eroded().is_empty(),
    }
    out
}

/// Differing pixels of every tile, or of every n-th where they are many.
fn sampled(exact: &Exact) -> Mask {
    let stride = exact.differing_pixel_count.div_ceil(LOOKED_AT_MAX).max(1) as u32;
    if stride == 1 {
        return exact.mask.clone();
    }
    let mut out = Mask::empty(exact.width_px, exact.height_px);
    let tiles = exact.mask.tiles();
    // Every n-th of those that differ, wherever they lie.
    for tile in tiles.differing.iter().step_by(stride as usize) {
        let (column, row) = ((tile % tiles.columns) as usize, tile / tiles.columns);
        for y in row * TILE_PX..(row * TILE_PX + TILE_PX).min(exact.height_px) {
            out.row_mut(y)[column] = exact.mask.row(y)[column];
        }
    }
    out
}

/// Samples that can be looked at as numbers of the range.
trait Value: Copy {
    fn share(self) -> f32;
    /// In linear light.
    fn linear(self) -> f32;
}

impl Value for u8 {
    #[inline(always)]
    fn share(self) -> f32 {
        f32::from(self) * (1.0 / 255.0)
    }
    #[inline(always)]
    fn linear(self) -> f32 {
        LINEAR_FROM_SRGB8[usize::from(self)]
    }
}

impl Value for u16 {
    #[inline(always)]
    fn share(self) -> f32 {
        f32::from(self) * (1.0 / 65535.0)
    }
    #[inline(always)]
    fn linear(self) -> f32 {
        linear_from_srgb(f32::from(self) / 65535.0)
    }
}

impl Value for f32 {
    #[inline(always)]
    fn share(self) -> f32 {
        if self.is_finite() { self } else { 0.0 }
    }
    #[inline(always)]
    fn linear(self) -> f32 {
        self
    }
}

struct Pair<'a, T> {
    old: &'a [T],
    new: &'a [T],
    width: usize,
    height: usize,
    channels: usize,
    colours: usize,
    kind: SampleKind,
    is_lsb: bool,
}

impl<'a, T: Value> Pair<'a, T> {
    fn new(old: &'a [T], new: &'a [T], exact: &Exact) -> Pair<'a, T> {
        let (width, height) = (exact.width_px as usize, exact.height_px as usize);
        let one_step = match exact.format.kind {
            SampleKind::F32 => exact.ulp_max <= 1 && exact.non_finite_pixel_count == 0,
            _ => exact.delta_max <= 1.0,
        };
        Pair {
            old,
            new,
            width,
            height,
            channels: old.len() / (width * height),
            colours: colour_count(exact.format),
            kind: exact.format.kind,
            is_lsb: one_step,
        }
    }

    fn pixel(&self, x: usize, y: usize) -> (&[T], &[T]) {
        let at = (y * self.width + x) * self.channels;
        (&self.old[at..at + self.channels], &self.new[at..at + self.channels])
    }

    /// Whether the difference of a pixel is over one step: of 255, so that rounding of deeper samples is not looked at.
    fn is_strong(&self, x: usize, y: usize) -> bool {
        let (old, new) = self.pixel(x, y);
        old.iter().zip(new).any(|(a, b)| (a.share() - b.share()).abs() > 1.01 / 255.0)
    }

    /// Whether the pixel is what an edge leaves that moved a little.
    fn is_shift(&self, x: usize, y: usize) -> bool {
        let (rows, columns) =
            (y.saturating_sub(1)..(y + 2).min(self.height), x.saturating_sub(1)..(x + 2).min(self.width));
        let (old, new) = self.pixel(x, y);
        let mut is_edge = false;
        let (mut forth, mut back) = (true, true);
        for c in 0..self.channels {
            let mut of_old = (f32::INFINITY, f32::NEG_INFINITY);
            let mut of_new = of_old;
            for y in rows.clone() {
                for x in columns.clone() {
                    let (a, b) = self.pixel(x, y);
                    let (a, b) = (a[c].share(), b[c].share());
                    of_old = (of_old.0.min(a), of_old.1.max(a));
                    of_new = (of_new.0.min(b), of_new.1.max(b));
                }
            }
            is_edge |= of_old.1 - of_old.0 >= EDGE_STEP || of_new.1 - of_new.0 >= EDGE_STEP;
            let within = |v: f32, (least, most): (f32, f32)| v >= least - SHIFT_SLACK && v <= most + SHIFT_SLACK;
            forth &= within(new[c].share(), of_old);
            back &= within(old[c].share(), of_new);
        }
        is_edge && (forth || back)
    }

    /// The rule that makes new samples of old ones, if there is one.
    fn gain(&self, seen: &Mask) -> Option<Gain> {
        let mut pairs: Vec<[f32; 4]> = Vec::with_capacity(seen.pixel_count() as usize * self.colours);
        let (mut least, mut most) = (f32::INFINITY, 0.0f32);
        for (x, y) in seen.pixels() {
            let (old, new) = self.pixel(x as usize, y as usize);
            for (a, b) in old[..self.colours].iter().zip(new) {
                let pair = [a.share(), b.share(), a.linear(), b.linear()];
                // What is at an end of the range tells nothing of a rule.
                if self.kind == SampleKind::F32 || pair[..2].iter().all(|share| *share > 0.0 && *share < 1.0) {
                    (least, most) = (least.min(pair[0]), most.max(pair[0]));
                    pairs.push(pair);
                }
            }
        }
        if pairs.is_empty() || !(most - least >= GAIN_SPREAD) {
            return None;
        }
        let middle = |mut values: Vec<f32>| {
            let half = values.len() / 2;
            (!values.is_empty()).then(|| *values.select_nth_unstable_by(half, f32::total_cmp).1)
        };
        let ratio = |a: usize| {
            let mut ratios = Vec::with_capacity(pairs.len());
            ratios.extend(pairs.iter().filter(|p| p[0] > 8.0 / 255.0).map(|p| p[a + 1] / p[a]));
            middle(ratios)
        };
        let rules = [
            ratio(0).map(Gain::Factor),
            middle(pairs.iter().map(|p| p[1] - p[0]).collect()).map(Gain::Offset),
            if self.kind == SampleKind::F32 { None } else { ratio(2).map(Gain::LinearFactor) },
        ];
        let explained = |rule: Gain| pairs.iter().filter(|p| rule.explains(**p)).count();
        // The one that explains most; of equally good ones the first.
        let counted = rules.into_iter().flatten().map(|rule| (explained(rule), rule)).rev();
        let (count, rule) = counted.max_by_key(|(count, _)| *count)?;
        (count * 4 >= pairs.len() * 3).then_some(rule)
    }

    fn is_gain(&self, rule: Gain, x: usize, y: usize) -> bool {
        let (old, new) = self.pixel(x, y);
        (0..self.colours).all(|c| {
            let (a, b) = (old[c], new[c]);
            let saturated = self.kind != SampleKind::F32 && (b.share() <= 0.0 || b.share() >= 1.0);
            saturated || rule.explains([a.share(), b.share(), a.linear(), b.linear()])
        })
    }
}

#[derive(Clone, Copy, Debug)]
enum Gain {
    Factor(f32),
    Offset(f32),
    LinearFactor(f32),
}

impl Gain {
    /// Of `[old, new, old in linear light, new in linear light]`.
    fn explains(self, [old, new, old_linear, new_linear]: [f32; 4]) -> bool {
        let near = |want: f32, got: f32, slack: f32| (want - got).abs() <= slack.max(GAIN_SLACK_SHARE * got.abs());
        match self {
            Gain::Factor(k) => near(old * k, new, GAIN_SLACK),
            Gain::Offset(o) => near(old + o, new, GAIN_SLACK),
            // A step of a stored sample is a small step of light where it is dark, and two where it is bright.
            Gain::LinearFactor(k) => near(old_linear * k, new_linear, GAIN_SLACK * (0.08 + 2.2 * new)),
        }
    }
}

fn labels<T: Value>(pair: &Pair<'_, T>, seen: &Mask, out: &mut Classes) {
    if pair.is_lsb {
        out.lsb = true;
        return;
    }
    let rule = pair.gain(seen);
    out.gain = rule.is_some();
    let mut rest = Mask::empty(seen.width_px, seen.height_px);
    let mut shifts = rest.clone();
    let mut strong_count = 0u64;
    for (x, y) in seen.pixels() {
        let (px, py) = (x as usize, y as usize);
        if !pair.is_strong(px, py) || rule.is_some_and(|rule| pair.is_gain(rule, px, py)) {
            continue;
        }
        strong_count += 1;
        let kind = if pair.is_shift(px, py) { &mut shifts } else { &mut rest };
        kind.insert(x, y);
    }
    let core = rest.eroded();
    out.area = !core.is_empty();
    if out.area {
        // The rim of an area is an edge too, of the area's making.
        shifts.remove_all(&core.grown().grown().grown());
    }
    // What a gain leaves over at edges is its rounding.
    let of = if rule.is_some() { seen.pixel_count() } else { strong_count };
    let shift_count = shifts.pixel_count();
    out.edge = shift_count > 0 && shift_count * 20 >= of;
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: u32 = 96;

    /// A picture of `value(x, y)`, 0 to 1, grey in three channels of 8 bit.
    fn drawn(value: impl Fn(f32, f32) -> f32) -> Picture {
        let samples = (0..SIDE * SIDE).flat_map(|i| {
            let value = value((i % SIDE) as f32 + 0.5, (i / SIDE) as f32 + 0.5);
            [(value * 255.0 + 0.5) as u8; 3]
        });
        Picture::new(SIDE, SIDE, 3, Samples::U8(samples.collect())).unwrap()
    }

    fn floats(picture: &Picture) -> Picture {
        let Samples::U8(samples) = &picture.samples else { unreachable!() };
        let samples = samples.iter().map(|s| f32::from(*s) / 255.0).collect();
        Picture::new(SIDE, SIDE, 3, Samples::F32(samples)).unwrap()
    }

    fn of(old: &Picture, new: &Picture) -> String {
        classes(old, new, &Exact::of(old, new).unwrap()).to_string()
    }

    /// A smooth edge of a disc at `(x, y)`.
    fn disc(x: f32, y: f32, radius: f32) -> impl Fn(f32, f32) -> f32 {
        move |px, py| (radius - ((px - x) * (px - x) + (py - y) * (py - y)).sqrt() + 0.5).clamp(0.0, 1.0)
    }

    fn scene(x: f32) -> impl Fn(f32, f32) -> f32 {
        let disc = disc(x, 40.0, 20.0);
        move |px, py| 0.2 + 0.15 * px / SIDE as f32 + 0.4 * disc(px, py)
    }

    #[test]
    fn each_label_has_its_difference() {
        let old = drawn(scene(40.0));
        assert_eq!(of(&old, &old), "-");
        let step = 1.0 / 255.0;
        assert_eq!(of(&old, &drawn(|x, y| scene(40.0)(x, y) + if x < 9.0 { step } else { 0.0 })), "lsb");
        assert_eq!(of(&old, &drawn(scene(40.3))), "edge");
        assert_eq!(of(&old, &drawn(|x, y| scene(40.0)(x, y) * 1.1)), "gain");
        assert_eq!(of(&old, &drawn(|x, y| scene(40.0)(x, y) + 0.06)), "gain");
        let other = |x: f32, y: f32| (60.0..75.0).contains(&x) && (70.0..80.0).contains(&y);
        let with_area = |at: f32| drawn(move |x, y| if other(x, y) { 0.9 } else { scene(at)(x, y) });
        assert_eq!(of(&old, &with_area(40.0)), "area");
        assert_eq!(of(&old, &with_area(40.3)), "edge+area");
    }

    #[test]
    fn gains_in_linear_light_are_gains() {
        let old = drawn(scene(40.0));
        let Samples::U8(samples) = &old.samples else { unreachable!() };
        let brighter = samples.iter().map(|s| stillframe_base::math::colour::srgb8_from_linear(s.linear() * 1.5));
        let new = Picture::new(SIDE, SIDE, 3, Samples::U8(brighter.collect())).unwrap();
        assert_eq!(of(&old, &new), "gain");
        let scaled = |k: f32| {
            let Samples::F32(samples) = floats(&old).samples else { unreachable!() };
            Picture::new(SIDE, SIDE, 3, Samples::F32(samples.iter().map(|s| s * k).collect())).unwrap()
        };
        assert_eq!(of(&scaled(1.0), &scaled(4.0)), "gain");
    }

    #[test]
    fn one_step_of_a_float_is_the_next_float() {
        let old = floats(&drawn(scene(40.0)));
        let nudged = |by: u32| {
            let mut new = old.clone();
            let Samples::F32(samples) = &mut new.samples else { unreachable!() };
            samples[500] = f32::from_bits(samples[500].to_bits() + by);
            new
        };
        assert_eq!([of(&old, &nudged(1)), of(&old, &nudged(2))], ["lsb", "-"]);
    }

    #[test]
    fn changed_numbers_are_areas_alone() {
        let ids = |wide: u32| {
            let samples = (0..SIDE * SIDE).map(|i| u32::from(i % SIDE < wide && i / SIDE > 80));
            Picture::new(SIDE, SIDE, 1, Samples::U32(samples.collect())).unwrap()
        };
        assert_eq!([of(&ids(20), &ids(30)), of(&ids(20), &ids(21))], ["area", "-"]);
    }

    #[test]
    fn classes_are_printed_and_read() {
        for text in ["-", "lsb", "edge+area", "edge+gain+area"] {
            assert_eq!(text.parse::<Classes>().unwrap().to_string(), text);
        }
        for text in ["", "edge+", "all", "edge area"] {
            assert_eq!(text.parse::<Classes>(), Err(ParseClassesError), "{text}");
        }
    }
}
