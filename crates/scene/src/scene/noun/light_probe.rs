//! `[[light_probe]]`: light from around that holds in one place: a room and not the sky over it.

use std::path::PathBuf;

use super::placement::{self, DIRECTIONS, LOOK_AT, POSITION, Placement, ROTATION_DEG, ROTATION_QUAT};
use crate::scene::code;
use crate::scene::fields::Fields;
use crate::scene::key::{Key, Moved, flag, number, numbers, optional, rows, whole};
use crate::scene::printer::Printer;
use crate::scene::resolver::{LIGHT_PROBES_MAX, OwnNames, Resolver};
use crate::scene::schema::{ANY, Kind, NOT_NEGATIVE, POSITIVE, Rising, Row, Type, kind, range};
use crate::scene::text::syntax::Table;
use crate::scene::track::Thing;

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[
        DIRECTIONS,
        &[TEXTURE.name(), SIZE_PX.name()],
        &[TEXTURE.name(), NEAR_M.name()],
        &[TEXTURE.name(), FAR_M.name()],
    ],
    rising: &[Rising { low: NEAR_M.name(), high: FAR_M.name(), beside: None }],
    thing: Some(|at| Thing::LightProbe(at[0])),
    ..kind(
        "[[light_probe]]",
        "Light from around that holds in a box, in place of the environment's: what is seen from the probe, or a picture. A captured probe sees the scene by its lights and the environment, not by other probes. Where boxes overlap, probes mix; outside of all, there is the environment.",
        KEYS,
    )
};

const NAME: Key<Option<String>> =
    optional("name", Type::Text, "`light_probe`", "Name for `--set` and messages. Must be unique.");
const SIZE_M: Key<Option<[f32; 3]>> = optional(
    "size_m",
    Type::Numbers { count: 3, range: POSITIVE },
    "no box: it holds everywhere",
    "Lengths of the box along the probe's axes.",
)
.moves();
const OFFSET_M: Key<[f32; 3]> =
    numbers("offset_m", &[0.0, 0.0, 0.0], ANY, "The middle of the box, from the probe, along the probe's axes.")
        .moves();
const BLEND_M: Key<f32> =
    number("blend_m", 0.1, NOT_NEGATIVE, "Outside of the box the probe fades over this distance.").moves();
const PARALLAX: Key<bool> = flag(
    "parallax",
    true,
    "Whether reflections show the walls of the box where they are, not as if they were far away.",
);
const INTENSITY: Key<f32> = number("intensity", 1.0, range(0.0, 1e6), "Multiplies the radiance.").moves();
const TEXTURE: Key<Option<String>> = optional(
    "texture",
    Type::File,
    "none: the scene is captured",
    "An equirectangular picture, `.hdr` or `.exr`, as `file` of `[environment]`. It turns with the probe.",
);
const SIZE_PX: Key<u32> =
    whole("size_px", 64, 16, 256, "Width of each of the six pictures that are captured, made a power of two.");
const NEAR_M: Key<f32> = number("near_m", 0.05, POSITIVE, "Nothing nearer is captured.").moves();
const FAR_M: Key<Option<f32>> =
    optional("far_m", Type::Number(POSITIVE), "no end", "Nothing farther is captured.").moves();
static KEYS: &[Row] = rows! {
    NAME, POSITION, LOOK_AT, ROTATION_DEG, ROTATION_QUAT, SIZE_M, OFFSET_M, BLEND_M, PARALLAX, INTENSITY, TEXTURE,
    SIZE_PX, NEAR_M, FAR_M
};

/// Looks from its position along its axes.
#[derive(Clone, Debug, PartialEq)]
pub struct LightProbe {
    pub name: String,
    pub placement: Placement,
    /// `None`: it holds everywhere.
    pub bounds: Option<ProbeBounds>,
    /// Multiplies radiance.
    pub intensity: f32,
    pub source: ProbeSource,
}

/// Where a probe's light is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbeBounds {
    /// Lengths along the probe's axes.
    pub size_m: [f32; 3],
    /// The middle, from the probe.
    pub offset_m: [f32; 3],
    /// It fades over this distance outside of the box.
    pub blend_m: f32,
    /// What it shows is on the walls of the box.
    pub parallax: bool,
}

/// What a probe's light comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum ProbeSource {
    /// An equirectangular picture, absolute.
    File(PathBuf),
    /// The scene as it is seen from there, in six pictures of this width.
    Captured { size_px: u32, near_m: f32, far_m: Option<f32> },
}

pub(crate) fn light_probes(resolver: &mut Resolver<'_>, tree: &Table) -> Vec<LightProbe> {
    let mut out = Vec::new();
    let mut names = OwnNames::new(resolver, tree.list("light_probe").map(|(_, table)| table), "light probe");
    for (index, (place, table)) in tree.list("light_probe").enumerate() {
        if index == LIGHT_PROBES_MAX {
            resolver.complain(code::TOO_MANY, place, format!("more than {LIGHT_PROBES_MAX} light probes"));
            break;
        }
        let bounds = table.ask(SIZE_M).map(|size_m| ProbeBounds {
            size_m,
            offset_m: table.ask(OFFSET_M),
            blend_m: table.ask(BLEND_M),
            parallax: table.ask(PARALLAX),
        });
        if !table.has(SIZE_M) {
            for key in [OFFSET_M.name(), BLEND_M.name(), PARALLAX.name()] {
                resolver.without_effect_of(table, key, "without `size_m`", Some("add `size_m`, or remove it"));
            }
        }
        let (near_m, far_m) = (table.ask(NEAR_M), table.ask(FAR_M));
        resolver.far_beyond_near(table, near_m, far_m);
        out.push(LightProbe {
            name: names.name(table, "light_probe"),
            placement: placement::placement(resolver, table, POSITION),
            bounds,
            intensity: table.ask(INTENSITY),
            source: match table.has(TEXTURE) {
                true => ProbeSource::File(resolver.file(table, TEXTURE)),
                false => ProbeSource::Captured { size_px: table.ask(SIZE_PX).next_power_of_two(), near_m, far_m },
            },
        });
    }
    out
}

pub(crate) fn print(out: &mut Printer<'_>, probe: &LightProbe) {
    let LightProbe { name, placement, mut bounds, mut intensity, mut source } = probe.clone();
    out.line(NAME, Some(name));
    placement::print(out, &placement);
    if let ProbeSource::File(file) = &source {
        out.file(TEXTURE, file);
    }
    fields(&mut Fields::Print(out), (&mut bounds, &mut intensity, &mut source));
}

pub(crate) fn moved(probe: &mut LightProbe, moved: Moved<'_>) {
    placement::moved(&mut probe.placement, &moved);
    fields(&mut Fields::Move(moved), (&mut probe.bounds, &mut probe.intensity, &mut probe.source));
}

/// What is plain of it.
fn fields(
    on: &mut Fields<'_, '_>,
    (bounds, intensity, source): (&mut Option<ProbeBounds>, &mut f32, &mut ProbeSource),
) {
    if let Some(ProbeBounds { size_m, offset_m, blend_m, parallax }) = bounds {
        let mut size = Some(*size_m);
        on.field(SIZE_M, &mut size);
        *size_m = size.unwrap_or(*size_m);
        on.field(OFFSET_M, offset_m);
        on.field(BLEND_M, blend_m);
        on.field(PARALLAX, parallax);
    }
    on.field(INTENSITY, intensity);
    if let ProbeSource::Captured { size_px, near_m, far_m } = source {
        on.field(SIZE_PX, size_px);
        on.field(NEAR_M, near_m);
        on.field(FAR_M, far_m);
    }
}
