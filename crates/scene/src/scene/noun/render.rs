//! `[render]`: the way to a picture. No pixel depends on it.

use crate::scene::key::{Key, choice, rows};
use crate::scene::printer::Printer;
use crate::scene::schema::{Kind, Row, kind};
use crate::scene::text::syntax::Table;
use crate::scene::word::Word;

pub(crate) static TABLE: Kind =
    kind("[render]", "How lights are brought to surfaces. No pixel depends on it, only the time that it takes.", KEYS);

const LIGHTING: Key<LightingMethod> = choice(
    "lighting",
    "forward",
    "`forward` asks every light at every pixel. `clustered` asks only lights whose range reaches the pixel's part of space.",
);
static KEYS: &[Row] = rows! { LIGHTING };

/// Which lights a pixel asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LightingMethod {
    /// All of them.
    Forward,
    /// Those that can reach its part of what the camera sees.
    Clustered,
}

impl LightingMethod {
    /// Words of scene files and of the command line.
    pub const WORDS: &'static [(&'static str, LightingMethod)] =
        &[("forward", LightingMethod::Forward), ("clustered", LightingMethod::Clustered)];
}

impl Word for LightingMethod {
    const WORDS: &'static [(&'static str, LightingMethod)] = LightingMethod::WORDS;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    pub lighting: LightingMethod,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        render(&Table::default())
    }
}

pub(crate) fn render(table: &Table) -> RenderOptions {
    RenderOptions { lighting: table.ask(LIGHTING) }
}

/// Only what differs from its default: the text of a scene is part of its hash, and this changes no pixel.
pub(crate) fn print(out: &mut Printer<'_>, options: RenderOptions) {
    let RenderOptions { lighting } = options;
    if options == RenderOptions::default() {
        return;
    }
    out.heading("[render]");
    out.line(LIGHTING, lighting);
}
