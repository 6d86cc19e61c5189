//! Pass: load operations, draws in order, resolves.

use naga::{Binding, Interpolation, TypeInner};

use super::clip::Clip;
use super::figure::{Corner, Figure, doubled_area, is_front};
use super::fragment::{self, Quad};
use super::io;
use super::target;
use super::vertex::{self, Primitive};
use crate::work::{Draw, Fault, RenderPass};

/// Executes a pass one pixel at a time.
pub fn run_pass(pass: &RenderPass, step_budget: u64) -> Result<(), Fault> {
    target::load(&pass.color, pass.depth_stencil.as_ref());
    for draw in &pass.draws {
        run_draw(pass, draw, step_budget)?;
    }
    target::resolve(&pass.color);
    Ok(())
}

fn run_draw(pass: &RenderPass, draw: &Draw, step_budget: u64) -> Result<(), Fault> {
    let mut figures = vec![];
    for primitive in vertex::primitives(draw, step_budget)? {
        figures.extend(figures_of(draw, primitive));
    }
    let (width, height) = (pass.width_px as i64, pass.height_px as i64);
    // Tiles, primitives, blocks and quads in the order in which side effects are seen.
    for tile in grid(0, 0, width, height, 64) {
        for figure in &figures {
            let (left, top) = figure.corners.iter().fold((i64::MAX, i64::MAX), |m, c| (m.0.min(c.x), m.1.min(c.y)));
            let (right, bottom) = figure.corners.iter().fold((i64::MIN, i64::MIN), |m, c| (m.0.max(c.x), m.1.max(c.y)));
            // A margin of one pixel: lines step aside of their ends by half of one.
            let reaches = |(x, y): (i64, i64), size: i64| {
                (left >> 8) - 1 < x + size
                    && (right >> 8) + 1 >= x
                    && (top >> 8) - 1 < y + size
                    && (bottom >> 8) + 1 >= y
            };
            if !reaches(tile, 64) {
                continue;
            }
            for block in grid(tile.0, tile.1, width.min(tile.0 + 64), height.min(tile.1 + 64), 8) {
                if !reaches(block, 8) {
                    continue;
                }
                for (x, y) in grid(block.0, block.1, block.0 + 8, block.1 + 8, 2) {
                    Quad { pass, draw, figure, x, y, step_budget }.draw()?;
                }
            }
        }
    }
    Ok(())
}

/// The corners of squares of a size, row by row.
fn grid(left: i64, top: i64, right: i64, bottom: i64, size: usize) -> impl Iterator<Item = (i64, i64)> {
    (top..bottom).step_by(size).flat_map(move |y| (left..right).step_by(size).map(move |x| (x, y)))
}

/// How a location is interpolated; flat where the fragment stage does not read it.
fn interpolation_of(draw: &Draw, location: u32) -> Interpolation {
    let Some(stage) = &draw.pipeline.fragment else { return Interpolation::Flat };
    let module = &stage.shader.module;
    let inputs = io::inputs(module, &module.entry_points[stage.entry_index].function);
    for (binding, ty) in &inputs {
        if matches!(binding, Binding::Location { location: l, .. } if *l == location) {
            let kind = match *ty {
                TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } => scalar.kind,
                ref other => unreachable!("an input of {other:?}"),
            };
            return fragment::interpolation(binding, kind);
        }
    }
    Interpolation::Flat
}

/// Clips a primitive and puts what is left on the pixel grid.
fn figures_of(draw: &Draw, primitive: Primitive) -> Vec<Figure> {
    let state = &draw.pipeline.primitive;
    let interpolation = |location| interpolation_of(draw, location);
    let wide = draw.viewport.width.max(draw.viewport.height) > 16384.0;
    let guard = if wide { 16.0 } else { 128.0 };
    let clip = Clip { depth_clipped: !state.unclipped_depth, guard, interpolation: &interpolation };
    let Primitive { vertices, index } = primitive;
    if clip.is_dropped(&vertices) {
        return vec![];
    }
    let first = vertices[0].clone();
    let clipped = match vertices.len() {
        1 => vertices,
        2 => {
            let line: [_; 2] = vertices.try_into().expect("two vertices");
            let Some(line) = clip.line(line) else { return vec![] };
            line.to_vec()
        }
        _ => clip.polygon(vertices),
    };
    let Some(corners): Option<Vec<Corner>> = clipped.iter().map(|v| Corner::new(v, &draw.viewport)).collect() else {
        return vec![];
    };
    let figure = |corners: Vec<Corner>, front_facing| Figure {
        corners,
        first: first.clone(),
        primitive_index: index,
        front_facing,
    };
    if !matches!(
        state.topology,
        wgpu_types::PrimitiveTopology::TriangleList | wgpu_types::PrimitiveTopology::TriangleStrip
    ) {
        return vec![figure(corners, true)];
    }
    if corners.len() < 3 {
        return vec![];
    }
    let triangles: Vec<[Corner; 3]> =
        (1..corners.len() - 1).map(|i| [0, i, i + 1].map(|c| corners[c].clone())).collect();
    let area = |[a, b, c]: &[Corner; 3]| doubled_area(a, b, c);
    let whole: i64 = triangles.iter().map(area).sum();
    let front = is_front(whole, state.front_face);
    let culled = match state.cull_mode {
        Some(wgpu_types::Face::Front) => front,
        Some(wgpu_types::Face::Back) => !front,
        None => false,
    };
    if whole == 0 || culled {
        return vec![];
    }
    triangles.into_iter().filter(|t| area(t).signum() == whole.signum()).map(|t| figure(t.to_vec(), front)).collect()
}
