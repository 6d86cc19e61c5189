//! How a clip is played: the keys that an animator of one clip and a node of `kind = "clip"` share.

use stillframe_anim::graph::{ClipNode, Value};
use stillframe_anim::time::{AtEnd, Mode, Repeat};
use stillframe_base::tick::Tick;

use super::words::SPEED_RANGE;
use super::{Parts, value};
use crate::scene::code;
use crate::scene::key::{Key, choice, flag, key, optional, whole};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{Constant, Row, SECONDS, Type};
use crate::scene::text::syntax::Table;

const MODES: [&str; 4] = ["once", "clamp", "loop", "ping_pong"];

pub(super) const MODE: Key<String> = key(
    "mode",
    Type::Choice(&MODES),
    Constant::Word("loop"),
    "What happens outside the window: time runs on there (`once`), the nearer end holds (`clamp`), the window repeats (`loop`), or it plays back and forth (`ping_pong`).",
);
pub(super) const REVERSE: Key<bool> = flag("reverse", false, "Whether it plays from its end to its start.");
pub(super) const PASSES: Key<u32> =
    whole("passes", 0, 0, 1_000_000_000, "How often it plays, with back and forth counted separately; 0 is endless.");
pub(super) const AT_END: Key<AtEnd> = choice(
    "at_end",
    "stop",
    "Whether its clock stops after the last pass, or runs on unseen, so that a reversed speed first takes it all the way back.",
);
pub(super) const WINDOW: Key<Option<[Tick; 2]>> = optional(
    "window_s",
    Type::Numbers { count: 2, range: SECONDS },
    "all of it",
    "Start and end of the part of the clip that plays.",
);
pub(super) const PHASE: Key<Option<Tick>> =
    optional("phase_s", Type::Number(SECONDS), "the start of its window", "Where playback starts, in the clip's time.");
pub(super) const PLAY_SPEED: Key<Value> =
    key("speed", Type::Value(SPEED_RANGE), Constant::Number(1.0), "Playback speed; a negative speed plays backwards.");

/// Those keys but the clip's.
pub(super) const KEYS: [Row; 7] =
    [MODE.row, REVERSE.row, PASSES.row, AT_END.row, WINDOW.row, PHASE.row, PLAY_SPEED.row];

/// The clip under `clip`, played by the keys of `table`, which is an animator or a node of one.
pub(super) fn playback<T>(resolver: &mut Resolver<'_>, table: &Table, clip: Key<T>, parts: &Parts) -> ClipNode {
    let word = table.ask(MODE);
    if ["once", "clamp"].contains(&word.as_str()) {
        let help = Some("it belongs to `mode = \"loop\"` and `mode = \"ping_pong\"`");
        resolver.without_effect(table, PASSES, &format!("with `mode = \"{word}\"`"), help);
    }
    let window = table.ask(WINDOW);
    if window.is_some_and(|[start, end]| start >= end) {
        let message = "`window_s` ends at or before its start";
        resolver.complain_of(table, &[WINDOW.name()], code::WRONG_ORDER, message);
    }
    ClipNode {
        clip: table.placed(clip).map_or(String::new(), |(name, _)| name.to_string()),
        mode: mode_of(&word, table.ask(PASSES)),
        reverse: table.ask(REVERSE),
        at_end: table.ask(AT_END),
        window: window.map(|[start, end]| (start, end)),
        phase: table.ask(PHASE),
        speed: value(resolver, table, PLAY_SPEED, parts),
    }
}

/// The mode of a clip; `passes` counts only where it repeats.
fn mode_of(word: &str, passes: u32) -> Mode {
    let repeat = match passes {
        0 => Repeat::Forever,
        times => Repeat::Times(times),
    };
    match word {
        "once" => Mode::Once,
        "clamp" => Mode::Clamp,
        "ping_pong" => Mode::PingPong(repeat),
        _ => Mode::Loop(repeat),
    }
}

/// The word of a mode, and its passes where it repeats.
fn mode_word(mode: Mode) -> (&'static str, Option<u32>) {
    let passes = |repeat| match repeat {
        Repeat::Forever => 0,
        Repeat::Times(times) => times,
    };
    match mode {
        Mode::Once => ("once", None),
        Mode::Clamp => ("clamp", None),
        Mode::Loop(repeat) => ("loop", Some(passes(repeat))),
        Mode::PingPong(repeat) => ("ping_pong", Some(passes(repeat))),
    }
}

pub(super) fn print<T>(out: &mut Printer<'_>, clip_key: Key<T>, node: &ClipNode) {
    let ClipNode { clip, mode, reverse, at_end, window, phase, speed } = node;
    out.name(clip_key, Some(clip));
    let (word, passes) = mode_word(*mode);
    out.name(MODE, Some(word));
    if let Some(passes) = passes {
        out.line(PASSES, passes);
    }
    out.line(REVERSE, *reverse);
    out.line(AT_END, *at_end);
    out.line(WINDOW, window.map(|(start, end)| [start, end]));
    out.line(PHASE, *phase);
    out.line(PLAY_SPEED, speed.clone());
}
