//! Dual: skinning with dual quaternions, which keeps volume where limbs twist.
//!
//! Source: Kavan, Collins, Žára and O'Sullivan, "Geometric Skinning with Approximate Dual Quaternion Blending", ACM
//! Transactions on Graphics 27 (4), 2008: the linear blend, and of its two phases (scale, then motion) the case of even
//! scales. Changed:
//! - Of the two quaternions of a rotation that one is taken which is nearer to the vertex's first joint (the paper
//!   leaves the choice of the pivot open). [`InfluenceList`](super::InfluenceList) puts the heaviest first: the sum is
//!   then never 0.
//! - The blend becomes a matrix of 12 numbers, so that what follows is that of all skins.
//! - The part of the dual half that is not perpendicular to the real one is not removed: it falls out of the
//!   translation.

use stillframe_base::lanes::{Isa, ROW, Wide};

use super::sums::{DualLanes, Sets};
use super::vertex::{LENGTH_SQUARED_MIN, MoveBlock, move_blocks, transform, unit_factor};
use super::{Directions, DualJoint, InfluenceBlock, MeshInfluences, VertexBlock};
use crate::pose::{JobError, check_finite, check_length};

/// Moves vertices by blended dual quaternions.
///
/// ```text
/// s_k = -1 where real[jk] . real[j0] < 0, else 1
/// (q, d) = sum of w_k s_k (real[jk], dual[jk]), both divided by |q|;  scale = sum of w_k scale[jk]
/// m = translation(2 d conj(q)) rotation(q) scale
/// position = m * position, normal = m * normal, tangent = m * tangent (see Directions)
/// ```
///
/// Shapes: as [`SkinMesh`](super::SkinMesh). Its first influence should be a vertex's heaviest.
pub struct SkinDualQuaternion<'a> {
    pub isa: Isa,
    /// Of [`dual_palette`](super::dual_palette).
    pub palette: &'a [DualJoint],
    pub influences: MeshInfluences<'a>,
    pub directions: Directions,
    pub vertices: &'a [VertexBlock],
    pub out: &'a mut [VertexBlock],
}

impl SkinDualQuaternion<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        self.influences.validate(self.palette.len())?;
        check_finite("palette", bytemuck::cast_slice(self.palette))?;
        check_finite("vertices", bytemuck::cast_slice(self.vertices))
    }

    fn check_shape(&self) -> Result<(), JobError> {
        self.influences.check_shape(self.vertices.len())?;
        check_length("blocks written", self.out.len(), self.vertices.len())
    }

    /// Writes `out`. Panics where lengths differ or a joint is none of the palette's.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        match InfluenceBlock::sets_for(self.influences.count) {
            1 => self.run_with::<1>(),
            2 => self.run_with::<2>(),
            _ => self.run_with::<0>(),
        }
    }

    fn run_with<const SETS: usize>(self) {
        let SkinDualQuaternion { isa, palette, influences, directions, vertices, out } = self;
        let sets = Sets::<SETS>::new(influences.blocks, influences.count);
        move_blocks(isa, Mover { palette, sets, directions }, vertices, out);
    }
}

struct Mover<'a, const SETS: usize> {
    palette: &'a [DualJoint],
    sets: Sets<'a, SETS>,
    directions: Directions,
}

impl<const SETS: usize> MoveBlock for Mover<'_, SETS> {
    #[inline(always)]
    fn move_block<W: Wide>(&self, wide: W, block: usize, from: &VertexBlock, to: &mut VertexBlock) {
        let sets = self.sets.of(block);
        for part in 0..ROW / W::WIDTH {
            let part = wide.each(part);
            let lanes = DualLanes::<SETS> { palette: self.palette, sets, first: part * W::WIDTH };
            let blended = wide.lanes_of_matrices(lanes);
            transform(wide, matrix_of_dual(wide, &blended), self.directions, from, part, to);
        }
    }
}

/// Three rows of the turn of a unit quaternion times a scale; the fourth column is left to the caller.
#[inline(always)]
pub(super) fn turn_of<W: Wide>(wide: W, [x, y, z, w]: [W::F32; 4], scale: W::F32) -> [[W::F32; 3]; 3] {
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let one = wide.splat(1.0);
    [
        [(one - (yy + zz)) * scale, (xy - wz) * scale, (xz + wy) * scale],
        [(xy + wz) * scale, (one - (xx + zz)) * scale, (yz - wx) * scale],
        [(xz - wy) * scale, (yz + wx) * scale, (one - (xx + yy)) * scale],
    ]
}

/// The real quaternion of a blend, made unit, and what it was multiplied with.
#[inline(always)]
pub(super) fn unit_real<W: Wide>(wide: W, n: &[W::F32; 12]) -> ([W::F32; 4], W::F32) {
    let factor = unit_factor(wide, ((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]) + n[3] * n[3]);
    ([n[0] * factor, n[1] * factor, n[2] * factor, n[3] * factor], factor)
}

/// Twelve numbers of the matrix that a blend is.
#[inline(always)]
pub(super) fn matrix_of_dual<W: Wide>(wide: W, n: &[W::F32; 12]) -> [W::F32; 12] {
    let ([x, y, z, w], factor) = unit_real(wide, n);
    let [dx, dy, dz, dw] = [n[4] * factor, n[5] * factor, n[6] * factor, n[7] * factor];
    let two = wide.splat(2.0);
    let [a, b, c] = turn_of(wide, [x, y, z, w], n[8]);
    let tx = two * ((w * dx - dw * x) + (y * dz - z * dy));
    let ty = two * ((w * dy - dw * y) + (z * dx - x * dz));
    let tz = two * ((w * dz - dw * z) + (x * dy - y * dx));
    [a[0], a[1], a[2], tx, b[0], b[1], b[2], ty, c[0], c[1], c[2], tz]
}

/// `turned` in lanes whose blend has a direction, `otherwise` in the others: where joints are none that dual
/// quaternions can say, which then are all zero.
#[inline(always)]
pub(super) fn where_turned<W: Wide>(
    wide: W,
    n: &[W::F32; 12],
    turned: [W::F32; 12],
    otherwise: [W::F32; 12],
) -> [W::F32; 12] {
    let length_squared = ((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]) + n[3] * n[3];
    let min = wide.splat(LENGTH_SQUARED_MIN);
    let mut out = turned;
    for i in 0..12 {
        out[i] = wide.select_less(length_squared, min, otherwise[i], turned[i]);
    }
    out
}
