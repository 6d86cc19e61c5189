//! `kind = "bloom"`.

use super::row::{Effect, Reach, Read, Space, Stage, choice, number, whole};
use super::Values;

pub const ROW: Effect = Effect {
    name: "bloom",
    doc: "Light spreads about what is bright, as in lenses and eyes.",
    formula: "levels, each half as wide, by 13 taps; upwards by tents of 3 x 3; `mix` of picture and spread light by `strength`, or their sum",
    source: "Jimenez 2014; Karis 2013",
    space: Space::Hdr,
    reach: Reach::Others,
    params: &[number("strength", 0.05, [0.0, 1.0], "How much light spreads."), choice("mode", "mix", &["mix", "add"], "`mix` keeps the sum of light, `add` adds to it."), number("threshold", 0.0, [0.0, 1e4], "Darker light does not spread."), number("knee", 0.5, [0.0, 1.0], "How softly it begins, as a share of the threshold."), number("spread", 0.7, [0.0, 1.0], "How much of each level comes from the wider ones."), whole("levels", 6, [1, 10], "How often the picture is halved: how far light spreads."), choice("fireflies", "calm", &["calm", "keep"], "`calm`: single bright pixels spread less, so that they do not flicker.")],
    identity: &[("strength", 0.0)],
    stages: levels,
    text: include_str!("bloom.wgsl"),
};

/// Levels down, levels up, and the picture.
fn levels(values: &Values, [width_px, height_px]: [u32; 2]) -> Vec<Stage> {
    // The smallest level has a pixel at least.
    let count = (values.number("levels") as u32).min(width_px.min(height_px).max(2).ilog2()).max(1);
    let mut out = Vec::new();
    for level in 1..=count {
        let (function, read) = match level {
            1 => ("first", Read::Input),
            _ => ("down", Read::Stage(level as usize - 2)),
        };
        out.push(Stage { reads: vec![read], halvings: level, ..Stage::of_input(function) });
    }
    let mut wider = count as usize - 1;
    for level in (1..count).rev() {
        let reads = vec![Read::Stage(level as usize - 1), Read::Stage(wider)];
        wider = out.len();
        out.push(Stage { reads, halvings: level, ..Stage::of_input("up") });
    }
    out.push(Stage { reads: vec![Read::Input, Read::Stage(wider)], ..Stage::of_input("apply") });
    out
}
