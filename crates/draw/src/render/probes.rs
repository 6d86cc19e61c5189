//! Probes: light from around that holds in boxes, as shaders read it.
//!
//! In: where probes are, and their cubes. Out: numbers for shaders. Never here: scene files, the choice of what a probe
//! sees, wgpu.

use glam::{Mat3, Vec3};

use super::ladder::Ladder;
use crate::scene::ProbeBounds;

/// Length of the array in `shader/probes.wgsl`.
const PROBES_MAX: usize = 16;
/// 4-byte words of `Probe` there, and of what is before the list.
const PROBE_WORDS: usize = 24;
const HEAD_WORDS: usize = 8;

/// Where a probe is and where its light holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbePlace {
    pub position: Vec3,
    /// Its axes in the world.
    pub axes: Mat3,
    /// `None`: everywhere.
    pub bounds: Option<ProbeBounds>,
    pub intensity: f32,
}

/// Probes of a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Probes {
    pub places: Vec<ProbePlace>,
    /// Width of a face of every radiance cube.
    pub cube_px: u32,
    /// By probe; empty where nothing is to be drawn.
    pub cubes: Vec<ProbeCubes>,
}

/// What a probe's light is read from: texels in half floats.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeCubes {
    /// Radiance that a texel of 1 stands for.
    pub scale: f32,
    pub radiance: Vec<u8>,
    /// By step of the ladder, as far as some surface can show it.
    pub steps: Vec<Vec<u8>>,
}

impl Probes {
    pub fn ladder(&self) -> Ladder {
        Ladder::new(self.cube_px)
    }

    /// Layers of the largest array of cubes.
    pub fn layers(&self) -> u32 {
        6 * self.ladder().step_cubes() * self.places.len() as u32
    }
}

/// `Probes` of `shader/probes.wgsl`.
pub fn words(probes: &Probes) -> Vec<u32> {
    let ladder = probes.ladder();
    let last = ladder.steps() - 1;
    let smoothest = Ladder::roughness(last) as f32;
    let count = probes.places.len() as u32;
    let mut out = vec![smoothest.to_bits(), last, ladder.levels() - 1, ladder.step_cubes(), count, 0, 0, 0];
    for (place, cubes) in probes.places.iter().zip(&probes.cubes) {
        out.extend(numbers(place, cubes.scale).map(f32::to_bits));
    }
    out.resize(HEAD_WORDS + PROBES_MAX * PROBE_WORDS, 0);
    out
}

fn numbers(place: &ProbePlace, scale: f32) -> [f32; PROBE_WORDS] {
    let ProbePlace { position, axes, bounds, intensity } = *place;
    let row = |axis: Vec3| axis.extend(-axis.dot(position));
    let (middle, half, form) = match bounds {
        None => ([0.0; 4], [0.0; 3], 0.0),
        Some(ProbeBounds { size_m, offset_m: [x, y, z], blend_m, parallax }) => {
            ([x, y, z, blend_m], size_m.map(|size| 0.5 * size), if parallax { 2.0 } else { 1.0 })
        }
    };
    let rows = [
        row(axes.x_axis).to_array(),
        row(axes.y_axis).to_array(),
        row(axes.z_axis).to_array(),
        middle,
        [half[0], half[1], half[2], scale * intensity],
        [form, 0.0, 0.0, 0.0],
    ];
    std::array::from_fn(|at| rows[at / 4][at % 4])
}
