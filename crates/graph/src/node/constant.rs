//! Constants, which are part of the text, and parameters, which the text reads.

use crate::row::{Eval, Form, Meaning, Out, Row, Setting, Width, largest};

const fn out(name: &'static str, width: Width, meaning: Meaning, form: &'static str) -> Out {
    Out { name, width, meaning, form: Form::Whole(form), eval: Eval::Whole(|given| largest(given.numbers)), ulp: 0.0 }
}

pub(super) const ROWS: &[Row] = &[
    Row {
        word: "constant",
        doc: "Numbers or a colour that are part of the shader.",
        setting: Setting::Value,
        outputs: &[out("value", Width::Widest, Meaning::Number, "{setting}")],
        ..Row::EMPTY
    },
    Row {
        word: "parameter",
        doc: "A number that the shader reads: it can have key frames, and changing it needs no other shader.",
        setting: Setting::Number,
        outputs: &[out("value", Width::Fixed(1), Meaning::Number, "{parameter}.x")],
        ..Row::EMPTY
    },
    Row {
        word: "parameter_color",
        doc: "The same for a colour.",
        setting: Setting::Color,
        outputs: &[out("color", Width::Fixed(4), Meaning::Color, "{parameter}")],
        ..Row::EMPTY
    },
    Row {
        word: "time",
        doc: "The moment of the picture.",
        setting: Setting::Time,
        outputs: &[out("seconds", Width::Fixed(1), Meaning::Number, "{parameter}.x")],
        ..Row::EMPTY
    },
];
