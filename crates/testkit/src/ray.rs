//! Rays against triangles, one by one: the slow, plain way to check a picture by.

use glam::Vec3;

/// Calls `met` for each triangle that the ray meets: distance in lengths of `direction`, indices of the corners, their
/// barycentric weights.
pub fn hits(
    eye: Vec3,
    direction: Vec3,
    positions: &[[f32; 3]],
    indices: &[u32],
    met: &mut dyn FnMut(f32, [usize; 3], Vec3),
) {
    for triangle in indices.chunks_exact(3) {
        let corners = [triangle[0], triangle[1], triangle[2]].map(|i| i as usize);
        let [a, b, c] = corners.map(|i| Vec3::from(positions[i]));
        if let Some((distance, weights)) = meet(eye, direction, a, b, c) {
            met(distance, corners, weights);
        }
    }
}

/// Möller and Trumbore, both sides: distance along the ray and barycentric weights.
fn meet(eye: Vec3, direction: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Option<(f32, Vec3)> {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let from = eye - a;
    let u = from.dot(p) / determinant;
    let q = from.cross(ab);
    let v = direction.dot(q) / determinant;
    let t = ac.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0).then_some((t, Vec3::new(1.0 - u - v, u, v)))
}
