//! Matcap: a picture of a lit ball says what each normal looks like.

use super::{Case, LightingModel, Needs, Param, color};
use crate::asset::Slot;

const PARAMS: &[Param] = &[color("matcap_color", &[1.0, 1.0, 1.0], "Multiplies `matcap_texture`.")];

pub const ROW: LightingModel = LightingModel {
    name: "matcap",
    doc: "A picture of a ball says what each normal looks like from the eye, as in sculpting programs. Lights and the environment have no effect.",
    formula: "0 of every light; the surface shines by `base * matcap_color * texel` with the texel at `(0.5 + 0.495 dot(x, n), 0.5 - 0.495 dot(y, n))`, where x is the camera's right made perpendicular to `v`, and `y = cross(v, x)`",
    source: "Sloan, Martin, Gooch, Gooch, The Lit Sphere, 2001. The axes turn with the direction to the eye, so that a ball looks the same at every place of the picture.",
    params: PARAMS,
    text: include_str!("matcap.wgsl"),
    needs: Needs { shines: true, ..Needs::NOTHING },
    slots: &[Slot::Matcap],
    cases: &[Case { is_reciprocal: true, albedo_max: Some(1.0), ..Case::PLAIN }],
    ..LightingModel::PLAIN
};
