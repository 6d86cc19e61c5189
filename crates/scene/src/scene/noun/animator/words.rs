//! Words and values that the animation package has: modes, fades, numbers or parameters, times.

use stillframe_anim::graph::{DeltaSpace, Enter, FadePolicy, LayerMode, PartialMode, Value};
use stillframe_anim::time::{AtEnd, Ease, Pace};
use stillframe_base::tick::Tick;

use crate::scene::key::{Component, Plain};
use crate::scene::schema::{Range, range};
use crate::scene::text::syntax::{Kind as Written, Value as WrittenValue};
use crate::scene::text::toml;
use crate::scene::word::Word;

/// Speeds of clips.
pub(crate) const SPEED_RANGE: Range = range(-1024.0, 1024.0);

impl Word for AtEnd {
    const WORDS: &'static [(&'static str, AtEnd)] = &[("stop", AtEnd::Stop), ("run_on", AtEnd::RunOn)];
}

impl Word for Pace {
    const WORDS: &'static [(&'static str, Pace)] = &[("leader", Pace::Leader), ("blended", Pace::Blended)];
}

impl Word for FadePolicy {
    const WORDS: &'static [(&'static str, FadePolicy)] =
        &[("inertial", FadePolicy::Inertial), ("frozen", FadePolicy::Frozen), ("book", FadePolicy::Book)];
}

impl Word for Ease {
    const WORDS: &'static [(&'static str, Ease)] = &[("linear", Ease::Linear), ("smooth", Ease::Smooth)];
}

impl Word for PartialMode {
    const WORDS: &'static [(&'static str, PartialMode)] = &[
        ("nlerp", PartialMode::WeightedNlerp),
        ("power", PartialMode::PowerProduct),
        ("matrix", PartialMode::MatrixSum),
    ];
}

impl Word for DeltaSpace {
    const WORDS: &'static [(&'static str, DeltaSpace)] = &[("local", DeltaSpace::Local), ("mesh", DeltaSpace::Mesh)];
}

impl Word for LayerMode {
    const WORDS: &'static [(&'static str, LayerMode)] =
        &[("override", LayerMode::Override), ("additive", LayerMode::Additive)];
}

impl Word for Enter {
    const WORDS: &'static [(&'static str, Enter)] =
        &[("restart", Enter::Restart), ("resume", Enter::Resume), ("sync", Enter::Sync)];
}

/// A number, or a parameter by name.
impl Plain for Value {
    fn read(value: &WrittenValue) -> Option<Value> {
        match &value.kind {
            Written::Text(name) => Some(Value::Parameter(name.clone())),
            other => other.number().map(|number| Value::Number(number as f32)),
        }
    }

    fn print(&self) -> Option<String> {
        match self {
            Value::Number(number) => number.print(),
            Value::Parameter(name) => Some(toml::scene_text(name)),
        }
    }

    fn blank() -> Value {
        Value::Number(0.0)
    }
}

/// Seconds.
impl Plain for Tick {
    fn read(value: &WrittenValue) -> Option<Tick> {
        f64::read(value).map(Tick::from_seconds)
    }

    fn print(&self) -> Option<String> {
        self.seconds().print()
    }

    fn blank() -> Tick {
        Tick::ZERO
    }
}

impl Component for Tick {
    fn of_float(number: f32) -> Tick {
        Tick::from_seconds(f64::from(number))
    }
}
