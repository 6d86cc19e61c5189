//! The text form of a shot.

use std::fmt::Write;

use glam::{Mat4, Vec3};

use super::{DrawItem, Shot};
use crate::asset::Store;

/// A shot as text: camera, lights, then each list in its order. Floats are printed so that they read back exactly.
pub fn dump(shot: &Shot, store: &Store) -> String {
    let mut out = String::from("shot\n");
    let camera = &shot.camera;
    line(&mut out, format_args!("camera {:?} near {:?} far {:?}", camera.projection, camera.near_m, camera.far_m));
    line(&mut out, format_args!("  position {}", vec3(camera.position)));
    line(&mut out, format_args!("  view_from_world {}", matrix(camera.view_from_world)));
    line(&mut out, format_args!("  clip_from_view {}", matrix(camera.clip_from_view)));
    for light in &shot.lights {
        line(
            &mut out,
            format_args!(
                "light {:?} {} color {:?} position {} direction {} shadow {}",
                light.name,
                light.kind.in_words(),
                light.color,
                vec3(light.position),
                vec3(light.direction),
                light.shadow.map_or("false".to_string(), |shadow| shadow.text())
            ),
        );
    }
    let lists =
        [("opaque", &shot.opaque), ("blended", &shot.blended), ("casters", &shot.casters), ("veils", &shot.veils)];
    for (name, list) in lists {
        line(&mut out, format_args!("{name} {}", list.len()));
        for item in list {
            draw(&mut out, item, shot, store);
        }
    }
    line(&mut out, format_args!("bounds {} .. {}", vec3(shot.bounds_world.min), vec3(shot.bounds_world.max)));
    out
}

fn draw(out: &mut String, item: &DrawItem, shot: &Shot, store: &Store) {
    let geometry = store.geometry(item.geometry);
    line(
        out,
        format_args!(
            "  {} {:?} geometry {} ({} vertices, {} triangles) material {} {:?}{}",
            item.object_id,
            shot.object_names[item.object_id as usize - 1],
            item.geometry.index(),
            geometry.positions.len(),
            geometry.indices.len() / 3,
            item.material.index(),
            store.material(item.material).name,
            if item.mirrored { " mirrored" } else { "" }
        ),
    );
    line(out, format_args!("    world_from_local {}", matrix(item.world_from_local)));
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a text never fails");
    out.push('\n');
}

fn vec3(v: Vec3) -> String {
    format!("({:?} {:?} {:?})", v.x, v.y, v.z)
}

/// By columns.
fn matrix(m: Mat4) -> String {
    let columns = m.to_cols_array_2d().map(|c| format!("({:?} {:?} {:?} {:?})", c[0], c[1], c[2], c[3]));
    columns.join(" ")
}
