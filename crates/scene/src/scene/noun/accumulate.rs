//! `[accumulate]`: a picture as the mean of many, each from another point of what a pixel, a lens, a shutter and lights
//! are: slow, and right.

use crate::scene::code;
use crate::scene::key::{Key, key, numbers, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{Constant, Kind, Row, Type, kind, range};
use crate::scene::text::syntax::Table;

pub(crate) static TABLE: Kind = kind(
    "[accumulate]",
    "The picture is the mean of as many plain pictures as the largest of these numbers says. Slow, but right: see docs/accumulation.md.",
    KEYS,
);

/// Powers of two, so that every number divides every larger one.
const COUNTS: Type = Type::ChoiceOf(&[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]);

const fn count(name: &'static str, doc: &'static str) -> Key<u32> {
    key(name, COUNTS, Constant::Whole(1), doc)
}

const PIXEL: Key<u32> =
    count("pixel", "Points of each pixel: smooth edges, in place of `samples`. 4 and 16 are the points of `samples`.");
const LENS: Key<u32> =
    count("lens", "Points of the camera's lens: what is not in focus is blurred. The camera needs `focus_m`.");
const SHUTTER: Key<u32> = count("shutter", "Moments while the shutter is open: what moves is blurred.");
const LIGHT: Key<u32> = count(
    "light",
    "Points of each light that has an area, and of each `directional` light that has a diameter: soft shadows.",
);
const SHUTTER_S: Key<[f64; 2]> = numbers(
    "shutter_s",
    &[0.0, 0.02],
    range(-1e3, 1e3),
    "When the shutter opens and closes, in seconds from the moment that is shown.",
);
static KEYS: &[Row] = rows! { PIXEL, LENS, SHUTTER, LIGHT, SHUTTER_S };

/// How many points of everything a picture is the mean of. Each is a power of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accumulate {
    pub pixel: u32,
    pub lens: u32,
    pub shutter: u32,
    pub light: u32,
    /// From and to, seconds from the scene's moment; the first is less.
    pub shutter_s: [f64; 2],
}

impl Default for Accumulate {
    /// One plain picture.
    fn default() -> Accumulate {
        accumulate(&Table::default())
    }
}

impl Accumulate {
    /// Pictures that are drawn.
    pub fn frame_count(&self) -> u32 {
        self.pixel.max(self.lens).max(self.shutter).max(self.light)
    }
}

pub(crate) fn accumulate(table: &Table) -> Accumulate {
    Accumulate {
        pixel: table.ask(PIXEL),
        lens: table.ask(LENS),
        shutter: table.ask(SHUTTER),
        light: table.ask(LIGHT),
        shutter_s: table.ask(SHUTTER_S),
    }
}

pub(crate) fn check(resolver: &mut Resolver<'_>, table: &Table) {
    let Accumulate { shutter, shutter_s: [open_s, close_s], .. } = accumulate(table);
    if open_s >= close_s {
        let message = format!("the shutter closes at {close_s} s, but must close after it opens, at {open_s} s");
        resolver.complain_of(table, &[SHUTTER_S.name()], code::WRONG_ORDER, message);
    }
    if shutter == 1 {
        resolver.without_effect(table, SHUTTER_S, "without `shutter`", Some("add `shutter = 16`"));
    }
}

/// Only what differs from its default: the text of a scene is part of its hash.
pub(crate) fn print(out: &mut Printer<'_>, of: Accumulate) {
    let default = Accumulate::default();
    let Accumulate { pixel, lens, shutter, light, shutter_s } = of;
    if of.frame_count() == 1 {
        return;
    }
    out.heading("[accumulate]");
    for (key, number) in [(PIXEL, pixel), (LENS, lens), (SHUTTER, shutter), (LIGHT, light)] {
        if number > 1 {
            out.line(key, number);
        }
    }
    if shutter > 1 && shutter_s != default.shutter_s {
        out.line(SHUTTER_S, shutter_s);
    }
}
