//! Pcf: the mean of comparisons with a square of texels.

use super::hard::TEXEL;
use super::row::ShadowRow;

/// `square_filter`.
const SQUARE: &str = include_str!("pcf.wgsl");

macro_rules! square {
    ($n:literal) => {
        ShadowRow {
            name: concat!("pcf", $n),
            doc: concat!("The mean of comparisons with the nearest ", $n, "x", $n, " texels."),
            formula: concat!("mean of `d <= map` over ", $n, "x", $n, " texels: multiples of 1/", $n, "^2"),
            source: "Reeves, Salesin, Cook 1987; Isidoro 2006",
            reach_texels: $n as f32 * 0.5,
            needs: &[TEXEL, SQUARE],
            text: concat!(
                "fn shadow_pcf",
                $n,
                "(maps: texture_depth_2d_array, p: MapPoint) -> f32 {\n    return square_filter(maps, p, ",
                $n,
                ");\n}\n"
            ),
            ..ShadowRow::DEPTH
        }
    };
}

/// Of 2 to 7 texels.
pub const ROWS: [ShadowRow; 6] = [square!(2), square!(3), square!(4), square!(5), square!(6), square!(7)];
