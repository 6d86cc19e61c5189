//! Scene: opaque items, the background, blended items, and the resolve.

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
use crate::frame::{Draw, Format, How, Items, List, Part, Pass, Planner, Target, Use, ViewId};
use crate::material::Variant;
use crate::scene::Background;
use crate::shader;

pub const ROW: Row = Row { name: "scene", declare: Declare::EachCamera(declare), record, texts };

/// Light, exposed, premultiplied; also the name of its layer.
pub const LINEAR: &str = "linear";
const SAMPLES: &str = "samples";
const DEPTH: &str = "depth";
const BACKGROUND: &str = "background";

fn declare(wish: &Wish<'_>, view: ViewId, planner: &mut Planner) {
    let switches = wish.lit[view.0].switches;
    let mut uses = Vec::new();
    if switches.environment {
        uses.extend(planner.sampled(None, &[RADIANCE, SPECULAR]));
    }
    uses.extend(planner.sampled(Some(view), &[SUN_MAPS, LOCAL_MAPS]));
    let samples = planner.view(view).samples;
    let mut attach = |name, format, samples, how| {
        let target = planner.add_flat(view, Target { samples, ..Target::texture(name, format, [0; 2]) });
        uses.push(Use { target, part: Part::WHOLE, how });
        target
    };
    let scratch = How::Attach { clear: true, keep: false };
    // Nothing is there yet: no light, no coverage.
    let linear = match samples {
        1 => attach(LINEAR, Format::Rgba16Float, 1, How::Attach { clear: true, keep: true }),
        _ => {
            attach(SAMPLES, Format::Rgba16Float, samples, scratch);
            attach(LINEAR, Format::Rgba16Float, 1, How::Resolve)
        }
    };
    attach(DEPTH, Format::Depth32Float, samples, scratch);
    planner.layer(LINEAR.to_string(), linear, Part::WHOLE);
    let mut draws = Vec::new();
    if samples > 1 {
        // Depth first: what is shaded then is seen, and at a sample that is seen. The pixel's centre may lie behind
        // something that covers a part of the pixel.
        draws.push(planner.list(List { view, items: Items::Opaque, variant: Variant::Depth }));
    }
    draws.push(planner.list(List { view, items: Items::Opaque, variant: Variant::Lit }));
    if is_around_seen(wish.job, view) && wish.around.is_some() {
        draws.push(Draw::Screen(BACKGROUND));
    }
    draws.push(planner.list(List { view, items: Items::Blended, variant: Variant::Lit }));
    planner.pass(ROW.name.to_string(), Some(view), uses, draws);
}

fn is_around_seen(job: &Job<'_>, view: ViewId) -> bool {
    job.looks[view.0].output.background == Background::Environment
}

fn texts(_: &Job<'_>, prepared: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    let shows_around = pass.draws.contains(&Draw::Screen(BACKGROUND));
    let around = prepared.around.as_ref().filter(|_| shows_around);
    around.map(|around| (BACKGROUND.to_string(), shader::background(around.radiance))).into_iter().collect()
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
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
            format: frame.target(pass, LINEAR).format.expect("a texture"),
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
