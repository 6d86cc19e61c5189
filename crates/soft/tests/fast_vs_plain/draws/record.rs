//! Record: random passes are recorded, run, and everything that they leave behind is read.

use stillframe_soft::wgpu;
use wgpu::TextureFormat as Tf;

use super::{Draw, Pass, Place, sample_kind};
use crate::bound::bind;
use crate::device::{Gpu, Outcome, Verdict, everywhere};

impl Pass {
    /// What all ways agree on; the pass is part of what differs.
    pub fn agreed(&self) -> Result<Vec<(String, Vec<u32>)>, Verdict> {
        everywhere(|gpu| self.run(gpu)).map_err(|verdict| match verdict {
            Verdict::Differs(difference) => {
                let shaders: Vec<&str> = self.draws.iter().map(|d| d.wgsl.as_str()).collect();
                Verdict::Differs(format!("{difference}\n{self:?}\n{}", shaders.join("\n---\n")))
            }
            invalid => invalid,
        })
    }

    pub fn run(&self, gpu: &Gpu) -> Outcome {
        gpu.checked(|| {
            let texture = |format: Tf, viewed_as: Tf, sample_count: u32, place: Place| {
                let copy = if sample_count == 1 { wgpu::TextureUsages::COPY_SRC } else { wgpu::TextureUsages::empty() };
                let scale = if place == Place::Level { 2 } else { 1 };
                let size = wgpu::Extent3d {
                    width: self.size[0] * scale,
                    height: self.size[1] * scale,
                    depth_or_array_layers: if matches!(place, Place::Layer | Place::Slice) { 3 } else { 1 },
                };
                let solid = place == Place::Slice;
                gpu.device.create_texture(&wgpu::TextureDescriptor {
                    label: None,
                    size,
                    mip_level_count: scale,
                    sample_count,
                    dimension: if solid { wgpu::TextureDimension::D3 } else { wgpu::TextureDimension::D2 },
                    format,
                    usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING | copy,
                    view_formats: if viewed_as == format { &[] } else { std::slice::from_ref(&viewed_as) },
                })
            };
            let place = self.place;
            let colors: Vec<_> = self
                .colors
                .iter()
                .map(|c| c.as_ref().map(|c| texture(c.stored_as, c.format, self.samples, place)))
                .collect();
            let resolves: Vec<_> = self
                .colors
                .iter()
                .map(|c| c.as_ref().filter(|c| c.resolve).map(|c| texture(c.stored_as, c.format, 1, Place::Layer)))
                .collect();
            let depth = self.depth.as_ref().map(|d| texture(d.format, d.format, self.samples, Place::Whole));
            let view_as = |t: &wgpu::Texture, format: Option<Tf>| {
                let layered = t.dimension() == wgpu::TextureDimension::D2 && t.depth_or_array_layers() > 1;
                t.create_view(&wgpu::TextureViewDescriptor {
                    dimension: layered.then_some(wgpu::TextureViewDimension::D2),
                    base_mip_level: t.mip_level_count() - 1,
                    base_array_layer: if layered { 1 } else { 0 },
                    array_layer_count: layered.then_some(1),
                    format,
                    ..Default::default()
                })
            };
            let views = |textures: &[Option<wgpu::Texture>]| -> Vec<_> {
                let both = textures.iter().zip(&self.colors);
                both.map(|(t, c)| t.as_ref().map(|t| view_as(t, c.as_ref().map(|c| c.format)))).collect()
            };
            let (color_views, resolve_views) = (views(&colors), views(&resolves));
            let depth_view = depth.as_ref().map(|t| view_as(t, None));
            let queries = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Occlusion,
                count: self.draws.len() as u32,
            });
            let prepared: Vec<Prepared> = self.draws.iter().map(|d| d.prepare(gpu)).collect();
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            for (pass_index, range) in [0..self.second_from, self.second_from..self.draws.len()].into_iter().enumerate()
            {
                if pass_index == 1 && range.is_empty() {
                    continue;
                }
                let store = wgpu::StoreOp::Store;
                let attachments: Vec<_> = self
                    .colors
                    .iter()
                    .zip(&color_views)
                    .zip(&resolve_views)
                    .map(|((color, view), resolve)| {
                        let (color, view) = (color.as_ref()?, view.as_ref()?);
                        let [r, g, b, a] = color.clear;
                        let clear = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a });
                        Some(wgpu::RenderPassColorAttachment {
                            view,
                            depth_slice: (place == Place::Slice).then_some(2),
                            resolve_target: resolve.as_ref(),
                            ops: wgpu::Operations {
                                load: if pass_index == 0 { clear } else { wgpu::LoadOp::Load },
                                store,
                            },
                        })
                    })
                    .collect();
                let depth_stencil_attachment = self.depth.as_ref().zip(depth_view.as_ref()).map(|(depth, view)| {
                    let first = pass_index == 0;
                    let depth_load = if first { wgpu::LoadOp::Clear(depth.depth) } else { wgpu::LoadOp::Load };
                    let stencil_load = if first { wgpu::LoadOp::Clear(depth.stencil) } else { wgpu::LoadOp::Load };
                    wgpu::RenderPassDepthStencilAttachment {
                        view,
                        depth_ops: depth
                            .format
                            .has_depth_aspect()
                            .then_some(wgpu::Operations { load: depth_load, store }),
                        stencil_ops: depth
                            .format
                            .has_stencil_aspect()
                            .then_some(wgpu::Operations { load: stencil_load, store }),
                    }
                });
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    color_attachments: &attachments,
                    depth_stencil_attachment,
                    occlusion_query_set: Some(&queries),
                    ..Default::default()
                });
                for i in range {
                    let (draw, prepared) = (&self.draws[i], &prepared[i]);
                    if draw.occlusion {
                        pass.begin_occlusion_query(i as u32);
                    }
                    draw.record(&mut pass, prepared, self.size);
                    if draw.occlusion {
                        pass.end_occlusion_query();
                    }
                }
            }
            let counts = gpu.buffer(&vec![0; 2 * self.draws.len()], wgpu::BufferUsages::QUERY_RESOLVE);
            encoder.resolve_query_set(&queries, 0..self.draws.len() as u32, &counts, 0);
            gpu.queue.submit([encoder.finish()]);
            let mut results = vec![("occlusion".to_string(), gpu.read(&counts))];
            for (i, (_, log)) in prepared.iter().enumerate().filter_map(|(i, p)| Some((i, p.log.as_ref()?))) {
                results.push((format!("log {i}"), gpu.read(log)));
            }
            for (i, (color, resolve)) in colors.iter().zip(&resolves).enumerate() {
                if let Some(color) = color {
                    let words = if self.samples == 1 { gpu.read_texture(color) } else { dump(gpu, color, "") };
                    results.push((format!("color {i}"), words));
                }
                if let Some(resolve) = resolve {
                    results.push((format!("resolve {i}"), gpu.read_texture(resolve)));
                }
            }
            if let Some(depth) = &depth {
                if depth.format().has_depth_aspect() {
                    results.push(("depth".into(), dump(gpu, depth, "depth")));
                }
                if depth.format().has_stencil_aspect() {
                    results.push(("stencil".into(), dump(gpu, depth, "stencil")));
                }
            }
            results
        })
    }
}

struct Prepared {
    pipeline: wgpu::RenderPipeline,
    vertices: Vec<wgpu::Buffer>,
    index: Option<wgpu::Buffer>,
    arguments: wgpu::Buffer,
    log: Option<(wgpu::BindGroup, wgpu::Buffer)>,
}

impl Draw {
    fn prepare(&self, gpu: &Gpu) -> Prepared {
        let module = gpu.module(&self.wgsl);
        let log = self.logs.then(|| {
            let log = gpu.buffer(&[0; 32], wgpu::BufferUsages::STORAGE);
            let types = [wgpu::BufferBindingType::Storage { read_only: false }];
            let (layout, group) = bind(gpu, std::slice::from_ref(&log), &types, &[], wgpu::ShaderStages::FRAGMENT);
            (layout, group, log)
        });
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &log.as_ref().map(|(layout, ..)| Some(layout)).into_iter().collect::<Vec<_>>(),
            immediate_size: 0,
        });
        let buffers: Vec<_> = self
            .buffers
            .iter()
            .map(|b| {
                Some(wgpu::VertexBufferLayout { array_stride: b.stride, step_mode: b.step, attributes: &b.attributes })
            })
            .collect();
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &buffers,
            },
            primitive: self.primitive,
            depth_stencil: self.depth_stencil.clone(),
            multisample: self.multisample,
            fragment: self.has_fragment.then(|| wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &self.targets,
            }),
            multiview_mask: None,
            cache: None,
        });
        let vertices = self.buffers.iter().map(|b| gpu.buffer(&b.words, wgpu::BufferUsages::VERTEX)).collect();
        let index = self.index.as_ref().map(|(format, list)| {
            let words: Vec<u32> = match format {
                wgpu::IndexFormat::Uint32 => list.clone(),
                wgpu::IndexFormat::Uint16 => {
                    list.chunks(2).map(|c| c[0] & 0xFFFF | c.get(1).unwrap_or(&0) << 16).collect()
                }
            };
            gpu.buffer(&words, wgpu::BufferUsages::INDEX)
        });
        let ([first, count], [first_instance, instances], base) = self.range;
        let arguments = match index {
            Some(_) => vec![count, instances, first, base as u32, first_instance],
            None => vec![count, instances, first, first_instance],
        };
        let arguments = gpu.buffer(&arguments, wgpu::BufferUsages::INDIRECT);
        let log = log.map(|(_, group, log)| (group, log));
        Prepared { pipeline, vertices, index, arguments, log }
    }

    fn record(&self, pass: &mut wgpu::RenderPass<'_>, prepared: &Prepared, size: [u32; 2]) {
        pass.set_pipeline(&prepared.pipeline);
        if let Some((group, _)) = &prepared.log {
            pass.set_bind_group(0, group, &[]);
        }
        for (slot, (data, buffer)) in self.buffers.iter().zip(&prepared.vertices).enumerate() {
            pass.set_vertex_buffer(slot as u32, buffer.slice(data.offset..));
        }
        let [x, y, w, h, low, high] = self.viewport.unwrap_or([0.0, 0.0, size[0] as f32, size[1] as f32, 0.0, 1.0]);
        pass.set_viewport(x, y, w, h, low, high);
        let [x, y, w, h] = self.scissor.unwrap_or([0, 0, size[0], size[1]]);
        pass.set_scissor_rect(x, y, w, h);
        let [r, g, b, a] = self.blend_constant;
        pass.set_blend_constant(wgpu::Color { r, g, b, a });
        pass.set_stencil_reference(self.stencil_reference);
        let ([first, count], [first_instance, instances], base) = self.range;
        let instances = first_instance..first_instance + instances;
        match (&self.index, &prepared.index) {
            (Some((format, _)), Some(index)) => {
                let bytes = self.index_offset as u64 * if *format == wgpu::IndexFormat::Uint16 { 2 } else { 4 };
                pass.set_index_buffer(index.slice(bytes..), *format);
                if self.indirect {
                    pass.draw_indexed_indirect(&prepared.arguments, 0);
                } else {
                    pass.draw_indexed(first..first + count, base, instances);
                }
            }
            _ if self.indirect => pass.draw_indirect(&prepared.arguments, 0),
            _ => pass.draw(first..first + count, instances),
        }
    }
}

/// Every sample of a texture by `textureLoad`: four words each. `aspect`: "depth", "stencil" or none.
pub fn dump(gpu: &Gpu, texture: &wgpu::Texture, aspect: &str) -> Vec<u32> {
    let samples = texture.sample_count();
    let multi = samples > 1;
    let kind = if aspect == "stencil" { "u32" } else { sample_kind(texture.format()) };
    let ty = match (aspect, multi) {
        ("depth", false) => "texture_depth_2d".to_string(),
        ("depth", true) => "texture_depth_multisampled_2d".to_string(),
        (_, false) => format!("texture_2d<{kind}>"),
        (_, true) => format!("texture_multisampled_2d<{kind}>"),
    };
    let load = if aspect == "depth" { "vec4<f32>(textureLoad(t, at, i))" } else { "textureLoad(t, at, i)" };
    let wgsl = format!(
        "@group(0) @binding(0) var t: {ty};
@group(0) @binding(1) var<storage, read_write> out: array<vec4<u32>>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>) {{
    let at = vec2<i32>(id.xy);
    let i = i32(id.z);
    out[(id.y * n.x + id.x) * {samples}u + id.z] = bitcast<vec4<u32>>({load});
}}"
    );
    let module = gpu.module(&wgsl);
    let sample_type = match (aspect, kind) {
        ("depth", _) => wgpu::TextureSampleType::Depth,
        (_, "u32") => wgpu::TextureSampleType::Uint,
        (_, "i32") => wgpu::TextureSampleType::Sint,
        _ => wgpu::TextureSampleType::Float { filterable: false },
    };
    let visibility = wgpu::ShaderStages::COMPUTE;
    let layout = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: &[
            wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility,
                ty: wgpu::BindingType::Texture {
                    sample_type,
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: multi,
                },
                count: None,
            },
            wgpu::BindGroupLayoutEntry {
                binding: 1,
                visibility,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Storage { read_only: false },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            },
        ],
    });
    let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some("main"),
        compilation_options: Default::default(),
        cache: None,
    });
    let (width, height) = (texture.width(), texture.height());
    let out = gpu.buffer(&vec![0; (4 * width * height * samples) as usize], wgpu::BufferUsages::STORAGE);
    let view = texture.create_view(&wgpu::TextureViewDescriptor {
        aspect: match aspect {
            "depth" => wgpu::TextureAspect::DepthOnly,
            "stencil" => wgpu::TextureAspect::StencilOnly,
            _ => wgpu::TextureAspect::All,
        },
        ..Default::default()
    });
    let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
            wgpu::BindGroupEntry { binding: 1, resource: out.as_entire_binding() },
        ],
    });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(width, height, samples);
    }
    gpu.queue.submit([encoder.finish()]);
    gpu.read(&out)
}
