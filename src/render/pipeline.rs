//! Pipeline: one module a key, one pipeline a key and fixed state.

use std::collections::BTreeMap;

use super::bend::{bend_layout, crowd_layout};
use super::bind::{
    COMPARISON, DEPTH_ARRAY, FRAGMENT, SAMPLER, STORAGE_READ, TEXTURE, TEXTURE_CUBE, UNIFORM, UNIFORM_AT, VERTEX,
    layout,
};
use super::material::Materials;
use super::object::Batch;
use crate::fault::{RenderFault, StateEdit};
use crate::material::{Alpha, Bending, Key, Stream, Switches, Variant, emit, streams};

/// All that makes a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    pub key: Key,
    /// Both sides are drawn.
    pub double_sided: bool,
    pub mirrored: bool,
    pub samples: u32,
}

/// Pipelines of items, by what was wanted.
#[derive(Debug)]
pub struct Pipelines {
    pub view_layout: wgpu::BindGroupLayout,
    pub light_layout: wgpu::BindGroupLayout,
    pub object_layout: wgpu::BindGroupLayout,
    /// Objects, where they were, and what bends them.
    pub bend_layout: wgpu::BindGroupLayout,
    /// The same for figures of crowds.
    pub crowd_layout: wgpu::BindGroupLayout,
    /// Objects, and where they were.
    pub moving_layout: wgpu::BindGroupLayout,
    fault: RenderFault,
    modules: BTreeMap<Key, wgpu::ShaderModule>,
    made: BTreeMap<Wanted, wgpu::RenderPipeline>,
}

pub const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Of the linear picture.
pub const LINEAR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

impl Wanted {
    /// What a batch needs in a target of so many samples.
    pub fn new(batch: &Batch, samples: u32) -> Wanted {
        // Both sides of casters are drawn: open meshes cast from either side.
        let depth_only = batch.key.variant == Variant::Shadow;
        Wanted {
            key: batch.key,
            double_sided: batch.double_sided || depth_only,
            mirrored: batch.mirrored && !(depth_only || batch.double_sided && !batch.key.double_sided),
            samples,
        }
    }
}

impl Pipelines {
    pub fn new(device: &wgpu::Device, switches: Switches, fault: &RenderFault) -> Pipelines {
        let mut lights = Vec::new();
        if switches.lights {
            lights.push((0, FRAGMENT, STORAGE_READ));
        }
        if switches.shadows {
            lights.extend([(1, FRAGMENT, STORAGE_READ), (2, FRAGMENT, DEPTH_ARRAY)]);
            lights.extend([(3, FRAGMENT, DEPTH_ARRAY), (4, FRAGMENT, COMPARISON)]);
        }
        if switches.environment {
            lights.extend([(5, FRAGMENT, UNIFORM), (6, FRAGMENT, TEXTURE_CUBE)]);
            lights.extend([(7, FRAGMENT, TEXTURE), (8, FRAGMENT, SAMPLER)]);
        }
        Pipelines {
            view_layout: layout(device, "view", &[(0, VERTEX | FRAGMENT, UNIFORM_AT)]),
            light_layout: layout(device, "lights", &lights),
            object_layout: layout(device, "objects", &[(0, VERTEX, STORAGE_READ)]),
            bend_layout: bend_layout(device),
            crowd_layout: crowd_layout(device),
            moving_layout: layout(device, "moving", &[(0, VERTEX, STORAGE_READ), (1, VERTEX, STORAGE_READ)]),
            fault: fault.clone(),
            modules: BTreeMap::new(),
            made: BTreeMap::new(),
        }
    }

    /// Makes a pipeline, if it is not there.
    pub fn ensure(&mut self, device: &wgpu::Device, materials: &mut Materials, wanted: Wanted) {
        if self.made.contains_key(&wanted) {
            return;
        }
        let key = wanted.key;
        let name = key.to_string();
        let module = self.modules.entry(key).or_insert_with(|| {
            let source = wgpu::ShaderSource::Wgsl(self.fault.edited(emit(&key)).into());
            device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(&name), source })
        });
        let material_layout = key.reads_material().then(|| materials.layout(device, &key));
        let reads_lights = key.switches != Switches::default();
        let groups = [
            Some(&self.view_layout),
            reads_lights.then_some(&self.light_layout),
            material_layout.as_ref(),
            Some(match (key.bending, key.variant) {
                (Bending::Vertex, _) => &self.bend_layout,
                (Bending::Crowd, _) => &self.crowd_layout,
                (_, Variant::Motion) => &self.moving_layout,
                _ => &self.object_layout,
            }),
        ];
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(&name),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let attributes: Vec<[wgpu::VertexAttribute; 1]> = streams(&key).into_iter().map(attribute).collect();
        let buffers: Vec<Option<wgpu::VertexBufferLayout<'_>>> = streams(&key)
            .iter()
            .zip(&attributes)
            .map(|(stream, attributes)| {
                Some(wgpu::VertexBufferLayout {
                    array_stride: u64::from(stream.width()) * 4,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes,
                })
            })
            .collect();
        let targets = targets(&key, &self.fault);
        let culled = if self.fault.has(StateEdit::CullFront) { wgpu::Face::Front } else { wgpu::Face::Back };
        let nearer = match self.fault.has(StateEdit::DepthReversed) {
            true => wgpu::CompareFunction::LessEqual,
            false => wgpu::CompareFunction::Greater,
        };
        let options = wgpu::PipelineCompilationOptions::default();
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(&name),
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some("vertex"),
                compilation_options: options.clone(),
                buffers: &buffers,
            },
            primitive: wgpu::PrimitiveState {
                front_face: if wanted.mirrored { wgpu::FrontFace::Cw } else { wgpu::FrontFace::Ccw },
                cull_mode: (!wanted.double_sided).then_some(culled),
                ..Default::default()
            },
            depth_stencil: Some(depth_state(key.alpha != Alpha::Blend, nearer)),
            multisample: wgpu::MultisampleState { count: wanted.samples, ..Default::default() },
            fragment: key.has_fragment().then_some(wgpu::FragmentState {
                module,
                entry_point: Some("fragment"),
                compilation_options: options,
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        });
        self.made.insert(wanted, pipeline);
    }

    /// The pipeline made by `ensure`.
    pub fn pipeline(&self, wanted: &Wanted) -> &wgpu::RenderPipeline {
        &self.made[wanted]
    }

    pub fn count(&self) -> u32 {
        self.made.len() as u32
    }
}

fn attribute(stream: Stream) -> [wgpu::VertexAttribute; 1] {
    let format = match stream.width() {
        2 => wgpu::VertexFormat::Float32x2,
        3 => wgpu::VertexFormat::Float32x3,
        _ => wgpu::VertexFormat::Float32x4,
    };
    [wgpu::VertexAttribute { format, offset: 0, shader_location: stream as u32 }]
}

/// Reversed Z: nearer is greater; the first of equals stays.
pub fn depth_state(write: bool, compare: wgpu::CompareFunction) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

fn targets(key: &Key, fault: &RenderFault) -> Vec<Option<wgpu::ColorTargetState>> {
    let plain = |format| Some(wgpu::ColorTargetState { format, blend: None, write_mask: wgpu::ColorWrites::ALL });
    match key.variant {
        Variant::Shadow => Vec::new(),
        Variant::Motion => vec![plain(wgpu::TextureFormat::Rg32Float)],
        Variant::Aov => vec![plain(wgpu::TextureFormat::Rgba32Float), plain(wgpu::TextureFormat::Rgba32Uint)],
        Variant::Lit => {
            let blending = match fault.has(StateEdit::BlendStraight) {
                true => wgpu::BlendState::ALPHA_BLENDING,
                false => wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING,
            };
            let blends = key.alpha == Alpha::Blend && !fault.has(StateEdit::BlendOff);
            let blend = blends.then_some(blending);
            vec![Some(wgpu::ColorTargetState { format: LINEAR, blend, write_mask: wgpu::ColorWrites::ALL })]
        }
    }
}

/// A pipeline that covers its whole target with one triangle.
pub fn screen_pipeline(
    device: &wgpu::Device,
    label: &str,
    text: &str,
    fragment: &str,
    groups: &[Option<&wgpu::BindGroupLayout>],
    format: wgpu::TextureFormat,
    scene_samples: Option<u32>,
) -> wgpu::RenderPipeline {
    let source = wgpu::ShaderSource::Wgsl(text.into());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: groups,
        immediate_size: 0,
    });
    let options = wgpu::PipelineCompilationOptions::default();
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("screen"),
            compilation_options: options.clone(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        // In the scene's pass it lies behind everything.
        depth_stencil: scene_samples.map(|_| depth_state(false, wgpu::CompareFunction::GreaterEqual)),
        multisample: wgpu::MultisampleState { count: scene_samples.unwrap_or(1), ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(fragment),
            compilation_options: options,
            targets: &[Some(wgpu::ColorTargetState { format, blend: None, write_mask: wgpu::ColorWrites::ALL })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
