//! `kind = "channel_mixer"`.

use super::row::{Effect, Reach, Space, one, triple};

pub const ROW: Effect = Effect {
    name: "channel_mixer",
    doc: "Each channel of the picture is a sum of all three.",
    formula: "red becomes the dot product of `red` and the colour; green and blue alike",
    source: "",
    space: Space::Any,
    reach: Reach::Pixel,
    params: &[triple("red", &[1.0, 0.0, 0.0], [-4.0, 4.0], "Of red, green and blue in red."), triple("green", &[0.0, 1.0, 0.0], [-4.0, 4.0], "Of red, green and blue in green."), triple("blue", &[0.0, 0.0, 1.0], [-4.0, 4.0], "Of red, green and blue in blue.")],
    identity: &[],
    stages: one,
    text: include_str!("channel_mixer.wgsl"),
};
