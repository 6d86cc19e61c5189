//! Depth: the early test of covered blocks, and the bounds that reject whole blocks.
//!
//! In: covered blocks, a depth plane, the tile's depth. Out: masks without the samples that fail; depth written. Depth
//! of `Depth16Unorm` is held as the integer 0 ..= 65535 in f32, so that one comparison serves all formats.

use stillframe_base::lanes::{Isa, per_isa};
use wgpu_types::CompareFunction;

use super::bits;
use super::cover::Blocks;
use super::order::{BLOCKS, ROW_X, ROW_Y, TILE_AREA};
use super::setup::Plane;

/// One 32-bit value a pixel of a tile, in the tile's order.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct TilePlane(pub [u32; TILE_AREA]);

impl TilePlane {
    pub fn boxed() -> Box<TilePlane> {
        Box::new(TilePlane([0; TILE_AREA]))
    }
    #[inline(always)]
    pub fn as_f32(&self) -> &[f32; TILE_AREA] {
        bytemuck::cast_ref(&self.0)
    }
    #[inline(always)]
    pub fn as_f32_mut(&mut self) -> &mut [f32; TILE_AREA] {
        bytemuck::cast_mut(&mut self.0)
    }
}

/// What the depth of a block lies between, for all its samples. Never too narrow.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub low: [f32; BLOCKS],
    pub high: [f32; BLOCKS],
    /// Partial writes since the bounds were last measured.
    pub age: [u8; BLOCKS],
}

impl Bounds {
    pub fn splat(depth: f32) -> Bounds {
        Bounds { low: [depth; BLOCKS], high: [depth; BLOCKS], age: [0; BLOCKS] }
    }
    /// Nothing is known: measured at the next partial write.
    pub fn unknown() -> Bounds {
        Bounds { low: [f32::NEG_INFINITY; BLOCKS], high: [f32::INFINITY; BLOCKS], age: [MEASURE_AFTER; BLOCKS] }
    }
    /// Takes in a depth that was written to `block`.
    pub fn widen(&mut self, block: usize, z: f32) {
        if z < self.low[block] {
            self.low[block] = z;
        }
        if z > self.high[block] {
            self.high[block] = z;
        }
    }
}

/// After so many partial writes a block is measured again.
const MEASURE_AFTER: u8 = 12;

/// The state of a depth test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthTest {
    pub compare: CompareFunction,
    pub write: bool,
    /// The viewport's range.
    pub min: f32,
    pub max: f32,
    /// `Depth16Unorm`.
    pub quantise: bool,
}

impl DepthTest {
    /// A sample's depth as it is compared and stored.
    #[inline(always)]
    pub fn clean(&self, z: f32) -> f32 {
        let z = clamp(z, self.min, self.max);
        if self.quantise { quantise(z) } else { z }
    }
}

/// `z` within the range; NaN is `min`.
#[inline(always)]
pub fn clamp(z: f32, min: f32, max: f32) -> f32 {
    let z = if z >= min { z } else { min };
    if z > max { max } else { z }
}

#[inline(always)]
pub fn quantise(z: f32) -> f32 {
    (z * 65535.0 + 0.5).floor()
}

/// `a compare b`.
#[inline(always)]
pub fn holds<T: PartialOrd>(compare: CompareFunction, a: T, b: T) -> bool {
    match compare {
        CompareFunction::Never => false,
        CompareFunction::Less => a < b,
        CompareFunction::Equal => a == b,
        CompareFunction::LessEqual => a <= b,
        CompareFunction::Greater => a > b,
        CompareFunction::NotEqual => a != b,
        CompareFunction::GreaterEqual => a >= b,
        CompareFunction::Always => true,
    }
}

/// Everything a test reads but the depth itself.
#[derive(Clone, Copy, Debug)]
pub struct DepthJob<'a> {
    pub plane: &'a Plane,
    pub test: &'a DepthTest,
    /// By sample, offsets in pixels at which the plane is evaluated.
    pub offsets: &'a [[f32; 2]],
    /// False: masks only, nothing is written whatever the test says.
    pub commit: bool,
}

per_isa! {
    /// Tests the samples in `blocks` and takes out those that fail; writes those that pass. `planes`: one a sample.
    pub fn test_blocks(blocks: &mut Blocks, job: &DepthJob<'_>, planes: &mut [Box<TilePlane>], bounds: &mut Bounds) {
        match (job.test.compare, job.test.quantise) {
            (CompareFunction::Never, _) => blocks.count = 0,
            (CompareFunction::Less, false) => test::<LEVEL, 1, false>(blocks, job, planes, bounds),
            (CompareFunction::Equal, false) => test::<LEVEL, 2, false>(blocks, job, planes, bounds),
            (CompareFunction::LessEqual, false) => test::<LEVEL, 3, false>(blocks, job, planes, bounds),
            (CompareFunction::Greater, false) => test::<LEVEL, 4, false>(blocks, job, planes, bounds),
            (CompareFunction::NotEqual, false) => test::<LEVEL, 5, false>(blocks, job, planes, bounds),
            (CompareFunction::GreaterEqual, false) => test::<LEVEL, 6, false>(blocks, job, planes, bounds),
            (CompareFunction::Always, false) => test::<LEVEL, 7, false>(blocks, job, planes, bounds),
            (CompareFunction::Less, true) => test::<LEVEL, 1, true>(blocks, job, planes, bounds),
            (CompareFunction::Equal, true) => test::<LEVEL, 2, true>(blocks, job, planes, bounds),
            (CompareFunction::LessEqual, true) => test::<LEVEL, 3, true>(blocks, job, planes, bounds),
            (CompareFunction::Greater, true) => test::<LEVEL, 4, true>(blocks, job, planes, bounds),
            (CompareFunction::NotEqual, true) => test::<LEVEL, 5, true>(blocks, job, planes, bounds),
            (CompareFunction::GreaterEqual, true) => test::<LEVEL, 6, true>(blocks, job, planes, bounds),
            (CompareFunction::Always, true) => test::<LEVEL, 7, true>(blocks, job, planes, bounds),
        }
    }
}

#[inline(always)]
fn passes<const OP: u8>(z: f32, stored: f32) -> bool {
    match OP {
        1 => z < stored,
        2 => z == stored,
        3 => z <= stored,
        4 => z > stored,
        5 => z != stored,
        6 => z >= stored,
        _ => true,
    }
}

/// Whether no depth in `low..=high` can pass against a block within `stored_low..=stored_high`.
#[inline(always)]
fn hopeless<const OP: u8>(low: f32, high: f32, stored_low: f32, stored_high: f32) -> bool {
    match OP {
        1 => low >= stored_high,
        2 => low > stored_high || high < stored_low,
        3 => low > stored_high,
        4 => high <= stored_low,
        6 => high < stored_low,
        _ => false,
    }
}

#[inline(always)]
fn test<const LEVEL: u8, const OP: u8, const QUANTISE: bool>(
    blocks: &mut Blocks,
    job: &DepthJob<'_>,
    planes: &mut [Box<TilePlane>],
    bounds: &mut Bounds,
) {
    let DepthTest { write, min, max, .. } = *job.test;
    let write = write && job.commit;
    let plane = *job.plane;
    let samples = planes.len();
    let clean = |z: f32| {
        let z = clamp(z, min, max);
        if QUANTISE { quantise(z) } else { z }
    };
    // Rounding is monotonic: over a block the plane is extreme at two of the corner samples.
    let (mut first, mut last) = (job.offsets[0], job.offsets[0]);
    for at in &job.offsets[1..] {
        for axis in 0..2 {
            first[axis] = first[axis].min(at[axis]);
            last[axis] = last[axis].max(at[axis]);
        }
    }
    let mut kept = 0;
    for k in 0..blocks.count {
        let block = usize::from(blocks.at[k]);
        let (x, y) = (((block & 7) * 8) as f32, ((block >> 3) * 8) as f32);
        let corner = |up: bool| {
            let dx = if (plane.x > 0.0) == up { x + 7.0 + last[0] } else { x + first[0] };
            let dy = if (plane.y > 0.0) == up { y + 7.0 + last[1] } else { y + first[1] };
            clean(plane.at(dx, dy))
        };
        let (low, high) = (corner(false), corner(true));
        if hopeless::<OP>(low, high, bounds.low[block], bounds.high[block]) {
            continue;
        }
        let mut any = 0;
        let mut all = u64::MAX;
        for s in 0..samples {
            let covered = blocks.masks[s][k];
            let mut failed = 0;
            if covered != 0 {
                let stored: &mut [f32; 64] =
                    (&mut planes[s].as_f32_mut()[block * 64..block * 64 + 64]).try_into().expect("64 lanes");
                let (dx0, dy0) = (x + job.offsets[s][0], y + job.offsets[s][1]);
                for r in 0..4 {
                    let part = (covered >> (16 * r)) as u32 & 0xFFFF;
                    if part == 0 {
                        continue;
                    }
                    let row: &mut [f32; 16] = (&mut stored[r * 16..r * 16 + 16]).try_into().expect("16 lanes");
                    let dy1 = dy0 + (2 * r) as f32;
                    let mut z = [0.0; 16];
                    let mut fails = [0i32; 16];
                    for i in Isa::each::<LEVEL>(16) {
                        let (dx, dy) = (dx0 + ROW_X[i] as f32, dy1 + ROW_Y[i] as f32);
                        z[i] = clean(plane.c + (dx * plane.x + dy * plane.y));
                        fails[i] = if passes::<OP>(z[i], row[i]) { 0 } else { -1 };
                    }
                    failed |= bits::negative::<LEVEL>(&fails) << (16 * r);
                    if write {
                        // Bits, not a choice: a choice between two places in memory would be made lane by lane.
                        for i in Isa::each::<LEVEL>(16) {
                            let hit = (part << (31 - i)) as i32 >> 31 & !fails[i];
                            let old = row[i].to_bits();
                            row[i] = f32::from_bits(old ^ (old ^ z[i].to_bits()) & hit as u32);
                        }
                    }
                }
            }
            let mask = covered & !failed;
            blocks.masks[s][kept] = mask;
            any |= mask;
            all &= mask;
        }
        if any == 0 {
            continue;
        }
        blocks.at[kept] = block as u8;
        kept += 1;
        if write {
            // Not a plain comparison: a NaN (planes of overflowing triangles) must not narrow anything.
            let sound = low <= high;
            if all == u64::MAX && sound {
                bounds.low[block] = low;
                bounds.high[block] = high;
                bounds.age[block] = 0;
            } else {
                bounds.widen(block, low);
                bounds.widen(block, high);
                bounds.age[block] = bounds.age[block].saturating_add(1);
                if bounds.age[block] >= MEASURE_AFTER {
                    measure::<LEVEL>(block, planes, bounds);
                }
            }
        }
    }
    blocks.count = kept;
}

/// Sets a block's bounds to what it holds.
#[inline(always)]
fn measure<const LEVEL: u8>(block: usize, planes: &[Box<TilePlane>], bounds: &mut Bounds) {
    let (mut low, mut high) = ([f32::INFINITY; 16], [f32::NEG_INFINITY; 16]);
    for plane in planes {
        for row in plane.as_f32()[block * 64..block * 64 + 64].as_chunks::<16>().0 {
            for i in Isa::each::<LEVEL>(16) {
                low[i] = if row[i] < low[i] { row[i] } else { low[i] };
                high[i] = if row[i] > high[i] { row[i] } else { high[i] };
            }
        }
    }
    bounds.low[block] = low.iter().fold(f32::INFINITY, |a, &b| if b < a { b } else { a });
    bounds.high[block] = high.iter().fold(f32::NEG_INFINITY, |a, &b| if b > a { b } else { a });
    bounds.age[block] = 0;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::order::pixel_of;
    use super::*;

    const OPS: [CompareFunction; 8] = [
        CompareFunction::Never,
        CompareFunction::Less,
        CompareFunction::Equal,
        CompareFunction::LessEqual,
        CompareFunction::Greater,
        CompareFunction::NotEqual,
        CompareFunction::GreaterEqual,
        CompareFunction::Always,
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// A long run of tests, with bounds carried along, equals one comparison a sample.
        #[test]
        fn a_run_of_tests_follows_the_rule(
            runs in prop::collection::vec(
                (0usize..8, prop::array::uniform3(-0.01f32..0.01), 0f32..1.0, any::<u64>(), any::<bool>(), 0u8..3), 1..60),
            samples in prop::sample::select(vec![1usize, 4]),
            quantise in any::<bool>(),
            level in 0usize..6,
        ) {
            let available = Isa::available();
            let isa = available[level % available.len()];
            let offsets: Vec<[f32; 2]> =
                super::super::cover::sample_positions(samples).iter().map(|p| p.map(|v| v as f32 / 256.0)).collect();
            let clear = if quantise { 40000.0 } else { 0.6 };
            let mut planes: Vec<_> = (0..samples).map(|_| TilePlane::boxed()).collect();
            planes.iter_mut().for_each(|p| p.as_f32_mut().fill(clear));
            let mut bounds = Bounds::splat(clear);
            let mut want = vec![vec![clear; 64 * 64]; samples];
            for (op, g, c, mask, write, shape) in runs {
                let plane = Plane { c, x: g[0], y: g[1] };
                let test = DepthTest { compare: OPS[op], write, min: 0.0, max: 1.0, quantise };
                let mut blocks = Blocks { count: 3, ..Blocks::default() };
                blocks.at[..3].copy_from_slice(&[0, 9, 63]);
                for s in 0..samples {
                    for k in 0..3 {
                        blocks.masks[s][k] = match shape { 0 => u64::MAX, 1 => mask.rotate_left(k as u32 + s as u32), _ => 1 };
                    }
                }
                let before = blocks.clone();
                let job = DepthJob { plane: &plane, test: &test, offsets: &offsets, commit: true };
                test_blocks(isa)(&mut blocks, &job, &mut planes, &mut bounds);
                let mut place = 0;
                for k in 0..3 {
                    let block = usize::from(before.at[k]);
                    let mut masks = [0u64; 4];
                    for s in 0..samples {
                        for lane in 0..64 {
                            if before.masks[s][k] >> lane & 1 == 0 { continue; }
                            let index = block * 64 + lane;
                            let (x, y) = pixel_of(index);
                            let (dx, dy) = (x as f32 + offsets[s][0], y as f32 + offsets[s][1]);
                            let mut z = plane.c + (dx * plane.x + dy * plane.y);
                            if !(z >= 0.0) { z = 0.0 } else if z > 1.0 { z = 1.0 }
                            if quantise { z = (z * 65535.0 + 0.5).floor() }
                            if holds(OPS[op], z, want[s][index]) {
                                masks[s] |= 1 << lane;
                                if write { want[s][index] = z; }
                            }
                        }
                    }
                    if masks[..samples].iter().any(|&m| m != 0) {
                        prop_assert_eq!(blocks.at[place], before.at[k]);
                        for s in 0..samples {
                            prop_assert_eq!(blocks.masks[s][place], masks[s]);
                        }
                        place += 1;
                    }
                    for s in 0..samples {
                        for lane in 0..64 {
                            let stored = planes[s].as_f32()[block * 64 + lane];
                            prop_assert_eq!(stored, want[s][block * 64 + lane]);
                            prop_assert!(stored >= bounds.low[block] && stored <= bounds.high[block]);
                        }
                    }
                }
                prop_assert_eq!(blocks.count, place);
            }
        }
    }
}
