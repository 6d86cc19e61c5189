//! Strauss: a model for people, by smoothness and metalness.

use super::{Case, LightingModel, roughness_of_power};

pub const ROW: LightingModel = LightingModel {
    name: "strauss",
    doc: "Paint to metal by few numbers: `roughness` is 1 - smoothness, `metallic` is the metalness.",
    formula: "`(base (1 - m s) (1 - s^3) nl + (1 + m (1 - F) (base - 1)) * min(1, r + (r + 0.1) F G G) * max(rv, 0)^(3 / (1 - s))) / pi` with `s = 1 - roughness`, `m = metallic`, `r = s^3`, `F` and `G` of the angles as shares of a right angle, with `k_f = 1.12` and `k_s = 1.01`",
    source: "Strauss, A Realistic Lighting Model for Computer Animators, 1990, without transparency. 1 - s is at least 0.001. A lamp of the paper of intensity 1 is one of pi lux. What a mirror shows is weighed by the reflectivity without the power.",
    smoothest: |_, roughness| roughness_of_power(12.0 / roughness.max(0.001)),
    text: include_str!("strauss.wgsl"),
    cases: &[Case { within: 5e-3, ..Case::PLAIN }],
    ..LightingModel::PLAIN
};
