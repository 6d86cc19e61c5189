//! `[output]`.

use super::super::syntax::Table;
use super::super::{Background, Ground, Lighting, Output, Tonemap};
use super::ask;

pub(super) fn output(table: &Table) -> Output {
    let [width_px, height_px] = ask::numbers::<2>(table, "size_px").unwrap_or([512.0; 2]).map(|n| n as u32);
    Output {
        width_px,
        height_px,
        samples: ask::whole(table, "samples").unwrap_or(4),
        tonemap: ask::choice(table, "tonemap", Tonemap::WORDS).unwrap_or(Tonemap::Agx),
        exposure_ev: ask::float(table, "exposure_ev").unwrap_or(0.0),
        background: background(table),
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

pub(super) fn lighting(table: &Table) -> Lighting {
    ask::choice(table, "lighting", Lighting::WORDS).unwrap_or(Lighting::File)
}

pub(super) fn ground(table: &Table) -> Ground {
    ask::choice(table, "ground", Ground::WORDS).unwrap_or(Ground::Off)
}
