//! `[[light]]`.

use glam::Vec3;

use super::super::angle::radians;
use super::super::syntax::Table;
use super::super::{Light, LightKind, Placement, code};
use super::own_names::OwnNames;
use super::{LIGHTS_MAX, Names, Resolver, ask, camera};

/// `node_names` are positions in the resolved nodes.
pub(super) fn lights(resolver: &mut Resolver<'_>, tree: &Table, node_names: &Names) -> Vec<Light> {
    let mut out: Vec<Light> = Vec::new();
    let mut names = OwnNames::new(resolver, tree.list("light").map(|(_, t)| t), "light");
    for (index, (place, table)) in tree.list("light").enumerate() {
        if index == LIGHTS_MAX {
            resolver.complain(code::TOO_MANY, place, format!("more than {LIGHTS_MAX} lights"));
            break;
        }
        let word = ask::text(table, "kind").unwrap_or("directional");
        let name = names.name(table, word);
        let position = ask::vector(table, "position").unwrap_or(Vec3::ZERO);
        let parent = resolver.name(table, "parent", "node", code::UNKNOWN_NODE, node_names);
        out.push(Light {
            name,
            color: ask::rgb(table, "color").unwrap_or([1.0; 3]),
            kind: kind(resolver, table, word),
            shadow: ask::flag(table, "shadow").unwrap_or(true),
            parent,
            placement: Placement {
                position,
                rotation: camera::rotation(resolver, table, position),
                ..Placement::IDENTITY
            },
        });
    }
    out
}

fn kind(resolver: &mut Resolver<'_>, table: &Table, word: &str) -> LightKind {
    let intensity_cd = ask::float(table, "intensity_cd").unwrap_or(10.0);
    let range_m = ask::float(table, "range_m");
    match word {
        "point" => LightKind::Point { intensity_cd, range_m },
        "spot" => {
            let inner_deg = ask::number(table, "inner_deg").unwrap_or(0.0);
            let outer_deg = ask::number(table, "outer_deg").unwrap_or(45.0);
            let (inner_rad, outer_rad) = (radians(inner_deg), radians(outer_deg));
            if let (true, Some(entry)) = (outer_rad <= inner_rad, table.entry("inner_deg").or(table.entry("outer_deg")))
            {
                let message =
                    format!("`inner_deg` is {inner_deg}, but must be less than `outer_deg`, which is {outer_deg}");
                resolver.complain(code::WRONG_ORDER, entry.value.place, message);
            }
            LightKind::Spot { intensity_cd, range_m, inner_rad, outer_rad }
        }
        _ => LightKind::Directional {
            illuminance_lux: ask::float(table, "illuminance_lux").unwrap_or(std::f32::consts::PI),
        },
    }
}
