//! `kind = "white_balance"`.

use super::row::{Effect, Reach, Read, Space, Stage, number};
use super::Values;

pub const ROW: Effect = Effect {
    name: "white_balance",
    doc: "Makes light of a colour temperature white, as cameras do.",
    formula: "cone responses of CAT16 times the ratio of those of D65 and of the white that was asked for",
    source: "Li et al. 2017; daylight by CIE 015, 4000 to 25,000 K, with a tint across it",
    space: Space::Hdr,
    reach: Reach::Pixel,
    params: &[number("temperature_k", 6504.0, [4000.0, 25000.0], "The light that becomes white. Less than 6504 makes pictures bluer, more makes them warmer."), number("tint", 0.0, [-1.0, 1.0], "Above 0 the light that becomes white is greener, and pictures turn magenta.")],
    identity: &[("temperature_k", 6504.0), ("tint", 0.0)],
    stages: balance,
    text: include_str!("white_balance.wgsl"),
};

/// XYZ of linear Rec. 709 (IEC 61966-2-1).
const XYZ: [[f64; 3]; 3] =
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]];
/// CAT16 (Li et al. 2017).
const CONES: [[f64; 3]; 3] =
    [[0.401288, 0.650173, -0.051461], [-0.250268, 1.204414, 0.045854], [-0.002079, 0.048952, 0.953127]];

fn balance(values: &Values, _: [u32; 2]) -> Vec<Stage> {
    let (of_d65, of_white) = (cones(white(6504.0, 0.0)), {
        let [temperature_k, tint] = ["temperature_k", "tint"].map(|name| f64::from(values.number(name)));
        cones(white(temperature_k, tint))
    });
    let mut scale = [[0.0; 3]; 3];
    for at in 0..3 {
        scale[at][at] = of_d65[at] / of_white[at];
    }
    let to_cones = product(&CONES, &XYZ);
    let matrix = product(&inverse(&to_cones), &product(&scale, &to_cones));
    let row = |at: usize| [matrix[at][0] as f32, matrix[at][1] as f32, matrix[at][2] as f32, 0.0];
    vec![Stage { data: [row(0), row(1), row(2), [0.0; 4]], reads: vec![Read::Input], ..Stage::of_input("apply") }]
}

/// XYZ of daylight of a temperature, Y = 1 (CIE 015). `tint` moves its y by up to 0.05.
fn white(temperature_k: f64, tint: f64) -> [f64; 3] {
    let t = 1e3 / temperature_k;
    let x = match temperature_k <= 7000.0 {
        true => ((-4.6070 * t + 2.9678) * t + 0.09911) * t + 0.244063,
        false => ((-2.0064 * t + 1.9018) * t + 0.24748) * t + 0.237040,
    };
    let y = (-3.0 * x + 2.870) * x - 0.275 + 0.05 * tint;
    [x / y, 1.0, (1.0 - x - y) / y]
}

fn cones(xyz: [f64; 3]) -> [f64; 3] {
    CONES.map(|row| row[0] * xyz[0] + row[1] * xyz[1] + row[2] * xyz[2])
}

fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    a.map(|row| std::array::from_fn(|column| row[0] * b[0][column] + row[1] * b[1][column] + row[2] * b[2][column]))
}

fn inverse(m: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let cofactor = |row: usize, column: usize| {
        let [r, s] = [(row + 1) % 3, (row + 2) % 3];
        let [c, d] = [(column + 1) % 3, (column + 2) % 3];
        m[r][c] * m[s][d] - m[r][d] * m[s][c]
    };
    let determinant = m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
    std::array::from_fn(|row| std::array::from_fn(|column| cofactor(column, row) / determinant))
}
