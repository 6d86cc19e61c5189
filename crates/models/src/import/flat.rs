//! Flat: what the formats without a scene (OBJ, STL, PLY) have in common.

use std::path::Path;

use glam::{DMat4, Mat4};

use super::{Axis, Format, Local, Model, ModelNode, Trs};
use crate::asset::{Filter, ImageId, Material, TextureSlot, UvTransform, Wrap};

/// A model with one node, called like the file, and nothing in it yet.
pub fn model(file: &Path, format: &str, up: Option<Axis>) -> Model {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Model {
        format: Format { name: format.to_string(), generator: None, up, unit_m: None },
        model_from_file: DMat4::IDENTITY,
        nodes: vec![node(&stem, None)],
        ..Model::default()
    }
}

pub fn node(name: &str, parent: Option<usize>) -> ModelNode {
    ModelNode {
        name: name.to_string(),
        parent,
        local: Local::Trs(Trs::IDENTITY),
        local_from_parts: Mat4::IDENTITY,
        shown: true,
        // The file knows no meshes apart from their nodes.
        mesh: (!name.is_empty()).then(|| name.to_string()),
        parts: Vec::new(),
        skin: None,
        morphs: Vec::new(),
    }
}

/// The material of triangles without one: both sides are shown. With colours by vertex it is white, so that they alone
/// count.
pub fn material(has_colors: bool) -> Material {
    let plain = Material { double_sided: true, ..Material::default() };
    if has_colors { Material { base_color: [1.0; 4], ..plain } } else { plain }
}

/// The material of lines and points without normals: they are not lit. Those without a material are white, as in glTF:
/// seen before black and before the grey floor of bare models.
pub fn stroke_material(material: &Material) -> Material {
    let plain = Material { name: material.name.clone(), ..self::material(false) };
    let base_color = if *material == plain { [1.0; 4] } else { material.base_color };
    Material { base_color, unlit: true, ..material.clone() }
}

/// Texture coordinates count v upwards in these formats, downwards here.
pub fn uv([u, v]: [f32; 2]) -> [f32; 2] {
    [u, 1.0 - v]
}

/// A picture laid over texture coordinates 0, repeated and filtered in every way.
pub fn texture(image: usize) -> TextureSlot {
    TextureSlot {
        image: ImageId::new(image as u32),
        uv_set: 0,
        on_screen: false,
        transform: UvTransform::IDENTITY,
        wrap: [Wrap::Repeat; 2],
        mag_filter: Filter::Linear,
        min_filter: Filter::Linear,
        mip_filter: Some(Filter::Linear),
        anisotropy: 1,
    }
}
