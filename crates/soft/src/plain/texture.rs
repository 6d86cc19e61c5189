//! Textures: one lookup at a time, by the letter of `docs/adapter-rules.md`, Textures.
//!
//! In: a view, a sampler, coordinates. Out: four components. Cube maps are in `cube`, bytes in `texel`.

use naga::{ImageClass, ImageDimension, TypeInner};
use stillframe_base::math::ops::log2;
use wgpu_types as wgt;

use super::bytes;
use super::cube;
use super::texel;
use super::value::{Scalar, Value};
use crate::store::{LevelLayout, Sampler, TextureView};

/// A view and what the shader declares it to be.
#[derive(Clone, Copy)]
pub struct Image<'a> {
    pub view: &'a TextureView,
    pub dimension: ImageDimension,
    pub class: ImageClass,
}

impl<'a> Image<'a> {
    pub fn new(view: &'a TextureView, ty: &TypeInner) -> Image<'a> {
        match *ty {
            TypeInner::Image { dim, class, .. } => Image { view, dimension: dim, class },
            ref other => unreachable!("{other:?} is not an image"),
        }
    }

    /// The plane that the view shows, by mip level of the texture.
    fn planes(&self) -> &'a [LevelLayout] {
        let texture = &self.view.texture;
        let stencil = texel::is_stencil(texture.format, self.view.aspect);
        if stencil && !texture.stencil_levels.is_empty() { &texture.stencil_levels } else { &texture.levels }
    }

    pub fn width(&self, level: u32) -> u32 {
        self.level(level).width
    }

    /// A level of the view.
    fn level(&self, level: u32) -> LevelLayout {
        self.planes()[(self.view.base_mip + level) as usize]
    }

    /// Width, height, and slices of a 3-D level (else 1).
    fn size(&self, level: u32) -> [u32; 3] {
        let layout = self.level(level);
        let depth = if self.dimension == ImageDimension::D3 { layout.depth_or_layers } else { 1 };
        [layout.width, layout.height, depth]
    }

    /// Layers that the shader can name: cubes count once.
    fn layers(&self) -> u32 {
        match self.dimension {
            ImageDimension::Cube => self.view.layer_count / 6,
            ImageDimension::D3 => 1,
            _ => self.view.layer_count,
        }
    }

    fn is_integer(&self) -> bool {
        texel::is_integer(self.view.format, self.view.aspect).is_some()
    }

    /// The raw texel at a place that lies inside. `slice` counts from the view's first layer, or slices of a 3-D
    /// texture.
    pub fn raw(&self, level: u32, slice: u32, x: u32, y: u32, sample: u32) -> [Scalar; 4] {
        let layout = self.level(level);
        let samples = self.view.texture.sample_count as usize;
        let block = super::block::is_compressed(self.view.format);
        let (column, row) = if block { (x / 4, y / 4) } else { (x, y) };
        let slice = if self.dimension == ImageDimension::D3 { slice } else { slice + self.view.base_layer };
        let at = layout.offset_bytes
            + slice as usize * layout.layer_bytes
            + row as usize * layout.row_bytes
            + column as usize * layout.texel_bytes
            + sample as usize * (layout.texel_bytes / samples);
        let size = layout.texel_bytes / samples;
        let texel: Vec<u8> = (0..size).map(|i| bytes::read::<1>(&self.view.texture.memory, at + i)[0]).collect();
        if block {
            return super::block::raw(self.view.format, &texel, x % 4, y % 4);
        }
        texel::raw(self.view.format, self.view.aspect, &texel)
    }

    /// Raw values as the shader sees them.
    pub fn unit(&self, raw: [Scalar; 4]) -> [Scalar; 4] {
        if self.is_integer() { raw } else { texel::unit(self.view.format, raw.map(Scalar::f32)).map(Scalar::F32) }
    }

    /// A result as the shader's type wants it: depth lookups give one scalar.
    fn result(&self, four: [Scalar; 4]) -> Value {
        match self.class {
            ImageClass::Depth { .. } => Value::Scalar(four[0]),
            _ => Value::from_parts(&four),
        }
    }
}

/// Which level a lookup wants.
pub enum Level {
    Exact(f32),
    /// Derivatives of the coordinates, one part a coordinate.
    Gradient {
        x: Vec<f32>,
        y: Vec<f32>,
        bias: f32,
    },
}

/// One call of `textureSample*` or `textureGather*`.
pub struct Lookup {
    pub coordinates: Vec<f32>,
    pub layer: Option<i64>,
    pub level: Level,
    pub offset: Vec<i64>,
    /// Reference of a comparison.
    pub reference: Option<f32>,
    /// Component that a gather takes.
    pub gather: Option<usize>,
    /// `textureSampleBaseClampToEdge`.
    pub clamp_to_edge: bool,
}

/// `if a > b { a } else { b }`: a NaN in `a` gives `b`.
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// `if a < b { a } else { b }`: a NaN in `a` gives `b`.
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

pub fn lerp(a: [f32; 4], b: [f32; 4], w: f32) -> [f32; 4] {
    std::array::from_fn(|c| a[c] + (b[c] - a[c]) * w)
}

fn clean(x: f32) -> f32 {
    min(max(x, -1073741824.0), 1073741824.0)
}

/// Texel of the nearest lookup, before wrapping.
pub fn nearest_index(u: f32, size: u32) -> i64 {
    clean(u * size as f32).floor() as i64
}

/// First texel of the linear lookup, before wrapping, and the weight of the second.
pub fn linear_index(u: f32, size: u32) -> (i64, f32) {
    let x = clean(u * size as f32 - 0.5);
    (x.floor() as i64, x - x.floor())
}

/// Wraps one index; none is the border.
fn wrap(index: i64, size: u32, mode: wgt::AddressMode) -> Option<u32> {
    let n = size as i64;
    match mode {
        wgt::AddressMode::ClampToEdge => Some(index.clamp(0, n - 1) as u32),
        wgt::AddressMode::Repeat => Some(index.rem_euclid(n) as u32),
        wgt::AddressMode::MirrorRepeat => {
            let m = index.rem_euclid(2 * n);
            Some(if m < n { m } else { 2 * n - 1 - m } as u32)
        }
        wgt::AddressMode::ClampToBorder => (0..n).contains(&index).then_some(index as u32),
    }
}

/// A lookup with everything that all of its texels share.
pub struct Reader<'a> {
    pub image: Image<'a>,
    sampler: &'a Sampler,
    /// First slice: the array layer, or the first face of the cube.
    pub first_slice: u32,
    reference: Option<f32>,
}

impl Reader<'_> {
    /// What one texel contributes: its raw value, or the outcome of the comparison.
    pub fn contribution(&self, raw: [Scalar; 4]) -> [f32; 4] {
        let Some(reference) = self.reference else { return raw.map(Scalar::f32) };
        let texel = raw[0].f32();
        let holds = match self.sampler.compare.expect("comparison lookups have comparison samplers") {
            wgt::CompareFunction::Never => false,
            wgt::CompareFunction::Less => reference < texel,
            wgt::CompareFunction::Equal => reference == texel,
            wgt::CompareFunction::LessEqual => reference <= texel,
            wgt::CompareFunction::Greater => reference > texel,
            wgt::CompareFunction::NotEqual => reference != texel,
            wgt::CompareFunction::GreaterEqual => reference >= texel,
            wgt::CompareFunction::Always => true,
        };
        [holds as u32 as f32, 0.0, 0.0, 1.0]
    }

    /// The raw texel at unwrapped indices of a texture that is no cube.
    fn texel(&self, level: u32, at: [i64; 3]) -> [Scalar; 4] {
        let size = self.image.size(level);
        let modes = self.sampler.address_modes;
        let x = wrap(at[0], size[0], modes[0]);
        let y = if self.image.dimension == ImageDimension::D1 { Some(0) } else { wrap(at[1], size[1], modes[1]) };
        let z = if self.image.dimension == ImageDimension::D3 { wrap(at[2], size[2], modes[2]) } else { Some(0) };
        match (x, y, z) {
            (Some(x), Some(y), Some(z)) => self.image.raw(level, self.first_slice + z, x, y, 0),
            _ => self.border(),
        }
    }

    fn border(&self) -> [Scalar; 4] {
        let color = match self.sampler.border_color {
            Some(wgt::SamplerBorderColor::OpaqueBlack) => [0.0, 0.0, 0.0, 1.0],
            Some(wgt::SamplerBorderColor::OpaqueWhite) => [1.0; 4],
            _ => [0.0; 4],
        };
        match texel::is_integer(self.image.view.format, self.image.view.aspect) {
            Some(naga::ScalarKind::Sint) => texel::border_integers(self.image.view.format, color).map(Scalar::I32),
            Some(_) => texel::border_integers(self.image.view.format, color).map(|v| Scalar::U32(v as u32)),
            None => texel::raw_of_border(self.image.view.format, color).map(Scalar::F32),
        }
    }

    /// One level, filtered: raw values.
    fn filtered(&self, level: u32, u: &[f32], offset: &[i64], filter: wgt::FilterMode) -> [f32; 4] {
        if self.image.dimension == ImageDimension::Cube {
            return cube::filtered(self, level, [u[0], u[1], u[2]], filter);
        }
        let axes = u.len();
        let size = self.image.size(level);
        if filter == wgt::FilterMode::Nearest {
            let mut at = [0; 3];
            for axis in 0..axes {
                at[axis] = nearest_index(u[axis], size[axis]) + offset[axis];
            }
            return self.contribution(self.texel(level, at));
        }
        let mut first = [0; 3];
        let mut weight = [0.0; 3];
        for axis in 0..axes {
            (first[axis], weight[axis]) = linear_index(u[axis], size[axis]);
            first[axis] += offset[axis];
        }
        let at = |x, y, z| self.contribution(self.texel(level, [first[0] + x, first[1] + y, first[2] + z]));
        let row = |y, z| lerp(at(0, y, z), at(1, y, z), weight[0]);
        let slice = |z| if axes == 1 { row(0, z) } else { lerp(row(0, z), row(1, z), weight[1]) };
        if axes < 3 { slice(0) } else { lerp(slice(0), slice(1), weight[2]) }
    }

    /// The levels that `lambda` asks for, filtered.
    fn mipped(&self, lambda: f32, u: &[f32], offset: &[i64]) -> [f32; 4] {
        let sampler = self.sampler;
        let filter = if lambda <= 0.0 { sampler.mag_filter } else { sampler.min_filter };
        let last = self.image.view.mip_count - 1;
        let l = min(max(lambda, 0.0), last as f32);
        match sampler.mipmap_filter {
            wgt::MipmapFilterMode::Nearest => self.filtered((l + 0.5).floor() as u32, u, offset, filter),
            wgt::MipmapFilterMode::Linear => {
                let fraction = l - l.floor();
                let level = l.floor() as u32;
                let near = self.filtered(level, u, offset, filter);
                if fraction == 0.0 {
                    return near;
                }
                lerp(near, self.filtered((level + 1).min(last), u, offset, filter), fraction)
            }
        }
    }
}

/// Derivatives of one axis of the screen, in texels: the squared length.
fn squared_length(derivative: &[f32], size: [u32; 3]) -> f32 {
    let scaled: Vec<f32> = derivative.iter().zip(size).map(|(d, n)| d * n as f32).collect();
    let mut sum = scaled[0] * scaled[0];
    for part in &scaled[1..] {
        sum += part * part;
    }
    sum
}

/// `textureSample*`, `textureGather*`.
pub fn sample(image: &Image<'_>, sampler: &Sampler, lookup: &Lookup) -> Value {
    let layer = lookup.layer.unwrap_or(0).clamp(0, image.layers() as i64 - 1) as u32;
    let faces = if image.dimension == ImageDimension::Cube { 6 } else { 1 };
    let clamped = matches!(image.view.texture.format, wgt::TextureFormat::Depth16Unorm)
        || matches!(
            image.view.texture.format,
            wgt::TextureFormat::Depth24Plus | wgt::TextureFormat::Depth24PlusStencil8
        );
    let reference = lookup.reference.map(|r| if clamped { min(max(r, 0.0), 1.0) } else { r });
    let reader = Reader { image: *image, sampler, first_slice: layer * faces, reference };
    let size = image.size(0);
    let mut u = lookup.coordinates.clone();
    if lookup.clamp_to_edge {
        for (u, n) in u.iter_mut().zip(size) {
            let half = 0.5 / n as f32;
            *u = min(max(*u, half), 1.0 - half);
        }
    }
    if let Some(component) = lookup.gather {
        return gather(&reader, &u, &lookup.offset, component);
    }
    let (lambda_of, taps, major): (f32, u32, Vec<f32>) = match &lookup.level {
        Level::Exact(level) => (*level, 1, vec![]),
        Level::Gradient { x, y, bias } => {
            let (x, y) = match image.dimension {
                ImageDimension::Cube => (cube::derivative(&u, x), cube::derivative(&u, y)),
                _ => (x.clone(), y.clone()),
            };
            let x2 = squared_length(&x, size);
            let y2 = squared_length(&y, size);
            let mut m2 = max(x2, y2);
            let mut taps = 1.0;
            if image.dimension == ImageDimension::D2 && sampler.anisotropy_clamp > 1 {
                let (p, s) = (max(x2.sqrt(), y2.sqrt()), min(x2.sqrt(), y2.sqrt()));
                let most = sampler.anisotropy_clamp as f32;
                let ratio = p / s;
                taps = match p > s {
                    true if ratio < most => ratio.ceil(),
                    true => most,
                    false => 1.0,
                };
                m2 /= taps * taps;
            }
            let bias = min(max(*bias, -16.0), 15.99);
            (0.5 * log2(m2) + bias, taps as u32, if x2 > y2 { x } else { y })
        }
    };
    let lambda = min(max(lambda_of, sampler.lod_clamp.start), sampler.lod_clamp.end);
    let raw = if taps == 1 {
        reader.mipped(lambda, &u, &lookup.offset)
    } else {
        let mut sum: Option<[f32; 4]> = None;
        for tap in 0..taps {
            let t = (tap as f32 + 0.5) / taps as f32 - 0.5;
            let moved: Vec<f32> = u.iter().zip(&major).map(|(u, major)| u + major * t).collect();
            let value = reader.mipped(lambda, &moved, &lookup.offset);
            sum = Some(sum.map_or(value, |sum| std::array::from_fn(|c| sum[c] + value[c])));
        }
        sum.expect("at least one tap").map(|sum| sum / taps as f32)
    };
    match reference {
        Some(_) => Value::f32(raw[0]),
        None => image.result(texel::unit(image.view.format, raw).map(Scalar::F32)),
    }
}

/// Four texels of the linear footprint of the first level, one component each.
fn gather(reader: &Reader<'_>, u: &[f32], offset: &[i64], component: usize) -> Value {
    let footprint: [[Scalar; 4]; 4] = if reader.image.dimension == ImageDimension::Cube {
        cube::footprint(reader, 0, [u[0], u[1], u[2]])
    } else {
        let size = reader.image.size(0);
        let x = linear_index(u[0], size[0]).0 + offset[0];
        let y = linear_index(u[1], size[1]).0 + offset[1];
        [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[dx, dy]| reader.texel(0, [x + dx, y + dy, 0]))
    };
    let parts = footprint.map(|raw| match reader.reference {
        Some(_) => Scalar::F32(reader.contribution(raw)[0]),
        None => reader.image.unit(raw)[component],
    });
    Value::from_parts(&parts)
}

/// Where a load or store goes: level, slice, x, y; none outside.
fn place(image: &Image<'_>, at: &[i64], layer: Option<i64>, level: i64) -> Option<(u32, u32, u32, u32)> {
    if !(0..image.view.mip_count as i64).contains(&level) {
        return None;
    }
    let size = image.size(level as u32);
    let inside = at.iter().zip(size).all(|(&at, size)| (0..size as i64).contains(&at));
    let slice = if image.dimension == ImageDimension::D3 { at[2] } else { layer.unwrap_or(0) };
    let slices = if image.dimension == ImageDimension::D3 { size[2] } else { image.view.layer_count };
    let inside = inside && (0..slices as i64).contains(&slice);
    inside.then(|| (level as u32, slice as u32, at[0] as u32, at.get(1).map_or(0, |&y| y as u32)))
}

/// `textureLoad`: zero outside. `last` is the sample of a multisampled texture, the level of any other.
pub fn load(image: &Image<'_>, at: &[i64], layer: Option<i64>, last: Option<i64>) -> Value {
    let multisampled = image.view.texture.sample_count > 1;
    let (level, sample) = if multisampled { (0, last.unwrap_or(0)) } else { (last.unwrap_or(0), 0) };
    let inside = (0..image.view.texture.sample_count as i64).contains(&sample);
    let raw = match place(image, at, layer, level).filter(|_| inside) {
        Some((level, slice, x, y)) => image.unit(image.raw(level, slice, x, y, sample as u32)),
        None => {
            let kind = texel::is_integer(image.view.format, image.view.aspect).unwrap_or(naga::ScalarKind::Float);
            [Scalar::zero(kind); 4]
        }
    };
    image.result(raw)
}

/// `textureStore`: nothing outside.
pub fn store(image: &Image<'_>, at: &[i64], layer: Option<i64>, value: &[Scalar]) {
    let Some((level, slice, x, y)) = place(image, at, layer, 0) else { return };
    let layout = image.level(level);
    let slice = if image.dimension == ImageDimension::D3 { slice } else { slice + image.view.base_layer };
    let start = layout.offset_bytes
        + slice as usize * layout.layer_bytes
        + y as usize * layout.row_bytes
        + x as usize * layout.texel_bytes;
    for (i, byte) in texel::encode(image.view.format, value).into_iter().enumerate() {
        bytes::write(&image.view.texture.memory, start + i, [byte]);
    }
}

/// `textureDimensions` and its kin.
pub fn query(image: &Image<'_>, query: naga::ImageQuery, level: Option<i64>) -> Value {
    match query {
        naga::ImageQuery::Size { .. } => {
            let level = level.unwrap_or(0).clamp(0, image.view.mip_count as i64 - 1) as u32;
            let size = image.size(level);
            match image.dimension {
                ImageDimension::D1 => Value::u32(size[0]),
                ImageDimension::D2 | ImageDimension::Cube => Value::uints(&size[..2]),
                ImageDimension::D3 => Value::uints(&size),
            }
        }
        naga::ImageQuery::NumLevels => Value::u32(image.view.mip_count),
        naga::ImageQuery::NumLayers => Value::u32(image.layers()),
        naga::ImageQuery::NumSamples => Value::u32(image.view.texture.sample_count),
    }
}
