//! Draw: the passes of a plan are recorded, submitted and looked at, and their outputs come back.

use super::adapter::RenderError;
use super::capture::{self, DrawCapture, PassCapture};
use super::frame::Frame;
use super::job::Capture;
use super::readback::{self, Pending};
use super::resources::poison;
use super::row::{Row, row_of};
use super::stretch::stretches;
use super::texels::Texels;
use crate::frame::{Draw, Life, Output, Pass, TargetId};

/// Outputs on their way back.
#[derive(Debug)]
pub struct Drawing {
    pending: Vec<Pending>,
    captures: Vec<PassCapture>,
}

/// Texels of the outputs and figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// As planned.
    pub outputs: Vec<(Output, Texels)>,
    pub draws: u32,
    pub triangles: u64,
    pub pipelines: u32,
    pub texture_bytes: u64,
    pub buffer_bytes: u64,
    /// Every pass in order, where they were looked at.
    pub captures: Vec<PassCapture>,
}

impl Drawn {
    /// The texels of an output.
    pub fn texels(&self, output: Output) -> &Texels {
        let found = self.outputs.iter().find(|(of, _)| *of == output);
        &found.expect("every output comes back").1
    }
}

/// Records and submits every pass of the plan, and the copies back. `rows` are those that the plan was made from.
/// `looks` hears when looking at a pass begins (`true`) and when drawing goes on.
pub fn draw(frame: &mut Frame<'_>, rows: &[Row], looks: &mut dyn FnMut(bool)) -> Result<Drawing, RenderError> {
    let (gpu, job, plan) = (frame.gpu, frame.job, &frame.prepared.plan);
    let begin = || gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut encoder = begin();
    let mut captures = Vec::new();
    for (index, pass) in plan.passes.iter().enumerate() {
        if job.memory.poison {
            for id in first_touched(frame, index) {
                poison(&gpu.queue, &mut encoder, &plan.targets[id.0], frame.stored(id));
            }
        }
        let count = pass.draws.iter().map(|draw| frame.count(draw)).sum();
        let stretches = stretches(job.capture, count);
        let mut draws = Vec::new();
        for stretch in &stretches {
            (row_of(rows, pass).record)(frame, &mut encoder, pass, stretch);
            if let Some(error) = frame.trouble.take() {
                return Err(error);
            }
            if job.capture == Capture::Off {
                continue;
            }
            let written = capture::record(&mut encoder, gpu, (plan, pass), |id| frame.stored(id));
            gpu.queue.submit([std::mem::replace(&mut encoder, begin()).finish()]);
            gpu.wait()?;
            looks(true);
            let (hash, texels) = written.take(gpu, job.capture == Capture::Draws && stretch.is_last())?;
            if job.capture == Capture::Draws {
                draws.extend(name_of_draw(frame, pass, stretch.draws.start, hash));
            }
            if stretch.is_last() {
                captures.push(PassCapture { name: pass.name.clone(), hash, draws: std::mem::take(&mut draws), texels });
            }
            looks(false);
        }
    }
    let copy =
        |output: &Output| readback::record_part(&gpu.device, &mut encoder, frame.stored(output.target), output.part);
    let pending = plan.outputs.iter().map(copy).collect();
    gpu.queue.submit([encoder.finish()]);
    gpu.wait()?;
    Ok(Drawing { pending, captures: with_kept(frame, captures) })
}

/// Targets that no pass before this one has touched.
fn first_touched(frame: &Frame<'_>, index: usize) -> Vec<TargetId> {
    let plan = &frame.prepared.plan;
    let begins = |id: TargetId| plan.lifetime(id).is_some_and(|(first, _)| first == index);
    let made_here = plan.used().filter(|(_, target)| target.life != Life::Earlier);
    made_here.map(|(id, _)| id).filter(|id| begins(*id)).collect()
}

/// Who the draw of this number is; `None` where a pass draws no items.
fn name_of_draw(frame: &Frame<'_>, pass: &Pass, index: usize, hash: blake3::Hash) -> Option<DrawCapture> {
    let mut at = 0;
    for draw in &pass.draws {
        let count = frame.count(draw);
        if index < at + count {
            return Some(match draw {
                Draw::Screen(name) | Draw::Grid(name) => {
                    let pipeline = name.to_string();
                    DrawCapture { hash, node: pipeline.clone(), material: String::new(), pipeline }
                }
                Draw::List(id) => {
                    let batch = &frame.list(*id)[index - at];
                    let entries = batch.first as usize..(batch.first + batch.count) as usize;
                    let ids: Vec<u32> =
                        frame.prepared.objects.uniforms[entries].iter().map(|uniform| uniform.id).collect();
                    let camera = frame.prepared.plan.camera(pass.view.expect("items are seen from somewhere"));
                    capture::named(batch, &ids, frame.job.looks[camera.0].shot, frame.job.store, hash)
                }
            });
        }
        at += count;
    }
    None
}

/// Passes whose results outlast the picture run once for all that can use them; for the others they count as they were.
fn with_kept(frame: &mut Frame<'_>, captures: Vec<PassCapture>) -> Vec<PassCapture> {
    if captures.is_empty() {
        return captures;
    }
    let plan = &frame.prepared.plan;
    let kept = &mut frame.uploads.kept.captures;
    let is_used = |id: TargetId| plan.places[id.0].is_some() && plan.targets[id.0].life == Life::Earlier;
    let earlier = plan.culled.iter().filter(|pass| plan.left_by(pass).is_some_and(is_used));
    let found = earlier.filter_map(|pass| kept.iter().find(|capture| capture.name == pass.name).map(|own| (pass, own)));
    let found: Vec<_> = found.map(|(pass, capture)| (pass.number, capture.clone())).collect();
    let ran: Vec<_> = plan.passes.iter().map(|pass| pass.number).zip(captures).collect();
    kept.retain(|capture| !plan.passes.iter().any(|pass| capture.name == pass.name));
    let lasting = ran.iter().zip(&plan.passes).filter(|(_, pass)| plan.lasts(pass));
    kept.extend(lasting.map(|((_, capture), _)| capture.clone()));
    let mut all = [found, ran].concat();
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, capture)| capture).collect()
}

impl Drawing {
    /// The texels of the outputs.
    pub fn read(self, frame: &Frame<'_>) -> Result<Drawn, RenderError> {
        let plan = &frame.prepared.plan;
        let mut drawn = figures(frame);
        drawn.captures = self.captures;
        for (output, pending) in plan.outputs.iter().zip(self.pending) {
            let target = &plan.targets[output.target.0];
            let [width_px, height_px] = target.part_size(output.part);
            let format = target.format.expect("layers are textures");
            let texels = Texels { format, width_px, height_px, bytes: pending.take(frame.gpu)? };
            drawn.outputs.push((*output, texels));
        }
        Ok(drawn)
    }
}

fn figures(frame: &Frame<'_>) -> Drawn {
    let uploads = &frame.uploads;
    let surroundings = uploads.kept.surroundings.as_ref();
    let mut drawn = Drawn {
        pipelines: frame.pipeline_count(),
        texture_bytes: uploads.materials.textures.bytes + surroundings.map_or(0, |around| around.texture_bytes),
        buffer_bytes: frame.buffer_bytes,
        ..Drawn::default()
    };
    for batch in frame.prepared.plan.drawn().flat_map(|id| frame.list(id)) {
        drawn.draws += 1;
        let triangles = uploads.geometries[&batch.geometry].index_count / 3;
        drawn.triangles += u64::from(batch.count) * u64::from(triangles);
    }
    drawn
}
