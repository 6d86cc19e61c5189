//! Tiles: lists of the lights that can reach what is seen in each square of pixels, made from its depth.

use super::super::bind::{COMPUTE, DEPTH, STORAGE_READ, STORAGE_WRITE, UNIFORM, filled, group};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::prepared::Prepared;
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use super::drawing::Drawing;
use super::lights::TILES;
use crate::frame::{Draw, Format, How, Part, Pass, Planner, Target, TargetId, Use};
use crate::light::TileInputs;
use crate::shader;

pub const ROW: Row = Row { name: TILES, declare: Declare::ByOthers, record, texts };

const GRID: &str = "tile_lists";

/// Declares the lists of a drawing, where its pixels ask them. What its passes read of them.
pub fn declare(drawing: &Drawing<'_>, depth: TargetId, planner: &mut Planner) -> Vec<Use> {
    let Some(tiles) = &drawing.wish.lit[drawing.camera.0].tiles else { return Vec::new() };
    let bytes = u32::try_from(4 * tiles.of.words()).expect("lists of one tile at least fit");
    let target = planner.add_target(Target { view: Some(drawing.view), ..Target::buffer(TILES, bytes) });
    let of = |target, how| Use { target, part: Part::WHOLE, how };
    let uses = vec![of(depth, How::Sample), of(target, How::Storage)];
    planner.pass(ROW.name, drawing.named(TILES, ""), Some(drawing.view), uses, vec![Draw::Grid(GRID)]);
    vec![of(target, How::Sample)]
}

fn texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(GRID.to_string(), shader::tile_lists())]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, _: &Stretch) {
    let plan = &frame.prepared.plan;
    let camera = plan.camera(pass.view.expect("it is a camera's"));
    let tiles = frame.prepared.lit[camera.0].tiles.as_ref().expect("its pixels ask tiles");
    let TileInputs { of, grid, edges, reaches } = tiles;
    let grid = filled(frame.device(), TILES, wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(grid));
    let [edges, reaches] = [("edges", bytemuck::cast_slice(edges)), ("reaches", bytemuck::cast_slice(reaches))]
        .map(|(name, bytes)| frame.array(name, bytes));
    let entries = [
        (0, COMPUTE, UNIFORM),
        (1, COMPUTE, STORAGE_READ),
        (2, COMPUTE, STORAGE_READ),
        (3, COMPUTE, DEPTH),
        (4, COMPUTE, STORAGE_WRITE),
    ];
    let layout = frame.layout(GRID, &entries);
    let depth = pass.reads().next().expect("it reads the depth").target;
    let is_depth = plan.targets[depth.0].format == Some(Format::Depth32Float);
    assert!(is_depth, "lists are made from depth");
    let depth = frame.texture(pass, plan.targets[depth.0].name).create_view(&Default::default());
    let tiles = frame.buffer(pass, TILES);
    let resources = [
        (0, grid.as_entire_binding()),
        (1, edges.as_entire_binding()),
        (2, reaches.as_entire_binding()),
        (3, wgpu::BindingResource::TextureView(&depth)),
        (4, tiles.as_entire_binding()),
    ];
    let group = group(frame.device(), GRID, &layout, &resources);
    let pipeline = frame.grid(GRID, &shader::tile_lists(), &layout);
    let mut grid = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    grid.set_pipeline(&pipeline);
    grid.set_bind_group(0, &group, &[]);
    grid.dispatch_workgroups(of.count().div_ceil(64), 1, 1);
}
