//! Sources: the texels of small levels of the radiance cube as a list, for lobes that see nearly all of it.

use super::super::bind::{COMPUTE, STORAGE_WRITE, TEXTURE_FACES, UNIFORM, filled, group};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use super::radiance::RADIANCE;
use crate::frame::{How, Pass, Planner, Target};
use crate::shader;

pub const ROW: Row = Row { name: "sources", declare: Declare::Once(declare), record, texts };

/// `Sources` of `shader/sum.wgsl`.
pub const SOURCES: &str = "sources";

/// Texels of the wider level, and of both.
pub const WIDE: u32 = 6 * 16 * 16;
const ALL: u32 = WIDE + 6 * 8 * 8;
const SOURCE_BYTES: u32 = 32;

fn declare(wish: &Wish<'_>, planner: &mut Planner) {
    if wish.blurred().is_none() {
        return;
    }
    let target = planner.add_target(Target::buffer(SOURCES, ALL * SOURCE_BYTES));
    let mut uses = planner.sampled(None, &[RADIANCE]);
    uses.extend(planner.whole(target, How::Storage));
    planner.pass(ROW.name, ROW.name.to_string(), None, uses, Vec::new());
}

fn texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(ROW.name.to_string(), shader::sources())]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, _: &Stretch) {
    let (radiance, sources) = (frame.texture(pass, RADIANCE), frame.buffer(pass, SOURCES));
    let level = (radiance.width() / 16).ilog2();
    let uniform = filled(frame.device(), ROW.name, wgpu::BufferUsages::UNIFORM, &level.to_le_bytes());
    let entries = [(0, COMPUTE, UNIFORM), (1, COMPUTE, TEXTURE_FACES), (2, COMPUTE, STORAGE_WRITE)];
    let layout = frame.layout(ROW.name, &entries);
    let faces = radiance.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    });
    let resources = [
        (0, uniform.as_entire_binding()),
        (1, wgpu::BindingResource::TextureView(&faces)),
        (2, sources.as_entire_binding()),
    ];
    let group = group(frame.device(), ROW.name, &layout, &resources);
    let pipeline = frame.grid("gather_sources", &shader::sources(), &layout);
    let mut grid = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    grid.set_pipeline(&pipeline);
    grid.set_bind_group(0, &group, &[]);
    grid.dispatch_workgroups(ALL / 64, 1, 1);
}
