//! Listed: all blended surfaces of each pixel as a list, put in order and laid over the opaque picture (Carpenter 1984;
//! Yang, Hensley, Gruen, Thibieroz 2010).
//!
//! They are counted first. Lists stand one after the other, so none can be too short, and what is in them does not
//! depend on who came first.

use super::super::adapter::RenderError;
use super::super::bind::{COMPUTE, STORAGE_READ, STORAGE_WRITE, UNIFORM, filled, group};
use super::super::cover::{Cover, cover};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::lists;
use super::super::pipeline::{COUNT_ENTRIES, LIST_ENTRIES};
use super::super::prepared::Prepared;
use super::super::readback::record_bytes;
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use super::blending::{Over, layer_view};
use super::lights::light_group;
use crate::frame::{Draw, How, Items, List, Part, Pass, Planner, Target, TargetId, Use};
use crate::material::{Blending, Variant};
use crate::shader;

pub const COUNT: Row = Row { name: "count", declare: Declare::ByOthers, record: count, texts: no_texts };
pub const STARTS: Row = Row { name: "list starts", declare: Declare::ByOthers, record: starts, texts: start_texts };
pub const FILL: Row = Row { name: "lists", declare: Declare::ByOthers, record: fill, texts: no_texts };
pub const PUT: Row = Row { name: "put listed", declare: Declare::ByOthers, record: put, texts: put_texts };

/// By the number of the picture: in halves, in floats.
const COUNTS: [&str; 2] = ["list_counts", "list_counts_float"];
const BEGINNINGS: [&str; 2] = ["list_starts", "list_starts_float"];
const GRID: &str = "list_starts";

/// Bytes of `Listed` of `shader/list_entry.wgsl`.
const LISTED_BYTES: u64 = 32;

/// Declares the passes. `reads`: what lights the items; `suffix`: behind the names of passes.
pub fn declare(planner: &mut Planner, over: Over, reads: &[Use], suffix: &str) {
    let Over { view, color, depth, number, .. } = over;
    let of = |target, how| Use { target, part: Part::WHOLE, how };
    let size = planner.view(view);
    let pixels = size.width_px * size.height_px;
    let mut buffer =
        |name, words: u32| planner.add_target(Target { view: Some(view), ..Target::buffer(name, 4 * words) });
    let (counts, starts) = (buffer(COUNTS[number], pixels), buffer(BEGINNINGS[number], pixels + 1));
    let list = |planner: &mut Planner, how| {
        planner.list(List { view, items: Items::Blended, variant: Variant::Blending(how) })
    };
    let opaque = [of(depth, How::Sample), of(depth, How::Test)];

    let uses = [&opaque[..], &[of(counts, How::CopyTo), of(counts, How::Storage)]].concat();
    let items = list(planner, Blending::Counted);
    planner.pass(COUNT.name, format!("{}{suffix}", COUNT.name), Some(view), uses, vec![items]);

    let uses = vec![of(counts, How::Sample), of(counts, How::Storage), of(starts, How::Storage)];
    let draws = vec![Draw::Grid(GRID)];
    planner.pass(STARTS.name, format!("{}{suffix}", STARTS.name), Some(view), uses, draws);

    let own = [of(starts, How::CopyFrom), of(starts, How::Sample), of(counts, How::Sample), of(counts, How::Storage)];
    let uses = [reads, &opaque, &own].concat();
    let items = list(planner, Blending::Listed);
    planner.pass(FILL.name, format!("{}{suffix}", FILL.name), Some(view), uses, vec![items]);

    let uses =
        vec![of(counts, How::Sample), of(starts, How::Sample), of(color, How::Attach { clear: false, keep: true })];
    let draws = vec![Draw::Screen(PUT.name)];
    planner.pass(PUT.name, format!("{}{suffix}", PUT.name), Some(view), uses, draws);
}

fn start_texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(GRID.to_string(), shader::list_starts())]
}

fn put_texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(PUT.name.to_string(), shader::put_listed())]
}

/// The buffer of a pass that has one of two names, and which target it is.
fn buffer(frame: &Frame<'_>, pass: &Pass, names: [&str; 2]) -> (TargetId, wgpu::Buffer) {
    let plan = &frame.prepared.plan;
    let used = pass.uses.iter().map(|usage| usage.target);
    let id = used.into_iter().find(|id| names.contains(&plan.targets[id.0].name)).expect("it was declared");
    (id, frame.buffer(pass, plan.targets[id.0].name))
}

/// The depth of what is opaque, for group 0.
fn opaque(frame: &Frame<'_>, pass: &Pass) -> wgpu::TextureView {
    let test = pass.uses.iter().find(|usage| usage.how == How::Test).expect("it tests against a depth");
    layer_view(frame, test)
}

fn count(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let (_, counts) = buffer(frame, pass, COUNTS);
    if stretch.is_first() {
        encoder.clear_buffer(&counts, 0, None);
    }
    let opaque = opaque(frame, pass);
    let mut render = frame.begin(encoder, pass, stretch);
    let resources = [(1, wgpu::BindingResource::TextureView(&opaque)), (2, counts.as_entire_binding())];
    frame.set_view_with(&mut render, pass, COUNT_ENTRIES, &resources);
    lists::draw(frame, &mut render, pass, stretch);
}

fn starts(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, _: &Stretch) {
    let [counts, starts] = [COUNTS, BEGINNINGS].map(|names| buffer(frame, pass, names).1);
    let layout = frame.layout(GRID, &[(0, COMPUTE, STORAGE_WRITE), (1, COMPUTE, STORAGE_WRITE)]);
    let resources = [(0, counts.as_entire_binding()), (1, starts.as_entire_binding())];
    let group = group(frame.device(), GRID, &layout, &resources);
    let pipeline = frame.grid(GRID, &shader::list_starts(), &layout);
    let mut grid = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    grid.set_pipeline(&pipeline);
    grid.set_bind_group(0, &group, &[]);
    grid.dispatch_workgroups(1, 1, 1);
}

/// A buffer as large as all lists together: what was recorded until now runs, and says how large that is.
///
/// Errors: more than a buffer can be.
fn room(
    frame: &Frame<'_>,
    encoder: &mut wgpu::CommandEncoder,
    starts: &wgpu::Buffer,
) -> Result<wgpu::Buffer, RenderError> {
    let gpu = frame.gpu;
    let begun = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let pending = record_bytes(&gpu.device, encoder, starts, starts.size() - 4..starts.size());
    gpu.queue.submit([std::mem::replace(encoder, begun).finish()]);
    gpu.wait()?;
    let last: [u8; 4] = pending.take(gpu)?.try_into().expect("four bytes");
    let size = LISTED_BYTES * u64::from(u32::from_le_bytes(last)).max(1);
    if size > gpu.caps.storage_bytes_max {
        return Err(RenderError::Memory(format!("lists of blended surfaces take {size} bytes")));
    }
    let usage = wgpu::BufferUsages::STORAGE;
    Ok(gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("lists"),
        size,
        usage,
        mapped_at_creation: false,
    }))
}

fn fill(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let ((_, counts), (id, starts)) = (buffer(frame, pass, COUNTS), buffer(frame, pass, BEGINNINGS));
    if stretch.is_first() {
        match room(frame, encoder, &starts) {
            Ok(lists) => _ = frame.lists.insert(id, lists),
            Err(error) => frame.trouble = Some(error),
        }
    }
    let Some(list) = frame.lists.get(&id).cloned() else { return };
    let (lights, opaque) = (light_group(frame, pass), opaque(frame, pass));
    let mut render = frame.begin(encoder, pass, stretch);
    let resources = [
        (1, wgpu::BindingResource::TextureView(&opaque)),
        (2, counts.as_entire_binding()),
        (3, starts.as_entire_binding()),
        (4, list.as_entire_binding()),
    ];
    frame.set_view_with(&mut render, pass, LIST_ENTRIES, &resources);
    if let Some(lights) = &lights {
        render.set_bind_group(1, lights, &[]);
    }
    lists::draw(frame, &mut render, pass, stretch);
}

fn put(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let ((_, counts), (id, starts)) = (buffer(frame, pass, COUNTS), buffer(frame, pass, BEGINNINGS));
    let Some(list) = frame.lists.get(&id).cloned() else { return };
    let width_px = frame.prepared.plan.views[pass.view.expect("it is a camera's").0].width_px;
    let width = bytemuck::cast_slice(&[width_px, 0, 0, 0]).to_vec();
    let width = filled(frame.device(), PUT.name, wgpu::BufferUsages::UNIFORM, &width);
    let bound = &[
        (0, STORAGE_READ, counts.as_entire_binding()),
        (1, STORAGE_READ, starts.as_entire_binding()),
        (2, STORAGE_READ, list.as_entire_binding()),
        (3, UNIFORM, width.as_entire_binding()),
    ];
    let shown = Cover { name: PUT.name, text: shader::put_listed(), fragment: "put", bound, over: true };
    cover(frame, encoder, (pass, stretch), shown);
}
