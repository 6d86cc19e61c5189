//! The kinds of nodes, one file a family: a row a node, and the family's WGSL functions beside it.

mod color;
mod constant;
mod geometry;
mod light;
mod maths;
mod noise;
mod switch;
mod texture;
mod uv;
mod vector;

use crate::row::{Default, Meaning, Pin, Row, Width};

/// Nodes of one subject.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    pub title: &'static str,
    pub rows: &'static [Row],
    /// The functions that their forms call.
    pub wgsl: &'static str,
}

/// Every family, in the order of docs/materials.md.
pub static FAMILIES: [Family; 10] = FAMILY_ROWS;

const FAMILY_ROWS: [Family; 10] = [
    Family { title: "Constants and parameters", rows: constant::ROWS, wgsl: "" },
    Family { title: "Maths", rows: maths::ROWS, wgsl: include_str!("maths.wgsl") },
    Family { title: "Vectors", rows: vector::ROWS, wgsl: include_str!("vector.wgsl") },
    Family { title: "Colours", rows: color::ROWS, wgsl: include_str!("color.wgsl") },
    Family { title: "Noise", rows: noise::ROWS, wgsl: include_str!("noise.wgsl") },
    Family { title: "Geometry", rows: geometry::ROWS, wgsl: include_str!("geometry.wgsl") },
    Family { title: "Texture coordinates", rows: uv::ROWS, wgsl: include_str!("uv.wgsl") },
    Family { title: "Textures", rows: texture::ROWS, wgsl: include_str!("texture.wgsl") },
    Family { title: "Choices", rows: switch::ROWS, wgsl: "" },
    Family { title: "Light", rows: light::ROWS, wgsl: "" },
];

const COUNT: usize = {
    let (mut sum, mut at) = (0, 0);
    while at < FAMILY_ROWS.len() {
        sum += FAMILY_ROWS[at].rows.len();
        at += 1;
    }
    sum
};

/// Every kind of node.
pub const ROWS: [Row; COUNT] = {
    let mut out = [Row::EMPTY; COUNT];
    let (mut family, mut next) = (0, 0);
    while family < FAMILY_ROWS.len() {
        let mut at = 0;
        while at < FAMILY_ROWS[family].rows.len() {
            out[next] = FAMILY_ROWS[family].rows[at];
            (next, at) = (next + 1, at + 1);
        }
        family += 1;
    }
    out
};

static TABLE: [Row; COUNT] = ROWS;

/// A row, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(u16);

impl Kind {
    pub fn of_word(word: &str) -> Option<Kind> {
        TABLE.iter().position(|row| row.word == word).map(|at| Kind(at as u16))
    }

    pub fn row(self) -> &'static Row {
        &TABLE[usize::from(self.0)]
    }

    pub(crate) fn number(self) -> usize {
        usize::from(self.0)
    }

    pub fn all() -> impl Iterator<Item = Kind> {
        (0..COUNT as u16).map(Kind)
    }
}

/// A pin of the widest width that must be fed.
const fn any(name: &'static str, doc: &'static str) -> Pin {
    Pin { name, width: Width::Widest, meaning: Meaning::Number, default: Default::Required, doc }
}

/// The same with a default.
const fn any_or(name: &'static str, default: f64, doc: &'static str) -> Pin {
    Pin { name, width: Width::Widest, meaning: Meaning::Number, default: Default::Number(default), doc }
}

/// One number with a default.
const fn number(name: &'static str, default: f64, doc: &'static str) -> Pin {
    Pin { name, width: Width::Fixed(1), meaning: Meaning::Number, default: Default::Number(default), doc }
}

const fn fixed(name: &'static str, width: u8, meaning: Meaning, default: Default, doc: &'static str) -> Pin {
    Pin { name, width: Width::Fixed(width), meaning, default, doc }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::row::PINS_MAX;

    #[test]
    fn words_and_pins_are_unique() {
        let words: BTreeSet<&str> = ROWS.iter().map(|row| row.word).collect();
        assert_eq!(words.len(), ROWS.len());
        for row in &ROWS {
            assert!(row.inputs.len() <= PINS_MAX && !row.outputs.is_empty(), "{}", row.word);
            let own: Vec<&str> = ["name", "kind", "value", "on", "set", "octaves", "texture"].to_vec();
            let names: BTreeSet<&str> = row.inputs.iter().map(|pin| pin.name).chain(own.iter().copied()).collect();
            assert_eq!(names.len(), row.inputs.len() + own.len(), "{}: an input has the name of a setting", row.word);
        }
    }
}
