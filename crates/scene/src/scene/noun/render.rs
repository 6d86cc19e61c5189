//! `[render]`: the way to a picture. No pixel depends on how lights are brought to surfaces.

use super::method::LightingMethod;
use crate::scene::Scene;
use crate::scene::key::{Key, choice, flag, key, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{Constant, Kind, Row, Type, kind};
use crate::scene::text::syntax::Table;
use crate::scene::word::Word;

pub(crate) static TABLE: Kind =
    kind("[render]", "How lights are brought to surfaces, and how blended surfaces are put over each other.", KEYS);

const LIGHTING: Key<LightingMethod> =
    choice("lighting", "forward", "Which lights a pixel asks, and when. docs/lighting-methods.md has a table.");
const DEPTH_PREPASS: Key<bool> = flag(
    "depth_prepass",
    false,
    "Draws the depth of everything opaque first, so that only what is seen is shaded. Pixels that are shaded with \
     several samples at once always have it.",
);
const LIGHTS_PER_DRAW: Key<u32> = key(
    "lights_per_draw",
    Type::Whole { min: 1, max: 4096 },
    Constant::Whole(1),
    "With `lighting = \"multipass\"`: how many lights shade an item each time it is drawn.",
);
const TRANSPARENCY: Key<Transparency> = choice(
    "transparency",
    "sorted",
    "How blended surfaces are put over each other: `sorted` draws whole objects from far to near. `peel` finds the nearest surfaces of each pixel, also where objects cross. `weighted` is a mean by depth that needs no order and is not exact. `exact` draws all surfaces of each pixel from far to near, also where objects cross. The last three shade every sample.",
);
const PEELS: Key<u32> = key(
    "peels",
    Type::Whole { min: 1, max: 64 },
    Constant::Whole(8),
    "With `transparency = \"peel\"`: how many surfaces behind each other are shown, the nearest first.",
);
const TILE_PX: Key<u32> = key(
    "tile_px",
    Type::ChoiceOf(&[0, 64, 128, 256, 512, 1024, 2048, 4096, 8192]),
    Constant::Whole(0),
    "A larger picture is drawn in tiles with sides of this many pixels, one after the other, which takes less memory. 0: only where a side is longer than 8192 pixels. docs/views.md says what cannot be drawn in tiles.",
);
static KEYS: &[Row] = rows! { LIGHTING, LIGHTS_PER_DRAW, DEPTH_PREPASS, TRANSPARENCY, PEELS, TILE_PX };

/// How blended surfaces are put over each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transparency {
    /// Objects from far to near.
    Sorted,
    /// A mean, weighted by depth.
    Weighted,
    /// The nearest surfaces of each pixel, one after the other.
    Peel,
    /// All surfaces of each pixel, from far to near.
    Exact,
}

impl Transparency {
    /// As files spell them.
    pub const WORDS: &'static [(&'static str, Transparency)] = &[
        ("sorted", Transparency::Sorted),
        ("weighted", Transparency::Weighted),
        ("peel", Transparency::Peel),
        ("exact", Transparency::Exact),
    ];
}

impl Word for Transparency {
    const WORDS: &'static [(&'static str, Transparency)] = Transparency::WORDS;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    pub lighting: LightingMethod,
    /// Lights of a round.
    pub lights_per_draw: u32,
    /// Depth is drawn first, also where a pixel has one sample.
    pub depth_prepass: bool,
    pub transparency: Transparency,
    /// Surfaces that are peeled off.
    pub peels: u32,
    /// Sides of tiles; 0: those of pictures that are too large to be drawn at once.
    pub tile_px: u32,
}

impl RenderOptions {
    /// Sides of tiles, as `--tile-px` takes them.
    pub const TILES_PX: [&str; 8] = ["64", "128", "256", "512", "1024", "2048", "4096", "8192"];

    /// Sides of tiles where nobody says.
    const TILE_PX: u32 = 512;

    /// Sides of the tiles that a picture is drawn in; `None`: it is drawn at once.
    pub fn tiles_px(&self, size_px: [u32; 2]) -> Option<u32> {
        let side_px = size_px[0].max(size_px[1]);
        match self.tile_px {
            0 => (side_px > Scene::AT_ONCE_MAX_PX).then_some(RenderOptions::TILE_PX),
            px => (side_px > px).then_some(px),
        }
    }
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        render(&Table::default())
    }
}

/// What a `[render]` table says without effect.
pub(crate) fn check(resolver: &mut Resolver<'_>, table: &Table) {
    let options = render(table);
    if options.lighting != LightingMethod::Multipass {
        let help = "only `multipass` draws items several times";
        resolver.without_effect(table, LIGHTS_PER_DRAW, "without `lighting = \"multipass\"`", Some(help));
    }
    if options.transparency != Transparency::Peel {
        let help = "`transparency = \"exact\"` shows all surfaces";
        resolver.without_effect(table, PEELS, "without `transparency = \"peel\"`", Some(help));
    }
}

pub(crate) fn render(table: &Table) -> RenderOptions {
    RenderOptions {
        lighting: table.ask(LIGHTING),
        lights_per_draw: table.ask(LIGHTS_PER_DRAW),
        depth_prepass: table.ask(DEPTH_PREPASS),
        transparency: table.ask(TRANSPARENCY),
        peels: table.ask(PEELS),
        tile_px: table.ask(TILE_PX),
    }
}

/// Only what differs from its default: the text of a scene is part of its hash, and lighting changes no pixel.
pub(crate) fn print(out: &mut Printer<'_>, options: RenderOptions) {
    let RenderOptions { lighting, lights_per_draw, depth_prepass, transparency, peels, tile_px } = options;
    let default = RenderOptions::default();
    if options == default {
        return;
    }
    out.heading("[render]");
    if lighting != default.lighting {
        out.line(LIGHTING, lighting);
    }
    if lights_per_draw != default.lights_per_draw && lighting == LightingMethod::Multipass {
        out.line(LIGHTS_PER_DRAW, lights_per_draw);
    }
    if depth_prepass {
        out.line(DEPTH_PREPASS, depth_prepass);
    }
    if transparency != default.transparency {
        out.line(TRANSPARENCY, transparency);
    }
    if peels != default.peels && transparency == Transparency::Peel {
        out.line(PEELS, peels);
    }
    if tile_px != default.tile_px {
        out.line(TILE_PX, tile_px);
    }
}
