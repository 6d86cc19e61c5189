//! `kind = "old_film"`.

use super::row::{Effect, Reach, Space, number, one, whole};

pub const ROW: Effect = Effect {
    name: "old_film",
    doc: "A worn print: the picture weaves and flickers, with scratches and dust.",
    formula: "the picture moved by up to `weave_px`, times 1 + `flicker` times noise of the moment, with vertical scratches and round specks by chance, of twice `scratches` and `dust` each is there half of the time",
    source: "",
    space: Space::Ldr,
    reach: Reach::Others,
    params: &[number("weave_px", 1.0, [0.0, 16.0], "How far the picture moves."), number("flicker", 0.1, [0.0, 1.0], "How much its light changes."), number("scratches", 2.0, [0.0, 16.0], "How many are seen at once."), number("dust", 6.0, [0.0, 64.0], "How many specks are seen at once."), number("rate_hz", 18.0, [0.1, 1000.0], "How often it changes."), whole("seed", 1, [0, 16777215], "Another number gives another print.")],
    identity: &[("weave_px", 0.0), ("flicker", 0.0), ("scratches", 0.0), ("dust", 0.0)],
    stages: one,
    text: include_str!("old_film.wgsl"),
};
