//! Blending: blended surfaces that are put together for each pixel, and laid over the opaque picture.
//!
//! A drawing declares these passes behind its own, where surfaces are not simply drawn from far to near.
//! Sources: McGuire, Bavoil 2013 (weights); Everitt 2001 (peeling).

use super::super::bind::{TEXTURE_FACES, TEXTURE_RAW};
use super::super::cover::{Cover, cover};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::lists;
use super::super::pipeline::PEEL_ENTRIES;
use super::super::prepared::Prepared;
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use super::lights::light_group;
use crate::frame::{Draw, Format, How, Items, List, Part, Pass, Plan, Planner, Target, TargetId, Use, ViewId};
use crate::material::{Blending, Variant};
use crate::scene::{RenderOptions, Transparency};
use crate::shader;

/// Surfaces, before they are put together.
pub const ITEMS: Row = Row { name: "blending", declare: Declare::ByOthers, record, texts: no_texts };
/// Lays them over the picture.
pub const PUT: Row = Row { name: "put blended", declare: Declare::ByOthers, record: put, texts };

const WEIGHTED: &str = "put weighted";
const PEELED: &str = "put peeled";
/// By the pass's number: pictures in halves and in floats have targets of their own.
const SUM: [&str; 2] = ["weighted_sum", "weighted_sum_float"];
const COVER: [&str; 2] = ["weighted_cover", "weighted_cover_float"];
const PEELS: [&str; 2] = ["peels", "peels_float"];
const PEEL_DEPTH: [&str; 2] = ["peel_depth", "peel_depth_float"];

/// What the surfaces are laid over.
#[derive(Clone, Copy, Debug)]
pub struct Over {
    pub view: ViewId,
    pub color: TargetId,
    /// Of what is opaque.
    pub depth: TargetId,
    /// Of what is put together.
    pub format: Format,
    /// 1: the second picture of this view.
    pub number: usize,
}

/// Declares the passes. `reads`: what lights the items; `suffix`: behind the names of passes.
pub fn declare(planner: &mut Planner, options: RenderOptions, over: Over, reads: &[Use], suffix: &str) {
    let Over { view, color, depth, format, number } = over;
    let sample = |target, part| Use { target, part, how: How::Sample };
    let attach = |target, part, clear| Use { target, part, how: How::Attach { clear, keep: true } };
    let list = |planner: &mut Planner, how| {
        planner.list(List { view, items: Items::Blended, variant: Variant::Blending(how) })
    };
    let (name, mut put) = match options.transparency {
        Transparency::Sorted | Transparency::Exact => return,
        Transparency::Weighted => {
            let mut target = |name| planner.add_flat(view, Target::texture(name, format, [0; 2]));
            let sums = [target(SUM[number]), target(COVER[number])];
            let mut uses = reads.to_vec();
            uses.extend(sums.map(|sum| attach(sum, Part::WHOLE, true)));
            // What lies before opaque surfaces; nothing is written.
            uses.push(Use { target: depth, part: Part::WHOLE, how: How::Attach { clear: false, keep: false } });
            let items = list(planner, Blending::Weighted);
            planner.pass(ITEMS.name, format!("weighted{suffix}"), Some(view), uses, vec![items]);
            (WEIGHTED, sums.map(|sum| sample(sum, Part::WHOLE)).to_vec())
        }
        Transparency::Peel => {
            let layers = options.peels;
            let mut target =
                |name, format| planner.add_flat(view, Target { layers, ..Target::texture(name, format, [0; 2]) });
            let (peels, depths) = (target(PEELS[number], format), target(PEEL_DEPTH[number], Format::Depth32Float));
            for peel in 0..layers {
                let mut uses = reads.to_vec();
                uses.push(sample(depth, Part::WHOLE));
                if peel > 0 {
                    uses.push(sample(depths, Part::layer(peel - 1)));
                }
                uses.extend([peels, depths].map(|target| attach(target, Part::layer(peel), true)));
                let items = list(planner, if peel == 0 { Blending::Nearest } else { Blending::Peeled });
                planner.pass(ITEMS.name, format!("peel {peel}{suffix}"), Some(view), uses, vec![items]);
            }
            (PEELED, planner.whole(peels, How::Sample).collect())
        }
    };
    put.push(attach(color, Part::WHOLE, false));
    planner.pass(PUT.name, format!("{name}{suffix}"), Some(view), put, vec![Draw::Screen(name)]);
}

fn how(plan: &Plan, pass: &Pass) -> Option<Blending> {
    match pass.draws[..] {
        [Draw::List(id)] => plan.lists[id.0].variant.blending(),
        _ => None,
    }
}

fn texts(_: &Job<'_>, _: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    match pass.draws[..] {
        [Draw::Screen(WEIGHTED)] => vec![(WEIGHTED.to_string(), shader::put_weighted())],
        [Draw::Screen(PEELED)] => vec![(PEELED.to_string(), shader::put_peeled())],
        _ => Vec::new(),
    }
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let lights = light_group(frame, pass);
    // Depths are read behind all that lights the items: of opaque surfaces, and of the one that was peeled off last.
    let count = match how(&frame.prepared.plan, pass) {
        Some(Blending::Nearest) => 1,
        Some(Blending::Peeled) => 2,
        Some(Blending::Weighted | Blending::Counted | Blending::Listed) | None => 0,
    };
    let sampled: Vec<&Use> = pass.uses.iter().filter(|usage| usage.how == How::Sample).collect();
    let depths = &sampled[sampled.len() - count..];
    let views: Vec<wgpu::TextureView> = depths.iter().map(|usage| layer_view(frame, usage)).collect();
    let mut render = frame.begin(encoder, pass, stretch);
    if let (Some(opaque), Some(last)) = (views.first(), views.last()) {
        let resources = [(1, opaque), (2, last)].map(|(at, view)| (at, wgpu::BindingResource::TextureView(view)));
        frame.set_view_with(&mut render, pass, PEEL_ENTRIES, &resources);
    }
    if let Some(lights) = &lights {
        render.set_bind_group(1, lights, &[]);
    }
    lists::draw(frame, &mut render, pass, stretch);
}

/// One layer, as an array of one.
pub fn layer_view(frame: &Frame<'_>, usage: &Use) -> wgpu::TextureView {
    frame.texture_of(usage.target).create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        base_array_layer: usage.part.first_layer,
        array_layer_count: Some(1),
        ..Default::default()
    })
}

fn put(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let is_peeled = matches!(pass.draws[..], [Draw::Screen(PEELED)]);
    let (dimension, entry) = match is_peeled {
        true => (wgpu::TextureViewDimension::D2Array, TEXTURE_FACES),
        false => (wgpu::TextureViewDimension::D2, TEXTURE_RAW),
    };
    let reads: Vec<TargetId> = pass.reads().filter(|read| read.how == How::Sample).map(|read| read.target).collect();
    let view = |target: &TargetId| {
        let descriptor = wgpu::TextureViewDescriptor { dimension: Some(dimension), ..Default::default() };
        frame.texture_of(*target).create_view(&descriptor)
    };
    let views: Vec<wgpu::TextureView> = reads.iter().map(view).collect();
    let bound: Vec<_> =
        (0..).zip(&views).map(|(at, view)| (at, entry, wgpu::BindingResource::TextureView(view))).collect();
    let (name, text) = match is_peeled {
        true => (PEELED, shader::put_peeled()),
        false => (WEIGHTED, shader::put_weighted()),
    };
    cover(frame, encoder, (pass, stretch), Cover { name, text, fragment: "put", bound: &bound, over: true });
}
