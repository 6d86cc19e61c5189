//! `[output]` and `[shot.NAME]`.

use super::super::syntax::Table;
use super::super::{Aov, Background, CameraChoice, Ground, Lighting, Output, SceneShot, Tonemap, parse_frames};
use super::ask;

/// All that the table says, but for the camera and the name.
pub(super) fn output(table: &Table) -> SceneShot {
    let [width_px, height_px] = ask::numbers::<2>(table, "size_px").unwrap_or([512.0; 2]).map(|n| n as u32);
    let aov: Vec<Aov> = ask::words(table, "aov").into_iter().filter_map(Aov::parse).collect();
    SceneShot {
        name: String::new(),
        output: Output {
            width_px,
            height_px,
            samples: ask::whole(table, "samples").unwrap_or(4),
            tonemap: ask::choice(table, "tonemap", Tonemap::WORDS).unwrap_or(Tonemap::Agx),
            exposure_ev: ask::float(table, "exposure_ev").unwrap_or(0.0),
            background: background(table),
            fps: ask::number(table, "fps").unwrap_or(30.0),
            frames: ask::text(table, "frames").and_then(|text| parse_frames(text).ok()),
            aov: if aov.is_empty() { vec![Aov::Color] } else { aov },
        },
        camera: CameraChoice::Auto,
        shadows: ask::flag(table, "shadows").unwrap_or(true),
        lighting: ask::choice(table, "lighting", Lighting::WORDS).unwrap_or(Lighting::File),
        model_lights: ask::flag(table, "model_lights").unwrap_or(true),
        ground: ask::choice(table, "ground", Ground::WORDS).unwrap_or(Ground::Off),
        max_mip: ask::whole(table, "max_mip"),
        time_s: ask::number(table, "time_s").unwrap_or(0.0),
    }
}

fn background(table: &Table) -> Background {
    match ask::text(table, "background") {
        Some("auto") => Background::Auto,
        Some("environment") => Background::Environment,
        Some("transparent") => Background::Transparent,
        _ => Background::Color(ask::rgb(table, "background").unwrap_or([0.0; 3])),
    }
}
