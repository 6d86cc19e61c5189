//! Text: a model in words, for people.

use stillframe_base::geom::Aabb;

use super::super::sizes;
use super::figures::{Figures, Moved, blocks_of_skin, joints_a_vertex_max, nodes_of_skin};
use crate::asset::{AlphaMode, Material, Slot, Texels};
use crate::import::{Axis, Format, Model, ModelLightKind, ModelNode, ModelProjection, ModelVariant, SkinMethod};
use crate::study::{count, short};

/// A page about a model.
pub fn text(name: &str, model: &Model, figures: &Figures) -> String {
    let mut out = format!("{name}  {}\n", format_words(&model.format));
    let mut line = |text: String| out.push_str(&format!("  {text}\n"));
    line(format!(
        "{}, {}, {}, {} shown",
        count(model.nodes.len(), "node", "nodes"),
        count(figures.mesh_count, "mesh", "meshes"),
        count(figures.vertex_count, "vertex", "vertices"),
        count(figures.triangle_count, "triangle", "triangles"),
    ));
    if !figures.bounds.is_empty() {
        let Aabb { min, max } = figures.bounds;
        let size = max - min;
        line(format!("{} x {} x {} m (wide, high, deep)", short(size.x), short(size.y), short(size.z)));
        let corner = |v: glam::Vec3| format!("({} {} {})", short(v.x), short(v.y), short(v.z));
        line(format!("from {} to {}, +Y up", corner(min), corner(max)));
        if let Some([x, y, z]) = figures.origin_m {
            line(format!("far from the file's origin: around ({x} {y} {z}), shown at the origin"));
        }
    }
    section(&mut out, "nodes", nodes(model));
    section(&mut out, "materials", table(model.materials.iter().map(|m| (m.name.clone(), material_words(m)))));
    section(&mut out, "material variants", table(model.variants.iter().map(|of| variant_words(model, of))));
    let images = model.images.iter();
    let images =
        images.map(|i| (i.name.clone(), format!("{} x {}  {}", i.width_px, i.height_px, texel_words(&i.texels))));
    section(&mut out, "images", table(images));
    section(&mut out, "skins", table((0..model.skins.len()).map(|skin| skin_words(model, skin))));
    section(&mut out, "morphs", morphs(model));
    section(&mut out, "clips", table(model.clips.iter().map(clip_words)));
    let cameras = model.cameras.iter().map(|c| (c.name.clone(), projection_words(&c.projection)));
    section(&mut out, "cameras", table(cameras));
    section(&mut out, "lights", table(model.lights.iter().map(|l| (l.name.clone(), light_words(&l.kind)))));
    section(&mut out, "sizes", sizes::lines(&sizes::of(model)));
    out
}

fn section(out: &mut String, title: &str, lines: Vec<String>) {
    if !lines.is_empty() {
        out.push_str(&format!("\n{title}\n"));
        lines.iter().for_each(|line| out.push_str(&format!("  {}\n", line.trim_end())));
    }
}

/// Names in a column, with a description next to each.
fn table(rows: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let rows: Vec<(String, String)> = rows.collect();
    // One long name must not push all the others away.
    let width = rows.iter().map(|(name, _)| name.chars().count()).filter(|w| *w <= 40).max().unwrap_or(0);
    rows.into_iter().map(|(name, words)| format!("{name:width$}  {words}")).collect()
}

pub fn axis_word(axis: Axis) -> &'static str {
    match axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    }
}

fn format_words(format: &Format) -> String {
    let mut out = format.name.clone();
    if let Some(generator) = &format.generator {
        out.push_str(&format!(", written by {generator}"));
    }
    if let Some(up) = format.up {
        out.push_str(&format!(", +{} up", axis_word(up).to_uppercase()));
    }
    match format.unit_m {
        Some(1.0) => out.push_str(", in metres"),
        Some(0.01) => out.push_str(", in centimetres"),
        Some(0.001) => out.push_str(", in millimetres"),
        Some(unit_m) => out.push_str(&format!(", in units of {unit_m} m")),
        None => {}
    }
    out
}

/// The tree, each node with what it shows.
fn nodes(model: &Model) -> Vec<String> {
    let mut is_joint = vec![false; model.nodes.len()];
    model.skins.iter().flat_map(|skin| &skin.joints).for_each(|joint| is_joint[joint.node] = true);
    let mut depths: Vec<usize> = Vec::with_capacity(model.nodes.len());
    let mut rows = Vec::with_capacity(model.nodes.len());
    for (node, joint) in model.nodes.iter().zip(is_joint) {
        let depth = node.parent.map_or(0, |parent| depths[parent] + 1);
        depths.push(depth);
        // Deep trees stay readable.
        let name = format!("{}{}", "  ".repeat(depth.min(20)), node.name);
        let mut words = node_words(model, node);
        if joint {
            words.push("joint".to_string());
        }
        if !node.shown {
            words.push("not shown".to_string());
        }
        rows.push((name, words.join("; ")));
    }
    table(rows.into_iter())
}

fn node_words(model: &Model, node: &ModelNode) -> Vec<String> {
    let part = |part: &crate::import::Part| {
        let surface = &model.geometries[part.geometry].surface;
        format!(
            "{}, {}, {}",
            count(surface.positions.len(), "vertex", "vertices"),
            count(surface.indices.len() / 3, "triangle", "triangles"),
            model.materials[part.material].name
        )
    };
    node.parts.iter().map(part).collect()
}

fn material_words(material: &Material) -> String {
    let mut words = Vec::new();
    let [r, g, b, a] = material.base_color;
    let hex = [r, g, b].map(stillframe_base::math::colour::srgb8_from_linear);
    let tint = format!("#{:02x}{:02x}{:02x}", hex[0], hex[1], hex[2]);
    words.push(match (material.textures.get(&Slot::BaseColor), hex == [255; 3]) {
        (Some(_), true) => "colour from a texture".to_string(),
        (Some(_), false) => format!("colour from a texture times {tint}"),
        (None, _) => tint,
    });
    if material.unlit {
        words.push("unlit".to_string());
    } else {
        let factors = format!("roughness {}, metallic {}", short(material.roughness), short(material.metallic));
        words.push(match (material.textures.get(&Slot::MetallicRoughness), (material.roughness, material.metallic)) {
            (None, _) => factors,
            (Some(_), (1.0, 1.0)) => "roughness and metallic from a texture".to_string(),
            (Some(_), _) => format!("{factors}, each times a texture"),
        });
    }
    for (there, word) in [
        (material.textures.contains_key(&Slot::Normal), "normal map"),
        (material.textures.contains_key(&Slot::Occlusion), "occlusion map"),
        (material.textures.contains_key(&Slot::Emissive), "emissive from a texture"),
        (!material.textures.contains_key(&Slot::Emissive) && material.emissive != [0.0; 3], "emissive"),
        (material.double_sided, "double-sided"),
    ] {
        if there {
            words.push(word.to_string());
        }
    }
    if !material.reflection.is_plain() && !material.unlit {
        let [r, g, b] = material.reflection.f0.map(|f0| short(f0 * 100.0));
        let facing = if r == g && g == b { format!("{r} %") } else { format!("{r}, {g}, {b} %") };
        words.push(format!("reflects {facing}"));
    }
    if !material.unlit {
        words.extend(
            material.lighting.layer_names(material.textures.keys().copied().collect()).into_iter().map(str::to_string),
        );
    }
    match material.alpha_mode {
        AlphaMode::Opaque => {}
        AlphaMode::Mask { cutoff } => words.push(format!("cut out below alpha {}", short(cutoff))),
        AlphaMode::Hashed => words.push(format!("cut out by a hash, alpha {}", short(a))),
        AlphaMode::Coverage => words.push(format!("covers samples, alpha {}", short(a))),
        AlphaMode::Blend => words.push(format!("blended, alpha {}", short(a))),
    }
    words.join(", ")
}

fn variant_words(model: &Model, variant: &ModelVariant) -> (String, String) {
    let mut names: Vec<&str> = variant.swaps.iter().map(|swap| model.materials[swap.material].name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let words = if names.is_empty() { "as without a variant".to_string() } else { names.join(", ") };
    (variant.name.clone(), words)
}

pub fn texel_words(texels: &Texels) -> &'static str {
    match texels {
        Texels::Rgba8(_) => "8 bit",
        Texels::Rgba16(_) => "16 bit",
        Texels::Rgba32Float(_) => "float",
    }
}

fn skin_words(model: &Model, index: usize) -> (String, String) {
    let skin = &model.skins[index];
    let name = if skin.name.is_empty() { format!("skin {index}") } else { skin.name.clone() };
    let parts = || nodes_of_skin(model, index).flat_map(|node| &model.nodes[node].parts);
    let most = parts().map(|part| joints_a_vertex_max(&model.geometries[part.geometry])).max().unwrap_or(0);
    let bent: Vec<&str> = nodes_of_skin(model, index).map(|node| model.nodes[node].name.as_str()).collect();
    let method = match skin.method {
        SkinMethod::Linear => "",
        SkinMethod::DualQuaternion => ", dual quaternions",
        SkinMethod::Blend => ", matrices and dual quaternions blended",
    };
    let joints = count(skin.joints.len(), "joint", "joints");
    let blocks = blocks_of_skin(model, index).map_or(String::new(), |of| {
        format!(
            "; sorted blocks of 16 vertices are {:.0} % full with {:.1} joints per block, unsorted {:.1}",
            of.fill * 100.0,
            of.joints_mean,
            of.joints_mean_unsorted
        )
    });
    (name, format!("{joints}, at most {most} per vertex{method}; deforms {}{blocks}", bent.join(", ")))
}

fn morphs(model: &Model) -> Vec<String> {
    let nodes = model.nodes.iter().filter(|node| !node.morphs.is_empty());
    table(nodes.map(|node| {
        let channel = |channel: &crate::import::MorphChannel| match channel.weight {
            0.0 => channel.name.clone(),
            weight => format!("{} at {}", channel.name, short(weight as f32)),
        };
        (node.name.clone(), node.morphs.iter().map(channel).collect::<Vec<_>>().join(", "))
    }))
}

fn clip_words(clip: &stillframe_anim::RawClip) -> (String, String) {
    let moved = Moved::of(clip);
    let layers = match clip.layers.len() {
        1 => String::new(),
        layers => format!(" in {}", count(layers, "layer", "layers")),
    };
    let start = match clip.start.seconds() {
        0.0 => String::new(),
        start => format!("from {} s, ", short(start as f32)),
    };
    let words = format!(
        "{start}{} s long, {} of {}{layers}: {}",
        short((clip.end.seconds() - clip.start.seconds()) as f32),
        count(moved.key_count, "key", "keys"),
        count(moved.node_count, "node", "nodes"),
        moved.properties.into_iter().collect::<Vec<_>>().join(", ")
    );
    (clip.name.clone(), words)
}

pub fn projection_words(projection: &ModelProjection) -> String {
    match projection {
        ModelProjection::Perspective { fov_y_rad } => format!("perspective, {} degrees", short(fov_y_rad.to_degrees())),
        ModelProjection::Orthographic { height_m } => format!("orthographic, {} m high", short(*height_m)),
    }
}

pub fn light_words(kind: &ModelLightKind) -> String {
    match kind {
        ModelLightKind::Directional { illuminance_lux } => format!("directional, {} lux", short(*illuminance_lux)),
        ModelLightKind::Point { intensity_cd, .. } => format!("point, {} cd", short(*intensity_cd)),
        ModelLightKind::Spot { intensity_cd, outer_rad, .. } => {
            format!("spot, {} cd, {} degrees wide", short(*intensity_cd), short(outer_rad.to_degrees() * 2.0))
        }
    }
}
