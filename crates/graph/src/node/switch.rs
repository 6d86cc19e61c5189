//! Choices: before the picture, or at each of its points.

use super::{any, number};
use crate::row::{Eval, Form, Meaning, Out, Row, Setting, Width, largest};

pub(super) const ROWS: &[Row] = &[
    Row {
        word: "switch",
        doc: "One of two inputs. The other one is left out of the shader, with its textures",
        inputs: &[any("if_on", "What counts if `on = true`."), any("if_off", "What counts if `on = false`.")],
        setting: Setting::Switch,
        outputs: &[Out {
            name: "value",
            width: Width::Widest,
            meaning: Meaning::Number,
            form: Form::Chosen,
            eval: Eval::Whole(|given| largest(given.inputs[usize::from(given.numbers[0] == 0.0)])),
            ulp: 0.0,
        }],
        ..Row::EMPTY
    },
    Row {
        word: "choose",
        doc: "`if_more` where `x` is more than `than`, else `if_not`",
        inputs: &[
            number("x", 0.0, "The number that decides."),
            number("than", 0.5, "What it is compared with."),
            any("if_more", "The value where it is more."),
            any("if_not", "The value where it is not."),
        ],
        outputs: &[Out {
            name: "value",
            width: Width::Widest,
            meaning: Meaning::Number,
            form: Form::Whole("select({if_not}, {if_more}, {x} > {than})"),
            eval: Eval::Whole(|given| {
                largest(given.inputs[if given.inputs[0][0] > given.inputs[1][0] { 2 } else { 3 }])
            }),
            ulp: 0.0,
        }],
        ..Row::EMPTY
    },
];
