//! Interpolate: values of varyings at the lanes of a batch.
//!
//! In: quads with their triangles' planes, values at the vertices. Out: one value a lane. Formulas and order are
//! "Interpolation" of `docs/adapter-rules.md`. Each kernel has a form for a batch of one triangle and one for many.

use stillframe_base::lanes::{Block, Isa, LANES, per_isa};

use super::setup::Plane;

/// Quads of a batch.
pub const QUADS: usize = LANES / 4;

/// The planes of one primitive that weights are made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Planes {
    /// 1/w.
    pub q: Plane,
    /// Perspective weights of vertices 1 and 2, times q.
    pub p: [Plane; 2],
    /// Linear weights.
    pub linear: [Plane; 2],
    /// Depth, with its bias.
    pub z: Plane,
}

/// Values of one varying: at vertex 0, and what vertices 1 and 2 add.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ends {
    pub a0: f32,
    pub d1: f32,
    pub d2: f32,
}

impl Ends {
    #[inline(always)]
    pub fn new(a: [u32; 3]) -> Ends {
        let [a0, a1, a2] = a.map(f32::from_bits);
        Ends { a0, d1: a1 - a0, d2: a2 - a0 }
    }
}

/// Where the lanes of a batch are, in pixels from the tile's corner.
#[derive(Clone, Debug)]
pub struct Positions {
    pub x: Block,
    pub y: Block,
}

type One = fn(&mut [Block; 3], &Planes, &Positions, usize);
type Many = fn(&mut [Block; 3], &[Planes], &[u8; QUADS], &Positions, usize);

/// The kernels of one instruction set. Weights come as (B1, B2, Q).
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    pub perspective_one: One,
    pub perspective_many: Many,
    pub linear_one: One,
    pub linear_many: Many,
    pub value_one: fn(&mut Block, &[Block; 3], &Ends, usize),
    pub value_many: fn(&mut Block, &[Block; 3], &[Ends], &[u8; QUADS], usize),
    pub plane_one: fn(&mut Block, &Plane, &Positions, usize),
    pub centers: fn(&mut Positions, &[u16; QUADS], usize),
}

impl Kernels {
    pub fn new(isa: Isa) -> Kernels {
        Kernels {
            perspective_one: perspective_one(isa),
            perspective_many: perspective_many(isa),
            linear_one: linear_one(isa),
            linear_many: linear_many(isa),
            value_one: value_one(isa),
            value_many: value_many(isa),
            plane_one: plane_one(isa),
            centers: centers(isa),
        }
    }
}

#[inline(always)]
fn lanes_of(quads: usize) -> usize {
    (quads * 4).next_multiple_of(16).min(LANES)
}

per_isa! {
    /// Pixel centres of quads given by their number in the tile.
    fn centers(out: &mut Positions, at: &[u16; QUADS], quads: usize) {
        let x = out.x.as_f32_mut().as_chunks_mut::<4>().0;
        let y = out.y.as_f32_mut().as_chunks_mut::<4>().0;
        for quad in 0..quads.min(QUADS) {
            let at = u32::from(at[quad]);
            let (block, inner) = (at >> 4, at & 15);
            let left = ((block & 7) * 8 + (inner & 3) * 2) as i32 as f32;
            let top = ((block >> 3) * 8 + (inner >> 2) * 2) as i32 as f32;
            x[quad] = [left + 0.5, left + 1.5, left + 0.5, left + 1.5];
            y[quad] = [top + 0.5, top + 0.5, top + 1.5, top + 1.5];
        }
    }

    fn perspective_one(out: &mut [Block; 3], planes: &Planes, at: &Positions, quads: usize) {
        let lanes = lanes_of(quads);
        let [b1, b2, q] = out;
        let (b1, b2, q) = (&mut b1.as_f32_mut()[..lanes], &mut b2.as_f32_mut()[..lanes], &mut q.as_f32_mut()[..lanes]);
        let (x, y) = (&at.x.as_f32()[..lanes], &at.y.as_f32()[..lanes]);
        let planes = *planes;
        for i in Isa::each::<LEVEL>(lanes) {
            let here = planes.q.at(x[i], y[i]);
            let w = 1.0 / here;
            q[i] = here;
            b1[i] = planes.p[0].at(x[i], y[i]) * w;
            b2[i] = planes.p[1].at(x[i], y[i]) * w;
        }
    }

    fn perspective_many(
        out: &mut [Block; 3],
        planes: &[Planes],
        owner: &[u8; QUADS],
        at: &Positions,
        quads: usize,
    ) {
        let [b1, b2, q] = out;
        let b1 = b1.as_f32_mut().as_chunks_mut::<4>().0;
        let b2 = b2.as_f32_mut().as_chunks_mut::<4>().0;
        let q = q.as_f32_mut().as_chunks_mut::<4>().0;
        let (x, y) = (at.x.as_f32().as_chunks::<4>().0, at.y.as_f32().as_chunks::<4>().0);
        for quad in 0..quads.min(QUADS) {
            let planes = &planes[usize::from(owner[quad])];
            for i in Isa::each::<LEVEL>(4) {
                let here = planes.q.at(x[quad][i], y[quad][i]);
                let w = 1.0 / here;
                q[quad][i] = here;
                b1[quad][i] = planes.p[0].at(x[quad][i], y[quad][i]) * w;
                b2[quad][i] = planes.p[1].at(x[quad][i], y[quad][i]) * w;
            }
        }
    }

    fn linear_one(out: &mut [Block; 3], planes: &Planes, at: &Positions, quads: usize) {
        let lanes = lanes_of(quads);
        let (x, y) = (&at.x.as_f32()[..lanes], &at.y.as_f32()[..lanes]);
        for (out, plane) in out.iter_mut().zip(planes.linear) {
            let out = &mut out.as_f32_mut()[..lanes];
            for i in Isa::each::<LEVEL>(lanes) {
                out[i] = plane.at(x[i], y[i]);
            }
        }
    }

    fn linear_many(
        out: &mut [Block; 3],
        planes: &[Planes],
        owner: &[u8; QUADS],
        at: &Positions,
        quads: usize,
    ) {
        let (x, y) = (at.x.as_f32().as_chunks::<4>().0, at.y.as_f32().as_chunks::<4>().0);
        for (k, out) in out.iter_mut().take(2).enumerate() {
            let out = out.as_f32_mut().as_chunks_mut::<4>().0;
            for quad in 0..quads.min(QUADS) {
                let plane = planes[usize::from(owner[quad])].linear[k];
                for i in Isa::each::<LEVEL>(4) {
                    out[quad][i] = plane.at(x[quad][i], y[quad][i]);
                }
            }
        }
    }

    fn value_one(out: &mut Block, weights: &[Block; 3], ends: &Ends, quads: usize) {
        let lanes = lanes_of(quads);
        let out = &mut out.as_f32_mut()[..lanes];
        let (b1, b2) = (&weights[0].as_f32()[..lanes], &weights[1].as_f32()[..lanes]);
        let Ends { a0, d1, d2 } = *ends;
        for i in Isa::each::<LEVEL>(lanes) {
            out[i] = a0 + (b1[i] * d1 + b2[i] * d2);
        }
    }

    fn value_many(out: &mut Block, weights: &[Block; 3], ends: &[Ends], owner: &[u8; QUADS], quads: usize) {
        let out = out.as_f32_mut().as_chunks_mut::<4>().0;
        let (b1, b2) = (weights[0].as_f32().as_chunks::<4>().0, weights[1].as_f32().as_chunks::<4>().0);
        for quad in 0..quads.min(QUADS) {
            let Ends { a0, d1, d2 } = ends[usize::from(owner[quad])];
            for i in Isa::each::<LEVEL>(4) {
                out[quad][i] = a0 + (b1[quad][i] * d1 + b2[quad][i] * d2);
            }
        }
    }

    fn plane_one(out: &mut Block, plane: &Plane, at: &Positions, quads: usize) {
        let lanes = lanes_of(quads);
        let out = &mut out.as_f32_mut()[..lanes];
        let (x, y) = (&at.x.as_f32()[..lanes], &at.y.as_f32()[..lanes]);
        let plane = *plane;
        for i in Isa::each::<LEVEL>(lanes) {
            out[i] = plane.at(x[i], y[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::order::pixel_of;
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// All forms of all levels agree with the formula, lane by lane.
        #[test]
        fn kernels_follow_the_formula(
            seed in prop::collection::vec(-2f32..2.0, 18 * 3),
            at in prop::collection::vec(0u16..1024, QUADS),
            quads in 1usize..=QUADS,
        ) {
            let plane = |k: usize| Plane { c: seed[k], x: seed[k + 1] * 0.1, y: seed[k + 2] * 0.1 };
            let planes: Vec<Planes> = (0..3)
                .map(|t| {
                    let k = t * 18;
                    Planes { q: plane(k), p: [plane(k + 3), plane(k + 6)], linear: [plane(k + 9), plane(k + 12)], z: plane(k + 15) }
                })
                .collect();
            let ends: Vec<Ends> = (0..3).map(|t| Ends { a0: seed[t], d1: seed[t + 9], d2: seed[t + 20] }).collect();
            let at: [u16; QUADS] = at.try_into().expect("64");
            for isa in Isa::available() {
                let k = Kernels::new(isa);
                for owner in [[0u8; QUADS], std::array::from_fn(|i| (i % 3) as u8)] {
                    let one = owner == [0; QUADS];
                    let mut positions = Positions { x: Block::ZERO, y: Block::ZERO };
                    (k.centers)(&mut positions, &at, quads);
                    let zero = || [Block::ZERO; 3];
                    let (mut persp, mut linear, mut value) = (zero(), zero(), Block::ZERO);
                    if one {
                        (k.perspective_one)(&mut persp, &planes[0], &positions, quads);
                        (k.linear_one)(&mut linear, &planes[0], &positions, quads);
                        (k.value_one)(&mut value, &persp, &ends[0], quads);
                    } else {
                        (k.perspective_many)(&mut persp, &planes, &owner, &positions, quads);
                        (k.linear_many)(&mut linear, &planes, &owner, &positions, quads);
                        (k.value_many)(&mut value, &persp, &ends, &owner, quads);
                    }
                    for lane in 0..quads * 4 {
                        let (px, py) = pixel_of(usize::from(at[lane / 4]) * 4 + lane % 4);
                        let (dx, dy) = (px as f32 + 0.5, py as f32 + 0.5);
                        let t = usize::from(owner[lane / 4]);
                        let f = |p: &Plane| p.c + (dx * p.x + dy * p.y);
                        let w = 1.0 / f(&planes[t].q);
                        let (b1, b2) = (f(&planes[t].p[0]) * w, f(&planes[t].p[1]) * w);
                        let want = [
                            (persp[2].0[lane], f(&planes[t].q)),
                            (persp[0].0[lane], b1),
                            (persp[1].0[lane], b2),
                            (linear[0].0[lane], f(&planes[t].linear[0])),
                            (linear[1].0[lane], f(&planes[t].linear[1])),
                            (value.0[lane], ends[t].a0 + (b1 * ends[t].d1 + b2 * ends[t].d2)),
                        ];
                        for (got, want) in want {
                            prop_assert!(got == want.to_bits() || want.is_nan() && f32::from_bits(got).is_nan(), "{isa}");
                        }
                    }
                }
            }
        }
    }
}
