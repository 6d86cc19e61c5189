//! The steady workloads: small wgpu programs with one weight each.

use stillframe_soft::wgpu::{self, util::DeviceExt};

use crate::harness::{Device, Frame, Workload};

/// All of them, in the order of the table.
pub const ALL: &[Workload] = &[
    Workload { name: "16 lights full screen", prepare: sixteen_lights, bar: 1.5 },
    Workload { name: "sphere tracing", prepare: sphere_tracing, bar: 1.5 },
    Workload { name: "131k textured triangles", prepare: textured_triangles, bar: 1.5 },
    Workload { name: "depth only 2048x2048", prepare: depth_only, bar: 1.5 },
    Workload { name: "25-tap blur", prepare: blur, bar: 1.5 },
];

/// A render target and its view.
pub struct Target {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
}

pub fn target(d: &Device, width: u32, height: u32, format: wgpu::TextureFormat) -> Target {
    let texture = d.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    let view = texture.create_view(&Default::default());
    Target { texture, view }
}

struct PipelineChoice<'a> {
    wgsl: &'a str,
    fragment: Option<wgpu::TextureFormat>,
    depth: bool,
    vertex_stride_bytes: u64,
    attributes: &'a [wgpu::VertexAttribute],
}

fn pipeline(d: &Device, choice: &PipelineChoice<'_>) -> wgpu::RenderPipeline {
    let module = d.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("workload"),
        source: wgpu::ShaderSource::Wgsl(choice.wgsl.into()),
    });
    let buffers = [Some(wgpu::VertexBufferLayout {
        array_stride: choice.vertex_stride_bytes,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: choice.attributes,
    })];
    let targets = [choice.fragment.map(Into::into)];
    d.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("workload"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vs"),
            compilation_options: Default::default(),
            buffers: if choice.attributes.is_empty() { &[] } else { &buffers },
        },
        primitive: Default::default(),
        depth_stencil: choice.depth.then(|| wgpu::DepthStencilState {
            format: wgpu::TextureFormat::Depth32Float,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: choice.fragment.is_some().then(|| wgpu::FragmentState {
            module: &module,
            entry_point: Some("fs"),
            compilation_options: Default::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Records one pass, submits it and waits.
fn draw(d: &Device, color: Option<&Target>, depth: Option<&Target>, commands: &dyn Fn(&mut wgpu::RenderPass<'_>)) {
    let mut encoder = d.device.create_command_encoder(&Default::default());
    let color = color.map(|t| {
        Some(wgpu::RenderPassColorAttachment {
            view: &t.view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
        })
    });
    {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: color.as_slice(),
            depth_stencil_attachment: depth.map(|t| wgpu::RenderPassDepthStencilAttachment {
                view: &t.view,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        commands(&mut pass);
    }
    d.queue.submit([encoder.finish()]);
    d.wait();
}

fn buffer(d: &Device, contents: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    d.device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
}

fn bind(d: &Device, p: &wgpu::RenderPipeline, entries: &[wgpu::BindGroupEntry<'_>]) -> wgpu::BindGroup {
    let layout = p.get_bind_group_layout(0);
    d.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries })
}

const FULL_SCREEN: &str = "
struct Out { @builtin(position) at: vec4f, @location(0) uv: vec2f }
@vertex fn vs(@builtin(vertex_index) i: u32) -> Out {
    let p = vec2f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0);
    return Out(vec4f(p, 0.5, 1.0), p * vec2f(0.5, -0.5) + 0.5);
}
";

fn full_screen(wgsl: &str) -> String {
    format!("{FULL_SCREEN}{wgsl}")
}

fn screen_choice(wgsl: &str) -> PipelineChoice<'_> {
    PipelineChoice {
        wgsl,
        fragment: Some(wgpu::TextureFormat::Rgba8Unorm),
        depth: false,
        vertex_stride_bytes: 0,
        attributes: &[],
    }
}

const LIGHTS: &str = "
struct Light { position: vec4f, color: vec4f }
struct Scene { eye: vec4f, base: vec4f, lights: array<Light, 16> }
@group(0) @binding(0) var<uniform> scene: Scene;
fn shade(p: vec3f, n: vec3f, base: vec3f, roughness: f32) -> vec3f {
    let v = normalize(scene.eye.xyz - p);
    let a = roughness * roughness;
    let a2 = a * a;
    let nv = max(dot(n, v), 1e-4);
    var sum = vec3f(0.0);
    for (var i = 0u; i < 16u; i++) {
        let to = scene.lights[i].position.xyz - p;
        let d2 = max(dot(to, to), 1e-4);
        let l = to * inverseSqrt(d2);
        let h = normalize(l + v);
        let nl = max(dot(n, l), 0.0);
        let nh = max(dot(n, h), 0.0);
        let vh = max(dot(v, h), 0.0);
        let q = nh * nh * (a2 - 1.0) + 1.0;
        let distribution = a2 / (3.14159265 * q * q);
        let visibility = 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2) + 1e-5);
        let x = 1.0 - vh;
        let x2 = x * x;
        let fresnel = 0.04 + 0.96 * (x2 * x2 * x);
        let lobe = base * (0.31830987 * (1.0 - fresnel)) + distribution * visibility * fresnel;
        sum += lobe * scene.lights[i].color.rgb * (nl / d2);
    }
    return sum;
}
";

fn sixteen_lights<'d>(d: &'d Device) -> Frame<'d> {
    let wgsl = full_screen(&format!(
        "{LIGHTS}
@fragment fn fs(in: Out) -> @location(0) vec4f {{
    let xy = in.uv * 4.0 - 2.0;
    let n = normalize(vec3f(xy.x * 0.3, xy.y * 0.2, 1.0));
    let c = shade(vec3f(xy, 0.0), n, scene.base.rgb, 0.2 + 0.6 * in.uv.x);
    return vec4f(c / (c + 1.0), 1.0);
}}"
    ));
    let p = pipeline(d, &screen_choice(&wgsl));
    let mut words: Vec<f32> = vec![0.0, 0.0, 3.0, 1.0, 0.7, 0.6, 0.5, 1.0];
    for i in 0..16 {
        let (x, y) = ((i % 4) as f32 - 1.5, (i / 4) as f32 - 1.5);
        words.extend([x, y, 0.5 + 0.05 * i as f32, 0.0, 0.4 + 0.03 * i as f32, 0.5, 0.9 - 0.04 * i as f32, 0.0]);
    }
    let uniform = buffer(d, bytemuck::cast_slice(&words), wgpu::BufferUsages::UNIFORM);
    let group = bind(d, &p, &[wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() }]);
    let t = target(d, 512, 512, wgpu::TextureFormat::Rgba8Unorm);
    Box::new(move || {
        draw(d, Some(&t), None, &|pass| {
            pass.set_pipeline(&p);
            pass.set_bind_group(0, &group, &[]);
            pass.draw(0..3, 0..1);
        })
    })
}

fn sphere_tracing<'d>(d: &'d Device) -> Frame<'d> {
    let wgsl = full_screen(
        "
fn distance_to(p: vec3f) -> f32 {
    let q = p - round(p * vec3f(0.5, 0.0, 0.5)) * vec3f(2.0, 0.0, 2.0);
    let ball = length(q) - 0.6;
    let ring = length(vec2f(length(q.xz) - 0.8, q.y)) - 0.12;
    return min(min(ball, ring), p.y + 0.7);
}
@fragment fn fs(in: Out) -> @location(0) vec4f {
    let ray = normalize(vec3f((in.uv.x - 0.5) * 3.2, (0.5 - in.uv.y) * 1.8, -1.6));
    var t = 0.0;
    var steps = 0.0;
    for (var i = 0; i < 96; i++) {
        let h = distance_to(vec3f(0.4, 0.8, 3.0) + ray * t);
        if h < 0.001 * (1.0 + t) { break; }
        t += h;
        steps += 1.0;
        if t > 40.0 { break; }
    }
    let p = vec3f(0.4, 0.8, 3.0) + ray * t;
    let e = 0.002;
    let n = normalize(vec3f(
        distance_to(p + vec3f(e, 0.0, 0.0)) - distance_to(p - vec3f(e, 0.0, 0.0)),
        distance_to(p + vec3f(0.0, e, 0.0)) - distance_to(p - vec3f(0.0, e, 0.0)),
        distance_to(p + vec3f(0.0, 0.0, e)) - distance_to(p - vec3f(0.0, 0.0, e))));
    let lit = max(dot(n, vec3f(0.48, 0.64, 0.6)), 0.0) * select(0.0, 1.0, t < 40.0);
    return vec4f(lit, lit * 0.9, steps / 96.0, 1.0);
}",
    );
    let p = pipeline(d, &screen_choice(&wgsl));
    let t = target(d, 512, 288, wgpu::TextureFormat::Rgba8Unorm);
    Box::new(move || {
        draw(d, Some(&t), None, &|pass| {
            pass.set_pipeline(&p);
            pass.draw(0..3, 0..1);
        })
    })
}

/// A wavy sheet of `side * side * 2` triangles over the whole target: position and uv.
fn sheet(side: u32) -> (Vec<f32>, Vec<u32>) {
    let mut vertices = Vec::new();
    let mut indices = Vec::new();
    for y in 0..=side {
        for x in 0..=side {
            let (u, v) = (x as f32 / side as f32, y as f32 / side as f32);
            let z = 0.5 + 0.2 * ((x % 7) as f32 / 7.0 - (y % 5) as f32 / 5.0);
            vertices.extend([u * 2.0 - 1.0, 1.0 - v * 2.0, z, u * 6.0, v * 6.0]);
        }
    }
    for y in 0..side {
        for x in 0..side {
            let a = y * (side + 1) + x;
            indices.extend([a, a + side + 1, a + 1, a + 1, a + side + 1, a + side + 2]);
        }
    }
    (vertices, indices)
}

const SHEET_ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x2];

/// A texture with a pattern and all its mip levels.
fn pattern(d: &Device, side: u32) -> wgpu::TextureView {
    let mut texels = Vec::new();
    let mut level = side;
    while level > 0 {
        for y in 0..level {
            for x in 0..level {
                let (u, v) = (x * side / level, y * side / level);
                texels.extend([(u ^ v) as u8, (u * 3) as u8, (v * 5) as u8, 255]);
            }
        }
        level /= 2;
    }
    let texture = d.device.create_texture_with_data(
        &d.queue,
        &wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            mip_level_count: side.ilog2() + 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        },
        wgpu::util::TextureDataOrder::LayerMajor,
        &texels,
    );
    texture.create_view(&Default::default())
}

fn linear_sampler(d: &Device) -> wgpu::Sampler {
    d.device.create_sampler(&wgpu::SamplerDescriptor {
        address_mode_u: wgpu::AddressMode::Repeat,
        address_mode_v: wgpu::AddressMode::Repeat,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..Default::default()
    })
}

fn textured_triangles<'d>(d: &'d Device) -> Frame<'d> {
    let wgsl = "
struct Out { @builtin(position) at: vec4f, @location(0) uv: vec2f }
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var smooth_: sampler;
@vertex fn vs(@location(0) p: vec3f, @location(1) uv: vec2f) -> Out { return Out(vec4f(p, 1.0), uv); }
@fragment fn fs(in: Out) -> @location(0) vec4f { return textureSample(picture, smooth_, in.uv); }
";
    let p = pipeline(
        d,
        &PipelineChoice {
            wgsl,
            fragment: Some(wgpu::TextureFormat::Rgba8Unorm),
            depth: true,
            vertex_stride_bytes: 20,
            attributes: &SHEET_ATTRIBUTES,
        },
    );
    let (vertices, indices) = sheet(256);
    let vertices = buffer(d, bytemuck::cast_slice(&vertices), wgpu::BufferUsages::VERTEX);
    let count = indices.len() as u32;
    let indices = buffer(d, bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX);
    let view = pattern(d, 512);
    let sampler = linear_sampler(d);
    let group = bind(
        d,
        &p,
        &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
        ],
    );
    let color = target(d, 1280, 720, wgpu::TextureFormat::Rgba8Unorm);
    let depth = target(d, 1280, 720, wgpu::TextureFormat::Depth32Float);
    Box::new(move || {
        draw(d, Some(&color), Some(&depth), &|pass| {
            pass.set_pipeline(&p);
            pass.set_bind_group(0, &group, &[]);
            pass.set_vertex_buffer(0, vertices.slice(..));
            pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..count, 0, 0..1);
        })
    })
}

fn depth_only<'d>(d: &'d Device) -> Frame<'d> {
    let wgsl = "@vertex fn vs(@location(0) p: vec3f) -> @builtin(position) vec4f { return vec4f(p, 1.0); }";
    let p = pipeline(
        d,
        &PipelineChoice {
            wgsl,
            fragment: None,
            depth: true,
            vertex_stride_bytes: 20,
            attributes: &SHEET_ATTRIBUTES[..1],
        },
    );
    let (vertices, indices) = sheet(443);
    let vertices = buffer(d, bytemuck::cast_slice(&vertices), wgpu::BufferUsages::VERTEX);
    let count = indices.len() as u32;
    let indices = buffer(d, bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX);
    let depth = target(d, 2048, 2048, wgpu::TextureFormat::Depth32Float);
    Box::new(move || {
        draw(d, None, Some(&depth), &|pass| {
            pass.set_pipeline(&p);
            pass.set_vertex_buffer(0, vertices.slice(..));
            pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..count, 0, 0..1);
        })
    })
}

fn blur<'d>(d: &'d Device) -> Frame<'d> {
    let wgsl = full_screen(
        "
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var smooth_: sampler;
@fragment fn fs(in: Out) -> @location(0) vec4f {
    var sum = vec4f(0.0);
    for (var y = -2; y <= 2; y++) {
        for (var x = -2; x <= 2; x++) {
            sum += textureSampleLevel(picture, smooth_, in.uv + vec2f(f32(x), f32(y)) * 0.0014, 0.0);
        }
    }
    return sum * 0.04;
}",
    );
    let p = pipeline(d, &screen_choice(&wgsl));
    let view = pattern(d, 1024);
    let sampler = linear_sampler(d);
    let group = bind(
        d,
        &p,
        &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
        ],
    );
    let t = target(d, 1024, 1024, wgpu::TextureFormat::Rgba8Unorm);
    Box::new(move || {
        draw(d, Some(&t), None, &|pass| {
            pass.set_pipeline(&p);
            pass.set_bind_group(0, &group, &[]);
            pass.draw(0..3, 0..1);
        })
    })
}

/// A lit pipeline whose text differs by `number`, so that no cache can know it; drawing it once ends its first use.
pub fn variant<'d>(d: &'d Device, t: &'d Target, number: u32) -> Frame<'d> {
    let wgsl = full_screen(&format!(
        "{LIGHTS}
@fragment fn fs(in: Out) -> @location(0) vec4f {{
    let n = normalize(vec3f(in.uv * 0.{number:02}1, 1.0));
    let c = shade(vec3f(in.uv, 0.{number:02}3), n, vec3f(0.{number:02}5), 0.5);
    return vec4f(c, 1.0);
}}"
    ));
    let p = pipeline(d, &screen_choice(&wgsl));
    let uniform = buffer(d, &[0; 32 + 16 * 32], wgpu::BufferUsages::UNIFORM);
    let group = bind(d, &p, &[wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() }]);
    assert_eq!(t.texture.width(), 64);
    Box::new(move || {
        draw(d, Some(t), None, &|pass| {
            pass.set_pipeline(&p);
            pass.set_bind_group(0, &group, &[]);
            pass.draw(0..3, 0..1);
        })
    })
}
