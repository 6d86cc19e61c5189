//! `[test]`.

use std::path::PathBuf;

use super::super::param::Params;
use super::super::syntax::{Kind, Place, Table};
use super::super::test::CASES_MAX;
use super::super::{Aov, Moments, Test, Tolerance, code};
use super::{Resolver, ask, matrix};

/// `params_kept` gets the parameters that the matrix varies.
pub(super) fn test(
    resolver: &mut Resolver<'_>,
    tree: &Table,
    params: &mut Params,
    params_kept: &mut Vec<(String, String)>,
) -> Option<Test> {
    let table = tree.table("test")?;
    let moments = moments(table);
    let matrix = matrix::axes(resolver, tree, table, params, params_kept);
    let moment_count = match &moments {
        Moments::Own => 1,
        Moments::Seconds(all) => all.len(),
        Moments::Frames(all) => all.len(),
    };
    let count = matrix.iter().fold(moment_count, |all, axis| all.saturating_mul(axis.values.len()));
    if let (true, Some(entry)) = (count > CASES_MAX, table.entry("matrix")) {
        let message = format!("the test has {count} cases, but {CASES_MAX} is the most");
        resolver.complain(code::TOO_MANY, entry.value.place, message);
    }
    let tolerance = tolerance(resolver, table);
    Some(Test {
        why: ask::text(table, "why").unwrap_or_default().to_string(),
        tags: ask::texts(table, "tags"),
        aov: ask::words(table, "aov").into_iter().filter_map(Aov::parse).collect(),
        moments,
        matrix,
        equals: files(resolver, table, "equals"),
        differs: files(resolver, table, "differs"),
        known_failure: ask::text(table, "known_failure").map(str::to_string),
        tolerance,
    })
}

fn moments(table: &Table) -> Moments {
    let list = |key: &str| match table.value(key).map(|v| &v.kind) {
        Some(Kind::List(values)) => Some(values),
        _ => None,
    };
    if let Some(values) = list("times_s") {
        return Moments::Seconds(values.iter().filter_map(|v| v.kind.number()).collect());
    }
    if let Some(values) = list("frames") {
        let whole = values.iter().filter_map(|v| match v.kind {
            Kind::Whole(number) => Some(number),
            _ => None,
        });
        return Moments::Frames(whole.collect());
    }
    Moments::Own
}

fn tolerance(resolver: &mut Resolver<'_>, table: &Table) -> Option<Tolerance> {
    let reason = ask::text(table, "reason").unwrap_or_default().to_string();
    let (channel, share) = match (ask::number(table, "tolerance"), table.table("tolerance")) {
        (Some(channel), _) => (channel, 0.0),
        (None, Some(inner)) => {
            (ask::number(inner, "channel").unwrap_or(0.0), ask::number(inner, "share").unwrap_or(0.0))
        }
        (None, None) => (0.0, 0.0),
    };
    let some = channel > 0.0 || share > 0.0;
    match (table.entry("tolerance"), table.entry("reason")) {
        (Some(entry), None) if some => {
            let help = Some("add `reason = \"...\"`: why no better can be asked for".to_string());
            resolver.complain_with(code::NO_REASON, entry.key_place, "`tolerance` without a `reason`", help);
        }
        (_, Some(entry)) if !some => {
            let message = "`reason` has no effect without a `tolerance` of more than 0";
            resolver.complain(code::WITHOUT_EFFECT, entry.key_place, message);
        }
        _ => {}
    }
    some.then_some(Tolerance { channel, share, reason })
}

/// Scenes to compare with, absolute.
fn files(resolver: &mut Resolver<'_>, table: &Table, key: &str) -> Vec<PathBuf> {
    let Some(value) = table.value(key) else { return Vec::new() };
    let names: Vec<(&str, Place)> = match &value.kind {
        Kind::Text(name) => vec![(name, value.place)],
        Kind::List(values) => values.iter().filter_map(|v| Some((v.kind.text()?, v.place))).collect(),
        _ => Vec::new(),
    };
    let mut out = Vec::new();
    for (name, place) in names {
        if !name.to_lowercase().ends_with(".toml") {
            let help = Some("write the scene's file, for example \"other.toml\"".to_string());
            resolver.complain_with(code::FORMAT_NOT_YET, place, format!("`{name}` is no scene file"), help);
            continue;
        }
        out.push(resolver.file_named(name, place));
    }
    out
}
