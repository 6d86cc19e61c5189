//! `[environment]`: what surrounds a scene.

mod gradient;
mod sky;

use std::path::PathBuf;

use crate::scene::angle::radians;
use crate::scene::fields::Fields;
use crate::scene::key::{Inner, Key, Moved, number, optional, rows, whole};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{ANY, COLOR as RADIANCE, Kind, Row, Type, UNIT, kind, range};
use crate::scene::text::syntax::Table;
use crate::scene::track::Thing;

pub(crate) use gradient::TABLE as GRADIENT_TABLE;
pub use sky::Sky;
pub(crate) use sky::TABLE as SKY_TABLE;

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[&[FILE.name(), SKY.name(), COLOR.name(), GRADIENT.name(), STUDIO.name(), AUTO.name()]],
    thing: Some(|_| Thing::Environment),
    ..kind(
        "[environment]",
        "The surroundings of the scene. They light it, show in reflections and can be the background. Without this table there are none.",
        KEYS,
    )
};

const FILE: Key<Option<String>> = optional(
    "file",
    Type::File,
    "none",
    "An equirectangular picture, `.hdr` or `.exr`. Its middle is towards +X, its top towards +Y.",
);
const SKY: Key<Inner> =
    optional("sky", Type::Table(&SKY_TABLE), "none", "A computed daylight sky; `{}` for all its defaults.");
const COLOR: Key<Option<[f32; 3]>> =
    optional("color", RADIANCE, "none", "The same radiance from all directions.").moves();
const GRADIENT: Key<Inner> =
    optional("gradient", Type::Table(&GRADIENT_TABLE), "none", "Radiance that depends on the height of a direction.");
const STUDIO: Key<Option<bool>> = optional(
    "studio",
    Type::Bool,
    "false",
    "A calm grey room with soft boxes: a large one above, one at the right front, strips at the left and behind.",
);
const AUTO: Key<Option<bool>> =
    optional("auto", Type::Bool, "false", "A neutral grey sky, only if the files have no lights.");
const INTENSITY: Key<f32> = number("intensity", 1.0, range(0.0, 1e6), "Multiplies the radiance.").moves();
const ROTATION_DEG: Key<f64> =
    number("rotation_deg", 0.0, ANY, "Turns it about +Y, counter-clockwise seen from above.").moves();
const BLUR: Key<f32> = number(
    "blur",
    0.0,
    UNIT,
    "How blurred it is as the background: what a mirror of this roughness shows. Light and reflections stay as they are.",
)
.moves();
const QUALITY: Key<u32> = whole(
    "quality",
    0,
    0,
    4096,
    "Directions that each texel of its reflections is a sum over; 0 mixes them from blurs, which is fast and within 5 %.",
);
static KEYS: &[Row] = rows! { FILE, SKY, COLOR, GRADIENT, STUDIO, AUTO, INTENSITY, ROTATION_DEG, BLUR, QUALITY };

#[derive(Clone, Debug, PartialEq)]
pub struct Environment {
    pub source: EnvironmentSource,
    /// Multiplies radiance.
    pub intensity: f32,
    /// About +Y, counter-clockwise seen from above.
    pub rotation_rad: f32,
    /// As the background: the roughness of the mirror that would show it so.
    pub blur: f32,
    /// Directions for each texel of reflections; 0: they are mixed from blurs.
    pub quality: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum EnvironmentSource {
    /// Not decided until the files are loaded: see `Scene::settle`, after which this is gone.
    Auto,
    /// Black, no ambient light.
    None,
    Sky(Sky),
    /// Equirectangular EXR or HDR, absolute path; u = atan2(z, x) / 2 pi + 0.5, top row +Y.
    File(PathBuf),
    /// Constant radiance, linear.
    Uniform([f32; 3]),
    /// A grey room with soft boxes.
    Studio,
    /// Radiance by the height `y` of the unit direction, linear: `mix(horizon, zenith, y)` above the horizon,
    /// `mix(horizon, ground, -y)` below.
    Gradient {
        zenith: [f32; 3],
        horizon: [f32; 3],
        ground: [f32; 3],
    },
}

impl Environment {
    /// No light from around.
    pub const NONE: Environment =
        Environment { source: EnvironmentSource::None, intensity: 1.0, rotation_rad: 0.0, blur: 0.0, quality: 0 };
}

pub(crate) fn environment(resolver: &mut Resolver<'_>, tree: &Table) -> Environment {
    let Some(table) = tree.table("environment") else { return Environment::NONE };
    let source = if table.has(FILE) {
        EnvironmentSource::File(resolver.file(table, FILE))
    } else if let Some(inner) = table.inner(SKY) {
        let mut sky = Sky::default();
        sky::fields(&mut Fields::Read(inner), &mut sky);
        EnvironmentSource::Sky(sky)
    } else if let Some(inner) = table.inner(GRADIENT) {
        let [mut zenith, mut horizon, mut ground] = [[0.0; 3]; 3];
        gradient::fields(&mut Fields::Read(inner), [&mut zenith, &mut horizon, &mut ground]);
        EnvironmentSource::Gradient { zenith, horizon, ground }
    } else if let Some(color) = table.ask(COLOR) {
        EnvironmentSource::Uniform(color)
    } else if table.ask(STUDIO) == Some(true) {
        EnvironmentSource::Studio
    } else if table.ask(AUTO) == Some(true) {
        EnvironmentSource::Auto
    } else {
        EnvironmentSource::None
    };
    Environment {
        source,
        intensity: table.ask(INTENSITY),
        rotation_rad: radians(table.ask(ROTATION_DEG)),
        blur: table.ask(BLUR),
        quality: table.ask(QUALITY),
    }
}

pub(crate) fn print(out: &mut Printer<'_>, environment: &Environment) {
    // One without a source may still turn: what the file says stays said.
    let moves = || out.scene.tracks.iter().any(|track| track.thing == Thing::Environment);
    if *environment == Environment::NONE && !moves() {
        return;
    }
    out.begin(Thing::Environment, "[environment]");
    let Environment { mut source, mut intensity, mut rotation_rad, mut blur, mut quality } = environment.clone();
    match &mut source {
        EnvironmentSource::None => {}
        EnvironmentSource::Auto => out.line(AUTO, Some(true)),
        EnvironmentSource::Studio => out.line(STUDIO, Some(true)),
        EnvironmentSource::File(file) => out.file(FILE, file),
        EnvironmentSource::Uniform(color) => out.line(COLOR, Some(*color)),
        EnvironmentSource::Gradient { zenith, horizon, ground } => {
            let mut inner = out.inline_of(GRADIENT);
            gradient::fields(&mut Fields::Inline(&mut inner), [zenith, horizon, ground]);
            out.table(GRADIENT, inner);
        }
        EnvironmentSource::Sky(sky) => {
            let mut inner = out.inline_of(SKY);
            sky::fields(&mut Fields::Inline(&mut inner), sky);
            out.table(SKY, inner);
        }
    }
    let mut on = Fields::Print(out);
    on.field(INTENSITY, &mut intensity);
    on.angle(ROTATION_DEG, &mut rotation_rad);
    on.field(BLUR, &mut blur);
    on.field(QUALITY, &mut quality);
}

/// Nothing where the command line chose another source than the one that moves.
pub(crate) fn moved(environment: &mut Environment, moved: Moved<'_>) {
    match &mut environment.source {
        EnvironmentSource::Uniform(color) => {
            if let Some(Some(value)) = moved.of(COLOR) {
                *color = value;
            }
        }
        EnvironmentSource::Gradient { zenith, horizon, ground } => {
            if let Some(inner) = moved.inside(GRADIENT) {
                gradient::fields(&mut Fields::Move(inner), [zenith, horizon, ground]);
            }
        }
        EnvironmentSource::Sky(sky) => {
            if let Some(inner) = moved.inside(SKY) {
                sky::fields(&mut Fields::Move(inner), sky);
            }
        }
        EnvironmentSource::None | EnvironmentSource::Auto | EnvironmentSource::Studio | EnvironmentSource::File(_) => {}
    }
    let mut on = Fields::Move(moved);
    on.field(INTENSITY, &mut environment.intensity);
    on.angle(ROTATION_DEG, &mut environment.rotation_rad);
    on.field(BLUR, &mut environment.blur);
}

/// Whether the key is of the environment, whatever its source.
pub(crate) fn is_of_any_source(key: &str) -> bool {
    [INTENSITY.name(), ROTATION_DEG.name(), BLUR.name()].contains(&key)
}
