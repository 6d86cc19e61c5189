//! Shapes that are no plain surfaces of revolution: box, icosphere, torus, triangle.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};
use stillframe_base::math::ops;

use super::mesh::{Mesh, turn};

/// Six faces, each with the whole texture, upright on the four sides.
pub fn cuboid(mesh: &mut Mesh, size_m: Vec3) {
    let half = size_m * 0.5;
    for (right, up) in [
        (Vec3::X, Vec3::Y),
        (Vec3::NEG_X, Vec3::Y),
        (Vec3::NEG_Z, Vec3::Y),
        (Vec3::Z, Vec3::Y),
        (Vec3::X, Vec3::NEG_Z),
        (Vec3::X, Vec3::Z),
    ] {
        let out = right.cross(up);
        mesh.quad(out * half, right * half, up * half, 1.0);
    }
}

/// A ring of rings. u runs the long way around as on a sphere, v around the tube from its outside downwards.
pub fn torus(mesh: &mut Mesh, [major_m, minor_m]: [f32; 2], [major_segments, minor_segments]: [u32; 2]) {
    let mut rows: Vec<Vec<u32>> = Vec::new();
    for major in 0..=major_segments {
        let around = turn(major_segments - major % major_segments, major_segments);
        let row = (0..=minor_segments)
            .map(|minor| {
                let tube = turn(minor_segments - minor % minor_segments, minor_segments);
                let radius_m = major_m + minor_m * tube.x;
                let position = Vec3::new(around.x * radius_m, minor_m * tube.y, around.y * radius_m);
                let normal = Vec3::new(around.x * tube.x, tube.y, around.y * tube.x);
                let uv = Vec2::new(major as f32 / major_segments as f32, minor as f32 / minor_segments as f32);
                mesh.vertex(position, normal, Vec3::new(around.y, 0.0, -around.x), uv)
            })
            .collect();
        rows.push(row);
    }
    for pair in rows.windows(2) {
        for minor in 0..minor_segments as usize {
            let [a, b] = [pair[0][minor], pair[1][minor]];
            let [c, d] = [pair[0][minor + 1], pair[1][minor + 1]];
            mesh.triangle([a, d, b]);
            mesh.triangle([a, c, d]);
        }
    }
}

/// One triangle as its points stand; it faces the side from which they run counter-clockwise. Texture coordinates are
/// its place in the box around it.
pub fn triangle(mesh: &mut Mesh, points_m: [Vec3; 3]) {
    let normal = (points_m[1] - points_m[0]).cross(points_m[2] - points_m[0]).normalize_or(Vec3::Z);
    let (low, high) = points_m.iter().fold((points_m[0], points_m[0]), |(l, h), p| (l.min(*p), h.max(*p)));
    let size = (high - low).max(Vec3::splat(f32::MIN_POSITIVE));
    // u runs along +X as far as that lies in the triangle's plane.
    let along = (Vec3::X - normal * normal.x).normalize_or((Vec3::Y - normal * normal.y).normalize_or(Vec3::X));
    let sign = if normal.z < 0.0 { -1.0 } else { 1.0 };
    let corners = points_m.map(|p| {
        let place = (p - low) / size;
        mesh.vertex_with(p, normal, along, sign, Vec2::new(place.x, 1.0 - place.y))
    });
    mesh.triangle(corners);
}

/// An icosahedron, each triangle cut in four `subdivisions` times (at most 7), pushed out to a sphere. Points are
/// shared while it is cut; only then do vertices split along the texture's seam and at the poles.
pub fn icosphere(mesh: &mut Mesh, radius_m: f32, subdivisions: u32) {
    let (mut points, mut faces) = icosahedron();
    for _ in 0..subdivisions.min(7) {
        let mut middles = BTreeMap::new();
        let mut cut = Vec::with_capacity(faces.len() * 4);
        for [a, b, c] in faces {
            let mut middle = |a: u32, b: u32| {
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    let (a, b) = (a.min(b) as usize, a.max(b) as usize);
                    points.push((points[a] + points[b]).normalize());
                    points.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            cut.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        faces = cut;
    }
    // (point, which side of the seam or which face's pole) -> vertex.
    let mut vertices = BTreeMap::new();
    for face in faces {
        let us = face_columns(face.map(|p| points[p as usize]));
        let corners = [0, 1, 2].map(|corner| {
            let point = face[corner];
            let normal = points[point as usize];
            *vertices.entry((point, us[corner].to_bits())).or_insert_with(|| {
                let v = ops::acos(normal.y.clamp(-1.0, 1.0)) * std::f32::consts::FRAC_1_PI;
                let tangent = tangent_at(us[corner]);
                mesh.vertex(normal * radius_m, normal, tangent, Vec2::new(us[corner], v.clamp(0.0, 1.0)))
            })
        });
        mesh.triangle(corners);
    }
}

/// u of a face's corners, brought to one side of the seam: a face that crosses it keeps to 0..1 by moving its corners
/// on the seam's far side; poles take the middle of the others.
fn face_columns(corners: [Vec3; 3]) -> [f32; 3] {
    let column = |p: Vec3| {
        let u = ops::atan2(-p.z, p.x) * (0.5 * std::f32::consts::FRAC_1_PI);
        if u < 0.0 { u + 1.0 } else { u }
    };
    let pole = corners.map(|p| p.x == 0.0 && p.z == 0.0);
    let mut us = corners.map(column);
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for corner in 0..3 {
        if !pole[corner] {
            low = low.min(us[corner]);
            high = high.max(us[corner]);
        }
    }
    if high - low > 0.5 {
        for (u, pole) in us.iter_mut().zip(pole) {
            if !pole && *u < 0.5 {
                *u += 1.0;
            }
        }
        // Corners past the seam reach beyond 1; where the rest of the face is beyond, all of it moves back.
        if us.iter().zip(pole).all(|(u, pole)| pole || *u >= 1.0) {
            us = us.map(|u| u - 1.0);
        }
    }
    let others: Vec<f32> = us.iter().zip(pole).filter(|(_, pole)| !pole).map(|(u, _)| *u).collect();
    let middle = others.iter().sum::<f32>() / others.len().max(1) as f32;
    for corner in 0..3 {
        if pole[corner] {
            us[corner] = middle;
        }
    }
    us
}

fn tangent_at(u: f32) -> Vec3 {
    let (sin, cos) = ops::sin_cos(u * std::f32::consts::TAU);
    Vec3::new(-sin, 0.0, -cos)
}

/// Two poles on Y and two rings of five.
fn icosahedron() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    // Rings lie at a height of 1 / sqrt(5).
    let height = 1.0 / 5.0_f32.sqrt();
    let radius = height * 2.0;
    let mut points = vec![Vec3::Y];
    for (ring, lift) in [(0, height), (1, -height)] {
        for k in 0..5 {
            let at = turn(10 - (2 * k + ring) % 10, 10);
            points.push(Vec3::new(at.x * radius, lift, at.y * radius).normalize());
        }
    }
    points.push(Vec3::NEG_Y);
    let mut faces = Vec::new();
    for k in 0..5 {
        let next = (k + 1) % 5;
        let (top, top_next, low, low_next) = (1 + k, 1 + next, 6 + k, 6 + next);
        faces.extend([[0, top, top_next], [top, low, top_next], [low, low_next, top_next], [low, 11, low_next]]);
    }
    (points, faces)
}
