//! `kind = "fog"`.

use super::row::{Effect, Reach, Read, Space, Stage, choice, color, number};
use super::Values;

pub const ROW: Effect = Effect {
    name: "fog",
    doc: "Light is lost on its way to the eye, and the fog shines in its place. Distance is that of opaque surfaces: what is blended has the fog of what is behind it.",
    formula: "mix of picture and `color` by 1 - exp(-t); t: `exp` density d, `exp2` (density d)^2, `linear` from `start_m` to `end_m`, `height` the optical depth of density exp(-falloff y) along the ray",
    source: "Wenzel 2007",
    space: Space::Hdr,
    reach: Reach::Pixel,
    params: &[choice("curve", "exp", &["exp", "exp2", "linear", "height"], "How fog grows with distance."), color("color", &[0.5, 0.6, 0.7], 1e4, "Light of the fog, exposed."), number("density_per_m", 0.05, [0.0, 1e3], "Of `exp`, `exp2` and `height`."), number("start_m", 0.0, [0.0, 1e6], "Nearer there is no fog."), number("end_m", 100.0, [1e-3, 1e6], "Of `linear`: where there is nothing but fog."), number("falloff_per_m", 0.2, [0.0, 1e3], "Of `height`: how fast it thins upwards."), number("base_m", 0.0, [-1e6, 1e6], "Of `height`: where it has its density."), number("background", 1.0, [0.0, 1.0], "How much fog is before what is around.")],
    identity: &[("density_per_m", 0.0), ("background", 0.0)],
    stages: foggy,
    text: include_str!("fog.wgsl"),
};

fn foggy(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![Stage { reads: vec![Read::Input, Read::Depth], ..Stage::of_input("apply") }]
}
