//! Layout: the tables that the emitter and the uploader share.

use stillframe_graph::Geometry;

use crate::asset::{AlphaMode, Material, Reflection, Slot, Slots};

use super::{Key, Lobes};

/// Place of a slot among those that are read.
fn place(slots: Slots, slot: Slot) -> usize {
    slots.iter().position(|own| own == slot).expect("only slots that are read have a place")
}

/// Binding of a slot's texture in group 2; binding 0 is the uniform.
pub fn texture_binding(slots: Slots, slot: Slot) -> u32 {
    1 + 2 * place(slots, slot) as u32
}

/// Binding of a slot's sampler in group 2.
pub fn sampler_binding(slots: Slots, slot: Slot) -> u32 {
    2 + 2 * place(slots, slot) as u32
}

/// Binding of a graph's parameters in group 2; its textures follow.
pub fn graph_binding(slots: Slots) -> u32 {
    1 + 2 * slots.iter().count() as u32
}

/// Row of the uniform's `uv` that a slot's coordinates begin with.
pub fn uv_row(slots: Slots, slot: Slot) -> usize {
    2 * place(slots, slot)
}

/// A vertex attribute; its number is its location and its vertex buffer slot's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stream {
    Position,
    Normal,
    Tangent,
    Uv0,
    Uv1,
    Color,
    /// Where a bent vertex was one frame before.
    PositionBefore,
}

impl Stream {
    pub const ALL: [Stream; 7] = [
        Stream::Position,
        Stream::Normal,
        Stream::Tangent,
        Stream::Uv0,
        Stream::Uv1,
        Stream::Color,
        Stream::PositionBefore,
    ];

    /// Name in WGSL.
    pub fn name(self) -> &'static str {
        match self {
            Stream::Position => "position",
            Stream::Normal => "normal",
            Stream::Tangent => "tangent",
            Stream::Uv0 => "uv0",
            Stream::Uv1 => "uv1",
            Stream::Color => "color",
            Stream::PositionBefore => "position_before",
        }
    }

    /// f32 values a vertex.
    pub fn width(self) -> u32 {
        match self {
            Stream::Position | Stream::Normal | Stream::PositionBefore => 3,
            Stream::Tangent | Stream::Color => 4,
            Stream::Uv0 | Stream::Uv1 => 2,
        }
    }
}

/// Streams a key's vertex function reads, in slot order.
pub fn streams(key: &Key) -> Vec<Stream> {
    use super::Bending;
    let shades = key.has_surface();
    let reads = |stream: Stream| match stream {
        Stream::Position => true,
        Stream::Normal => shades || key.reads_frame() || key.program_of_corners().is_some(),
        Stream::Tangent => {
            (shades && (key.has(Slot::Normal) || key.has(Slot::ClearcoatNormal) || key.lobes.has_frame()))
                || key.looks_at(Geometry::Tangent)
                || key.looks_at(Geometry::Bitangent)
        }
        Stream::Uv0 => {
            let looks_at = |geometry| key.looks_at(geometry) || key.looks_at_corners(geometry);
            let is_first = looks_at(Geometry::Uv1) && !key.streams.uv1;
            key.textured() || looks_at(Geometry::Uv0) || is_first || key.shows("in.uv0")
        }
        Stream::Uv1 => key.streams.uv1,
        Stream::Color => key.streams.colors,
        Stream::PositionBefore => key.bending == Bending::Streams,
    };
    Stream::ALL.into_iter().filter(|&stream| reads(stream)).collect()
}

/// f32 values of the `Material` uniform before those of its slots.
pub const MATERIAL_FLOATS: usize = 20;
/// Place of the material's number in its uniform.
pub const MATERIAL_NUMBER: usize = 16;

/// The `Material` uniform of WGSL: base (4), emissive (3), metallic, roughness, normal scale, occlusion strength, alpha
/// cutoff, f0 (3) and f90, the number (1) and three pads; then for each slot that is read the rows of its uv transform
/// (4), its offset (2), its uv set and a pad; last the parameters of its lighting model.
///
/// A blended surface's cutoff is 0.5: from there on it counts where there is no in-between (shadows, AOVs).
pub fn material_uniform(material: &Material, slots: Slots) -> Vec<f32> {
    let cutoff = match material.alpha_mode {
        AlphaMode::Mask { cutoff } => cutoff,
        AlphaMode::Opaque | AlphaMode::Blend | AlphaMode::Hashed | AlphaMode::Coverage => 0.5,
    };
    let mut out = Vec::with_capacity(MATERIAL_FLOATS);
    out.extend(material.base_color);
    out.extend(material.emissive);
    out.extend([material.metallic, material.roughness, material.normal_scale, material.occlusion_strength, cutoff]);
    out.extend(reflection(material, slots));
    // Who has a number says it.
    out.extend([0.0; 4]);
    assert_eq!(out.len(), MATERIAL_FLOATS, "shaders count on it");
    for slot in slots.iter() {
        let texture = &material.textures[&slot];
        let transform = texture.transform;
        out.extend([transform.x, transform.y, transform.offset].as_flattened());
        out.extend([texture.uv_set as f32, 0.0]);
    }
    out.extend(material.lighting.floats(Lobes::new(material).layers));
    out
}

/// f0 and f90; before the strength and the end at 1 where textures multiply them.
fn reflection(material: &Material, slots: Slots) -> [f32; 4] {
    let Reflection { f0: [r, g, b], f90 } = material.reflection;
    if !slots.has(Slot::Specular) && !slots.has(Slot::SpecularColor) {
        return [r, g, b, f90];
    }
    let [ior, strength] = ["ior", "specular"].map(|name| material.lighting.value(name)[0]);
    let color = material.lighting.value("specular_color");
    let [r, g, b] = match material.reflection == Reflection::new(ior, strength, color) {
        true => Reflection::unlimited(ior, color),
        // The file says it in other words.
        false => material.reflection.f0.map(|f0| f0 / f90.max(1e-6)),
    };
    [r, g, b, f90]
}
