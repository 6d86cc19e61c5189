//! `[[light]]`: lights, in physical units. One file per kind; `CASES` lists them.

mod area;
mod directional;
mod disk;
mod function;
mod hemisphere;
mod point;
mod rect;
mod sh9;
mod shadow;
mod sphere;
mod spot;
mod tube;
mod window;

pub use function::LightFunction;
pub use shadow::{MapLayout, Serves, Shadow, ShadowFit, ShadowReads, ShadowRow, ShadowTechnique, shadows_markdown};
pub(crate) use shadow::{TABLE as SHADOW_TABLE, refused as refused_shadow};
pub use window::{Rim, Window};

use std::path::{Path, PathBuf};

use super::material::SceneMaterial;
use super::placement::{self, DIRECTION, LOOK_AT, POSITION, Placement, ROTATION_DEG, ROTATION_QUAT};
use crate::scene::code;
use crate::scene::fields::{Case, Fields, case_fields, read_case, variants_of, word_of};
use crate::scene::key::{Key, Moved, color, key, optional, rows, words_of};
use crate::scene::printer::Printer;
use crate::scene::resolver::{LIGHTS_MAX, Names, OwnNames, Resolver};
use crate::scene::schema::{Constant, Kind, NUMBER_MAX, Rising, Row, Type, Variant, Variants, kind};
use crate::scene::text::syntax::Table;
use crate::scene::track::Thing;

/// A light. It shines along its node's local -Z.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    pub name: String,
    /// Linear, multiplies the photometric quantity.
    pub color: [f32; 3],
    pub kind: LightKind,
    /// `None`: it casts none.
    pub shadow: Option<Shadow>,
    pub function: Option<LightFunction>,
    /// Position in `Scene::nodes` of the parent, if any.
    pub parent: Option<usize>,
    pub placement: Placement,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LightKind {
    Directional {
        illuminance_lux: f32,
        /// Of what shines, as it is seen: 0 for rays that are all parallel.
        angular_diameter_rad: f32,
    },
    Point {
        intensity_cd: f32,
        range_m: Option<f32>,
        window: Window,
        /// An IES file, absolute.
        profile: Option<PathBuf>,
        /// Whether its brightest direction has the intensity.
        normalize: bool,
    },
    /// Half angles from the axis.
    Spot {
        intensity_cd: f32,
        range_m: Option<f32>,
        window: Window,
        inner_rad: f32,
        outer_rad: f32,
        rim: Rim,
        /// Of `Rim::Book`.
        falloff: f32,
    },
    /// Luminance of what is above and of what is below.
    Hemisphere {
        up: [f32; 3],
        down: [f32; 3],
    },
    /// Radiance in spherical harmonics: L00, L1-1, L10, L11, L2-2, L2-1, L20, L21, L22.
    Sh9 {
        coefficients: [[f32; 3]; 9],
    },
    /// Across the axis; shines along it.
    Rect {
        luminance_nits: f32,
        size_m: [f32; 2],
        two_sided: bool,
        /// A picture that it shows, absolute.
        texture: Option<PathBuf>,
    },
    /// Across the axis; shines along it.
    Disk {
        luminance_nits: f32,
        radius_m: f32,
        two_sided: bool,
    },
    Sphere {
        luminance_nits: f32,
        radius_m: f32,
    },
    /// Along local X, with round ends beyond its length.
    Tube {
        luminance_nits: f32,
        length_m: f32,
        radius_m: f32,
    },
}

impl LightKind {
    /// For dumps: a file by its name alone.
    pub fn in_words(&self) -> String {
        let mut kind = self.clone();
        if let Some((_, Some(file))) = kind.file_mut() {
            *file = file.file_name().map(PathBuf::from).unwrap_or_default();
        }
        format!("{kind:?}")
    }

    /// The file that it names.
    pub fn file(&self) -> Option<&Path> {
        match self {
            LightKind::Point { profile: file, .. } | LightKind::Rect { texture: file, .. } => file.as_deref(),
            _ => None,
        }
    }

    /// The file that it may name, and the key that names it.
    fn file_mut(&mut self) -> Option<(Key<Option<String>>, &mut Option<PathBuf>)> {
        match self {
            LightKind::Point { profile, .. } => Some((point::PROFILE, profile)),
            LightKind::Rect { texture, .. } => Some((rect::TEXTURE, texture)),
            _ => None,
        }
    }

    /// A lamp of KHR_lights_punctual that shines everywhere.
    pub const fn point(intensity_cd: f32, range_m: Option<f32>) -> LightKind {
        LightKind::Point { intensity_cd, range_m, window: Window::Gltf, profile: None, normalize: false }
    }

    /// A lamp of KHR_lights_punctual that shines into a cone, by its half angles `[inner, outer]`.
    pub const fn spot(intensity_cd: f32, range_m: Option<f32>, half_rad: [f32; 2]) -> LightKind {
        let [inner_rad, outer_rad] = half_rad;
        let (window, rim) = (Window::Gltf, Rim::Gltf);
        LightKind::Spot { intensity_cd, range_m, window, inner_rad, outer_rad, rim, falloff: 1.0 }
    }
}

const KINDS: usize = 9;
static CASES: [Case<LightKind>; KINDS] = [
    directional::CASE,
    point::CASE,
    spot::CASE,
    hemisphere::CASE,
    rect::CASE,
    disk::CASE,
    sphere::CASE,
    tube::CASE,
    sh9::CASE,
];
static VARIANTS: [Variant; KINDS] = variants_of(&CASES);
static WORDS: [&str; KINDS] = words_of(&VARIANTS);
const DEFAULT: &str = "directional";

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[&[DIRECTION.name(), LOOK_AT.name(), ROTATION_DEG.name(), ROTATION_QUAT.name()]],
    variants: Some(&Variants { selector: KIND.name(), default: Some(DEFAULT), cases: &VARIANTS }),
    rising: &[Rising { low: spot::INNER_DEG.name(), high: spot::OUTER_DEG.name(), beside: None }],
    thing: Some(|at| Thing::Light(at[0])),
    ..kind("[[light]]", "A light shines along its -Z axis. Without a direction, it shines along the scene's -Z.", KEYS)
};

const NAME: Key<Option<String>> =
    optional("name", Type::Text, "its kind", "Name for `--set` and messages. Must be unique.");
const PARENT: Key<Option<String>> = optional("parent", Type::Name("node"), "none", "The node it moves with.");
const KIND: Key<String> = key("kind", Type::Choice(&WORDS), Constant::Word(DEFAULT), "What the light is like.");
const COLOR: Key<[f32; 3]> =
    color("color", &[1.0, 1.0, 1.0], NUMBER_MAX, "Multiplies the illuminance or intensity.").moves();
static KEYS: &[Row] = rows! {
    NAME, PARENT, KIND, POSITION, DIRECTION, LOOK_AT, ROTATION_DEG, ROTATION_QUAT, COLOR, shadow::SHADOW
};

/// `nodes` and `materials` are positions in the resolved nodes and materials.
pub(crate) fn lights(
    resolver: &mut Resolver<'_>,
    tree: &Table,
    nodes: &Names,
    (materials, resolved): (&Names, &[SceneMaterial]),
) -> Vec<Light> {
    let mut out: Vec<Light> = Vec::new();
    let mut names = OwnNames::new(resolver, tree.list("light").map(|(_, t)| t), "light");
    for (index, (place, table)) in tree.list("light").enumerate() {
        if index == LIGHTS_MAX {
            resolver.complain(code::TOO_MANY, place, format!("more than {LIGHTS_MAX} lights"));
            break;
        }
        let word = table.ask(KIND);
        let name = names.name(table, &word);
        let parent = resolver.name(table, PARENT, nodes);
        // An unknown kind has been reported.
        let kind = read_case(&CASES, table, &word).or_else(|| read_case(&CASES, table, DEFAULT));
        let mut kind = kind.expect("the default is a kind");
        if let Some((key, file)) = kind.file_mut()
            && table.has(key)
        {
            *file = Some(resolver.file(table, key));
        }
        spot::check(resolver, table, &kind);
        let shadow = shadow::shadow(resolver, table, &kind);
        out.push(Light {
            name,
            color: table.ask(COLOR),
            kind,
            shadow,
            function: function::function(resolver, table, materials, resolved),
            parent,
            placement: placement::placement(resolver, table, POSITION),
        });
    }
    out
}

pub(crate) fn print(out: &mut Printer<'_>, light: &Light) {
    let Light { name, color, mut kind, shadow, function, parent, placement } = light.clone();
    out.line(NAME, Some(name));
    out.name(PARENT, parent.map(|parent| out.scene.nodes[parent].name.as_str()));
    out.line(KIND, word_of(&CASES, &mut kind).to_string());
    case_fields(&CASES, &mut Fields::Print(out), &mut kind);
    if let Some((key, Some(file))) = kind.file_mut() {
        out.file(key, file);
    }
    function::print(out, function, matches!(kind, LightKind::Directional { .. }));
    placement::print(out, &placement);
    out.line(COLOR, color);
    shadow::print(out, shadow);
}

pub(crate) fn moved(light: &mut Light, moved: Moved<'_>) {
    placement::moved(&mut light.placement, &moved);
    let mut on = Fields::Move(moved);
    on.field(COLOR, &mut light.color);
    case_fields(&CASES, &mut on, &mut light.kind);
}
