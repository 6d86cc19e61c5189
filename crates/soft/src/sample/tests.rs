//! Lookups against tables made by hand, and the wide kernels against `each`.

use std::sync::Arc;

use stillframe_base::lanes::{Block, Isa, LaneMask};
use wgpu_types as wgt;
use wgt::{AddressMode, CompareFunction, FilterMode, MipmapFilterMode, TextureFormat, TextureViewDimension};

use super::{Level, Lookup, load, lookup, store};
use crate::store::{Ledger, Sampler, Texture, TextureView};

pub fn texture(
    format: TextureFormat,
    size: [u32; 3],
    mip_count: u32,
    dimension: wgt::TextureDimension,
) -> Arc<Texture> {
    let size = wgt::Extent3d { width: size[0], height: size[1], depth_or_array_layers: size[2] };
    let ledger = Arc::new(Ledger::new(1 << 30));
    Arc::new(Texture::new(format, dimension, size, mip_count, 1, &ledger).expect("memory"))
}

pub fn view(texture: &Arc<Texture>, dimension: TextureViewDimension) -> TextureView {
    TextureView {
        texture: texture.clone(),
        format: texture.format,
        dimension,
        aspect: wgt::TextureAspect::All,
        base_mip: 0,
        mip_count: texture.levels.len() as u32,
        base_layer: 0,
        layer_count: if dimension == TextureViewDimension::D3 { 1 } else { texture.size.depth_or_array_layers },
    }
}

/// A 2-D view of one level whose texels are given row by row.
fn flat(format: TextureFormat, width: u32, texels: &[u8]) -> TextureView {
    let bytes = format.block_copy_size(None).expect("a colour format");
    let height = texels.len() as u32 / bytes / width;
    let texture = texture(format, [width, height, 1], 1, wgt::TextureDimension::D2);
    texture.memory.write(0, texels);
    view(&texture, TextureViewDimension::D2)
}

pub fn sampler(mode: AddressMode, filter: FilterMode) -> Sampler {
    Sampler {
        address_modes: [mode; 3],
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter: MipmapFilterMode::Nearest,
        lod_clamp: 0.0..32.0,
        compare: None,
        anisotropy_clamp: 1,
        border_color: None,
    }
}

pub fn block(values: &[f32]) -> Block {
    let mut block = Block::ZERO;
    for (lane, value) in values.iter().enumerate() {
        block.0[lane] = value.to_bits();
    }
    block
}

/// Looks up one lane a coordinate pair.
fn sample(view: &TextureView, sampler: &Sampler, coords: &[[f32; 3]], level: Level<'_>) -> Vec<[f32; 4]> {
    let axis = |i: usize| block(&coords.iter().map(|c| c[i]).collect::<Vec<_>>());
    let (x, y, z) = (axis(0), axis(1), axis(2));
    let what = Lookup { coords: [&x, &y, &z], layer: None, level, offset: [0; 3], compare: None, gather: None };
    run(view, sampler, &what, coords.len())
}

fn run(view: &TextureView, sampler: &Sampler, what: &Lookup<'_>, count: usize) -> Vec<[f32; 4]> {
    let mut out = [Block::ZERO; 4];
    lookup(Isa::detect(), view, sampler, what, &LaneMask::first_n(count), &mut out);
    (0..count).map(|lane| [0, 1, 2, 3].map(|i| out[i].as_f32()[lane])).collect()
}

/// The red component alone.
fn reds(values: &[[f32; 4]]) -> Vec<f32> {
    values.iter().map(|v| v[0]).collect()
}

#[test]
fn nearest_takes_the_texel_under_the_point_in_every_mode() {
    let view = flat(TextureFormat::R8Unorm, 4, &[0, 51, 102, 255]);
    let coords: Vec<_> = [-0.3, -0.01, 0.0, 0.24, 0.25, 0.99, 1.0, 1.3, f32::NAN].map(|u| [u, 0.5, 0.0]).to_vec();
    let at = |texels: [usize; 9]| texels.map(|i| [0.0, 0.2, 0.4, 1.0][i]).to_vec();
    for (mode, want) in [
        (AddressMode::ClampToEdge, at([0, 0, 0, 0, 1, 3, 3, 3, 0])),
        (AddressMode::Repeat, at([2, 3, 0, 0, 1, 3, 0, 1, 0])),
        (AddressMode::MirrorRepeat, at([1, 0, 0, 0, 1, 3, 3, 2, 0])),
    ] {
        let sampler = sampler(mode, FilterMode::Nearest);
        assert_eq!(reds(&sample(&view, &sampler, &coords, Level::Zero)), want, "{mode:?}");
    }
}

#[test]
fn bilinear_weights_by_hand() {
    // 0, 64 / 128, 192 in steps of 1/256 of 255: exact in f32.
    let view = flat(TextureFormat::R32Float, 2, bytemuck::cast_slice(&[0.0f32, 64.0, 128.0, 192.0]));
    let linear = sampler(AddressMode::ClampToEdge, FilterMode::Linear);
    for (u, v, want) in [
        (0.25, 0.25, 0.0),
        (0.75, 0.25, 64.0),
        (0.5, 0.25, 32.0),
        (0.5, 0.5, 96.0),
        (0.375, 0.25, 16.0),
        (0.0, 0.0, 0.0),
        (1.0, 1.0, 192.0),
        (0.25, 0.5, 64.0),
    ] {
        assert_eq!(sample(&view, &linear, &[[u, v, 0.0]], Level::Zero)[0], [want, 0.0, 0.0, 1.0], "{u} {v}");
    }
    let repeat = sampler(AddressMode::Repeat, FilterMode::Linear);
    assert_eq!(sample(&view, &repeat, &[[0.0, 0.25, 0.0], [1.0, 0.0, 0.0]], Level::Zero)[0][0], 32.0);
    assert_eq!(sample(&view, &repeat, &[[1.0, 0.0, 0.0]], Level::Zero)[0][0], 96.0);
}

#[test]
fn borders_replace_texels_before_filtering() {
    let view = flat(TextureFormat::Rgba8Unorm, 1, &[255, 0, 0, 255]);
    let mut border = sampler(AddressMode::ClampToBorder, FilterMode::Linear);
    for (color, want) in [
        (wgt::SamplerBorderColor::TransparentBlack, [0.5, 0.0, 0.0, 0.5]),
        (wgt::SamplerBorderColor::OpaqueBlack, [0.5, 0.0, 0.0, 1.0]),
        (wgt::SamplerBorderColor::OpaqueWhite, [1.0, 0.5, 0.5, 1.0]),
    ] {
        border.border_color = Some(color);
        assert_eq!(sample(&view, &border, &[[0.0, 0.5, 0.0]], Level::Zero)[0], want, "{color:?}");
    }
    let red = flat(TextureFormat::R8Unorm, 1, &[0]);
    border.border_color = Some(wgt::SamplerBorderColor::OpaqueWhite);
    assert_eq!(sample(&red, &border, &[[-1.0, 0.5, 0.0]], Level::Zero)[0], [1.0, 0.0, 0.0, 1.0]);
}

/// Four levels of an 8x8 texture, each filled with its number.
fn pyramid(format: TextureFormat) -> TextureView {
    let texture = texture(format, [8, 8, 1], 4, wgt::TextureDimension::D2);
    for (number, level) in texture.levels.iter().enumerate() {
        for texel in 0..level.layer_bytes / 4 {
            texture.memory.write(level.offset_bytes + texel * 4, &(number as f32).to_le_bytes());
        }
    }
    view(&texture, TextureViewDimension::D2)
}

#[test]
fn levels_by_number_and_between() {
    let view = pyramid(TextureFormat::R32Float);
    let mut trilinear = sampler(AddressMode::Repeat, FilterMode::Linear);
    trilinear.mipmap_filter = MipmapFilterMode::Linear;
    let mut nearest = sampler(AddressMode::Repeat, FilterMode::Nearest);
    nearest.lod_clamp = 0.5..2.25;
    for (lambda, between, rounded) in [
        (-1.0, 0.0, 1.0),
        (0.25, 0.25, 1.0),
        (1.0, 1.0, 1.0),
        (1.49, 1.49, 1.0),
        (1.5, 1.5, 2.0),
        (2.75, 2.75, 2.0),
        (9.0, 3.0, 2.0),
        (f32::NAN, 0.0, 1.0),
    ] {
        let level = block(&[lambda]);
        assert_eq!(sample(&view, &trilinear, &[[0.3; 3]], Level::Exact(&level))[0][0], between, "{lambda}");
        assert_eq!(sample(&view, &nearest, &[[0.3; 3]], Level::Exact(&level))[0][0], rounded, "{lambda}");
    }
}

#[test]
fn automatic_levels_follow_the_quad() {
    let view = pyramid(TextureFormat::R32Float);
    let mut trilinear = sampler(AddressMode::Repeat, FilterMode::Linear);
    trilinear.mipmap_filter = MipmapFilterMode::Linear;
    // One texel, two texels, a shear, and the bias. 8 texels: a step of 1/8 is level 0.
    for (dx, dy, bias, want) in [
        ([0.125, 0.0], [0.0, 0.125], 0.0, 0.0),
        ([0.25, 0.0], [0.0, 0.125], 0.0, 1.0),
        ([0.125, 0.0], [0.0, 0.5], 0.0, 2.0),
        ([0.3, 0.4], [0.0, 0.0], 0.0, 2.0),
        ([0.25, 0.0], [0.0, 0.125], 1.5, 2.5),
        ([0.25, 0.0], [0.0, 0.125], -90.0, 0.0),
        ([0.0, 0.0], [0.0, 0.0], 0.0, 0.0),
    ] {
        let quad = [[0.0, 0.0], dx, dy, [dx[0] + dy[0], dx[1] + dy[1]]].map(|c| [c[0], c[1], 0.0]);
        let bias_block = block(&[bias; 4]);
        let level = Level::Auto { bias: (bias != 0.0).then_some(&bias_block) };
        for value in sample(&view, &trilinear, &quad, level) {
            assert_eq!(value[0], want, "{dx:?} {dy:?} {bias}");
        }
    }
}

#[test]
fn anisotropy_takes_its_level_from_the_short_side() {
    let view = pyramid(TextureFormat::R32Float);
    let mut aniso = sampler(AddressMode::Repeat, FilterMode::Linear);
    aniso.mipmap_filter = MipmapFilterMode::Linear;
    aniso.anisotropy_clamp = 4;
    // 8 texels by 1: ratio 8, four taps, so level 1 instead of 3. 4 by 1: level 0. 2 by 2: no anisotropy.
    for (dx, dy, want) in
        [([1.0, 0.0], [0.0, 0.125], 1.0), ([0.0, 0.125], [0.5, 0.0], 0.0), ([0.25, 0.0], [0.0, 0.25], 1.0)]
    {
        let quad = [[0.0, 0.0], dx, dy, [dx[0] + dy[0], dx[1] + dy[1]]].map(|c| [c[0], c[1], 0.0]);
        for value in sample(&view, &aniso, &quad, Level::Auto { bias: None }) {
            assert_eq!(value[0], want, "{dx:?} {dy:?}");
        }
    }
}

#[test]
fn comparisons_come_before_the_filter() {
    let texture = texture(TextureFormat::Depth32Float, [2, 2, 1], 1, wgt::TextureDimension::D2);
    texture.memory.write(0, bytemuck::cast_slice(&[0.25f32, 0.5, 0.75, 1.0]));
    let view = view(&texture, TextureViewDimension::D2);
    let (u, v, reference) = (block(&[0.5]), block(&[0.5]), block(&[0.5]));
    for (function, want) in [
        (CompareFunction::Less, 0.5),
        (CompareFunction::LessEqual, 0.75),
        (CompareFunction::Greater, 0.25),
        (CompareFunction::GreaterEqual, 0.5),
        (CompareFunction::Equal, 0.25),
        (CompareFunction::NotEqual, 0.75),
        (CompareFunction::Always, 1.0),
        (CompareFunction::Never, 0.0),
    ] {
        let mut sampler = sampler(AddressMode::ClampToEdge, FilterMode::Linear);
        sampler.compare = Some(function);
        let what = Lookup {
            coords: [&u, &v, &u],
            layer: None,
            level: Level::Zero,
            offset: [0; 3],
            compare: Some(&reference),
            gather: None,
        };
        assert_eq!(run(&view, &sampler, &what, 1)[0][0], want, "{function:?}");
        // (0, 1), (1, 1), (1, 0), (0, 0)
        let gathered = run(&view, &sampler, &Lookup { gather: Some(0), ..what }, 1)[0];
        let want = [0.75, 1.0, 0.5, 0.25].map(|texel| f32::from(super::each::compare(function, 0.5, texel)));
        assert_eq!(gathered, want, "{function:?}");
    }
}

#[test]
fn gathers_go_round_the_footprint_and_offsets_move_it() {
    let texels: Vec<u8> = (0..16).flat_map(|i| [i, 100 + i]).collect();
    let view = flat(TextureFormat::Rg8Unorm, 4, &texels);
    let sampler = sampler(AddressMode::ClampToEdge, FilterMode::Nearest);
    let (u, v) = (block(&[0.5]), block(&[0.5]));
    for (component, offset, want) in [
        (0, [0, 0, 0], [9, 10, 6, 5]),
        (1, [0, 0, 0], [109, 110, 106, 105]),
        (0, [1, -1, 0], [6, 7, 3, 2]),
        (0, [8, 0, 0], [11, 11, 7, 7]),
        (3, [0, 0, 0], [255; 4]),
    ] {
        let what = Lookup {
            coords: [&u, &v, &u],
            layer: None,
            level: Level::Zero,
            offset,
            compare: None,
            gather: Some(component),
        };
        assert_eq!(run(&view, &sampler, &what, 1)[0], want.map(|i| i as f32 / 255.0), "{component} {offset:?}");
    }
}

#[test]
fn cubes_pick_faces_and_filter_across_edges() {
    // Each face one value: 0, 10, 20, 30, 40, 50.
    let cube = texture(TextureFormat::R32Float, [2, 2, 6], 1, wgt::TextureDimension::D2);
    for face in 0..6 {
        for texel in 0..4 {
            cube.memory.write(face * 16 + texel * 4, &(face as f32 * 10.0).to_le_bytes());
        }
    }
    let view = view(&cube, TextureViewDimension::Cube);
    let linear = sampler(AddressMode::Repeat, FilterMode::Linear);
    for (direction, want) in [
        ([1.0, 0.0, 0.0], 0.0),
        ([-3.0, 0.1, 0.0], 10.0),
        ([0.0, 2.0, 0.0], 20.0),
        ([0.0, -2.0, 0.0], 30.0),
        ([0.0, 0.0, 1.0], 40.0),
        ([0.0, 0.0, -1.0], 50.0),
        // On an edge: half of each face. At a corner: a third.
        ([1.0, 0.0, 1.0], 20.0),
        ([0.0, -1.0, -1.0], 40.0),
    ] {
        assert_eq!(sample(&view, &linear, &[direction], Level::Zero)[0][0], want, "{direction:?}");
    }
    let corner = sample(&view, &linear, &[[1.0, 1.0, 1.0]], Level::Zero)[0][0];
    assert!((corner - 20.0).abs() < 1e-5, "{corner}");
    let nearest = sampler(AddressMode::Repeat, FilterMode::Nearest);
    assert_eq!(sample(&view, &nearest, &[[1.0, 0.0, 0.99]], Level::Zero)[0][0], 0.0);
}

#[test]
fn volumes_filter_in_three_axes() {
    let volume = texture(TextureFormat::R32Float, [2, 2, 2], 1, wgt::TextureDimension::D3);
    volume.memory.write(0, bytemuck::cast_slice(&[0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]));
    let view = view(&volume, TextureViewDimension::D3);
    let linear = sampler(AddressMode::ClampToEdge, FilterMode::Linear);
    for (at, want) in [([0.5; 3], 3.5), ([0.25, 0.25, 0.75], 4.0), ([0.75, 0.5, 0.5], 4.0), ([0.0, 0.0, 0.5], 2.0)] {
        assert_eq!(sample(&view, &linear, &[at], Level::Zero)[0][0], want, "{at:?}");
    }
}

#[test]
fn layers_clamp_when_sampled_and_vanish_when_loaded() {
    let array = texture(TextureFormat::R8Unorm, [1, 1, 3], 1, wgt::TextureDimension::D2);
    array.memory.write(0, &[0, 51, 255]);
    let view = view(&array, TextureViewDimension::D2Array);
    let half = block(&[0.5; 4]);
    let mut layers = Block::ZERO;
    layers.0[..4].copy_from_slice(&[-1i32 as u32, 0, 1, 9]);
    let what = Lookup {
        coords: [&half; 3],
        layer: Some(&layers),
        level: Level::Zero,
        offset: [0; 3],
        compare: None,
        gather: None,
    };
    let nearest = sampler(AddressMode::Repeat, FilterMode::Nearest);
    assert_eq!(reds(&run(&view, &nearest, &what, 4)), [0.0, 0.0, 0.2, 1.0]);
    let mut out = [Block::ZERO; 4];
    let zero = Block::ZERO;
    load(Isa::detect(), &view, [&zero; 3], Some(&layers), None, &LaneMask::first_n(4), &mut out);
    assert_eq!([0, 1, 2, 3].map(|lane| out[0].as_f32()[lane]), [0.0, 0.0, 0.2, 0.0]);
    assert_eq!([0, 1, 2, 3].map(|lane| out[3].as_f32()[lane]), [0.0, 1.0, 1.0, 0.0]);
}

#[test]
fn stores_write_inside_only_and_loads_read_them_back() {
    for (format, value, want, unwritten) in [
        (
            TextureFormat::Rgba8Unorm,
            [0.5f32, 2.0, -1.0, f32::NAN].map(f32::to_bits),
            [128.0 / 255.0, 1.0, 0.0, 0.0].map(f32::to_bits),
            [0; 4],
        ),
        (TextureFormat::Rgba32Uint, [1, 2, 3, u32::MAX], [1, 2, 3, u32::MAX], [0; 4]),
        (TextureFormat::R32Sint, [-5i32 as u32, 9, 9, 9], [-5i32 as u32, 0, 0, 1], [0, 0, 0, 1]),
    ] {
        let texture = texture(format, [2, 2, 1], 1, wgt::TextureDimension::D2);
        let view = view(&texture, TextureViewDimension::D2);
        let (mut x, y) = (Block::ZERO, Block::splat(1));
        x.0[..4].copy_from_slice(&[1, 2, -1i32 as u32, 0]);
        let values = value.map(Block::splat);
        let mut active = LaneMask::first_n(4);
        active.clear(3);
        store(&view, [&x, &y, &y], None, [&values[0], &values[1], &values[2], &values[3]], &active);
        let mut out = [Block::ZERO; 4];
        load(Isa::detect(), &view, [&x, &y, &y], None, None, &LaneMask::first_n(4), &mut out);
        let lane = |lane: usize| [0, 1, 2, 3].map(|i| out[i].0[lane]);
        assert_eq!(lane(0), want, "{format:?}");
        assert_eq!((lane(1), lane(2)), ([0; 4], [0; 4]), "{format:?}");
        // The inactive lane's texel was not written.
        assert_eq!(lane(3), unwritten, "{format:?}");
    }
}

/// A small generator: the same cases everywhere.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }
    fn below(&mut self, count: u32) -> u32 {
        self.next() % count
    }
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }
    /// Mostly near 0..=1, sometimes far, rarely not a number.
    fn coordinate(&mut self) -> f32 {
        let unit = self.next() as f32 / 2_147_483_648.0;
        match self.below(40) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => -1e20,
            3..6 => unit * 1000.0 - 500.0,
            6..10 => self.below(9) as f32 / 8.0,
            _ => unit * 3.0 - 1.0,
        }
    }
    fn coordinates(&mut self) -> Block {
        // Quads that move slowly now and then, so that levels differ.
        let step = self.pick(&[0.5, 0.05, 0.01]);
        let mut out = Block::ZERO;
        for quad in 0..64 {
            let start = self.coordinate();
            for lane in 0..4 {
                let value = start + step * (self.below(100) as f32 / 100.0) * lane as f32;
                out.0[quad * 4 + lane] = value.to_bits();
            }
        }
        out
    }
}

fn random_sampler(rng: &mut Rng) -> Sampler {
    let modes = [AddressMode::ClampToEdge, AddressMode::Repeat, AddressMode::MirrorRepeat, AddressMode::ClampToBorder];
    let filters = [FilterMode::Linear, FilterMode::Linear, FilterMode::Nearest];
    let filter = rng.pick(&filters);
    Sampler {
        address_modes: [0; 3].map(|_| if rng.below(8) == 0 { modes[3] } else { rng.pick(&modes[..3]) }),
        mag_filter: filter,
        min_filter: if rng.below(8) == 0 { rng.pick(&filters) } else { filter },
        mipmap_filter: rng.pick(&[MipmapFilterMode::Nearest, MipmapFilterMode::Linear]),
        lod_clamp: rng.pick(&[0.0, 0.0, 1.25])..rng.pick(&[32.0, 32.0, 2.5]),
        compare: None,
        anisotropy_clamp: rng.pick(&[1, 1, 4, 16]),
        border_color: Some(
            rng.pick(&[wgt::SamplerBorderColor::OpaqueWhite, wgt::SamplerBorderColor::TransparentBlack]),
        ),
    }
}

fn random_view(rng: &mut Rng, format: TextureFormat) -> TextureView {
    use TextureViewDimension as D;
    let dimension = rng.pick(&[D::D2, D::D2, D::D2Array, D::Cube, D::CubeArray]);
    let cube = matches!(dimension, D::Cube | D::CubeArray);
    let width: u32 = 1 + rng.pick(&[0, 1, 3, 4, 6, 15, 31]);
    let height = if cube { width } else { 1 + rng.pick(&[0, 2, 3, 7, 12]) };
    let layers = match dimension {
        D::D2Array => 1 + rng.below(4),
        D::Cube => 6,
        D::CubeArray => 12,
        _ => 1,
    };
    let most = 32 - width.max(height).leading_zeros();
    let texture = texture(format, [width, height, layers], 1 + rng.below(most), wgt::TextureDimension::D2);
    let mut bytes = vec![0u8; texture.memory.size_bytes()];
    bytes.iter_mut().for_each(|byte| *byte = rng.next() as u8);
    if matches!(format, TextureFormat::Depth32Float | TextureFormat::R32Float | TextureFormat::Rgba32Float) {
        for word in bytes.chunks_exact_mut(4) {
            word.copy_from_slice(&(rng.below(17) as f32 / 16.0).to_le_bytes());
        }
    }
    texture.memory.write(0, &bytes);
    let mut view = view(&texture, dimension);
    view.base_mip = rng.below(view.mip_count);
    view.mip_count -= view.base_mip;
    view
}

#[test]
fn wide_kernels_agree_with_each_lane_alone() {
    use TextureFormat as F;
    let formats = [
        F::Rgba8Unorm,
        F::Rgba8UnormSrgb,
        F::Bgra8Unorm,
        F::Rgba16Float,
        F::Rgba32Float,
        F::R8Unorm,
        F::R32Float,
        F::Depth32Float,
        F::Depth24Plus,
        F::Depth16Unorm,
        F::Rg8Snorm,
    ];
    let mut rng = Rng(11);
    let (mut wide, isas) = (0, Isa::available());
    for case in 0..4000 {
        let format = rng.pick(&formats);
        let view = random_view(&mut rng, format);
        let mut sampler = random_sampler(&mut rng);
        let coords = [0; 3].map(|_| rng.coordinates());
        let gradients = [0; 6].map(|_| rng.coordinates());
        let (mut layers, exact, reference) = (Block::ZERO, rng.coordinates(), rng.coordinates());
        layers.0.iter_mut().for_each(|layer| *layer = rng.below(5).wrapping_sub(1));
        let [a, b, c, d, e, f] = &gradients;
        let level = match rng.below(5) {
            0 => Level::Zero,
            1 => Level::Exact(&exact),
            2 => Level::Auto { bias: Some(&exact) },
            3 => Level::Gradient { ddx: [a, b, c], ddy: [d, e, f] },
            _ => Level::Auto { bias: None },
        };
        let compares = format.is_depth_stencil_format() && rng.below(2) == 0;
        if compares {
            sampler.compare = Some(rng.pick(&[
                CompareFunction::Less,
                CompareFunction::LessEqual,
                CompareFunction::NotEqual,
                CompareFunction::Greater,
                CompareFunction::Always,
            ]));
        }
        let what = Lookup {
            coords: [&coords[0], &coords[1], &coords[2]],
            layer: matches!(view.dimension, TextureViewDimension::D2Array | TextureViewDimension::CubeArray)
                .then_some(&layers),
            level,
            offset: if view.dimension == TextureViewDimension::D2 { [rng.below(3) as i32 - 1, 2, 0] } else { [0; 3] },
            compare: compares.then_some(&reference),
            gather: None,
        };
        let mut active = LaneMask::first_n(rng.below(257) as usize);
        if rng.below(2) == 0 {
            active &= LaneMask([u64::from(rng.next()) << 20, !0, u64::from(rng.next()), !0]);
        }
        let isa = isas[case % isas.len()];
        let source = super::Source::new(&view);
        let detail = super::level::matters(&source, &sampler, &what)
            .then(|| super::level::detail(isa, &source, &sampler, &what, active.end().next_multiple_of(4)));
        let call = super::each::Call { source: &source, sampler: &sampler, lookup: &what, detail: detail.as_ref() };
        let mut out = [Block::ZERO; 4];
        if !super::wide::lookup(isa, &call, &active, &mut out) {
            continue;
        }
        wide += 1;
        for lane in &active {
            let got = [0, 1, 2, 3].map(|i| out[i].0[lane]);
            let want = call.lane(lane);
            let same =
                |i: usize| got[i] == want[i] || (f32::from_bits(got[i]).is_nan() && f32::from_bits(want[i]).is_nan());
            let channels = if compares { 0..1 } else { 0..4 };
            for i in channels {
                assert!(
                    same(i),
                    "case {case} lane {lane} {isa} {format:?} {:?} {sampler:?}: {got:x?} {want:x?}",
                    view.dimension
                );
            }
        }
    }
    assert!(wide > 2000, "{wide} wide cases");
}
