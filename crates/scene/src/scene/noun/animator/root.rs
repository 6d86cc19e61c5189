//! `root_motion` of animators and crowds: what of a joint's way moves the actor.

use stillframe_anim::root::{RootParts, RootRotation};

use crate::scene::key::{Key, optional};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::Type;
use crate::scene::text::syntax::Table;
use crate::scene::word::Word;

pub(crate) const ROOT_JOINT: Key<Option<String>> =
    optional("root_joint", Type::Text, "the first joint", "The joint that has this motion.");

/// A joint whose way is the actor's.
#[derive(Clone, Debug, PartialEq)]
pub struct RootMotion {
    /// `None`: the first of the model's joints.
    pub joint: Option<String>,
    pub parts: RootParts,
}

/// A part of the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RootPart {
    Horizontal,
    Vertical,
    Yaw,
    Rotation,
}

impl Word for RootPart {
    const WORDS: &'static [(&'static str, RootPart)] = &[
        ("horizontal", RootPart::Horizontal),
        ("vertical", RootPart::Vertical),
        ("yaw", RootPart::Yaw),
        ("rotation", RootPart::Rotation),
    ];
}

/// What the words under `key` take, of the joint under `root_joint`; `None` for nothing.
pub(crate) fn root_motion(resolver: &mut Resolver<'_>, table: &Table, key: Key<Vec<RootPart>>) -> Option<RootMotion> {
    let words = table.ask(key);
    let takes = |part: RootPart| words.contains(&part);
    let rotation = match (takes(RootPart::Rotation), takes(RootPart::Yaw)) {
        (true, _) => RootRotation::Full,
        (false, true) => RootRotation::Yaw,
        (false, false) => RootRotation::Stay,
    };
    let parts = RootParts { horizontal: takes(RootPart::Horizontal), vertical: takes(RootPart::Vertical), rotation };
    if parts == RootParts::NONE {
        let help = "add what it takes: `root_motion = [\"horizontal\", \"yaw\"]`";
        resolver.without_effect(table, ROOT_JOINT, "without `root_motion`", Some(help));
        return None;
    }
    Some(RootMotion { joint: table.ask(ROOT_JOINT), parts })
}

pub(crate) fn print_root_motion(out: &mut Printer<'_>, key: Key<Vec<RootPart>>, of: Option<&RootMotion>) {
    let Some(RootMotion { joint, parts }) = of else { return };
    let turn = match parts.rotation {
        RootRotation::Stay => None,
        RootRotation::Yaw => Some(RootPart::Yaw),
        RootRotation::Full => Some(RootPart::Rotation),
    };
    let ways = [parts.horizontal.then_some(RootPart::Horizontal), parts.vertical.then_some(RootPart::Vertical), turn];
    out.line(key, ways.into_iter().flatten().collect());
    out.line(ROOT_JOINT, joint.clone());
}
