//! Probe cubes: what is seen from a point, and light from around as texels that a later picture reads.
//!
//! In: six shots at one point, or a picture of what is around. Out: texels. Never here: where probes are. A probe's
//! picture becomes cubes as the environment's does, by a job without items; so there is one way from radiance to light.

use stillframe_base::math::pack::f32_from_f16;
use stillframe_base::par::Pool;

use super::adapter::{Gpu, RenderError};
use super::draw::draw;
use super::frame::Frame;
use super::job::{AroundImage, Capture, Colour, Job, Look, Memory, Post};
use super::pass::scene::LINEAR;
use super::pass::{ROWS, radiance, specular};
use super::prepare::{around_of, prepare};
use super::probes::ProbeCubes;
use super::texels::Texels;
use super::uploads::Uploads;
use crate::asset::{self, Image};
use crate::frame::{Format, ViewId};
use crate::scene::{Background, Environment, EnvironmentSource, Output, RenderOptions};
use crate::view::Shot;

/// What is seen from one point in all directions: the six faces of a cube, one below the other. `shots` are what
/// [`crate::view::cube_cameras`] see. Lights and the environment light it, probes do not.
///
/// Errors: the device is lost, or out of memory.
pub fn capture_cube(
    gpu: &Gpu,
    job: &Job<'_>,
    (shots, size_px): (&[Shot; 6], u32),
    uploads: &mut Uploads,
    pool: &Pool,
) -> Result<Image, RenderError> {
    let output = Output {
        width_px: size_px,
        height_px: size_px,
        samples: 4,
        shading: None,
        exposure_ev: 0.0,
        background: Background::Environment,
        ..job.looks[0].output.clone()
    };
    let layers = [LINEAR.to_string()];
    let looks = shots.each_ref().map(|shot| Look {
        shot,
        output: &output,
        colour: Colour::Linear32,
        layers: &layers,
        shift_px: [0.0; 2],
        tile: None,
        sums: None,
        sights: None,
        post: Post::default(),
    });
    let environment = Environment { blur: 0.0, ..job.environment.clone() };
    let job = Job { looks: &looks, environment: &environment, ..apart(job) };
    let prepared = prepare(&job, ROWS, &gpu.caps, uploads).expect("a picture of these sizes fits every device");
    let mut frame = Frame::load(gpu, &job, &prepared, uploads, pool)?;
    let drawn = draw(&mut frame, ROWS, &mut |_| ())?.read(&frame)?;
    let faces = std::array::from_fn(|face| {
        let layer = prepared.plan.layer(ViewId(face), LINEAR).expect("it was planned");
        floats(drawn.texels(layer))
    });
    Ok(faces_of(&faces, size_px))
}

/// The same job without what is for its own pictures alone.
fn apart<'a>(job: &Job<'a>) -> Job<'a> {
    Job { probes: None, capture: Capture::Off, options: RenderOptions::default(), memory: Memory::default(), ..*job }
}

fn floats(texels: &Texels) -> Vec<f32> {
    match texels.format {
        Format::Rgba32Float => bytemuck::pod_collect_to_vec(&texels.bytes),
        _ => bytemuck::pod_collect_to_vec::<u8, u16>(&texels.bytes).into_iter().map(f32_from_f16).collect(),
    }
}

/// Faces from pictures in linear RGBA: a cube is seen from inside, so left and right are exchanged.
fn faces_of(pictures: &[Vec<f32>; 6], size_px: u32) -> Image {
    let row = 4 * size_px as usize;
    let mut texels = Vec::with_capacity(6 * row * size_px as usize);
    for picture in pictures {
        for line in picture.chunks_exact(row) {
            line.chunks_exact(4).rev().for_each(|texel| texels.extend([texel[0], texel[1], texel[2], 1.0]));
        }
    }
    let texels = asset::Texels::Rgba32Float(texels);
    Image { name: "faces".to_string(), width_px: size_px, height_px: 6 * size_px, texels, levels: Vec::new() }
}

/// The cubes of a picture of what is around, for surfaces of the job. Nothing that `uploads` keeps of the environment
/// is lost.
///
/// Errors: the device is lost.
pub fn probe_cubes(
    gpu: &Gpu,
    job: &Job<'_>,
    around: AroundImage<'_>,
    uploads: &mut Uploads,
    pool: &Pool,
) -> Result<ProbeCubes, RenderError> {
    let kept = std::mem::take(&mut uploads.kept);
    let made = cubes_apart(gpu, job, around, uploads, pool);
    uploads.kept = kept;
    made
}

fn cubes_apart(
    gpu: &Gpu,
    job: &Job<'_>,
    around: AroundImage<'_>,
    uploads: &mut Uploads,
    pool: &Pool,
) -> Result<ProbeCubes, RenderError> {
    // It is a background of any blur: then all steps are made that surfaces need.
    let environment =
        Environment { source: EnvironmentSource::File(Default::default()), blur: 1.0, ..Environment::NONE };
    let first = &job.looks[0];
    let shot = Shot {
        opaque: Vec::new(),
        blended: Vec::new(),
        casters: Vec::new(),
        veils: Vec::new(),
        lights: Vec::new(),
        functions: Vec::new(),
        ..first.shot.clone()
    };
    let output =
        Output { background: Background::Environment, width_px: 1, height_px: 1, samples: 1, ..first.output.clone() };
    let alone = Job { environment: &environment, environment_map: Some(around), ..apart(job) };
    let look = |layers| Look {
        shot: &shot,
        output: &output,
        colour: Colour::Linear32,
        layers,
        shift_px: [0.0; 2],
        tile: None,
        sums: None,
        sights: None,
        post: Post::default(),
    };
    let sky = {
        let looks = [look(&[])];
        around_of(&Job { looks: &looks, ..alone }, &mut uploads.smoothest)
    };
    let sky = sky.expect("it is a picture");
    let mut layers = vec![format!("{}.0", radiance::RADIANCE)];
    layers.extend((0..sky.steps).map(|step| format!("{}.{step}", specular::SPECULAR)));
    let looks = [look(&layers)];
    let alone = Job { looks: &looks, ..alone };
    let prepared = prepare(&alone, ROWS, &gpu.caps, uploads).expect("cubes of these sizes fit every device");
    let mut frame = Frame::load(gpu, &alone, &prepared, uploads, pool)?;
    let drawn = draw(&mut frame, ROWS, &mut |_| ())?.read(&frame)?;
    let mut texels = layers.iter().map(|name| {
        let layer = prepared.plan.layer(ViewId(0), name).expect("it was planned");
        drawn.texels(layer).bytes.clone()
    });
    let radiance = texels.next().expect("the first layer");
    Ok(ProbeCubes { scale: sky.cube_scale, radiance, steps: texels.collect() })
}
