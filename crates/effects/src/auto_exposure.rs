//! `kind = "auto_exposure"`.

use super::row::{Effect, Param, Reach, Read, Space, Stage, number, whole};
use super::Values;

pub const ROW: Effect = Effect {
    name: "auto_exposure",
    doc: "Exposes each picture by what it shows. With more than one of `frames` it adapts slowly, as eyes do.",
    formula: "light times `key` over its mean, the geometric mean of luminances over `black`; between `ev_min` and `ev_max` stops. Its logarithm comes nearer to that of the picture by 1 - e^(-t / `adapt_s`) in the time t of each of `frames`",
    source: "Reinhard et al. 2002; adaptation: Pattanaik et al. 2000",
    space: Space::Hdr,
    reach: Reach::Others,
    params: &[number("key", 0.18, [0.001, 1.0], "What the mean becomes."), number("ev_min", -8.0, [-20.0, 20.0], "Least change, in stops."), number("ev_max", 8.0, [-20.0, 20.0], "Greatest change, in stops."), number("black", 0.001, [1e-6, 1.0], "Darker light counts as this."), FRAMES, number("adapt_s", 0.4, [0.01, 60.0], "How long it takes to adapt by 63 %.")],
    identity: &[],
    stages: metered,
    text: include_str!("auto_exposure.wgsl"),
};

const FRAMES: Param =
    whole("frames", 1, [1, 64], "From how many frames it adapts. `fps` of `[output]` says how long each is.");

/// Squares of 8 pixels, of 8 of those, and so on, to one.
fn metered(values: &Values, [width_px, height_px]: [u32; 2]) -> Vec<Stage> {
    let mut out = vec![Stage { halvings: 3, ..Stage::of_input("measured") }];
    while width_px.max(height_px) >> out[out.len() - 1].halvings > 1 {
        let (read, halvings) = (Read::Stage(out.len() - 1), out[out.len() - 1].halvings + 3);
        out.push(Stage { reads: vec![read], halvings, ..Stage::of_input("added") });
    }
    if values.frames() > 1 {
        let reads = vec![Read::Stage(out.len() - 1), Read::Before(out.len())];
        out.push(Stage { reads, halvings: out[out.len() - 1].halvings, ..Stage::of_input("adapted") });
    }
    let all = Read::Stage(out.len() - 1);
    out.push(Stage { reads: vec![Read::Input, all], ..Stage::of_input("apply") });
    out
}
