//! A renderer in plain wgpu: a turned cube under one light. It knows nothing of tests; they hand it another
//! `wgpu::Instance`.

use pollster::block_on;

/// Width and height of every picture.
pub const SIDE_PX: u32 = 256;
const SAMPLES: u32 = 4;
const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

pub struct Renderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipeline: wgpu::RenderPipeline,
    turn_rad: wgpu::Buffer,
    turn_group: wgpu::BindGroup,
}

impl Renderer {
    /// On the instance's first adapter: a program gives `wgpu::Instance::new(..)`, a test
    /// `stillframe_soft::instance(..)`.
    pub fn new(instance: &wgpu::Instance) -> Renderer {
        let adapter = block_on(instance.request_adapter(&Default::default())).expect("an adapter");
        let (device, queue) = block_on(adapter.request_device(&Default::default())).expect("a device");
        let pipeline = pipeline(&device);
        let turn_rad = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("turn"),
            size: 4,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let turn_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("turn"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: turn_rad.as_entire_binding() }],
        });
        Renderer { device, queue, pipeline, turn_rad, turn_group }
    }

    /// The cube, turned about its upright axis.
    pub fn draw(&self, turn_rad: f32) -> wgpu::Texture {
        self.queue.write_buffer(&self.turn_rad, 0, &turn_rad.to_le_bytes());
        let colour = self.target(COLOUR, SAMPLES);
        let depth = self.target(DEPTH, SAMPLES);
        let resolved = self.target(COLOUR, 1);
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("cube"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view(&colour),
                depth_slice: None,
                resolve_target: Some(&view(&resolved)),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r: 0.02, g: 0.02, b: 0.03, a: 1.0 }),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &view(&depth),
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.turn_group, &[]);
        pass.draw(0..36, 0..1);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        resolved
    }

    /// The texture's bytes, row by row, as a screenshot would take them.
    pub fn read(&self, texture: &wgpu::Texture) -> Vec<u8> {
        let row_bytes = texture.width() * 4;
        let padded_bytes = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("screenshot"),
            size: u64::from(padded_bytes * texture.height()),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout = wgpu::TexelCopyBufferLayout { bytes_per_row: Some(padded_bytes), ..Default::default() };
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
        self.queue.submit([encoder.finish()]);
        buffer.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("a buffer that can be read"));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the queue comes to its end");
        let padded = buffer.slice(..).get_mapped_range().expect("mapped");
        padded.chunks(padded_bytes as usize).flat_map(|row| &row[..row_bytes as usize]).copied().collect()
    }

    fn target(&self, format: wgpu::TextureFormat, sample_count: u32) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: SIDE_PX, height: SIDE_PX, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    }
}

fn pipeline(device: &wgpu::Device) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::include_wgsl!("cube.wgsl"));
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("cube"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState { count: SAMPLES, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &[Some(COLOUR.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
