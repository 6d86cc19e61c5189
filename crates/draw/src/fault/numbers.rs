//! Numbers: paths into the data between two links.

use std::sync::Arc;

use glam::Mat4;

use super::NumberEdit;
use crate::asset::{Store, Texels};
use crate::scene::Projection;
use crate::world::{World, WorldLight};

/// What a [`NumberEdit`] may name.
pub const PATHS: &[&str] = &[
    "geometry.position.x",
    "geometry.position.y",
    "geometry.position.z",
    "geometry.normal.x",
    "geometry.normal.y",
    "geometry.normal.z",
    "geometry.tangent.w",
    "geometry.uv0.x",
    "geometry.uv0.y",
    "geometry.color.r",
    "image.texel",
    "image.level",
    "material.base_color",
    "material.alpha",
    "material.metallic",
    "material.roughness",
    "material.normal_scale",
    "material.occlusion",
    "material.emissive",
    "item.x",
    "item.y",
    "item.z",
    "item.turn",
    "light.color",
    "light.x",
    "light.y",
    "light.z",
    "light.range",
    "light.cone",
    "camera.x",
    "camera.y",
    "camera.z",
    "camera.fov",
];

impl NumberEdit {
    fn apply(&self, value: &mut f32) {
        *value = *value * self.scale + self.add;
    }

    fn means(&self, name: &str) -> bool {
        self.of.is_empty() || name.starts_with(&self.of)
    }
}

fn axis(path: &str) -> usize {
    match path.rsplit('.').next() {
        Some("y") => 1,
        Some("z") => 2,
        Some("w") => 3,
        _ => 0,
    }
}

/// Changes what is loaded; how many numbers.
pub fn edit_store(edits: &[NumberEdit], store: &mut Store) -> usize {
    let mut count = 0;
    for edit in edits {
        let mut change = |value: &mut f32| {
            edit.apply(value);
            count += 1;
        };
        let at = axis(&edit.path);
        match edit.path.as_str() {
            path if path.starts_with("geometry.") => {
                for geometry in store.geometries.as_mut_slice().iter_mut().map(Arc::make_mut) {
                    match path {
                        _ if path.starts_with("geometry.position") => {
                            geometry.positions.iter_mut().for_each(|p| change(&mut p[at]));
                        }
                        _ if path.starts_with("geometry.normal") => {
                            geometry.normals.iter_mut().for_each(|n| change(&mut n[at]));
                        }
                        "geometry.tangent.w" => geometry.tangents.iter_mut().for_each(|t| change(&mut t[3])),
                        "geometry.color.r" => geometry.colors.iter_mut().for_each(|c| change(&mut c[0])),
                        _ => geometry.uv0.iter_mut().for_each(|uv| change(&mut uv[at])),
                    }
                }
            }
            "image.texel" | "image.level" => {
                let images = store.images.as_mut_slice().iter_mut();
                for image in images.filter(|image| edit.means(&image.name)).map(Arc::make_mut) {
                    let whole = (edit.path == "image.texel").then_some(&mut image.texels);
                    for texels in whole.into_iter().chain(&mut image.levels) {
                        edit_texels(texels, &mut change);
                    }
                }
            }
            path => {
                let materials = store.materials.as_mut_slice().iter_mut();
                for material in materials.filter(|material| edit.means(&material.name)) {
                    match path {
                        "material.base_color" => material.base_color[..3].iter_mut().for_each(&mut change),
                        "material.alpha" => change(&mut material.base_color[3]),
                        "material.metallic" => change(&mut material.metallic),
                        "material.roughness" => change(&mut material.roughness),
                        "material.normal_scale" => change(&mut material.normal_scale),
                        "material.occlusion" => change(&mut material.occlusion_strength),
                        "material.emissive" => material.emissive.iter_mut().for_each(&mut change),
                        _ => {}
                    }
                }
            }
        }
    }
    count
}

fn edit_texels(texels: &mut Texels, change: &mut dyn FnMut(&mut f32)) {
    let mut scaled = |value: f32, most: f32| {
        let mut value = value / most;
        change(&mut value);
        (value * most + 0.5).clamp(0.0, most)
    };
    match texels {
        Texels::Rgba8(values) => values.iter_mut().for_each(|v| *v = scaled(f32::from(*v), 255.0) as u8),
        Texels::Rgba16(values) => values.iter_mut().for_each(|v| *v = scaled(f32::from(*v), 65535.0) as u16),
        Texels::Rgba32Float(values) => values.iter_mut().for_each(change),
    }
}

/// Changes what is placed; how many numbers.
pub fn edit_world(edits: &[NumberEdit], world: &mut World) -> usize {
    let mut count = 0;
    for edit in edits {
        let at = axis(&edit.path);
        let mut change = |value: &mut f32| {
            edit.apply(value);
            count += 1;
        };
        match edit.path.as_str() {
            path if path.starts_with("item.") => {
                for item in &mut world.items {
                    if !edit.means(&world.object_names[item.object_id as usize - 1]) {
                        continue;
                    }
                    if path == "item.turn" {
                        let mut turn_rad = 0.0;
                        change(&mut turn_rad);
                        item.world_from_local *= Mat4::from_rotation_y(turn_rad);
                    } else {
                        change(&mut item.world_from_local.w_axis[at]);
                    }
                }
            }
            path if path.starts_with("light.") => {
                world
                    .lights
                    .iter_mut()
                    .filter(|light| edit.means(&light.name))
                    .for_each(|l| edit_light(path, l, &mut change));
            }
            path if path.starts_with("camera.") => {
                for camera in world.cameras.iter_mut().filter(|camera| edit.means(&camera.name)) {
                    match (path, &mut camera.projection) {
                        ("camera.fov", Projection::Perspective { fov_y_rad }) => change(fov_y_rad),
                        ("camera.fov", Projection::Orthographic { height_m }) => change(height_m),
                        _ => change(&mut camera.world_from_local.w_axis[at]),
                    }
                }
            }
            _ => {}
        }
    }
    count
}

/// Changes one light.
fn edit_light(path: &str, light: &mut WorldLight, change: &mut dyn FnMut(&mut f32)) {
    use crate::scene::LightKind;
    match (path, &mut light.kind) {
        ("light.color", _) => light.color.iter_mut().for_each(change),
        ("light.x" | "light.y" | "light.z", _) => change(&mut light.world_from_local.w_axis[axis(path)]),
        ("light.range", LightKind::Point { range_m, .. } | LightKind::Spot { range_m, .. }) => {
            if let Some(range_m) = range_m {
                change(range_m);
            }
        }
        ("light.cone", LightKind::Spot { outer_rad, .. }) => change(outer_rad),
        _ => {}
    }
}
