//! `line`, `grid`, `ring` and `scatter` of nodes.

use glam::Vec3;

use super::super::syntax::{Kind, Place, Table};
use super::super::{Area, Pattern, Scene, code};
use super::{LIGHTS_MAX, NODES_MAX, Resolver, ask};

const KEYS: [&str; 4] = ["line", "grid", "ring", "scatter"];

pub(super) fn pattern(table: &Table) -> Option<Pattern> {
    KEYS.iter().find_map(|key| Some((*key, table.table(key)?))).map(|(key, table)| {
        let count = ask::whole(table, "count").unwrap_or(1).max(1);
        let flag = |key, default| ask::flag(table, key).unwrap_or(default);
        let number = |key, default| ask::number(table, key).unwrap_or(default);
        match key {
            "line" => Pattern::Line {
                count,
                step_m: ask::vector(table, "step_m").unwrap_or(Vec3::X),
                centered: flag("centered", false),
            },
            "grid" => Pattern::Grid {
                count: counts(table),
                step_m: ask::vector(table, "step_m").unwrap_or(Vec3::ONE),
                centered: flag("centered", true),
            },
            "ring" => Pattern::Ring {
                count,
                radius_m: ask::float(table, "radius_m").unwrap_or(1.0),
                start_deg: number("start_deg", 0.0),
                sweep_deg: number("sweep_deg", 360.0),
                turn: flag("turn", true),
            },
            _ => Pattern::Scatter {
                count,
                area: match ask::number(table, "radius_m") {
                    Some(radius_m) => Area::Disk { radius_m },
                    None => Area::Box { size_m: ask::numbers(table, "size_m").unwrap_or([1.0, 0.0, 1.0]) },
                },
                turn_deg: ask::numbers(table, "turn_deg").unwrap_or([0.0; 3]),
                scale: ask::numbers(table, "scale").unwrap_or([1.0; 2]),
                seed: match table.value("seed").map(|v| &v.kind) {
                    Some(Kind::Whole(seed)) => u64::try_from(*seed).unwrap_or(0),
                    _ => 0,
                },
            },
        }
    })
}

fn counts(table: &Table) -> [u32; 3] {
    let counts = ask::numbers(table, "count").unwrap_or([1.0; 3]);
    // Others are out of range, which the check has told.
    counts.map(|n: f64| if (1.0..=1e6).contains(&n) { n as u32 } else { 1 })
}

/// Copies of copies multiply: the whole must stay below the limits of nodes and lights.
pub(super) fn check_counts(resolver: &mut Resolver<'_>, tree: &Table, scene: &Scene) {
    let (nodes, lights) = scene.expanded_counts();
    let (count, limit, what) = match (nodes > NODES_MAX as u64, lights > LIGHTS_MAX as u64) {
        (true, _) => (nodes, NODES_MAX, "nodes"),
        (_, true) => (lights, LIGHTS_MAX, "lights"),
        _ => return,
    };
    // The largest pattern is where people would look first.
    let mut largest: Option<(u64, Place)> = None;
    for (_, table) in tree.list("node") {
        let place = KEYS.iter().find_map(|key| table.entry(key)).map(|entry| entry.value.place);
        if let (Some(pattern), Some(place)) = (pattern(table), place)
            && largest.is_none_or(|(count, _)| pattern.count() > count)
        {
            largest = Some((pattern.count(), place));
        }
    }
    if let Some((_, place)) = largest {
        let help = Some("copies of copies multiply, and all that hangs below a node is copied with it".to_string());
        let message = format!("the copies make {count} {what}, but {limit} is the most");
        resolver.complain_with(code::TOO_MANY, place, message, help);
    }
}
