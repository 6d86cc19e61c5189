//! Maths, number by number. What WGSL leaves open is closed by functions of `maths.wgsl`.

use stillframe_base::math::ops64 as m;

use super::{any, any_or};
use crate::row::{Eval, Form, Meaning, Out, PINS_MAX, Pin, Row, Sized1, Width, plain};

type Each = fn(&[f64; PINS_MAX]) -> Sized1;

const fn out(form: &'static str, ulp: f64, eval: Each) -> [Out; 1] {
    let (form, eval) = (Form::Each(form), Eval::Each(eval));
    [Out { name: "value", width: Width::Widest, meaning: Meaning::Number, form, eval, ulp }]
}

const fn row(word: &'static str, doc: &'static str, inputs: &'static [Pin], outputs: &'static [Out]) -> Row {
    Row { word, doc, inputs, outputs, ..Row::EMPTY }
}

const A_B: &[Pin] = &[any("a", "The first value."), any("b", "The second value.")];
const X: &[Pin] = &[any("x", "The value.")];

fn fraction(low: f64, high: f64, x: f64) -> f64 {
    if high == low { f64::from(x >= low) } else { (x - low) / (high - low) }
}

pub(super) const ROWS: &[Row] = &[
    row("add", "`a + b`", A_B, &out("{a} + {b}", 1.0, |x| (x[0] + x[1], x[0].abs() + x[1].abs()))),
    row("subtract", "`a - b`", A_B, &out("{a} - {b}", 1.0, |x| (x[0] - x[1], x[0].abs() + x[1].abs()))),
    row("multiply", "`a * b`", A_B, &out("{a} * {b}", 1.0, |x| plain(x[0] * x[1]))),
    row(
        "divide",
        "`a / b`; 0 where `b` is 0",
        A_B,
        &out("graph_divide({a}, {b})", 1.0, |x| plain(if x[1] == 0.0 { 0.0 } else { x[0] / x[1] })),
    ),
    row(
        "modulo",
        "`a - b floor(a / b)`, with the sign of `b`; 0 where `b` is 0",
        A_B,
        &out("graph_modulo({a}, {b})", 2.0, |x| match x[1] == 0.0 {
            true => plain(0.0),
            // The quotient is rounded to f32 before its floor is taken.
            false => {
                let whole = f64::from((x[0] / x[1]) as f32).floor();
                let rest = x[0] - x[1] * whole;
                (rest.max(x[1].min(0.0)).min(x[1].max(0.0)), x[0].abs() + (x[1] * whole).abs())
            }
        }),
    ),
    row(
        "power",
        "`a` to the power `b`; 1 where `b` is 0, else 0 where `a` is 0 or less",
        A_B,
        &out("graph_power({a}, {b})", 4.0, |x| match (x[0], x[1]) {
            (_, 0.0) => plain(1.0),
            (a, _) if a <= 0.0 => plain(0.0),
            (a, b) => plain(m::pow(a, b)),
        }),
    ),
    row("sqrt", "Square root; 0 below 0", X, &out("graph_sqrt({x})", 1.0, |x| plain(x[0].max(0.0).sqrt()))),
    row(
        "exp",
        "e to the power `x`, which is at most 88",
        X,
        &out("graph_exp({x})", 4.0, |x| plain(m::exp(x[0].min(88.0)))),
    ),
    row(
        "log",
        "Natural logarithm; that of 2^-126 for `x` below it",
        X,
        &out("graph_log({x})", 4.0, |x| plain(m::log(x[0].max(f64::from(f32::MIN_POSITIVE))))),
    ),
    row("sin", "Sine of an angle in radians", X, &out("graph_sin({x})", 4.0, |x| (m::sin(x[0]), 1.0))),
    row("cos", "Cosine of an angle in radians", X, &out("graph_cos({x})", 4.0, |x| (m::cos(x[0]), 1.0))),
    row(
        "atan2",
        "Angle of the point (`b`, `a`) in radians, from -pi to pi; 0 for the origin",
        A_B,
        &out("graph_atan2({a}, {b})", 4.0, |x| {
            if x[0] == 0.0 && x[1] == 0.0 { plain(0.0) } else { plain(m::atan2(x[0], x[1])) }
        }),
    ),
    row("abs", "Without its sign", X, &out("abs({x})", 0.0, |x| plain(x[0].abs()))),
    row("sign", "-1, 0 or 1", X, &out("sign({x})", 0.0, |x| plain(if x[0] == 0.0 { 0.0 } else { x[0].signum() }))),
    row("floor", "The next whole number below", X, &out("floor({x})", 0.0, |x| plain(x[0].floor()))),
    row("ceil", "The next whole number above", X, &out("ceil({x})", 0.0, |x| plain(x[0].ceil()))),
    row(
        "round",
        "The nearest whole number, halves to even",
        X,
        &out("round({x})", 0.0, |x| plain(x[0].round_ties_even())),
    ),
    row("fract", "`x - floor(x)`", X, &out("{x} - floor({x})", 1.0, |x| (x[0] - x[0].floor(), 1.0))),
    row("min", "The smaller one", A_B, &out("min({a}, {b})", 0.0, |x| plain(x[0].min(x[1])))),
    row("max", "The larger one", A_B, &out("max({a}, {b})", 0.0, |x| plain(x[0].max(x[1])))),
    row(
        "clamp",
        "`min(max(x, low), high)`",
        &[any("x", "The value."), any_or("low", 0.0, "Its least value."), any_or("high", 1.0, "Its largest value.")],
        &out("min(max({x}, {low}), {high})", 0.0, |x| plain(x[0].max(x[1]).min(x[2]))),
    ),
    row("saturate", "Clamped to 0..1", X, &out("min(max({x}, 0.0), 1.0)", 0.0, |x| plain(x[0].clamp(0.0, 1.0)))),
    row("one_minus", "`1 - x`", X, &out("1.0 - {x}", 1.0, |x| (1.0 - x[0], 1.0 + x[0].abs()))),
    row(
        "mix",
        "`a (1 - t) + b t`",
        &[any("a", "The value at 0."), any("b", "The value at 1."), any_or("t", 0.5, "How much of `b`.")],
        &out("{a} * (1.0 - {t}) + {b} * {t}", 3.0, |x| {
            let (from, to) = (x[0] * (1.0 - x[2]), x[1] * x[2]);
            (from + to, x[0].abs() * (1.0 + x[2].abs()) + to.abs())
        }),
    ),
    row(
        "step",
        "1 from `edge` on, 0 below",
        &[any_or("edge", 0.5, "Where it changes."), any("x", "The value.")],
        &out("select(0.0, 1.0, {x} >= {edge})", 0.0, |x| plain(f64::from(x[1] >= x[0]))),
    ),
    row(
        "smoothstep",
        "`3 t^2 - 2 t^3` of `t = (x - low) / (high - low)`, clamped; `step` where `low` is `high`",
        &[any_or("low", 0.0, "Where it is 0."), any_or("high", 1.0, "Where it is 1."), any("x", "The value.")],
        &out("graph_smoothstep({low}, {high}, {x})", 6.0, |x| {
            let t = fraction(x[0], x[1], x[2]).clamp(0.0, 1.0);
            (t * t * (3.0 - 2.0 * t), 1.0)
        }),
    ),
    row(
        "remap",
        "Takes `low`..`high` to `to_low`..`to_high` in a straight line; `low` = `high` is a step",
        &[
            any("x", "The value."),
            any_or("low", 0.0, "What becomes `to_low`."),
            any_or("high", 1.0, "What becomes `to_high`."),
            any_or("to_low", 0.0, "The new low."),
            any_or("to_high", 1.0, "The new high."),
        ],
        &out("graph_remap({x}, {low}, {high}, {to_low}, {to_high})", 6.0, |x| {
            let t = fraction(x[1], x[2], x[0]);
            (x[3] + (x[4] - x[3]) * t, x[3].abs() + (x[4].abs() + x[3].abs()) * t.abs())
        }),
    ),
];
