//! `[plan]`.

use super::super::PlanOptions;
use super::super::syntax::Table;
use super::ask;

pub(super) fn plan(tree: &Table) -> PlanOptions {
    let Some(table) = tree.table("plan") else { return PlanOptions::DEFAULT };
    let PlanOptions { alias, poison } = PlanOptions::DEFAULT;
    PlanOptions {
        alias: ask::choice(table, "alias", PlanOptions::ALIAS_WORDS).unwrap_or(alias),
        poison: ask::flag(table, "poison").unwrap_or(poison),
    }
}
