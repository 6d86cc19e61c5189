//! Properties of shapes and mip levels.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use stillframe_testkit::depth::cases;

use super::{MipUse, level_count, mips, shape};
use crate::asset::Shape;
use crate::asset::{Geometry, Image, Texels};

fn shapes() -> Vec<(&'static str, Shape, bool)> {
    let quad = [2.0, 3.0];
    vec![
        ("box", Shape::Box { size_m: Vec3::new(1.0, 2.0, 3.0) }, true),
        ("sphere", Shape::Sphere { radius_m: 1.5, segments: 32, rings: 16 }, true),
        ("coarse sphere", Shape::Sphere { radius_m: 1.0, segments: 3, rings: 2 }, true),
        ("odd sphere", Shape::Sphere { radius_m: 0.1, segments: 7, rings: 5 }, true),
        ("icosahedron", Shape::Icosphere { radius_m: 1.0, subdivisions: 0 }, true),
        ("icosphere", Shape::Icosphere { radius_m: 2.0, subdivisions: 3 }, true),
        ("plane", Shape::Plane { size_m: quad, uv_scale: 4.0 }, false),
        ("quad", Shape::Quad { size_m: quad, uv_scale: 1.0 }, false),
        ("disk", Shape::Disk { radius_m: 1.0, segments: 17 }, false),
        ("cylinder", Shape::Cylinder { radius_m: 0.5, height_m: 2.0, segments: 24 }, true),
        ("prism", Shape::Cylinder { radius_m: 0.5, height_m: 2.0, segments: 3 }, true),
        ("cone", Shape::Cone { radius_m: 1.0, height_m: 2.0, segments: 25 }, true),
        ("capsule", Shape::Capsule { radius_m: 0.5, height_m: 1.0, segments: 16, rings: 6 }, true),
        (
            "torus",
            Shape::Torus { major_radius_m: 1.0, minor_radius_m: 0.25, major_segments: 24, minor_segments: 12 },
            true,
        ),
        (
            "triangle",
            Shape::Triangle { points_m: [Vec3::ZERO, Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)] },
            false,
        ),
    ]
}

fn corner(geometry: &Geometry, index: u32) -> Vec3 {
    Vec3::from(geometry.positions[index as usize])
}

fn faces(geometry: &Geometry) -> impl Iterator<Item = [Vec3; 3]> {
    geometry.indices.chunks_exact(3).map(|t| [0, 1, 2].map(|i| corner(geometry, t[i])))
}

fn area_m2(geometry: &Geometry) -> f64 {
    faces(geometry).map(|[a, b, c]| f64::from((b - a).cross(c - a).length()) * 0.5).sum()
}

fn volume_m3(geometry: &Geometry) -> f64 {
    faces(geometry).map(|[a, b, c]| f64::from(a.dot(b.cross(c))) / 6.0).sum()
}

/// Every edge once each way, by the bits of positions.
fn assert_watertight(name: &str, geometry: &Geometry) {
    let key = |i: u32| geometry.positions[i as usize].map(f32::to_bits);
    let mut edges: BTreeMap<_, i32> = BTreeMap::new();
    for triangle in geometry.indices.chunks_exact(3) {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (key(triangle[a]), key(triangle[b]));
            assert_ne!(a, b, "{name}: an edge without length");
            *edges.entry((a, b)).or_default() += 1;
        }
    }
    for ((a, b), count) in &edges {
        assert_eq!((*count, edges.get(&(*b, *a))), (1, Some(&1)), "{name}: edge {a:?} {b:?}");
    }
}

/// What holds for every shape.
fn assert_sound(name: &str, geometry: &Geometry, uv_max: f32) {
    let count = geometry.positions.len();
    assert_eq!([geometry.normals.len(), geometry.tangents.len(), geometry.uv0.len()], [count; 3], "{name}");
    assert!(!geometry.indices.is_empty() && geometry.indices.iter().all(|i| (*i as usize) < count), "{name}");
    for vertex in 0..count {
        let normal = Vec3::from(geometry.normals[vertex]);
        let tangent = Vec3::from_slice(&geometry.tangents[vertex]);
        assert!((normal.length() - 1.0).abs() < 1e-5, "{name}: normal {normal}");
        assert!((tangent.length() - 1.0).abs() < 1e-5, "{name}: tangent {tangent}");
        assert!(normal.dot(tangent).abs() < 1e-3, "{name}: {normal} {tangent}");
        let [u, v] = geometry.uv0[vertex];
        assert!((-1e-6..=uv_max).contains(&u) && (0.0..=uv_max).contains(&v), "{name}: uv {u} {v}");
        assert!(geometry.bounds.contains(Vec3::from(geometry.positions[vertex])), "{name}");
    }
    for triangle in geometry.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| corner(geometry, triangle[i]));
        let face = (b - a).cross(c - a);
        assert!(face.length() > 0.0, "{name}: a triangle without an area");
        for index in triangle {
            let normal = Vec3::from(geometry.normals[*index as usize]);
            assert!(face.normalize().dot(normal) > 0.2, "{name}: {normal} on a face towards {}", face.normalize());
        }
    }
}

/// The tangent follows growing u, and the bitangent growing height on the picture (falling v).
fn assert_tangents_follow_uv(name: &str, geometry: &Geometry) {
    for triangle in geometry.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| corner(geometry, triangle[i]));
        let [ua, ub, uc] = [0, 1, 2].map(|i| Vec2::from(geometry.uv0[triangle[i] as usize]));
        let (ab, ac, du, dv) = (b - a, c - a, ub - ua, uc - ua);
        let determinant = du.x * dv.y - du.y * dv.x;
        if determinant.abs() < 1e-9 {
            continue;
        }
        let along = (ab * dv.y - ac * du.y) / determinant;
        let down = (ac * du.x - ab * dv.x) / determinant;
        for index in triangle {
            let stored = geometry.tangents[*index as usize];
            let tangent = Vec3::from_slice(&stored);
            let normal = Vec3::from(geometry.normals[*index as usize]);
            assert!(tangent.dot(along.normalize()) > 0.3, "{name}: tangent {tangent}, u grows along {along}");
            let bitangent = normal.cross(tangent) * stored[3];
            assert!(bitangent.dot(down.normalize()) < -0.3, "{name}: bitangent {bitangent}, v grows along {down}");
        }
    }
}

#[test]
fn shapes_are_sound() {
    for (name, kind, closed) in shapes() {
        let geometry = shape(&kind);
        let uv_max = match kind {
            Shape::Plane { uv_scale, .. } | Shape::Quad { uv_scale, .. } => uv_scale,
            Shape::Icosphere { .. } => 1.25,
            _ => 1.0,
        };
        assert_sound(name, &geometry, uv_max);
        assert_tangents_follow_uv(name, &geometry);
        if closed {
            assert_watertight(name, &geometry);
            assert!(volume_m3(&geometry) > 0.0, "{name}");
        }
    }
}

#[test]
fn shapes_have_the_sizes_that_formulas_give() {
    use std::f64::consts::PI;
    let fine = 256;
    for (name, kind, area, volume) in [
        ("box", Shape::Box { size_m: Vec3::new(1.0, 2.0, 3.0) }, 22.0, 6.0),
        ("sphere", Shape::Sphere { radius_m: 2.0, segments: fine, rings: fine }, 16.0 * PI, 32.0 / 3.0 * PI),
        ("icosphere", Shape::Icosphere { radius_m: 1.0, subdivisions: 5 }, 4.0 * PI, 4.0 / 3.0 * PI),
        ("plane", Shape::Plane { size_m: [2.0, 3.0], uv_scale: 1.0 }, 6.0, f64::NAN),
        ("disk", Shape::Disk { radius_m: 2.0, segments: fine }, 4.0 * PI, f64::NAN),
        ("cylinder", Shape::Cylinder { radius_m: 1.0, height_m: 3.0, segments: fine }, 8.0 * PI, 3.0 * PI),
        ("cone", Shape::Cone { radius_m: 3.0, height_m: 4.0, segments: fine }, 24.0 * PI, 12.0 * PI),
        (
            "capsule",
            Shape::Capsule { radius_m: 1.0, height_m: 2.0, segments: fine, rings: fine },
            8.0 * PI,
            2.0 * PI + 4.0 / 3.0 * PI,
        ),
        (
            "torus",
            Shape::Torus { major_radius_m: 2.0, minor_radius_m: 0.5, major_segments: fine, minor_segments: fine },
            4.0 * PI * PI,
            PI * PI,
        ),
    ] {
        let geometry = shape(&kind);
        let (found_area, found_volume) = (area_m2(&geometry), volume_m3(&geometry));
        assert!((found_area / area - 1.0).abs() < 2e-3, "{name}: area {found_area} for {area}");
        assert!(volume.is_nan() || (found_volume / volume - 1.0).abs() < 2e-3, "{name}: {found_volume} for {volume}");
    }
}

#[test]
fn flat_shapes_face_where_they_say() {
    for (kind, normal) in [
        (Shape::Plane { size_m: [1.0; 2], uv_scale: 1.0 }, Vec3::Y),
        (Shape::Quad { size_m: [1.0; 2], uv_scale: 1.0 }, Vec3::Z),
        (Shape::Disk { radius_m: 1.0, segments: 8 }, Vec3::Y),
    ] {
        assert!(shape(&kind).normals.iter().all(|n| Vec3::from(*n) == normal), "{kind:?}");
    }
    // The upper left corner of the texture is the upper left corner of a quad seen from its front.
    let quad = shape(&Shape::Quad { size_m: [2.0, 2.0], uv_scale: 1.0 });
    let corner = quad.uv0.iter().position(|uv| *uv == [0.0, 0.0]).expect("a corner");
    assert_eq!(quad.positions[corner], [-1.0, 1.0, 0.0]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(48), failure_persistence: None, rng_seed: RngSeed::Fixed(9), ..ProptestConfig::default() })]

    #[test]
    fn surfaces_of_revolution_are_closed_at_any_count(segments in 3..40u32, rings in 2..20u32, radius_m in 0.01..50.0f32) {
        for kind in [
            Shape::Sphere { radius_m, segments, rings },
            Shape::Cylinder { radius_m, height_m: 1.0, segments },
            Shape::Cone { radius_m, height_m: radius_m, segments },
            Shape::Capsule { radius_m, height_m: 0.5, segments, rings },
            Shape::Torus { major_radius_m: radius_m * 2.0, minor_radius_m: radius_m, major_segments: segments, minor_segments: rings + 1 },
        ] {
            let geometry = shape(&kind);
            assert_watertight("random", &geometry);
            prop_assert!(volume_m3(&geometry) > 0.0);
        }
    }
}

fn image(width_px: u32, height_px: u32, texels: Texels) -> Image {
    Image { name: "test".into(), width_px, height_px, texels, levels: Vec::new() }
}

#[test]
fn level_counts() {
    for (width, height, count) in
        [(1, 1, 1), (2, 1, 2), (3, 2, 2), (4, 4, 3), (5, 1, 3), (512, 256, 10), (16384, 1, 15)]
    {
        assert_eq!(level_count(width, height), count, "{width} x {height}");
        let texels = Texels::Rgba8(vec![9; (width * height * 4) as usize]);
        let levels = mips(&image(width, height, texels), MipUse::Data, None);
        assert_eq!(levels.len() as u32, count - 1);
        for (level, image) in levels.iter().enumerate() {
            let side = |s: u32| (s >> (level + 1)).max(1);
            assert_eq!((image.width_px, image.height_px), (side(width), side(height)));
            assert_eq!(image.texels, Texels::Rgba8(vec![9; (side(width) * side(height) * 4) as usize]));
        }
    }
    let levels = mips(&image(8, 8, Texels::Rgba8(vec![0; 256])), MipUse::Color, Some(1));
    assert_eq!(levels.len(), 1);
}

/// The first level of a 2 x 1 image of these two texels.
fn mean(a: [u8; 4], b: [u8; 4], use_: MipUse) -> [u8; 4] {
    let levels = mips(&image(2, 1, Texels::Rgba8([a, b].concat())), use_, None);
    let Texels::Rgba8(bytes) = &levels[0].texels else { panic!("the type changed") };
    [bytes[0], bytes[1], bytes[2], bytes[3]]
}

#[test]
fn means_are_taken_where_they_make_sense() {
    for (a, b, use_, wanted) in [
        // Half the light of white is 188 in sRGB, but half of the data is 128.
        ([0, 0, 0, 255], [255, 255, 255, 255], MipUse::Color, [188, 188, 188, 255]),
        ([0, 0, 0, 255], [255, 255, 255, 255], MipUse::Data, [128, 128, 128, 255]),
        // What is transparent does not tint.
        ([255, 0, 0, 255], [0, 255, 0, 0], MipUse::Color, [255, 0, 0, 128]),
        ([255, 0, 0, 0], [0, 0, 255, 0], MipUse::Color, [188, 0, 188, 0]),
        // Vectors stay unit: +X and +Y make their diagonal; +X and -X leave what little they share.
        ([255, 128, 128, 255], [128, 255, 128, 255], MipUse::Normal, [218, 218, 128, 255]),
        ([255, 128, 128, 255], [0, 128, 128, 255], MipUse::Normal, [128, 218, 218, 255]),
    ] {
        let found = mean(a, b, use_);
        let off = found.iter().zip(wanted).map(|(f, w): (&u8, u8)| f.abs_diff(w)).max();
        assert!(off <= Some(1), "{a:?} {b:?} {use_:?}: {found:?} for {wanted:?}");
    }
}

/// Alphas of texels, as numbers.
fn alphas(texels: &Texels) -> Vec<f32> {
    match texels {
        Texels::Rgba8(texels) => texels.iter().skip(3).step_by(4).map(|a| f32::from(*a) / 255.0).collect(),
        Texels::Rgba16(texels) => texels.iter().skip(3).step_by(4).map(|a| f32::from(*a) / 65535.0).collect(),
        Texels::Rgba32Float(texels) => texels.iter().skip(3).step_by(4).copied().collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(48), failure_persistence: None, rng_seed: RngSeed::Fixed(10), ..ProptestConfig::default() })]

    /// A cutoff leaves as much of each level as of the image, to one texel and to what steps of alpha allow.
    #[test]
    fn levels_keep_what_a_cutoff_leaves(
        size in [1u32..40, 1u32..40],
        numbers in prop::collection::vec(1u16..65535, 1600),
        least in 0.05f32..0.95,
        power in 1i32..4,
    ) {
        let count = (size[0] * size[1]) as usize;
        let alpha = |number: u16| (0..power).fold(1.0, |product, _| product * (f32::from(number) / 65535.0));
        let plain: Vec<f32> = numbers[..count].iter().flat_map(|number| [0.5, 0.5, 0.5, alpha(*number)]).collect();
        let bytes = plain.iter().map(|v| (v * 255.0 + 0.5) as u8).collect();
        let words = plain.iter().map(|v| (v * 65535.0 + 0.5) as u16).collect();
        for (texels, step) in [(Texels::Rgba8(bytes), 1.0 / 255.0), (Texels::Rgba16(words), 1.0 / 65535.0), (Texels::Rgba32Float(plain), 1e-6)] {
            let share = covered(&alphas(&texels), size, f64::from(least));
            let levels = mips(&image(size[0], size[1], texels), MipUse::CutOut { least_bits: least.to_bits() }, None);
            for level in levels {
                let alphas = alphas(&level.texels);
                let size = [level.width_px, level.height_px];
                let [most, fewest] = [-step, step].map(|off| covered(&alphas, size, f64::from(least) + off));
                let texel = 1.0 / alphas.len() as f64;
                prop_assert!(fewest - texel <= share && share <= most + texel, "{size:?}: {share}, {fewest} to {most}");
            }
        }
    }
}

/// The share of a repeated texture's area where filtered alpha reaches the cutoff, at 9 points a texel.
fn covered(alphas: &[f32], [width, height]: [u32; 2], least: f64) -> f64 {
    let at = |x: i64, y: i64| {
        let [x, y] = [(x, width), (y, height)].map(|(at, size)| at.rem_euclid(i64::from(size)) as usize);
        f64::from(alphas[y * width as usize + x])
    };
    let mut reached = 0;
    for point_y in 0..height * 9 {
        for point_x in 0..width * 9 {
            let [x, y] = [point_x, point_y].map(|point| (f64::from(point) + 0.5) / 9.0 - 0.5);
            let [i, j] = [x, y].map(|at| at.floor());
            let (u, v) = (x - i, y - j);
            let (i, j) = (i as i64, j as i64);
            let upper = at(i, j) * (1.0 - u) + at(i + 1, j) * u;
            let lower = at(i, j + 1) * (1.0 - u) + at(i + 1, j + 1) * u;
            reached += u32::from(upper * (1.0 - v) + lower * v >= least);
        }
    }
    f64::from(reached) / f64::from(width * height * 81)
}

#[test]
fn odd_sides_share_texels_by_area() {
    // Five texels become two: each covers two and a half.
    let row: Vec<f32> = [1.0, 2.0, 4.0, 8.0, 16.0].iter().flat_map(|v| [*v, 0.0, 0.0, 1.0]).collect();
    let levels = mips(&image(5, 1, Texels::Rgba32Float(row)), MipUse::Data, None);
    let Texels::Rgba32Float(texels) = &levels[0].texels else { panic!("the type changed") };
    for (found, wanted) in [(texels[0], (1.0 + 2.0 + 2.0) / 2.5), (texels[4], (2.0 + 8.0 + 16.0) / 2.5)] {
        assert!((found - wanted).abs() < 1e-5, "{found} for {wanted}");
    }
    // The mean of the whole survives to the last level.
    assert_eq!(levels.len(), 2);
    let Texels::Rgba32Float(last) = &levels[1].texels else { panic!("the type changed") };
    assert!((last[0] - 31.0 / 5.0).abs() < 1e-5, "{}", last[0]);
}

#[test]
fn deep_texels_keep_their_depth() {
    let words: Vec<u16> = vec![0, 0, 0, 65535, 65535, 65535, 65535, 65535];
    for (use_, wanted) in [(MipUse::Data, 32768), (MipUse::Color, 48192)] {
        let levels = mips(&image(2, 1, Texels::Rgba16(words.clone())), use_, None);
        let Texels::Rgba16(found) = &levels[0].texels else { panic!("the type changed") };
        assert!(found[0].abs_diff(wanted) <= 1, "{use_:?}: {}", found[0]);
    }
}
