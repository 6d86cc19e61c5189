//! Colour: blending, masks, formats, several targets.

use super::stage::*;

#[test]
fn blending_by_the_formula() {
    let over = wgpu::BlendState::ALPHA_BLENDING;
    let under = Step { vertices: full(0.5, [1.0, 0.5, 0.0, 1.0]), ..Step::default() };
    let step = Step { vertices: full(0.5, [0.0, 1.0, 1.0, 0.25]), blend: Some(over), ..Step::default() };
    let picture =
        draw(&Case { formats: vec![wgpu::TextureFormat::Rgba32Float], steps: vec![under, step], ..Case::default() });
    assert_eq!(picture.floats(3, 3), [0.75, 0.625, 0.25, 1.0]);
    let component = |src_factor, dst_factor, operation| wgpu::BlendComponent { src_factor, dst_factor, operation };
    use wgpu::{BlendFactor as F, BlendOperation as O};
    for (color, want) in [
        (component(F::One, F::One, O::Add), [192, 255, 102]),
        (component(F::One, F::One, O::Subtract), [0, 77, 0]),
        (component(F::One, F::One, O::ReverseSubtract), [140, 0, 0]),
        (component(F::One, F::One, O::Min), [26, 102, 51]),
        (component(F::One, F::One, O::Max), [166, 179, 51]),
        (component(F::Dst, F::Zero, O::Add), [17, 72, 10]),
        (component(F::Constant, F::OneMinusConstant, O::Add), [96, 141, 51]),
        (component(F::Zero, F::SrcAlpha, O::Add), [83, 51, 26]),
    ] {
        let dst = [166.0 / 255.0, 102.0 / 255.0, 51.0 / 255.0, 1.0];
        let src = [26.0 / 255.0, 179.0 / 255.0, 51.0 / 255.0, 0.5];
        let under = Step { vertices: full(0.5, dst), ..Step::default() };
        let blend = Some(wgpu::BlendState { color, alpha: wgpu::BlendComponent::REPLACE });
        let constant = wgpu::Color { r: 0.5, g: 0.5, b: 0.5, a: 0.5 };
        let step = Step { vertices: full(0.5, src), blend, constant, ..Step::default() };
        let got = draw(&Case { size: [4, 4], steps: vec![under, step], ..Case::default() }).rgba(1, 1);
        assert_eq!(got, [want[0], want[1], want[2], 128], "{color:?}");
    }
}

#[test]
fn a_pixel_drawn_often_in_one_draw_is_blended_in_order() {
    // Thirty full-screen layers in one draw, each half transparent: the same as one after the other.
    let layers: Vec<[f32; 4]> = (0..30).map(|k| [k as f32 / 30.0, 1.0 - k as f32 / 30.0, 0.3, 0.5]).collect();
    let blend = Some(wgpu::BlendState::ALPHA_BLENDING);
    let together = Step { vertices: layers.iter().flat_map(|&c| full(0.5, c)).collect(), blend, ..Step::default() };
    let apart = layers.iter().map(|&c| Step { vertices: full(0.5, c), blend, ..Step::default() }).collect();
    let size = [3, 2];
    let one = draw(&Case { size, steps: vec![together], ..Case::default() });
    assert_eq!(one, draw(&Case { size, steps: apart, ..Case::default() }));
}

#[test]
fn write_masks_keep_what_they_hide() {
    let clear = wgpu::Color { r: 0.2, g: 0.4, b: 0.6, a: 0.8 };
    for format in [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Bgra8Unorm] {
        let writes = wgpu::ColorWrites::RED | wgpu::ColorWrites::ALPHA;
        let step = Step { vertices: full(0.5, WHITE), writes, ..Step::default() };
        let picture = draw(&Case { formats: vec![format], clear, steps: vec![step], ..Case::default() });
        let want = if format == wgpu::TextureFormat::Rgba8Unorm { [255, 102, 153, 255] } else { [153, 102, 255, 255] };
        assert_eq!(picture.rgba(1, 1), want);
    }
}

#[test]
fn srgb_is_encoded_and_blended_in_linear_light() {
    let under = Step { vertices: full(0.5, [1.0, 1.0, 1.0, 1.0]), ..Step::default() };
    let over = Step {
        vertices: full(0.5, [0.0, 0.0, 0.0, 0.5]),
        blend: Some(wgpu::BlendState::ALPHA_BLENDING),
        ..Step::default()
    };
    let formats = vec![wgpu::TextureFormat::Rgba8UnormSrgb];
    let picture = draw(&Case { formats, steps: vec![under, over], ..Case::default() });
    assert_eq!(picture.rgba(1, 1), [188, 188, 188, 255]);
}

#[test]
fn every_float_format_takes_a_colour() {
    use wgpu::TextureFormat as F;
    for (format, want) in [
        (F::R8Unorm, vec![64]),
        (F::Rg8Unorm, vec![64, 128]),
        (F::Rgba8Unorm, vec![64, 128, 255, 0]),
        (F::Bgra8Unorm, vec![255, 128, 64, 0]),
        (F::R16Float, vec![0x00, 0x34]),
        (F::Rg16Float, vec![0x00, 0x34, 0x00, 0x38]),
        (F::Rgba16Float, vec![0x00, 0x34, 0x00, 0x38, 0x00, 0x40, 0x00, 0xBC]),
        (F::R32Float, 0.25f32.to_le_bytes().to_vec()),
        (F::Rgb10a2Unorm, (256u32 | 512 << 10 | 1023 << 20).to_le_bytes().to_vec()),
        (F::Rg11b10Ufloat, (0x340u32 | 0x380 << 11 | 0x200 << 22).to_le_bytes().to_vec()),
    ] {
        let step = Step { vertices: full(0.5, [0.25, 0.5, 2.0, -1.0]), ..Step::default() };
        let picture = draw(&Case { formats: vec![format], steps: vec![step], ..Case::default() });
        assert_eq!(picture.at(2, 2), want, "{format:?}");
    }
}

#[test]
fn integer_targets_clamp() {
    use wgpu::TextureFormat as F;
    let wgsl = "
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }
        @fragment fn fs() -> @location(0) vec4u { return vec4u(7, 300, 70000, 1); }
        @fragment fn signed() -> @location(0) vec4i { return vec4i(-7, -300, 70000, 1); }";
    for (format, fragment, want) in [
        (F::Rgba8Uint, "fs", vec![7u8, 255, 255, 1]),
        (F::Rgba16Uint, "fs", vec![7, 0, 44, 1, 255, 255, 1, 0]),
        (F::Rg8Sint, "signed", vec![249, 128]),
        (F::R32Sint, "signed", vec![249, 255, 255, 255]),
        (F::Rgb10a2Uint, "fs", (7u32 | 300 << 10 | 1023 << 20 | 1 << 30).to_le_bytes().to_vec()),
    ] {
        let step = Step { vertices: full(0.5, WHITE), entry: ["vs", fragment], ..Step::default() };
        let picture = draw(&Case { wgsl, formats: vec![format], steps: vec![step], ..Case::default() });
        assert_eq!(picture.at(2, 2), want, "{format:?}");
    }
}

#[test]
fn several_targets_take_their_own_output() {
    let wgsl = "
        struct F { @location(0) a: vec4f, @location(2) c: vec4f, @location(1) b: u32 }
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }
        @fragment fn fs() -> F { return F(vec4f(1, 0, 0, 1), vec4f(0, 0.5, 0, 1), 9u); }";
    use wgpu::TextureFormat as F;
    let order = [F::Rgba8Unorm, F::R32Uint, F::Rgba16Float];
    let step = Step { vertices: full(0.5, WHITE), ..Step::default() };
    let picture = draw(&Case { wgsl, formats: order.to_vec(), steps: vec![step], ..Case::default() });
    assert_eq!(picture.rgba(3, 3), [255, 0, 0, 255]);
}
