//! `kind = "lut"`.

use super::Values;
use super::row::{Effect, Reach, Read, Space, Stage, choice, file};

pub const ROW: Effect = Effect {
    name: "lut",
    doc: "Colours are looked up in a table, as colour grading programs export it.",
    formula: "encoded colour c is at place (c - min) (size - 1) / (max - min) of the table, min and max its domain; between its colours by `between`, outside its ends",
    source: "Cube LUT Specification 1.0 (Adobe 2013); tetrahedra: Kasson, Nin, Plouffe, Hafner 1995",
    space: Space::Ldr,
    reach: Reach::Pixel,
    params: &[
        file("file", "The table: a `.cube` file, 1-D or 3-D."),
        choice(
            "between",
            "tetrahedra",
            &["tetrahedra", "cubes"],
            "How a 3-D table is interpolated: between four colours, or between eight.",
        ),
        choice("space", "srgb", &["srgb", "linear"], "Whether the table maps sRGB values or linear ones."),
    ],
    identity: &[],
    stages: looked_up,
    text: include_str!("lut.wgsl"),
};

fn looked_up(values: &Values, _: [u32; 2]) -> Vec<Stage> {
    let mut data = [[0.0; 4]; 4];
    if let Some(table) = &values.table {
        data[0] = [table.dimensions as f32, table.size as f32, 0.0, 0.0];
        for (out, end) in data[1..].iter_mut().zip(table.domain) {
            out[..3].copy_from_slice(&end);
        }
    }
    vec![Stage { reads: vec![Read::Input, Read::Table], data, ..Stage::of_input("apply") }]
}
