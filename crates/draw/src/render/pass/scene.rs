//! Scene: opaque items, the background, blended items, and the resolve; or sample by sample, and their mean.

use super::super::bind::{FRAGMENT, UNIFORM, filled, group};
use super::super::frame::Frame;
use super::super::job::Job;

use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::shaders::Screen;
use super::super::stretch::Stretch;
use super::accumulate;
use super::lights::light_group;
use super::radiance::RADIANCE;
use super::shadow::{LOCAL_MAPS, SUN_MAPS};
use super::specular::SPECULAR;
use super::through::{self, Over};
use crate::frame::{Draw, Format, How, Items, List, Part, Pass, Planner, Target, TargetId, Use, ViewId};
use crate::material::{Switches, Variant};
use crate::scene::{Background, Shading, Transparency};
use crate::shader;

pub const ROW: Row = Row { name: "scene", declare: Declare::EachCamera(declare), record, texts };

/// Light, exposed, premultiplied.
pub const LINEAR: &str = "linear";
/// The same in 32-bit floats, for pictures that keep them.
pub const LINEAR_FLOAT: &str = "linear_float";
const SAMPLES: &str = "samples";
const SAMPLES_FLOAT: &str = "samples_float";
const DEPTH: &str = "depth";
const DEPTH_FLOAT: &str = "depth_float";
const BACKGROUND: &str = "background";
/// What becomes of an attachment that only the pass itself needs.
const SCRATCH: How = How::Attach { clear: true, keep: false };
/// Nothing is there yet: no light, no coverage.
const DRAWN: How = How::Attach { clear: true, keep: true };

fn declare(wish: &Wish<'_>, view: ViewId, planner: &mut Planner) {
    let output = wish.job.looks[view.0].output;
    let float = if wish.caps.draws_f32 { Format::Rgba32Float } else { Format::Rgba16Float };
    let (reads, draws) = (reads(wish.lit[view.0].switches, view, planner), draws(wish, view, planner));
    let options = wish.job.options;
    let (is_sorted, sums) = (options.transparency == Transparency::Sorted, float);
    let of_depth = if is_sorted { SCRATCH } else { DRAWN };
    if output.shading() == Shading::Sample {
        let into = Target::texture(LINEAR_FLOAT, Format::Rgba32Float, [0; 2]);
        let each = |planner: &mut Planner, number, sample_view, color| {
            let depth = planner.add_flat(sample_view, Target::texture(DEPTH, Format::Depth32Float, [0; 2]));
            let written = [(color, DRAWN), (depth, of_depth)].map(whole);
            let uses = reads.iter().copied().chain(written).collect();
            planner.pass(format!("{} {number}", ROW.name), Some(sample_view), uses, draws.clone());
            let over = Over { view: sample_view, color, depth, format: float, number: 0 };
            through::declare(planner, options, over, &reads, &format!(" {number}"));
        };
        let linear = accumulate::declare((planner, view), output.samples, (into, float), each);
        planner.layer(LINEAR.to_string(), linear, Part::WHOLE);
        return;
    }
    // Only what is asked for is drawn: pictures in halves do not depend on whether others are in floats.
    let half = ("scene", Format::Rgba16Float, [LINEAR, SAMPLES, DEPTH]);
    let float = ("scene float", float, [LINEAR_FLOAT, SAMPLES_FLOAT, DEPTH_FLOAT]);
    for (number, (name, format, [linear, samples, depth])) in [half, float].into_iter().enumerate() {
        let mut uses = reads.clone();
        let count = planner.view(view).samples;
        let mut attach = |name, format, samples, how| {
            let target = planner.add_flat(view, Target { samples, ..Target::texture(name, format, [0; 2]) });
            uses.push(whole((target, how)));
            target
        };
        let picture = match count {
            1 => attach(linear, format, 1, DRAWN),
            _ => {
                attach(samples, format, count, SCRATCH);
                attach(linear, format, 1, How::Resolve)
            }
        };
        let depth = attach(depth, Format::Depth32Float, count, of_depth);
        if linear == LINEAR_FLOAT {
            planner.layer(LINEAR.to_string(), picture, Part::WHOLE);
        }
        planner.pass(name.to_string(), Some(view), uses, draws.clone());
        let over = Over { view, color: picture, depth, format: sums, number };
        through::declare(planner, options, over, &reads, if number == 0 { "" } else { " float" });
    }
}

fn whole((target, how): (TargetId, How)) -> Use {
    Use { target, part: Part::WHOLE, how }
}

/// What lights the items.
pub fn reads(switches: Switches, view: ViewId, planner: &Planner) -> Vec<Use> {
    let mut uses = Vec::new();
    if switches.environment {
        uses.extend(planner.sampled(None, &[RADIANCE, SPECULAR]));
    }
    if switches.shadows {
        uses.extend(planner.sampled(Some(view), &[SUN_MAPS, LOCAL_MAPS]));
    }
    uses
}

fn draws(wish: &Wish<'_>, view: ViewId, planner: &mut Planner) -> Vec<Draw> {
    let mut draws = Vec::new();
    if planner.view(view).samples > 1 {
        // Depth first: what is shaded then is seen, and at a sample that is seen. The pixel's centre may lie behind
        // something that covers a part of the pixel.
        draws.push(planner.list(List { view, items: Items::Opaque, variant: Variant::Depth }));
    }
    draws.push(planner.list(List { view, items: Items::Opaque, variant: Variant::Lit }));
    if is_around_seen(wish.job, view) && wish.around.is_some() {
        draws.push(Draw::Screen(BACKGROUND));
    }
    if wish.job.options.transparency == Transparency::Sorted {
        draws.push(planner.list(List { view, items: Items::Blended, variant: Variant::Lit }));
    }
    draws
}

fn is_around_seen(job: &Job<'_>, view: ViewId) -> bool {
    job.looks[view.0].output.background == Background::Environment
}

fn texts(_: &Job<'_>, prepared: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    if accumulate::is(pass) {
        return accumulate::texts();
    }
    if through::is(&prepared.plan, pass) {
        return through::texts(pass);
    }
    let shows_around = pass.draws.contains(&Draw::Screen(BACKGROUND));
    let around = prepared.around.as_ref().filter(|_| shows_around);
    around.map(|around| (BACKGROUND.to_string(), shader::background(around.radiance))).into_iter().collect()
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    if accumulate::is(pass) {
        accumulate::record(frame, encoder, pass, stretch);
        return;
    }
    if through::is(&frame.prepared.plan, pass) {
        through::record(frame, encoder, pass, stretch);
        return;
    }
    let lights = light_group(frame, pass);
    let shows_around = pass.draws.contains(&Draw::Screen(BACKGROUND));
    let backdrop = shows_around.then(|| Backdrop::new(frame, pass));
    let mut render = frame.begin(encoder, pass, stretch);
    if let Some(lights) = &lights {
        render.set_bind_group(1, lights, &[]);
    }
    let mut at = 0;
    for draw in &pass.draws {
        match (draw, &backdrop) {
            (Draw::List(id), _) => frame.draw(&mut render, (pass, stretch), *id, at),
            (Draw::Screen(_), Some(backdrop)) if stretch.holds(at) => {
                backdrop.draw(&mut render);
                if let Some(lights) = &lights {
                    render.set_bind_group(1, lights, &[]);
                }
            }
            (Draw::Screen(_), _) => {}
        }
        at += frame.count(draw);
    }
}

/// What draws the environment behind everything.
struct Backdrop {
    pipeline: wgpu::RenderPipeline,
    source_group: wgpu::BindGroup,
    group: wgpu::BindGroup,
}

impl Backdrop {
    fn new(frame: &mut Frame<'_>, pass: &Pass) -> Backdrop {
        let surroundings = frame.surroundings();
        let around = &surroundings.around;
        let turn = [around.turn[0], around.turn[1], around.intensity, 0.0];
        let uniform = filled(frame.device(), "backdrop", wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&turn));
        let layout = frame.layout("backdrop", &[(0, FRAGMENT, UNIFORM)]);
        let group = group(frame.device(), "backdrop", &layout, &[(0, uniform.as_entire_binding())]);
        let view_layout = frame.view_layout();
        let pipeline = frame.screen(Screen {
            name: BACKGROUND,
            text: shader::background(around.radiance),
            fragment: "background",
            groups: &[&view_layout, &surroundings.source_layout, &layout],
            format: frame.prepared.plan.colors(pass)[0],
            samples: frame.prepared.plan.samples(pass),
            behind: true,
            over: false,
        });
        Backdrop { pipeline, source_group: surroundings.source_group.clone(), group }
    }

    fn draw(&self, render: &mut wgpu::RenderPass<'_>) {
        render.set_pipeline(&self.pipeline);
        render.set_bind_group(1, &self.source_group, &[]);
        render.set_bind_group(2, &self.group, &[]);
        render.draw(0..3, 0..1);
    }
}
