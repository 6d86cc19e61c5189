//! Sights: what is seen at every point of pictures, drawn before the maps of their lights are fitted.
//!
//! In: a job. Out: [`Sights`] of each of its looks that has a light fitted to them. Nothing is drawn where none has.

use glam::{Mat4, Vec3, Vec4};
use stillframe_base::par::Pool;

use super::adapter::{Gpu, RenderError};
use super::draw::draw;
use super::frame::{Frame, view_uniform};
use super::job::{Capture, Job, Look, Memory};
use super::pass::ROWS;
use super::pass::seen::{SIGHTS, points};
use super::prepare::prepare;
use super::uploads::Uploads;
use crate::frame::ViewId;
use crate::light::{Sights, is_by_sight};

/// By look; empty where no light of the job is fitted so.
///
/// Errors: the device is lost, or out of memory.
pub fn sights(
    gpu: &Gpu,
    job: &Job<'_>,
    uploads: &mut Uploads,
    pool: &Pool,
) -> Result<Vec<Option<Sights>>, RenderError> {
    if !job.looks.iter().any(|look| look.shot.lights.iter().any(is_by_sight)) {
        return Ok(Vec::new());
    }
    // Nothing that is kept of the environment is lost.
    let kept = std::mem::take(&mut uploads.kept);
    let made = sights_apart(gpu, job, uploads, pool);
    uploads.kept = kept;
    made
}

fn sights_apart(
    gpu: &Gpu,
    job: &Job<'_>,
    uploads: &mut Uploads,
    pool: &Pool,
) -> Result<Vec<Option<Sights>>, RenderError> {
    let names = |look: &Look<'_>| -> Vec<String> {
        if !look.shot.lights.iter().any(is_by_sight) {
            return Vec::new();
        }
        (0..points(look.output).len()).map(|number| format!("{SIGHTS}.{number}")).collect()
    };
    let layers: Vec<Vec<String>> = job.looks.iter().map(names).collect();
    let looks = job.looks.iter().zip(&layers).map(|(look, layers)| Look { layers, sums: None, ..*look });
    let looks: Vec<Look<'_>> = looks.collect();
    let job = Job { looks: &looks, probes: None, capture: Capture::Off, memory: Memory::default(), ..*job };
    let prepared = prepare(&job, ROWS, &gpu.caps, uploads).expect("depth alone fits where the picture does");
    let mut frame = Frame::load(gpu, &job, &prepared, uploads, pool)?;
    let drawn = draw(&mut frame, ROWS, &mut |_| ())?.read(&frame)?;
    let of_look = |(camera, layers): (usize, &Vec<String>)| {
        let mut sights = Sights::default();
        for name in layers {
            let output = prepared.plan.layer(ViewId(camera), name).expect("it was planned");
            let view = prepared.plan.targets[output.target.0].view.expect("it is a view's");
            let uniform = view_uniform(&job, &prepared, frame.fault(), view);
            let texels = drawn.texels(output);
            let depths: Vec<f32> = bytemuck::pod_collect_to_vec(&texels.bytes);
            unproject(uniform.world_from_clip(), texels.width_px, &depths, &mut sights.points);
        }
        (!layers.is_empty()).then_some(sights)
    };
    Ok(layers.iter().enumerate().map(of_look).collect())
}

/// Places of depths at pixels' centres; where nothing is, depth is 0.
fn unproject(world_from_clip: Mat4, width_px: u32, depths: &[f32], out: &mut Vec<Vec3>) {
    let width = width_px as usize;
    let size = [width as f32, (depths.len() / width) as f32];
    for (pixel, &depth) in depths.iter().enumerate().filter(|(_, depth)| **depth > 0.0) {
        let [x, y] = [pixel % width, pixel / width].map(|at| at as f32 + 0.5);
        let ndc = Vec4::new(x / size[0] * 2.0 - 1.0, 1.0 - y / size[1] * 2.0, depth, 1.0);
        let point = world_from_clip * ndc;
        out.push(point.truncate() / point.w);
    }
}
