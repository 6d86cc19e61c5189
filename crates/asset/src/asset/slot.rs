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
    /// For the table of keys: what its channels are.
    pub doc: &'static str,
}

/// The table: the name of each slot in Rust, and its row.
macro_rules! slots {
    ($($name:ident: $key:literal, $meaning:ident, $doc:literal;)+) => {
        /// A texture's place in a material.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Slot {
            $(#[doc = $doc] $name),+
        }

        impl Slot {
            pub const ALL: &[Slot] = &[$(Slot::$name),+];

            pub const fn row(self) -> SlotRow {
                match self {
                    $(Slot::$name => SlotRow { key: $key, meaning: Meaning::$meaning, doc: $doc }),+
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
}

impl Slot {
    /// Those of every surface, whatever its lighting model.
    pub const OF_ALL: [Slot; 5] =
        [Slot::BaseColor, Slot::MetallicRoughness, Slot::Normal, Slot::Occlusion, Slot::Emissive];

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
