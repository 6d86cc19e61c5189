//! `[[animator.play]]`: what slots are asked to play, and when.

use super::words::SPEED_RANGE;
use crate::scene::code;
use crate::scene::key::{Key, number, optional, required, rows, whole};
use crate::scene::printer::Printer;
use crate::scene::resolver::{Names, Resolver, some_of};
use crate::scene::schema::{Kind, Row, Type, kind, range};
use crate::scene::text::syntax::{Place, Table};

pub(crate) static TABLE: Kind = kind("[[animator.play]]", "Plays a clip in a slot at a given moment.", KEYS);

const AT_S: Key<f64> = required("at_s", Type::Number(range(-1e6, 1e6)), "When.");
const SLOT: Key<Option<String>> = optional("slot", Type::Name("slot"), "the only one", "Which slot.");
const CLIP: Key<Option<String>> =
    optional("clip", Type::Name("clip"), "none", "The clip to play. Without one, the slot stops what it plays.");
const SPEED: Key<f64> = number("speed", 1.0, SPEED_RANGE, "Playback speed.");
const PASSES: Key<u32> = whole("passes", 1, 0, 1_000_000_000, "How often it plays; 0 is until it is stopped.");
static KEYS: &[Row] = rows! { AT_S, SLOT, CLIP, SPEED, PASSES };

const PLAYS_MAX: usize = 4096;

/// A clip that is played in a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayDef {
    pub at_s: f64,
    pub slot: String,
    /// `None`: what plays there is stopped.
    pub clip: Option<String>,
    pub speed: f64,
    /// How often; `None`: until it is stopped.
    pub passes: Option<u32>,
}

pub(super) fn plays(
    resolver: &mut Resolver<'_>,
    list: Vec<(Place, &Table)>,
    animator: &str,
    slots: &Names,
) -> Vec<PlayDef> {
    let mut out = Vec::new();
    for (place, play) in resolver.few(list.into_iter(), PLAYS_MAX, "plays of an animator") {
        let slot = match play.placed(SLOT) {
            Some((name, place)) => {
                resolver.part(name, place, "slot", slots, animator);
                name.to_string()
            }
            None if slots.len() == 1 => slots.keys().next().cloned().unwrap_or_default(),
            None => {
                let help = match slots.is_empty() {
                    true => "add a `[[animator.node]]` of `kind = \"slot\"`".to_string(),
                    false => format!("add `slot`; known are {}", some_of(slots)),
                };
                let message = format!("animator `{animator}` has {} slots, and none is chosen", slots.len());
                resolver.complain_with(code::MISSING_KEY, place, message, Some(help));
                String::new()
            }
        };
        let clip = play.ask(CLIP);
        if clip.is_none() {
            resolver.without_effect(play, SPEED, "without `clip`", None);
            resolver.without_effect(play, PASSES, "without `clip`", None);
        }
        out.push(PlayDef {
            at_s: play.ask(AT_S),
            slot,
            clip,
            speed: play.ask(SPEED),
            passes: Some(play.ask(PASSES)).filter(|passes| *passes > 0),
        });
    }
    // Those of one moment in the order of the file.
    out.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    out
}

pub(super) fn print(out: &mut Printer<'_>, play: &PlayDef) {
    let PlayDef { at_s, slot, clip, speed, passes } = play;
    out.heading("[[animator.play]]");
    out.line(AT_S, *at_s);
    out.name(SLOT, Some(slot));
    if clip.is_some() {
        out.line(CLIP, clip.clone());
        out.line(SPEED, *speed);
        out.line(PASSES, passes.unwrap_or(0));
    }
}
