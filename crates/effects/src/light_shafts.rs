//! `kind = "light_shafts"`.

use super::row::{Effect, Reach, Read, Space, Stage, number, pair, whole};
use super::Values;

pub const ROW: Effect = Effect {
    name: "light_shafts",
    doc: "Light that streams from a bright place, as through dusty air: what is in the way leaves dark shafts.",
    formula: "the sum over `taps` points from the pixel towards `center` of what is brighter than `threshold`, the farther ones by `decay`, over their number, times `strength`, is added",
    source: "Mitchell 2007 (GPU Gems 3, 13)",
    space: Space::Hdr,
    reach: Reach::Others,
    params: &[number("strength", 0.5, [0.0, 16.0], "How bright shafts are."), pair("center", &[0.5, 0.3], [-4.0, 5.0], "Where light comes from: 0 to 1, right and down."), number("length", 0.8, [0.0, 1.0], "How far shafts reach, as a share of the way from the centre."), number("decay", 0.95, [0.0, 1.0], "What each point has of the one before."), number("threshold", 1.0, [0.0, 1e4], "Darker light makes no shafts."), whole("taps", 48, [2, 128], "How many points each pixel gathers.")],
    identity: &[("strength", 0.0)],
    stages: two,
    text: include_str!("light_shafts.wgsl"),
};

fn two(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![
        Stage { halvings: 1, ..Stage::of_input("bright") },
        Stage { reads: vec![Read::Input, Read::Stage(0)], ..Stage::of_input("apply") },
    ]
}
