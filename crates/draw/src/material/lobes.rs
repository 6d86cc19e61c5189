//! Lobes: which lighting model a surface has, and what is laid over it.

use crate::asset::{Layer, Lighting, ModelId};

/// A lighting model with some of its layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lobes {
    pub model: ModelId,
    /// By bits in the order of the model's row.
    pub layers: u8,
}

impl Lobes {
    pub fn new(lighting: &Lighting) -> Lobes {
        Lobes { model: lighting.model, layers: lighting.layers() }
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

    /// Whether its text reads the tangent.
    pub fn has_frame(self) -> bool {
        self.model.row().needs.frame || self.laid().any(|layer| layer.frame)
    }
}
