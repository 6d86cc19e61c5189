//! Layout: the tables that the emitter and the uploader share.

use stillframe_graph::Geometry;

use crate::asset::{AlphaMode, Material, UvTransform};

use super::{Key, Slot, texture_slot};

/// Slots a key reads, in binding order.
pub fn slots(key: &Key) -> Vec<Slot> {
    Slot::ALL.into_iter().filter(|&slot| key.has(slot)).collect()
}

/// Binding of a slot's texture in group 2; binding 0 is the uniform.
pub fn texture_binding(slot: Slot) -> u32 {
    1 + 2 * slot as u32
}

/// Binding of a slot's sampler in group 2.
pub fn sampler_binding(slot: Slot) -> u32 {
    2 + 2 * slot as u32
}

/// Binding of a graph's parameters in group 2; its textures follow.
pub const GRAPH_BINDING: u32 = 1 + 2 * Slot::ALL.len() as u32;

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
        Stream::Normal => shades || key.reads_frame(),
        Stream::Tangent => {
            (shades && (key.has(Slot::Normal) || key.lobes.has_frame()))
                || key.looks_at(Geometry::Tangent)
                || key.looks_at(Geometry::Bitangent)
        }
        Stream::Uv0 => {
            let is_first = key.looks_at(Geometry::Uv1) && !key.streams.uv1;
            key.textured() || key.looks_at(Geometry::Uv0) || is_first || key.shows("in.uv0")
        }
        Stream::Uv1 => key.streams.uv1,
        Stream::Color => key.streams.colors,
        Stream::PositionBefore => key.bending == Bending::Streams,
    };
    Stream::ALL.into_iter().filter(|&stream| reads(stream)).collect()
}

/// f32 values of the `Material` uniform before those of a lighting model.
pub const MATERIAL_FLOATS: usize = 12 + 8 * 5 + 4;

/// The `Material` uniform of WGSL: base (4), emissive (3), metallic, roughness, normal scale, occlusion strength, alpha
/// cutoff, then for each slot the rows of its uv transform (4), its offset (2), its uv set and a pad, then f0 (3) and
/// f90; last the parameters of its lighting model.
///
/// A blended surface's cutoff is 0.5: from there on it counts where there is no in-between (shadows, AOVs).
pub fn material_uniform(material: &Material) -> Vec<f32> {
    let cutoff = match material.alpha_mode {
        AlphaMode::Mask { cutoff } => cutoff,
        AlphaMode::Opaque | AlphaMode::Blend | AlphaMode::Hashed | AlphaMode::Coverage => 0.5,
    };
    let mut out = vec![0.0; MATERIAL_FLOATS];
    out[0..4].copy_from_slice(&material.base_color);
    out[4..7].copy_from_slice(&material.emissive);
    out[7] = material.metallic;
    out[8] = material.roughness;
    out[9] = material.normal_scale;
    out[10] = material.occlusion_strength;
    out[11] = cutoff;
    for slot in Slot::ALL {
        let texture = texture_slot(material, slot);
        let transform = texture.map_or(UvTransform::IDENTITY, |t| t.transform);
        let at = 12 + 8 * slot as usize;
        out[at..at + 2].copy_from_slice(&transform.x);
        out[at + 2..at + 4].copy_from_slice(&transform.y);
        out[at + 4..at + 6].copy_from_slice(&transform.offset);
        out[at + 6] = texture.map_or(0.0, |t| t.uv_set as f32);
    }
    let at = 12 + 8 * Slot::ALL.len();
    out[at..at + 3].copy_from_slice(&material.reflection.f0);
    out[at + 3] = material.reflection.f90;
    out.extend(material.lighting.floats());
    out
}
