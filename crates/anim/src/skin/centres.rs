//! Centres: skinning about optimised centres of rotation, which neither collapses where limbs twist nor bulges where
//! they bend.
//!
//! Source: Le and Hodgins, "Real-time Skeletal Skinning with Optimized Centers of Rotation", ACM Transactions on
//! Graphics 35 (4), 2016. Changed: triangles are found by the pairs of joints that they share with a vertex, which is
//! the same sum in another order, instead of by a search for similar weights; vertices of one joint turn about
//! themselves (any centre gives the same); even scales are blended beside the rotation; where many triangles share a
//! pair, those of nearly the same weights count as one.

use std::collections::BTreeMap;

use glam::DVec3;
use stillframe_base::lanes::{Isa, ROW, Row, Wide};
use stillframe_base::math::ops64;

use super::dual::{turn_of, unit_real, where_turned};
use super::sums::{DualLanes, LinearLanes, Sets};
use super::vertex::{MoveBlock, move_blocks, transform};
use super::{Directions, DualJoint, InfluenceBlock, InfluenceList, MeshInfluences, SkinError, VertexBlock};
use crate::pose::{Affine, JobError, check_finite, check_length, load3};

/// How fast weights that differ stop being alike; the paper's value.
const SIGMA: f64 = 0.1;

/// Triangles that one pair of joints may have before those of nearly the same weights are taken together.
const PATCHES_MAX: usize = 1024;

/// Weights of a pair are nearly the same where they lie in one cell of this many a unit: a third of [`SIGMA`].
const CELLS: f64 = 32.0;

/// The centres of sixteen vertices, three planes, in the space of the mesh.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub struct CentreBlock(pub [Row; 3]);

impl CentreBlock {
    pub const ZERO: CentreBlock = CentreBlock([Row::ZERO; 3]);
}

/// The centre of rotation of every vertex of a mesh, done once at import.
///
/// ```text
/// s(p, t) = sum over pairs of joints j != k of w_pj w_pk w_tj w_tk exp(-(w_pj w_tk - w_pk w_tj)^2 / SIGMA^2)
/// centre(p) = sum over triangles t of s area(t) middle(t) / sum of s area(t)        where w_t is the mean of its corners' weights
/// ```
///
/// Shapes: `vertices` are the mesh's, in blocks, as many as `influences` has.
/// Cost: for each vertex, the triangles that share two joints with it, at most 1024 per pair of joints; vertices with
/// the same influences are computed once.
pub fn centres_of_rotation(
    triangles: &[[u32; 3]],
    vertices: &[VertexBlock],
    influences: &InfluenceList,
) -> Result<Vec<CentreBlock>, SkinError> {
    let count = influences.vertex_count();
    let want = VertexBlock::count_for(count);
    if vertices.len() != want {
        return Err(SkinError::Length { what: "blocks of vertices", count: vertices.len(), want });
    }
    let at = |vertex: usize| {
        DVec3::from_array([0, 1, 2].map(|i| f64::from(vertices[vertex / ROW].position[i].0[vertex % ROW])))
    };
    let by_pair = triangles_by_pair(triangles, influences, at)?;
    let mut out = vec![CentreBlock::ZERO; want];
    let mut done = BTreeMap::<Vec<(u16, u32)>, Option<DVec3>>::new();
    for vertex in 0..count {
        let alike = influences.of(vertex).iter().map(|own| (own.joint, own.weight.to_bits())).collect();
        let of_alike = *done.entry(alike).or_insert_with(|| centre(influences, vertex, &by_pair));
        let centre = of_alike.unwrap_or_else(|| at(vertex));
        for i in 0..3 {
            out[vertex / ROW].0[i].0[vertex % ROW] = centre[i] as f32;
        }
    }
    Ok(out)
}

/// Two joints that share a vertex or a triangle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    low: u16,
    /// Above `low`.
    high: u16,
}

/// A triangle as one of its pairs of joints sees it.
struct Patch {
    weights: [f64; 2],
    area: f64,
    middle: DVec3,
}

fn triangles_by_pair(
    triangles: &[[u32; 3]],
    influences: &InfluenceList,
    at: impl Fn(usize) -> DVec3,
) -> Result<BTreeMap<Pair, Vec<Patch>>, SkinError> {
    let count = influences.vertex_count();
    let mut by_pair = BTreeMap::<Pair, Vec<Patch>>::new();
    for (number, triangle) in triangles.iter().enumerate() {
        let mut weights = BTreeMap::<u16, f64>::new();
        for &vertex in triangle {
            if vertex as usize >= count {
                return Err(SkinError::UnknownVertex { triangle: number, vertex, count });
            }
            for influence in influences.of(vertex as usize) {
                *weights.entry(influence.joint).or_default() += f64::from(influence.weight) / 3.0;
            }
        }
        let [a, b, c] = triangle.map(|vertex| at(vertex as usize));
        let (area, middle) = ((b - a).cross(c - a).length() * 0.5, (a + b + c) / 3.0);
        for (&j, &w_j) in &weights {
            for (&k, &w_k) in weights.range(j + 1..) {
                by_pair.entry(Pair { low: j, high: k }).or_default().push(Patch { weights: [w_j, w_k], area, middle });
            }
        }
    }
    for patches in by_pair.values_mut().filter(|patches| patches.len() > PATCHES_MAX) {
        *patches = taken_together(patches);
    }
    Ok(by_pair)
}

/// Patches of nearly the same weights as one: their area, and their means by area.
fn taken_together(patches: &[Patch]) -> Vec<Patch> {
    let mut cells = BTreeMap::<[u32; 2], Patch>::new();
    for Patch { weights, area, middle } in patches {
        let cell = weights.map(|weight| (weight * CELLS) as u32);
        let sum = cells.entry(cell).or_insert(Patch { weights: [0.0; 2], area: 0.0, middle: DVec3::ZERO });
        (0..2).for_each(|i| sum.weights[i] += weights[i] * area);
        sum.middle += *middle * *area;
        sum.area += area;
    }
    let mean = |sum: Patch| {
        let Patch { weights, area, middle } = sum;
        Patch { weights: weights.map(|weight| weight / area), area, middle: middle / area }
    };
    cells.into_values().filter(|sum| sum.area > 0.0).map(mean).collect()
}

/// None where nothing of the mesh is like the vertex.
fn centre(influences: &InfluenceList, vertex: usize, by_pair: &BTreeMap<Pair, Vec<Patch>>) -> Option<DVec3> {
    let (mut sum, mut weight) = (DVec3::ZERO, 0.0);
    for a in influences.of(vertex) {
        for b in influences.of(vertex).iter().filter(|b| b.joint > a.joint) {
            let (p_j, p_k) = (f64::from(a.weight), f64::from(b.weight));
            for patch in by_pair.get(&Pair { low: a.joint, high: b.joint }).into_iter().flatten() {
                let [t_j, t_k] = patch.weights;
                let off = (p_j * t_k - p_k * t_j) / SIGMA;
                let share = p_j * p_k * t_j * t_k * ops64::exp(-off * off) * patch.area;
                sum += patch.middle * share;
                weight += share;
            }
        }
    }
    (weight > 0.0).then(|| sum / weight)
}

/// Moves vertices by a blended turn about their centres.
///
/// ```text
/// q = sum of w_k s_k real[jk], divided by its length (signs as in SkinDualQuaternion);  scale = sum of w_k scale[jk]
/// l = sum of w_k palette[jk]
/// m = l applied to the centre, + rotation(q) scale (. - centre);  l where q has no length
/// position = m * position, normal = m * normal, tangent = m * tangent (see Directions)
/// ```
///
/// Shapes: as [`SkinMesh`](super::SkinMesh); `rotations` are the palette by [`dual_palette`](super::dual_palette),
///         `centres` as many blocks
/// as there are of vertices.
pub struct SkinCentres<'a> {
    pub isa: Isa,
    pub palette: &'a [Affine],
    pub rotations: &'a [DualJoint],
    pub influences: MeshInfluences<'a>,
    /// Of [`centres_of_rotation`].
    pub centres: &'a [CentreBlock],
    pub directions: Directions,
    pub vertices: &'a [VertexBlock],
    pub out: &'a mut [VertexBlock],
}

impl SkinCentres<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        self.influences.validate(self.palette.len())?;
        check_finite("palette", bytemuck::cast_slice(self.palette))?;
        check_finite("rotations", bytemuck::cast_slice(self.rotations))?;
        check_finite("centres", bytemuck::cast_slice(self.centres))?;
        check_finite("vertices", bytemuck::cast_slice(self.vertices))
    }

    fn check_shape(&self) -> Result<(), JobError> {
        self.influences.check_shape(self.vertices.len())?;
        check_length("rotations", self.rotations.len(), self.palette.len())?;
        check_length("blocks of centres", self.centres.len(), self.vertices.len())?;
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
        let SkinCentres { isa, palette, rotations, influences, centres, directions, vertices, out } = self;
        let sets = Sets::<SETS>::new(influences.blocks, influences.count);
        move_blocks(isa, Mover { palette, rotations, sets, centres, directions }, vertices, out);
    }
}

struct Mover<'a, const SETS: usize> {
    palette: &'a [Affine],
    rotations: &'a [DualJoint],
    sets: Sets<'a, SETS>,
    centres: &'a [CentreBlock],
    directions: Directions,
}

impl<const SETS: usize> MoveBlock for Mover<'_, SETS> {
    #[inline(always)]
    fn move_block<W: Wide>(&self, wide: W, block: usize, from: &VertexBlock, to: &mut VertexBlock) {
        let sets = self.sets.of(block);
        for part in 0..ROW / W::WIDTH {
            let part = wide.each(part);
            let first = part * W::WIDTH;
            let blended = wide.lanes_of_matrices(DualLanes::<SETS> { palette: self.rotations, sets, first });
            let (q, _) = unit_real(wide, &blended);
            let [a, b, c] = turn_of(wide, q, blended[8]);
            let l = wide.lanes_of_matrices(LinearLanes::<SETS> { palette: self.palette, sets, first });
            let [x, y, z] = load3(wide, &self.centres[block].0, part);
            let tx = (((l[0] * x + l[1] * y) + l[2] * z) + l[3]) - ((a[0] * x + a[1] * y) + a[2] * z);
            let ty = (((l[4] * x + l[5] * y) + l[6] * z) + l[7]) - ((b[0] * x + b[1] * y) + b[2] * z);
            let tz = (((l[8] * x + l[9] * y) + l[10] * z) + l[11]) - ((c[0] * x + c[1] * y) + c[2] * z);
            let m = [a[0], a[1], a[2], tx, b[0], b[1], b[2], ty, c[0], c[1], c[2], tz];
            transform(wide, where_turned(wide, &blended, m, l), self.directions, from, part, to);
        }
    }
}
