//! Merge: what the fragment program gave goes into the tile: masks, late tests, blending, writes.
//!
//! In: a shaded batch. Out: words of the tile's planes. Quads are merged in their order; where a pixel occurs twice in
//! a batch, blending goes in runs without repetition.

use stillframe_base::lanes::{Block, LaneMask};

use super::batch::Batch;
use super::blend::{self, blend};
use super::cover::sample_positions;
use super::depth::TilePlane;
use super::interpolate::QUADS;
use super::order::{TILE_AREA, pixel_of};
use super::plan::{Plan, Shade, Shape, Target, When};
use super::sample::Tests;
use super::scene::{DrawState, Kernels};
use super::tile::Tile;
use crate::exec::Machine;
use crate::program::Reg;

/// Working memory of one thread.
#[derive(Debug)]
pub struct Merge {
    words: [Block; 4],
    stored: [Block; 4],
    result: [Block; 4],
    blend: blend::Scratch,
    /// By quad of the tile, the run that last wrote it.
    stamps: Vec<u32>,
    run: u32,
}

impl Default for Merge {
    fn default() -> Merge {
        Merge {
            words: [Block::ZERO; 4],
            stored: [Block::ZERO; 4],
            result: [Block::ZERO; 4],
            blend: blend::Scratch::default(),
            stamps: vec![0; TILE_AREA / 4],
            run: 0,
        }
    }
}

static ZERO: Block = Block::ZERO;
static ONE: Block = Block::splat_f32(1.0);

/// What a merge reads besides the batch.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    pub kernels: &'a Kernels,
    pub plan: &'a Plan,
    pub shade: &'a Shade,
    pub state: &'a DrawState,
    pub tests: Tests<'a>,
    pub blend_constant: [f32; 4],
    pub samples: usize,
    /// The one sample that was shaded, in per-sample shading.
    pub sample: Option<usize>,
}

/// Merges a batch whose program left `alive` (`None`: all that were covered); returns the samples that passed late
/// tests (early ones were counted then).
pub fn merge(
    merge: &mut Merge,
    batch: &mut Batch,
    machine: &Machine,
    tile: &mut Tile,
    job: &Job<'_>,
    alive: Option<&LaneMask>,
) -> u64 {
    let shaded = match job.sample {
        Some(sample) => sample..sample + 1,
        None => 0..job.samples,
    };
    if let Some(alive) = alive {
        for s in shaded.clone() {
            for quad in 0..batch.count {
                batch.live[s][quad] &= (alive.0[quad >> 4] >> ((quad & 15) * 4)) as u8 & 15;
            }
        }
    }
    if let Some(reg) = job.shade.sample_mask {
        let mask = machine.reg(reg);
        thin(batch, shaded.clone(), |lane| mask.0[lane]);
    }
    if let Some(alpha) = job.shade.coverage_alpha {
        let alpha = alpha.map_or(&ONE, |reg| machine.reg(reg)).as_f32();
        thin(batch, shaded.clone(), |lane| (1 << (4.0 * blend::limited(alpha[lane], 0.0) + 0.5).floor() as u32) - 1);
    }
    let mut passed = 0;
    if job.plan.tests.when == When::Late {
        passed = late_tests(batch, machine, tile, job, shaded.clone());
    }
    for target in &job.shade.targets {
        write_target(merge, batch, machine, tile, job, target, shaded.clone());
    }
    passed
}

/// Keeps, of each live lane, the samples whose bit `mask` gives.
fn thin(batch: &mut Batch, samples: std::ops::Range<usize>, mask: impl Fn(usize) -> u32) {
    for quad in 0..batch.count {
        for lane in 0..4 {
            if !samples.clone().any(|s| batch.live[s][quad] >> lane & 1 == 1) {
                continue;
            }
            let bits = mask(quad * 4 + lane);
            for s in samples.clone() {
                if bits >> s & 1 == 0 {
                    batch.live[s][quad] &= !(1 << lane);
                }
            }
        }
    }
}

fn late_tests(
    batch: &mut Batch,
    machine: &Machine,
    tile: &mut Tile,
    job: &Job<'_>,
    samples: std::ops::Range<usize>,
) -> u64 {
    let mut passed = 0;
    let frag_depth = job.shade.frag_depth.map(|reg| machine.reg(reg).as_f32());
    let spread = job.plan.shape == Shape::Triangle;
    let has_tests = job.tests.depth.is_some() || job.tests.stencil.is_some();
    for quad in 0..batch.count {
        let slot = usize::from(batch.owner[quad]);
        let (plane, is_front) = (batch.planes[slot].z, batch.owners[slot].is_front);
        for s in samples.clone() {
            let mut live = batch.live[s][quad];
            if has_tests {
                let at = if spread { sample_positions(job.samples)[s] } else { [128, 128] };
                let mut left = live;
                while left != 0 {
                    let lane = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let index = usize::from(batch.at[quad]) * 4 + lane;
                    let z = match frag_depth {
                        Some(depth) => depth[quad * 4 + lane],
                        None => {
                            let (x, y) = pixel_of(index);
                            plane.at(x as f32 + at[0] as f32 / 256.0, y as f32 + at[1] as f32 / 256.0)
                        }
                    };
                    let z = job.state.test.clean(z);
                    if !job.tests.run(tile, s, index, z, is_front) {
                        live &= !(1 << lane);
                    }
                }
                batch.live[s][quad] = live;
            }
            passed += u64::from(live.count_ones());
        }
    }
    passed
}

fn sources<'a>(machine: &'a Machine, regs: &[Option<Reg>; 4], alpha: &'static Block) -> [&'a Block; 4] {
    std::array::from_fn(|k| match regs[k] {
        Some(reg) => machine.reg(reg),
        None if k == 3 => alpha,
        None => &ZERO,
    })
}

fn write_target(
    merge: &mut Merge,
    batch: &Batch,
    machine: &Machine,
    tile: &mut Tile,
    job: &Job<'_>,
    target: &Target,
    samples: std::ops::Range<usize>,
) {
    let texel = &target.texel;
    let (lanes, words) = (batch.count * 4, texel.words);
    let planes = &mut tile.colors[target.index];
    let Some(state) = &target.blend else {
        let source = sources(machine, &target.source, &ZERO);
        texel.encode(&job.kernels.texel, source, &mut merge.words, lanes);
        for s in samples {
            scatter(&merge.words, words, batch, s, 0..batch.count, &mut planes[s * words..(s + 1) * words], target);
        }
        return;
    };
    let source = sources(machine, &target.source, &ONE);
    let second = sources(machine, &target.second, &ONE);
    let mut start = 0;
    while start < batch.count {
        let end = merge.run_end(batch, start);
        for s in samples.clone() {
            if batch.live[s][start..end].iter().all(|&live| live == 0) {
                continue;
            }
            let planes = &mut planes[s * words..(s + 1) * words];
            for (plane, words) in planes.iter().zip(&mut merge.words) {
                let from = plane.0.as_chunks::<4>().0;
                let to = words.0.as_chunks_mut::<4>().0;
                for quad in start..end {
                    to[quad] = from[usize::from(batch.at[quad])];
                }
            }
            texel.decode(&job.kernels.texel, &merge.words, &mut merge.stored, end * 4);
            let work = blend::Job {
                state,
                source,
                second,
                constant: job.blend_constant,
                low: texel.clamp_low(),
                lanes: end * 4,
            };
            blend(&job.kernels.blend, &work, &mut merge.stored, &mut merge.blend);
            texel.encode(&job.kernels.texel, merge.stored.each_ref(), &mut merge.result, end * 4);
            scatter(&merge.result, words, batch, s, start..end, planes, target);
        }
        start = end;
    }
}

impl Merge {
    /// The end of the longest run of quads from `start` in which no pixel occurs twice.
    fn run_end(&mut self, batch: &Batch, start: usize) -> usize {
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.stamps.fill(0);
            self.run = 1;
        }
        for quad in start..batch.count {
            let stamp = &mut self.stamps[usize::from(batch.at[quad])];
            if *stamp == self.run {
                return quad;
            }
            *stamp = self.run;
        }
        batch.count
    }
}

/// Writes live lanes of quads, in order, through the write mask.
fn scatter(
    from: &[Block; 4],
    words: usize,
    batch: &Batch,
    sample: usize,
    quads: std::ops::Range<usize>,
    planes: &mut [Box<TilePlane>],
    target: &Target,
) {
    for w in 0..words {
        let bits = target.write_bits[w];
        let mut first = quads.start;
        while first < quads.end {
            let next = (first + 16).min(quads.end);
            if bits == u32::MAX && next == first + 16 && batch.is_whole_block(first, sample) {
                let at = (usize::from(batch.at[first]) * 4) & (TILE_AREA - 64);
                planes[w].0[at..at + 64].copy_from_slice(&from[w].0[first * 4..first * 4 + 64]);
            } else {
                scatter_quads(&from[w], batch, &batch.live[sample], first..next, &mut planes[w], bits);
            }
            first = next;
        }
    }
}

#[inline(always)]
fn scatter_quads(
    from: &Block,
    batch: &Batch,
    live: &[u8; QUADS],
    quads: std::ops::Range<usize>,
    plane: &mut TilePlane,
    bits: u32,
) {
    let from = from.0.as_chunks::<4>().0;
    let to = plane.0.as_chunks_mut::<4>().0;
    for quad in quads {
        let (lanes, stored) = (&from[quad], &mut to[usize::from(batch.at[quad]) & (TILE_AREA / 4 - 1)]);
        if live[quad] == 15 && bits == u32::MAX {
            *stored = *lanes;
        } else {
            for lane in 0..4 {
                let bits = if live[quad] >> lane & 1 == 1 { bits } else { 0 };
                stored[lane] = stored[lane] & !bits | lanes[lane] & bits;
            }
        }
    }
}
