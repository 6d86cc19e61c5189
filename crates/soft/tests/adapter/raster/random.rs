//! Random: pictures of random states, shapes and shaders, equal on every path. A difference is shrunk before it is
//! shown.

use super::stage::*;

const WGSL: &str = "
struct V { @builtin(position) p: vec4f, @location(0) c: vec4f, @location(1) @interpolate(linear) l: vec2f,
           @location(2) @interpolate(flat) f: vec2u, @location(3) @interpolate(perspective, centroid) z: vec2f }
@vertex fn vs(@location(0) p: vec4f, @location(1) c: vec4f, @builtin(vertex_index) i: u32, @builtin(instance_index) n: u32) -> V {
    return V(p + vec4f(f32(n) * 0.3, f32(n) * -0.2, 0.0, 0.0), c, c.zw, vec2u(i, n), c.xy);
}
@fragment fn plain(v: V) -> @location(0) vec4f { return v.c; }
@fragment fn rich(v: V, @builtin(front_facing) front: bool, @builtin(sample_mask) m: u32) -> @location(0) vec4f {
    return vec4f(v.l.x + select(0.0, 0.25, front), v.z.y + f32(m) * 0.03, f32(v.f.x % 7u) / 7.0, v.c.a);
}
@fragment fn holes(v: V) -> @location(0) vec4f {
    if fract(v.c.r * 5.0) < 0.3 { discard; }
    return vec4f(v.c.rgb, v.l.x);
}
@fragment fn where_(v: V) -> @location(0) vec4f { return vec4f(fract(v.p.xy * 0.05), v.p.z, 0.25 + v.p.w * 0.1); }
@fragment fn slope(v: V) -> @location(0) vec4f { return abs(vec4f(dpdx(v.c.rg), dpdy(v.c.ba)) * 4.0); }
struct D { @location(0) c: vec4f, @builtin(frag_depth) z: f32 }
@fragment fn deep(v: V) -> D { return D(v.c, v.c.g * 1.5 - 0.2); }
struct M { @location(0) c: vec4f, @builtin(sample_mask) m: u32 }
@fragment fn masked(v: V) -> M { return M(v.c, u32(v.c.b * 20.0)); }
@fragment fn each(v: V, @builtin(sample_index) s: u32) -> @location(0) vec4f { return v.c * (0.5 + f32(s) * 0.2); }
";

const FRAGMENTS: [&str; 8] = ["plain", "rich", "holes", "where_", "slope", "deep", "masked", "each"];

/// A small generator: the same pictures on every machine.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }
    fn below(&mut self, n: u32) -> u32 {
        self.bits() % n
    }
    fn unit(&mut self) -> f32 {
        (self.bits() >> 7) as f32 / (1 << 24) as f32
    }
    fn chance(&mut self, one_in: u32) -> bool {
        self.below(one_in) == 0
    }
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}

fn vertex(r: &mut Random, size: [u32; 2], middle: [f32; 2], reach: f32) -> [f32; 8] {
    let mut at = |k: usize| middle[k] + (r.unit() - 0.5) * reach;
    let (mut x, mut y) = (at(0), at(1));
    if r.chance(3) {
        // On pixel centres and corners, where ties are.
        let grid = |v: f32, n: u32| ((v * 0.5 + 0.5) * n as f32 * 2.0).round() / (n as f32 * 2.0) * 2.0 - 1.0;
        (x, y) = (grid(x, size[0]), grid(y, size[1]));
    }
    let w = match r.below(12) {
        0 => 0.3,
        1 => 5.0,
        2 => -1.0,
        3 => 0.01,
        _ => 1.0,
    };
    let z = if r.chance(8) { r.unit() * 3.0 - 1.0 } else { r.unit() };
    let odd = [f32::NAN, f32::INFINITY, 1e30, 0.0, -1e-30];
    let mut p = [x * w, y * w, z * w, w];
    if r.chance(60) {
        p[r.below(4) as usize] = r.pick(&odd);
    }
    let mut c = || r.unit() * 1.2 - 0.1;
    [p[0], p[1], p[2], p[3], c(), c(), c(), c()]
}

fn step(r: &mut Random, case: &Case<'_>) -> Step {
    use wgpu::{BlendFactor as F, BlendOperation as O, CompareFunction as C, StencilOperation as S};
    let compares = [C::Less, C::LessEqual, C::Greater, C::Equal, C::NotEqual, C::GreaterEqual, C::Always, C::Never];
    let factors = [
        F::Zero,
        F::One,
        F::Src,
        F::OneMinusSrcAlpha,
        F::SrcAlpha,
        F::Dst,
        F::OneMinusDstAlpha,
        F::SrcAlphaSaturated,
        F::Constant,
    ];
    let operations = [O::Add, O::Add, O::Subtract, O::ReverseSubtract, O::Min, O::Max];
    let changes = [
        S::Keep,
        S::Zero,
        S::Replace,
        S::Invert,
        S::IncrementClamp,
        S::DecrementClamp,
        S::IncrementWrap,
        S::DecrementWrap,
    ];
    let topologies = [
        wgpu::PrimitiveTopology::TriangleList,
        wgpu::PrimitiveTopology::TriangleList,
        wgpu::PrimitiveTopology::TriangleStrip,
        wgpu::PrimitiveTopology::LineList,
        wgpu::PrimitiveTopology::LineStrip,
        wgpu::PrimitiveTopology::PointList,
    ];
    let topology = r.pick(&topologies);
    let triangles = topology.is_triangles();
    let reach = r.pick(&[0.1, 0.4, 2.0, 8.0, 300.0]);
    let groups = 1 + r.below(12);
    let vertices: Vec<_> = (0..groups)
        .flat_map(|_| {
            let middle = [r.unit() * 2.4 - 1.2, r.unit() * 2.4 - 1.2];
            (0..3 + r.below(4)).map(|_| vertex(r, case.size, middle, reach)).collect::<Vec<_>>()
        })
        .collect();
    let count = vertices.len() as u32;
    let indices = r.chance(2).then(|| {
        (0..r.below(40) + 3)
            .map(|_| if topology.is_strip() && r.chance(6) { u32::MAX } else { r.below(count + 1) })
            .collect::<Vec<u32>>()
    });
    let mut component = || wgpu::BlendComponent {
        src_factor: r.pick(&factors),
        dst_factor: r.pick(&factors),
        operation: r.pick(&operations),
    };
    let (mut color, mut alpha) = (component(), component());
    for c in [&mut color, &mut alpha] {
        if matches!(c.operation, O::Min | O::Max) {
            (c.src_factor, c.dst_factor) = (F::One, F::One);
        }
    }
    let face = |r: &mut Random| wgpu::StencilFaceState {
        compare: r.pick(&compares),
        fail_op: r.pick(&changes),
        depth_fail_op: r.pick(&changes),
        pass_op: r.pick(&changes),
    };
    let has_stencil = case.depth.is_some_and(|f| f.has_stencil_aspect());
    let has_depth = case.depth.is_some_and(|f| f.has_depth_aspect());
    let stencil = if has_stencil && r.chance(2) {
        wgpu::StencilState { front: face(r), back: face(r), read_mask: r.bits() | 1, write_mask: r.bits() }
    } else {
        wgpu::StencilState::default()
    };
    let bias = if triangles && has_depth && r.chance(3) {
        let constant = r.below(2000) as i32 - 1000;
        wgpu::DepthBiasState { constant, slope_scale: r.unit() * 4.0 - 2.0, clamp: r.pick(&[0.0, 0.01, -0.01]) }
    } else {
        wgpu::DepthBiasState::default()
    };
    let fragment = match r.pick(&FRAGMENTS) {
        "deep" if !has_depth => "holes",
        fragment => fragment,
    };
    let (width, height) = (case.size[0], case.size[1]);
    Step {
        vertices,
        primitive: wgpu::PrimitiveState {
            topology,
            strip_index_format: (topology.is_strip() && indices.is_some()).then_some(wgpu::IndexFormat::Uint32),
            front_face: r.pick(&[wgpu::FrontFace::Ccw, wgpu::FrontFace::Cw]),
            cull_mode: r.pick(&[None, None, None, Some(wgpu::Face::Front), Some(wgpu::Face::Back)]),
            unclipped_depth: r.chance(4),
            ..Default::default()
        },
        indices,
        instances: if r.chance(4) { 3 } else { 1 },
        entry: ["vs", fragment],
        shades: !case.formats.is_empty(),
        blend: r.chance(2).then_some(wgpu::BlendState { color, alpha }),
        writes: if r.chance(4) { wgpu::ColorWrites::from_bits_truncate(r.below(16)) } else { wgpu::ColorWrites::ALL },
        constant: wgpu::Color { r: 0.3, g: 1.5, b: -0.5, a: 0.6 },
        compare: if has_depth { r.pick(&compares) } else { C::Always },
        writes_depth: has_depth && !r.chance(3),
        bias,
        stencil,
        reference: r.bits(),
        mask: if r.chance(5) { u64::from(r.bits()) } else { !0 },
        alpha_to_coverage: case.samples > 1 && fragment != "masked" && r.chance(5),
        viewport: r.chance(4).then(|| {
            let (x, y) = (r.unit() * 20.0 - 8.0, r.unit() * 20.0 - 8.0);
            [x, y, r.unit() * width as f32 + 1.0, r.unit() * height as f32 + 1.0, r.unit() * 0.4, 0.5 + r.unit() * 0.5]
        }),
        scissor: r.chance(4).then(|| {
            let (x, y) = (r.below(width), r.below(height));
            [x, y, r.below(width - x + 1), r.below(height - y + 1)]
        }),
        query: r.chance(2).then_some(0),
        ..Step::default()
    }
}

fn case(seed: u64) -> Case<'static> {
    use wgpu::TextureFormat as F;
    let mut r = Random(seed);
    r.bits();
    let formats =
        [F::Rgba8Unorm, F::Rgba8Unorm, F::Bgra8UnormSrgb, F::Rgba16Float, F::Rgb10a2Unorm, F::Rg8Unorm, F::R16Float];
    let depths = [None, Some(F::Depth32Float), Some(F::Depth24PlusStencil8), Some(F::Depth16Unorm), Some(F::Stencil8)];
    let mut case = Case {
        wgsl: WGSL,
        size: [1 + r.below(90), 1 + r.below(90)],
        formats: vec![r.pick(&formats)],
        clear: wgpu::Color { r: 0.2, g: 0.5, b: 0.0, a: 0.7 },
        samples: r.pick(&[1, 4]),
        depth: r.pick(&depths),
        depth_clear: r.pick(&[1.0, 0.0, 0.5]),
        stencil_clear: r.below(256),
        queries: 1,
        ..Case::default()
    };
    if case.samples == 1 && r.chance(2) {
        case.read = match case.depth {
            Some(F::Depth32Float | F::Depth16Unorm) => wgpu::TextureAspect::DepthOnly,
            Some(F::Depth24PlusStencil8 | F::Stencil8) => wgpu::TextureAspect::StencilOnly,
            _ => wgpu::TextureAspect::All,
        };
        if case.read != wgpu::TextureAspect::All && r.chance(3) {
            case.formats.clear();
        }
    }
    // Its own query counts only one draw: wgpu counts a query once a pass.
    let mut counted = false;
    for _ in 0..1 + r.below(4) {
        let mut step = step(&mut r, &case);
        step.query = step.query.filter(|_| !counted);
        counted |= step.query.is_some();
        case.steps.push(step);
    }
    case
}

fn differs(gpus: &[Gpu], case: &Case<'_>) -> Option<String> {
    let want = draw_on(&gpus[0], case);
    gpus[1..].iter().find(|gpu| draw_on(gpu, case) != want).map(|gpu| gpu.name.clone())
}

/// Takes away steps and vertices while the difference stays.
fn shrink(gpus: &[Gpu], mut case: Case<'static>) -> Case<'static> {
    loop {
        let mut smaller = Vec::new();
        for k in 0..case.steps.len() {
            let without = |change: &dyn Fn(&mut Vec<Step>)| {
                let mut next = case.clone();
                change(&mut next.steps);
                next
            };
            if case.steps.len() > 1 {
                smaller.push(without(&|steps| drop(steps.remove(k))));
            }
            let step = &case.steps[k];
            for half in [0, 1, 2] {
                if let Some(indices) = step.indices.as_ref().filter(|i| i.len() > 3) {
                    let n = indices.len();
                    let part = [0..n / 2, n / 2..n, 0..n - 1][half].clone();
                    smaller.push(without(&|steps| steps[k].indices = Some(indices[part.clone()].to_vec())));
                } else if step.indices.is_none() && step.vertices.len() > 3 {
                    let n = step.vertices.len() / 3 * 3;
                    let part = [0..n / 6 * 3, n / 6 * 3..n, 0..n.saturating_sub(3)][half].clone();
                    smaller.push(without(&|steps| steps[k].vertices = steps[k].vertices[part.clone()].to_vec()));
                }
            }
            smaller.push(without(&|steps| steps[k].instances = 1));
            smaller.push(without(&|steps| steps[k].blend = None));
        }
        let weight = |c: &Case<'_>| {
            c.steps
                .iter()
                .map(|s| {
                    3 + s.vertices.len()
                        + s.indices.as_ref().map_or(0, Vec::len)
                        + s.instances as usize
                        + usize::from(s.blend.is_some())
                })
                .sum::<usize>()
        };
        let found = smaller.into_iter().find(|next| weight(next) < weight(&case) && differs(gpus, next).is_some());
        match found {
            Some(next) => case = next,
            None => return case,
        }
    }
}

fn run(seeds: std::ops::Range<u64>) {
    let gpus = Gpu::all();
    for seed in seeds {
        let case = case(seed);
        if let Some(name) = differs(&gpus, &case) {
            let small = shrink(&gpus, case);
            panic!("seed {seed}: {name} differs from the oracle\n{small:#?}");
        }
    }
}

#[test]
fn random_pictures_are_equal_everywhere_1() {
    run(0..50);
}

#[test]
fn random_pictures_are_equal_everywhere_2() {
    run(50..100);
}
