//! Scene: opaque items, the background, blended items, and the resolve; or sample by sample, and their mean. Where
//! something shows what is behind it, it and blended items are drawn in a pass of their own.

use super::super::bind::{FRAGMENT, UNIFORM, filled, group};
use super::super::frame::Frame;
use super::super::job::Job;

use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::shaders::Screen;
use super::super::stretch::Stretch;
use super::lights::light_group;
use super::radiance::RADIANCE;
use super::shadow::{LOCAL_MAPS, SUN_MAPS};
use super::specular::SPECULAR;
use super::{accumulate, behind};
use crate::frame::{Draw, Format, How, Items, List, Part, Pass, Planner, Target, TargetId, Use, ViewId};
use crate::material::Variant;
use crate::scene::{Background, Shading};
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
/// What another pass has drawn is drawn over.
const KEPT: How = How::Attach { clear: false, keep: true };
/// The same, for the last time.
const LAST: How = How::Attach { clear: false, keep: false };
/// The pass of what shows what is behind it, and of what is blended.
const THROUGH: &str = "through";

fn declare(wish: &Wish<'_>, view: ViewId, planner: &mut Planner) {
    let output = wish.job.looks[view.0].output;
    let float = if wish.caps.draws_f32 { Format::Rgba32Float } else { Format::Rgba16Float };
    let reads = reads(wish, view, planner);
    let transmits = wish.lit[view.0].transmits;
    let (solid, clear) = draws(wish, view, planner);
    if output.shading() == Shading::Sample {
        let into = Target::texture(LINEAR_FLOAT, Format::Rgba32Float, [0; 2]);
        let each = |planner: &mut Planner, number, sample_view, color| {
            let depth = planner.add_flat(sample_view, Target::texture(DEPTH, Format::Depth32Float, [0; 2]));
            let kept = if transmits { DRAWN } else { SCRATCH };
            let written = [(color, DRAWN), (depth, kept)].map(whole);
            let uses = reads.iter().copied().chain(written).collect();
            planner.pass(format!("{} {number}", ROW.name), Some(sample_view), uses, solid.clone());
            if transmits {
                let label = format!("{} {number} level", behind::BEHIND[0]);
                let mut uses = behind::declare(planner, sample_view, behind::BEHIND[0], &label, color);
                uses.extend(reads.iter().copied().chain([(color, KEPT), (depth, LAST)].map(whole)));
                planner.pass(format!("{THROUGH} {number}"), Some(sample_view), uses, clear.clone());
            }
        };
        let linear = accumulate::declare((planner, view), output.samples, (into, float), each);
        planner.layer(LINEAR.to_string(), linear, Part::WHOLE);
        return;
    }
    // Only what is asked for is drawn: pictures in halves do not depend on whether others are in floats.
    let half = ("scene", THROUGH, Format::Rgba16Float, [LINEAR, SAMPLES, DEPTH], behind::BEHIND[0]);
    let float = ("scene float", "through float", float, [LINEAR_FLOAT, SAMPLES_FLOAT, DEPTH_FLOAT], behind::BEHIND[1]);
    for (name, through, format, [linear, samples, depth], levels) in [half, float] {
        let count = planner.view(view).samples;
        let mut add =
            |name, format, samples| planner.add_flat(view, Target { samples, ..Target::texture(name, format, [0; 2]) });
        // The picture, and the samples that it is the mean of.
        let (drawn, picture) = match count {
            1 => (None, add(linear, format, 1)),
            _ => (Some(add(samples, format, count)), add(linear, format, 1)),
        };
        let depth = add(depth, Format::Depth32Float, count);
        let attached = |color: How, depth_how: How, alone: How| match drawn {
            Some(samples) => vec![(samples, color), (picture, How::Resolve), (depth, depth_how)],
            None => vec![(picture, alone), (depth, depth_how)],
        };
        if linear == LINEAR_FLOAT {
            planner.layer(LINEAR.to_string(), picture, Part::WHOLE);
        }
        let with = |attached: Vec<(TargetId, How)>| reads.iter().copied().chain(attached.into_iter().map(whole));
        let first = if transmits { DRAWN } else { SCRATCH };
        planner.pass(name.to_string(), Some(view), with(attached(first, first, DRAWN)).collect(), solid.clone());
        if transmits {
            let label = format!("{levels} level");
            let mut uses = behind::declare(planner, view, levels, &label, picture);
            uses.extend(with(attached(LAST, LAST, KEPT)));
            planner.pass(through.to_string(), Some(view), uses, clear.clone());
        }
    }
}

fn whole((target, how): (TargetId, How)) -> Use {
    Use { target, part: Part::WHOLE, how }
}

/// What lights the items.
fn reads(wish: &Wish<'_>, view: ViewId, planner: &Planner) -> Vec<Use> {
    let mut uses = Vec::new();
    if wish.lit[view.0].switches.environment {
        uses.extend(planner.sampled(None, &[RADIANCE, SPECULAR]));
    }
    uses.extend(planner.sampled(Some(view), &[SUN_MAPS, LOCAL_MAPS]));
    uses
}

/// What is drawn first, and what is drawn when all of that is there to be seen through it.
fn draws(wish: &Wish<'_>, view: ViewId, planner: &mut Planner) -> (Vec<Draw>, Vec<Draw>) {
    let is_prepassed = planner.view(view).samples > 1;
    let mut items = |items: Items| {
        // Depth first: what is shaded then is seen, and at a sample that is seen. The pixel's centre may lie behind
        // something that covers a part of the pixel.
        let variants: &[Variant] = match is_prepassed && items != Items::Blended {
            true => &[Variant::Depth, Variant::Lit],
            false => &[Variant::Lit],
        };
        variants.iter().map(|variant| planner.list(List { view, items, variant: *variant })).collect::<Vec<Draw>>()
    };
    let around = (is_around_seen(wish.job, view) && wish.around.is_some()).then_some(Draw::Screen(BACKGROUND));
    if wish.lit[view.0].transmits {
        let solid = items(Items::Solid).into_iter().chain(around).collect();
        return (solid, [items(Items::Clear), items(Items::Blended)].concat());
    }
    let solid = items(Items::Opaque).into_iter().chain(around).chain(items(Items::Blended)).collect();
    (solid, Vec::new())
}

fn is_around_seen(job: &Job<'_>, view: ViewId) -> bool {
    job.looks[view.0].output.background == Background::Environment
}

fn texts(_: &Job<'_>, prepared: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    if accumulate::is(pass) {
        return accumulate::texts();
    }
    if behind::is(pass) {
        return behind::texts();
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
    if behind::is(pass) {
        behind::record(frame, encoder, pass, stretch);
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
