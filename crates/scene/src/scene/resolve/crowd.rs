//! `[[crowd]]`.

use glam::Vec3;

use super::super::schema::FIGURES_MAX;
use super::super::syntax::{Kind, Table};
use super::super::{Area, Crowd, CrowdBaking, CrowdLod, Placement, Scene, Thing, Track, code};
use super::animator::root_motion;
use super::node::Refers;
use super::own_names::OwnNames;
use super::{Resolver, ask, camera};

const CROWDS_MAX: usize = 256;
const LODS_MAX: usize = 16;

pub(super) fn crowds(resolver: &mut Resolver<'_>, tree: &Table, refers: &Refers<'_>) -> Vec<Crowd> {
    let written = resolver.few(tree.list("crowd"), CROWDS_MAX, "crowds");
    let mut own = OwnNames::new(resolver, written.iter().map(|(_, t)| *t), "crowd");
    let mut figures = 0i64;
    let mut crowds = Vec::new();
    for (_, table) in written {
        let crowd = crowd(resolver, table, refers, &mut own);
        let before = figures;
        figures += i64::from(crowd.count);
        if let (true, Some(entry)) = (before <= FIGURES_MAX && figures > FIGURES_MAX, table.entry("count")) {
            let message = format!("all crowds together have {figures} figures, but {FIGURES_MAX} is the most");
            resolver.complain(code::TOO_MANY, entry.value.place, message);
        }
        crowds.push(crowd);
    }
    crowds
}

fn crowd(resolver: &mut Resolver<'_>, table: &Table, refers: &Refers<'_>, own: &mut OwnNames) -> Crowd {
    let position = ask::vector(table, "position").unwrap_or(Vec3::ZERO);
    for key in ["turn_deg", "scale", "speed"] {
        if let (Some([low, high]), Some(entry)) = (ask::numbers::<2>(table, key), table.entry(key))
            && low > high
        {
            let message = format!("`{key}` goes from {low} down to {high}");
            resolver.complain(code::WRONG_ORDER, entry.value.place, message);
        }
    }
    if let (Some(entry), None) = (table.entry("fade_s"), table.entry("change_s")) {
        resolver.complain(code::WITHOUT_EFFECT, entry.key_place, "`fade_s` has no effect without `change_s`");
    }
    let mut lods: Vec<CrowdLod> = Vec::new();
    for (_, lod) in resolver.few(table.list("lod"), LODS_MAX, "levels of detail of a crowd") {
        let from_m = ask::number(lod, "from_m").unwrap_or(1.0);
        if let (Some(last), Some(entry)) = (lods.last().filter(|last| last.from_m >= from_m), lod.entry("from_m")) {
            let message = format!("`from_m` is {from_m} behind {}: distances must rise", last.from_m);
            resolver.complain(code::KEYS_ORDER, entry.value.place, message);
        }
        let model = resolver.name(lod, "model", "model", code::UNKNOWN_MODEL, &refers.models);
        lods.push(CrowdLod { from_m, model });
    }
    Crowd {
        name: own.name(table, ask::text(table, "model").unwrap_or("crowd")),
        model: resolver.name(table, "model", "model", code::UNKNOWN_MODEL, &refers.models).unwrap_or(0),
        clips: ask::words(table, "clips").into_iter().map(str::to_string).collect(),
        // Others are out of range, which the check has told.
        count: ask::whole(table, "count").filter(|count| i64::from(*count) <= FIGURES_MAX).unwrap_or(1),
        area: match ask::number(table, "radius_m") {
            Some(radius_m) => Area::Disk { radius_m },
            None => Area::Box { size_m: ask::numbers(table, "size_m").unwrap_or([10.0, 0.0, 10.0]) },
        },
        turn_deg: ask::numbers(table, "turn_deg").unwrap_or([0.0, 360.0]),
        scale: ask::numbers(table, "scale").unwrap_or([1.0; 2]),
        speed: ask::numbers(table, "speed").unwrap_or([1.0; 2]),
        change_s: ask::number(table, "change_s"),
        fade_s: ask::number(table, "fade_s").unwrap_or(0.3),
        root_motion: root_motion(resolver, table),
        seed: match table.value("seed").map(|v| &v.kind) {
            Some(Kind::Whole(seed)) => u64::try_from(*seed).unwrap_or(0),
            _ => 0,
        },
        baking: ask::choice(table, "baking", CrowdBaking::WORDS).unwrap_or_default(),
        error_mm: ask::number(table, "error_mm").unwrap_or(1.0),
        lods,
        placement: Placement { position, rotation: camera::rotation(resolver, table, position), ..Placement::IDENTITY },
        material: resolver.name(table, "material", "material", code::UNKNOWN_MATERIAL, &refers.materials),
        casts_shadow: ask::flag(table, "casts_shadow").unwrap_or(true),
    }
}

/// Complains of crowds whose models' proportions move: figures are baked once.
pub(super) fn check_bodies(resolver: &mut Resolver<'_>, tree: &Table, scene: &Scene) {
    for ((_, table), crowd) in tree.list("crowd").zip(&scene.crowds) {
        let lods =
            table.list("lod").zip(&crowd.lods).filter_map(|((_, lod), of)| Some((of.model?, lod.value("model")?)));
        let own = table.value("model").map(|written| (crowd.model, written));
        for (model, written) in own.into_iter().chain(lods) {
            let moves = |track: &Track| matches!(track.thing, Thing::Proportion(of, _) if of == model);
            if scene.tracks.iter().any(moves) {
                let name = &scene.models[model].name;
                let message = format!("the proportions of `{name}` move, but figures of crowds are baked once");
                let help = Some("write plain numbers there, or another model for the crowd".to_string());
                resolver.complain_with(code::NOT_MOVING, written.place, message, help);
            }
        }
    }
}
