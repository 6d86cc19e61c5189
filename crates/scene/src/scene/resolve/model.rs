//! `[model.NAME]`.

use std::path::Path;

use glam::Vec3;

use super::super::syntax::{Place, Table};
use super::super::{ClipChoice, Model, Proportion, SkinBlend, Up, code, parse_clip};
use super::{Resolver, ask, material};
use crate::asset::ModelFormat;

/// More joints of one model than these are not given other proportions.
const PROPORTIONS_MAX: usize = 1024;

pub(super) fn models(resolver: &mut Resolver<'_>, tree: &Table) -> Vec<Model> {
    let mut out = Vec::new();
    for (name, _, table) in tree.named("model") {
        let file = resolver.file(table, "file");
        if let (false, Some((_, place))) = (file.as_os_str().is_empty(), ask::placed_text(table, "file"))
            && let Err((message, help)) = check_model_format(&file)
        {
            resolver.complain_with(code::FORMAT_NOT_YET, place, message, help);
        }
        let overrides = table.named("override");
        let overrides =
            overrides.map(|(name, _, t)| (name.to_string(), material::values(resolver, t))).collect::<Vec<_>>();
        let written = resolver.few(table.list("proportion"), PROPORTIONS_MAX, "proportions of a model");
        resolver.each_once(&written, "joint");
        let proportion = |(_, table): &(Place, &Table)| Proportion {
            joint: ask::text(table, "joint").unwrap_or_default().to_string(),
            position: ask::vector(table, "position").unwrap_or(Vec3::ZERO),
            scale: ask::scale(table, "scale").unwrap_or(Vec3::ONE),
            branch: ask::flag(table, "branch").unwrap_or(false),
            weight: ask::float(table, "weight").unwrap_or(1.0),
        };
        let clip = ask::text(table, "clip").and_then(|text| parse_clip(text).ok()).unwrap_or_default();
        for key in ["clip_time_s", "clip_speed"] {
            if let (Some(entry), ClipChoice::None) = (table.entry(key), &clip) {
                let help = Some("add `clip = \"all\"`, or remove it".to_string());
                let message = format!("`{key}` has no effect without `clip`");
                resolver.complain_with(code::WITHOUT_EFFECT, entry.key_place, message, help);
            }
        }
        out.push(Model {
            overrides,
            nodes: ask::texts(table, "node"),
            meshes: ask::texts(table, "mesh"),
            up: ask::choice(table, "up", Up::WORDS).unwrap_or(Up::Auto),
            proportions: written.iter().map(proportion).collect(),
            skinning: ask::choice(table, "skinning", SkinBlend::WORDS).unwrap_or_default(),
            clip,
            clip_time_s: ask::number(table, "clip_time_s").unwrap_or(0.0),
            clip_speed: ask::number(table, "clip_speed").unwrap_or(1.0),
            ..Model::plain(name.to_string(), file)
        });
    }
    out
}

/// Whether models of this file's kind are read; else what to say and what to do.
pub(in crate::scene) fn check_model_format(file: &Path) -> Result<(), (String, Option<String>)> {
    if ModelFormat::of(file).is_some() {
        return Ok(());
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Err((format!("`{name}` is no model that is known"), Some(format!("models end in {}", ModelFormat::endings()))))
}
