//! Several samples: positions, masks, per-sample shading, centroids, depth of each.

use super::stage::*;

#[test]
fn samples_are_where_webgpu_puts_them() {
    // A right half that begins at x = 8 + k/16: the samples' x are 2, 6, 10 and 14 sixteenths.
    for (sixteenths, covered) in [(0, 4), (2, 4), (3, 3), (6, 3), (7, 2), (10, 2), (11, 1), (14, 1), (15, 0)] {
        let x = 8.0 + sixteenths as f32 / 16.0;
        let p = [(x, 0.0), (16.0, 0.0), (x, 16.0), (x, 16.0), (16.0, 0.0), (16.0, 16.0)];
        let picture =
            draw(&Case { samples: 4, steps: vec![Step { vertices: shape(&p), ..Step::default() }], ..Case::default() });
        assert_eq!(picture.rgba(8, 8)[0], [0, 64, 128, 191, 255][covered], "{sixteenths}/16");
        assert_eq!(picture.rgba(9, 8)[0], 255);
    }
}

#[test]
fn masks_choose_samples() {
    for (mask, want) in [(0, 0), (1, 64), (0b1010, 128), (0b0111, 191), (!0, 255)] {
        let step = Step { vertices: full(0.5, WHITE), mask, ..Step::default() };
        assert_eq!(draw(&Case { samples: 4, steps: vec![step], ..Case::default() }).rgba(3, 3)[0], want);
    }
    for (alpha, want) in [(0.0, 0), (0.1, 0), (0.125, 64), (0.5, 128), (0.9, 255), (2.0, 255)] {
        let step = Step { vertices: full(0.5, [1.0, 1.0, 1.0, alpha]), alpha_to_coverage: true, ..Step::default() };
        assert_eq!(draw(&Case { samples: 4, steps: vec![step], ..Case::default() }).rgba(3, 3)[0], want, "{alpha}");
    }
    let wgsl = "
        struct F { @location(0) c: vec4f, @builtin(sample_mask) m: u32 }
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }
        @fragment fn fs(@builtin(sample_mask) m: u32) -> F { return F(vec4f(f32(m) / 15.0), 0x15u); }";
    let step = Step { vertices: full(0.5, WHITE), ..Step::default() };
    assert_eq!(draw(&Case { wgsl, samples: 4, steps: vec![step], ..Case::default() }).rgba(3, 3)[0], 128);
}

#[test]
fn shading_once_a_sample_when_asked() {
    let wgsl = "
        struct V { @builtin(position) p: vec4f, @location(0) @interpolate(perspective, sample) c: vec4f }
        @vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c); }
        @fragment fn fs(v: V) -> @location(0) vec4f { return v.c; }
        @fragment fn index(@builtin(sample_index) s: u32, @builtin(position) p: vec4f) -> @location(0) vec4f {
            return vec4f(f32(s), p.x, p.y, 1.0);
        }";
    let ramp: Vec<_> = full(0.5, WHITE)
        .into_iter()
        .map(|mut v| {
            v[4] = (v[0] + 1.0) * 8.0;
            v
        })
        .collect();
    let formats = vec![wgpu::TextureFormat::Rgba16Float];
    let run = |fragment| {
        let step = Step { vertices: ramp.clone(), entry: ["vs", fragment], ..Step::default() };
        draw(&Case { wgsl, samples: 4, formats: formats.clone(), steps: vec![step], ..Case::default() })
    };
    // The mean of the samples' positions is the centre; of their numbers 1.5.
    assert!((run("fs").halves(3, 3)[0] - 3.5).abs() < 4e-3);
    assert_eq!(run("index").halves(3, 5), [1.5, 3.5, 5.5, 1.0]);
}

#[test]
fn centroids_stay_inside() {
    // A value that is x in pixels, on a triangle that begins at 8.5 and so misses the centre of pixel 8's left samples.
    let wgsl = "
        struct V { @builtin(position) p: vec4f, @location(0) @interpolate(perspective, centroid) a: f32, @location(1) b: f32 }
        @vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c.x, c.x); }
        @fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.a, v.b, 0, 1); }";
    let v = |x: f32, y: f32| at(square(), x, y, 0.5, [x, 0.0, 0.0, 0.0]);
    let left = 8.6;
    let vertices = vec![v(left, 0.0), v(16.0, 0.0), v(left, 16.0), v(left, 16.0), v(16.0, 0.0), v(16.0, 16.0)];
    let clear = wgpu::Color { r: 0.0, g: 0.0, b: 0.0, a: 0.0 };
    let case = Case { wgsl, samples: 4, formats: vec![wgpu::TextureFormat::Rgba16Float], clear, ..Case::default() };
    let got = draw(&Case { steps: vec![Step { vertices, ..Step::default() }], ..case }).halves(8, 4);
    // Samples 1 (x = 8.875) and 3 (8.625) are covered: the centroid is sample 1, the centre 8.5.
    assert!((got[0] - 8.875 * 0.5).abs() < 4e-3 && (got[1] - 8.5 * 0.5).abs() < 4e-3, "{got:?}");
}

#[test]
fn samples_have_their_own_depth() {
    // Two crossing slopes at four samples: the edge between them is smooth, and counted exactly.
    let v = |x: f32, y: f32, z: f32, c| at(square(), x, y, z, c);
    let slope = |a: f32, b: f32, c: [f32; 4]| {
        vec![
            v(0.0, 0.0, a, c),
            v(16.0, 0.0, b, c),
            v(0.0, 16.0, a, c),
            v(0.0, 16.0, a, c),
            v(16.0, 0.0, b, c),
            v(16.0, 16.0, b, c),
        ]
    };
    let step = |vertices, query| Step {
        vertices,
        compare: wgpu::CompareFunction::Less,
        writes_depth: true,
        query: Some(query),
        ..Step::default()
    };
    let steps = vec![step(slope(0.2, 0.8, [1.0, 0.0, 0.0, 1.0]), 0), step(slope(0.83, 0.2, [0.0, 1.0, 0.0, 1.0]), 1)];
    let picture = draw(&Case {
        samples: 4,
        depth: Some(wgpu::TextureFormat::Depth32Float),
        queries: 2,
        steps,
        ..Case::default()
    });
    assert_eq!(picture.queries[0], 1024);
    let mixed = (0..16).filter(|&x| (1..255).contains(&picture.rgba(x, 8)[0])).count();
    assert_eq!(mixed, 1);
}
