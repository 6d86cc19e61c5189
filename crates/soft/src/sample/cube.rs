//! Cube: faces of a direction, and texels across the edges of a face. Rules: "Cube maps".

use stillframe_base::lanes::{Isa, LANES, per_isa};

use super::axis::{Corners, LEVELS, Sizes, place};
use super::lanes::Lanes;

/// Which of x, y, z (with its sign) is s, t and the major axis of each face.
pub const FACES: [[(usize, f32); 3]; 6] = [
    [(2, -1.0), (1, -1.0), (0, 1.0)],
    [(2, 1.0), (1, -1.0), (0, -1.0)],
    [(0, 1.0), (2, 1.0), (1, 1.0)],
    [(0, 1.0), (2, -1.0), (1, -1.0)],
    [(0, 1.0), (1, -1.0), (2, 1.0)],
    [(0, -1.0), (1, -1.0), (2, -1.0)],
];

/// The face that a direction points at, as what its lanes select by.
#[derive(Clone, Copy)]
pub struct Face {
    z_major: bool,
    y_major: bool,
    negative: bool,
}

impl Face {
    #[inline(always)]
    pub fn new([x, y, z]: [f32; 3]) -> Face {
        let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
        let z_major = (az >= ax) & (az >= ay);
        let y_major = !z_major & (ay >= ax);
        let major = if z_major { z } else { x };
        let major = if y_major { y } else { major };
        Face { z_major, y_major, negative: major < 0.0 }
    }

    /// 0 to 5.
    #[inline(always)]
    pub fn index(self) -> u32 {
        let axis = if self.z_major { 4 } else { 0 };
        let axis = if self.y_major { 2 } else { axis };
        axis + u32::from(self.negative)
    }

    /// `s`, `t` and the size of the major component of a vector (or what is added to them by a derivative).
    #[inline(always)]
    pub fn project(self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let flip = |v: f32, if_negative: bool| if self.negative == if_negative { -v } else { v };
        let pick = |on_x: f32, on_y: f32, on_z: f32| {
            let other = if self.z_major { on_z } else { on_x };
            if self.y_major { on_y } else { other }
        };
        let s = pick(flip(z, false), x, flip(x, true));
        let t = pick(-y, flip(z, true), -y);
        let major = flip(pick(x, y, z), true);
        [s, t, major]
    }
}

/// Where a block of lanes looks on a cube.
#[derive(Clone)]
pub struct Spots {
    pub u: Lanes,
    pub v: Lanes,
    pub face: [u32; LANES],
}

/// Layout of a cube's levels.
pub struct Faces<'a> {
    pub x: &'a Sizes,
    pub y: &'a Sizes,
    pub level_bytes: &'a [u32; LEVELS],
    pub layer_bytes: &'a [u32; LEVELS],
}

/// Puts `s`, `t` and the major component back where `Face::project` took them from, in integers.
#[inline(always)]
fn unproject(face: u32, s: i32, t: i32, major: i32) -> [i32; 3] {
    let (x_major, y_major) = (face < 2, face & 2 != 0);
    let negative = face & 1 != 0;
    let flip = |v: i32, if_negative: bool| if negative == if_negative { -v } else { v };
    let major = flip(major, true);
    let pick = |on_x: i32, on_y: i32, on_z: i32| {
        let other = if x_major { on_x } else { on_z };
        if y_major { on_y } else { other }
    };
    [pick(major, s, flip(s, true)), pick(-t, major, -t), pick(flip(s, false), flip(t, true), major)]
}

/// Face, column and row of the texel at column i, row j of a face of size n, one of which may be outside by one.
#[inline(always)]
fn across_lanes(face: u32, i: i32, j: i32, n: i32) -> (u32, i32, i32) {
    let (s, t) = (2 * i + 1 - n, 2 * j + 1 - n);
    let (s_out, t_out) = ((i < 0) | (i >= n), (j < 0) | (j >= n));
    // What is outside becomes the new major axis (n), the old one steps back inside (n - 1).
    let bound = |v: i32, out: bool| {
        let edge = if v < 0 { -n } else { n };
        if out { edge } else { v }
    };
    let major = if s_out | t_out { n - 1 } else { n };
    let [x, y, z] = unproject(face, bound(s, s_out), bound(t, t_out), major);
    let (z_major, y_major) = ((z == n) | (z == -n), (y == n) | (y == -n));
    let major = if z_major { z } else { x };
    let major = if y_major { y } else { major };
    let negative = major < 0;
    let flip = |v: i32, if_negative: bool| if negative == if_negative { -v } else { v };
    let pick = |on_x: i32, on_y: i32, on_z: i32| {
        let other = if z_major { on_z } else { on_x };
        if y_major { on_y } else { other }
    };
    let s = pick(flip(z, false), x, flip(x, true));
    let t = pick(-y, flip(z, true), -y);
    let axis = if z_major { 4 } else { 0 };
    let axis = if y_major { 2 } else { axis };
    (axis + u32::from(negative), (s + n - 1) >> 1, (t + n - 1) >> 1)
}

/// A footprint that leaves its face by more than one texel in some direction: of a direction without a face (zero,
/// NaN).
pub const FAR: u32 = 5;

/// Bytes to the texel that [`across_lanes`] finds; `strides` of faces, columns and rows. A function, since a closure of
/// this size is not inlined, and then nothing around it becomes lanes.
#[inline(always)]
fn across_offset(face: u32, i: i32, j: i32, n: i32, strides: [u32; 3]) -> u32 {
    let (face, i, j) = across_lanes(face, i, j, n);
    // Only corners come out of the face here: what is read for them does not count.
    let (i, j) = (i.max(0).min(n - 1) as u32, j.max(0).min(n - 1) as u32);
    face.wrapping_mul(strides[0]).wrapping_add(i.wrapping_mul(strides[1])).wrapping_add(j.wrapping_mul(strides[2]))
}

per_isa! {
    /// Faces and coordinates of directions.
    pub fn locate(out: &mut Spots, direction: &[&Lanes; 3], count: usize) {
        for i in Isa::each::<LEVEL>(count) {
            let at = [direction[0][i], direction[1][i], direction[2][i]];
            let face = Face::new(at);
            let [s, t, ma] = face.project(at);
            out.u[i] = s / ma * 0.5 + 0.5;
            out.v[i] = t / ma * 0.5 + 0.5;
            out.face[i] = face.index();
        }
    }
    /// Whether the linear footprint of some lane leaves its face.
    pub fn leaves(spots: &Spots, sizes: &Sizes, levels: &[u32; LANES], count: usize) -> bool {
        let mut any = false;
        for i in Isa::each::<LEVEL>(count) {
            let n = sizes.size[levels[i] as usize & (LEVELS - 1)];
            let (x, y) = (spots.u[i] * n - 0.5, spots.v[i] * n - 0.5);
            any |= !((x >= 0.0) & (x < n - 1.0) & (y >= 0.0) & (y < n - 1.0));
        }
        any
    }
    /// The largest `corner` that [`seams`] found: 0 where no lane has one.
    pub fn most(corner: &[u32; LANES], count: usize) -> u32 {
        let mut most = 0;
        for lane in Isa::each::<LEVEL>(count) {
            most = if corner[lane] > most { corner[lane] } else { most };
        }
        most
    }
    /// Linear footprints across edges. Where one texel stands outside of both axes, `corner` is its number in the
    /// footprint plus 1, and its offset means nothing; [`FAR`] where several do. Elsewhere it is 0.
    pub fn seams(out: &mut Corners, corner: &mut [u32; LANES], spots: &Spots, faces: &Faces<'_>, layers: &[u32; LANES], levels: &[u32; LANES], count: usize) {
        for lane in Isa::each::<LEVEL>(count) {
            let level = levels[lane] as usize & (LEVELS - 1);
            let (size, n) = (faces.x.size[level], faces.x.count[level]);
            let ((x, wx), (y, wy)) = (place(spots.u[lane], size), place(spots.v[lane], size));
            let bound = |i: i32| {
                let low = if i > -1 { i } else { -1 };
                if low < n { low } else { n }
            };
            let (columns, rows) = ([bound(x), bound(x + 1)], [bound(y), bound(y + 1)]);
            let outside = |ends: [i32; 2]| (ends[0] < 0) | (ends[1] >= n);
            let far = |ends: [i32; 2]| (ends[1] < 0) | (ends[0] >= n);
            let one = 1 + u32::from(columns[1] >= n) + 2 * u32::from(rows[1] >= n);
            let code = if far(columns) | far(rows) { FAR } else { one };
            corner[lane] = if outside(columns) & outside(rows) { code } else { 0 };
            out.weights[0][lane].write(wx);
            out.weights[1][lane].write(wy);
            let base = faces.level_bytes[level].wrapping_add(layers[lane].wrapping_mul(faces.layer_bytes[level]));
            let strides = [faces.layer_bytes[level], faces.x.stride[level], faces.y.stride[level]];
            let face = spots.face[lane];
            out.offsets[0][lane].write(base.wrapping_add(across_offset(face, columns[0], rows[0], n, strides)));
            out.offsets[1][lane].write(base.wrapping_add(across_offset(face, columns[1], rows[0], n, strides)));
            out.offsets[2][lane].write(base.wrapping_add(across_offset(face, columns[0], rows[1], n, strides)));
            out.offsets[3][lane].write(base.wrapping_add(across_offset(face, columns[1], rows[1], n, strides)));
        }
    }
}

/// A texel on a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub face: usize,
    pub x: i32,
    pub y: i32,
}

/// The texel that stands at (i, j), at most one of which is outside the face of size n, and by one at most.
pub fn across(place: Place, n: i32) -> Place {
    let (s, t) = (2 * place.x + 1 - n, 2 * place.y + 1 - n);
    if s.abs() < n && t.abs() < n {
        return place;
    }
    // The position in units of half a texel: what is outside becomes the new major axis, the old one steps back inside.
    let (s, t, major) = if s.abs() >= n { (s.signum() * n, t, n - 1) } else { (s, t.signum() * n, n - 1) };
    let mut position = [0; 3];
    for ((axis, sign), value) in FACES[place.face].into_iter().zip([s, t, major]) {
        position[axis] = if sign < 0.0 { -value } else { value };
    }
    let axis = (0..3).find(|&axis| position[axis].abs() == n).unwrap_or(0);
    let face = axis * 2 + usize::from(position[axis] < 0);
    let [s, t, _] = FACES[face].map(|(axis, sign)| if sign < 0.0 { -position[axis] } else { position[axis] });
    Place { face, x: (s + n - 1) / 2, y: (t + n - 1) / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_name_their_faces() {
        for (direction, want) in [
            ([1.0, 0.0, 0.0], 0),
            ([-1.0, 0.0, 0.0], 1),
            ([0.0, 1.0, 0.0], 2),
            ([0.0, -1.0, 0.0], 3),
            ([0.0, 0.0, 1.0], 4),
            ([0.0, 0.0, -1.0], 5),
            ([1.0, 1.0, 1.0], 4),
            ([1.0, -1.0, 0.5], 3),
            ([0.0, 0.0, 0.0], 4),
            ([f32::NAN, 1.0, 2.0], 0),
        ] {
            let face = Face::new(direction);
            assert_eq!(face.index(), want, "{direction:?}");
            let table = FACES[want as usize].map(|(axis, sign)| sign * direction[axis]);
            if !direction[0].is_nan() {
                assert_eq!(face.project(direction), table, "{direction:?}");
            }
        }
    }

    /// The centre of a texel as a direction.
    fn direction(place: Place, n: i32) -> [f32; 3] {
        let at = |i: i32| (2 * i + 1 - n) as f32 / n as f32;
        let mut out = [0.0; 3];
        for ((axis, sign), value) in FACES[place.face].into_iter().zip([at(place.x), at(place.y), 1.0]) {
            out[axis] = sign * value;
        }
        out
    }

    #[test]
    fn across_an_edge_lies_the_nearest_texel_of_another_face() {
        for n in [1, 2, 5, 8] {
            for face in 0..6 {
                for (x, y) in (0..n * n).map(|i| (i % n, i / n)) {
                    assert_eq!(across_lanes(face as u32, x, y, n), (face as u32, x, y));
                }
                for along in 0..n {
                    for (x, y) in [(-1, along), (n, along), (along, -1), (along, n)] {
                        let from = Place { face, x: x.clamp(0, n - 1), y: y.clamp(0, n - 1) };
                        let to = across(Place { face, x, y }, n);
                        let lanes = across_lanes(face as u32, x, y, n);
                        assert_eq!(lanes, (to.face as u32, to.x, to.y));
                        assert_ne!(to.face, face);
                        assert!((0..n).contains(&to.x) && (0..n).contains(&to.y), "{to:?}");
                        // Both touch the common edge: their centres differ by half a texel on two axes only.
                        let (a, b) = (direction(from, n), direction(to, n));
                        let step = 1.0 / n as f32;
                        let mut apart = [0, 1, 2].map(|i| ((a[i] - b[i]).abs() / step).round() as i32);
                        apart.sort_unstable();
                        assert_eq!(apart, [0, 1, 1], "{n} {face} {x} {y} {to:?}");
                    }
                }
            }
        }
    }
}
