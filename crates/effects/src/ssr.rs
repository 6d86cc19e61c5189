//! `kind = "ssr"`.

use super::row::{Effect, Reach, Space, choice, none, number, whole};

pub const ROW: Effect = Effect {
    name: "ssr",
    doc: "Surfaces reflect what the picture shows, and the environment where it shows nothing. They reflect opaque surfaces without reflections of their own.",
    formula: "the ray from a surface is followed across the picture, until a surface is before it by less than `thickness_m`: `steps` looks at `steps` places and halves the last step five times, `texels` looks at every pixel that the ray crosses; the picture at that place, blurred by the roughness and the way, counts (1 - (way / `reach_m`)^2) (1 - roughness / `roughness_max`), and less within `rim` heights of the picture's edges",
    source: "McGuire, Mara 2014; Uludag 2014 (GPU Pro 5)",
    space: Space::Reflection,
    reach: Reach::Others,
    params: &[
        number("reach_m", 10.0, [1e-3, 1e6], "Longest way of a reflected ray."),
        number("thickness_m", 0.25, [1e-4, 1e6], "Assumed thickness of surfaces."),
        whole("steps", 64, [1, 1024], "Places of a ray, with `march = \"steps\"`."),
        number("rim", 0.1, [0.0, 1.0], "Width of the rim over which reflections fade, in heights of the picture."),
        number("roughness_max", 0.6, [0.01, 1.0], "Rougher surfaces reflect only the environment."),
        choice("march", "steps", &["steps", "texels"], "How rays are followed: `steps` misses what is thinner than a step, `texels` misses nothing and is slower."),
    ],
    identity: &[],
    stages: none,
    text: include_str!("ssr.wgsl"),
};
