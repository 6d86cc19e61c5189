//! `kind = "underwater"`.

use super::Values;
use super::row::{Effect, Reach, Read, Space, Stage, color, number};

pub const ROW: Effect = Effect {
    name: "underwater",
    doc: "The view through water: the picture wavers, and red light is lost first. Distance is that of opaque surfaces: what is blended has the distance of what is behind it.",
    formula: "light times T + `color` (1 - T), T = exp(-`absorption_per_m` d) of each channel, d metres along the ray; both are read up to `amplitude` heights away, by 3/5 sin a + 2/5 sin b each way, a and b of `waves` and 1.7 `waves` in a height, `speed_hz` and -1.3 `speed_hz` in a second",
    source: "Beer 1852; absorption of pure water at 650, 550 and 450 nm by Pope, Fry 1997",
    space: Space::Hdr,
    reach: Reach::Others,
    params: &[
        number("amplitude", 0.006, [0.0, 0.2], "How far the picture wavers, as a share of the height."),
        number("waves", 4.0, [0.0, 256.0], "How many waves are in a height."),
        number("speed_hz", 0.4, [-100.0, 100.0], "How many waves pass in a second."),
        color(
            "absorption_per_m",
            &[0.34, 0.0565, 0.0092],
            1e3,
            "How much light a metre takes. Murky water takes more.",
        ),
        color("color", &[0.01, 0.08, 0.12], 1e4, "Light of the water, exposed."),
        number("background_m", 30.0, [0.0, 1e6], "How far it is where nothing is."),
    ],
    identity: &[("amplitude", 0.0), ("absorption_per_m", 0.0)],
    stages: deep,
    text: include_str!("underwater.wgsl"),
};

fn deep(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![Stage { reads: vec![Read::Input, Read::Depth], ..Stage::of_input("apply") }]
}
