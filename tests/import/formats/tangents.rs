//! Tangents against the reference implementation, where texture coordinates are mirrored and turned.

use glam::Vec3;
use stillframe_asset::asset::Geometry;
use stillframe_models::bake::{TangentWish, complete};

use super::data;

#[test]
fn mirrored_coordinates_get_the_reference_tangents() {
    let text = std::fs::read_to_string(data("tangents/mirrored.txt")).expect("readable");
    let mut geometry = Geometry::default();
    let mut wanted: Vec<[f32; 4]> = Vec::new();
    for line in text.lines() {
        let (kind, rest) = line.split_at(1);
        let n: Vec<f32> = rest.split_whitespace().map_while(|word| word.parse().ok()).collect();
        match kind {
            "v" => {
                geometry.positions.push([n[0], n[1], n[2]]);
                geometry.normals.push([n[3], n[4], n[5]]);
                geometry.uv0.push([n[6], n[7]]);
            }
            "t" => geometry.indices.extend(n.iter().map(|v| *v as u32)),
            "w" => wanted.push([n[0], n[1], n[2], n[3]]),
            _ => {}
        }
    }
    assert_eq!((geometry.positions.len(), wanted.len()), (81, geometry.indices.len()));
    let baked = complete(geometry, TangentWish::Uv(0)).geometry;
    assert!(baked.positions.len() > 81, "vertices on the seams are parted");
    let mut turned = 0;
    for (corner, wanted) in wanted.iter().enumerate() {
        let found = baked.tangents[baked.indices[corner] as usize];
        let off = (Vec3::from_slice(&found) - Vec3::from_slice(wanted)).abs().max_element();
        assert!(off <= 1e-6 && found[3] == wanted[3], "corner {corner}: {found:?} for {wanted:?}");
        turned += usize::from(wanted[3] < 0.0);
    }
    assert!(turned > 100 && turned < 300, "both hands occur: {turned} of 384 corners");
}
