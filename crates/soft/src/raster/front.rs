//! Front: one task of the front end: a chunk's vertices are found, shaded once each, projected, assembled and binned.
//!
//! In: the pieces of a chunk. Out: a filled [`Chunk`]. Runs on any thread; two tasks share nothing but what they read.

use stillframe_base::lanes::{Block, LANES};

use super::assemble::{Piece, is_indexed, read_indices};
use super::chunk::{Bins, Chunk, Setting, add};
use super::fetch::{self, Stream, fetch};
use super::plan::{Plan, Shape};
use super::scene::Scene;
use super::setup::Corner;
use crate::exec::Machine;
use crate::work::{Draw, Fault};

/// Slots of the vertex cache. A collision only shades a vertex twice.
const CACHE: usize = 2048;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    vertex: u32,
    /// Of the piece that wrote it.
    stamp: u16,
    local: u16,
}

/// Working memory of one thread in the front end.
#[derive(Debug)]
pub struct Front {
    cache: Vec<Slot>,
    stamp: u16,
    /// Local vertices of all positions of all pieces.
    locals: Vec<u16>,
    vertex_ids: Vec<u32>,
    instance_ids: Vec<u32>,
    /// Number of vertices after each piece.
    ends: Vec<usize>,
    words: Vec<u32>,
    bytes: Vec<u8>,
    fetch: fetch::Scratch,
    attribute: Box<[Block; 4]>,
    bins: Bins,
}

impl Default for Front {
    fn default() -> Front {
        Front {
            cache: vec![Slot::default(); CACHE],
            stamp: 0,
            locals: Vec::new(),
            vertex_ids: Vec::new(),
            instance_ids: Vec::new(),
            ends: Vec::new(),
            words: Vec::new(),
            bytes: Vec::new(),
            fetch: fetch::Scratch::default(),
            attribute: Box::new([Block::ZERO; 4]),
            bins: Bins::default(),
        }
    }
}

/// Runs one task.
pub fn run(
    front: &mut Front,
    machine: &mut Machine,
    scene: &Scene<'_>,
    pieces: &[Piece],
    chunk: &mut Chunk,
) -> Result<(), Fault> {
    chunk.clear();
    front.locals.clear();
    front.vertex_ids.clear();
    front.instance_ids.clear();
    front.ends.clear();
    // First, every position's vertex, each vertex once a piece.
    for piece in pieces {
        front.number(&scene.pass.draws[piece.draw as usize], scene.counts(piece.draw as usize).base_vertex, piece);
        front.ends.push(front.vertex_ids.len());
    }
    // Second, shade: the vertices of one draw share blocks.
    let mut start = 0;
    for (at, piece) in pieces.iter().enumerate() {
        if pieces.get(at + 1).is_none_or(|next| next.draw != piece.draw) {
            let end = front.ends[at];
            front.shade(machine, scene, piece.draw as usize, start..end, chunk)?;
            start = end;
        }
    }
    // Third, assemble and bin.
    front.bins.begin(scene.tile_count());
    let numbered = pieces.iter().any(|piece| scene.plan(piece.draw as usize).needs_primitive);
    let mut from = 0;
    for piece in pieces {
        let draw = piece.draw as usize;
        if chunk.draws.last() != Some(&piece.draw) {
            chunk.draws.push(piece.draw);
        }
        let setting = Setting {
            plan: scene.plan(draw),
            projection: &scene.draws[draw].projection,
            area_px: scene.draws[draw].area_px,
            samples: scene.samples,
            tiles_x: scene.tiles_x,
            local_draw: (chunk.draws.len() - 1) as u16,
            numbered,
        };
        let locals = &front.locals[from..from + piece.count as usize];
        from += piece.count as usize;
        if !setting.area_px.is_empty() {
            assemble(chunk, &mut front.bins, &setting, locals, piece);
        }
    }
    front.bins.finish(chunk, scene.tiles_x);
    Ok(())
}

fn assemble(chunk: &mut Chunk, bins: &mut Bins, setting: &Setting<'_>, locals: &[u16], piece: &Piece) {
    let plan = setting.plan;
    let mut primitive = piece.primitive;
    let mut next = |v: [u16; 3]| {
        add(chunk, bins, setting, v, primitive);
        primitive = primitive.wrapping_add(1);
    };
    match (plan.shape, plan.strip) {
        (Shape::Triangle, false) => locals.as_chunks::<3>().0.iter().for_each(|v| next(*v)),
        (Shape::Triangle, true) => {
            for (i, v) in locals.windows(3).enumerate() {
                let odd = (i % 2 == 1) != piece.odd;
                next(if odd { [v[0], v[2], v[1]] } else { [v[0], v[1], v[2]] });
            }
        }
        (Shape::Line, false) => locals.as_chunks::<2>().0.iter().for_each(|v| next([v[0], v[1], v[0]])),
        (Shape::Line, true) => locals.windows(2).for_each(|v| next([v[0], v[1], v[0]])),
        (Shape::Point, _) => locals.iter().for_each(|&v| next([v; 3])),
    }
}

impl Front {
    /// Appends the local vertices of a piece.
    fn number(&mut self, draw: &Draw, base_vertex: u32, piece: &Piece) {
        let Front { cache, locals, vertex_ids, instance_ids, words, bytes, stamp, .. } = self;
        match &draw.index {
            Some(index) if is_indexed(draw) => {
                read_indices(index, piece.first, words, piece.count, bytes);
                *stamp = stamp.wrapping_add(1);
                if *stamp == 0 {
                    cache.fill(Slot::default());
                    *stamp = 1;
                }
                let cache: &mut [Slot; CACHE] = (&mut cache[..]).try_into().expect("made with this length");
                for &word in words.iter() {
                    let vertex = word.wrapping_add(base_vertex);
                    let slot = &mut cache[vertex as usize % CACHE];
                    if slot.vertex != vertex || slot.stamp != *stamp {
                        *slot = Slot { vertex, stamp: *stamp, local: vertex_ids.len() as u16 };
                        vertex_ids.push(vertex);
                    }
                    locals.push(slot.local);
                }
            }
            _ => {
                for position in 0..piece.count {
                    locals.push(vertex_ids.len() as u16);
                    vertex_ids.push(base_vertex.wrapping_add(piece.first).wrapping_add(position));
                }
            }
        }
        instance_ids.resize(vertex_ids.len(), piece.instance);
    }

    /// Shades local vertices `range`, all of one draw.
    fn shade(
        &mut self,
        machine: &mut Machine,
        scene: &Scene<'_>,
        draw_index: usize,
        range: std::ops::Range<usize>,
        chunk: &mut Chunk,
    ) -> Result<(), Fault> {
        let plan = scene.plan(draw_index);
        let shader = scene.vertex_shader(draw_index);
        machine.begin(shader.program, shader.prepared);
        let mut start = range.start;
        while start < range.end {
            let end = range.end.min(start + LANES);
            self.inputs(machine, plan, &scene.pass.draws[draw_index], start..end);
            machine.run_vertex(shader.program, shader.prepared, end - start)?;
            collect(machine, plan, scene, draw_index, end - start, chunk);
            start = end;
        }
        Ok(())
    }

    fn inputs(&mut self, machine: &mut Machine, plan: &Plan, draw: &Draw, range: std::ops::Range<usize>) {
        let lanes = range.len();
        for (reg, ids) in
            [(plan.vertex.vertex_index, &self.vertex_ids), (plan.vertex.instance_index, &self.instance_ids)]
        {
            if let Some(reg) = reg {
                machine.reg_mut(reg).0[..lanes].copy_from_slice(&ids[range.clone()]);
            }
        }
        for attribute in &plan.vertex.attributes {
            let ids = if attribute.per_instance { &self.instance_ids } else { &self.vertex_ids };
            let stream = Stream {
                range: attribute.slot.and_then(|slot| draw.vertex_buffers.get(slot)).and_then(Option::as_ref),
                stride_bytes: attribute.stride_bytes,
                offset_bytes: attribute.offset_bytes,
                format: attribute.format,
            };
            fetch(&stream, &ids[range.clone()], &mut self.attribute, &mut self.fetch);
            for (component, reg) in attribute.regs.iter().enumerate() {
                if let Some(reg) = reg {
                    machine.reg_mut(*reg).0[..lanes].copy_from_slice(&self.attribute[component].0[..lanes]);
                }
            }
        }
    }
}

/// Takes the results of `lanes` vertices out of the machine.
fn collect(machine: &Machine, plan: &Plan, scene: &Scene<'_>, draw_index: usize, lanes: usize, chunk: &mut Chunk) {
    let zero = Block::ZERO;
    let position = plan.vertex.position.map(|reg| reg.map_or(&zero, |reg| machine.reg(reg)));
    let start = chunk.corners.len();
    chunk.corners.resize(start + lanes, Corner::default());
    chunk.codes.resize(start + lanes, 0);
    (scene.kernels.project)(
        &mut chunk.corners[start..],
        &mut chunk.codes[start..],
        position,
        &scene.draws[draw_index].projection,
    );
    chunk.positions.extend((0..lanes).map(|lane| position.map(|block| f32::from_bits(block.0[lane]))));
    let (words, first) = (plan.varyings.len(), chunk.varyings.len());
    chunk.varyings_at.extend((0..lanes).map(|lane| (first + lane * words) as u32));
    chunk.varyings.resize(first + lanes * words, 0);
    for (k, varying) in plan.varyings.iter().enumerate() {
        if let Some(reg) = varying.reg {
            let block = machine.reg(reg);
            for (vertex, word) in chunk.varyings[first..].chunks_exact_mut(words).zip(&block.0) {
                vertex[k] = *word;
            }
        }
    }
}
