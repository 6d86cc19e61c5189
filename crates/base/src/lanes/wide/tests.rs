//! Every back end gives the bits of `Scalar`, operation by operation, zeros, infinities and subnormal numbers included.

use proptest::prelude::*;

use super::*;

/// All operations on two rows and some bytes; NaN, whose bits differ between processors, as one value.
struct All<'a> {
    a: &'a Row,
    b: &'a Row,
    bytes: &'a [u8; ROW],
    out: &'a mut Vec<Row>,
}

impl WideWork for All<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let mut rows = [Row::ZERO; 15];
        for part in 0..ROW / W::WIDTH {
            let (a, b) = (wide.load(self.a, part), wide.load(self.b, part));
            let results = [
                a + b,
                a - b,
                a * b,
                a / b,
                wide.sqrt(a),
                wide.sign(a),
                wide.flip(a, wide.sign(b)),
                wide.select_equal(a, b, a, wide.splat(3.0)),
                wide.select_less(a, b, a, wide.splat(3.0)),
                wide.load_u8(self.bytes, part),
            ];
            for (row, result) in rows.iter_mut().zip(results) {
                wide.store(result, row, part);
            }
        }
        wide.stream(self.a, &mut rows[10]);
        wide.fence();
        let (a, b) = (wide.load_matrix(self.a), wide.load_matrix(self.b));
        wide.store_matrix(wide.multiply(a, b), &mut rows[11]);
        wide.store_matrix(wide.scale_matrix(a, 0.3), &mut rows[12]);
        wide.store_matrix(wide.add_matrices(a, b), &mut rows[13]);
        wide.store_matrix(wide.multiply_loaded(a, self.b), &mut rows[14]);
        self.out.extend(rows);
    }
}

/// Whether any lane is equal, and less: per row, however many vectors it takes.
struct Any<'a>(&'a Row, &'a Row);

impl WideWork for Any<'_> {
    type Out = (bool, bool);
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) -> (bool, bool) {
        let mut found = (false, false);
        for part in 0..ROW / W::WIDTH {
            let (a, b) = (wide.load(self.0, part), wide.load(self.1, part));
            found.0 |= wide.any_equal(a, b);
            found.1 |= wide.any_less(a, b);
        }
        found
    }
}

/// Matrices to lanes and back again.
struct Turn<'a> {
    matrices: &'a [Row; ROW],
    numbers: &'a mut [Row; 12],
    back: &'a mut [Row; ROW],
}

/// Matrices, from a first one on.
struct Matrices<'a>(&'a [Row; ROW], usize);

impl<W: Wide> MatrixSource<W> for Matrices<'_> {
    #[inline(always)]
    fn matrix(&self, wide: W, lane: usize) -> W::Matrix {
        wide.load_matrix(&self.0[self.1 + lane])
    }
}

impl WideWork for Turn<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        for part in 0..ROW / W::WIDTH {
            let numbers = wide.lanes_of_matrices(Matrices(self.matrices, part * W::WIDTH));
            for (row, number) in self.numbers.iter_mut().zip(numbers) {
                wide.store(number, row, part);
            }
            for (lane, matrix) in wide.matrices_of_lanes(numbers).as_ref().iter().enumerate() {
                wide.store_matrix(*matrix, &mut self.back[part * W::WIDTH + lane]);
            }
        }
    }
}

fn bits(rows: &[Row]) -> Vec<u32> {
    rows.iter().flat_map(|row| row.0).map(|x| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() }).collect()
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => -4.0f32..4.0,
        1 => prop::sample::select(vec![0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE, 1e-40, f32::MAX]),
        1 => any::<u32>().prop_map(f32::from_bits),
    ]
}

fn row() -> impl Strategy<Value = Row> {
    prop::array::uniform16(number()).prop_map(Row)
}

proptest! {
    #[test]
    fn every_back_end_gives_the_bits_of_scalar(a in row(), b in row(), bytes in any::<[u8; ROW]>()) {
        let mut want = Vec::new();
        Isa::Scalar.run_wide(All { a: &a, b: &b, bytes: &bytes, out: &mut want });
        for isa in Isa::available() {
            let mut out = Vec::new();
            isa.run_wide(All { a: &a, b: &b, bytes: &bytes, out: &mut out });
            prop_assert_eq!(bits(&out), bits(&want), "{}", isa);
            prop_assert_eq!(isa.run_wide(Any(&a, &b)), Isa::Scalar.run_wide(Any(&a, &b)), "{}", isa);
            prop_assert_eq!(isa.run_wide(Any(&a, &a)), Isa::Scalar.run_wide(Any(&a, &a)), "{}", isa);
        }
    }
}

#[test]
fn matrices_turn_into_lanes_and_back() {
    let matrices: [Row; ROW] = std::array::from_fn(|m| {
        let mut row = Row::IDENTITY;
        (0..12).for_each(|n| row.0[n] = (m * 12 + n) as f32);
        row
    });
    for isa in Isa::available() {
        let (mut numbers, mut back) = ([Row::ZERO; 12], [Row::ZERO; ROW]);
        isa.run_wide(Turn { matrices: &matrices, numbers: &mut numbers, back: &mut back });
        for (n, row) in numbers.iter().enumerate() {
            assert_eq!(row.0, std::array::from_fn::<f32, ROW, _>(|m| (m * 12 + n) as f32), "{isa}: number {n}");
        }
        assert_eq!(back, matrices, "{isa}");
    }
}

#[test]
fn multiply_is_the_product_of_affine_matrices() {
    let a = Row([2.0, 0.0, 0.0, 10.0, 0.0, 3.0, 0.0, 20.0, 0.0, 0.0, 4.0, 30.0, 0.0, 0.0, 0.0, 1.0]);
    let b = Row([0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.0, 0.0, 1.0]);
    let mut out = Vec::new();
    Isa::detect().run_wide(All { a: &a, b: &b, bytes: &[0; ROW], out: &mut out });
    let want = [0.0, 2.0, 0.0, 12.0, 3.0, 0.0, 0.0, 26.0, 0.0, 0.0, 4.0, 42.0, 0.0, 0.0, 0.0, 1.0];
    assert_eq!(out[11], Row(want));
}
