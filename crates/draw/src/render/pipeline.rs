//! Pipeline: how items are drawn: one pipeline a key, fixed state and what is drawn into.

use std::collections::BTreeMap;

use super::bend::{bend_entries, crowd_entries};
use super::bind::{
    COMPARISON, DEPTH, DEPTH_ARRAY, Entry, FRAGMENT, SAMPLER, STORAGE_READ, STORAGE_WRITE, TEXTURE, TEXTURE_ARRAY,
    TEXTURE_CUBE, TEXTURE_CUBES, TEXTURE_FACES, TEXTURE_RAW, UNIFORM, UNIFORM_AT, VERTEX, VERTEX_FRAGMENT,
};
use super::fetch;
use super::material::material_entries;
use super::object::Batch;
use super::resources::format_of;
use super::shaders::{Shaders, depth_state};
use crate::fault::{RenderFault, StateEdit};
use crate::frame::{Format, Pass, Plan};
use crate::material::{Alpha, Bending, Blending, Key, Stream, Switches, Variant, emit, streams};
use crate::scene::{Asks, Sums};

/// All that makes a pipeline of items.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    pub key: Key,
    /// Both sides are drawn.
    pub double_sided: bool,
    pub mirrored: bool,
    /// Its depth is there.
    pub is_covered: bool,
    pub target: Attached,
}

/// What a pass draws into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attached {
    /// Formats of the colour attachments.
    pub colors: [Option<Format>; COLORS_MAX],
    pub samples: u32,
    /// The view exchanges left and right.
    pub mirrored: bool,
}

/// Colour attachments of a pass, at most.
pub const COLORS_MAX: usize = 5;

/// Pipelines of items, by what was wanted.
#[derive(Debug, Default)]
pub struct Pipelines {
    made: BTreeMap<Wanted, wgpu::RenderPipeline>,
}

impl Attached {
    /// What the passes of a plan draw into.
    pub fn of(plan: &Plan, pass: &Pass) -> Attached {
        let formats = plan.colors(pass);
        assert!(formats.len() <= COLORS_MAX, "{} draws into {} pictures", pass.name, formats.len());
        let colors = std::array::from_fn(|index| formats.get(index).copied());
        let mirrored = pass.view.is_some_and(|view| plan.views[view.0].mirrored);
        Attached { colors, samples: plan.samples(pass), mirrored }
    }
}

impl Wanted {
    /// What a batch needs.
    pub fn new(batch: &Batch, target: Attached) -> Wanted {
        let is_fetched = batch.key.variant == Variant::Fetched;
        let any_side = is_fetched || batch.double_sided && !batch.key.double_sided;
        Wanted {
            key: batch.key.clone(),
            double_sided: is_fetched || batch.double_sided,
            mirrored: (batch.mirrored != target.mirrored) && !any_side,
            is_covered: batch.is_covered,
            target: Attached { mirrored: false, ..target },
        }
    }
}

/// Group 1 of lit items.
pub fn light_entries(switches: Switches) -> Vec<Entry> {
    let mut entries = Vec::new();
    if switches.lights {
        entries.push((0, FRAGMENT, STORAGE_READ));
    }
    if switches.shadows {
        entries.extend([(1, FRAGMENT, STORAGE_READ), (2, FRAGMENT, DEPTH_ARRAY)]);
        entries.extend([(3, FRAGMENT, DEPTH_ARRAY), (4, FRAGMENT, COMPARISON)]);
    }
    if switches.reads_moments() {
        entries.push((25, FRAGMENT, TEXTURE_FACES));
    }
    if switches.reads_seen() {
        entries.push((26, FRAGMENT, DEPTH));
    }
    if switches.reads_veils() {
        entries.extend([27, 28, 29].map(|at| (at, FRAGMENT, TEXTURE_FACES)));
    }
    if switches.reflects {
        entries.extend([(31, FRAGMENT, UNIFORM), (32, FRAGMENT, TEXTURE_RAW)]);
    }
    if switches.occluded {
        entries.push((30, FRAGMENT, TEXTURE_RAW));
    }
    if switches.environment {
        entries.extend([(5, FRAGMENT, UNIFORM), (6, FRAGMENT, TEXTURE_CUBES)]);
        entries.extend([(7, FRAGMENT, TEXTURE), (8, FRAGMENT, SAMPLER), (9, FRAGMENT, TEXTURE_CUBE)]);
    }
    if switches.probes {
        entries.extend([(20, FRAGMENT, UNIFORM), (21, FRAGMENT, TEXTURE_CUBES), (22, FRAGMENT, TEXTURE_CUBES)]);
    }
    if switches.kinds.reads_lobes() {
        entries.push((10, FRAGMENT, STORAGE_READ));
    }
    if switches.kinds.reads_values() {
        entries.push((11, FRAGMENT, STORAGE_READ));
    }
    if switches.asks != Asks::All {
        entries.push((12, FRAGMENT, STORAGE_READ));
    }
    match switches.sums {
        None => {}
        Some(Sums::Coloured) => entries.extend([15, 16, 17].map(|at| (at, FRAGMENT, TEXTURE_RAW))),
        Some(Sums::Grey) => entries.push((15, FRAGMENT, TEXTURE_RAW)),
    }
    if switches.behind {
        entries.extend([(13, FRAGMENT, TEXTURE), (14, FRAGMENT, SAMPLER)]);
    }
    if switches.subsurface {
        entries.extend([(23, FRAGMENT, TEXTURE_RAW), (24, FRAGMENT, DEPTH)]);
    }
    if switches.kinds.has_functions() {
        entries.extend([(18, FRAGMENT, TEXTURE_ARRAY), (19, FRAGMENT, SAMPLER)]);
    }
    entries
}

/// Group 0.
pub const VIEW_ENTRIES: &[Entry] = &[(0, VERTEX_FRAGMENT, UNIFORM_AT)];
/// Group 0 where light is added to light before.
pub const ROUND_ENTRIES: &[Entry] = &[(0, VERTEX_FRAGMENT, UNIFORM_AT), (1, FRAGMENT, TEXTURE_RAW)];
/// Group 0 where surfaces are peeled off: depth of opaque ones, and of the last one that was peeled off.
pub const PEEL_ENTRIES: &[Entry] =
    &[(0, VERTEX_FRAGMENT, UNIFORM_AT), (1, FRAGMENT, DEPTH_ARRAY), (2, FRAGMENT, DEPTH_ARRAY)];
/// Group 0 where surfaces are counted: depth of opaque ones, and the counts.
pub const COUNT_ENTRIES: &[Entry] =
    &[(0, VERTEX_FRAGMENT, UNIFORM_AT), (1, FRAGMENT, DEPTH_ARRAY), (2, FRAGMENT, STORAGE_WRITE)];
/// Group 0 where surfaces are listed: the same, where lists begin, and the lists.
pub const LIST_ENTRIES: &[Entry] = &[
    (0, VERTEX_FRAGMENT, UNIFORM_AT),
    (1, FRAGMENT, DEPTH_ARRAY),
    (2, FRAGMENT, STORAGE_WRITE),
    (3, FRAGMENT, STORAGE_READ),
    (4, FRAGMENT, STORAGE_WRITE),
];
/// Group 3: objects.
pub const OBJECT_ENTRIES: &[Entry] = &[(0, VERTEX, STORAGE_READ)];
/// Group 3: objects, and where they were.
pub const MOVING_ENTRIES: &[Entry] = &[(0, VERTEX, STORAGE_READ), (1, VERTEX, STORAGE_READ)];

/// Group 3 of a key.
fn object_entries(key: &Key) -> Vec<Entry> {
    match (key.bending, key.variant) {
        (Bending::Vertex, _) => bend_entries(),
        (Bending::Crowd, _) => crowd_entries(),
        (_, Variant::Motion) => MOVING_ENTRIES.to_vec(),
        (_, Variant::Fetched) => fetch::OBJECT_ENTRIES.to_vec(),
        _ => OBJECT_ENTRIES.to_vec(),
    }
}

impl Pipelines {
    /// Makes a pipeline, if it is not there.
    pub fn ensure(&mut self, device: &wgpu::Device, shaders: &mut Shaders, wanted: Wanted) {
        if self.made.contains_key(&wanted) {
            return;
        }
        let key = &wanted.key;
        let name = key.to_string();
        let is_fetched = key.variant == Variant::Fetched;
        let module = shaders.module(device, &name, &emit(key));
        let view_entries = match key.variant.blending() {
            None if is_fetched => fetch::VIEW_ENTRIES,
            None if key.variant.continues() => ROUND_ENTRIES,
            Some(Blending::Nearest | Blending::Peeled) => PEEL_ENTRIES,
            Some(Blending::Counted) => COUNT_ENTRIES,
            Some(Blending::Listed) => LIST_ENTRIES,
            Some(Blending::Weighted) | None => VIEW_ENTRIES,
        };
        let view_layout = shaders.layouts.layout(device, "view", view_entries);
        let reads_lights = key.switches != Switches::default();
        let light_layout = reads_lights.then(|| shaders.layouts.layout(device, "lights", &light_entries(key.switches)));
        let material_layout =
            key.reads_material().then(|| shaders.layouts.layout(device, "material", &material_entries(key)));
        let object_layout = shaders.layouts.layout(device, "objects", &object_entries(key));
        let groups = [Some(&view_layout), light_layout.as_ref(), material_layout.as_ref(), Some(&object_layout)];
        let fault = &shaders.fault;
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(&name),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let streams = if is_fetched { Vec::new() } else { streams(key) };
        let attributes: Vec<[wgpu::VertexAttribute; 1]> = streams.iter().copied().map(attribute).collect();
        let buffers: Vec<Option<wgpu::VertexBufferLayout<'_>>> = streams
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
        let targets = targets(&wanted, fault);
        let culled = if fault.has(StateEdit::CullFront) { wgpu::Face::Front } else { wgpu::Face::Back };
        let nearer = match fault.has(StateEdit::DepthReversed) {
            true => wgpu::CompareFunction::LessEqual,
            false => wgpu::CompareFunction::Greater,
        };
        let depth = match wanted.is_covered {
            true => depth_state(false, wgpu::CompareFunction::Equal),
            false if key.variant == Variant::Blending(Blending::Counted) => depth_state(false, nearer),
            // Every surface counts, whatever is before it.
            false if adds(key) => depth_state(false, wgpu::CompareFunction::Always),
            false if key.variant == Variant::Veil => depth_state(false, nearer),
            false => depth_state(key.alpha != Alpha::Blend || peels(key), nearer),
        };
        let options = wgpu::PipelineCompilationOptions::default();
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(&name),
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: options.clone(),
                buffers: &buffers,
            },
            primitive: wgpu::PrimitiveState {
                front_face: if wanted.mirrored { wgpu::FrontFace::Cw } else { wgpu::FrontFace::Ccw },
                cull_mode: (!wanted.double_sided).then_some(culled),
                ..Default::default()
            },
            // Numbers of triangles say what is seen.
            depth_stencil: (!is_fetched).then_some(depth),
            multisample: wgpu::MultisampleState { count: wanted.target.samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
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
}

fn attribute(stream: Stream) -> [wgpu::VertexAttribute; 1] {
    let format = match stream.width() {
        2 => wgpu::VertexFormat::Float32x2,
        3 => wgpu::VertexFormat::Float32x3,
        _ => wgpu::VertexFormat::Float32x4,
    };
    [wgpu::VertexAttribute { format, offset: 0, shader_location: stream as u32 }]
}

/// Whether the nearest surface alone is drawn, and what lies over what is put together later.
fn peels(key: &Key) -> bool {
    matches!(key.variant.blending(), Some(Blending::Nearest | Blending::Peeled))
}

/// Whether a layer adds up what is drawn into it.
fn adds(key: &Key) -> bool {
    matches!(key.variant, Variant::Layer(id) if id.shader().adds)
}

/// What all keep: 1 minus the product of what each lets through; and the nearest depth.
const KEPT: wgpu::BlendState = wgpu::BlendState {
    color: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::OneMinusSrc,
        operation: wgpu::BlendOperation::Add,
    },
    alpha: wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Max,
    },
};

/// What is drawn is added to what is there.
const SUM: wgpu::BlendState = {
    let sum = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::BlendState { color: sum, alpha: sum }
};

fn targets(wanted: &Wanted, fault: &RenderFault) -> Vec<Option<wgpu::ColorTargetState>> {
    let blending = match fault.has(StateEdit::BlendStraight) {
        true => wgpu::BlendState::ALPHA_BLENDING,
        false => wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING,
    };
    let blends = wanted.key.alpha == Alpha::Blend && !fault.has(StateEdit::BlendOff);
    let blends = blends && !peels(&wanted.key);
    let blend = match wanted.key.variant {
        _ if adds(&wanted.key) => Some(SUM),
        Variant::Veil => Some(KEPT),
        _ => blends.then_some(blending),
    };
    let is_weighted = wanted.key.variant.blending() == Some(Blending::Weighted);
    let write_mask = match wanted.key.variant {
        Variant::Depth => wgpu::ColorWrites::empty(),
        _ => wgpu::ColorWrites::ALL,
    };
    let state = |(index, format): (usize, &Format)| {
        // The first of two is a sum.
        let blend = if is_weighted && index == 0 { Some(SUM) } else { blend };
        Some(wgpu::ColorTargetState { format: format_of(*format), blend, write_mask })
    };
    wanted.target.colors.iter().flatten().enumerate().map(state).collect()
}
