//! Texture: calls of `sample` from programs, a block of lanes at a time.

use stillframe_base::lanes::{Block, Isa, LANES, LaneMask};

use super::prepare::Resource;
use crate::program::ir::{CallKind, Sample, SampleLevel};
use crate::sample::{self, Level, Lookup};

/// Operands of a call at most: 3 coordinates, layer, 6 gradients, comparison.
pub const ARGS_MAX: usize = 12;

static ZERO: Block = Block::ZERO;

/// Runs a texture call for one block. `args` holds its operands, `active` the lanes to serve.
pub fn run(
    isa: Isa,
    kind: &CallKind,
    resources: &[Resource],
    args: &[&Block],
    active: &LaneMask,
    out: &mut [Block; 4],
) {
    match *kind {
        CallKind::Sample(s) => lookup(isa, &s, resources, args, active, out),
        CallKind::ImageLoad { texture, coords, arrayed, leveled } => {
            let Resource::Texture(view) = &resources[texture as usize] else { return clear(out) };
            let (coords, rest) = args.split_at(coords as usize);
            let (layer, rest) = optional(arrayed, rest);
            let (level, _) = optional(leveled, rest);
            sample::load(isa, view, three(coords), layer, level, active, out);
        }
        CallKind::ImageStore { texture, coords, arrayed } => {
            let Resource::Texture(view) = &resources[texture as usize] else { return };
            let (coords, rest) = args.split_at(coords as usize);
            let (layer, rest) = optional(arrayed, rest);
            sample::store(view, three(coords), layer, [rest[0], rest[1], rest[2], rest[3]], active);
        }
        CallKind::Atomic { .. } => unreachable!("atomics are memory's"),
    }
}

fn clear(out: &mut [Block; 4]) {
    out.fill(Block([0; LANES]));
}

/// Unused coordinates repeat the first.
fn three<'a>(coords: &[&'a Block]) -> [&'a Block; 3] {
    [coords[0], coords.get(1).unwrap_or(&coords[0]), coords.get(2).unwrap_or(&coords[0])]
}

fn optional<'a, 'b>(there: bool, rest: &'b [&'a Block]) -> (Option<&'a Block>, &'b [&'a Block]) {
    if there { (Some(rest[0]), &rest[1..]) } else { (None, rest) }
}

fn lookup(isa: Isa, s: &Sample, resources: &[Resource], args: &[&Block], active: &LaneMask, out: &mut [Block; 4]) {
    let (Resource::Texture(view), Resource::Sampler(sampler)) =
        (&resources[s.texture as usize], &resources[s.sampler as usize])
    else {
        return clear(out);
    };
    let count = s.coords as usize;
    let (coords, rest) = args.split_at(count);
    let (layer, mut rest) = optional(s.arrayed, rest);
    let mut take = |n: usize| {
        let (front, back) = rest.split_at(n);
        rest = back;
        front
    };
    let level = match s.level {
        SampleLevel::Auto => Level::Auto { bias: None },
        SampleLevel::Bias => Level::Auto { bias: Some(take(1)[0]) },
        SampleLevel::Zero => Level::Zero,
        SampleLevel::Exact => Level::Exact(take(1)[0]),
        SampleLevel::Gradient => {
            let mut axes = || {
                let front = take(count);
                let at = |k: usize| front.get(k).copied().unwrap_or(&ZERO);
                [at(0), at(1), at(2)]
            };
            Level::Gradient { ddx: axes(), ddy: axes() }
        }
    };
    let compare = s.compare.then(|| take(1)[0]);
    let call = Lookup { coords: three(coords), layer, level, offset: s.offset, compare, gather: s.gather };
    sample::lookup(isa, view, sampler, &call, active, out);
}
