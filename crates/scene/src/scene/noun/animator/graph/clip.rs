//! `kind = "clip"`, `"frame"` and `"follow"`: clips of files.

use stillframe_anim::graph::NodeKind;
use stillframe_base::tick::Tick;

use super::super::playback::{self, AT_END, MODE, PASSES, PHASE, PLAY_SPEED, REVERSE, WINDOW};
use super::{NODE_NAME, NodeCase, Want};
use crate::scene::key::{Key, number, required, rows};
use crate::scene::schema::{SECONDS, Type, Variant};

const CLIP_NAME: Key<String> = required(
    "clip",
    Type::Name("clip"),
    "The `name` of a `[[clip]]` (of this model or of another file), else the name of a clip in the model's file.",
);
const AT_S: Key<Tick> = number("at_s", 0.0, SECONDS, "The moment, in the clip's time.");
const LEADER: Key<String> = required("leader", NODE_NAME, "The node to follow: a `clip` node, or a space of `clips`.");

pub(super) const CLIP: NodeCase = NodeCase {
    variant: Variant {
        word: "clip",
        doc: "A clip with a clock of its own.",
        keys: rows! { CLIP_NAME, MODE, REVERSE, PASSES, AT_END, WINDOW, PHASE, PLAY_SPEED },
    },
    is: |kind| matches!(kind, NodeKind::Clip(_)),
    read: |reader, table| NodeKind::Clip(playback::playback(reader.resolver, table, CLIP_NAME, reader.parts)),
    print: |out, kind| {
        let NodeKind::Clip(clip) = kind else { return };
        playback::print(out, CLIP_NAME, clip);
    },
};

pub(super) const FRAME: NodeCase = NodeCase {
    variant: Variant { word: "frame", doc: "One moment of a clip.", keys: rows! { CLIP_NAME, AT_S } },
    is: |kind| matches!(kind, NodeKind::Frame { .. }),
    read: |_, table| NodeKind::Frame { clip: table.ask(CLIP_NAME), at: table.ask(AT_S) },
    print: |out, kind| {
        let NodeKind::Frame { clip, at } = kind else { return };
        out.line(CLIP_NAME, clip.clone());
        out.line(AT_S, *at);
    },
};

pub(super) const FOLLOW: NodeCase = NodeCase {
    variant: Variant {
        word: "follow",
        doc: "A clip that is always at the same phase as another one.",
        keys: rows! { CLIP_NAME, LEADER },
    },
    is: |kind| matches!(kind, NodeKind::Follow { .. }),
    read: |reader, table| NodeKind::Follow {
        clip: table.ask(CLIP_NAME),
        leader: reader.input(table, LEADER, Want::Clock),
    },
    print: |out, kind| {
        let NodeKind::Follow { clip, leader } = kind else { return };
        out.line(CLIP_NAME, clip.clone());
        out.line(LEADER, leader.clone());
    },
};
