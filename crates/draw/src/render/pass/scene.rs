//! Scene: what a camera sees, by a method of lighting: opaque items, the background, blended items, and the resolve; or
//! sample by sample, and their mean.

use super::super::bind::{FRAGMENT, UNIFORM, filled, group};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::pipeline::light_entries;
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::shaders::Screen;
use super::super::sky::Around;
use super::super::stretch::Stretch;
use super::drawing::{BACKGROUND, Drawing, Picture, SCENE};
use super::lights::{light_group, light_group_of};
use super::{accumulate, mean, method};
use crate::frame::{Draw, Format, How, Part, Pass, Planner, Target, TargetId, Use, ViewId};
use crate::material::Switches;
use crate::shader;

pub const ROW: Row = Row { name: SCENE, declare: Declare::EachCamera(declare), record, texts };

/// Light, exposed, premultiplied.
pub const LINEAR: &str = "linear";
/// The same in 32-bit floats, for pictures that keep them.
pub const LINEAR_FLOAT: &str = "linear_float";
const SAMPLES: &str = "samples";
const SAMPLES_FLOAT: &str = "samples_float";
const DEPTH: &str = "depth";
const DEPTH_FLOAT: &str = "depth_float";
/// What becomes of an attachment that only the pass itself needs.
const SCRATCH: How = How::Attach { clear: true, keep: false };
/// Nothing is there yet: no light, no coverage.
const DRAWN: How = How::Attach { clear: true, keep: true };

fn declare(wish: &Wish<'_>, view: ViewId, planner: &mut Planner) {
    let output = wish.job.looks[view.0].output;
    let method = wish.job.options.lighting;
    let float = if wish.caps.draws_f32 { Format::Rgba32Float } else { Format::Rgba16Float };
    if wish.job.looks[view.0].sums.is_some() {
        let linear = mean::declare(planner, view, Target::texture(LINEAR_FLOAT, float, [0; 2]));
        planner.layer(LINEAR.to_string(), linear, Part::WHOLE);
        return;
    }
    if wish.lit[view.0].is_by_sample(output) {
        let into = Target::texture(LINEAR_FLOAT, Format::Rgba32Float, [0; 2]);
        let each = |planner: &mut Planner, number, sample_view, color| {
            let picture = Picture { suffix: "", colors: vec![whole((color, DRAWN))], depth: DEPTH };
            let (number, pictures) = (Some(number), vec![picture]);
            method::declare(method, &Drawing { wish, camera: view, view: sample_view, number, pictures }, planner);
        };
        let linear = accumulate::declare((planner, view), output.samples, (into, float), each);
        planner.layer(LINEAR.to_string(), linear, Part::WHOLE);
        return;
    }
    // Only what is asked for is drawn: pictures in halves do not depend on whether others are in floats.
    let half = ("", Format::Rgba16Float, [LINEAR, SAMPLES, DEPTH]);
    let float = (" float", float, [LINEAR_FLOAT, SAMPLES_FLOAT, DEPTH_FLOAT]);
    let pictures = [half, float].map(|(suffix, format, [linear, samples, depth])| {
        let count = planner.view(view).samples;
        let mut colors = Vec::new();
        let mut attach = |name, format, samples, how| {
            let target = planner.add_flat(view, Target { samples, ..Target::texture(name, format, [0; 2]) });
            colors.push(whole((target, how)));
            target
        };
        let picture = match count {
            1 => attach(linear, format, 1, DRAWN),
            _ => {
                attach(samples, format, count, SCRATCH);
                attach(linear, format, 1, How::Resolve)
            }
        };
        if linear == LINEAR_FLOAT {
            planner.layer(LINEAR.to_string(), picture, Part::WHOLE);
        }
        Picture { suffix, colors, depth }
    });
    let drawing = Drawing { wish, camera: view, view, number: None, pictures: pictures.to_vec() };
    method::declare(method, &drawing, planner);
}

fn whole((target, how): (TargetId, How)) -> Use {
    Use { target, part: Part::WHOLE, how }
}

fn texts(_: &Job<'_>, prepared: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    let shows_around = pass.draws.contains(&Draw::Screen(BACKGROUND));
    let around = prepared.around.as_ref().filter(|_| shows_around);
    around.map(|around| (BACKGROUND.to_string(), background(around))).into_iter().collect()
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
            (Draw::Screen(_) | Draw::Grid(_), _) => {}
        }
        at += frame.count(draw);
    }
}

fn background(around: &Around) -> String {
    if around.blur > 0.0 { shader::background_blurred() } else { shader::background(around.radiance) }
}

/// What draws the environment behind everything.
struct Backdrop {
    pipeline: wgpu::RenderPipeline,
    /// Group 1: what it is drawn from.
    shown: wgpu::BindGroup,
    group: wgpu::BindGroup,
}

impl Backdrop {
    fn new(frame: &mut Frame<'_>, pass: &Pass) -> Backdrop {
        let surroundings = frame.surroundings();
        let around = &surroundings.around;
        let (numbers, shown_layout, shown) = if around.blur > 0.0 {
            let switches = Switches { environment: true, ..Switches::default() };
            let shown = light_group_of(frame, pass, switches, &[]).expect("it reads the environment");
            ([around.blur, 0.0, 0.0, 0.0], frame.layout("lights", &light_entries(switches)), shown)
        } else {
            let turn = [around.turn[0], around.turn[1], around.intensity, 0.0];
            (turn, surroundings.source_layout.clone(), surroundings.source_group.clone())
        };
        let uniform = filled(frame.device(), "backdrop", wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&numbers));
        let layout = frame.layout("backdrop", &[(0, FRAGMENT, UNIFORM)]);
        let group = group(frame.device(), "backdrop", &layout, &[(0, uniform.as_entire_binding())]);
        let view_layout = frame.view_layout();
        let pipeline = frame.screen(Screen {
            name: BACKGROUND,
            text: background(around),
            fragment: BACKGROUND,
            groups: &[&view_layout, &shown_layout, &layout],
            formats: frame.prepared.plan.colors(pass),
            samples: frame.prepared.plan.samples(pass),
            behind: true,
            over: false,
        });
        Backdrop { pipeline, shown, group }
    }

    fn draw(&self, render: &mut wgpu::RenderPass<'_>) {
        render.set_pipeline(&self.pipeline);
        render.set_bind_group(1, &self.shown, &[]);
        render.set_bind_group(2, &self.group, &[]);
        render.draw(0..3, 0..1);
    }
}
