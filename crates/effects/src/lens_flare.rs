//! `kind = "lens_flare"`.

use super::Values;
use super::row::{Effect, Reach, Read, Space, Stage, number, whole};

pub const ROW: Effect = Effect {
    name: "lens_flare",
    doc: "Bright places are reflected inside the lens: ghosts lie across the centre, a halo around it. It knows the picture alone: lights outside of it make no flare.",
    formula: "light over `threshold`, at half the size, is read at -p (1 - i `spacing`) for ghosts i = 0, 1 and so on, and at -p + `halo` p / |p|, p the place from the centre in heights; red and blue are read `shift` nearer and farther; each counts (1 - r)^5, r 1 at half the diagonal; a Gauss of `blur_px`, times 1 - `starburst` (1 - s), times 1 + `dirt` times spots, times `strength`, is added; s = (2 + cos 7a + cos 12a) / 4 of the angle a, and 1 at the centre",
    source: "Chapman 2013",
    space: Space::Hdr,
    reach: Reach::Others,
    params: &[
        number("strength", 0.2, [0.0, 16.0], "How bright the flare is."),
        number("threshold", 1.0, [0.0, 1e4], "Darker light makes no flare."),
        whole("ghosts", 4, [0, 16], "How many ghosts each bright place has."),
        number("spacing", 0.3, [0.0, 2.0], "How far ghosts are apart: 0 puts all of them into one place."),
        number("halo", 0.35, [0.0, 1.0], "Radius of the halo, as a share of the height. At 0 there is none."),
        number("shift", 0.01, [0.0, 0.2], "How far red and blue part, as a share of the height."),
        number("blur_px", 2.0, [0.0, 32.0], "Standard deviation of the blur, in pixels."),
        number("starburst", 0.5, [0.0, 1.0], "How deep the rays across the flare are."),
        number("dirt", 0.0, [0.0, 16.0], "How much brighter spots on the lens are."),
        whole("seed", 1, [0, 16777215], "Another number gives other spots."),
    ],
    identity: &[("strength", 0.0)],
    stages: five,
    text: include_str!("lens_flare.wgsl"),
};

fn five(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    let half =
        |function: &'static str, read: Read| Stage { reads: vec![read], halvings: 1, ..Stage::of_input(function) };
    vec![
        half("bright", Read::Input),
        half("features", Read::Stage(0)),
        half("rows", Read::Stage(1)),
        half("columns", Read::Stage(2)),
        Stage { reads: vec![Read::Input, Read::Stage(3)], ..Stage::of_input("apply") },
    ]
}
