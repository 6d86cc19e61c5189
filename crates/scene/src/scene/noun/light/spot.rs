//! `kind = "spot"`.

use super::LightKind;
use super::function::FUNCTION;
use super::point::{INTENSITY_CD, RANGE_M};
use super::window::{Rim, WINDOW, Window};
use crate::scene::code;
use crate::scene::fields::Case;
use crate::scene::key::{Key, choice, number, rows};
use crate::scene::resolver::Resolver;
use crate::scene::schema::{Range, Variant, range};
use crate::scene::text::syntax::Table;

pub(super) const INNER_DEG: Key<f64> =
    number("inner_deg", 0.0, range(0.0, 90.0), "Full brightness up to this angle from the axis.").moves();
pub(super) const OUTER_DEG: Key<f64> = number(
    "outer_deg",
    45.0,
    Range { min: 0.0, max: 90.0, open: false },
    "No light beyond this angle from the axis. Must be more than `inner_deg`.",
)
.moves();

const RIM: Key<Rim> = choice(
    "cone",
    "gltf",
    "How light fades between the angles, by the share s of the way between their cosines: `gltf` s^2, `book` s^falloff.",
);
const FALLOFF: Key<f32> =
    number("falloff", 1.0, range(0.01, 100.0), "The power of the share with `cone = \"book\"`.").moves();

pub(super) const CASE: Case<LightKind> = Case {
    variant: Variant {
        word: "spot",
        doc: "Light from a point into a cone.",
        keys: rows! { INTENSITY_CD, RANGE_M, WINDOW, INNER_DEG, OUTER_DEG, RIM, FALLOFF, FUNCTION },
    },
    blank: || LightKind::Spot {
        intensity_cd: 0.0,
        range_m: None,
        window: Window::Gltf,
        inner_rad: 0.0,
        outer_rad: 0.0,
        rim: Rim::Gltf,
        falloff: 1.0,
    },
    fields: |on, light| {
        let LightKind::Spot { intensity_cd, range_m, window, inner_rad, outer_rad, rim, falloff } = light else {
            return false;
        };
        on.field(INTENSITY_CD, intensity_cd);
        on.field(RANGE_M, range_m);
        on.field(WINDOW, window);
        on.angle(INNER_DEG, inner_rad);
        on.angle(OUTER_DEG, outer_rad);
        on.field(RIM, rim);
        on.field(FALLOFF, falloff);
        true
    },
};

/// The cone has a width.
pub(super) fn check(resolver: &mut Resolver<'_>, table: &Table, light: &LightKind) {
    let LightKind::Spot { inner_rad, outer_rad, .. } = light else { return };
    if outer_rad <= inner_rad {
        let (inner, outer) = (table.ask(INNER_DEG), table.ask(OUTER_DEG));
        let message = format!("`inner_deg` is {inner}, but must be less than `outer_deg`, which is {outer}");
        resolver.complain_of(table, &[INNER_DEG.name(), OUTER_DEG.name()], code::WRONG_ORDER, message);
    }
}
