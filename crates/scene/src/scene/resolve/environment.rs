//! `[environment]`.

use super::super::angle::radians;
use super::super::syntax::Table;
use super::super::{Environment, EnvironmentSource, Sky};
use super::{Resolver, ask};

pub(super) fn environment(resolver: &mut Resolver<'_>, tree: &Table) -> Environment {
    let Some(table) = tree.table("environment") else { return Environment::NONE };
    let source = if table.value("file").is_some() {
        EnvironmentSource::File(resolver.file(table, "file"))
    } else if let Some(sky) = table.table("sky") {
        EnvironmentSource::Sky(self::sky(sky))
    } else if let Some(gradient) = table.table("gradient") {
        let part = |key| ask::rgb(gradient, key).unwrap_or([0.0; 3]);
        EnvironmentSource::Gradient { zenith: part("zenith"), horizon: part("horizon"), ground: part("ground") }
    } else if let Some(color) = ask::rgb(table, "color") {
        EnvironmentSource::Uniform(color)
    } else if ask::flag(table, "auto") == Some(true) {
        EnvironmentSource::Auto
    } else {
        EnvironmentSource::None
    };
    Environment {
        source,
        intensity: ask::float(table, "intensity").unwrap_or(1.0),
        rotation_rad: radians(ask::number(table, "rotation_deg").unwrap_or(0.0)),
    }
}

fn sky(table: &Table) -> Sky {
    let default = Sky::default();
    let angle = |key| ask::number(table, key).map(radians);
    Sky {
        sun_elevation_rad: angle("sun_elevation_deg").unwrap_or(default.sun_elevation_rad),
        sun_azimuth_rad: angle("sun_azimuth_deg").unwrap_or(default.sun_azimuth_rad),
        turbidity: ask::float(table, "turbidity").unwrap_or(default.turbidity),
        ground_albedo: ask::rgb(table, "ground_albedo").unwrap_or(default.ground_albedo),
    }
}
