//! `kind = "spot"`.

use super::LightKind;
use super::point::{INTENSITY_CD, RANGE_M};
use crate::scene::code;
use crate::scene::fields::Case;
use crate::scene::key::{Key, number, rows};
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

pub(super) const CASE: Case<LightKind> = Case {
    variant: Variant {
        word: "spot",
        doc: "Light from a point into a cone.",
        keys: rows! { INTENSITY_CD, RANGE_M, INNER_DEG, OUTER_DEG },
    },
    blank: || LightKind::Spot { intensity_cd: 0.0, range_m: None, inner_rad: 0.0, outer_rad: 0.0 },
    fields: |on, light| {
        let LightKind::Spot { intensity_cd, range_m, inner_rad, outer_rad } = light else { return false };
        on.field(INTENSITY_CD, intensity_cd);
        on.field(RANGE_M, range_m);
        on.angle(INNER_DEG, inner_rad);
        on.angle(OUTER_DEG, outer_rad);
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
