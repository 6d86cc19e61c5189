//! Csm: several maps of a directional light, for parts of the camera's depth.

use super::row::{MapLayout, Serves, ShadowRow};
use super::tent3::TENT;
use crate::scene::key::{Key, number, rows, whole};
use crate::scene::schema::{NOT_NEGATIVE, UNIT};

const CASCADES: Key<f32> = whole("cascades", 4, 1, 8, "How many maps share the camera's depth.");
const SPLIT_LAMBDA: Key<f32> = number(
    "split_lambda",
    0.5,
    UNIT,
    "How depth is split: 0 into equal parts, 1 into parts each the same number of times as deep as the one before.",
);
const DISTANCE_M: Key<f32> =
    number("distance_m", 0.0, NOT_NEGATIVE, "Shadows end at this depth; 0: at the farthest that is seen.");

pub const ROW: ShadowRow = ShadowRow {
    name: "csm",
    doc: "Several maps of a directional light, each for a part of the camera's depth, in whole texels.",
    formula: "split `i` of `n` at `lambda N (F/N)^(i/n) + (1 - lambda) (N + (F - N) i/n)`; the last tenth of each is mixed with the next; each as `tent3`",
    source: "Engel 2006; Zhang and others 2006 (splits); Valient 2008 (whole texels)",
    serves: Serves::Parallel,
    layout: MapLayout::Cascades,
    keys: rows! { CASCADES, SPLIT_LAMBDA, DISTANCE_M },
    needs: &[TENT],
    text: "fn shadow_csm(maps: texture_depth_2d_array, p: MapPoint) -> f32 {\n    return shadow_tent3(maps, p);\n}\n",
    ..ShadowRow::DEPTH
};
