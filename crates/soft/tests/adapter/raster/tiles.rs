//! Tiles: a target that is a tile of a larger picture has the bits of that picture.

use proptest::prelude::*;

use super::stage::*;

const WGSL: &str = "
struct V { @builtin(position) p: vec4f, @location(0) c: vec4f, @location(1) @interpolate(linear) l: vec2f,
           @location(2) @interpolate(perspective, centroid) z: vec2f }
@vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c, c.zw, c.xy); }
@fragment fn fs(v: V) -> @location(0) vec4f {
    return vec4f(v.c.x + dpdx(v.c.y) * 8.0, v.l.x + dpdy(v.l.y) * 8.0, v.z.y, v.p.z);
}
@fragment fn each(v: V, @builtin(sample_index) s: u32) -> @location(0) vec4f { return v.c * (0.5 + f32(s) * 0.2); }
";

fn vertex() -> impl Strategy<Value = [f32; 8]> {
    let w = prop_oneof![6 => Just(1.0f32), 1 => Just(0.01f32), 1 => Just(-1.0f32), 1 => 0.3f32..5.0];
    ((-1.5f32..1.5, -1.5f32..1.5, -0.1f32..1.1), w, prop::array::uniform4(0f32..1.0))
        .prop_map(|((x, y, z), w, c)| [x * w, y * w, z * w, w, c[0], c[1], c[2], c[3]])
}

fn step(vertices: Vec<[f32; 8]>, kind: u32, samples: u32) -> Step {
    use wgpu::PrimitiveTopology as T;
    let (shape, entry) = match kind {
        0 => (T::TriangleList, "fs"),
        1 => (T::TriangleList, if samples == 4 { "each" } else { "fs" }),
        2 => (T::LineList, "fs"),
        _ => (T::PointList, "fs"),
    };
    Step {
        vertices,
        entry: ["vs", entry],
        primitive: topology(shape),
        compare: wgpu::CompareFunction::LessEqual,
        writes_depth: true,
        bias: wgpu::DepthBiasState {
            constant: if kind < 2 { 2 } else { 0 },
            slope_scale: if kind < 2 { 1.5 } else { 0.0 },
            clamp: 0.0,
        },
        ..Step::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Tiles at multiples of 64 pixels, of any size, on the oracle and on the fast path.
    #[test]
    fn a_tile_is_a_part_of_the_picture(
        shapes in prop::collection::vec((prop::collection::vec(vertex(), 12), 0u32..4), 1..4),
        size in (65u32..400, 65u32..300),
        samples in prop_oneof![Just(1u32), Just(4)],
        [column, row] in [0u32..6, 0u32..5],
        tile in (1u32..130, 1u32..130),
    ) {
        let steps: Vec<Step> = shapes.into_iter().map(|(vertices, kind)| step(vertices, kind, samples)).collect();
        let whole = Case {
            wgsl: WGSL,
            size: [size.0, size.1],
            samples,
            formats: vec![wgpu::TextureFormat::Rgba32Float],
            depth: Some(wgpu::TextureFormat::Depth32Float),
            steps,
            ..Case::default()
        };
        let origin = [(64 * column) % size.0 / 64 * 64, (64 * row) % size.1 / 64 * 64];
        let tile_size = [tile.0.min(size.0 - origin[0]), tile.1.min(size.1 - origin[1])];
        let viewport = [-(origin[0] as f32), -(origin[1] as f32), size.0 as f32, size.1 as f32, 0.0, 1.0];
        let moved = |step: &Step| Step { viewport: Some(viewport), ..step.clone() };
        let part = Case { size: tile_size, steps: whole.steps.iter().map(moved).collect(), ..whole.clone() };
        let (picture, part) = (draw(&whole), draw(&part));
        for y in 0..tile_size[1] as usize {
            for x in 0..tile_size[0] as usize {
                let want = picture.at(x + origin[0] as usize, y + origin[1] as usize);
                prop_assert_eq!(part.at(x, y), want, "{} {} of the tile at {:?}", x, y, origin);
            }
        }
    }
}
