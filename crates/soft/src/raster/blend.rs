//! Blend: the blend equations of WebGPU for a block of lanes.
//!
//! In: source, second source, constant and decoded destination. Out: the colour to encode. "Output" 6 of
//! `docs/adapter-rules.md`; the order of operations is the rule's.

use stillframe_base::lanes::{Block, Isa, per_isa};
use wgpu_types::{BlendComponent, BlendFactor, BlendOperation, BlendState};

/// What one blend reads.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    pub state: &'a BlendState,
    pub source: [&'a Block; 4],
    pub second: [&'a Block; 4],
    pub constant: [f32; 4],
    /// Lowest value of unorm and snorm targets: inputs are clamped to it and 1.
    pub low: Option<f32>,
    pub lanes: usize,
}

/// Working memory.
#[derive(Clone, Debug)]
pub struct Scratch {
    source: [Block; 4],
    second: [Block; 4],
    out: [Block; 4],
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch { source: [Block::ZERO; 4], second: [Block::ZERO; 4], out: [Block::ZERO; 4] }
    }
}

/// The kernels of one instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    clamp: fn(&mut Block, &Block, f32, usize),
    term: fn(&mut Block, &Block, &Block, bool, usize),
    splat_term: fn(&mut Block, &Block, f32, usize),
    saturated_term: fn(&mut Block, &Block, &Block, &Block, usize),
    combine: fn(&mut Block, &Block, &Block, u8, usize),
    over: fn(&mut Block, &Block, &Block, &Block, usize),
    over_premultiplied: fn(&mut Block, &Block, &Block, &Block, usize),
}

impl Kernels {
    pub fn new(isa: Isa) -> Kernels {
        Kernels {
            clamp: clamp(isa),
            term: term(isa),
            splat_term: splat_term(isa),
            saturated_term: saturated_term(isa),
            combine: combine(isa),
            over: over(isa),
            over_premultiplied: over_premultiplied(isa),
        }
    }
}

/// `c` clamped to `low..=1`; a NaN is 0.
#[inline(always)]
pub fn limited(c: f32, low: f32) -> f32 {
    let c = if c.is_nan() { 0.0 } else { c };
    let c = if c >= low { c } else { low };
    if c > 1.0 { 1.0 } else { c }
}

per_isa! {
    fn clamp(out: &mut Block, value: &Block, low: f32, lanes: usize) {
        let (out, value) = (&mut out.as_f32_mut()[..lanes], &value.as_f32()[..lanes]);
        for i in Isa::each::<LEVEL>(lanes) {
            out[i] = limited(value[i], low);
        }
    }

    /// `out = value * factor`, or `* (1 - factor)`.
    fn term(out: &mut Block, value: &Block, factor: &Block, inverse: bool, lanes: usize) {
        let (out, value, factor) = (&mut out.as_f32_mut()[..lanes], &value.as_f32()[..lanes], &factor.as_f32()[..lanes]);
        if inverse {
            for i in Isa::each::<LEVEL>(lanes) {
                out[i] = value[i] * (1.0 - factor[i]);
            }
        } else {
            for i in Isa::each::<LEVEL>(lanes) {
                out[i] = value[i] * factor[i];
            }
        }
    }

    fn splat_term(out: &mut Block, value: &Block, factor: f32, lanes: usize) {
        let (out, value) = (&mut out.as_f32_mut()[..lanes], &value.as_f32()[..lanes]);
        for i in Isa::each::<LEVEL>(lanes) {
            out[i] = value[i] * factor;
        }
    }

    fn saturated_term(out: &mut Block, value: &Block, source_alpha: &Block, stored_alpha: &Block, lanes: usize) {
        let (out, value) = (&mut out.as_f32_mut()[..lanes], &value.as_f32()[..lanes]);
        let (sa, da) = (&source_alpha.as_f32()[..lanes], &stored_alpha.as_f32()[..lanes]);
        for i in Isa::each::<LEVEL>(lanes) {
            let room = 1.0 - da[i];
            out[i] = value[i] * if room < sa[i] { room } else { sa[i] };
        }
    }

    fn combine(out: &mut Block, from: &Block, to: &Block, operation: u8, lanes: usize) {
        let out = &mut out.as_f32_mut()[..lanes];
        let (from, to) = (&from.as_f32()[..lanes], &to.as_f32()[..lanes]);
        match operation {
            0 => for i in Isa::each::<LEVEL>(lanes) {
                out[i] = from[i] + to[i];
            },
            1 => for i in Isa::each::<LEVEL>(lanes) {
                out[i] = from[i] - to[i];
            },
            2 => for i in Isa::each::<LEVEL>(lanes) {
                out[i] = to[i] - from[i];
            },
            3 => for i in Isa::each::<LEVEL>(lanes) {
                out[i] = if to[i] < from[i] { to[i] } else { from[i] };
            },
            _ => for i in Isa::each::<LEVEL>(lanes) {
                out[i] = if to[i] > from[i] { to[i] } else { from[i] };
            },
        }
    }

    /// `out = source * alpha + out * (1 - alpha)`.
    fn over(out: &mut Block, source: &Block, alpha: &Block, stored: &Block, lanes: usize) {
        let out = &mut out.as_f32_mut()[..lanes];
        let (source, alpha) = (&source.as_f32()[..lanes], &alpha.as_f32()[..lanes]);
        let stored = &stored.as_f32()[..lanes];
        for i in Isa::each::<LEVEL>(lanes) {
            out[i] = source[i] * alpha[i] + stored[i] * (1.0 - alpha[i]);
        }
    }

    /// `out = source + stored * (1 - alpha)`.
    fn over_premultiplied(out: &mut Block, source: &Block, alpha: &Block, stored: &Block, lanes: usize) {
        let out = &mut out.as_f32_mut()[..lanes];
        let (source, alpha) = (&source.as_f32()[..lanes], &alpha.as_f32()[..lanes]);
        let stored = &stored.as_f32()[..lanes];
        for i in Isa::each::<LEVEL>(lanes) {
            out[i] = source[i] + stored[i] * (1.0 - alpha[i]);
        }
    }
}

/// Blends lanes `0..job.lanes`; `stored` is the destination and becomes the result.
pub fn blend(kernels: &Kernels, job: &Job<'_>, stored: &mut [Block; 4], scratch: &mut Scratch) {
    let lanes = job.lanes.next_multiple_of(16).min(stored[0].0.len());
    let Scratch { source, second, out } = scratch;
    let mut constant = job.constant;
    let (source, second) = match job.low {
        Some(low) => {
            constant = constant.map(|c| limited(c, low));
            for k in 0..4 {
                (kernels.clamp)(&mut source[k], job.source[k], low, lanes);
                if uses_second(job.state) {
                    (kernels.clamp)(&mut second[k], job.second[k], low, lanes);
                }
            }
            (source.each_ref(), second.each_ref())
        }
        None => (job.source, job.second),
    };
    let reads = Reads { source, second, stored, constant };
    for c in 0..4 {
        let component = if c == 3 { &job.state.alpha } else { &job.state.color };
        reads.component(kernels, c, component, &mut out[c], lanes);
    }
    for c in 0..4 {
        stored[c].0[..lanes].copy_from_slice(&out[c].0[..lanes]);
    }
}

fn uses_second(state: &BlendState) -> bool {
    [&state.color, &state.alpha]
        .iter()
        .any(|c| c.src_factor.ref_second_blend_source() || c.dst_factor.ref_second_blend_source())
}

struct Reads<'a> {
    source: [&'a Block; 4],
    second: [&'a Block; 4],
    stored: &'a [Block; 4],
    constant: [f32; 4],
}

impl Reads<'_> {
    fn component(&self, kernels: &Kernels, c: usize, blend: &BlendComponent, out: &mut Block, lanes: usize) {
        use BlendFactor as F;
        let (source, stored) = (self.source[c], &self.stored[c]);
        let operation = match blend.operation {
            BlendOperation::Add => 0,
            BlendOperation::Subtract => 1,
            BlendOperation::ReverseSubtract => 2,
            BlendOperation::Min => 3,
            BlendOperation::Max => 4,
        };
        match (blend.src_factor, blend.dst_factor, operation) {
            _ if *blend == BlendComponent::REPLACE => out.0[..lanes].copy_from_slice(&source.0[..lanes]),
            (_, _, 3 | 4) => (kernels.combine)(out, source, stored, operation, lanes),
            (F::SrcAlpha, F::OneMinusSrcAlpha, 0) => (kernels.over)(out, source, self.source[3], stored, lanes),
            (F::One, F::OneMinusSrcAlpha, 0) => {
                (kernels.over_premultiplied)(out, source, self.source[3], stored, lanes);
            }
            _ => {
                let (mut from, mut to) = (Block::ZERO, Block::ZERO);
                self.term(kernels, c, source, blend.src_factor, &mut from, lanes);
                self.term(kernels, c, stored, blend.dst_factor, &mut to, lanes);
                (kernels.combine)(out, &from, &to, operation, lanes);
            }
        }
    }

    fn term(&self, kernels: &Kernels, c: usize, value: &Block, factor: BlendFactor, out: &mut Block, lanes: usize) {
        use BlendFactor as F;
        let mut times = |factor: &Block, inverse: bool| (kernels.term)(out, value, factor, inverse, lanes);
        match factor {
            F::Zero => out.0[..lanes].fill(0),
            F::One => out.0[..lanes].copy_from_slice(&value.0[..lanes]),
            F::SrcAlphaSaturated if c == 3 => out.0[..lanes].copy_from_slice(&value.0[..lanes]),
            F::SrcAlphaSaturated => (kernels.saturated_term)(out, value, self.source[3], &self.stored[3], lanes),
            F::Src => times(self.source[c], false),
            F::OneMinusSrc => times(self.source[c], true),
            F::SrcAlpha => times(self.source[3], false),
            F::OneMinusSrcAlpha => times(self.source[3], true),
            F::Dst => times(&self.stored[c], false),
            F::OneMinusDst => times(&self.stored[c], true),
            F::DstAlpha => times(&self.stored[3], false),
            F::OneMinusDstAlpha => times(&self.stored[3], true),
            F::Src1 => times(self.second[c], false),
            F::OneMinusSrc1 => times(self.second[c], true),
            F::Src1Alpha => times(self.second[3], false),
            F::OneMinusSrc1Alpha => times(self.second[3], true),
            F::Constant => (kernels.splat_term)(out, value, self.constant[c], lanes),
            F::OneMinusConstant => (kernels.splat_term)(out, value, 1.0 - self.constant[c], lanes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTORS: [BlendFactor; 17] = [
        BlendFactor::Zero,
        BlendFactor::One,
        BlendFactor::Src,
        BlendFactor::OneMinusSrc,
        BlendFactor::SrcAlpha,
        BlendFactor::OneMinusSrcAlpha,
        BlendFactor::Dst,
        BlendFactor::OneMinusDst,
        BlendFactor::DstAlpha,
        BlendFactor::OneMinusDstAlpha,
        BlendFactor::SrcAlphaSaturated,
        BlendFactor::Constant,
        BlendFactor::OneMinusConstant,
        BlendFactor::Src1,
        BlendFactor::OneMinusSrc1,
        BlendFactor::Src1Alpha,
        BlendFactor::OneMinusSrc1Alpha,
    ];

    fn run(state: BlendState, s: [f32; 4], s1: [f32; 4], d: [f32; 4], low: Option<f32>, isa: Isa) -> [f32; 4] {
        let block = |v: f32| Block::splat_f32(v);
        let (source, second, mut stored) = (s.map(block), s1.map(block), d.map(block));
        let job = Job {
            state: &state,
            source: source.each_ref(),
            second: second.each_ref(),
            constant: [0.25, 0.5, 0.75, 2.0],
            low,
            lanes: 20,
        };
        blend(&Kernels::new(isa), &job, &mut stored, &mut Scratch::default());
        stored.map(|b| b.as_f32()[19])
    }

    #[test]
    fn factors_and_operations_by_the_table() {
        let (s, s1, d) = ([0.5, -0.25, 3.0, 0.75], [0.1, 0.2, 0.3, 0.4], [0.125, 0.5, 0.25, 0.5]);
        let constant = [0.25, 0.5, 0.75, 2.0];
        let weight = |factor: BlendFactor, c: usize| match factor {
            BlendFactor::Zero => 0.0,
            BlendFactor::One => 1.0,
            BlendFactor::Src => s[c],
            BlendFactor::OneMinusSrc => 1.0 - s[c],
            BlendFactor::SrcAlpha => 0.75,
            BlendFactor::OneMinusSrcAlpha => 0.25,
            BlendFactor::Dst => d[c],
            BlendFactor::OneMinusDst => 1.0 - d[c],
            BlendFactor::DstAlpha | BlendFactor::OneMinusDstAlpha => 0.5,
            BlendFactor::SrcAlphaSaturated => {
                if c == 3 {
                    1.0
                } else {
                    0.5
                }
            }
            BlendFactor::Constant => constant[c],
            BlendFactor::OneMinusConstant => 1.0 - constant[c],
            BlendFactor::Src1 => s1[c],
            BlendFactor::OneMinusSrc1 => 1.0 - s1[c],
            BlendFactor::Src1Alpha => s1[3],
            BlendFactor::OneMinusSrc1Alpha => 1.0 - s1[3],
        };
        for src_factor in FACTORS {
            for dst_factor in FACTORS {
                for operation in [
                    BlendOperation::Add,
                    BlendOperation::Subtract,
                    BlendOperation::ReverseSubtract,
                    BlendOperation::Min,
                    BlendOperation::Max,
                ] {
                    let component = BlendComponent { src_factor, dst_factor, operation };
                    let got = run(BlendState { color: component, alpha: component }, s, s1, d, None, Isa::detect());
                    for c in 0..4 {
                        let (from, to) = (s[c] * weight(src_factor, c), d[c] * weight(dst_factor, c));
                        let want = match operation {
                            BlendOperation::Add => from + to,
                            BlendOperation::Subtract => from - to,
                            BlendOperation::ReverseSubtract => to - from,
                            BlendOperation::Min => s[c].min(d[c]),
                            BlendOperation::Max => s[c].max(d[c]),
                        };
                        assert_eq!(got[c], want, "{component:?} {c}");
                    }
                }
            }
        }
    }

    #[test]
    fn inputs_are_clamped_where_the_target_is() {
        let add = BlendComponent {
            src_factor: BlendFactor::One,
            dst_factor: BlendFactor::One,
            operation: BlendOperation::Add,
        };
        let state = BlendState { color: add, alpha: add };
        for isa in Isa::available() {
            let got = run(state, [2.0, -2.0, f32::NAN, 0.5], [0.0; 4], [0.0; 4], Some(0.0), isa);
            assert_eq!(got, [1.0, 0.0, 0.0, 0.5]);
            let got = run(state, [2.0, -2.0, f32::NAN, 0.5], [0.0; 4], [0.0; 4], Some(-1.0), isa);
            assert_eq!(got, [1.0, -1.0, 0.0, 0.5]);
        }
    }

    #[test]
    fn a_zero_factor_hides_infinity() {
        let c = BlendComponent {
            src_factor: BlendFactor::Zero,
            dst_factor: BlendFactor::One,
            operation: BlendOperation::Add,
        };
        let got = run(BlendState { color: c, alpha: c }, [f32::INFINITY; 4], [0.0; 4], [0.5; 4], None, Isa::detect());
        assert_eq!(got, [0.5; 4]);
    }
}
