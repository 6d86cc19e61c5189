//! `kind = "screen_roll"`.

use super::row::{Effect, Reach, Space, number, one, whole};

pub const ROW: Effect = Effect {
    name: "screen_roll",
    doc: "An analogue picture without hold: it rolls, with a bar of noise below it, and its first rows bend.",
    formula: "rows move up by `offset` + `speed` t of the height of picture and bar, and come again from below; row s from the top of what rolls, 0 to 1, moves to the left by `tear` (1 - s)^4 and by up to `jitter` by chance, in widths, and around",
    source: "",
    space: Space::Any,
    reach: Reach::Others,
    params: &[
        number("offset", 0.2, [-1.0, 1.0], "How far the picture has rolled at 0 s, as a share of picture and bar."),
        number("speed", 0.5, [-64.0, 64.0], "How often it rolls through in a second. Below 0 it rolls down."),
        number("bar", 0.08, [0.0, 1.0], "Height of the bar, as a share of the picture."),
        number("noise", 0.3, [0.0, 1.0], "How bright noise in the bar is at most."),
        number("tear", 0.1, [-1.0, 1.0], "How far the first row moves, as a share of the width."),
        number("jitter", 0.005, [0.0, 1.0], "How far rows move by chance, as a share of the width."),
        number("rate_hz", 25.0, [0.0, 1000.0], "How often chance changes."),
        whole("seed", 1, [0, 16777215], "Another number gives other noise."),
    ],
    identity: &[("offset", 0.0), ("speed", 0.0), ("tear", 0.0), ("jitter", 0.0)],
    stages: one,
    text: include_str!("screen_roll.wgsl"),
};
