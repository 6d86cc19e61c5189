//! The text form of a world.

use std::fmt::Write;

use glam::{Mat4, Vec3};

use super::World;
use crate::asset::{GraphUse, Lighting, Material, ParamKind, Slot, Texels, TextureSlot};

/// A world as text: objects with their parts, lights, cameras, then the store. Floats are printed so that they read
/// back exactly.
pub fn dump(world: &World) -> String {
    let store = &world.store;
    let mut out = String::from("world\n");
    let mut line = |text: std::fmt::Arguments<'_>| {
        out.write_fmt(text).expect("writing to a text never fails");
        out.push('\n');
    };
    line(format_args!("bounds {} .. {}", vec3(world.bounds.min), vec3(world.bounds.max)));
    for (index, name) in world.object_names.iter().enumerate() {
        let id = index as u32 + 1;
        line(format_args!("object {id} {name:?}"));
        for item in world.items.iter().filter(|i| i.object_id == id) {
            line(format_args!(
                "  geometry {} material {} {:?} bounds {} .. {}{}",
                item.geometry.index(),
                item.material.index(),
                store.material(item.material).name,
                vec3(item.bounds.min),
                vec3(item.bounds.max),
                if item.casts_shadow { "" } else { " no shadow" }
            ));
            line(format_args!("    world_from_local {}", matrix(item.world_from_local)));
        }
    }
    for light in &world.lights {
        line(format_args!(
            "light {:?} {} color {:?} shadow {}{}",
            light.name,
            light.kind.in_words(),
            light.color,
            light.shadow.map_or("false".to_string(), |shadow| shadow.text()),
            if light.from_model { " from model" } else { "" }
        ));
        line(format_args!("    world_from_local {}", matrix(light.world_from_local)));
    }
    for camera in &world.cameras {
        line(format_args!(
            "camera {:?} {:?} near {:?} far {:?}{}",
            camera.name,
            camera.projection,
            camera.near_m,
            camera.far_m,
            if camera.from_model { " from model" } else { "" }
        ));
        line(format_args!("    world_from_local {}", matrix(camera.world_from_local)));
    }
    for (geometry_id, geometry) in store.geometries.iter() {
        let index = geometry_id.index();
        line(format_args!(
            "geometry {index} vertices {} triangles {} uv1 {} colors {} bounds {} .. {}",
            geometry.positions.len(),
            geometry.indices.len() / 3,
            !geometry.uv1.is_empty(),
            !geometry.colors.is_empty(),
            vec3(geometry.bounds.min),
            vec3(geometry.bounds.max)
        ));
    }
    for (image_id, image) in store.images.iter() {
        let index = image_id.index();
        let kind = match image.texels {
            Texels::Rgba8(_) => "rgba8",
            Texels::Rgba16(_) => "rgba16",
            Texels::Rgba32Float(_) => "rgba32float",
        };
        line(format_args!("image {index} {:?} {} x {} {kind}", image.name, image.width_px, image.height_px));
    }
    for (material_id, material) in store.materials.iter() {
        let index = material_id.index();
        line(format_args!("material {index} {}", material_text(material)));
    }
    out
}

fn material_text(m: &Material) -> String {
    let mut out = format!(
        "{:?} base_color {:?} metallic {:?} roughness {:?} emissive {:?} {:?}",
        m.name, m.base_color, m.metallic, m.roughness, m.emissive, m.alpha_mode
    );
    for (word, on) in [
        ("mip_coverage", m.mip_coverage),
        ("double_sided", m.double_sided),
        ("unlit", m.unlit),
        ("specular_aa", m.specular_aa),
    ] {
        if on {
            out.push(' ');
            out.push_str(word);
        }
    }
    if m.lighting != Lighting::default() {
        let row = m.lighting.model.row();
        out.push_str(&format!("\n  model {}", row.name));
        for (param, value) in row.params.iter().zip(&m.lighting.values).filter(|(p, v)| **v != p.kind.default()) {
            match param.kind {
                ParamKind::Color { .. } => out.push_str(&format!(" {} {value:?}", param.name)),
                _ => out.push_str(&format!(" {} {:?}", param.name, value[0])),
            }
        }
    }
    for (slot, texture) in &m.textures {
        let more = match slot {
            Slot::Normal => format!(" scale {:?}", m.normal_scale),
            Slot::Occlusion => format!(" strength {:?}", m.occlusion_strength),
            _ => String::new(),
        };
        out.push_str(&format!("\n  {} {}{more}", slot.row().key, slot_text(texture)));
    }
    if let Some(own) = &m.graph {
        for line in own.bound(GraphUse::Surrounded).program.to_string().lines() {
            out.push_str(&format!("\n  {line}"));
        }
    }
    out
}

fn slot_text(slot: &TextureSlot) -> String {
    format!(
        "image {} uv{}{} {:?} mag {:?} min {:?} mip {:?} anisotropy {} uv' = x {:?} y {:?} + {:?}",
        slot.image.index(),
        slot.uv_set,
        if slot.on_screen { " on screen" } else { "" },
        slot.wrap,
        slot.mag_filter,
        slot.min_filter,
        slot.mip_filter,
        slot.anisotropy,
        slot.transform.x,
        slot.transform.y,
        slot.transform.offset
    )
}

fn vec3(v: Vec3) -> String {
    format!("({:?} {:?} {:?})", v.x, v.y, v.z)
}

/// By columns.
fn matrix(m: Mat4) -> String {
    let columns = m.to_cols_array_2d().map(|c| format!("({:?} {:?} {:?} {:?})", c[0], c[1], c[2], c[3]));
    columns.join(" ")
}
