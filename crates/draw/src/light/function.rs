//! Function: what multiplies the light of a lamp by its direction.

use stillframe_base::math::ops;

use crate::scene::LightKind;
use crate::view::ShotLight;

/// `through_function`. Needs `is_parallel`.
pub const FUNCTION: &str = include_str!("function.wgsl");

/// `more.yzw` of a light; zeros without a function.
pub fn terms(light: &ShotLight) -> [f32; 3] {
    let Some(function) = light.function else { return [0.0; 3] };
    let [x, y] = match light.kind {
        LightKind::Directional { .. } => function.size_m.map(|size_m| 1.0 / size_m),
        LightKind::Spot { outer_rad, .. } => [1.0 / ops::tan(outer_rad.min(1.5)); 2],
        _ => [0.0; 2],
    };
    [(function.number + 1) as f32, x, y]
}
