//! Document: a model as JSON, for programs.

use serde_json::{Value, json};

use super::super::{json as words, sizes};
use super::figures::{Figures, Moved, blocks_of_skin, joints_a_vertex_max, nodes_of_skin};
use super::text::{axis_word, light_words, projection_words, texel_words};
use crate::asset::{AlphaMode, Material, Slot};
use crate::import::{Model, SkinMethod};

pub fn document(name: &str, model: &Model, figures: &Figures) -> Value {
    let bounds = (!figures.bounds.is_empty())
        .then(|| json!({ "min": figures.bounds.min.to_array(), "max": figures.bounds.max.to_array() }));
    let images = model.images.iter().map(|image| {
        json!({ "name": image.name, "size_px": [image.width_px, image.height_px], "texels": texel_words(&image.texels) })
    });
    let cameras = model.cameras.iter();
    let cameras =
        cameras.map(|c| json!({ "name": c.name, "node": c.node, "projection": projection_words(&c.projection) }));
    let lights = model.lights.iter();
    let lights =
        lights.map(|l| json!({ "name": l.name, "node": l.node, "kind": light_words(&l.kind), "color": l.color }));
    let warnings = model.warnings.iter().map(|w| json!({ "code": w.code, "message": w.message, "help": w.help }));
    let fields = json!({
        "name": name,
        "format": model.format.name,
        "generator": model.format.generator,
        "up": model.format.up.map(axis_word),
        "unit_m": model.format.unit_m,
        "meshes": figures.mesh_count,
        "vertices": figures.vertex_count,
        "triangles": figures.triangle_count,
        "bounds_m": bounds,
        "origin_m": figures.origin_m,
        "nodes": nodes(model),
        "materials": model.materials.iter().map(material).collect::<Vec<_>>(),
        "variants": model.variants.iter().map(|variant| &variant.name).collect::<Vec<_>>(),
        "images": images.collect::<Vec<_>>(),
        "skins": skins(model),
        "clips": clips(model),
        "cameras": cameras.collect::<Vec<_>>(),
        "lights": lights.collect::<Vec<_>>(),
        "sizes": sizes::json(&sizes::of(model)),
        "warnings": warnings.collect::<Vec<_>>(),
    });
    words::document("inspect/1", fields)
}

fn nodes(model: &Model) -> Vec<Value> {
    let node = |node: &crate::import::ModelNode| {
        let parts = node.parts.iter().map(|part| {
            let geometry = &model.geometries[part.geometry];
            json!({
                "geometry": part.geometry,
                "vertices": geometry.surface.positions.len(),
                "triangles": geometry.surface.indices.len() / 3,
                "material": model.materials[part.material].name,
            })
        });
        let morphs = node
            .morphs
            .iter()
            .map(|channel| json!({ "name": channel.name, "weight": channel.weight, "shapes": channel.shapes.len() }));
        json!({
            "name": node.name,
            "parent": node.parent,
            "shown": node.shown,
            "skin": node.skin,
            "parts": parts.collect::<Vec<_>>(),
            "morphs": morphs.collect::<Vec<_>>(),
        })
    };
    model.nodes.iter().map(node).collect()
}

fn material(material: &Material) -> Value {
    let alpha = match material.alpha_mode {
        AlphaMode::Opaque => "opaque",
        AlphaMode::Mask { .. } => "mask",
        AlphaMode::Blend => "blend",
        AlphaMode::Hashed => "hashed",
        AlphaMode::Coverage => "to_coverage",
    };
    let slots = Slot::ALL.iter().filter(|slot| Slot::OF_ALL.contains(slot) || material.textures.contains_key(*slot));
    let image = |slot: &Slot| material.textures.get(slot).map(|texture| texture.image.index());
    let images: serde_json::Map<String, Value> =
        slots.map(|slot| (slot.name().to_string(), json!(image(slot)))).collect();
    json!({
        "name": material.name,
        "base_color": material.base_color,
        "metallic": material.metallic,
        "roughness": material.roughness,
        "emissive": material.emissive,
        "f0": material.reflection.f0,
        "f90": material.reflection.f90,
        "alpha_mode": alpha,
        "double_sided": material.double_sided,
        "unlit": material.unlit,
        "layers": material.lighting.layer_names(material.textures.keys().copied().collect()),
        "images": images,
    })
}

fn skins(model: &Model) -> Vec<Value> {
    let skin = |(index, skin): (usize, &crate::import::Skin)| {
        let parts = nodes_of_skin(model, index).flat_map(|node| &model.nodes[node].parts);
        let most = parts.map(|part| joints_a_vertex_max(&model.geometries[part.geometry])).max().unwrap_or(0);
        json!({
            "name": skin.name,
            "method": match skin.method {
                SkinMethod::Linear => "linear",
                SkinMethod::DualQuaternion => "dual quaternion",
                SkinMethod::Blend => "blend",
            },
            "joints": skin.joints.iter().map(|joint| joint.node).collect::<Vec<_>>(),
            "joints_a_vertex_max": most,
            "nodes": nodes_of_skin(model, index).collect::<Vec<_>>(),
            "blocks": blocks_of_skin(model, index).map(|blocks| json!({
                "vertices": blocks.vertex_count,
                "blocks": blocks.block_count,
                "fill": blocks.fill,
                "joints_mean": blocks.joints_mean,
                "joints_max": blocks.joints_max,
                "joints_mean_unsorted": blocks.joints_mean_unsorted,
            })),
        })
    };
    model.skins.iter().enumerate().map(skin).collect()
}

fn clips(model: &Model) -> Vec<Value> {
    let clip = |clip: &stillframe_anim::RawClip| {
        let moved = Moved::of(clip);
        json!({
            "name": clip.name,
            "start_s": clip.start.seconds(),
            "end_s": clip.end.seconds(),
            "layers": clip.layers.len(),
            "tracks": moved.track_count,
            "keys": moved.key_count,
            "nodes": moved.node_count,
            "properties": moved.properties,
        })
    };
    model.clips.iter().map(clip).collect()
}
