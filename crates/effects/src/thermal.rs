//! `kind = "thermal"`.

use super::row::{Effect, Reach, Space, choice, number, one};

pub const ROW: Effect = Effect {
    name: "thermal",
    doc: "The picture in the colours of a heat camera, by how bright it is: nothing knows how warm things are.",
    formula: "encoded luminance from `low` to `high` as 0 to 1; `iron` goes from black by violet, red, orange and yellow to white, `rainbow` from blue by cyan, green and yellow to red, in equal steps of encoded values; `white_hot` is grey, `black_hot` the opposite",
    source: "",
    space: Space::Ldr,
    reach: Reach::Pixel,
    params: &[
        number("strength", 1.0, [0.0, 1.0], "How much of it is seen."),
        choice("palette", "iron", &["iron", "rainbow", "white_hot", "black_hot"], "The colours."),
        number("low", 0.0, [0.0, 1.0], "What is the coldest colour, encoded."),
        number("high", 1.0, [0.0, 1.0], "What is the hottest colour, encoded."),
    ],
    identity: &[("strength", 0.0)],
    stages: one,
    text: include_str!("thermal.wgsl"),
};
