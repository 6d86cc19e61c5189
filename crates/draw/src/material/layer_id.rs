//! Layer id: which rows of `scene::LAYERS` items are drawn for.

use crate::scene::{AovRow, LAYERS, Reads, Shader};

/// A row of `scene::LAYERS` that items are drawn for. Rows with one shader have one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LayerId(u8);

impl LayerId {
    /// `None`: items are not drawn for it.
    pub fn of(row: &AovRow) -> Option<LayerId> {
        let is = |other: &AovRow| other.shader.is_some() && (other.shader, other.held) == (row.shader, row.held);
        LAYERS.iter().position(is).map(|at| LayerId(at as u8))
    }

    /// Each once.
    pub fn all() -> impl Iterator<Item = LayerId> {
        let ids = LAYERS.iter().enumerate().map(|(at, row)| (LayerId(at as u8), LayerId::of(row)));
        ids.filter(|(id, first)| Some(*id) == *first).map(|(id, _)| id)
    }

    pub fn row(self) -> &'static AovRow {
        &LAYERS[usize::from(self.0)]
    }

    pub fn shader(self) -> Shader {
        self.row().shader.expect("only rows with a shader have a number")
    }

    pub fn reads(self) -> Reads {
        self.shader().reads
    }

    pub fn mentions(self, word: &str) -> bool {
        self.shader().wgsl.contains(word)
    }

    /// Whether it reads the number of the triangle, which not every device knows.
    pub fn counts_triangles(self) -> bool {
        self.mentions("triangle")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A light by itself is drawn by the text of all of them.
    #[test]
    fn rows_of_one_shader_have_one_number() {
        let of = |word: &str| LAYERS.iter().find(|row| row.word() == word).and_then(LayerId::of);
        assert!(of("direct").is_some() && of("direct") == of("light"));
        assert!(of("light") != of("light_mask") && of("color").is_none());
    }
}
