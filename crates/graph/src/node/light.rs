//! Light: what one light sends to the point, below `radiance` alone.

use super::geometry::out;
use crate::row::{Geometry, Meaning, Row, largest};

pub(super) const ROWS: &[Row] = &[Row {
    word: "light",
    doc: "One light, as the point finds it: the direction towards it, of length 1; what arrives on a surface that faces it, in lux; its colour times its lux, candela or nits; how much of it no shadow keeps away, from 0 to 1; and the surface's normal with its maps. For `radiance` alone",
    outputs: &[
        out("direction", 3, Meaning::Direction, "light_direction", |g| {
            largest(g.geometry.of(Geometry::LightDirection))
        }),
        out("irradiance", 3, Meaning::Color, "light_irradiance", |g| largest(g.geometry.of(Geometry::LightIrradiance))),
        out("color", 3, Meaning::Color, "light_color", |g| largest(g.geometry.of(Geometry::LightColor))),
        out("shadow", 1, Meaning::Number, "light_shadow", |g| largest(g.geometry.of(Geometry::LightShadow))),
        out("normal", 3, Meaning::Direction, "lit_normal", |g| largest(g.geometry.of(Geometry::LitNormal))),
    ],
    ..Row::EMPTY
}];
