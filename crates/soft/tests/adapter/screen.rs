//! One triangle over a whole target.

use stillframe_soft::wgpu;

/// A pipeline of a text with one vertex function and one fragment function, into `format`.
pub fn pipeline(device: &wgpu::Device, wgsl: &str, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
    let source = wgpu::ShaderSource::Wgsl(wgsl.into());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Draws it with `resources` from binding 0 on.
pub fn draw(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    pipeline: &wgpu::RenderPipeline,
    resources: &[wgpu::BindingResource<'_>],
    target: &wgpu::Texture,
) {
    let numbered = (0..).zip(resources);
    let entries: Vec<_> =
        numbered.map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() }).collect();
    let layout = pipeline.get_bind_group_layout(0);
    let group =
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries });
    let view = target.create_view(&Default::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        })],
        ..Default::default()
    });
    pass.set_pipeline(pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.draw(0..3, 0..1);
}
