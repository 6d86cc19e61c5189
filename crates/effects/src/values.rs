//! Values: what the parameters of an effect are at a moment.

use std::sync::Arc;

use super::{EffectId, Table};

/// One of each parameter of an effect, in their order; a number has its value first.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    pub effect: EffectId,
    pub numbers: Vec<[f32; 4]>,
    /// Of its file, once that is read.
    pub table: Option<Arc<Table>>,
}

impl Values {
    /// The defaults.
    pub fn new(effect: EffectId) -> Values {
        Values { effect, table: None, numbers: effect.row().params.iter().map(|param| param.kind.default()).collect() }
    }

    /// The same with another number.
    ///
    /// Panics: the effect has no such parameter.
    pub fn with(mut self, name: &str, number: f32) -> Values {
        let at = self.place(name);
        self.numbers[at][0] = number;
        self
    }

    /// Panics: the effect has no such parameter.
    pub fn of(&self, name: &str) -> [f32; 4] {
        self.numbers[self.place(name)]
    }

    fn place(&self, name: &str) -> usize {
        let row = self.effect.row();
        row.param(name).unwrap_or_else(|| panic!("{} has no {name}", row.name))
    }

    pub fn number(&self, name: &str) -> f32 {
        self.of(name)[0]
    }

    /// How many frames its picture is made of, the last of which is shown. More than 1 for effects that read what they
    /// have left before.
    pub fn frames(&self) -> u32 {
        self.effect.row().param("frames").map_or(1, |at| self.numbers[at][0] as u32)
    }

    /// Whether no pixel changes.
    pub fn is_identity(&self) -> bool {
        let identity = self.effect.row().identity;
        let is = |(name, value): &(&str, f32)| {
            let row = self.effect.row();
            let count = match row.params[row.param(name).expect("it is a parameter")].kind.wgsl() {
                "vec3f" => 3,
                "vec2f" => 2,
                _ => 1,
            };
            self.of(name)[..count].iter().all(|number| number == value)
        };
        !identity.is_empty() && identity.iter().all(is)
    }
}
