//! Tracks: which values of a scene change with time, and the scene at a time.
//!
//! A [`Scene`] always holds the plain values of its own moment (`time_s`), so that nothing behind it knows of key frames;
//! [`Scene::at`] gives it at another one.

use glam::{Quat, Vec3};
use stillframe_base::tick::Tick;

use super::angle::{direction, radians, unit};
use super::curve::Curve;
use super::settle::look_rotation;
use super::{EnvironmentSource, LightKind, MaterialOverride, Placement, Projection, Scene, Shape};
use crate::asset::AlphaMode;

/// What a value belongs to. Numbers are positions in the scene's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    Output,
    Shot(usize),
    Environment,
    Camera(usize),
    /// Of a model: which model, which of its overrides.
    Override(usize, usize),
    Material(usize),
    Node(usize),
    Light(usize),
    /// Of an animator: which animator, which of its parameters.
    Parameter(usize, usize),
    /// Of a node: which node, which of its shapes.
    Morph(usize, usize),
    /// Of a model: which model, which of its proportions.
    Proportion(usize, usize),
}

/// One value that changes with time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    pub thing: Thing,
    /// The key it stands under in a scene file, with a dot before keys of inline tables: `sky.turbidity`. Rotations of every
    /// spelling are `rotation_quat`.
    pub key: String,
    /// In the units of that key.
    pub curve: Curve,
}

impl Scene {
    /// The scene at a time: every value that changes has the value it has then.
    pub fn at(&self, tick: Tick) -> Scene {
        let mut out = self.clone();
        out.move_to(tick.seconds());
        out
    }

    /// Whether the scene's own values differ from moment to moment.
    pub fn has_motion(&self) -> bool {
        !self.tracks.is_empty() || self.cameras.iter().any(|camera| camera.control.is_some())
    }

    /// Turns to another moment.
    pub fn move_to(&mut self, time_s: f64) {
        self.time_s = time_s;
        let tick = Tick::from_seconds(time_s);
        let tracks = std::mem::take(&mut self.tracks);
        // What looks at a point needs its own place first.
        let (aims, others): (Vec<&Track>, Vec<&Track>) = tracks.iter().partition(|track| track.key == "look_at");
        for track in others.into_iter().chain(aims) {
            set(self, track.thing, &track.key, track.curve.at(tick));
        }
        self.tracks = tracks;
        self.steer();
    }

    pub(super) fn sort_tracks(&mut self) {
        self.tracks.sort_by(|a, b| (a.thing, &a.key).cmp(&(b.thing, &b.key)));
    }

    /// The track of a value, if it changes.
    pub fn track(&self, thing: Thing, key: &str) -> Option<&Track> {
        // Sorted by thing, then by key.
        let at = self.tracks.binary_search_by(|t| (t.thing, t.key.as_str()).cmp(&(thing, key)));
        at.ok().map(|at| &self.tracks[at])
    }
}

/// Writes the value of `key` as `resolve` does.
fn set(scene: &mut Scene, thing: Thing, key: &str, value: [f64; 4]) {
    match thing {
        Thing::Output => scene.output.exposure_ev = value[0] as f32,
        Thing::Shot(at) => scene.shots[at].output.exposure_ev = value[0] as f32,
        Thing::Environment => environment(scene, key, value),
        Thing::Camera(at) => {
            let camera = &mut scene.cameras[at];
            let mut placement =
                Placement { position: camera.position, rotation: camera.rotation, ..Placement::IDENTITY };
            if place(&mut placement, key, value) {
                (camera.position, camera.rotation) = (placement.position, placement.rotation);
                return;
            }
            let number = value[0] as f32;
            match (key, &mut camera.projection) {
                ("fov_y_deg", Projection::Perspective { fov_y_rad }) => *fov_y_rad = radians(value[0]),
                ("height_m", Projection::Orthographic { height_m }) => *height_m = number,
                ("near_m", _) => camera.near_m = number,
                ("far_m", _) => camera.far_m = Some(number),
                _ => unreachable!("`{key}` of a camera does not move"),
            }
        }
        Thing::Override(model, at) => material(&mut scene.models[model].overrides[at].1, key, value),
        Thing::Material(at) => material(&mut scene.materials[at].values, key, value),
        Thing::Node(at) => {
            let node = &mut scene.nodes[at];
            if !place(&mut node.placement, key, value)
                && let super::Content::Shape(of) = &mut node.content
            {
                shape(of, key, value);
            }
        }
        Thing::Light(at) => {
            let light = &mut scene.lights[at];
            if key == "color" {
                light.color = three(value);
            } else if !place(&mut light.placement, key, value) {
                self::light(&mut light.kind, key, value);
            }
        }
        Thing::Parameter(animator, at) => {
            scene.animators[animator].graph.parameters[at].initial = value[0] as f32;
        }
        Thing::Proportion(model, at) => scene.models[model].proportions[at].weight = value[0] as f32,
        Thing::Morph(node, at) => scene.nodes[node].morphs[at].weight = value[0],
    }
}

fn three(value: [f64; 4]) -> [f32; 3] {
    [value[0] as f32, value[1] as f32, value[2] as f32]
}

/// Whether the key is one of a placement.
fn place(placement: &mut Placement, key: &str, value: [f64; 4]) -> bool {
    let vector = Vec3::from_array(three(value));
    // A direction without length is only met between keys; there it is the scene's -Z.
    let towards = |to: Vec3| direction(to).map_or(Quat::IDENTITY, |d| look_rotation(d, Vec3::Y));
    match key {
        "position" => placement.position = vector,
        "scale" => placement.scale = vector,
        "rotation_quat" => placement.rotation = unit(value.map(|x| x as f32)).unwrap_or(Quat::IDENTITY),
        "direction" => placement.rotation = towards(vector),
        "look_at" => placement.rotation = towards(vector - placement.position),
        _ => return false,
    }
    true
}

fn environment(scene: &mut Scene, key: &str, value: [f64; 4]) {
    let environment = &mut scene.environment;
    let (number, color) = (value[0] as f32, three(value));
    match (key, &mut environment.source) {
        ("intensity", _) => environment.intensity = number,
        ("rotation_deg", _) => environment.rotation_rad = radians(value[0]),
        ("color", EnvironmentSource::Uniform(of)) => *of = color,
        ("gradient.zenith", EnvironmentSource::Gradient { zenith, .. }) => *zenith = color,
        ("gradient.horizon", EnvironmentSource::Gradient { horizon, .. }) => *horizon = color,
        ("gradient.ground", EnvironmentSource::Gradient { ground, .. }) => *ground = color,
        ("sky.sun_elevation_deg", EnvironmentSource::Sky(sky)) => sky.sun_elevation_rad = radians(value[0]),
        ("sky.sun_azimuth_deg", EnvironmentSource::Sky(sky)) => sky.sun_azimuth_rad = radians(value[0]),
        ("sky.turbidity", EnvironmentSource::Sky(sky)) => sky.turbidity = number,
        ("sky.ground_albedo", EnvironmentSource::Sky(sky)) => sky.ground_albedo = color,
        // The command line chose another source.
        _ => {}
    }
}

fn material(values: &mut MaterialOverride, key: &str, value: [f64; 4]) {
    let number = Some(value[0] as f32);
    match key {
        "base_color" => values.base_color = Some(value.map(|x| x as f32)),
        "metallic" => values.metallic = number,
        "roughness" => values.roughness = number,
        "normal_scale" => values.normal_scale = number,
        "occlusion_strength" => values.occlusion_strength = number,
        "emissive" => values.emissive = Some(three(value)),
        "alpha_cutoff" => values.alpha_mode = Some(AlphaMode::Mask { cutoff: value[0] as f32 }),
        _ => unreachable!("`{key}` of a material does not move"),
    }
}

fn shape(shape: &mut Shape, key: &str, value: [f64; 4]) {
    let number = value[0] as f32;
    let vector = Vec3::from_array(three(value));
    match (key, shape) {
        (
            "radius_m",
            Shape::Sphere { radius_m, .. }
            | Shape::Icosphere { radius_m, .. }
            | Shape::Disk { radius_m, .. }
            | Shape::Cylinder { radius_m, .. }
            | Shape::Cone { radius_m, .. }
            | Shape::Capsule { radius_m, .. },
        ) => *radius_m = number,
        (
            "height_m",
            Shape::Cylinder { height_m, .. } | Shape::Cone { height_m, .. } | Shape::Capsule { height_m, .. },
        ) => *height_m = number,
        ("major_radius_m", Shape::Torus { major_radius_m, .. }) => *major_radius_m = number,
        ("minor_radius_m", Shape::Torus { minor_radius_m, .. }) => *minor_radius_m = number,
        ("size_m", Shape::Box { size_m }) => *size_m = vector,
        ("size_m", Shape::Plane { size_m, .. } | Shape::Quad { size_m, .. }) => *size_m = [vector.x, vector.y],
        ("uv_scale", Shape::Plane { uv_scale, .. } | Shape::Quad { uv_scale, .. }) => *uv_scale = number,
        ("a_m", Shape::Triangle { points_m }) => points_m[0] = vector,
        ("b_m", Shape::Triangle { points_m }) => points_m[1] = vector,
        ("c_m", Shape::Triangle { points_m }) => points_m[2] = vector,
        (key, shape) => unreachable!("`{key}` of {shape:?} does not move"),
    }
}

fn light(kind: &mut LightKind, key: &str, value: [f64; 4]) {
    let number = value[0] as f32;
    match (key, kind) {
        ("illuminance_lux", LightKind::Directional { illuminance_lux }) => *illuminance_lux = number,
        ("intensity_cd", LightKind::Point { intensity_cd, .. } | LightKind::Spot { intensity_cd, .. }) => {
            *intensity_cd = number;
        }
        ("range_m", LightKind::Point { range_m, .. } | LightKind::Spot { range_m, .. }) => *range_m = Some(number),
        ("inner_deg", LightKind::Spot { inner_rad, .. }) => *inner_rad = radians(value[0]),
        ("outer_deg", LightKind::Spot { outer_rad, .. }) => *outer_rad = radians(value[0]),
        (key, kind) => unreachable!("`{key}` of {kind:?} does not move"),
    }
}
