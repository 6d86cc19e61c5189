//! Interpolation: weights, flat values, builtins.

use super::stage::*;

#[test]
fn perspective_linear_and_flat() {
    let wgsl = "
        struct V { @builtin(position) p: vec4f, @location(0) a: f32, @location(1) @interpolate(linear) b: f32,
                   @location(2) @interpolate(flat) c: f32 }
        @vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c.x, c.x, c.x); }
        @fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.a, v.b, v.c, v.p.w); }";
    // The right side is three times as far: at the middle of the screen perspective gives 1 / (1 + 3) of the way.
    let v = |x: f32, y: f32, w: f32, c: f32| [x * w, y * w, 0.5 * w, w, c, 0.0, 0.0, 0.0];
    let vertices = vec![v(-1.0, 19.0, 1.0, 0.0), v(-1.0, -9.0, 1.0, 0.0), v(1.0, -9.0, 3.0, 1.0)];
    let case = Case {
        wgsl,
        size: [15, 15],
        formats: vec![wgpu::TextureFormat::Rgba32Float],
        steps: vec![Step { vertices, ..Step::default() }],
        ..Case::default()
    };
    let middle = draw(&case).floats(7, 7);
    for (got, want) in middle.iter().zip([0.25, 0.5, 0.0, 2.0 / 3.0]) {
        assert!((got - want).abs() < 1e-6, "{middle:?}");
    }
}

#[test]
fn equal_values_keep_their_bits() {
    let c = [0.1, 0.7, 1.0 / 3.0, 12345.678];
    let v = |x: f32, y: f32, w: f32| [x * w, y * w, 0.3 * w, w, c[0], c[1], c[2], c[3]];
    let vertices = vec![v(-0.9, 0.8, 1.3), v(-0.7, -0.95, 4.1), v(0.93, -0.2, 0.77)];
    let formats = vec![wgpu::TextureFormat::Rgba32Float];
    let picture =
        draw(&Case { size: [70, 70], formats, steps: vec![Step { vertices, ..Step::default() }], ..Case::default() });
    let mut hits = 0;
    for y in 0..70 {
        for x in 0..70 {
            let got = picture.floats(x, y);
            if got[3] != 0.0 {
                assert_eq!(got, c);
                hits += 1;
            }
        }
    }
    assert!(hits > 500, "{hits}");
}

#[test]
fn builtins_tell_where_a_fragment_is() {
    let wgsl = "
        @vertex fn vs(@location(0) p: vec4f, @builtin(vertex_index) i: u32, @builtin(instance_index) n: u32)
            -> @builtin(position) vec4f { return p + vec4f(f32(n) * 1.0, 0, 0, 0); }
        @fragment fn fs(@builtin(position) p: vec4f, @builtin(front_facing) front: bool)
            -> @location(0) vec4f { return vec4f(p.xyz, select(1.0, 2.0, front)); }";
    let vertices = vec![
        at(square(), 0.0, 0.0, 0.25, WHITE),
        at(square(), 8.0, 0.0, 0.25, WHITE),
        at(square(), 0.0, 16.0, 0.25, WHITE),
    ];
    let formats = vec![wgpu::TextureFormat::Rgba32Float];
    let step = Step { vertices, instances: 2, ..Step::default() };
    let picture = draw(&Case { wgsl, formats, steps: vec![step], ..Case::default() });
    assert_eq!(picture.floats(2, 3), [2.5, 3.5, 0.25, 1.0]);
    assert_eq!(picture.floats(9, 5), [9.5, 5.5, 0.25, 1.0]);
}
