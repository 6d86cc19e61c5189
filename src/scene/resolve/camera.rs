//! `[camera.NAME]` and which of them looks.

use glam::{Quat, Vec3};

use super::super::angle::{direction, radians, rotation_xyz, unit};
use super::super::camera::ORTHOGRAPHIC_FAR_M;
use super::super::settle::look_rotation;
use super::super::syntax::{Place, Table};
use super::super::wish::parse_look;
use super::super::{Camera, CameraChoice, Projection, Scene, code};
use super::{Resolver, ask};

pub(super) fn cameras(resolver: &mut Resolver<'_>, tree: &Table) -> Vec<Camera> {
    let mut out = Vec::new();
    for (name, place, table) in tree.named("camera") {
        if name == "auto" || name.starts_with('#') {
            let message = format!("a camera cannot be called `{name}`: that means a model's camera");
            resolver.complain(code::EMPTY_NAME, place, message);
        }
        let position = ask::vector(table, "position").unwrap_or(Vec3::new(0.0, 0.0, 5.0));
        let height_m = ask::float(table, "height_m");
        let near_m = ask::float(table, "near_m").unwrap_or(0.1);
        let far_m = ask::float(table, "far_m").or(height_m.map(|_| ORTHOGRAPHIC_FAR_M));
        if far_m.is_some_and(|far_m| far_m <= near_m)
            && let Some(entry) = table.entry("far_m").or(table.entry("near_m"))
        {
            let far_m = far_m.unwrap_or(0.0);
            let message = format!("`far_m` is {far_m}, but must be more than `near_m`, which is {near_m}");
            resolver.complain(code::WRONG_ORDER, entry.value.place, message);
        }
        out.push(Camera {
            name: name.to_string(),
            position,
            rotation: rotation(resolver, table, position),
            projection: match height_m {
                Some(height_m) => Projection::Orthographic { height_m },
                None => Projection::Perspective { fov_y_rad: radians(ask::number(table, "fov_y_deg").unwrap_or(45.0)) },
            },
            near_m,
            far_m,
        });
    }
    out
}

/// The rotation that `look_at`, `direction`, `rotation_deg` or `rotation_quat` means, for a thing at `position`.
pub(super) fn rotation(resolver: &mut Resolver<'_>, table: &Table, position: Vec3) -> Quat {
    if let Some(angles_deg) = ask::numbers(table, "rotation_deg") {
        return rotation_xyz(angles_deg);
    }
    for (key, why) in [
        ("look_at", "`look_at` is the thing's own position: there is no direction"),
        ("direction", "`direction` has no length"),
        ("rotation_quat", "`rotation_quat` has no length"),
    ] {
        let Some(entry) = table.entry(key) else { continue };
        let found = match key {
            "look_at" => ask::vector(table, key).map(|to| direction(to - position).map(|d| look_rotation(d, Vec3::Y))),
            "direction" => ask::vector(table, key).map(|to| direction(to).map(|d| look_rotation(d, Vec3::Y))),
            _ => ask::floats(table, key).map(unit),
        };
        match found {
            Some(Some(rotation)) => return rotation,
            Some(None) => resolver.complain(code::NO_DIRECTION, entry.value.place, why),
            // Not even numbers, which the check has told.
            None => {}
        }
    }
    Quat::IDENTITY
}

/// Which camera looks.
pub(super) fn choice_of(resolver: &mut Resolver<'_>, output: &Table, tree: &Table, scene: &Scene) -> CameraChoice {
    if let Some(look) = ask::text(output, "look") {
        return parse_look(look).unwrap_or(CameraChoice::Auto);
    }
    match ask::placed_text(output, "camera") {
        Some(("auto", _)) => CameraChoice::Auto,
        Some((name, place)) => {
            if let Some(number) = name.strip_prefix('#').and_then(|n| n.parse().ok()) {
                return CameraChoice::ModelNumber(number);
            }
            scene.find_camera(name).unwrap_or_else(|(message, help)| {
                resolver.complain_with(code::UNKNOWN_CAMERA, place, message, help);
                CameraChoice::Auto
            })
        }
        None if scene.cameras.is_empty() => {
            let place = tree.entry("title").map_or(Place { source: 0, start: 0, end: 0 }, |e| e.key_place);
            if tree.entry("camera").is_none() {
                let help = "add [camera.main] with `position` and `look_at`, or `camera = \"auto\"` to [output]";
                resolver.complain_with(code::NO_CAMERA, place, "the scene has no camera", Some(help.into()));
            }
            CameraChoice::Auto
        }
        None => CameraChoice::Scene(0),
    }
}
