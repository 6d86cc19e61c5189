//! Geometry: what is known of the point of the surface.

use stillframe_base::math::ops64 as m;

use super::vector::{dot, normalized};
use super::{fixed, number};
use crate::row::{Default, Eval, Form, Geometry, Given, Meaning, Out, Row, Sized4, Width, largest};

pub(super) const fn out(
    name: &'static str,
    width: u8,
    meaning: Meaning,
    form: &'static str,
    eval: fn(&Given<'_>) -> Sized4,
) -> Out {
    Out { name, width: Width::Fixed(width), meaning, form: Form::Whole(form), eval: Eval::Whole(eval), ulp: 0.0 }
}

const FRESNEL_ULP: f64 = 8.0;

pub(super) const ROWS: &[Row] = &[
    Row {
        word: "position",
        doc: "Where the point is, in metres: in the world, or as its file or shape has it before anything moves or bends it",
        outputs: &[
            out("world", 3, Meaning::Position, "position", |g| largest(g.geometry.of(Geometry::Position))),
            out("object", 3, Meaning::Position, "object_position", |g| {
                largest(g.geometry.of(Geometry::ObjectPosition))
            }),
        ],
        ..Row::EMPTY
    },
    Row {
        word: "normal",
        doc: "The surface's normal without maps, of length 1, on the side that is seen: in the world, or in view space",
        outputs: &[
            out("world", 3, Meaning::Direction, "normal", |g| largest(g.geometry.of(Geometry::Normal))),
            out("view", 3, Meaning::Direction, "view_normal", |g| largest(g.geometry.of(Geometry::ViewNormal))),
        ],
        ..Row::EMPTY
    },
    Row {
        word: "view",
        doc: "The direction towards the eye in the world, of length 1; and where the point is in view space, whose -Z is ahead",
        outputs: &[
            out("direction", 3, Meaning::Direction, "view_direction", |g| largest(g.geometry.of(Geometry::View))),
            out("position", 3, Meaning::Position, "view_position", |g| largest(g.geometry.of(Geometry::ViewPosition))),
        ],
        ..Row::EMPTY
    },
    Row {
        word: "camera",
        doc: "Where the camera is, and which way it looks",
        outputs: &[
            out("position", 3, Meaning::Position, "camera_position", |g| {
                largest(g.geometry.of(Geometry::CameraPosition))
            }),
            out("direction", 3, Meaning::Direction, "camera_direction", |g| {
                largest(g.geometry.of(Geometry::CameraDirection))
            }),
        ],
        ..Row::EMPTY
    },
    Row {
        word: "screen",
        doc: "The place in the picture: 0, 0 is top left and 1, 1 is bottom right",
        outputs: &[out("uv", 2, Meaning::Uv, "screen", |g| largest(g.geometry.of(Geometry::Screen)))],
        ..Row::EMPTY
    },
    Row {
        word: "vertex_color",
        doc: "The colour of the mesh's vertices; white where it has none",
        outputs: &[out("color", 4, Meaning::Color, "vertex_color", |g| largest(g.geometry.of(Geometry::Color)))],
        ..Row::EMPTY
    },
    Row {
        word: "fresnel",
        doc: "`(1 - |dot(normal, view)|)^exponent`: 0 where a surface faces the eye, 1 at its rim",
        source: "Schlick, \"An Inexpensive BRDF Model\" (1994), with a free exponent",
        inputs: &[
            fixed("normal", 3, Meaning::Direction, Default::Geometry(Geometry::Normal), "The normal."),
            fixed("view", 3, Meaning::Direction, Default::Geometry(Geometry::View), "The direction to the eye."),
            number("exponent", 5.0, "How narrow the rim is; 0 or more."),
        ],
        outputs: &[Out {
            name: "value",
            width: Width::Fixed(1),
            meaning: Meaning::Number,
            form: Form::Whole("graph_fresnel({normal}, {view}, {exponent})"),
            eval: Eval::Whole(fresnel),
            ulp: FRESNEL_ULP,
        }],
        ..Row::EMPTY
    },
];

fn fresnel(given: &Given<'_>) -> Sized4 {
    let (n, v) = (normalized(&given.inputs[0], 3), normalized(&given.inputs[1], 3));
    let base = (1.0 - dot(&n, &v, 3).abs()).max(0.0);
    let exponent = given.inputs[2][0].max(0.0);
    let of = |base: f64| match exponent == 0.0 {
        true => 1.0,
        false if base <= 0.0 => 0.0,
        false => m::pow(base, exponent),
    };
    let value = of(base);
    // What the base may be off by, and what that makes of the value.
    let off = 16.0 / 8_388_608.0;
    let spread = (of(base + off) - value).abs().max((of(base - off) - value).abs());
    ([value, 0.0, 0.0, 0.0], value + spread * 8_388_608.0 / FRESNEL_ULP)
}
