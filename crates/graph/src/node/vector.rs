//! Vectors: lengths, angles, and putting them together. Components need no node: `"name.x"` is one.

use super::{any, number};
use crate::row::{Default, largest};
use crate::row::{Eval, Form, Given, Meaning, Out, Pin, Row, Sized4, Width};

use super::fixed;

const A_B: &[Pin] = &[any("a", "The first vector."), any("b", "The second vector.")];
const V: &[Pin] = &[any("v", "The vector.")];

const fn out(name: &'static str, width: Width, form: &'static str, ulp: f64, eval: fn(&Given<'_>) -> Sized4) -> Out {
    Out { name, width, meaning: Meaning::Number, form: Form::Whole(form), eval: Eval::Whole(eval), ulp }
}

pub(crate) fn dot(a: &[f64; 4], b: &[f64; 4], width: usize) -> f64 {
    (0..width).map(|n| a[n] * b[n]).sum()
}

pub(crate) fn length(v: &[f64; 4], width: usize) -> f64 {
    dot(v, v, width).sqrt()
}

/// 0 for 0.
pub(crate) fn normalized(v: &[f64; 4], width: usize) -> [f64; 4] {
    let length = length(v, width);
    std::array::from_fn(|n| if length > 0.0 && n < width { v[n] / length } else { 0.0 })
}

const DIRECTION: Default = Default::Required;

pub(super) const ROWS: &[Row] = &[
    Row {
        word: "dot",
        doc: "Scalar product",
        inputs: A_B,
        outputs: &[out("value", Width::Fixed(1), "dot({a}, {b})", 4.0, |g| {
            let size = (0..g.width).map(|n| (g.inputs[0][n] * g.inputs[1][n]).abs()).sum();
            ([dot(&g.inputs[0], &g.inputs[1], g.width), 0.0, 0.0, 0.0], size)
        })],
        width_min: 2,
        ..Row::EMPTY
    },
    Row {
        word: "cross",
        doc: "Vector product",
        inputs: &[
            fixed("a", 3, Meaning::Number, Default::Required, "The first vector."),
            fixed("b", 3, Meaning::Number, Default::Required, "The second vector."),
        ],
        outputs: &[out("value", Width::Fixed(3), "cross({a}, {b})", 3.0, |g| {
            let (a, b) = (&g.inputs[0], &g.inputs[1]);
            let part = |i: usize, j: usize| (a[i] * b[j] - a[j] * b[i], (a[i] * b[j]).abs() + (a[j] * b[i]).abs());
            let parts = [part(1, 2), part(2, 0), part(0, 1)];
            ([parts[0].0, parts[1].0, parts[2].0, 0.0], parts.iter().fold(0.0, |most: f64, part| most.max(part.1)))
        })],
        ..Row::EMPTY
    },
    Row {
        word: "length",
        doc: "Length of a vector",
        inputs: V,
        outputs: &[out("value", Width::Fixed(1), "graph_length{n}({v})", 4.0, |g| {
            largest([length(&g.inputs[0], g.width), 0.0, 0.0, 0.0])
        })],
        width_min: 2,
        ..Row::EMPTY
    },
    Row {
        word: "distance",
        doc: "Length of `a - b`",
        inputs: A_B,
        outputs: &[out("value", Width::Fixed(1), "graph_length{n}({a} - {b})", 5.0, |g| {
            let between = std::array::from_fn(|n| g.inputs[0][n] - g.inputs[1][n]);
            largest([length(&between, g.width), 0.0, 0.0, 0.0])
        })],
        width_min: 2,
        ..Row::EMPTY
    },
    Row {
        word: "normalize",
        doc: "The same direction with length 1; 0 where the length is 0",
        inputs: V,
        outputs: &[out("value", Width::Widest, "graph_normalize{n}({v})", 5.0, |g| {
            largest(normalized(&g.inputs[0], g.width))
        })],
        width_min: 2,
        ..Row::EMPTY
    },
    Row {
        word: "reflect",
        doc: "`v - 2 dot(n, v) n`",
        inputs: &[
            fixed("v", 3, Meaning::Direction, DIRECTION, "The direction that arrives."),
            fixed("n", 3, Meaning::Direction, DIRECTION, "The normal, of length 1."),
        ],
        outputs: &[out("value", Width::Fixed(3), "graph_reflect({v}, {n})", 8.0, |g| {
            let (v, n) = (&g.inputs[0], &g.inputs[1]);
            let twice = 2.0 * dot(n, v, 3);
            let size = (0..3).map(|i| (n[i] * v[i]).abs()).sum::<f64>() * 2.0;
            let most = (0..3).fold(0.0, |most: f64, i| most.max(v[i].abs() + size * n[i].abs()));
            (std::array::from_fn(|i| v[i] - twice * n[i]), most)
        })],
        ..Row::EMPTY
    },
    Row {
        word: "combine",
        doc: "A vector of single numbers",
        inputs: &[
            number("x", 0.0, "The first number."),
            number("y", 0.0, "The second number."),
            number("z", 0.0, "The third number."),
            number("w", 1.0, "The fourth number."),
        ],
        outputs: &[
            out("xyz", Width::Fixed(3), "vec3f({x}, {y}, {z})", 0.0, |g| largest(four(g))),
            out("xy", Width::Fixed(2), "vec2f({x}, {y})", 0.0, |g| largest(four(g))),
            out("xyzw", Width::Fixed(4), "vec4f({x}, {y}, {z}, {w})", 0.0, |g| largest(four(g))),
        ],
        ..Row::EMPTY
    },
];

fn four(given: &Given<'_>) -> [f64; 4] {
    std::array::from_fn(|n| given.inputs[n][0])
}
