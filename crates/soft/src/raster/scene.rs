//! Scene: what all tasks of a pass read: plans, each draw's boxes and state, prepared programs, the grid of tiles.
//!
//! In: a `work::RenderPass`. Out: plain data shared by threads. Never here: anything that a task changes.

use super::assemble::{Counts, Span};
use super::cover::{CENTER, sample_positions};
use super::depth::DepthTest;
use super::order::{Box2, TILE_PX};
use super::plan::Plan;
use super::project::{Projection, snap};
use super::setup::Corner;
use super::{blend, cover, depth, group, interpolate, texel};
use crate::exec::Prepared;
use crate::program::Program;
use crate::work::{Draw, Fault, RenderPass, Viewport};
use stillframe_base::lanes::{Block, Isa};

type Project = fn(&mut [Corner], &mut [u16], [&Block; 4], &Projection);

/// The loops of one instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    pub project: Project,
    pub cover: fn(&mut cover::Blocks, &[Corner; 3], i64, &[i32; 2], &Box2, usize) -> cover::Covered,
    pub set_up: fn(&mut group::Group, &[i32; 2], &Box2, usize),
    pub cover_one: fn(&mut cover::Blocks, &group::Group, usize, usize),
    pub test: fn(&mut cover::Blocks, &depth::DepthJob<'_>, &mut [Box<depth::TilePlane>], &mut depth::Bounds),
    pub texel: texel::Kernels,
    pub interpolate: interpolate::Kernels,
    pub blend: blend::Kernels,
}

impl Kernels {
    pub fn new(isa: Isa) -> Kernels {
        Kernels {
            project: super::project::project(isa),
            cover: cover::cover(isa),
            set_up: group::set_up(isa),
            cover_one: group::cover_one(isa),
            test: depth::test_blocks(isa),
            texel: texel::Kernels::new(isa),
            interpolate: interpolate::Kernels::new(isa),
            blend: blend::Kernels::new(isa),
        }
    }
}

/// One draw's own state.
#[derive(Clone, Debug)]
pub struct DrawState {
    pub plan: u32,
    pub projection: Projection,
    /// Pixels that any sample may touch.
    pub area_px: Box2,
    /// By sample, the pixels inside target, scissor and the viewport's box; for points and lines all as the centre's.
    pub boxes: [Box2; 4],
    pub test: DepthTest,
}

impl DrawState {
    pub fn new(draw: &Draw, plan_index: usize, plan: &Plan, pass: &RenderPass) -> DrawState {
        let samples = pass.sample_count as usize;
        let target = Box2 { x0: 0, y0: 0, x1: pass.width_px as i32, y1: pass.height_px as i32 };
        let corner = |at: u32, size: u32| at.saturating_add(size).min(1 << 20) as i32;
        let scissor = Box2 {
            x0: draw.scissor.x.min(1 << 20) as i32,
            y0: draw.scissor.y.min(1 << 20) as i32,
            x1: corner(draw.scissor.x, draw.scissor.width),
            y1: corner(draw.scissor.y, draw.scissor.height),
        };
        let inside = target.and(&scissor);
        let spread = plan.shape == super::plan::Shape::Triangle;
        let positions = if spread { sample_positions(samples) } else { &[CENTER] };
        let boxes: [Box2; 4] = std::array::from_fn(|s| {
            let at = positions[s.min(positions.len() - 1)];
            inside.and(&viewport_box(&draw.viewport, at))
        });
        let (compare, write) = plan.tests.depth.unwrap_or((wgpu_types::CompareFunction::Always, false));
        DrawState {
            plan: plan_index as u32,
            projection: Projection::new(&draw.viewport, plan.depth_clipped),
            area_px: boxes.iter().fold(boxes[0], |all, b| all.around(b)),
            boxes,
            test: DepthTest {
                compare,
                write,
                min: draw.viewport.min_depth,
                max: draw.viewport.max_depth,
                quantise: plan.tests.quantise,
            },
        }
    }
}

/// Pixels whose sample at `at` (1/256 pixel) lies in the viewport's box.
fn viewport_box(v: &Viewport, at: [i32; 2]) -> Box2 {
    let side = |edge: f32, at: i32| (snap(edge.clamp(-1_048_576.0, 1_048_576.0)) - at + 255) >> 8;
    Box2 { x0: side(v.x, at[0]), y0: side(v.y, at[1]), x1: side(v.x + v.width, at[0]), y1: side(v.y + v.height, at[1]) }
}

/// A program and what it is run with.
#[derive(Clone, Copy, Debug)]
pub struct Shader<'a> {
    pub program: &'a Program,
    pub prepared: &'a Prepared,
}

/// The prepared programs of one draw, or of several draws in a row with the same pipeline and bindings.
#[derive(Debug)]
pub struct Ready {
    pub vertex: Prepared,
    pub fragment: Option<Prepared>,
}

impl Ready {
    pub fn new(draw: &Draw, plan: &Plan) -> Result<Ready, Fault> {
        let pipeline = &draw.pipeline;
        let fragment = match &pipeline.fragment {
            Some(stage) if plan.shade.is_some() => Some(Prepared::new(&stage.program, &draw.bindings, [1; 3])?),
            _ => None,
        };
        Ok(Ready { vertex: Prepared::new(&pipeline.vertex.program, &draw.bindings, [1; 3])?, fragment })
    }
}

/// Everything that the tasks of one round read.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    pub pass: &'a RenderPass,
    pub samples: usize,
    pub tiles_x: i32,
    pub tiles_y: i32,
    pub plans: &'a [Plan],
    /// One a draw of the pass.
    pub draws: &'a [DrawState],
    pub spans: &'a [Span],
    /// Index into `ready` by draw; meaningful for the draws of this round.
    pub ready_of: &'a [u32],
    pub ready: &'a [Ready],
    pub kernels: &'a Kernels,
}

impl<'a> Scene<'a> {
    pub fn tile_count(&self) -> usize {
        (self.tiles_x * self.tiles_y) as usize
    }
    pub fn plan(&self, draw: usize) -> &'a Plan {
        &self.plans[self.draws[draw].plan as usize]
    }
    pub fn counts(&self, draw: usize) -> &'a Counts {
        &self.spans[draw].counts
    }
    fn ready(&self, draw: usize) -> &'a Ready {
        &self.ready[self.ready_of[draw] as usize]
    }
    pub fn vertex_shader(&self, draw: usize) -> Shader<'a> {
        Shader { program: &self.pass.draws[draw].pipeline.vertex.program, prepared: &self.ready(draw).vertex }
    }
    /// The fragment stage; asked for only where the plan shades.
    pub fn fragment_shader(&self, draw: usize) -> Shader<'a> {
        let stage = self.pass.draws[draw].pipeline.fragment.as_ref().expect("the plan shades");
        Shader { program: &stage.program, prepared: self.ready(draw).fragment.as_ref().expect("the plan shades") }
    }
}

/// Tiles along a side of `size_px`.
pub fn tiles_along(size_px: u32) -> i32 {
    size_px.div_ceil(TILE_PX as u32) as i32
}
