//! Shaders: modules, layouts and pipelines of screens and grids, each made once and kept for all pictures of a run.

use std::collections::BTreeMap;

use super::bind::Layouts;
use super::resources::format_of;
use crate::fault::RenderFault;
use crate::frame::Format;

/// What covers a whole target with one triangle.
#[derive(Clone, Debug)]
pub struct Screen<'a> {
    pub name: &'a str,
    /// Its vertex function is `screen`.
    pub text: String,
    /// Name of the fragment function.
    pub fragment: &'static str,
    pub groups: &'a [&'a wgpu::BindGroupLayout],
    pub formats: Vec<Format>,
    pub samples: u32,
    /// Where other things are drawn, too: it is drawn where nothing is.
    pub behind: bool,
    /// It is drawn over what is there, with premultiplied alpha.
    pub over: bool,
}

/// What a pipeline of a screen is found by; its groups follow from its text.
type ScreenKey = (String, &'static str, Vec<Format>, u32, [bool; 2]);

/// Made once. They know texts, not things: other scenes use them, too.
#[derive(Debug)]
pub struct Shaders {
    pub layouts: Layouts,
    /// Of all that is made here.
    pub fault: RenderFault,
    modules: BTreeMap<String, wgpu::ShaderModule>,
    screens: BTreeMap<ScreenKey, wgpu::RenderPipeline>,
    grids: BTreeMap<String, wgpu::ComputePipeline>,
}

impl Shaders {
    pub fn new(fault: &RenderFault) -> Shaders {
        Shaders {
            layouts: Layouts::default(),
            fault: fault.clone(),
            modules: BTreeMap::new(),
            screens: BTreeMap::new(),
            grids: BTreeMap::new(),
        }
    }

    /// How many layouts, modules, pipelines of screens and of grids have been made.
    #[cfg(test)]
    pub fn counts(&self) -> [usize; 4] {
        [self.layouts.count(), self.modules.len(), self.screens.len(), self.grids.len()]
    }

    /// The module of a text. The one place where texts that faults have changed become modules.
    pub fn module(&mut self, device: &wgpu::Device, name: &str, text: &str) -> wgpu::ShaderModule {
        if let Some(made) = self.modules.get(text) {
            return made.clone();
        }
        let source = wgpu::ShaderSource::Wgsl(self.fault.edited(text.to_string()).into());
        let made = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(name), source });
        self.modules.insert(text.to_string(), made.clone());
        made
    }

    pub fn screen(&mut self, device: &wgpu::Device, screen: Screen<'_>) -> wgpu::RenderPipeline {
        let Screen { name, text, fragment, groups, formats, samples, behind, over } = screen;
        let key = (text, fragment, formats, samples, [behind, over]);
        if let Some(made) = self.screens.get(&key) {
            return made.clone();
        }
        let module = self.module(device, name, &key.0);
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(name),
            bind_group_layouts: &groups.iter().map(|group| Some(*group)).collect::<Vec<_>>(),
            immediate_size: 0,
        });
        let options = wgpu::PipelineCompilationOptions::default();
        let target = |format: &Format| {
            let blend = over.then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
            Some(wgpu::ColorTargetState { format: format_of(*format), blend, write_mask: wgpu::ColorWrites::ALL })
        };
        let made = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(name),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("screen"),
                compilation_options: options.clone(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: behind.then(|| depth_state(false, wgpu::CompareFunction::GreaterEqual)),
            multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(fragment),
                compilation_options: options,
                targets: &key.2.iter().map(target).collect::<Vec<_>>(),
            }),
            multiview_mask: None,
            cache: None,
        });
        self.screens.insert(key, made.clone());
        made
    }

    /// A grid of `text`, whose function is `entry`; its groups follow from its text.
    pub fn grid(
        &mut self,
        device: &wgpu::Device,
        entry: &str,
        text: &str,
        groups: &[Option<&wgpu::BindGroupLayout>],
    ) -> wgpu::ComputePipeline {
        if let Some(made) = self.grids.get(text) {
            return made.clone();
        }
        let module = self.module(device, entry, text);
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(entry),
            bind_group_layouts: groups,
            immediate_size: 0,
        });
        let made = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(&layout),
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        self.grids.insert(text.to_string(), made.clone());
        made
    }
}

/// Reversed Z: nearer is greater; the first of equals stays.
pub fn depth_state(write: bool, compare: wgpu::CompareFunction) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: wgpu::TextureFormat::Depth32Float,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}
