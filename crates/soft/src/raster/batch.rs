//! Batch: quads of many primitives of one draw, packed until a block of lanes is full, then shaded together.
//!
//! In: covered blocks of primitives. Out: filled inputs of the fragment program. Lane = quad * 4 + (y & 1) * 2 + (x &
//! 1).

use stillframe_base::lanes::{Block, LANES, LaneMask};

use super::chunk::Chunk;
use super::cover::{Blocks, sample_positions};
use super::depth::clamp;
use super::interpolate::{Ends, Planes, Positions, QUADS};
use super::plan::{Fill, Plan, Shade, Shape, When, Where};
use super::scene::{DrawState, Kernels};
use super::setup::Plane;
use crate::exec::Machine;

/// A primitive that owns quads of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Owner {
    /// Index of its chunk, and where its vertices' words start there.
    pub chunk: u32,
    pub varyings_at: [u32; 3],
    pub is_front: bool,
    pub primitive: u32,
}

/// Quads waiting to be shaded.
#[derive(Debug)]
pub struct Batch {
    pub count: usize,
    /// Numbers of the quads in the tile.
    pub at: [u16; QUADS],
    /// Index into `owners` and `planes`.
    pub owner: [u8; QUADS],
    /// By sample, four bits a quad: lanes that may write.
    pub live: [[u8; QUADS]; 4],
    /// By sample: lanes covered before masks and tests. Kept only where a program asks.
    pub cover: [[u8; QUADS]; 4],
    pub owners: Vec<Owner>,
    pub planes: Vec<Planes>,
    scratch: Box<Scratch>,
}

#[derive(Debug)]
struct Scratch {
    center: Positions,
    moved: Positions,
    /// By weights' index: B1, B2, Q.
    weights: [[Block; 3]; 6],
    value: Block,
    ends: Vec<Ends>,
}

impl Default for Batch {
    fn default() -> Batch {
        let positions = Positions { x: Block::ZERO, y: Block::ZERO };
        Batch {
            count: 0,
            at: [0; QUADS],
            owner: [0; QUADS],
            live: [[0; QUADS]; 4],
            cover: [[0; QUADS]; 4],
            owners: Vec::with_capacity(QUADS),
            planes: Vec::with_capacity(QUADS),
            scratch: Box::new(Scratch {
                center: positions.clone(),
                moved: positions,
                weights: [[Block::ZERO; 3]; 6],
                value: Block::ZERO,
                ends: Vec::with_capacity(QUADS),
            }),
        }
    }
}

/// Where packing of a primitive's blocks stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    block: usize,
    /// Quads of the block that are packed.
    done: u32,
}

impl Batch {
    pub fn clear(&mut self) {
        self.count = 0;
        self.owners.clear();
        self.planes.clear();
    }

    /// Packs quads of one primitive until `limit` quads are in the batch; true when the primitive is done. `cover`:
    /// masks of the same blocks before tests, where wanted.
    pub fn pack(
        &mut self,
        blocks: &Blocks,
        cover: Option<&Blocks>,
        samples: usize,
        owner: &Owner,
        planes: &Planes,
        limit: usize,
        progress: &mut Progress,
    ) -> bool {
        let limit = limit.min(QUADS);
        if progress.block >= blocks.count {
            return true;
        }
        if self.count >= limit {
            return false;
        }
        let slot = self.owners.len() as u8;
        self.owners.push(*owner);
        self.planes.push(*planes);
        while progress.block < blocks.count {
            let k = progress.block;
            let is_full = blocks.masks[..samples].iter().all(|masks| masks[k] == u64::MAX);
            if is_full && progress.done == 0 && cover.is_none() && self.count + 16 <= limit {
                self.push_block(blocks.at[k], slot, samples);
                progress.block += 1;
                continue;
            }
            let mut any = blocks.masks[0][k];
            for masks in &blocks.masks[1..samples] {
                any |= masks[k];
            }
            let mut quads = any | any >> 1;
            quads = (quads | quads >> 2) & 0x1111_1111_1111_1111;
            quads &= u64::MAX.checked_shl(4 * progress.done).unwrap_or(0);
            let base = u16::from(blocks.at[k]) * 16;
            while quads != 0 {
                if self.count >= limit {
                    return false;
                }
                let bit = quads.trailing_zeros();
                quads &= quads - 1;
                let at = self.count;
                self.at[at] = base + (bit / 4) as u16;
                self.owner[at] = slot;
                for s in 0..samples {
                    self.live[s][at] = (blocks.masks[s][k] >> bit) as u8 & 15;
                }
                if let Some(cover) = cover {
                    // The blocks that tests dropped whole are gone from `blocks`: look the block up.
                    let from = cover.at[..cover.count].partition_point(|&block| block < blocks.at[k]);
                    for s in 0..samples {
                        self.cover[s][at] = (cover.masks[s][from] >> bit) as u8 & 15;
                    }
                }
                self.count += 1;
                progress.done = bit / 4 + 1;
            }
            progress.block += 1;
            progress.done = 0;
        }
        true
    }

    /// Appends all quads of a block, wholly live.
    fn push_block(&mut self, block: u8, slot: u8, samples: usize) {
        let quads = self.count..self.count + 16;
        let base = u16::from(block) * 16;
        for (at, number) in self.at[quads.clone()].iter_mut().zip(base..) {
            *at = number;
        }
        self.owner[quads.clone()].fill(slot);
        for live in &mut self.live[..samples] {
            live[quads.clone()].fill(15);
        }
        self.count += 16;
    }

    /// The lanes that are live in any of `samples`.
    pub fn covered(&self, samples: std::ops::Range<usize>) -> LaneMask {
        let mut covered = LaneMask::NONE;
        for live in &self.live[samples] {
            for (word, quads) in covered.0.iter_mut().zip(live.as_chunks::<16>().0) {
                let [low, high]: [[u8; 8]; 2] = bytemuck::cast(*quads);
                *word |= nibbles(u64::from_le_bytes(low)) | nibbles(u64::from_le_bytes(high)) << 32;
            }
        }
        covered & LaneMask::first_n(self.count * 4)
    }

    /// Whether quads `first .. first + 16` are those of a block in order, all live in `sample`.
    #[inline(always)]
    pub fn is_whole_block(&self, first: usize, sample: usize) -> bool {
        let (Some(at), Some(live)) = (self.at.get(first..first + 16), self.live[sample].get(first..first + 16)) else {
            return false;
        };
        let in_order = at.iter().zip(at[0]..).fold(at[0] & 15, |odd, (&at, want)| odd | (at ^ want)) == 0;
        in_order && live.iter().fold(15, |all, &live| all & live) == 15
    }

    /// Writes the fragment program's inputs. `sample`: the one that is shaded, in per-sample shading.
    pub fn fill(
        &mut self,
        machine: &mut Machine,
        kernels: &Kernels,
        plan: &Plan,
        shade: &Shade,
        state: &DrawState,
        chunks: &[Box<Chunk>],
        tile: [usize; 2],
        samples: usize,
        sample: Option<usize>,
    ) {
        let count = self.count;
        let Scratch { center, moved, weights, value, ends } = &mut *self.scratch;
        let k = &kernels.interpolate;
        (k.centers)(center, &self.at, count);
        let one = self.owners.len() == 1;
        let spread = plan.shape == Shape::Triangle;
        let mut are_centroids = false;
        for index in (0..6).filter(|&index| shade.weights[index]) {
            let at = match index % 3 {
                c if c == Where::Centroid as usize && spread => {
                    if !are_centroids {
                        let seen = if plan.tests.when == When::Early { &self.live } else { &self.cover };
                        centroids(moved, center, seen, count, samples);
                        are_centroids = true;
                    }
                    &*moved
                }
                c if c == Where::Sample as usize && spread && sample.is_some() => {
                    are_centroids = false;
                    shift(moved, center, sample_positions(samples)[sample.unwrap_or(0)], count);
                    &*moved
                }
                _ => &*center,
            };
            match (index < 3, one) {
                (true, true) => (k.perspective_one)(&mut weights[index], &self.planes[0], at, count),
                (true, false) => (k.perspective_many)(&mut weights[index], &self.planes, &self.owner, at, count),
                (false, true) => (k.linear_one)(&mut weights[index], &self.planes[0], at, count),
                (false, false) => (k.linear_many)(&mut weights[index], &self.planes, &self.owner, at, count),
            }
        }
        let word = |owner: &Owner, vertex: usize, varying: usize| {
            chunks[owner.chunk as usize].varyings[owner.varyings_at[vertex] as usize + varying]
        };
        let words = |owner: &Owner, varying: usize| {
            let varyings = &chunks[owner.chunk as usize].varyings[..];
            let at = |v: usize| varyings[owner.varyings_at[v] as usize + varying];
            [at(0), at(1), at(2)]
        };
        // `position` is at the sample in per-sample shading.
        let shifted = sample.filter(|_| spread);
        for input in &shade.inputs {
            let out = machine.reg_mut(input.reg);
            match input.fill {
                Fill::Weighted { weights: index, varying } if one => {
                    let owner = &self.owners[0];
                    let ends = Ends::new(words(owner, varying));
                    (k.value_one)(out, &weights[index], &ends, count);
                }
                Fill::Weighted { weights: index, varying } => {
                    ends.clear();
                    ends.extend(self.owners.iter().map(|owner| Ends::new(words(owner, varying))));
                    (k.value_many)(out, &weights[index], ends, &self.owner, count);
                }
                Fill::Flat { varying } => {
                    self::by_owner(out, &self.owner, count, |slot| word(&self.owners[slot], 0, varying))
                }
                Fill::Position(component) => {
                    let at = match shifted {
                        Some(sample) => {
                            shift(moved, center, sample_positions(samples)[sample], count);
                            &*moved
                        }
                        None => &*center,
                    };
                    match component {
                        0 => offset(out, &at.x, tile[0] as f32, count),
                        1 => offset(out, &at.y, tile[1] as f32, count),
                        2 => {
                            planes_at(value, &self.planes, &self.owner, at, count, |p| &p.z, k.plane_one);
                            let (min, max) = (state.test.min, state.test.max);
                            for lane in 0..count * 4 {
                                out.as_f32_mut()[lane] = clamp(value.as_f32()[lane], min, max);
                            }
                        }
                        _ => planes_at(out, &self.planes, &self.owner, at, count, |p| &p.q, k.plane_one),
                    }
                }
                Fill::FrontFacing => by_owner(out, &self.owner, count, |slot| u32::from(self.owners[slot].is_front)),
                Fill::PrimitiveIndex => by_owner(out, &self.owner, count, |slot| self.owners[slot].primitive),
                Fill::SampleIndex => out.0.fill(sample.unwrap_or(0) as u32),
                Fill::SampleMask => {
                    for lane in 0..count * 4 {
                        let bits = cover_bits(&self.cover, lane, samples);
                        out.0[lane] = sample.map_or(bits, |sample| bits & 1 << sample);
                    }
                }
                Fill::Zero => out.0.fill(0),
            }
        }
    }
}

/// The low four bits of eight bytes, side by side.
#[inline(always)]
fn nibbles(bytes: u64) -> u64 {
    let pairs = (bytes | bytes >> 4) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF;
    (fours | fours >> 16) & 0xFFFF_FFFF
}

/// The covered samples of a lane, a bit each.
fn cover_bits(cover: &[[u8; QUADS]; 4], lane: usize, samples: usize) -> u32 {
    (0..samples).fold(0, |bits, s| bits | u32::from(cover[s][lane / 4] >> (lane & 3) & 1) << s)
}

fn by_owner(out: &mut Block, owner: &[u8; QUADS], count: usize, f: impl Fn(usize) -> u32) {
    for (quad, lanes) in out.0.as_chunks_mut::<4>().0[..count].iter_mut().enumerate() {
        *lanes = [f(usize::from(owner[quad])); 4];
    }
}

fn offset(out: &mut Block, from: &Block, by: f32, count: usize) {
    for lane in 0..count * 4 {
        out.as_f32_mut()[lane] = from.as_f32()[lane] + by;
    }
}

/// Centres moved to a sample position. Exact: multiples of 1/16 pixel below 64.
fn shift(out: &mut Positions, center: &Positions, at: [i32; 2], count: usize) {
    offset(&mut out.x, &center.x, (at[0] - 128) as f32 / 256.0, count);
    offset(&mut out.y, &center.y, (at[1] - 128) as f32 / 256.0, count);
}

fn centroids(out: &mut Positions, center: &Positions, cover: &[[u8; QUADS]; 4], count: usize, samples: usize) {
    let positions = sample_positions(samples);
    let whole = (1 << samples) - 1;
    let offsets: [[f32; 2]; 16] = std::array::from_fn(|bits| {
        let is_part = bits != 0 && bits < whole;
        let at = if is_part { positions[bits.trailing_zeros() as usize] } else { [128, 128] };
        at.map(|at| (at - 128) as f32 / 256.0)
    });
    let lanes = count * 4;
    out.x.0[..lanes].copy_from_slice(&center.x.0[..lanes]);
    out.y.0[..lanes].copy_from_slice(&center.y.0[..lanes]);
    for quad in 0..count {
        if cover[..samples].iter().all(|sample| sample[quad] == 15) {
            continue;
        }
        for lane in quad * 4..quad * 4 + 4 {
            let [x, y] = offsets[cover_bits(cover, lane, samples) as usize];
            out.x.as_f32_mut()[lane] += x;
            out.y.as_f32_mut()[lane] += y;
        }
    }
}

fn planes_at(
    out: &mut Block,
    planes: &[Planes],
    owner: &[u8; QUADS],
    at: &Positions,
    count: usize,
    pick: impl Fn(&Planes) -> &Plane,
    plane_one: fn(&mut Block, &Plane, &Positions, usize),
) {
    if let [planes] = planes {
        plane_one(out, pick(planes), at, count);
        return;
    }
    debug_assert!(count * 4 <= LANES, "{count} quads");
    for lane in 0..count * 4 {
        let plane = pick(&planes[usize::from(owner[lane / 4])]);
        out.as_f32_mut()[lane] = plane.at(at.x.as_f32()[lane], at.y.as_f32()[lane]);
    }
}
