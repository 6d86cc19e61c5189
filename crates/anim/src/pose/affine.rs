//! Affine: matrices by rows, one alone or sixteen in lanes, and a block of joints as such.

use glam::{Affine3A, Mat3A, Vec3A};
use stillframe_base::lanes::{Row, Wide};

use super::JointBlock;

/// An affine matrix: four rows of four floats, the last 0 0 0 1. Columns are the axes and the origin: a point is a
/// column.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(transparent)]
pub struct Affine(pub Row);

impl Affine {
    pub const IDENTITY: Affine = Affine(Row::IDENTITY);
}

impl From<Affine3A> for Affine {
    fn from(from: Affine3A) -> Affine {
        let mut rows = Row::IDENTITY;
        for (i, row) in from.matrix3.transpose().to_cols_array_2d().into_iter().enumerate() {
            rows.0[i * 4..i * 4 + 3].copy_from_slice(&row);
            rows.0[i * 4 + 3] = from.translation[i];
        }
        Affine(rows)
    }
}

impl From<Affine> for Affine3A {
    fn from(from: Affine) -> Affine3A {
        let column = |i: usize| Vec3A::new(from.0.0[i], from.0.0[4 + i], from.0.0[8 + i]);
        Affine3A { matrix3: Mat3A::from_cols(column(0), column(1), column(2)), translation: column(3) }
    }
}

/// An affine matrix in each of sixteen lanes: twelve planes, by rows.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub struct AffineBlock(pub [Row; 12]);

impl AffineBlock {
    pub const ZERO: AffineBlock = AffineBlock([Row::ZERO; 12]);

    /// One lane.
    pub fn lane(&self, lane: usize) -> Affine {
        let mut rows = Row::IDENTITY;
        for (n, row) in self.0.iter().enumerate() {
            rows.0[n] = row.0[lane];
        }
        Affine(rows)
    }

    /// The same matrix in every lane.
    pub fn splat(affine: Affine) -> AffineBlock {
        AffineBlock(std::array::from_fn(|n| Row([affine.0.0[n]; 16])))
    }
}

/// Translation * rotation * scale of a part of a block.
///
/// ```text
/// row x: (1 - (yy + zz)) sx, (xy - wz) sy, (xz + wy) sz, tx      where yy = y (y + y), wz = w (z + z), ...
/// ```
#[inline(always)]
pub fn matrix_of_joint<W: Wide>(wide: W, block: &JointBlock, part: usize) -> [W::F32; 12] {
    let [x, y, z, w] = [
        wide.load(&block.rotation[0], part),
        wide.load(&block.rotation[1], part),
        wide.load(&block.rotation[2], part),
        wide.load(&block.rotation[3], part),
    ];
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let one = wide.splat(1.0);
    let [sx, sy, sz] =
        [wide.load(&block.scale[0], part), wide.load(&block.scale[1], part), wide.load(&block.scale[2], part)];
    [
        (one - (yy + zz)) * sx,
        (xy - wz) * sy,
        (xz + wy) * sz,
        wide.load(&block.translation[0], part),
        (xy + wz) * sx,
        (one - (xx + zz)) * sy,
        (yz - wx) * sz,
        wide.load(&block.translation[1], part),
        (xz - wy) * sx,
        (yz + wx) * sy,
        (one - (xx + yy)) * sz,
        wide.load(&block.translation[2], part),
    ]
}
