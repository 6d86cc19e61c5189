//! `kind = "auto_exposure"`.

use super::row::{Effect, Reach, Read, Space, Stage, number};
use super::Values;

pub const ROW: Effect = Effect {
    name: "auto_exposure",
    doc: "Exposes each picture by what it shows. It knows nothing of the pictures before, so it does not adapt slowly.",
    formula: "light times `key` over its mean, the geometric mean of luminances over `black`; between `ev_min` and `ev_max` stops",
    source: "Reinhard et al. 2002",
    space: Space::Hdr,
    reach: Reach::Others,
    params: &[number("key", 0.18, [0.001, 1.0], "What the mean becomes."), number("ev_min", -8.0, [-20.0, 20.0], "Least change, in stops."), number("ev_max", 8.0, [-20.0, 20.0], "Greatest change, in stops."), number("black", 0.001, [1e-6, 1.0], "Darker light counts as this.")],
    identity: &[],
    stages: metered,
    text: include_str!("auto_exposure.wgsl"),
};

/// Squares of 8 pixels, of 8 of those, and so on, to one.
fn metered(_: &Values, [width_px, height_px]: [u32; 2]) -> Vec<Stage> {
    let mut out = vec![Stage { halvings: 3, ..Stage::of_input("measured") }];
    while width_px.max(height_px) >> out[out.len() - 1].halvings > 1 {
        let (read, halvings) = (Read::Stage(out.len() - 1), out[out.len() - 1].halvings + 3);
        out.push(Stage { reads: vec![read], halvings, ..Stage::of_input("added") });
    }
    let all = Read::Stage(out.len() - 1);
    out.push(Stage { reads: vec![Read::Input, all], ..Stage::of_input("apply") });
    out
}
