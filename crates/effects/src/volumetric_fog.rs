//! `kind = "volumetric_fog"`.

use super::Values;
use super::row::{Effect, Reach, Read, Space, Stage, color, number, whole};

pub const ROW: Effect = Effect {
    name: "volumetric_fog",
    doc: "Fog that the scene's lights shine into: shafts, glowing cones and halos. Lights reach it with their shadows and lose nothing on their way to it. Distance is that of opaque surfaces: what is blended has the fog of what is behind it. Shadow maps then also hold the air up to `far_m`, so large values make shadows coarser.",
    formula: "T picture + the integral along the ray of T s `albedo` (the sum of E p over the lights + `ambient`), with extinction s = `density_per_m` exp(-`falloff_per_m` (y - `base_m`)), transmittance T = exp(-the integral of s), phase p = (1 - g^2) / (4 pi (1 + g^2 - 2 g c)^1.5) of the cosine c to where light goes on; exact within slices of froxels, whose depths grow from 1 to 32",
    source: "Wronski 2014; Hillaire 2015; phase: Henyey, Greenstein 1941",
    space: Space::Hdr,
    reach: Reach::Others,
    params: &[
        number("density_per_m", 0.05, [0.0, 1e3], "Light that is lost for each metre: extinction."),
        number("falloff_per_m", 0.0, [0.0, 1e3], "How fast fog thins upwards. 0: it does not."),
        number("base_m", 0.0, [-1e6, 1e6], "Height at which it has its density."),
        color("albedo", &[1.0, 1.0, 1.0], 1.0, "Share of the lost light that is scattered."),
        number(
            "anisotropy",
            0.3,
            [-0.95, 0.95],
            "Where light is scattered to: above 0 forwards, so that fog shines before a light; below 0 backwards.",
        ),
        color("ambient", &[0.0, 0.0, 0.0], 1e4, "Light from everywhere, exposed."),
        number("far_m", 64.0, [0.1, 1e5], "Depth of the last froxels. Farther there is no fog."),
        number("background", 1.0, [0.0, 1.0], "How much fog is before what is around."),
        whole("columns", 160, [8, 320], "Froxels across the picture, at most one for each pixel."),
        whole("slices", 64, [8, 128], "Froxels along the view axis."),
        whole("points", 2, [1, 16], "Points of a froxel at which lights are asked."),
    ],
    identity: &[("density_per_m", 0.0)],
    stages: froxels,
    text: include_str!("volumetric_fog.wgsl"),
};

/// Most froxels down a picture that is higher than it is wide.
const ROWS_MAX: u32 = 320;

/// Froxels, slice beside slice in one picture; the same without patterns; sums within rows of slices; sums from the
/// eye; the picture.
fn froxels(values: &Values, [width_px, height_px]: [u32; 2]) -> Vec<Stage> {
    let across_picture = (values.number("columns") as u32).min(width_px).max(1);
    let down_picture = (across_picture * height_px / width_px.max(1)).clamp(1, ROWS_MAX);
    // One more on every side: what pixels see lies between froxels.
    let [columns, rows] = [across_picture, down_picture].map(|count| count + 2);
    let slices = values.number("slices") as u32;
    // Nearly a square: both sums have few terms then.
    let across = (1..).find(|across| across * across >= slices).unwrap_or(slices);
    let size_px = Some([columns * across, rows * slices.div_ceil(across)]);
    let mut data = [[0.0; 4]; 4];
    data[0] = [columns, rows, slices, across].map(|count| count as f32);
    let stage = |function, reads| Stage { function, reads, halvings: 0, size_px, data };
    vec![
        stage("scatter", vec![Read::Depth, Read::Lights]),
        stage("evened", vec![Read::Stage(0)]),
        stage("within", vec![Read::Stage(1)]),
        stage("integrate", vec![Read::Stage(2)]),
        Stage { size_px: None, ..stage("apply", vec![Read::Input, Read::Depth, Read::Stage(1), Read::Stage(3)]) },
    ]
}
