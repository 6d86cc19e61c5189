//! `[render]`: the way to a picture. No pixel depends on it.

use super::method::LightingMethod;
use crate::scene::key::{Key, choice, flag, rows};
use crate::scene::printer::Printer;
use crate::scene::schema::{Kind, Row, kind};
use crate::scene::text::syntax::Table;

pub(crate) static TABLE: Kind =
    kind("[render]", "How lights are brought to surfaces. No pixel depends on it, only the time that it takes.", KEYS);

const LIGHTING: Key<LightingMethod> =
    choice("lighting", "forward", "Which lights a pixel asks, and when. docs/lighting-methods.md has a table.");
const DEPTH_PREPASS: Key<bool> = flag(
    "depth_prepass",
    false,
    "Draws the depth of everything opaque first, so that only what is seen is shaded. Pixels that are shaded with \
     several samples at once always have it.",
);
static KEYS: &[Row] = rows! { LIGHTING, DEPTH_PREPASS };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    pub lighting: LightingMethod,
    /// Depth is drawn first, also where a pixel has one sample.
    pub depth_prepass: bool,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        render(&Table::default())
    }
}

pub(crate) fn render(table: &Table) -> RenderOptions {
    RenderOptions { lighting: table.ask(LIGHTING), depth_prepass: table.ask(DEPTH_PREPASS) }
}

/// Only what differs from its default: the text of a scene is part of its hash, and this changes no pixel.
pub(crate) fn print(out: &mut Printer<'_>, options: RenderOptions) {
    let RenderOptions { lighting, depth_prepass } = options;
    let default = RenderOptions::default();
    if options == default {
        return;
    }
    out.heading("[render]");
    if lighting != default.lighting || !depth_prepass {
        out.line(LIGHTING, lighting);
    }
    if depth_prepass {
        out.line(DEPTH_PREPASS, depth_prepass);
    }
}
