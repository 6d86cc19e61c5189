//! `[camera.NAME]` and which of them looks.

use glam::{Quat, Vec3};
use stillframe_base::tick::Tick;

use super::super::angle::{direction, radians, rotation_xyz, unit};
use super::super::camera::ORTHOGRAPHIC_FAR_M;
use super::super::control::{KEYS, KINDS};
use super::super::settle::look_rotation;
use super::super::syntax::{Place, Table};
use super::super::words::parse_look;
use super::super::{
    Camera, CameraChoice, CameraControl, ControlInput, ControlKey, ControlKind, Projection, Scene, Thing, code,
};
use super::{Resolver, ask};

/// Most rows of what steers a camera: hours of a mouse.
const INPUTS_MAX: usize = 1 << 20;

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
        let rotation = rotation(resolver, table, position);
        out.push(Camera {
            name: name.to_string(),
            position,
            rotation,
            projection: match height_m {
                Some(height_m) => Projection::Orthographic { height_m },
                None => Projection::Perspective { fov_y_rad: radians(ask::number(table, "fov_y_deg").unwrap_or(45.0)) },
            },
            near_m,
            far_m,
            control: table.table("control").map(|table| control(resolver, table, (position, rotation))),
        });
    }
    out
}

fn control(resolver: &mut Resolver<'_>, table: &Table, (position, rotation): (Vec3, Quat)) -> CameraControl {
    let kind = ask::choice(table, "kind", KINDS).unwrap_or(ControlKind::Fly);
    let mut inputs: Vec<ControlInput> = Vec::new();
    for (place, input) in resolver.few(table.list("input"), INPUTS_MAX, "rows of input") {
        let at_s = ask::number(input, "at_s").unwrap_or(0.0);
        if let Some(before) = inputs.last().filter(|before| Tick::from_seconds(before.at_s) >= Tick::from_seconds(at_s))
        {
            let message = format!("`at_s` is {at_s}, but the row before has {}", before.at_s);
            let place = input.entry("at_s").map_or(place, |entry| entry.value.place);
            resolver.complain(code::KEYS_ORDER, place, message);
        }
        let mut keys = Vec::new();
        for (word, place) in ask::placed_words(input, "keys") {
            keys.extend(ask::meaning(word, KEYS));
            if kind == ControlKind::Walk && matches!(keys.last(), Some(ControlKey::Up | ControlKey::Down)) {
                let help = Some("`kind = \"fly\"` goes up and down".to_string());
                resolver.complain_with(code::WITHOUT_EFFECT, place, format!("`{word}` has no effect on foot"), help);
            }
        }
        inputs.push(ControlInput { at_s, look_px: ask::numbers(input, "look_px").unwrap_or_default(), keys });
    }
    CameraControl {
        kind,
        speed_m_s: ask::number(table, "speed_m_s").unwrap_or(1.0),
        turn_deg_per_px: ask::number(table, "turn_deg_per_px").unwrap_or(CameraControl::TURN_DEG_PER_PX),
        inputs,
        start_position: position,
        start_rotation: rotation,
    }
}

/// What is steered cannot have key frames for where it is.
pub(super) fn check_controls(resolver: &mut Resolver<'_>, tree: &Table, scene: &Scene) {
    for (at, (_, _, table)) in tree.named("camera").enumerate() {
        let Some(entry) = table.entry("control") else { continue };
        for key in ["position", "look_at", "rotation_quat"] {
            if scene.track(Thing::Camera(at), key).is_some() {
                let message = format!("`control` and key frames of `{key}` both move the camera: only one may");
                resolver.complain(code::EXCLUSIVE_KEYS, entry.key_place, message);
            }
        }
    }
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
