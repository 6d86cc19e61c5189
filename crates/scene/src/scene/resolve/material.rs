//! `[material.NAME]`, and what models' materials have different.

use super::super::angle::sin_cos_deg;
use super::super::syntax::{Kind, Table};
use super::super::{MaterialOverride, SceneMaterial, TextureChoice, TexturePath, code};
use super::{Resolver, ask};
use crate::asset::{AlphaMode, Filter, Material, UvTransform, Wrap};

pub(super) fn materials(resolver: &mut Resolver<'_>, tree: &Table) -> Vec<SceneMaterial> {
    let mut out = Vec::new();
    for (name, _, table) in tree.named("material") {
        let values = values(resolver, table);
        out.push(SceneMaterial { name: name.to_string(), values: filled(values) });
    }
    out
}

/// What is written, and nothing else.
pub(super) fn values(resolver: &mut Resolver<'_>, table: &Table) -> MaterialOverride {
    let mut texture = |key| texture(resolver, table, key);
    let mut out = MaterialOverride {
        base_color: ask::color(table, "base_color"),
        base_color_texture: texture("base_color_texture"),
        metallic: ask::float(table, "metallic"),
        roughness: ask::float(table, "roughness"),
        metallic_roughness_texture: texture("metallic_roughness_texture"),
        normal_texture: texture("normal_texture"),
        normal_scale: ask::float(table, "normal_scale"),
        occlusion_texture: texture("occlusion_texture"),
        occlusion_strength: ask::float(table, "occlusion_strength"),
        emissive: ask::rgb(table, "emissive"),
        emissive_texture: texture("emissive_texture"),
        alpha_mode: None,
        double_sided: ask::flag(table, "double_sided"),
        unlit: ask::flag(table, "unlit"),
    };
    let cutoff = ask::float(table, "alpha_cutoff");
    out.alpha_mode = match ask::text(table, "alpha_mode") {
        Some("opaque") => Some(AlphaMode::Opaque),
        Some("blend") => Some(AlphaMode::Blend),
        Some("mask") => Some(AlphaMode::Mask { cutoff: cutoff.unwrap_or(0.5) }),
        _ => None,
    };
    if let (Some(entry), false) = (table.entry("alpha_cutoff"), matches!(out.alpha_mode, Some(AlphaMode::Mask { .. })))
    {
        let help = Some("add `alpha_mode = \"mask\"`, or remove it".to_string());
        let message = "`alpha_cutoff` has no effect without `alpha_mode = \"mask\"`";
        resolver.complain_with(code::WITHOUT_EFFECT, entry.key_place, message, help);
    }
    out
}

/// The same with every default. A factor that is not written is 1 beside its texture, so that the texture is seen as it is.
fn filled(written: MaterialOverride) -> MaterialOverride {
    let grey = Material::default();
    let is_file = |texture: &Option<TextureChoice>| matches!(texture, Some(TextureChoice::File(_)));
    let beside = |texture: &Option<TextureChoice>, plain: f32| if is_file(texture) { 1.0 } else { plain };
    let metallic = beside(&written.metallic_roughness_texture, grey.metallic);
    let roughness = beside(&written.metallic_roughness_texture, grey.roughness);
    let base_color = if is_file(&written.base_color_texture) { [1.0; 4] } else { grey.base_color };
    let emissive = if is_file(&written.emissive_texture) { [1.0; 3] } else { grey.emissive };
    MaterialOverride {
        base_color: written.base_color.or(Some(base_color)),
        metallic: written.metallic.or(Some(metallic)),
        roughness: written.roughness.or(Some(roughness)),
        normal_scale: written.normal_scale.or(Some(grey.normal_scale)),
        occlusion_strength: written.occlusion_strength.or(Some(grey.occlusion_strength)),
        emissive: written.emissive.or(Some(emissive)),
        alpha_mode: written.alpha_mode.or(Some(grey.alpha_mode)),
        double_sided: written.double_sided.or(Some(grey.double_sided)),
        unlit: written.unlit.or(Some(grey.unlit)),
        ..written
    }
}

fn texture(resolver: &mut Resolver<'_>, table: &Table, key: &str) -> Option<TextureChoice> {
    let value = table.value(key)?;
    if value.kind.text() == Some("none") {
        return Some(TextureChoice::None);
    }
    let empty = Table::default();
    let (file, settings) = match &value.kind {
        Kind::Text(name) => (resolver.file_named(name, value.place), &empty),
        Kind::Table(settings) => (resolver.file(settings, "file"), settings),
        _ => return None,
    };
    let filter = ask::choice(settings, "filter", Filter::WORDS).unwrap_or(Filter::Linear);
    let mip_filter = match ask::text(settings, "mip_filter") {
        Some("none") => None,
        Some(word) => ask::meaning(word, Filter::WORDS),
        None => Some(Filter::Linear),
    };
    let texture = TexturePath {
        file,
        uv_set: ask::whole(settings, "uv_set").unwrap_or(0),
        transform: transform(settings),
        wrap: wrap(settings),
        mag_filter: ask::choice(settings, "mag_filter", Filter::WORDS).unwrap_or(filter),
        min_filter: ask::choice(settings, "min_filter", Filter::WORDS).unwrap_or(filter),
        mip_filter,
        anisotropy: ask::whole(settings, "anisotropy").unwrap_or(1) as u16,
    };
    let all_linear = [Some(texture.mag_filter), Some(texture.min_filter), texture.mip_filter];
    if texture.anisotropy > 1
        && all_linear.iter().any(|f| *f != Some(Filter::Linear))
        && let Some(entry) = settings.entry("anisotropy")
    {
        let message = "`anisotropy` of more than 1 needs linear filters between texels and levels";
        resolver.complain(code::WITHOUT_EFFECT, entry.value.place, message);
    }
    Some(TextureChoice::File(texture))
}

/// Scale, then rotation, then offset; the rotation as KHR_texture_transform means it (v points down).
fn transform(settings: &Table) -> UvTransform {
    if let Some([x, y, offset]) = ask::rows(settings, "matrix") {
        return UvTransform { x, y, offset };
    }
    let [scale_u, scale_v] = ask::numbers(settings, "scale").unwrap_or([1.0; 2]);
    let (sin, cos) = sin_cos_deg(ask::number(settings, "rotation_deg").unwrap_or(0.0));
    UvTransform {
        x: [(cos * scale_u) as f32, (sin * scale_v) as f32],
        y: [(-sin * scale_u) as f32, (cos * scale_v) as f32],
        offset: ask::floats(settings, "offset").unwrap_or([0.0; 2]),
    }
}

fn wrap(settings: &Table) -> [Wrap; 2] {
    if let Some(both) = ask::choice(settings, "wrap", Wrap::WORDS) {
        return [both; 2];
    }
    let each: Vec<Wrap> =
        ask::words(settings, "wrap").iter().filter_map(|word| ask::meaning(word, Wrap::WORDS)).collect();
    each.try_into().unwrap_or([Wrap::Repeat; 2])
}

/// The words of the enums that files spell.
trait Words: Sized + 'static {
    const WORDS: &'static [(&'static str, Self)];
}

impl Words for Filter {
    const WORDS: &'static [(&'static str, Filter)] = &[("nearest", Filter::Nearest), ("linear", Filter::Linear)];
}

impl Words for Wrap {
    const WORDS: &'static [(&'static str, Wrap)] =
        &[("repeat", Wrap::Repeat), ("mirror", Wrap::Mirror), ("clamp", Wrap::Clamp)];
}
