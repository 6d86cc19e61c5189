//! `[[view]]`: further pictures of one scene, which `--view` writes and materials show.

use glam::Vec3;

use super::camera::{self, CameraChoice};
use super::output::{Background, Output, Tonemap};
use super::placement::{self, DIRECTIONS, LOOK_AT, POSITION, Placement, ROTATION_DEG, ROTATION_QUAT};
use crate::scene::Scene;
use crate::scene::angle::direction;
use crate::scene::code;
use crate::scene::fields::Fields;
use crate::scene::key::{Key, Moved, flag, key, number, numbers, optional, required, rows, words_of};
use crate::scene::printer::Printer;
use crate::scene::resolver::{Names, OwnNames, Resolver, VIEWS_MAX};
use crate::scene::schema::{ANY, Constant, Kind, POSITIVE, Rising, Row, Type, Variant, Variants, kind, range};
use crate::scene::text::syntax::Table;
use crate::scene::track::Thing;
use crate::scene::word::Word;

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[DIRECTIONS, &[camera::CHOICE.name(), camera::LOOK.name()]],
    rising: &[Rising { low: NEAR_M.name(), high: FAR_M.name(), beside: None }],
    variants: Some(&Variants { selector: "kind", default: Some("camera"), cases: CASES }),
    thing: Some(|at| Thing::View(at[0])),
    ..kind(
        "[[view]]",
        "Another picture of the scene at the same moment. `--view NAME` writes it, `camera = \"NAME\"` in `[output]` \
         makes it the scene's own, and textures show it: `base_color_texture = { view = \"NAME\" }`. docs/views.md \
         has examples.",
        KEYS,
    )
};

const CASES: &[Variant] = &[
    Variant { word: "camera", doc: "What a camera sees.", keys: rows! { camera::CHOICE, camera::LOOK } },
    Variant {
        word: "mirror",
        doc: "What a flat mirror shows to the camera: the scene in front of its plane, reflected. Surfaces that show \
              it are left out of it.",
        keys: rows! { camera::CHOICE, camera::LOOK, POSITION, NORMAL },
    },
    Variant {
        word: "cube",
        doc: "All that is seen from one point as the six faces of a cube, from left to right: +X, -X, +Y, -Y, +Z, -Z.",
        keys: rows! { POSITION, LOOK_AT, ROTATION_DEG, ROTATION_QUAT, NEAR_M, FAR_M },
    },
    Variant {
        word: "panorama",
        doc: "All that is seen from one point as an equirectangular picture, with -Z in its middle and +Y above.",
        keys: rows! { POSITION, LOOK_AT, ROTATION_DEG, ROTATION_QUAT, NEAR_M, FAR_M },
    },
    Variant {
        word: "stereo",
        doc: "What two eyes see from the camera, the left one's picture on the left.",
        keys: rows! { camera::CHOICE, camera::LOOK, EYE_DISTANCE_M, CONVERGENCE_M },
    },
];
static KIND_WORDS: [&str; 5] = words_of(CASES);

const NAME: Key<String> = required("name", Type::Text, "Name for `--view`, cameras and textures. Must be unique.");
const KIND: Key<String> =
    key("kind", Type::Choice(&KIND_WORDS), Constant::Word("camera"), "What kind of picture it is.");
const SIZE_PX: Key<Option<[u32; 2]>> = optional(
    "size_px",
    Type::Wholes { count: 2, min: 1, max: 16384 },
    "`[512, 512]`; mirrors: as the picture that shows it; panoramas: `[512, 256]`",
    "Width and height in pixels: of each eye of `stereo`, of each face of `cube`.",
);
const SAMPLES: Key<Option<u32>> =
    optional("samples", Type::ChoiceOf(&[1, 4, 16]), "as in `[output]`", "Samples per pixel.");
const TONEMAP: Key<Option<Tonemap>> =
    optional("tonemap", Type::Choice(Tonemap::NAMES), "as in `[output]`", "Tone mapping.");
const EXPOSURE_EV: Key<Option<f32>> = optional(
    "exposure_ev",
    Type::Number(range(-64.0, 64.0)),
    "as in `[output]`",
    "The linear picture is multiplied by 2 to this power before tone mapping.",
);
const BACKGROUND: Key<Option<Background>> = optional(
    "background",
    Type::ColorOr(Background::NAMES),
    "as in `[output]`",
    "What is behind the scene: a colour, the environment, or transparency.",
);
const ENCODING: Key<Option<Encoding>> = optional(
    "encoding",
    Type::Choice(Encoding::NAMES),
    "`display` for `camera` and `stereo`, else `linear`",
    "What textures show of it: the picture as a screen displays it (`display`), or its radiance, without exposure and \
     tone mapping (`linear`).",
);
const HIDE: Key<Vec<String>> = optional(
    "hide",
    Type::Texts,
    "none",
    "Nodes that are left out of it, with all below them. They still cast shadows.",
);
const PREVIOUS_FRAME: Key<bool> = flag(
    "previous_frame",
    false,
    "Textures show it as it was one frame before, so that it can see itself. Before 0 seconds it is black.",
);
const NORMAL: Key<Vec3> =
    numbers("normal", &[0.0, 1.0, 0.0], ANY, "The direction that the mirror faces, of any length but 0.").moves();
const NEAR_M: Key<f32> = number("near_m", 0.05, POSITIVE, "Nothing nearer is drawn.").moves();
const FAR_M: Key<Option<f32>> =
    optional("far_m", Type::Number(POSITIVE), "no end", "Nothing farther is drawn.").moves();
const EYE_DISTANCE_M: Key<f32> =
    number("eye_distance_m", 0.064, POSITIVE, "Distance from the left eye to the right one.").moves();
const CONVERGENCE_M: Key<Option<f32>> = optional(
    "convergence_m",
    Type::Number(POSITIVE),
    "no end: the eyes look in parallel",
    "Distance at which both pictures are equal. The eyes keep looking in parallel, through frustums that are not \
     symmetric.",
)
.moves();
static KEYS: &[Row] = rows! {
    NAME, KIND, SIZE_PX, SAMPLES, TONEMAP, EXPOSURE_EV, BACKGROUND, ENCODING, HIDE, PREVIOUS_FRAME
};

/// Another picture of a scene. What is `None` is as in the scene's output.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneView {
    pub name: String,
    pub kind: ViewKind,
    /// Of kinds that look through a camera of the scene or of a model; never a view.
    pub camera: CameraChoice,
    pub size_px: Option<[u32; 2]>,
    pub samples: Option<u32>,
    pub tonemap: Option<Tonemap>,
    pub exposure_ev: Option<f32>,
    pub background: Option<Background>,
    /// What textures show of it.
    pub encoding: Option<Encoding>,
    /// Names of nodes that are left out of it.
    pub hide: Vec<String>,
    /// Textures show it as it was one frame before.
    pub previous_frame: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewKind {
    Camera,
    /// A plane, and the side of it that it reflects: of any length but 0.
    Mirror {
        position: Vec3,
        normal: Vec3,
    },
    Cube(Surround),
    Panorama(Surround),
    Stereo {
        eye_distance_m: f32,
        /// Where both pictures are equal; `None`: infinitely far.
        convergence_m: Option<f32>,
    },
}

/// What is seen from a point in all directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surround {
    pub placement: Placement,
    pub near_m: f32,
    pub far_m: Option<f32>,
}

/// What textures hold of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The picture as it is written to files of 8 bits.
    Display,
    /// Radiance.
    Linear,
}

impl Word for Encoding {
    const WORDS: &'static [(&'static str, Encoding)] = &[("display", Encoding::Display), ("linear", Encoding::Linear)];
}

impl ViewKind {
    fn word(&self) -> &'static str {
        match self {
            ViewKind::Camera => "camera",
            ViewKind::Mirror { .. } => "mirror",
            ViewKind::Cube(_) => "cube",
            ViewKind::Panorama(_) => "panorama",
            ViewKind::Stereo { .. } => "stereo",
        }
    }

    /// Whether it is what a camera sees, and not what is around a point.
    fn looks_through_camera(&self) -> bool {
        !matches!(self, ViewKind::Cube(_) | ViewKind::Panorama(_))
    }

    /// Whether it is made for the camera that looks at it, pixel by pixel.
    pub fn is_mirror(&self) -> bool {
        matches!(self, ViewKind::Mirror { .. })
    }
}

impl SceneView {
    /// What textures show of it.
    pub fn encoding(&self) -> Encoding {
        match (self.encoding, self.kind) {
            (Some(encoding), _) => encoding,
            (None, ViewKind::Camera | ViewKind::Stereo { .. }) => Encoding::Display,
            (None, _) => Encoding::Linear,
        }
    }

    /// Its size, where a picture of size `looker_px` shows it.
    pub fn size_px(&self, looker_px: [u32; 2]) -> [u32; 2] {
        self.size_px.unwrap_or(match self.kind {
            ViewKind::Mirror { .. } => looker_px,
            ViewKind::Panorama(_) => [512, 256],
            _ => [512, 512],
        })
    }

    /// The output of its picture, where one with the output `looker` shows it.
    pub fn output(&self, looker: &Output) -> Output {
        let [width_px, height_px] = self.size_px([looker.width_px, looker.height_px]);
        Output {
            width_px,
            height_px,
            samples: self.samples.unwrap_or(looker.samples),
            tonemap: self.tonemap.unwrap_or(looker.tonemap),
            exposure_ev: self.exposure_ev.unwrap_or(looker.exposure_ev),
            background: self.background.unwrap_or(looker.background),
            ..looker.clone()
        }
    }
}

/// Views by name, before anything of them is known.
pub(crate) fn names(tree: &Table) -> Names {
    let tables = tree.list("view").map(|(_, table)| table).take(VIEWS_MAX).enumerate();
    tables.filter_map(|(at, table)| Some((table.placed(NAME)?.0.to_string(), at))).collect()
}

/// Views whose camera is not written look through `None`; see [`Scene::settle_views`].
pub(crate) fn views(resolver: &mut Resolver<'_>, tree: &Table, scene: &Scene) -> Vec<(SceneView, bool)> {
    let mut out = Vec::new();
    let mut names = OwnNames::new(resolver, tree.list("view").map(|(_, table)| table), "view");
    for (index, (place, table)) in tree.list("view").enumerate() {
        if index == VIEWS_MAX {
            resolver.complain(code::TOO_MANY, place, format!("more than {VIEWS_MAX} views"));
            break;
        }
        let name = names.name(table, "view");
        if name == "all" || name.starts_with('#') {
            let place = table.placed(NAME).map_or(place, |(_, place)| place);
            let message = format!("a view cannot have the name `{name}`, which `--view` and `camera` give a meaning");
            resolver.complain(code::EMPTY_NAME, place, message);
        }
        let kind = read_kind(resolver, table);
        let has_camera = table.has(camera::CHOICE) || table.has(camera::LOOK);
        let view = SceneView {
            name,
            kind,
            camera: match has_camera {
                true => camera::choice_of(resolver, table, tree, scene),
                false => CameraChoice::Auto,
            },
            size_px: table.ask(SIZE_PX),
            samples: table.ask(SAMPLES),
            tonemap: table.ask(TONEMAP),
            exposure_ev: table.ask(EXPOSURE_EV),
            background: table.ask(BACKGROUND),
            encoding: table.ask(ENCODING),
            hide: hidden(resolver, table, scene),
            previous_frame: table.ask(PREVIOUS_FRAME),
        };
        if let (ViewKind::Cube(_), Some([width, height])) = (kind, view.size_px)
            && width != height
        {
            let message = format!("faces of a cube are square, but `size_px` is {width} x {height}");
            resolver.complain_of(table, &[SIZE_PX.name()], code::OUT_OF_RANGE, message);
        }
        if kind.is_mirror() && view.previous_frame {
            let help = Some("remove it: a mirror leaves out the surfaces that show it");
            resolver.without_effect(table, PREVIOUS_FRAME, "in a mirror", help);
        }
        out.push((view, has_camera || !kind.looks_through_camera()));
    }
    out
}

fn hidden(resolver: &mut Resolver<'_>, table: &Table, scene: &Scene) -> Vec<String> {
    let written = table.placed_list(HIDE);
    if written.is_empty() {
        return Vec::new();
    }
    let nodes: Names = scene.nodes.iter().enumerate().map(|(at, node)| (node.name.clone(), at)).collect();
    let none = || "no node has a name".to_string();
    for (name, place) in &written {
        resolver.find(name, *place, &format!("node `{name}`"), code::UNKNOWN_NODE, &nodes, &none);
    }
    written.into_iter().map(|(name, _)| name.to_string()).collect()
}

fn read_kind(resolver: &mut Resolver<'_>, table: &Table) -> ViewKind {
    let surround = |resolver: &mut Resolver<'_>| {
        let (near_m, far_m) = (table.ask(NEAR_M), table.ask(FAR_M));
        resolver.far_beyond_near(table, near_m, far_m);
        Surround { placement: placement::placement(resolver, table, POSITION), near_m, far_m }
    };
    match table.ask(KIND).as_str() {
        "mirror" => {
            let normal = table.ask(NORMAL);
            if direction(normal).is_none() {
                resolver.complain_of(table, &[NORMAL.name()], code::NO_DIRECTION, "`normal` has no length");
            }
            ViewKind::Mirror { position: table.ask(POSITION), normal }
        }
        "cube" => ViewKind::Cube(surround(resolver)),
        "panorama" => ViewKind::Panorama(surround(resolver)),
        "stereo" => {
            ViewKind::Stereo { eye_distance_m: table.ask(EYE_DISTANCE_M), convergence_m: table.ask(CONVERGENCE_M) }
        }
        _ => ViewKind::Camera,
    }
}

pub(crate) fn print(out: &mut Printer<'_>, view: &SceneView) {
    let SceneView { name, kind, camera, size_px, samples, tonemap, exposure_ev, background, encoding, .. } = view;
    out.name(NAME, Some(name));
    out.name(KIND, Some(kind.word()));
    // A frame of everything is the picture's own: a view has it where nothing else is written.
    if kind.looks_through_camera() && !matches!(camera, CameraChoice::Frame(_)) {
        camera::print_choice(out, camera);
    }
    match *kind {
        ViewKind::Camera => {}
        ViewKind::Mirror { position, normal } => {
            out.line(POSITION, position);
            out.line(NORMAL, normal);
        }
        ViewKind::Cube(around) | ViewKind::Panorama(around) => {
            placement::print(out, &around.placement);
            out.line(NEAR_M, around.near_m);
            out.line(FAR_M, around.far_m);
        }
        ViewKind::Stereo { eye_distance_m, convergence_m } => {
            out.line(EYE_DISTANCE_M, eye_distance_m);
            out.line(CONVERGENCE_M, convergence_m);
        }
    }
    out.line(SIZE_PX, *size_px);
    out.line(SAMPLES, *samples);
    out.line(TONEMAP, *tonemap);
    out.line(EXPOSURE_EV, *exposure_ev);
    out.line(BACKGROUND, *background);
    out.line(ENCODING, *encoding);
    out.names(HIDE, &view.hide);
    out.line(PREVIOUS_FRAME, view.previous_frame);
}

pub(crate) fn moved(view: &mut SceneView, moved: Moved<'_>) {
    let mut on = Fields::Move(moved);
    match &mut view.kind {
        ViewKind::Camera => {}
        ViewKind::Mirror { position, normal } => {
            on.field(POSITION, position);
            on.field(NORMAL, normal);
        }
        ViewKind::Cube(around) | ViewKind::Panorama(around) => {
            placement::moved(&mut around.placement, &moved);
            on.field(NEAR_M, &mut around.near_m);
            on.field(FAR_M, &mut around.far_m);
        }
        ViewKind::Stereo { eye_distance_m, convergence_m } => {
            on.field(EYE_DISTANCE_M, eye_distance_m);
            on.field(CONVERGENCE_M, convergence_m);
        }
    }
}
