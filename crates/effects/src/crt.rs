//! `kind = "crt"`.

use super::row::{Effect, Reach, Space, choice, number, one, pair, whole};

pub const ROW: Effect = Effect {
    name: "crt",
    doc: "A picture tube: a curved screen, beams that are wider where they are brighter, and a mask of red, green and blue.",
    formula: "a point p, -1 to 1, shows what is at p (1 + `curvature` q^2), q the other coordinate; of the two nearest lines each gives its light c times exp(-d^2 / (2 w^2)), d the distance in lines, w from `widths` by the root of c, mixed with the picture by `beam`; the mask leaves 1 - `mask` of the other two colours; times `gain`",
    source: "",
    space: Space::Ldr,
    reach: Reach::Others,
    params: &[
        number("curvature", 0.08, [0.0, 1.0], "How far corners bend inwards."),
        number("corner", 0.06, [0.0, 0.5], "Radius of the corners, as a share of the height."),
        number("beam", 1.0, [0.0, 1.0], "How much of the lines is seen."),
        number("pitch_px", 4.0, [2.0, 256.0], "Distance of lines."),
        pair(
            "widths",
            &[0.2, 0.45],
            [0.01, 2.0],
            "Deviations of black and of white lines, as shares of their distance.",
        ),
        number("mask", 0.3, [0.0, 1.0], "How much of the mask is seen."),
        choice("mask_shape", "aperture", &["aperture", "slot"], "Columns, or columns with bridges across them."),
        whole("mask_px", 3, [3, 256], "Width of three columns."),
        number("gain", 1.0, [0.0, 4.0], "Makes up for the light that lines and mask take."),
    ],
    identity: &[("curvature", 0.0), ("corner", 0.0), ("beam", 0.0), ("mask", 0.0), ("gain", 1.0)],
    stages: one,
    text: include_str!("crt.wgsl"),
};
