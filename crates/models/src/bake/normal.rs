//! Normals: flat ones where a file has none, mended ones where they have no length.

use glam::Vec3;

use crate::asset::Geometry;

/// Gives every triangle vertices of its own with the triangle's normal.
///
/// Source: glTF 2.0, 3.7.2.1: without normals, flat ones must be calculated.
pub fn make_flat(geometry: &mut Geometry) {
    let mut normals = Vec::with_capacity(geometry.indices.len());
    for triangle in geometry.indices.chunks_exact(3) {
        let normal = unit(face_normal(&geometry.positions, triangle));
        normals.extend([normal.to_array(); 3]);
    }
    geometry.normals = normals;
    if geometry.indices.len() == geometry.positions.len()
        && geometry.indices.iter().enumerate().all(|(at, i)| at == *i as usize)
    {
        // They have vertices of their own already, as all of an STL file.
        return;
    }
    let indices = std::mem::take(&mut geometry.indices);
    geometry.positions = spread(&geometry.positions, &indices);
    geometry.uv0 = spread(&geometry.uv0, &indices);
    geometry.uv1 = spread(&geometry.uv1, &indices);
    geometry.colors = spread(&geometry.colors, &indices);
    geometry.indices = (0..indices.len() as u32).collect();
}

/// One value a corner; nothing stays nothing.
fn spread<T: Copy>(values: &[T], indices: &[u32]) -> Vec<T> {
    if values.is_empty() { Vec::new() } else { indices.iter().map(|i| values[*i as usize]).collect() }
}

/// Makes every normal unit. Those without a length become the sum of the triangles around, each by its area, in index
/// order; +Y where that is nothing either. Out: how many had none.
pub fn clean(geometry: &mut Geometry) -> usize {
    let mut broken = Vec::new();
    for (index, normal) in geometry.normals.iter_mut().enumerate() {
        let length = Vec3::from(*normal).length();
        if length > 1e-6 && length.is_finite() {
            *normal = (Vec3::from(*normal) / length).to_array();
        } else {
            broken.push(index);
        }
    }
    if broken.is_empty() {
        return 0;
    }
    let mut sums = vec![Vec3::ZERO; geometry.positions.len()];
    for triangle in geometry.indices.chunks_exact(3) {
        let normal = face_normal(&geometry.positions, triangle);
        for index in triangle {
            sums[*index as usize] += normal;
        }
    }
    for index in &broken {
        geometry.normals[*index] = unit(sums[*index]).to_array();
    }
    broken.len()
}

/// Unit length; +Y for what has none. Scales first, so that tiny and huge triangles keep their direction.
fn unit(vector: Vec3) -> Vec3 {
    let largest = vector.abs().max_element();
    // A maximum passes over NaN, which huge corners leave where infinities meet.
    if !(largest > 0.0 && vector.is_finite()) {
        return Vec3::Y;
    }
    let scaled = vector / largest;
    scaled / scaled.length()
}

/// Twice the area along the normal of a triangle, counter-clockwise; zero for a degenerate one.
pub(super) fn face_normal(positions: &[[f32; 3]], triangle: &[u32]) -> Vec3 {
    let [a, b, c] = [triangle[0], triangle[1], triangle[2]].map(|i| Vec3::from(positions[i as usize]));
    (b - a).cross(c - a)
}
