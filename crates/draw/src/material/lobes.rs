//! Lobes: which lighting model a surface has, and what is laid over it.

use crate::asset::{Hook, Layer, Material, ModelId, Param, Slot};

/// A lighting model with some of its layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lobes {
    pub model: ModelId,
    /// By bits in the order of the model's row.
    pub layers: u16,
}

impl Lobes {
    pub fn new(material: &Material) -> Lobes {
        let textures = material.textures.keys().copied().collect();
        Lobes { model: material.lighting.model, layers: material.lighting.layers(textures) }
    }

    /// Whether it is the plain surface of glTF, which `shader::LOBES` has.
    pub fn is_plain(self) -> bool {
        self == Lobes::default()
    }

    /// The layers that are there, from below.
    pub fn laid(self) -> impl Iterator<Item = &'static Layer> {
        self.model
            .row()
            .layers
            .iter()
            .enumerate()
            .filter(move |(at, _)| self.layers >> at & 1 == 1)
            .map(|(_, layer)| layer)
    }

    /// Parameters that its text reads.
    pub fn read(self) -> impl Iterator<Item = &'static Param> {
        self.model.row().read(self.layers)
    }

    /// Whether it reads the texture of one of its model's own slots.
    pub fn reads(self, slot: Slot) -> bool {
        let of = slot.row().of;
        let is_read = of.is_empty() || self.laid().any(|layer| layer.weights.contains(&of));
        is_read && self.model.row().slots.contains(&slot)
    }

    /// The same without layers of this kind.
    pub fn without(self, hook: Hook) -> Lobes {
        let rows = self.model.row().layers.iter().enumerate();
        let gone = rows.filter(|(_, layer)| layer.hook == hook).fold(0, |bits, (at, _)| bits | 1 << at);
        Lobes { layers: self.layers & !gone, ..self }
    }

    /// Lambert's.
    pub fn matt() -> Lobes {
        Lobes { model: ModelId::of_name("lambert").expect("it is in the table"), layers: 0 }
    }

    /// Whether a layer of this kind is there.
    pub fn has(self, hook: Hook) -> bool {
        self.laid().any(|layer| layer.hook == hook)
    }

    /// Whether it sees lights with an area as `shader::AROUND_AREA` shows them.
    pub fn sees_areas(self) -> bool {
        !self.is_plain() && self.model.row().needs.areas && self.laid().all(|layer| layer.areas)
    }

    /// Whether its text reads the tangent.
    pub fn has_frame(self) -> bool {
        self.model.row().needs.frame || self.laid().any(|layer| layer.frame)
    }
}
