//! Slot: a texture's place in a material.

use crate::asset::{Material, TextureSlot};

/// A texture's place in a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    BaseColor,
    MetallicRoughness,
    Normal,
    Occlusion,
    Emissive,
}

impl Slot {
    pub const ALL: [Slot; 5] =
        [Slot::BaseColor, Slot::MetallicRoughness, Slot::Normal, Slot::Occlusion, Slot::Emissive];

    /// Name in WGSL and in dumps.
    pub fn name(self) -> &'static str {
        match self {
            Slot::BaseColor => "base_color",
            Slot::MetallicRoughness => "metallic_roughness",
            Slot::Normal => "normal",
            Slot::Occlusion => "occlusion",
            Slot::Emissive => "emissive",
        }
    }

    /// Whether 8-bit texels are sRGB-encoded colours.
    pub fn is_color(self) -> bool {
        matches!(self, Slot::BaseColor | Slot::Emissive)
    }
}

/// The texture a material has in a slot.
pub fn texture_slot(material: &Material, slot: Slot) -> Option<&TextureSlot> {
    match slot {
        Slot::BaseColor => material.base_color_texture.as_ref(),
        Slot::MetallicRoughness => material.metallic_roughness_texture.as_ref(),
        Slot::Normal => material.normal_texture.as_ref(),
        Slot::Occlusion => material.occlusion_texture.as_ref(),
        Slot::Emissive => material.emissive_texture.as_ref(),
    }
}
