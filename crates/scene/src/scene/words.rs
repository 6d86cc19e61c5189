//! Words of scene files for choices that the animation package has.

use stillframe_anim::graph::{DeltaSpace, Enter, FadePolicy, LayerMode, PartialMode};
use stillframe_anim::time::{AtEnd, Ease, Mode, Pace, Repeat};

pub(super) const CLIP_ENDS: &[(&str, AtEnd)] = &[("stop", AtEnd::Stop), ("run_on", AtEnd::RunOn)];
pub(super) const PACES: &[(&str, Pace)] = &[("leader", Pace::Leader), ("blended", Pace::Blended)];
pub(super) const FADE_POLICIES: &[(&str, FadePolicy)] =
    &[("inertial", FadePolicy::Inertial), ("frozen", FadePolicy::Frozen), ("book", FadePolicy::Book)];
pub(super) const EASES: &[(&str, Ease)] = &[("linear", Ease::Linear), ("smooth", Ease::Smooth)];
pub(super) const PARTIAL_MODES: &[(&str, PartialMode)] =
    &[("nlerp", PartialMode::WeightedNlerp), ("power", PartialMode::PowerProduct), ("matrix", PartialMode::MatrixSum)];
pub(super) const DELTA_SPACES: &[(&str, DeltaSpace)] = &[("local", DeltaSpace::Local), ("mesh", DeltaSpace::Mesh)];
pub(super) const LAYER_MODES: &[(&str, LayerMode)] =
    &[("override", LayerMode::Override), ("additive", LayerMode::Additive)];
pub(super) const ENTERS: &[(&str, Enter)] =
    &[("restart", Enter::Restart), ("resume", Enter::Resume), ("sync", Enter::Sync)];

/// The mode of a clip; `passes` counts only where it repeats.
pub(super) fn mode_of(word: &str, passes: u32) -> Mode {
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
pub(super) fn mode_word(mode: Mode) -> (&'static str, Option<u32>) {
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
