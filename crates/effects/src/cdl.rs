//! `kind = "cdl"`.

use super::row::{Effect, Reach, Space, color, number, one, triple};

pub const ROW: Effect = Effect {
    name: "cdl",
    doc: "Grades by slope, offset and power, as colour decision lists do.",
    formula: "(colour times `slope` plus `offset`), at least 0, to the `power`; then `saturation` about its luminance",
    source: "ASC CDL 1.2",
    space: Space::Any,
    reach: Reach::Pixel,
    params: &[color("slope", &[1.0, 1.0, 1.0], 16.0, "Multiplies."), triple("offset", &[0.0, 0.0, 0.0], [-4.0, 4.0], "Is added."), color("power", &[1.0, 1.0, 1.0], 16.0, "The exponent."), number("saturation", 1.0, [0.0, 4.0], "0 is grey.")],
    identity: &[("slope", 1.0), ("offset", 0.0), ("power", 1.0), ("saturation", 1.0)],
    stages: one,
    text: include_str!("cdl.wgsl"),
};
