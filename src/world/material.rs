//! Materials: a model's own or the default, with what the scene says laid over.

use crate::asset::{Material, Store, TextureSlot};
use crate::import;
use crate::scene::{MaterialOverride, SceneMaterial, TextureChoice, TexturePath};
use crate::source::Diagnostic;

use super::load::Pictures;

/// A material of the scene file: its values over the default, which is white and 1 where a texture is given.
pub fn of_scene(
    material: &SceneMaterial,
    pictures: &mut Pictures,
    store: &mut Store,
    read: &import::Read<'_>,
) -> Result<Material, Vec<Diagnostic>> {
    // Where a texture is given, what is not written must not dim it.
    let plain = Material::default();
    let values = &material.values;
    let is_file = |texture: &Option<TextureChoice>| matches!(texture, Some(TextureChoice::File(_)));
    let mut out = Material {
        name: material.name.clone(),
        base_color: if is_file(&values.base_color_texture) { [1.0; 4] } else { plain.base_color },
        metallic: if is_file(&values.metallic_roughness_texture) { 1.0 } else { plain.metallic },
        roughness: if is_file(&values.metallic_roughness_texture) { 1.0 } else { plain.roughness },
        emissive: if is_file(&values.emissive_texture) { [1.0; 3] } else { plain.emissive },
        ..plain
    };
    lay_over(&mut out, &material.values, pictures, store, read)?;
    Ok(out)
}

/// Replaces what `values` holds.
pub fn lay_over(
    out: &mut Material,
    values: &MaterialOverride,
    pictures: &mut Pictures,
    store: &mut Store,
    read: &import::Read<'_>,
) -> Result<(), Vec<Diagnostic>> {
    let MaterialOverride {
        base_color,
        base_color_texture,
        metallic,
        roughness,
        metallic_roughness_texture,
        normal_texture,
        normal_scale,
        occlusion_texture,
        occlusion_strength,
        emissive,
        emissive_texture,
        alpha_mode,
        double_sided,
        unlit,
    } = values;
    set(&mut out.base_color, base_color);
    set(&mut out.metallic, metallic);
    set(&mut out.roughness, roughness);
    set(&mut out.normal_scale, normal_scale);
    set(&mut out.occlusion_strength, occlusion_strength);
    set(&mut out.emissive, emissive);
    set(&mut out.alpha_mode, alpha_mode);
    set(&mut out.double_sided, double_sided);
    set(&mut out.unlit, unlit);
    let mut diagnostics = Vec::new();
    for (slot, path) in [
        (&mut out.base_color_texture, base_color_texture),
        (&mut out.metallic_roughness_texture, metallic_roughness_texture),
        (&mut out.normal_texture, normal_texture),
        (&mut out.occlusion_texture, occlusion_texture),
        (&mut out.emissive_texture, emissive_texture),
    ] {
        match path {
            None => {}
            Some(TextureChoice::None) => *slot = None,
            Some(TextureChoice::File(path)) => match texture(path, pictures, store, read) {
                Ok(texture) => *slot = Some(texture),
                Err(diagnostic) => diagnostics.push(diagnostic),
            },
        }
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics) }
}

fn set<T: Copy>(slot: &mut T, value: &Option<T>) {
    if let Some(value) = value {
        *slot = *value;
    }
}

fn texture(
    path: &TexturePath,
    pictures: &mut Pictures,
    store: &mut Store,
    read: &import::Read<'_>,
) -> Result<TextureSlot, Diagnostic> {
    Ok(TextureSlot {
        image: pictures.load(&path.file, store, read)?,
        uv_set: path.uv_set,
        transform: path.transform,
        wrap: path.wrap,
        mag_filter: path.mag_filter,
        min_filter: path.min_filter,
        mip_filter: path.mip_filter,
        anisotropy: path.anisotropy,
    })
}
