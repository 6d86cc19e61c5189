//! Colours: linear Rec.709.

use super::{fixed, number};
use crate::row::{Default, Eval, Form, Given, Meaning, Out, Row, Sized4, Width, largest};

const fn out(name: &'static str, width: u8, form: &'static str, ulp: f64, eval: fn(&Given<'_>) -> Sized4) -> Out {
    let meaning = if width == 1 { Meaning::Number } else { Meaning::Color };
    Out { name, width: Width::Fixed(width), meaning, form: Form::Whole(form), eval: Eval::Whole(eval), ulp }
}

/// Of linear Rec.709 (ITU-R BT.709-6, 2015, item 3.2).
const LUMINANCE: [f64; 4] = [0.2126, 0.7152, 0.0722, 0.0];

fn luminance(color: &[f64; 4]) -> f64 {
    (0..3).map(|n| color[n] * LUMINANCE[n]).sum()
}

fn shares(color: &[f64; 4]) -> f64 {
    (0..3).map(|n| (color[n] * LUMINANCE[n]).abs()).sum()
}

pub(super) const ROWS: &[Row] = &[
    Row {
        word: "color_alpha",
        doc: "A colour with an alpha of its own",
        inputs: &[
            fixed("color", 3, Meaning::Color, Default::Required, "The colour."),
            fixed("alpha", 1, Meaning::Alpha, Default::Number(1.0), "Its alpha."),
        ],
        outputs: &[out("color", 4, "vec4f({color}, {alpha})", 0.0, |g| {
            let [r, gr, b, _] = g.inputs[0];
            largest([r, gr, b, g.inputs[1][0]])
        })],
        ..Row::EMPTY
    },
    Row {
        word: "luminance",
        doc: "How bright a colour is: `0.2126 r + 0.7152 g + 0.0722 b`",
        source: "ITU-R BT.709-6 (2015)",
        inputs: &[fixed("color", 3, Meaning::Color, Default::Required, "The colour.")],
        outputs: &[out("value", 1, "graph_luminance({color})", 4.0, |g| {
            ([luminance(&g.inputs[0]), 0.0, 0.0, 0.0], shares(&g.inputs[0]))
        })],
        ..Row::EMPTY
    },
    Row {
        word: "saturation",
        doc: "Moves a colour away from the grey of its luminance, or towards it",
        source: "ITU-R BT.709-6 (2015)",
        inputs: &[
            fixed("color", 3, Meaning::Color, Default::Required, "The colour."),
            number("amount", 1.0, "0 is grey, 1 leaves it as it is."),
        ],
        outputs: &[out("color", 3, "graph_saturation({color}, {amount})", 8.0, |g| {
            let (color, amount) = (&g.inputs[0], g.inputs[1][0]);
            let grey = luminance(color);
            let most = (0..3).fold(shares(color), |most: f64, n| most.max(color[n].abs()));
            let value = std::array::from_fn(|n| if n < 3 { grey + (color[n] - grey) * amount } else { 0.0 });
            (value, most * (1.0 + 2.0 * amount.abs()))
        })],
        ..Row::EMPTY
    },
    Row {
        word: "ramp",
        doc: "Three colours along `t`: `low` at 0, `middle` at `at`, `high` at 1, straight lines between",
        inputs: &[
            number("t", 0.0, "Where on the ramp; clamped to 0..1."),
            fixed("low", 4, Meaning::Color, Default::Vector(&[0.0, 0.0, 0.0, 1.0]), "The colour at 0."),
            fixed("middle", 4, Meaning::Color, Default::Vector(&[0.5, 0.5, 0.5, 1.0]), "The colour at `at`."),
            fixed("high", 4, Meaning::Color, Default::Vector(&[1.0, 1.0, 1.0, 1.0]), "The colour at 1."),
            number("at", 0.5, "Where `middle` is."),
        ],
        outputs: &[out("color", 4, "graph_ramp({t}, {low}, {middle}, {high}, {at})", 12.0, |g| {
            let (t, at) = (g.inputs[0][0].clamp(0.0, 1.0), g.inputs[4][0]);
            let part = |low: f64, high: f64| if high == low { f64::from(t >= low) } else { (t - low) / (high - low) };
            let (from, to, share) = match t < at {
                true => (1, 2, part(0.0, at)),
                false => (2, 3, part(at, 1.0)),
            };
            let (from, to) = (&g.inputs[from], &g.inputs[to]);
            let most =
                (0..4).fold(0.0, |most: f64, n| most.max(from[n].abs() + (from[n].abs() + to[n].abs()) * share.abs()));
            (std::array::from_fn(|n| from[n] + (to[n] - from[n]) * share), most)
        })],
        ..Row::EMPTY
    },
];
