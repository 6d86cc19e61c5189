//! `kind = "slot"`: a place for clips on demand.

use stillframe_anim::graph::{NodeKind, SlotNode};
use stillframe_base::tick::Tick;

use super::{NODE_NAME, NodeCase, ON_MASK, Want};
use crate::scene::key::{Key, number, required, rows};
use crate::scene::schema::{SECONDS, Variant};

const INPUT: Key<String> = required("input", NODE_NAME, "The pose to show while nothing plays.");
const FADE_IN_S: Key<Tick> = number("fade_in_s", 0.2, SECONDS, "Duration of the fade-in.");
const FADE_OUT_S: Key<Tick> =
    number("fade_out_s", 0.2, SECONDS, "Duration of the fade-out, which begins when the clip ends.");

pub(super) const CASE: NodeCase = NodeCase {
    variant: Variant {
        word: "slot",
        doc: "Plays clips on request on top of another node's pose; see `[[animator.play]]`.",
        keys: rows! { INPUT, ON_MASK, FADE_IN_S, FADE_OUT_S },
    },
    is: |kind| matches!(kind, NodeKind::Slot(_)),
    read: |reader, table| {
        NodeKind::Slot(SlotNode {
            input: reader.input(table, INPUT, Want::Pose),
            mask: reader.mask(table),
            fade_in: table.ask(FADE_IN_S),
            fade_out: table.ask(FADE_OUT_S),
        })
    },
    print: |out, kind| {
        let NodeKind::Slot(SlotNode { input, mask, fade_in, fade_out }) = kind else { return };
        out.line(INPUT, input.clone());
        out.line(ON_MASK, mask.clone());
        out.line(FADE_IN_S, *fade_in);
        out.line(FADE_OUT_S, *fade_out);
    },
};
