//! Texture: images become textures with levels; samplers, each once.
//!
//! 8-bit texels stay as they are: colours in an sRGB format, so that the adapter decodes them, data in a plain one.
//! 16-bit and float texels become half floats, linear: WebGPU filters no wider format everywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use stillframe_base::math::colour::linear_from_srgb;
use stillframe_base::math::pack::f16_from_f32;
use stillframe_base::par::Pool;

use super::adapter::Gpu;
use crate::asset::{AlphaMode, Filter, Image, ImageId, Material, Meaning, Slot, Store, Texels, TextureSlot, Wrap};
use crate::bake::{MipUse, mips};

/// Textures by image and use, samplers by their settings.
#[derive(Debug, Default)]
pub struct Textures {
    uploaded: Vec<Uploaded>,
    samplers: BTreeMap<SamplerKey, wgpu::Sampler>,
    /// Levels that were made ahead of their upload.
    levels: BTreeMap<(ImageId, MipUse), Vec<Image>>,
    pub bytes: u64,
}

/// An image on the device, found by the image itself: ids are those of one world.
#[derive(Debug)]
struct Uploaded {
    image: Arc<Image>,
    mip_use: MipUse,
    view: wgpu::TextureView,
    bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SamplerKey {
    mirror: [bool; 2],
    clamp: [bool; 2],
    linear: [bool; 3],
    base_only: bool,
    anisotropy: u16,
}

/// What an image in a slot of a material means.
pub fn use_of(material: &Material, slot: Slot) -> MipUse {
    match (material.alpha_mode, material.base_color[3]) {
        (AlphaMode::Mask { cutoff }, factor) if material.mip_coverage && slot == Slot::BaseColor && factor > 0.0 => {
            return MipUse::CutOut { least_bits: (cutoff / factor).to_bits() };
        }
        _ => {}
    }
    match slot.row().meaning {
        Meaning::Color => MipUse::Color,
        Meaning::Data => MipUse::Data,
        Meaning::Normal => MipUse::Normal,
    }
}

impl Textures {
    fn view(&self, image: &Arc<Image>, mip_use: MipUse) -> Option<&wgpu::TextureView> {
        let is = |of: &&Uploaded| of.mip_use == mip_use && Arc::ptr_eq(&of.image, image);
        self.uploaded.iter().find(is).map(|of| &of.view)
    }

    /// Forgets images that nobody else holds: pictures of views that are over.
    pub fn forget(&mut self) {
        let Textures { uploaded, bytes, .. } = self;
        uploaded.retain(|of| {
            let is_held = Arc::strong_count(&of.image) > 1;
            *bytes -= if is_held { 0 } else { of.bytes };
            is_held
        });
    }

    /// Makes the mip levels of textures that are about to be bound, all at the same time: for most pictures that is
    /// most of the work before drawing.
    pub fn make_levels<'a>(
        &mut self,
        px_max: u32,
        store: &Store,
        textures: impl Iterator<Item = (MipUse, &'a TextureSlot)>,
        max_mip: Option<u32>,
        pool: &Pool,
    ) {
        let wanted: BTreeSet<(ImageId, MipUse)> = textures
            .map(|(mip_use, texture)| (texture.image, mip_use))
            .filter(|(id, mip_use)| self.view(&store.images[*id], *mip_use).is_none())
            .collect();
        let mut wanted: Vec<(ImageId, MipUse)> = wanted.into_iter().collect();
        // The largest first, so that none is left alone at the end.
        let texels = |id: ImageId| u64::from(store.image(id).width_px) * u64::from(store.image(id).height_px);
        wanted.sort_by_key(|(id, _)| std::cmp::Reverse(texels(*id)));
        let made = pool.map(wanted.len(), |at| levels(px_max, store.image(wanted[at].0), wanted[at].1, max_mip));
        self.levels.extend(wanted.into_iter().zip(made));
    }

    /// The view and sampler of a material's texture; uploads it when it is first asked for.
    pub fn bind(
        &mut self,
        gpu: &Gpu,
        store: &Store,
        mip_use: MipUse,
        texture: &TextureSlot,
        max_mip: Option<u32>,
    ) -> (wgpu::TextureView, wgpu::Sampler) {
        let image = &store.images[texture.image];
        let view = match self.view(image, mip_use) {
            Some(view) => view.clone(),
            None => {
                let ready = self.levels.remove(&(texture.image, mip_use));
                let levels = ready.unwrap_or_else(|| levels(gpu.caps.texture_px_max, image, mip_use, max_mip));
                let (texture, size) = upload(gpu, image, &levels, mip_use);
                self.bytes += size;
                let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
                self.uploaded.push(Uploaded { image: image.clone(), mip_use, view: view.clone(), bytes: size });
                view
            }
        };
        let key = SamplerKey {
            mirror: texture.wrap.map(|wrap| wrap == Wrap::Mirror),
            clamp: texture.wrap.map(|wrap| wrap == Wrap::Clamp),
            linear: [texture.mag_filter, texture.min_filter, texture.mip_filter.unwrap_or(Filter::Nearest)]
                .map(|filter| filter == Filter::Linear),
            base_only: texture.mip_filter.is_none(),
            anisotropy: texture.anisotropy,
        };
        let sampler = self.samplers.entry(key).or_insert_with(|| make_sampler(&gpu.device, key));
        (view, sampler.clone())
    }
}

fn make_sampler(device: &wgpu::Device, key: SamplerKey) -> wgpu::Sampler {
    let address = |axis: usize| match (key.mirror[axis], key.clamp[axis]) {
        (true, _) => wgpu::AddressMode::MirrorRepeat,
        (_, true) => wgpu::AddressMode::ClampToEdge,
        _ => wgpu::AddressMode::Repeat,
    };
    let filter = |linear| if linear { wgpu::FilterMode::Linear } else { wgpu::FilterMode::Nearest };
    let all_linear = key.linear == [true; 3];
    device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("material"),
        address_mode_u: address(0),
        address_mode_v: address(1),
        mag_filter: filter(key.linear[0]),
        min_filter: filter(key.linear[1]),
        mipmap_filter: if key.linear[2] { wgpu::MipmapFilterMode::Linear } else { wgpu::MipmapFilterMode::Nearest },
        lod_max_clamp: if key.base_only { 0.0 } else { 32.0 },
        // WebGPU allows more than 1 with linear filters only.
        anisotropy_clamp: if all_linear { key.anisotropy.clamp(1, 16) } else { 1 },
        ..Default::default()
    })
}

/// Levels of an image that are too large for any texture: it starts at the first one that fits.
fn skipped(px_max: u32, image: &Image) -> u32 {
    (0..).find(|level| image.width_px.max(image.height_px) >> level <= px_max).expect("sizes end")
}

/// Level 1 and up of an image, as far as they are used.
fn levels(px_max: u32, image: &Image, mip_use: MipUse, max_mip: Option<u32>) -> Vec<Image> {
    mips(image, mip_use, max_mip.map(|max| max.saturating_add(skipped(px_max, image))))
}

/// Uploads an image with its levels; returns bytes too.
fn upload(gpu: &Gpu, image: &Image, levels: &[Image], mip_use: MipUse) -> (wgpu::Texture, u64) {
    let skip = skipped(gpu.caps.texture_px_max, image) as usize;
    let levels: Vec<&Image> = std::iter::once(image).chain(levels).skip(skip).collect();
    write(gpu, &levels, 1, matches!(mip_use, MipUse::Color | MipUse::CutOut { .. }))
}

/// One texture with these levels. Its layers stand one below the other.
fn write(Gpu { device, queue, .. }: &Gpu, levels: &[&Image], layers: u32, color: bool) -> (wgpu::Texture, u64) {
    let format = match (&levels[0].texels, color) {
        (Texels::Rgba8(_), true) => wgpu::TextureFormat::Rgba8UnormSrgb,
        (Texels::Rgba8(_), false) => wgpu::TextureFormat::Rgba8Unorm,
        _ => wgpu::TextureFormat::Rgba16Float,
    };
    let size = |image: &Image| wgpu::Extent3d {
        width: image.width_px,
        height: image.height_px / layers,
        depth_or_array_layers: layers,
    };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(&levels[0].name),
        size: size(levels[0]),
        mip_level_count: levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let mut total = 0;
    for (level, image) in (0..).zip(levels) {
        let halves;
        let bytes: &[u8] = match &image.texels {
            Texels::Rgba8(texels) => texels,
            Texels::Rgba16(texels) => {
                halves = halves_of_16(texels, color);
                bytemuck::cast_slice(&halves)
            }
            Texels::Rgba32Float(texels) => {
                halves = texels.iter().map(|&v| f16_from_f32(v.clamp(-65504.0, 65504.0))).collect();
                bytemuck::cast_slice(&halves)
            }
        };
        total += bytes.len() as u64;
        let bytes_per_row = bytes.len() as u32 / image.height_px;
        queue.write_texture(
            wgpu::TexelCopyTextureInfo { mip_level: level, ..texture.as_image_copy() },
            bytes,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(bytes_per_row),
                rows_per_image: (layers > 1).then_some(image.height_px / layers),
            },
            size(image),
        );
    }
    (texture, total)
}

fn halves_of_16(texels: &[u16], color: bool) -> Vec<u16> {
    let value = |(channel, &texel): (usize, &u16)| {
        let stored = f32::from(texel) / 65535.0;
        f16_from_f32(if color && channel % 4 != 3 { linear_from_srgb(stored) } else { stored })
    };
    texels.iter().enumerate().map(value).collect()
}

/// Radiance that a texel of 1 of the uploaded environment picture stands for: 1, unless its brightest texel is more
/// than half floats hold well.
pub fn map_scale(image: &Image) -> f32 {
    let brightest = match &image.texels {
        Texels::Rgba32Float(texels) => texels.iter().copied().filter(|v| v.is_finite()).fold(0.0, f32::max),
        Texels::Rgba8(_) | Texels::Rgba16(_) => 1.0,
    };
    let scale = (brightest / 32768.0).max(1.0);
    // A power of two: scaling is exact.
    if scale.is_finite() {
        f32::from_bits(scale.to_bits() & 0x7F80_0000) * if scale > 1.0 { 2.0 } else { 1.0 }
    } else {
        1.0
    }
}

/// Uploads an environment picture, or so many of them one below the other: one level, scaled by `1 / scale`.
pub fn upload_map(gpu: &Gpu, image: &Image, layers: u32, scale: f32) -> (wgpu::Texture, u64) {
    let limit = gpu.caps.texture_px_max;
    let scaled;
    let mut image = image;
    if let Texels::Rgba32Float(texels) = &image.texels {
        let clean = |&v: &f32| if v.is_finite() { v.max(0.0) / scale } else { 0.0 };
        let texels = Texels::Rgba32Float(texels.iter().map(clean).collect());
        scaled = Image { name: image.name.clone(), texels, levels: Vec::new(), ..*image };
        image = &scaled;
    }
    let smaller;
    if image.width_px.max(image.height_px / layers) > limit {
        let levels = mips(image, MipUse::Color, None);
        let fits = |level: &Image| level.width_px.max(level.height_px) <= limit;
        smaller = levels.into_iter().find(fits).expect("levels end at one texel");
        image = &smaller;
    }
    write(gpu, &[image], layers, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_powers_of_two_that_make_the_brightest_fit() {
        for (brightest, want) in [(0.5, 1.0), (32768.0, 1.0), (40000.0, 2.0), (65536.0 * 4.0, 16.0), (f32::NAN, 1.0)] {
            let texels = Texels::Rgba32Float(vec![brightest, 0.0, 0.0, 1.0]);
            let scale =
                map_scale(&Image { name: String::new(), width_px: 1, height_px: 1, texels, levels: Vec::new() });
            assert_eq!(scale, want, "{brightest}");
        }
    }

    #[test]
    fn sixteen_bit_colours_become_linear_and_alpha_stays() {
        let half = f16_from_f32(0.5);
        assert_eq!(halves_of_16(&[65535, 0, 32768, 32768], true)[3], half);
        assert_eq!(halves_of_16(&[65535, 0, 32768, 32768], false)[2], half);
        assert!(halves_of_16(&[32768], true)[0] < f16_from_f32(0.22));
    }
}
