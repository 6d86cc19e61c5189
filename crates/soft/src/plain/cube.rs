//! Cube maps: faces, their edges and corners. Source: `docs/adapter-rules.md`, Cube maps.

use wgpu_types::FilterMode;

use super::texture::{Reader, lerp, linear_index, nearest_index};
use super::value::Scalar;

/// Of a direction: the face, and how its `s`, `t` and major component are read.
fn face_of(direction: [f32; 3]) -> usize {
    let [x, y, z] = direction.map(f32::abs);
    let axis = if z >= x && z >= y {
        2
    } else if y >= x {
        1
    } else {
        0
    };
    2 * axis + (direction[axis] < 0.0) as usize
}

/// `s`, `t` and the major component, signed so that the face's own direction is positive.
fn on_face<T: Copy + std::ops::Neg<Output = T>>(face: usize, [x, y, z]: [T; 3]) -> [T; 3] {
    match face {
        0 => [-z, -y, x],
        1 => [z, -y, -x],
        2 => [x, z, y],
        3 => [x, -z, -y],
        4 => [x, -y, z],
        _ => [-x, -y, -z],
    }
}

/// The direction whose `s`, `t` and major component on a face are these: the inverse of `on_face`.
fn from_face(face: usize, [s, t, m]: [i64; 3]) -> [i64; 3] {
    match face {
        0 => [m, -t, -s],
        1 => [-m, -t, s],
        2 => [s, m, t],
        3 => [s, -m, -t],
        4 => [s, -t, m],
        _ => [-s, -t, -m],
    }
}

/// Face and coordinates on it.
fn project(direction: [f32; 3]) -> (usize, f32, f32) {
    let face = face_of(direction);
    let [s, t, m] = on_face(face, direction);
    let ma = m.abs();
    (face, s / ma * 0.5 + 0.5, t / ma * 0.5 + 0.5)
}

/// Derivative of the face's coordinates for a derivative of the direction, by the quotient rule.
pub fn derivative(direction: &[f32], along: &[f32]) -> Vec<f32> {
    let direction = [direction[0], direction[1], direction[2]];
    let face = face_of(direction);
    let [s, t, m] = on_face(face, direction);
    let [ds, dt, dm] = on_face(face, [along[0], along[1], along[2]]);
    let ma = m.abs();
    vec![0.5 * ((ds - s / ma * dm) / ma), 0.5 * ((dt - t / ma * dm) / ma)]
}

/// A texel of the footprint.
enum Place {
    /// On one face.
    Texel([Scalar; 4]),
    /// Beyond a corner: the face's own corner texel, the one across the s edge, the one across the t edge.
    Corner([[Scalar; 4]; 3]),
}

/// The texel across an edge: `i` or `j` is outside, not both.
fn across(reader: &Reader<'_>, level: u32, face: usize, i: i64, j: i64, n: i64) -> [Scalar; 4] {
    let (s, t) = (2 * i + 1 - n, 2 * j + 1 - n);
    let direction = if s.abs() > n {
        from_face(face, [s.signum() * n, t, n - 1])
    } else if t.abs() > n {
        from_face(face, [s, t.signum() * n, n - 1])
    } else {
        return reader.image.raw(level, reader.first_slice + face as u32, i as u32, j as u32, 0);
    };
    let axis = (0..3).find(|&axis| direction[axis].abs() == n).expect("the new major component is n");
    let face = 2 * axis + (direction[axis] < 0) as usize;
    let [s, t, _] = on_face(face, direction);
    let (i, j) = ((s + n - 1) / 2, (t + n - 1) / 2);
    reader.image.raw(level, reader.first_slice + face as u32, i as u32, j as u32, 0)
}

fn place(reader: &Reader<'_>, level: u32, face: usize, i: i64, j: i64, n: i64) -> Place {
    let (i, j) = (i.clamp(-1, n), j.clamp(-1, n));
    let (inner_i, inner_j) = (i.clamp(0, n - 1), j.clamp(0, n - 1));
    if i != inner_i && j != inner_j {
        return Place::Corner([
            across(reader, level, face, inner_i, inner_j, n),
            across(reader, level, face, i, inner_j, n),
            across(reader, level, face, inner_i, j, n),
        ]);
    }
    Place::Texel(across(reader, level, face, i, j, n))
}

/// One level, filtered: raw values.
pub fn filtered(reader: &Reader<'_>, level: u32, direction: [f32; 3], filter: FilterMode) -> [f32; 4] {
    let (face, u, v) = project(direction);
    let n = reader.image.width(level);
    if filter == FilterMode::Nearest {
        let i = nearest_index(u, n).clamp(0, n as i64 - 1);
        let j = nearest_index(v, n).clamp(0, n as i64 - 1);
        return reader.contribution(across(reader, level, face, i, j, n as i64));
    }
    let (i, wx) = linear_index(u, n);
    let (j, wy) = linear_index(v, n);
    let at = |di, dj| match place(reader, level, face, i + di, j + dj, n as i64) {
        Place::Texel(raw) => reader.contribution(raw),
        Place::Corner(three) => {
            let [a, b, c] = three.map(|raw| reader.contribution(raw));
            std::array::from_fn(|part| ((a[part] + b[part]) + c[part]) * f32::from_bits(0x3EAA_AAAB))
        }
    };
    lerp(lerp(at(0, 0), at(1, 0), wx), lerp(at(0, 1), at(1, 1), wx), wy)
}

/// The four texels of a gather, in its order.
pub fn footprint(reader: &Reader<'_>, level: u32, direction: [f32; 3]) -> [[Scalar; 4]; 4] {
    let (face, u, v) = project(direction);
    let n = reader.image.width(level);
    let i = linear_index(u, n).0;
    let j = linear_index(v, n).0;
    [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[di, dj]| match place(reader, level, face, i + di, j + dj, n as i64) {
        Place::Texel(raw) => raw,
        Place::Corner([_, across_s, _]) => across_s,
    })
}
