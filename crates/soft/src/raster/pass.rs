//! Pass: one render pass from its first load to its last store.
//!
//! In: a `work::RenderPass`. Out: texels. Rounds of bounded size: a front end over chunks, then the tiles, largest
//! first; both run on all threads and meet only between.

#![expect(clippy::vec_box, reason = "chunks are large and move between lists")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use stillframe_base::par::Pool;

use super::assemble::{Counts, Cursor, Round, Span};
use super::chunk::Chunk;
use super::front::{self, Front};
use super::plan::Plan;
use super::scene::{DrawState, Kernels, Ready, Scene, tiles_along};
use super::tile::Attachments;
use super::walk::{Visit, Walk};
use crate::exec::{Machine, Processor};
use crate::work::{Draw, Fault, RenderPass};

/// Memory kept between passes and frames: machines, tiles, chunk and bin lists.
#[derive(Debug, Default)]
pub struct Kept {
    /// Taken while a pass runs.
    work: Mutex<Option<Box<Working>>>,
}

#[derive(Debug)]
struct Working {
    kernels: Kernels,
    workers: Vec<Worker>,
    round: Round,
    chunks: Vec<Box<Chunk>>,
    tiles: Tiles,
}

/// Everything that one thread needs.
#[derive(Debug)]
struct Worker {
    machine: Machine,
    front: Front,
    walk: Walk,
    /// Chunks to fill.
    free: Vec<Box<Chunk>>,
    /// Filled chunks by task.
    done: Vec<(usize, Box<Chunk>)>,
    /// The fault of the lowest task.
    fault: Option<(usize, Fault)>,
}

/// Which chunks each tile visits.
#[derive(Debug, Default)]
struct Tiles {
    /// Start of each tile's visits; one more than there are tiles.
    starts: Vec<u32>,
    visits: Vec<Visit>,
    /// Tiles with something to do, largest first.
    order: Vec<u32>,
    cost: Vec<u64>,
}

/// What was read of a pass's draws.
struct Prologue {
    plans: Vec<Plan>,
    draws: Vec<DrawState>,
    spans: Vec<Span>,
}

/// Executes a pass: load operations, every draw in order, resolves.
pub fn run_pass(processor: &Processor, kept: &Kept, pass: &RenderPass) -> Result<(), Fault> {
    if pass.width_px == 0 || pass.height_px == 0 {
        return Ok(());
    }
    let taken = kept.work.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    let mut working = taken.unwrap_or_else(|| Box::new(Working::new(processor)));
    let result = working.run(&processor.pool, pass);
    if result.is_ok() {
        *kept.work.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(working);
    }
    result
}

impl Working {
    fn new(processor: &Processor) -> Working {
        let worker = |_| Worker {
            machine: processor.machine(),
            front: Front::default(),
            walk: Walk::default(),
            free: Vec::new(),
            done: Vec::new(),
            fault: None,
        };
        Working {
            kernels: Kernels::new(processor.isa),
            workers: (0..processor.pool.threads()).map(worker).collect(),
            round: Round::default(),
            chunks: Vec::new(),
            tiles: Tiles::default(),
        }
    }

    fn run(&mut self, pool: &Pool, pass: &RenderPass) -> Result<(), Fault> {
        let prologue = prologue(pass);
        let mut attachments = Attachments::new(pass);
        let mut cursor = Cursor::default();
        let mut ready_of = vec![0; pass.draws.len()];
        loop {
            cursor.next_round(&pass.draws, &prologue.spans, &mut self.round);
            let last = cursor.is_done(&pass.draws);
            let ready = ready(pool, pass, &prologue, &self.round, &mut ready_of)?;
            let scene = Scene {
                pass,
                samples: pass.sample_count as usize,
                tiles_x: tiles_along(pass.width_px),
                tiles_y: tiles_along(pass.height_px),
                plans: &prologue.plans,
                draws: &prologue.draws,
                spans: &prologue.spans,
                ready_of: &ready_of,
                ready: &ready,
                kernels: &self.kernels,
            };
            // Between rounds everything is stored and loaded again, and resolved only at the end.
            let steps = if last { attachments.clone() } else { attachments.between_rounds() };
            run_round(pool, &scene, &mut self.workers, &self.round, &mut self.chunks, &mut self.tiles, &steps)?;
            if last {
                return Ok(());
            }
            attachments.keep_contents();
        }
    }
}

/// Plans by pipeline, states by draw.
fn prologue(pass: &RenderPass) -> Prologue {
    let mut plans: Vec<Plan> = Vec::new();
    // Sorted by address, for look-up only: the order never shows.
    let mut known: Vec<(usize, usize)> = Vec::new();
    let mut out = Prologue { plans: Vec::new(), draws: Vec::new(), spans: Vec::new() };
    for draw in &pass.draws {
        let address = std::sync::Arc::as_ptr(&draw.pipeline) as usize;
        let plan = match known.binary_search_by_key(&address, |k| k.0) {
            Ok(at) => known[at].1,
            Err(at) => {
                plans.push(Plan::new(&draw.pipeline, pass));
                known.insert(at, (address, plans.len() - 1));
                plans.len() - 1
            }
        };
        out.draws.push(DrawState::new(draw, plan, &plans[plan], pass));
        out.spans.push(Span {
            counts: Counts::of(draw),
            alone: plans[plan].shade.as_ref().is_some_and(|shade| shade.ordered),
            vertex_bytes: 40 + 4 * plans[plan].varyings.len(),
        });
    }
    out.plans = plans;
    out
}

/// Prepares the programs of the round's draws; draws in a row with the same pipeline and bindings share theirs.
fn ready(
    pool: &Pool,
    pass: &RenderPass,
    prologue: &Prologue,
    round: &Round,
    ready_of: &mut [u32],
) -> Result<Vec<Ready>, Fault> {
    let mut wanted: Vec<&Draw> = Vec::new();
    let mut plans = Vec::new();
    let mut last = usize::MAX;
    for piece in &round.pieces {
        let draw = piece.draw as usize;
        if draw == last {
            continue;
        }
        last = draw;
        let new = &pass.draws[draw];
        let same = wanted.last().is_some_and(|old| {
            std::sync::Arc::ptr_eq(&old.pipeline, &new.pipeline) && std::sync::Arc::ptr_eq(&old.bindings, &new.bindings)
        });
        if !same {
            wanted.push(new);
            plans.push(&prologue.plans[prologue.draws[draw].plan as usize]);
        }
        ready_of[draw] = wanted.len() as u32 - 1;
    }
    pool.map(wanted.len(), |index| Ready::new(wanted[index], plans[index])).into_iter().collect()
}

/// Gives each thing to the list that has the fewest: it may be the only one that things are taken from.
fn hand_out<T>(things: impl Iterator<Item = T>, lists: &mut [&mut Vec<T>]) {
    for thing in things {
        let list = lists.iter_mut().min_by_key(|list| list.len()).expect("somebody works");
        list.push(thing);
    }
}

fn run_round(
    pool: &Pool,
    scene: &Scene<'_>,
    workers: &mut [Worker],
    round: &Round,
    chunks: &mut Vec<Box<Chunk>>,
    tiles: &mut Tiles,
    attachments: &Attachments<'_>,
) -> Result<(), Fault> {
    // Last round's chunks are refilled.
    hand_out(chunks.drain(..), &mut workers.iter_mut().map(|worker| &mut worker.free).collect::<Vec<_>>());
    let stop = AtomicBool::new(false);
    pool.run(round.chunks.len(), workers, |worker, task| {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let mut chunk = worker.free.pop().unwrap_or_default();
        let pieces = &round.pieces[round.chunks[task].clone()];
        if let Err(fault) = front::run(&mut worker.front, &mut worker.machine, scene, pieces, &mut chunk) {
            worker.fail(task, fault, &stop);
        }
        worker.done.push((task, chunk));
    });
    let mut done: Vec<(usize, Box<Chunk>)> = workers.iter_mut().flat_map(|worker| worker.done.drain(..)).collect();
    done.sort_unstable_by_key(|(task, _)| *task);
    chunks.extend(done.into_iter().map(|(_, chunk)| chunk));
    fault_of(workers)?;
    tiles.sort(scene, chunks, attachments.touch_empty_tiles());
    let tiles: &Tiles = tiles;
    let chunks: &[Box<Chunk>] = chunks;
    let ordered = round.pieces.first().is_some_and(|piece| scene.spans[piece.draw as usize].alone);
    let tile = |worker: &mut Worker, task: usize, number: usize| {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let Worker { machine, walk, .. } = worker;
        let visits = &tiles.visits[tiles.starts[number] as usize..tiles.starts[number + 1] as usize];
        let (x, y) = (number % scene.tiles_x as usize, number / scene.tiles_x as usize);
        walk.tile.place(scene.pass, x, y);
        if visits.is_empty() {
            walk.tile.clear_only(attachments, scene.kernels);
            return;
        }
        walk.tile.load(attachments);
        match walk.run(machine, scene, chunks, visits) {
            Ok(()) => walk.tile.store(attachments, scene.kernels),
            Err(fault) => worker.fail(task, fault, &stop),
        }
    };
    if ordered {
        // Side effects must be seen tile by tile.
        let mut numbers = tiles.order.clone();
        numbers.sort_unstable();
        numbers.iter().enumerate().for_each(|(task, &number)| tile(&mut workers[0], task, number as usize));
    } else {
        pool.run(tiles.order.len(), workers, |worker, task| tile(worker, task, tiles.order[task] as usize));
    }
    for worker in &mut *workers {
        for (query, passed) in std::mem::take(&mut worker.walk.passed) {
            if let Some(set) = &scene.pass.occlusion {
                set.values[query as usize].fetch_add(passed, Ordering::Relaxed);
            }
        }
    }
    fault_of(workers)
}

impl Worker {
    fn fail(&mut self, task: usize, fault: Fault, stop: &AtomicBool) {
        stop.store(true, Ordering::Relaxed);
        if self.fault.as_ref().is_none_or(|(known, _)| task < *known) {
            self.fault = Some((task, fault));
        }
    }
}

fn fault_of(workers: &mut [Worker]) -> Result<(), Fault> {
    let faults = workers.iter_mut().filter_map(|worker| worker.fault.take());
    match faults.min_by_key(|(task, _)| *task) {
        Some((_, fault)) => Err(fault),
        None => Ok(()),
    }
}

impl Tiles {
    /// Turns the chunks' runs into visits by tile, in the order of chunks.
    fn sort(&mut self, scene: &Scene<'_>, chunks: &[Box<Chunk>], empty_too: bool) {
        let count = scene.tile_count();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        self.cost.clear();
        self.cost.resize(count, 0);
        for chunk in chunks {
            for run in &chunk.runs {
                self.starts[run.tile as usize + 1] += 1;
                self.cost[run.tile as usize] += 1 + u64::from(run.count) + 16 * chunk.wide.len() as u64;
            }
        }
        for tile in 0..count {
            self.starts[tile + 1] += self.starts[tile];
        }
        self.visits.clear();
        self.visits.resize(self.starts[count] as usize, Visit { chunk: 0, start: 0, count: 0 });
        for (index, chunk) in chunks.iter().enumerate() {
            for run in &chunk.runs {
                let at = &mut self.starts[run.tile as usize];
                self.visits[*at as usize] = Visit { chunk: index as u32, start: run.start, count: run.count };
                *at += 1;
            }
        }
        // Filling moved each start to its end, which is the next one's start.
        self.starts.copy_within(0..count, 1);
        self.starts[0] = 0;
        self.order.clear();
        self.order.extend((0..count as u32).filter(|&tile| empty_too || self.cost[tile as usize] > 0));
        self.order.sort_unstable_by_key(|&tile| (std::cmp::Reverse(self.cost[tile as usize]), tile));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever does all of the work gets back what it has used.
    #[test]
    fn what_is_handed_out_is_not_made_again() {
        for (takers, tasks) in [(vec![1], 1), (vec![0, 1, 2], 5), (vec![2, 1], 3)] {
            let mut lists = [Vec::new(), Vec::new(), Vec::new()];
            let mut made = 0;
            for round in 0..100 {
                let take = |task: usize| {
                    let taken = lists[takers[(round + task) % takers.len()]].pop();
                    taken.unwrap_or_else(|| {
                        made += 1;
                        made
                    })
                };
                let used: Vec<u32> = (0..tasks).map(take).collect();
                let mut free: Vec<&mut Vec<u32>> = lists.iter_mut().collect();
                hand_out(used.into_iter(), &mut free);
            }
            assert!(made as usize <= 3 * tasks, "{made} for {tasks} tasks");
        }
    }
}
