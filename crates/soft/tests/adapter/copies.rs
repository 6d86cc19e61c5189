//! Copies through wgpu: every format, every aspect, parts of levels, layers and slices.

use pollster::block_on;
use stillframe_soft::{EVERY_FORMAT, Options, wgpu};
use wgpu::TextureFormat as F;

/// Every colour format that the adapter reports; the compressed ones by their blocks.
fn formats(adapter: &wgpu::Adapter) -> Vec<F> {
    let reported = |f: &F| adapter.features().contains(f.required_features());
    EVERY_FORMAT.into_iter().filter(|f| !f.is_depth_stencil_format() && reported(f)).collect()
}

struct Gpu {
    adapter: wgpu::Adapter,
    device: wgpu::Device,
    queue: wgpu::Queue,
}

fn gpu() -> Gpu {
    let instance = stillframe_soft::instance(&Options::default());
    let adapter = block_on(instance.request_adapter(&Default::default())).expect("adapter");
    let desc = wgpu::DeviceDescriptor { required_features: adapter.features(), ..Default::default() };
    let (device, queue) = block_on(adapter.request_device(&desc)).expect("device");
    Gpu { adapter, device, queue }
}

impl Gpu {
    fn texture(&self, format: F, size: [u32; 3], mips: u32, dimension: wgpu::TextureDimension) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: extent(size),
            mip_level_count: mips,
            sample_count: 1,
            dimension,
            format,
            usage: wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        })
    }

    /// Reads a box of texels, rows packed.
    fn read(&self, at: wgpu::TexelCopyTextureInfo<'_>, size: [u32; 3]) -> Vec<u8> {
        let format = at.texture.format();
        let (block_width, block_height) = format.block_dimensions();
        let block_bytes = format.block_copy_size(Some(at.aspect)).expect("copyable");
        let (row_bytes, rows) = (size[0].div_ceil(block_width) * block_bytes, size[1].div_ceil(block_height));
        let pitch = row_bytes.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(pitch * rows * size[2]),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch), rows_per_image: Some(rows) };
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(at, wgpu::TexelCopyBufferInfo { buffer: &buffer, layout }, extent(size));
        self.queue.submit([encoder.finish()]);
        buffer.slice(..).map_async(wgpu::MapMode::Read, |result| result.expect("mapped"));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("poll");
        let bytes = buffer.slice(..).get_mapped_range().expect("mapped");
        bytes.chunks(pitch as usize).flat_map(|row| &row[..row_bytes as usize]).copied().collect()
    }

    /// Writes a box of packed texels.
    fn write(&self, at: wgpu::TexelCopyTextureInfo<'_>, size: [u32; 3], bytes: &[u8]) {
        let format = at.texture.format();
        let (block_width, block_height) = format.block_dimensions();
        let row_bytes = size[0].div_ceil(block_width) * format.block_copy_size(Some(at.aspect)).expect("copyable");
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row_bytes),
            rows_per_image: Some(size[1].div_ceil(block_height)),
        };
        self.queue.write_texture(at, bytes, layout, extent(size));
    }
}

fn extent(size: [u32; 3]) -> wgpu::Extent3d {
    wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: size[2] }
}

fn whole(texture: &wgpu::Texture) -> wgpu::TexelCopyTextureInfo<'_> {
    part(texture, 0, [0; 3], wgpu::TextureAspect::All)
}

fn part(
    texture: &wgpu::Texture,
    mip_level: u32,
    origin: [u32; 3],
    aspect: wgpu::TextureAspect,
) -> wgpu::TexelCopyTextureInfo<'_> {
    let origin = wgpu::Origin3d { x: origin[0], y: origin[1], z: origin[2] };
    wgpu::TexelCopyTextureInfo { texture, mip_level, origin, aspect }
}

/// Bytes that differ everywhere.
fn pattern(count: usize, seed: u32) -> Vec<u8> {
    (0..count as u32).map(|i| ((i ^ seed).wrapping_mul(0x9E37_79B9) >> 24) as u8).collect()
}

#[test]
fn every_format_travels_whole() {
    let gpu = gpu();
    let formats = formats(&gpu.adapter);
    assert!(formats.len() >= 43, "{} formats", formats.len());
    for format in formats {
        let (block_width, block_height) = format.block_dimensions();
        let (width, height) = (5 * block_width, 3 * block_height);
        let size = [width, height, 2];
        let bytes = pattern(5 * 3 * 2 * format.block_copy_size(None).expect("copyable") as usize, 7);
        let [first, second] = [0, 1].map(|_| gpu.texture(format, size, 1, wgpu::TextureDimension::D2));
        gpu.write(whole(&first), size, &bytes);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_texture(whole(&first), whole(&second), extent(size));
        gpu.queue.submit([encoder.finish()]);
        assert_eq!(gpu.read(whole(&second), size), bytes, "{format:?}");
    }
}

#[test]
fn parts_of_levels_and_layers_go_where_they_are_sent() {
    let gpu = gpu();
    let texture = gpu.texture(F::Rgba8Unorm, [8, 8, 3], 3, wgpu::TextureDimension::D2);
    let patch = pattern(2 * 2 * 2 * 4, 1);
    gpu.write(part(&texture, 1, [1, 2, 1], wgpu::TextureAspect::All), [2, 2, 2], &patch);
    for level in 0..3 {
        for layer in 0..3 {
            let side = 8 >> level;
            let got = gpu.read(part(&texture, level, [0, 0, layer], wgpu::TextureAspect::All), [side, side, 1]);
            let mut want = vec![0; (side * side * 4) as usize];
            if level == 1 && layer >= 1 {
                for row in 0..2 {
                    let (to, from) = ((2 + row) * 16 + 4, (layer as usize - 1) * 16 + row * 8);
                    want[to..to + 8].copy_from_slice(&patch[from..from + 8]);
                }
            }
            assert_eq!(got, want, "level {level} layer {layer}");
        }
    }
    // Between levels and layers of one texture.
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_texture(
        part(&texture, 1, [1, 2, 2], wgpu::TextureAspect::All),
        part(&texture, 0, [5, 6, 0], wgpu::TextureAspect::All),
        extent([2, 2, 1]),
    );
    gpu.queue.submit([encoder.finish()]);
    assert_eq!(gpu.read(part(&texture, 0, [5, 6, 0], wgpu::TextureAspect::All), [2, 2, 1]), patch[16..]);
}

#[test]
fn texels_are_shown_where_they_lie_as_a_copy_would_read_them() {
    let gpu = gpu();
    let texture = gpu.texture(F::Rgba16Uint, [37, 5, 3], 2, wgpu::TextureDimension::D2);
    for level in 0..2 {
        for layer in 0..3 {
            let size = [37 >> level, 5 >> level, 1];
            let at = part(&texture, level, [0, 0, layer], wgpu::TextureAspect::All);
            gpu.write(at, size, &pattern((size[0] * size[1] * 8) as usize, level * 3 + layer));
        }
    }
    gpu.queue.submit([]);
    for level in 0..2 {
        for layer in 0..3 {
            let mut shown = Vec::new();
            assert!(stillframe_soft::show_texels(&gpu.device, &texture, level, layer, &mut |texels| shown
                .extend_from_slice(texels)));
            let copied =
                gpu.read(part(&texture, level, [0, 0, layer], wgpu::TextureAspect::All), [37 >> level, 5 >> level, 1]);
            assert_eq!(shown, copied, "level {level}, layer {layer}");
        }
    }
    for (level, layer) in [(2, 0), (0, 3)] {
        let mut see = |_: &[u8]| panic!("there is nothing to show");
        assert!(!stillframe_soft::show_texels(&gpu.device, &texture, level, layer, &mut see));
    }
}

#[test]
fn volumes_and_lines() {
    let gpu = gpu();
    let volume = gpu.texture(F::R32Float, [4, 4, 4], 2, wgpu::TextureDimension::D3);
    let bytes = pattern(2 * 3 * 2 * 4, 3);
    gpu.write(part(&volume, 0, [1, 1, 2], wgpu::TextureAspect::All), [2, 3, 2], &bytes);
    assert_eq!(gpu.read(part(&volume, 0, [1, 1, 2], wgpu::TextureAspect::All), [2, 3, 2]), bytes);
    assert_eq!(gpu.read(part(&volume, 0, [0, 0, 0], wgpu::TextureAspect::All), [4, 4, 2]), vec![0; 128]);
    // A slice of a volume becomes a layer of an array.
    let array = gpu.texture(F::R32Float, [4, 4, 2], 1, wgpu::TextureDimension::D2);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_texture(
        part(&volume, 0, [1, 1, 3], wgpu::TextureAspect::All),
        part(&array, 0, [0, 0, 1], wgpu::TextureAspect::All),
        extent([2, 3, 1]),
    );
    gpu.queue.submit([encoder.finish()]);
    assert_eq!(gpu.read(part(&array, 0, [0, 0, 1], wgpu::TextureAspect::All), [2, 3, 1]), bytes[24..]);
    let line = gpu.texture(F::Rg8Uint, [7, 1, 1], 1, wgpu::TextureDimension::D1);
    gpu.write(whole(&line), [7, 1, 1], &pattern(14, 5));
    assert_eq!(gpu.read(whole(&line), [7, 1, 1]), pattern(14, 5));
}

#[test]
fn depth_and_stencil_planes_are_copied_apart() {
    let gpu = gpu();
    for (format, aspect) in [
        (F::Depth16Unorm, wgpu::TextureAspect::All),
        (F::Stencil8, wgpu::TextureAspect::All),
        (F::Depth24PlusStencil8, wgpu::TextureAspect::StencilOnly),
        (F::Depth32FloatStencil8, wgpu::TextureAspect::StencilOnly),
    ] {
        let [first, second] = [0, 1].map(|_| gpu.texture(format, [4, 4, 1], 1, wgpu::TextureDimension::D2));
        let bytes = pattern(16 * format.block_copy_size(Some(aspect)).expect("copyable") as usize, 9);
        gpu.write(part(&first, 0, [0; 3], aspect), [4, 4, 1], &bytes);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_texture(whole(&first), whole(&second), extent([4, 4, 1]));
        gpu.queue.submit([encoder.finish()]);
        assert_eq!(gpu.read(part(&second, 0, [0; 3], aspect), [4, 4, 1]), bytes, "{format:?}");
    }
}

#[test]
fn rows_of_a_buffer_may_be_padded_and_images_spaced() {
    let gpu = gpu();
    let texture = gpu.texture(F::Rg16Uint, [3, 2, 2], 1, wgpu::TextureDimension::D2);
    let bytes = pattern(8192, 11);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 8192,
        usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&buffer, 0, &bytes);
    let layout = wgpu::TexelCopyBufferLayout { offset: 512, bytes_per_row: Some(256), rows_per_image: Some(5) };
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let info = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_buffer_to_texture(info, whole(&texture), extent([3, 2, 2]));
    gpu.queue.submit([encoder.finish()]);
    let row = |z: usize, y: usize| &bytes[512 + (z * 5 + y) * 256..][..12];
    assert_eq!(gpu.read(whole(&texture), [3, 2, 2]), [row(0, 0), row(0, 1), row(1, 0), row(1, 1)].concat());
}

#[test]
fn clearing_zeroes_one_level() {
    let gpu = gpu();
    let texture = gpu.texture(F::Rgba16Float, [4, 4, 2], 2, wgpu::TextureDimension::D2);
    for level in 0..2 {
        let side = 4 >> level;
        gpu.write(
            part(&texture, level, [0; 3], wgpu::TextureAspect::All),
            [side, side, 2],
            &pattern((side * side * 16) as usize, 2),
        );
    }
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let range = wgpu::ImageSubresourceRange { base_mip_level: 0, mip_level_count: Some(1), ..Default::default() };
    encoder.clear_texture(&texture, &range);
    gpu.queue.submit([encoder.finish()]);
    assert_eq!(gpu.read(whole(&texture), [4, 4, 2]), vec![0; 256]);
    assert_eq!(gpu.read(part(&texture, 1, [0; 3], wgpu::TextureAspect::All), [2, 2, 2]), pattern(64, 2));
}
