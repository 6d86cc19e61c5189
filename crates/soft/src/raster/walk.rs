//! Walk: one tile, from its load to its store: every primitive that may touch it, in drawing order.
//!
//! In: a tile's runs of chunks. Out: texels. Runs on any thread; tiles share nothing but what they read.

use std::collections::BTreeMap;

use stillframe_base::lanes::LaneMask;

use super::batch::{Batch, Owner, Progress};
use super::chunk::Chunk;
use super::cover::{Blocks, Covered, cover_wide, region, sample_positions, wide_edges};
use super::depth::DepthJob;
use super::group::{Entry, GROUP, Group};
use super::interpolate::{Planes, QUADS};
use super::line::{cover_line, cover_point};
use super::merge::{Job, Merge, merge};
use super::order::{Box2, pixel_of};
use super::plan::{Plan, Shape, When};
use super::sample::Tests;
use super::scene::{DrawState, Scene};
use super::setup::{Barycentric, Corner, area};
use super::tile::Tile;
use crate::exec::Machine;
use crate::work::Fault;

/// A chunk's items for one tile.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    pub chunk: u32,
    pub start: u32,
    pub count: u32,
}

/// Working memory of one thread in the tiles.
#[derive(Debug, Default)]
pub struct Walk {
    pub tile: Tile,
    blocks: Box<Blocks>,
    cover: Box<Blocks>,
    /// Triangles of one draw that wait for their set-up.
    group: Box<Group>,
    batch: Batch,
    merge: Merge,
    /// Samples that passed, by query.
    pub passed: BTreeMap<u32, u64>,
}

/// So many triangles are worth a set-up side by side.
const GROUP_MIN: usize = 3;

/// Sample offsets in pixels.
const OFFSETS_1: [[f32; 2]; 1] = [[0.5, 0.5]];
const OFFSETS_4: [[f32; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];
const OFFSETS_LINE: [[f32; 2]; 4] = [[0.5, 0.5]; 4];

/// What stays the same while a tile draws from one draw.
struct Current<'a> {
    draw: usize,
    plan: &'a Plan,
    state: &'a DrawState,
    tests: Tests<'a>,
    offsets: &'static [[f32; 2]],
    /// By sample, the draw's pixels, in pixels of the tile.
    boxes: [Box2; 4],
    /// All of them together.
    area: Box2,
    /// The tile lies inside all boxes.
    inside: bool,
    query: Option<u32>,
}

impl Walk {
    /// Draws the visits of the tile at which `self.tile` stands, loaded.
    pub fn run(
        &mut self,
        machine: &mut Machine,
        scene: &Scene<'_>,
        chunks: &[Box<Chunk>],
        visits: &[Visit],
    ) -> Result<(), Fault> {
        let mut current: Option<Current<'_>> = None;
        self.batch.clear();
        self.group.count = 0;
        for visit in visits {
            let chunk = &*chunks[visit.chunk as usize];
            let entries = &chunk.entries[visit.start as usize..(visit.start + visit.count) as usize];
            let mut wide = chunk.wide.iter().copied().peekable();
            let mut next = |number: u32| -> Result<(), Fault> {
                let item = &chunk.items[number as usize];
                let draw = chunk.draws[item.local_draw()] as usize;
                if current.as_ref().is_none_or(|c| c.draw != draw) {
                    if let Some(current) = &current {
                        self.set_up(machine, scene, current, chunks)?;
                        self.flush(machine, scene, current, chunks)?;
                    }
                    current = Some(self.enter(machine, scene, draw));
                }
                let current = current.as_ref().expect("entered");
                let entry = Entry { chunk: visit.chunk, number };
                if current.plan.shape != Shape::Triangle {
                    return self.primitive(machine, scene, current, chunks, entry, None);
                }
                self.group.push(entry, &chunk.corners_of(item.v));
                if self.group.count < GROUP {
                    return Ok(());
                }
                self.set_up(machine, scene, current, chunks)
            };
            for &number in entries {
                while let Some(number) = wide.next_if(|&w| w < number) {
                    next(number)?;
                }
                next(number)?;
            }
            for number in wide {
                next(number)?;
            }
        }
        match &current {
            Some(current) => {
                self.set_up(machine, scene, current, chunks)?;
                self.flush(machine, scene, current, chunks)
            }
            None => Ok(()),
        }
    }

    /// Draws the triangles of the group.
    #[inline(never)]
    fn set_up(
        &mut self,
        machine: &mut Machine,
        scene: &Scene<'_>,
        current: &Current<'_>,
        chunks: &[Box<Chunk>],
    ) -> Result<(), Fault> {
        let count = self.group.count;
        let pays = count >= GROUP_MIN;
        if pays {
            let origin = [(self.tile.at.x * 256) as i32, (self.tile.at.y * 256) as i32];
            (scene.kernels.set_up)(&mut self.group, &origin, &current.area, scene.samples);
        }
        self.group.count = 0;
        for at in 0..count {
            if pays && self.group.region(at).is_empty() {
                continue;
            }
            let place = (pays && self.group.is_near(at)).then_some(at);
            self.primitive(machine, scene, current, chunks, self.group.entries[at], place)?;
        }
        Ok(())
    }

    fn enter<'a>(&self, machine: &mut Machine, scene: &Scene<'a>, draw: usize) -> Current<'a> {
        let (plan, state) = (scene.plan(draw), &scene.draws[draw]);
        if plan.shade.is_some() {
            let shader = scene.fragment_shader(draw);
            machine.begin(shader.program, shader.prepared);
        }
        let (x, y) = (self.tile.at.x as i32, self.tile.at.y as i32);
        let whole = Box2 { x0: 0, y0: 0, x1: self.tile.at.width as i32, y1: self.tile.at.height as i32 };
        let boxes = state.boxes.map(|b| b.moved(-x, -y).and(&whole));
        let area = state.area_px.moved(-x, -y).and(&whole);
        let full = Box2 { x0: 0, y0: 0, x1: 64, y1: 64 };
        Current {
            draw,
            plan,
            state,
            tests: Tests {
                depth: plan.tests.depth.map(|_| &state.test),
                stencil: plan.tests.stencil.as_ref(),
                reference: scene.pass.draws[draw].stencil_reference & 0xFF,
            },
            offsets: match (scene.samples, plan.shape) {
                (1, _) => &OFFSETS_1,
                (_, Shape::Triangle) => &OFFSETS_4,
                _ => &OFFSETS_LINE,
            },
            boxes,
            area,
            inside: boxes.iter().all(|b| *b == full),
            query: scene.pass.draws[draw].occlusion_query,
        }
    }

    /// Draws one primitive; `place`: of a triangle that the group has set up.
    #[inline(always)]
    fn primitive(
        &mut self,
        machine: &mut Machine,
        scene: &Scene<'_>,
        current: &Current<'_>,
        chunks: &[Box<Chunk>],
        entry: Entry,
        place: Option<usize>,
    ) -> Result<(), Fault> {
        let (chunk, number) = (&*chunks[entry.chunk as usize], entry.number as usize);
        let item = &chunk.items[number];
        let v = chunk.corners_of(item.v);
        let origin = [(self.tile.at.x * 256) as i32, (self.tile.at.y * 256) as i32];
        if !self.rasterise(scene, current, &v, &origin, place) {
            return Ok(());
        }
        let (plan, state) = (current.plan, current.state);
        let samples = scene.samples;
        if plan.mask != (1 << samples) - 1 {
            self.keep_cover(current);
            self.apply_mask(plan.mask, samples);
        } else {
            self.keep_cover(current);
        }
        let bary = match plan.shape {
            Shape::Triangle => match place {
                Some(at) => self.group.barycentric(at),
                None => Barycentric::triangle(&v, origin[0], origin[1]),
            },
            Shape::Line => Barycentric::line(&v, origin[0], origin[1]),
            Shape::Point => Barycentric::default(),
        };
        let mut planes = Planes::default();
        let z = [v[0].z, v[1].z, v[2].z];
        planes.z = bary.plane(z);
        if let Some(bias) = &plan.bias {
            planes.z.c += bias.of(&planes.z, z);
        }
        if plan.tests.when == When::Early {
            self.early(scene, current, &planes, item.is_front());
        } else if plan.tests.reject {
            let job = DepthJob { plane: &planes.z, test: &state.test, offsets: current.offsets, commit: false };
            (scene.kernels.test)(&mut self.blocks, &job, &mut self.tile.depth, &mut self.tile.bounds);
        }
        let Some(shade) = &plan.shade else { return Ok(()) };
        if self.blocks.count == 0 {
            return Ok(());
        }
        if shade.needs_perspective || shade.needs_q {
            planes.q = bary.plane([v[0].q, v[1].q, v[2].q]);
            planes.p = bary.weights(v[1].q, v[2].q);
        }
        if shade.weights[3..].contains(&true) {
            planes.linear = bary.weights(1.0, 1.0);
        }
        let owner = Owner {
            chunk: entry.chunk,
            varyings_at: chunk.varyings_of(item.v),
            is_front: item.is_front(),
            primitive: chunk.primitives.get(number).copied().unwrap_or(0),
        };
        let limit = if shade.ordered { 1 } else { QUADS };
        let mut progress = Progress::default();
        loop {
            let cover = shade.needs_cover.then_some(&*self.cover);
            if self.batch.pack(&self.blocks, cover, samples, &owner, &planes, limit, &mut progress) {
                return Ok(());
            }
            self.flush(machine, scene, current, chunks)?;
        }
    }

    /// Fills `self.blocks` with the samples of a primitive inside the draw's boxes; false where there are none.
    #[inline(always)]
    fn rasterise(
        &mut self,
        scene: &Scene<'_>,
        current: &Current<'_>,
        v: &[Corner; 3],
        origin: &[i32; 2],
        place: Option<usize>,
    ) -> bool {
        let samples = scene.samples;
        let blocks = &mut *self.blocks;
        let tile = [self.tile.at.x as i64, self.tile.at.y as i64];
        match (current.plan.shape, place) {
            (Shape::Triangle, Some(at)) => (scene.kernels.cover_one)(blocks, &self.group, at, samples),
            (Shape::Triangle, None) => {
                let doubled = area(v);
                match (scene.kernels.cover)(blocks, v, doubled, origin, &current.area, samples) {
                    Covered::Nothing => return false,
                    Covered::Some => {}
                    Covered::Wide => {
                        let edges = wide_edges(v, doubled, origin[0], origin[1], sample_positions(samples));
                        let Some(region) = region(v, origin, &current.area, samples) else { return false };
                        cover_wide(blocks, &edges, &region, samples);
                    }
                }
            }
            (Shape::Line, _) => cover_line(blocks, v, tile, samples),
            (Shape::Point, _) => cover_point(blocks, &v[0], tile, samples),
        }
        if !current.inside {
            blocks.clip(&current.boxes, samples);
        }
        blocks.count > 0
    }

    /// Remembers the coverage where the program will ask for it.
    fn keep_cover(&mut self, current: &Current<'_>) {
        if current.plan.shade.as_ref().is_some_and(|shade| shade.needs_cover) {
            self.cover.clone_from(&self.blocks);
        }
    }

    /// Takes the samples out that the pipeline's mask leaves out.
    fn apply_mask(&mut self, mask: u32, samples: usize) {
        let none = Box2 { x0: 0, y0: 0, x1: 0, y1: 0 };
        let all = Box2 { x0: 0, y0: 0, x1: 64, y1: 64 };
        self.blocks.clip(&std::array::from_fn::<_, 4, _>(|s| if mask >> s & 1 == 1 { all } else { none }), samples);
    }

    /// Tests and writes before shading, and counts.
    fn early(&mut self, scene: &Scene<'_>, current: &Current<'_>, planes: &Planes, is_front: bool) {
        let samples = scene.samples;
        let test = &current.state.test;
        if current.tests.stencil.is_some() {
            let mut kept = 0;
            for k in 0..self.blocks.count {
                let block = self.blocks.at[k];
                let mut any = 0;
                for s in 0..samples {
                    let mut mask = self.blocks.masks[s][k];
                    let mut left = mask;
                    while left != 0 {
                        let lane = left.trailing_zeros() as usize;
                        left &= left - 1;
                        let index = usize::from(block) * 64 + lane;
                        let (x, y) = pixel_of(index);
                        let at = current.offsets[s];
                        let z = test.clean(planes.z.at(x as f32 + at[0], y as f32 + at[1]));
                        if !current.tests.run(&mut self.tile, s, index, z, is_front) {
                            mask &= !(1 << lane);
                        }
                    }
                    self.blocks.masks[s][kept] = mask;
                    any |= mask;
                }
                self.blocks.at[kept] = block;
                kept += usize::from(any != 0);
            }
            self.blocks.count = kept;
        } else if current.tests.depth.is_some() {
            let job = DepthJob { plane: &planes.z, test, offsets: current.offsets, commit: true };
            (scene.kernels.test)(&mut self.blocks, &job, &mut self.tile.depth, &mut self.tile.bounds);
        }
        if let Some(query) = current.query {
            let count = self.blocks.count;
            let passed: u64 =
                self.blocks.masks[..samples].iter().flat_map(|m| &m[..count]).map(|m| u64::from(m.count_ones())).sum();
            *self.passed.entry(query).or_default() += passed;
        }
    }

    /// Shades and merges what the batch holds.
    fn flush(
        &mut self,
        machine: &mut Machine,
        scene: &Scene<'_>,
        current: &Current<'_>,
        chunks: &[Box<Chunk>],
    ) -> Result<(), Fault> {
        let (Some(shade), true) = (&current.plan.shade, self.batch.count > 0) else {
            self.batch.clear();
            return Ok(());
        };
        let shader = scene.fragment_shader(current.draw);
        let samples = scene.samples;
        let runs: &[Option<usize>] = if shade.per_sample { &[Some(0), Some(1), Some(2), Some(3)] } else { &[None] };
        for &sample in runs {
            let covered = self.batch.covered(sample.map_or(0..samples, |s| s..s + 1));
            if covered == LaneMask::NONE {
                continue;
            }
            let tile = [self.tile.at.x, self.tile.at.y];
            self.batch.fill(machine, scene.kernels, current.plan, shade, current.state, chunks, tile, samples, sample);
            let alive = machine.run_fragment(shader.program, shader.prepared, self.batch.count, &covered)?;
            let job = Job {
                kernels: scene.kernels,
                plan: current.plan,
                shade,
                state: current.state,
                tests: current.tests,
                blend_constant: scene.pass.draws[current.draw].blend_constant,
                samples,
                sample,
            };
            let passed = merge(
                &mut self.merge,
                &mut self.batch,
                machine,
                &mut self.tile,
                &job,
                (alive != covered).then_some(&alive),
            );
            if let (Some(query), When::Late) = (current.query, current.plan.tests.when) {
                *self.passed.entry(query).or_default() += passed;
            }
        }
        self.batch.clear();
        Ok(())
    }
}
