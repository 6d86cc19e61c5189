//! Textures. How texels are filtered and repeated is said beside the file, as for the textures of materials.

use super::vector::normalized;
use super::{fixed, number};
use crate::row::{Default, Eval, Form, Geometry, Given, Meaning, Out, Row, Setting, Sized4, Width};

const COLOR: Out = Out {
    name: "color",
    width: Width::Fixed(4),
    meaning: Meaning::Color,
    form: Form::Whole("textureSample({texture}, {sampler}, {uv})"),
    eval: Eval::Unknown,
    ulp: 0.0,
};

const UV: crate::row::Pin =
    fixed("uv", 2, Meaning::Uv, Default::Geometry(Geometry::Uv0), "Where; 0..1 is the picture once.");

pub(super) const ROWS: &[Row] = &[
    Row {
        word: "texture",
        doc: "A picture of colours: 8-bit texels are sRGB",
        inputs: &[UV],
        setting: Setting::Texture,
        outputs: &[COLOR],
        needs_derivative: true,
        ..Row::EMPTY
    },
    Row {
        word: "texture_data",
        doc: "A picture of numbers, as they are stored: roughness, heights, normals",
        inputs: &[UV],
        setting: Setting::Texture,
        outputs: &[COLOR],
        needs_derivative: true,
        ..Row::EMPTY
    },
    Row {
        word: "triplanar",
        doc: "A picture of colours, seen along the three axes of space and mixed by the normal; needs no texture coordinates",
        source: "weights: |normal|^sharpness, divided by their sum (Geiss, GPU Gems 3, chapter 1, 2007)",
        inputs: &[
            fixed(
                "position",
                3,
                Meaning::Position,
                Default::Geometry(Geometry::Position),
                "Where; the picture is 1 wide.",
            ),
            fixed("normal", 3, Meaning::Direction, Default::Geometry(Geometry::Normal), "What the weights follow."),
            number("sharpness", 4.0, "How narrow the seams are."),
        ],
        setting: Setting::Texture,
        outputs: &[Out {
            form: Form::Whole(
                "textureSample({texture}, {sampler}, {position}.zy) * graph_triplanar({normal}, {sharpness}).x\n        + textureSample({texture}, {sampler}, {position}.xz) * graph_triplanar({normal}, {sharpness}).y\n        + textureSample({texture}, {sampler}, {position}.xy) * graph_triplanar({normal}, {sharpness}).z",
            ),
            ..COLOR
        }],
        needs_derivative: true,
        ..Row::EMPTY
    },
    Row {
        word: "normal_map",
        doc: "The texel of a normal map (tangent space, +Y up) as a normal in the world",
        source: "MikkTSpace (Mikkelsen 2008): the frame is interpolated, not made unit again",
        inputs: &[
            fixed("texel", 3, Meaning::Color, Default::Vector(&[0.5, 0.5, 1.0]), "Red, green and blue, 0..1."),
            number("scale", 1.0, "Strength of the map."),
        ],
        outputs: &[Out {
            name: "normal",
            width: Width::Fixed(3),
            meaning: Meaning::Direction,
            form: Form::Whole("graph_normal_map({texel}, {scale}, tangent, bitangent, mesh_normal)"),
            eval: Eval::Whole(bumped),
            ulp: 64.0,
        }],
        ..Row::EMPTY
    },
    Row {
        word: "bump",
        doc: "The normal of a surface that is this much higher, in metres, from the heights of neighbouring pixels; needs no texture coordinates",
        source: "Mikkelsen, \"Bump Mapping Unparametrized Surfaces on the GPU\" (2010)",
        inputs: &[
            fixed("height", 1, Meaning::Number, Default::Required, "How high the surface is, in metres of the world."),
            fixed("normal", 3, Meaning::Direction, Default::Geometry(Geometry::Normal), "Which way is up."),
            fixed(
                "position",
                3,
                Meaning::Position,
                Default::Geometry(Geometry::Position),
                "Where the point is; whether it has this height makes no difference.",
            ),
        ],
        outputs: &[Out {
            name: "normal",
            width: Width::Fixed(3),
            meaning: Meaning::Direction,
            form: Form::Whole(
                "graph_bump(dpdx({height}), dpdy({height}), dpdx({position}), dpdy({position}), {normal})",
            ),
            eval: Eval::Unknown,
            ulp: 0.0,
        }],
        needs_derivative: true,
        ..Row::EMPTY
    },
];

fn bumped(given: &Given<'_>) -> Sized4 {
    let [frame_x, frame_y, frame_z] =
        [Geometry::Tangent, Geometry::Bitangent, Geometry::MeshNormal].map(|axis| given.geometry.of(axis));
    let [r, g, b] = [0, 1, 2].map(|n| given.inputs[0][n] * 2.0 - 1.0);
    let (x, y, z) = (r * given.inputs[1][0], g * given.inputs[1][0], b);
    let sum = std::array::from_fn(|n| x * frame_x[n] + y * frame_y[n] + z * frame_z[n]);
    let parts = (x.abs() + y.abs() + z.abs() + 1.0) * (1.0 + given.inputs[1][0].abs());
    let length = super::vector::length(&sum, 3);
    // Parts that cancel leave little to divide by, and parts that do not fit into f32 leave nothing.
    let is_sound = length > 0.0 && parts < 1e18;
    (normalized(&sum, 3), if is_sound { (parts / length).max(1.0) } else { 1e30 })
}
