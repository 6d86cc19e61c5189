//! Texture coordinates.

use stillframe_base::math::ops64 as m;

use super::{fixed, number};
use crate::row::{Default, Eval, Form, Geometry, Given, Meaning, Out, Row, Setting, Sized4, Width, largest};

pub(super) const ROWS: &[Row] = &[
    Row {
        word: "uv",
        doc: "A set of the mesh's texture coordinates; set 0 where it has no other, and 0, 0 where it has none",
        setting: Setting::UvSet,
        outputs: &[Out {
            name: "uv",
            width: Width::Fixed(2),
            meaning: Meaning::Uv,
            form: Form::Whole("uv{setting}"),
            eval: Eval::Whole(|g| {
                let set = if g.numbers[0] == 1.0 { Geometry::Uv1 } else { Geometry::Uv0 };
                largest(g.geometry.of(set))
            }),
            ulp: 0.0,
        }],
        ..Row::EMPTY
    },
    Row {
        word: "uv_transform",
        doc: "Scales, then turns about the origin, then moves",
        source: "KHR_texture_transform (2018)",
        inputs: &[
            fixed("uv", 2, Meaning::Uv, Default::Geometry(Geometry::Uv0), "The coordinates."),
            fixed("scale", 2, Meaning::Number, Default::Vector(&[1.0, 1.0]), "Multiplies them."),
            number("rotation_deg", 0.0, "Turns them, as `rotation_deg` of textures does."),
            fixed("offset", 2, Meaning::Number, Default::Vector(&[0.0, 0.0]), "Added last."),
        ],
        outputs: &[Out {
            name: "uv",
            width: Width::Fixed(2),
            meaning: Meaning::Uv,
            form: Form::Whole("graph_uv_transform({uv}, {scale}, {rotation_deg}, {offset})"),
            eval: Eval::Whole(transform),
            ulp: 12.0,
        }],
        ..Row::EMPTY
    },
];

fn transform(given: &Given<'_>) -> Sized4 {
    let [uv, scale, turn, offset] = [0, 1, 2, 3].map(|n| given.inputs[n]);
    let angle = turn[0] * (std::f64::consts::PI / 180.0);
    let (sin, cos) = m::sin_cos(angle);
    let (u, v) = (uv[0] * scale[0], uv[1] * scale[1]);
    let value = [cos * u + sin * v + offset[0], cos * v - sin * u + offset[1], 0.0, 0.0];
    // The angle is rounded, too, which counts for more the larger it is.
    let size = (u.abs() + v.abs()) * (1.0 + angle.abs()) + offset[0].abs().max(offset[1].abs());
    (value, size)
}
