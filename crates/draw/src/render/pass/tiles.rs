//! Tiles: lists of the lights that can reach what is seen in each square of pixels, made from its depth.

use super::super::bind::{COMPUTE, DEPTH, STORAGE_READ, STORAGE_WRITE, UNIFORM, filled, group};
use super::super::frame::Frame;
use super::super::stretch::Stretch;
use super::drawing::Drawing;
use super::lights::TILES;
use crate::frame::{Draw, Format, How, Part, Pass, Planner, Target, TargetId, Use};
use crate::light::{TileGrid, TileInputs, tile_inputs};
use crate::scene::Asks;
use crate::shader;

const GRID: &str = "tile_lists";

/// Declares the lists of a drawing, where its pixels ask them. What its passes read of them.
pub fn declare(drawing: &Drawing<'_>, depth: TargetId, planner: &mut Planner) -> Vec<Use> {
    if drawing.wish.lit[drawing.camera.0].switches.asks != Asks::Tiles {
        return Vec::new();
    }
    let look = &drawing.wish.job.looks[drawing.camera.0];
    let grid = TileGrid::new([look.output.width_px, look.output.height_px], look.shot.lights.len() as u32);
    let bytes = u32::try_from(4 * grid.words()).expect("lists of one tile at least fit");
    let target = planner.add_target(Target { view: Some(drawing.view), ..Target::buffer(TILES, bytes) });
    let of = |target, how| Use { target, part: Part::WHOLE, how };
    let uses = vec![of(depth, How::Sample), of(target, How::Storage)];
    planner.pass(drawing.named(TILES, ""), Some(drawing.view), uses, vec![Draw::Grid(GRID)]);
    vec![of(target, How::Sample)]
}

/// Whether a pass is one of these.
pub fn is(pass: &Pass) -> bool {
    pass.draws == [Draw::Grid(GRID)]
}

pub fn texts() -> Vec<(String, String)> {
    vec![(GRID.to_string(), shader::tile_lists())]
}

pub fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, _: &Stretch) {
    let (prepared, job) = (frame.prepared, frame.job);
    let plan = &prepared.plan;
    let camera = plan.camera(pass.view.expect("it is a camera's"));
    let look = &job.looks[camera.0];
    let tile_grid = TileGrid::new([look.output.width_px, look.output.height_px], look.shot.lights.len() as u32);
    let TileInputs { grid, edges, spheres } = tile_inputs(look.shot, tile_grid);
    let (uniform, storage) = (wgpu::BufferUsages::UNIFORM, wgpu::BufferUsages::STORAGE);
    let grid = filled(frame.device(), TILES, uniform, bytemuck::cast_slice(&grid));
    let edges = filled(frame.device(), "edges", storage, bytemuck::cast_slice(&edges));
    let spheres = filled(frame.device(), "spheres", storage, bytemuck::cast_slice(&spheres));
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
        (2, spheres.as_entire_binding()),
        (3, wgpu::BindingResource::TextureView(&depth)),
        (4, tiles.as_entire_binding()),
    ];
    let group = group(frame.device(), GRID, &layout, &resources);
    let pipeline = frame.grid(GRID, &shader::tile_lists(), &layout);
    let mut grid = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    grid.set_pipeline(&pipeline);
    grid.set_bind_group(0, &group, &[]);
    grid.dispatch_workgroups(tile_grid.count().div_ceil(64), 1, 1);
}
