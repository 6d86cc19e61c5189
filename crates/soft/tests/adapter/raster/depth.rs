//! Depth and stencil: compares, bias, stencil operations, early and late tests.

use super::stage::*;

/// Depth 0.5 under a second layer of depth `z`, compared with `compare`: whether the second passes.
fn second_passes(
    format: wgpu::TextureFormat,
    compare: wgpu::CompareFunction,
    z: f32,
    bias: wgpu::DepthBiasState,
) -> bool {
    let under = Step { vertices: full(0.5, [1.0, 0.0, 0.0, 1.0]), writes_depth: true, ..Step::default() };
    let over = Step { vertices: full(z, [0.0, 1.0, 0.0, 1.0]), compare, bias, writes_depth: true, ..Step::default() };
    let picture = draw(&Case { depth: Some(format), size: [8, 8], steps: vec![under, over], ..Case::default() });
    picture.rgba(3, 3)[1] == 255
}

#[test]
fn depth_compares() {
    use wgpu::CompareFunction as C;
    for (compare, below, equal, above) in [
        (C::Never, false, false, false),
        (C::Less, true, false, false),
        (C::Equal, false, true, false),
        (C::LessEqual, true, true, false),
        (C::Greater, false, false, true),
        (C::NotEqual, true, false, true),
        (C::GreaterEqual, false, true, true),
        (C::Always, true, true, true),
    ] {
        for (z, want) in [(0.25, below), (0.5, equal), (0.75, above)] {
            for format in [wgpu::TextureFormat::Depth32Float, wgpu::TextureFormat::Depth16Unorm] {
                assert_eq!(second_passes(format, compare, z, Default::default()), want, "{format:?} {compare:?} {z}");
            }
        }
    }
}

#[test]
fn sixteen_bits_of_depth_are_compared_as_stored() {
    // 0.5 is stored as 32768; a little more is the same number, a step more is not.
    let greater =
        |z| second_passes(wgpu::TextureFormat::Depth16Unorm, wgpu::CompareFunction::Greater, z, Default::default());
    assert!(!greater(0.5 + 1.0 / 200_000.0));
    assert!(greater(0.5 + 1.0 / 65535.0));
}

#[test]
fn bias_moves_by_its_unit() {
    let bias = |constant| wgpu::DepthBiasState { constant, ..Default::default() };
    let less = |format, constant| second_passes(format, wgpu::CompareFunction::Less, 0.5, bias(constant));
    for format in [
        wgpu::TextureFormat::Depth32Float,
        wgpu::TextureFormat::Depth16Unorm,
        wgpu::TextureFormat::Depth24Plus,
        wgpu::TextureFormat::Depth24PlusStencil8,
    ] {
        assert!(!less(format, 0) && !less(format, 1) && less(format, -1), "{format:?}");
    }
    // Slope: depth rises by 1/16 a pixel; a factor of 1 lifts it by that much.
    let sloped = |slope_scale: f32, clamp: f32| {
        let v = |x: f32, y: f32| at(square(), x, y, x / 16.0, WHITE);
        let vertices = vec![v(0.0, 0.0), v(16.0, 0.0), v(0.0, 16.0)];
        let bias = wgpu::DepthBiasState { constant: 0, slope_scale, clamp };
        let step = Step { vertices, writes_depth: true, bias, ..Step::default() };
        let depth = Some(wgpu::TextureFormat::Depth32Float);
        let read = wgpu::TextureAspect::DepthOnly;
        draw(&Case { depth, read, steps: vec![step], ..Case::default() }).f32(4, 4)
    };
    assert_eq!(sloped(0.0, 0.0), 4.5 / 16.0);
    assert_eq!(sloped(1.0, 0.0), 5.5 / 16.0);
    assert_eq!(sloped(4.0, 0.125), 6.5 / 16.0);
}

#[test]
fn a_fragment_may_give_its_depth() {
    let wgsl = "
        struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }
        struct F { @location(0) c: vec4f, @builtin(frag_depth) z: f32 }
        @vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c); }
        @fragment fn fs(v: V) -> F { return F(v.c, v.c.r * 2.0 - 0.5); }";
    let value = |r: f32| {
        let step = Step { vertices: full(0.1, [r, 0.0, 0.0, 1.0]), writes_depth: true, ..Step::default() };
        let case = Case {
            wgsl,
            depth: Some(wgpu::TextureFormat::Depth32Float),
            read: wgpu::TextureAspect::DepthOnly,
            ..Case::default()
        };
        draw(&Case { steps: vec![step], ..case }).f32(3, 3)
    };
    assert_eq!([value(0.5), value(1.0), value(0.0)], [0.5, 1.0, 0.0]);
}

#[test]
fn stencil_operations_and_masks() {
    use wgpu::{CompareFunction as C, StencilOperation as S};
    let face =
        |compare, pass_op, fail_op, depth_fail_op| wgpu::StencilFaceState { compare, fail_op, depth_fail_op, pass_op };
    let run = |front: wgpu::StencilFaceState, clear: u32, reference: u32, masks: (u32, u32), compare: C| {
        let stencil = wgpu::StencilState { front, back: front, read_mask: masks.0, write_mask: masks.1 };
        let step = Step { vertices: full(0.5, WHITE), stencil, reference, compare, ..Step::default() };
        let case =
            Case { depth: Some(wgpu::TextureFormat::Depth24PlusStencil8), stencil_clear: clear, ..Case::default() };
        draw(&Case { read: wgpu::TextureAspect::StencilOnly, steps: vec![step], ..case }).at(5, 5)[0]
    };
    for (op, clear, want) in [
        (S::Keep, 7, 7),
        (S::Zero, 7, 0),
        (S::Replace, 7, 0x5A),
        (S::Invert, 0x0F, 0xF0),
        (S::IncrementClamp, 255, 255),
        (S::IncrementClamp, 7, 8),
        (S::DecrementClamp, 0, 0),
        (S::IncrementWrap, 255, 0),
        (S::DecrementWrap, 0, 255),
    ] {
        let always = face(C::Always, op, S::Keep, S::Keep);
        assert_eq!(run(always, clear, 0x15A, (!0, !0), C::Always), want, "{op:?} {clear}");
    }
    let replace = face(C::Always, S::Replace, S::Keep, S::Keep);
    assert_eq!(run(replace, 0xF0, 0x3C, (!0, 0x0F), C::Always), 0xFC);
    let equal = face(C::Equal, S::Zero, S::Invert, S::Keep);
    assert_eq!(run(equal, 0x13, 0x23, (0x0F, !0), C::Always), 0);
    assert_eq!(run(equal, 0x13, 0x23, (!0, !0), C::Always), 0xEC);
    let depth_fails = face(C::Always, S::Zero, S::Zero, S::Replace);
    assert_eq!(run(depth_fails, 1, 9, (!0, !0), C::Never), 9);
}

#[test]
fn both_sides_have_their_stencil() {
    use wgpu::{CompareFunction as C, StencilOperation as S};
    let face =
        |pass_op| wgpu::StencilFaceState { compare: C::Always, fail_op: S::Keep, depth_fail_op: S::Keep, pass_op };
    let stencil =
        wgpu::StencilState { front: face(S::IncrementClamp), back: face(S::Replace), read_mask: !0, write_mask: !0 };
    let mut vertices = shape(&[(0.0, 0.0), (8.0, 0.0), (0.0, 8.0), (8.0, 8.0), (8.0, 16.0), (16.0, 8.0)]);
    vertices.truncate(6);
    let step = Step { vertices, stencil, reference: 77, ..Step::default() };
    let case =
        Case { depth: Some(wgpu::TextureFormat::Stencil8), read: wgpu::TextureAspect::StencilOnly, ..Case::default() };
    let picture = draw(&Case { steps: vec![step], ..case });
    assert_eq!((picture.at(1, 1)[0], picture.at(9, 9)[0], picture.at(15, 1)[0]), (77, 1, 0));
}

#[test]
fn early_and_late_tests_agree() {
    // Discard in a checker pattern, with depth, over many small triangles in random order; the oracle is the judge.
    let wgsl = "
        struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }
        @vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f) -> V { return V(p, c); }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            if ((u32(v.p.x) ^ u32(v.p.y)) & 1u) == 0u { discard; }
            return v.c;
        }
        @fragment fn forced(v: V) -> @location(0) vec4f { return v.c; }";
    let size = [100, 90];
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let mut vertices = Vec::new();
    for _ in 0..300 {
        let (x, y, c) = (random() * 100.0, random() * 90.0, [random(), random(), random(), 1.0]);
        for _ in 0..3 {
            vertices.push(at(size, x + random() * 30.0 - 15.0, y + random() * 30.0 - 15.0, random(), c));
        }
    }
    for entry in [["vs", "fs"], ["vs", "forced"]] {
        for format in [wgpu::TextureFormat::Depth32Float, wgpu::TextureFormat::Depth16Unorm] {
            for samples in [1, 4] {
                let step = Step {
                    vertices: vertices.clone(),
                    entry,
                    compare: wgpu::CompareFunction::Less,
                    writes_depth: true,
                    query: Some(0),
                    ..Step::default()
                };
                let picture = draw(&Case {
                    wgsl,
                    size,
                    samples,
                    depth: Some(format),
                    queries: 1,
                    steps: vec![step],
                    ..Case::default()
                });
                assert!(picture.count() > 500 && picture.queries[0] > 500);
            }
        }
    }
}
