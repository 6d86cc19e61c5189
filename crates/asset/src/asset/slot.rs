//! Slots: places of textures in a material, as rows.
//!
//! A slot is one row of `slots!`. Keys of scene files, bindings and coordinates in shaders, dumps and mip levels follow
//! from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::TextureSlot;

/// Textures of a material by their slots.
pub type Textures = BTreeMap<Slot, TextureSlot>;

/// What the texels of a slot are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Colours; those of 8 bits are sRGB-encoded.
    Color,
    /// Numbers.
    Data,
    /// Normals in tangent space.
    Normal,
}

/// A place of a texture.
#[derive(Clone, Copy, Debug)]
pub struct SlotRow {
    /// In scene files; it ends in `_texture`.
    pub key: &'static str,
    pub meaning: Meaning,
    /// The weight of the layer that reads it; empty where a lighting model or every surface does.
    pub of: &'static str,
    /// The parameter that it multiplies and that is 1 beside it where nothing is written; empty for none.
    pub fills: &'static str,
    /// WGSL: what becomes of the parameters `own` by the value `texel`. Empty where `surface` reads it.
    pub text: &'static str,
    /// WGSL: where it is read; empty: at texture coordinates of the mesh.
    pub at: &'static str,
    /// For the table of keys: what its channels are.
    pub doc: &'static str,
}

/// The table: the name of each slot in Rust, and its row.
macro_rules! slots {
    ($($name:ident: $key:literal, $meaning:ident, $doc:literal $(, { of: $of:literal, fills: $fills:literal, text: $text:expr $(, at: $at:literal)? $(,)? })?;)+) => {
        /// A texture's place in a material.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Slot {
            $(#[doc = $doc] $name),+
        }

        impl Slot {
            pub const ALL: &[Slot] = &[$(Slot::$name),+];

            pub const fn row(self) -> SlotRow {
                match self {
                    $(Slot::$name => SlotRow {
                        key: $key,
                        meaning: Meaning::$meaning,
                        of: concat!($($of)?),
                        fills: concat!($($fills)?),
                        text: concat!($($text)?),
                        at: concat!($($($at)?)?),
                        doc: $doc,
                    }),+
                }
            }
        }
    };
}

slots! {
    BaseColor: "base_color_texture", Color, "sRGB colour and alpha.";
    MetallicRoughness: "metallic_roughness_texture", Data, "Green is roughness, blue is metallic.";
    Normal: "normal_texture", Normal, "Tangent space, +Y up (OpenGL's).";
    Occlusion: "occlusion_texture", Data, "Red is the share of environment light that arrives.";
    Emissive: "emissive_texture", Color, "sRGB, multiplied by `emissive`, whose default is then white.";
    Specular: "specular_texture", Data, "Alpha multiplies `specular`.", {
        of: "specular",
        fills: "",
        text: "own_f90 *= texel.w;",
    };
    SpecularColor: "specular_color_texture", Color, "sRGB, multiplies `specular_color`.", {
        of: "specular",
        fills: "",
        text: "own_f0 *= texel.xyz;",
    };
    Clearcoat: "clearcoat_texture", Data, "Red multiplies `clearcoat`, whose default is then 1.", {
        of: "clearcoat",
        fills: "clearcoat",
        text: "own.clearcoat *= texel.x;",
    };
    ClearcoatRoughness: "clearcoat_roughness_texture", Data, "Green multiplies `clearcoat_roughness`, whose default is then 1.", {
        of: "clearcoat",
        fills: "clearcoat_roughness",
        text: "own.clearcoat_roughness *= texel.y;",
    };
    ClearcoatNormal: "clearcoat_normal_texture", Normal, "A normal map of the varnish alone; without it the varnish has the normal of the mesh.", {
        of: "clearcoat",
        fills: "",
        text: "let bumped = vec3f((texel.xy * 2.0 - 1.0) * own.clearcoat_normal_scale, texel.z * 2.0 - 1.0);
    own.coat_n = normalize(bumped.x * in.tangent.xyz + bumped.y * bitangent + bumped.z * in.normal) * side;",
    };
    SheenColor: "sheen_color_texture", Color, "sRGB, multiplied by `sheen_color`, whose default is then white.", {
        of: "sheen_color",
        fills: "sheen_color",
        text: "own.sheen_color *= texel.xyz;",
    };
    SheenRoughness: "sheen_roughness_texture", Data, "Alpha multiplies `sheen_roughness`, whose default is then 1.", {
        of: "sheen_color",
        fills: "sheen_roughness",
        text: "own.sheen_roughness *= texel.w;",
    };
    Anisotropy: "anisotropy_texture", Data, "Red and green are the direction from -1 to 1, which `anisotropy_rotation_deg` turns further; blue multiplies `anisotropy`, whose default is then 1.", {
        of: "anisotropy",
        fills: "anisotropy",
        text: "let along = texel.xy * 2.0 - 1.0;
    let turned = own.anisotropy_rotation_deg * along.x + vec2f(-own.anisotropy_rotation_deg.y, own.anisotropy_rotation_deg.x) * along.y;
    own.anisotropy_rotation_deg = turned * inverseSqrt(max(dot(turned, turned), 1e-8));
    own.anisotropy *= texel.z;",
    };
    Iridescence: "iridescence_texture", Data, "Red multiplies `iridescence`, whose default is then 1.", {
        of: "iridescence",
        fills: "iridescence",
        text: "own.iridescence *= texel.x;",
    };
    IridescenceThickness: "iridescence_thickness_texture", Data, "Green is the thickness, from `iridescence_thickness_min_nm` to `iridescence_thickness_nm`.", {
        of: "iridescence",
        fills: "",
        text: "own.iridescence_thickness_nm = own.iridescence_thickness_min_nm
        + (own.iridescence_thickness_nm - own.iridescence_thickness_min_nm) * texel.y;",
    };
    Transmission: "transmission_texture", Data, "Red multiplies `transmission`, whose default is then 1.", {
        of: "transmission",
        fills: "transmission",
        text: "own.transmission *= texel.x;",
    };
    Thickness: "thickness_texture", Data, "Green multiplies `thickness_m`.", {
        of: "thickness_m",
        fills: "",
        text: "own.thickness_m *= texel.y;",
    };
    DiffuseTransmission: "diffuse_transmission_texture", Data, "Alpha multiplies `diffuse_transmission`, whose default is then 1.", {
        of: "diffuse_transmission",
        fills: "diffuse_transmission",
        text: "own.diffuse_transmission *= texel.w;",
    };
    DiffuseTransmissionColor: "diffuse_transmission_color_texture", Color, "sRGB, multiplies `diffuse_transmission_color`.", {
        of: "diffuse_transmission",
        fills: "",
        text: "own.diffuse_transmission_color *= texel.xyz;",
    };
    Matcap: "matcap_texture", Color, "sRGB: what a ball of the material looks like, from its edge to its edge.", {
        of: "",
        fills: "",
        text: "own.matcap_color *= texel.xyz;",
        at: "matcap_place(s.n, v)",
    };
}

impl Slot {
    /// Those of every surface, whatever its lighting model.
    pub const OF_ALL: [Slot; 5] =
        [Slot::BaseColor, Slot::MetallicRoughness, Slot::Normal, Slot::Occlusion, Slot::Emissive];

    /// Whether `surface` reads it, whatever the lighting model is.
    pub fn is_of_all(self) -> bool {
        Slot::OF_ALL.contains(&self)
    }

    /// Name in WGSL and in dumps.
    pub fn name(self) -> &'static str {
        self.row().key.trim_end_matches("_texture")
    }
}

/// Textures of those slots that have one.
pub fn textures(list: impl IntoIterator<Item = (Slot, Option<TextureSlot>)>) -> Textures {
    list.into_iter().filter_map(|(slot, texture)| Some((slot, texture?))).collect()
}

/// A set of slots. It is ordered like lists of yes and no, by the order of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slots(u32);

impl Slots {
    fn bit(slot: Slot) -> u32 {
        1 << (31 - slot as u32)
    }

    pub fn has(self, slot: Slot) -> bool {
        self.0 & Slots::bit(slot) != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// In the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Slot> {
        Slot::ALL.iter().copied().filter(move |slot| self.has(*slot))
    }
}

impl FromIterator<Slot> for Slots {
    fn from_iter<I: IntoIterator<Item = Slot>>(slots: I) -> Slots {
        Slots(slots.into_iter().fold(0, |bits, slot| bits | Slots::bit(slot)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_slots_are_their_own_and_end_alike() {
        assert!(Slot::ALL.len() <= 32, "a set has a bit for each");
        for (at, slot) in Slot::ALL.iter().enumerate() {
            assert_eq!(*slot as usize, at);
            assert!(slot.row().key.ends_with("_texture") && !slot.name().is_empty(), "{slot:?}");
            assert!(Slot::ALL[..at].iter().all(|other| other.row().key != slot.row().key), "{slot:?}");
        }
    }

    #[test]
    fn sets_are_ordered_as_the_table_is() {
        let set = |slots: &[Slot]| slots.iter().copied().collect::<Slots>();
        let (first, last) = (set(&[Slot::BaseColor]), set(&[Slot::Normal, Slot::Emissive]));
        assert!(last < first && Slots::default() < last);
        assert_eq!(last.iter().collect::<Vec<_>>(), [Slot::Normal, Slot::Emissive]);
    }
}
