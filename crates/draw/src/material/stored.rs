//! Stored: how surfaces are kept before they are shaded.

use crate::shader;

/// What of surfaces is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gbuffer {
    /// Every bit.
    Exact,
    /// In what every device can draw into.
    Packed,
    /// What light that arrives needs to know.
    Shape,
    /// Which triangle is seen.
    Ids,
}

impl Gbuffer {
    /// Texts with `stored`.
    pub fn store_parts(self) -> &'static [&'static str] {
        match self {
            Gbuffer::Exact => &[shader::STORE_EXACT],
            Gbuffer::Packed => &[shader::OCTAHEDRAL, shader::STORE_PACKED],
            Gbuffer::Shape => &[shader::STORE_SHAPE],
            Gbuffer::Ids => &[],
        }
    }

    /// Texts with `loaded`.
    pub fn load_parts(self) -> &'static [&'static str] {
        match self {
            Gbuffer::Exact => &[shader::LOADED, shader::LOAD_EXACT],
            Gbuffer::Packed => &[shader::LOADED, shader::OCTAHEDRAL, shader::LOAD_PACKED],
            Gbuffer::Shape => &[shader::LOADED, shader::LOAD_SHAPE],
            Gbuffer::Ids => &[shader::FETCH],
        }
    }
}

/// What is kept of a surface until it is shaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    Stored(Gbuffer),
    /// Light of the rounds before.
    Light,
}
