//! `[plan]`: how the plan of a picture is carried out, for debugging. No pixel depends on it.

use crate::scene::key::{Key, choice, flag, rows};
use crate::scene::printer::Printer;
use crate::scene::schema::{Kind, Row, kind};
use crate::scene::text::syntax::Table;
use crate::scene::word::Word;

pub(crate) static TABLE: Kind =
    kind("[plan]", "Switches for debugging a renderer's memory. No pixel depends on them.", KEYS);

const ALIAS: Key<Alias> = choice(
    "alias",
    "on",
    "Whether targets of the same size and format share memory when they are not needed at the same time.",
);
const POISON: Key<bool> = flag("poison", false, "Fills every target with NaN or 0xDEAD before its first use.");
static KEYS: &[Row] = rows! { ALIAS, POISON };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alias {
    On,
    Off,
}

impl Word for Alias {
    const WORDS: &'static [(&'static str, Alias)] = &[("on", Alias::On), ("off", Alias::Off)];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanOptions {
    /// Targets of one shape whose lives do not meet share memory.
    pub alias: bool,
    /// Every target is filled with NaN or `DEAD` before it is first used.
    pub poison: bool,
}

impl Default for PlanOptions {
    fn default() -> PlanOptions {
        plan(&Table::default())
    }
}

pub(crate) fn plan(table: &Table) -> PlanOptions {
    PlanOptions { alias: table.ask(ALIAS) == Alias::On, poison: table.ask(POISON) }
}

/// Only options that differ from their defaults: the text of a scene is part of its hash, and these change no pixel.
pub(crate) fn print(out: &mut Printer<'_>, options: PlanOptions) {
    let PlanOptions { alias, poison } = options;
    let default = PlanOptions::default();
    if options == default {
        return;
    }
    out.heading("[plan]");
    if alias != default.alias {
        out.line(ALIAS, if alias { Alias::On } else { Alias::Off });
    }
    if poison != default.poison {
        out.line(POISON, poison);
    }
}
