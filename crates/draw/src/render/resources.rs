//! Resources: the textures and buffers of a plan's targets, with the usages that follow from it.

use std::collections::BTreeMap;

use super::job::Memory;
use crate::frame::{Format, How, Life, Part, Plan, Target, TargetId};

/// What holds a target.
#[derive(Clone, Debug)]
pub enum Stored {
    Texture(wgpu::Texture),
    Buffer(wgpu::Buffer),
}

/// The format of the device for one of the plan.
pub fn format_of(format: Format) -> wgpu::TextureFormat {
    match format {
        Format::Rgba16Float => wgpu::TextureFormat::Rgba16Float,
        Format::Rgba32Float => wgpu::TextureFormat::Rgba32Float,
        Format::Rgba32Uint => wgpu::TextureFormat::Rgba32Uint,
        Format::Rg32Uint => wgpu::TextureFormat::Rg32Uint,
        Format::Rg32Float => wgpu::TextureFormat::Rg32Float,
        Format::R32Float => wgpu::TextureFormat::R32Float,
        Format::Rgba16Uint => wgpu::TextureFormat::Rgba16Uint,
        Format::Rgba8UnormSrgb => wgpu::TextureFormat::Rgba8UnormSrgb,
        Format::Depth32Float => wgpu::TextureFormat::Depth32Float,
    }
}

/// For each target of the plan what holds it, if a pass touches it. `kept`: what pictures of the sitting leave for each
/// other, by name. `spare`: textures that the last tile has left. `is_captured`: what passes leave is read back.
pub fn resources(
    device: &wgpu::Device,
    plan: &Plan,
    (memory, is_captured): (Memory, bool),
    kept: &mut BTreeMap<&'static str, Stored>,
    mut spare: Vec<wgpu::Texture>,
) -> Vec<Option<Stored>> {
    let mut by_place: BTreeMap<usize, Stored> = BTreeMap::new();
    let mut out = vec![None; plan.targets.len()];
    for (id, target) in plan.used() {
        let place = plan.places[id.0].expect("it is used");
        let stored = match target.life {
            Life::Earlier => kept[target.name].clone(),
            Life::Picture | Life::Sitting => {
                let mut make = || make((device, &mut spare), plan, place, target, memory.poison, is_captured);
                by_place.entry(place).or_insert_with(&mut make).clone()
            }
        };
        if target.life == Life::Sitting {
            kept.insert(target.name, stored.clone());
        }
        out[id.0] = Some(stored);
    }
    out
}

fn make(
    (device, spare): (&wgpu::Device, &mut Vec<wgpu::Texture>),
    plan: &Plan,
    place: usize,
    target: &Target,
    poison: bool,
    is_captured: bool,
) -> Stored {
    let hows = hows(plan, place, is_captured);
    let Some(format) = target.format else {
        let mut usage = wgpu::BufferUsages::empty();
        if poison {
            usage |= wgpu::BufferUsages::COPY_DST;
        }
        for how in hows {
            usage |= match how {
                How::Sample => wgpu::BufferUsages::UNIFORM,
                How::Storage => wgpu::BufferUsages::STORAGE,
                How::CopyFrom => wgpu::BufferUsages::COPY_SRC,
                How::CopyTo => wgpu::BufferUsages::COPY_DST,
                How::Attach { .. } | How::Test | How::Resolve => unreachable!("a pass draws into a buffer"),
            };
        }
        let size = u64::from(target.width_px);
        let descriptor = wgpu::BufferDescriptor { label: Some(target.name), size, usage, mapped_at_creation: false };
        return Stored::Buffer(device.create_buffer(&descriptor));
    };
    let mut usage = wgpu::TextureUsages::empty();
    // What lasts may be kept for other runs, too.
    if target.life == Life::Sitting {
        usage |= wgpu::TextureUsages::COPY_SRC;
    }
    if poison {
        usage |= wgpu::TextureUsages::RENDER_ATTACHMENT;
    }
    for how in hows {
        usage |= match how {
            How::Sample => wgpu::TextureUsages::TEXTURE_BINDING,
            How::Storage => wgpu::TextureUsages::STORAGE_BINDING,
            How::Attach { .. } | How::Test | How::Resolve => wgpu::TextureUsages::RENDER_ATTACHMENT,
            How::CopyFrom => wgpu::TextureUsages::COPY_SRC,
            How::CopyTo => wgpu::TextureUsages::COPY_DST,
        };
    }
    let serves = |held: &wgpu::Texture| {
        let shape = (held.width(), held.height(), held.depth_or_array_layers(), held.mip_level_count());
        (shape, held.sample_count(), held.format(), held.usage())
            == (
                (target.width_px, target.height_px, target.layers, target.levels),
                target.samples,
                format_of(format),
                usage,
            )
    };
    match spare.iter().position(serves) {
        Some(at) => Stored::Texture(spare.swap_remove(at)),
        None => Stored::Texture(texture(device, target, format, usage)),
    }
}

/// Writes texels in half floats into a part of cubes.
pub fn write_part(queue: &wgpu::Queue, (texture, target): (&wgpu::Texture, &Target), part: Part, texels: &[u8]) {
    let side = target.width_px >> part.level;
    let to = wgpu::TexelCopyTextureInfo {
        mip_level: part.level,
        origin: wgpu::Origin3d { x: 0, y: 0, z: part.first_layer },
        ..texture.as_image_copy()
    };
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(8 * side), rows_per_image: Some(side) };
    let extent = wgpu::Extent3d { width: side, height: side, depth_or_array_layers: part.layers };
    queue.write_texture(to, texels, layout, extent);
}

/// A target's texture.
pub fn texture(device: &wgpu::Device, target: &Target, format: Format, usage: wgpu::TextureUsages) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(target.name),
        size: wgpu::Extent3d { width: target.width_px, height: target.height_px, depth_or_array_layers: target.layers },
        mip_level_count: target.levels,
        sample_count: target.samples,
        dimension: wgpu::TextureDimension::D2,
        format: format_of(format),
        usage,
        view_formats: &[],
    })
}

/// How targets at a place are used. Of what later pictures find, also by passes that do not run in this one.
fn hows(plan: &Plan, place: usize, is_captured: bool) -> Vec<How> {
    let is_here = |id: TargetId| plan.places[id.0] == Some(place);
    let passes = plan.passes.iter().chain(&plan.culled);
    let uses = passes.flat_map(|pass| &pass.uses).filter(|usage| is_here(usage.target));
    let mut out: Vec<How> = Vec::new();
    for usage in uses {
        out.push(usage.how);
        if is_captured && usage.how.leaves() {
            out.push(How::CopyFrom);
        }
    }
    if plan.outputs.iter().any(|output| is_here(output.target)) {
        out.push(How::CopyFrom);
    }
    out
}

/// The view of one layer of one level, to draw into.
pub fn attachment(texture: &wgpu::Texture, level: u32, layer: u32) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2),
        base_mip_level: level,
        mip_level_count: Some(1),
        base_array_layer: layer,
        array_layer_count: Some(1),
        ..Default::default()
    })
}

/// Fills all of a target with what no pass would write: NaN, `DEAD`.
pub fn poison(queue: &wgpu::Queue, encoder: &mut wgpu::CommandEncoder, target: &Target, stored: &Stored) {
    let texture = match stored {
        Stored::Buffer(buffer) => {
            let bytes: Vec<u8> = [0xDE, 0xAD].into_iter().cycle().take(buffer.size() as usize).collect();
            queue.write_buffer(buffer, 0, &bytes);
            return;
        }
        Stored::Texture(texture) => texture,
    };
    let format = target.format.expect("a texture has one");
    let value = match format {
        Format::Rgba16Float | Format::Rgba32Float | Format::Rg32Float | Format::R32Float => f64::NAN,
        Format::Rgba32Uint | Format::Rg32Uint => f64::from(0xDEAD_BEEF_u32),
        Format::Rgba16Uint => f64::from(0xDEAD),
        Format::Rgba8UnormSrgb | Format::Depth32Float => f64::from(0xDEAD) / f64::from(0xFFFF),
    };
    let store = wgpu::StoreOp::Store;
    for part in target.parts() {
        for layer in 0..target.layers {
            let view = attachment(texture, part.level, layer);
            let color = wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r: value, g: value, b: value, a: value }),
                    store,
                },
            };
            let depth = wgpu::RenderPassDepthStencilAttachment {
                view: &view,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(value as f32), store }),
                stencil_ops: None,
            };
            let colors: Vec<_> = (!format.is_depth()).then_some(Some(color)).into_iter().collect();
            encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("poison"),
                color_attachments: &colors,
                depth_stencil_attachment: format.is_depth().then_some(depth),
                ..Default::default()
            });
        }
    }
}
