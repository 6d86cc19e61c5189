//! Quantise: geometry in fewer bits, with the error that this makes.
//!
//! Positions are 16 bits an axis on a grid that several geometries may share, so that borders which meet stay together;
//! normals and tangents are octahedral (Cigolle et al. 2014) with 16 bits a component; texture coordinates are 16 bits
//! of their range. The renderer does not use it: what a file says is what a picture shows, to the last bit. It serves
//! `inspect`, and whoever packs models for something else.

use glam::Vec3;
use stillframe_base::geom::Aabb;
use stillframe_base::math::pack::{
    direction_from_octahedron, f32_from_snorm, f32_from_unorm, octahedron_from_direction, snorm_from_f32,
    unorm_from_f32,
};

use crate::asset::Geometry;

/// The box that positions are counted in, in 65535 steps an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    pub min: Vec3,
    pub extent: Vec3,
}

impl Grid {
    /// Around everything that shall share it.
    pub fn around(bounds: Aabb) -> Grid {
        if bounds.is_empty() {
            Grid { min: Vec3::ZERO, extent: Vec3::ZERO }
        } else {
            Grid { min: bounds.min, extent: bounds.max - bounds.min }
        }
    }

    pub fn position(&self, code: [u16; 3]) -> [f32; 3] {
        [0, 1, 2].map(|axis| self.min[axis] + f32_from_unorm(u32::from(code[axis]), 16) * self.extent[axis])
    }

    /// An axis without an extent stores 0.
    fn code(&self, position: [f32; 3]) -> [u16; 3] {
        [0, 1, 2].map(|axis| unit_code(position[axis], self.min[axis], self.extent[axis]))
    }
}

fn unit_code(value: f32, min: f32, extent: f32) -> u16 {
    if extent > 0.0 { unorm_from_f32((value - min) / extent, 16) as u16 } else { 0 }
}

/// A geometry in 24 bytes a vertex with texture coordinates and tangents, and its indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantised {
    pub grid: Grid,
    pub positions: Vec<[u16; 3]>,
    pub normals: Vec<[i16; 2]>,
    /// The lowest bit of the second component is the sign: 1 for +1.
    pub tangents: Vec<[i16; 2]>,
    /// Least value and range of each texture coordinate set.
    pub uv_ranges: [[[f32; 2]; 2]; 2],
    pub uv0: Vec<[u16; 2]>,
    pub uv1: Vec<[u16; 2]>,
    /// 8 bits a channel; colours above 1 are cut.
    pub colors: Vec<[u8; 4]>,
    pub indices: Indices,
}

/// Indices as narrow as their vertices allow: 16 bits up to 65,536 vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Indices {
    U16(Vec<u16>),
    U32(Vec<u32>),
}

impl Indices {
    pub fn of(indices: &[u32], vertex_count: usize) -> Indices {
        if vertex_count <= 1 << 16 {
            Indices::U16(indices.iter().map(|i| *i as u16).collect())
        } else {
            Indices::U32(indices.to_vec())
        }
    }

    /// Bytes of one.
    pub fn width_bytes(vertex_count: usize) -> usize {
        if vertex_count <= 1 << 16 { 2 } else { 4 }
    }
}

/// What quantising changes at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    pub position_m: f32,
    pub normal_rad: f32,
    pub uv: f32,
}

impl Loss {
    pub fn max(self, other: Loss) -> Loss {
        Loss {
            position_m: self.position_m.max(other.position_m),
            normal_rad: self.normal_rad.max(other.normal_rad),
            uv: self.uv.max(other.uv),
        }
    }
}

fn octahedral(direction: [f32; 3]) -> [i16; 2] {
    octahedron_from_direction(direction).map(|c| snorm_from_f32(c, 16) as i16)
}

/// The unit vector of an octahedral code.
pub fn direction(code: [i16; 2]) -> [f32; 3] {
    direction_from_octahedron(code.map(|c| f32_from_snorm(i32::from(c), 16)))
}

/// A tangent of its code.
pub fn tangent([x, y]: [i16; 2]) -> [f32; 4] {
    let [tx, ty, tz] = direction([x, y & !1]);
    [tx, ty, tz, if y & 1 == 1 { 1.0 } else { -1.0 }]
}

fn range_of(uv: &[[f32; 2]]) -> [[f32; 2]; 2] {
    let fold = |axis: usize, start: f32, pick: fn(f32, f32) -> f32| uv.iter().fold(start, |a, uv| pick(a, uv[axis]));
    if uv.is_empty() {
        return [[0.0; 2]; 2];
    }
    let min = [fold(0, f32::MAX, f32::min), fold(1, f32::MAX, f32::min)];
    let max = [fold(0, f32::MIN, f32::max), fold(1, f32::MIN, f32::max)];
    [min, [max[0] - min[0], max[1] - min[1]]]
}

fn uv_codes(uv: &[[f32; 2]], [min, extent]: [[f32; 2]; 2]) -> Vec<[u16; 2]> {
    uv.iter().map(|uv| [0, 1].map(|axis| unit_code(uv[axis], min[axis], extent[axis]))).collect()
}

/// Texture coordinates of their codes.
pub fn uv(code: [u16; 2], [min, extent]: [[f32; 2]; 2]) -> [f32; 2] {
    [0, 1].map(|axis| min[axis] + f32_from_unorm(u32::from(code[axis]), 16) * extent[axis])
}

/// Quantises a complete geometry on a grid that holds it, and measures the loss.
pub fn quantise(geometry: &Geometry, grid: Grid) -> (Quantised, Loss) {
    let uv_ranges = [range_of(&geometry.uv0), range_of(&geometry.uv1)];
    let out = Quantised {
        grid,
        positions: geometry.positions.iter().map(|p| grid.code(*p)).collect(),
        normals: geometry.normals.iter().map(|n| octahedral(*n)).collect(),
        tangents: geometry
            .tangents
            .iter()
            .map(|[x, y, z, w]| {
                let [a, b] = octahedral([*x, *y, *z]);
                [a, b & !1 | i16::from(*w > 0.0)]
            })
            .collect(),
        uv_ranges,
        uv0: uv_codes(&geometry.uv0, uv_ranges[0]),
        uv1: uv_codes(&geometry.uv1, uv_ranges[1]),
        colors: geometry.colors.iter().map(|c| c.map(|v| unorm_from_f32(v, 8) as u8)).collect(),
        indices: Indices::of(&geometry.indices, geometry.positions.len()),
    };
    let mut loss = Loss::default();
    for (position, code) in geometry.positions.iter().zip(&out.positions) {
        let off = Vec3::from(*position) - Vec3::from(grid.position(*code));
        loss.position_m = loss.position_m.max(off.abs().max_element());
    }
    for (normal, code) in geometry.normals.iter().zip(&out.normals) {
        // For small angles the chord is the angle.
        loss.normal_rad = loss.normal_rad.max((Vec3::from(*normal) - Vec3::from(direction(*code))).length());
    }
    for (stored, codes, range) in [(&geometry.uv0, &out.uv0, uv_ranges[0]), (&geometry.uv1, &out.uv1, uv_ranges[1])] {
        for (stored, code) in stored.iter().zip(codes) {
            let back = uv(*code, range);
            loss.uv = loss.uv.max((stored[0] - back[0]).abs()).max((stored[1] - back[1]).abs());
        }
    }
    (out, loss)
}

impl Quantised {
    /// Bytes of a vertex.
    pub fn vertex_bytes(&self) -> usize {
        let has = |count: usize, bytes: usize| if count > 0 { bytes } else { 0 };
        // Positions are padded to 8 bytes: no graphics interface takes three 16-bit numbers.
        8 + has(self.normals.len(), 4)
            + has(self.tangents.len(), 4)
            + has(self.uv0.len(), 4)
            + has(self.uv1.len(), 4)
            + has(self.colors.len(), 4)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::asset::Shape;
    use crate::bake::shape;

    #[test]
    fn losses_stay_within_what_the_formulas_say() {
        let shapes = [
            Shape::Sphere { radius_m: 3.0, segments: 64, rings: 40 },
            Shape::Torus { major_radius_m: 50.0, minor_radius_m: 0.5, major_segments: 64, minor_segments: 16 },
            Shape::Plane { size_m: [8.0, 0.25], uv_scale: 7.0 },
        ];
        for kind in shapes {
            let geometry = shape(&kind);
            let grid = Grid::around(geometry.bounds);
            let (small, loss) = quantise(&geometry, grid);
            let extent = grid.extent.max_element();
            // Half a step, and the rounding of the sums.
            assert!(loss.position_m <= extent / 131_070.0 + extent * 2e-7, "{kind:?}: {loss:?}");
            assert!(loss.normal_rad < 0.0037_f32.to_radians() * 1.05, "{kind:?}: {loss:?}");
            let uv_extent = small.uv_ranges[0][1].into_iter().fold(0.0, f32::max);
            assert!(loss.uv <= uv_extent / 131_070.0 + uv_extent * 2e-7, "{kind:?}: {loss:?}");
            assert!(!small.tangents.is_empty() && small.tangents.len() == geometry.tangents.len(), "{kind:?}");
            for (stored, code) in geometry.tangents.iter().zip(&small.tangents) {
                let back = tangent(*code);
                assert_eq!(back[3], stored[3]);
                assert!((Vec3::from_slice(&back) - Vec3::from_slice(stored)).length() < 3e-4);
            }
            assert_eq!(small.vertex_bytes(), 20);
        }
    }

    #[test]
    fn neighbours_on_a_common_grid_keep_their_border() {
        let left = shape(&Shape::Box { size_m: Vec3::new(1.0, 2.0, 3.0) });
        let mut right = left.clone();
        right.positions.iter_mut().for_each(|p| p[0] += 1.0);
        let all = Aabb::of_points(left.positions.iter().chain(&right.positions).map(|p| Vec3::from(*p)));
        let grid = Grid::around(all);
        let border = |geometry: &Geometry| -> Vec<[f32; 3]> {
            let (small, _) = quantise(geometry, grid);
            let near = geometry.positions.iter().zip(&small.positions).filter(|(p, _)| p[0] == 0.5);
            let mut out: Vec<[f32; 3]> = near.map(|(_, code)| grid.position(*code)).collect();
            out.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
            out.dedup();
            out
        };
        assert_eq!(border(&left), border(&right));
        assert_eq!(border(&left).len(), 4);
    }

    #[test]
    fn indices_widen_after_65536_vertices() {
        for (count, width) in [(65_535, 2), (65_536, 2), (65_537, 4)] {
            let indices = [0, count as u32 - 1, 1];
            let narrow = matches!(Indices::of(&indices, count), Indices::U16(_));
            assert_eq!((narrow, Indices::width_bytes(count)), (width == 2, width), "{count}");
        }
        assert_eq!(Indices::of(&[65_535], 65_536), Indices::U16(vec![65_535]));
    }

    proptest! {
        #[test]
        fn codes_come_back(code in any::<[u16; 3]>(), uv_code in any::<[u16; 2]>(), x in -1.0..1.0_f32, y in -1.0..1.0_f32, z in -1.0..1.0_f32) {
            let grid = Grid { min: Vec3::new(-3.0, 0.5, 100.0), extent: Vec3::new(7.0, 0.25, 0.0) };
            let again = grid.code(grid.position(code));
            prop_assert_eq!([again[0], again[1]], [code[0], code[1]]);
            prop_assert_eq!(again[2], 0, "an axis without an extent");
            let range = [[0.0, -2.0], [1.0, 5.0]];
            prop_assert_eq!(uv_codes(&[uv(uv_code, range)], range)[0], uv_code);
            let n = Vec3::new(x, y, z);
            prop_assume!(n.length() > 1e-3);
            let unit = n.normalize().to_array();
            let off = Vec3::from(direction(octahedral(unit))) - Vec3::from(unit);
            prop_assert!(off.length() < 0.0038_f32.to_radians());
        }
    }
}
