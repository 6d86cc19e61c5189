//! Half Lambert: light that reaches around the edge.

use super::{Case, LightingModel, Param, number};

const PARAMS: &[Param] =
    &[number("wrap_power", 2.0, [0.5, 8.0], "Exponent of the wrapped cosine: the larger, the less light behind.")];

pub const ROW: LightingModel = LightingModel {
    name: "half_lambert",
    doc: "A matt surface whose light fades out towards the side that looks away, as in cartoons. Shadows hide that side: use it with `shadow = false`.",
    formula: "`base / pi * (0.5 nl + 0.5)^wrap_power`, with `nl` from -1 to 1",
    source: "Mitchell, Francke, Eng, Illustrative Rendering in Team Fortress 2, 2007, whose exponent is 2.",
    params: PARAMS,
    text: include_str!("half_lambert.wgsl"),
    cases: &[Case { wraps: true, around_within: Some(1e-3), ..Case::PLAIN }],
    ..LightingModel::PLAIN
};
