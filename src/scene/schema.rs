//! The one table of kinds and keys: what a scene file may say. Checks, the JSON schema, docs/scene.md and the paths of
//! `--set` follow from it.
//!
//! Adding a key: its row here and the field that `resolve` fills; the tests say what else has to be made anew.
//!
//! Long because it is one table.

mod animation;

pub use animation::*;

/// A table of a scene file.
#[derive(Debug)]
pub struct Kind {
    /// As a heading of a file: `[output]`, `[camera.NAME]`, `[[node]]`; without brackets for inline tables.
    pub title: &'static str,
    pub doc: &'static str,
    pub keys: &'static [Key],
    /// At most one key of each group may stand.
    pub exclusive: &'static [&'static [&'static str]],
    /// At least one key of each group must stand; of those groups all of whose keys may.
    pub needs: &'static [&'static [&'static str]],
    /// Keys that exist only beside certain words.
    pub variants: Option<&'static Variants>,
}

/// A key of a table.
#[derive(Debug)]
pub struct Key {
    pub name: &'static str,
    pub ty: Type,
    pub default: Default,
    pub doc: &'static str,
    /// Whether `{ keys = ... }` may stand for its value.
    pub moves: bool,
}

/// What counts where a key is not written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Default {
    /// It must be written.
    Required,
    /// In words.
    Words(&'static str),
    /// A value, as TOML.
    Toml(&'static str),
}

/// What a value must be.
#[derive(Debug)]
pub enum Type {
    Text,
    Bool,
    Number(Range),
    Whole {
        min: i64,
        max: i64,
    },
    /// A list of exactly `count` numbers.
    Numbers {
        count: usize,
        range: Range,
    },
    Wholes {
        count: usize,
        min: i64,
        max: i64,
    },
    /// A number for all axes, or one an axis; none is 0.
    Scale,
    /// `"#rrggbb"` (sRGB) or a list of linear numbers; with alpha also `"#rrggbbaa"` and a fourth number.
    Color {
        alpha: bool,
        max: f64,
    },
    /// A colour or one of the words.
    ColorOr(&'static [&'static str]),
    /// One of the words.
    Choice(&'static [&'static str]),
    /// One of the numbers.
    ChoiceOf(&'static [i64]),
    /// A list of the words, each once; `shadow.N` stands for `shadow.0`, `shadow.1` and so on.
    Choices(&'static [&'static str]),
    /// One of the words, or a list of two.
    ChoicePair(&'static [&'static str]),
    /// The name of a file, relative to the scene file.
    File,
    /// A file's name or a list of them.
    Files,
    /// A text or a list of them, each once.
    Texts,
    /// A list of numbers, rising.
    Rising(Range),
    /// A list of whole numbers, rising.
    RisingWholes {
        min: i64,
        max: i64,
    },
    /// `"A..B"`: frames from A up to B, both included.
    Frames,
    /// A clip's name, `"#N"`, `"all"` or `"none"`.
    Clip,
    /// `[param]`: a value a name.
    Params,
    /// `[test.matrix]`: a list of values a path.
    Matrix,
    /// A number, or a table that says more.
    NumberOr(Range, &'static Kind),
    /// The name of a thing of the scene.
    Name(&'static str),
    /// `rows` lists of `columns` numbers each.
    Rows {
        rows: usize,
        columns: usize,
    },
    /// `EYE:TARGET[:FOV]`.
    Look,
    /// A texture's file, or a table.
    Texture,
    /// `[kind]`
    Table(&'static Kind),
    /// `[kind.NAME]`
    Named(&'static Kind),
    /// `[[kind]]`
    List(&'static Kind),
    /// What `keys` of a key-framed value holds: `[seconds, value]` each.
    KeyFrames,
    /// A name that can stand in formulas and conditions: a letter, then letters, digits and `_`.
    Identifier,
    /// A number, or the name of a parameter of an animator.
    Value(Range),
    /// A list of exactly `count` of those.
    Values {
        count: usize,
        range: Range,
    },
    /// A list of names, from one on; the same one may stand again.
    Names {
        what: &'static str,
        max: usize,
    },
    /// A list of numbers, from one on.
    NumbersUpTo {
        max: usize,
        range: Range,
    },
    /// A list of pairs of numbers, from one on.
    PairsUpTo {
        max: usize,
        range: Range,
    },
    /// A list of lists of numbers.
    RowsUpTo {
        max: usize,
        range: Range,
    },
    /// A clip of a file: its name, or `"#N"`.
    ClipSource,
    /// What a transition waits for.
    Condition,
}

/// Bounds of a number; never NaN or infinite.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    pub min: f64,
    pub max: f64,
    /// Whether the bounds themselves are out.
    pub open: bool,
}

/// Keys by the word under `selector`.
#[derive(Debug)]
pub struct Variants {
    pub selector: &'static str,
    /// The word that counts where none is written.
    pub default: Option<&'static str>,
    pub cases: &'static [Variant],
}

#[derive(Debug)]
pub struct Variant {
    pub word: &'static str,
    pub doc: &'static str,
    pub keys: &'static [Key],
}

/// No number of a scene is larger: products of three of them still fit into an f32.
pub const NUMBER_MAX: f64 = 1e9;

const ANY: Range = Range { min: -NUMBER_MAX, max: NUMBER_MAX, open: false };
const POSITIVE: Range = Range { min: 0.0, max: NUMBER_MAX, open: true };
const NOT_NEGATIVE: Range = Range { min: 0.0, max: NUMBER_MAX, open: false };
const UNIT: Range = Range { min: 0.0, max: 1.0, open: false };

const fn range(min: f64, max: f64) -> Range {
    Range { min, max, open: false }
}

const fn key(name: &'static str, ty: Type, default: &'static str, doc: &'static str) -> Key {
    Key { name, ty, default: Default::Toml(default), doc, moves: false }
}

const fn required(name: &'static str, ty: Type, doc: &'static str) -> Key {
    Key { name, ty, default: Default::Required, doc, moves: false }
}

const fn optional(name: &'static str, ty: Type, default: &'static str, doc: &'static str) -> Key {
    Key { name, ty, default: Default::Words(default), doc, moves: false }
}

/// The same, and its value may be key-framed.
const fn moving(key: Key) -> Key {
    let Key { name, ty, default, doc, .. } = key;
    Key { name, ty, default, doc, moves: true }
}

const fn kind(title: &'static str, doc: &'static str, keys: &'static [Key]) -> Kind {
    Kind { title, doc, keys, exclusive: &[], needs: &[], variants: None }
}

const VEC3: Type = Type::Numbers { count: 3, range: ANY };
const COLOR: Type = Type::Color { alpha: false, max: NUMBER_MAX };
const ALBEDO: Type = Type::Color { alpha: false, max: 1.0 };

/// Light words that settle later, as on the command line.
pub const AUTO_ON_OFF: &[&str] = &["auto", "on", "off"];
pub const ON_OFF: &[&str] = &["on", "off"];
pub const LIGHTING: &[&str] = &["auto", "file", "studio", "none"];
pub const TONEMAPS: &[&str] = &["agx", "aces", "neutral", "none"];
pub const AOVS: &[&str] =
    &["color", "depth", "normal", "albedo", "id", "motion", "linear", "shadow.N", "radiance.N", "specular.N"];
pub const UPS: &[&str] = &["auto", "y", "z"];
pub const SKIN_BLENDS: &[&str] = &["file", "linear", "dual_quaternion", "centres_of_rotation"];
pub const BACKGROUNDS: &[&str] = &["auto", "environment", "transparent"];
pub const CONTROL_KINDS: &[&str] = &["fly", "walk"];
pub const CONTROL_KEYS: &[&str] = &["forward", "back", "left", "right", "up", "down"];
pub const LIGHT_KINDS: &[&str] = &["directional", "point", "spot"];
pub const ALPHA_MODES: &[&str] = &["opaque", "mask", "blend"];
pub const WRAPS: &[&str] = &["repeat", "mirror", "clamp"];
pub const FILTERS: &[&str] = &["nearest", "linear"];
pub const INTERPOLATIONS: &[&str] = &["step", "linear", "smooth"];
pub const EXTENDS: &[&str] = &["hold", "repeat", "mirror"];
pub const MIP_FILTERS: &[&str] = &["nearest", "linear", "none"];
pub const SHAPES: &[&str] =
    &["box", "sphere", "icosphere", "plane", "disk", "cylinder", "cone", "capsule", "torus", "triangle", "quad"];

/// A scene file.
pub static SCENE: Kind = kind(
    "scene file",
    "Only `title`, a camera and one node are needed; every other key has a default. Unknown keys are errors.",
    &[
        required("title", Type::Text, "What the picture shows, in a few words."),
        optional(
            "include",
            Type::Files,
            "none",
            "Scene files that this one is laid over, the first one lowest; see [Including](#including).",
        ),
        optional(
            "param",
            Type::Params,
            "none",
            "Values with names, for other values to use; see [Parameters](#parameters).",
        ),
        optional("output", Type::Table(&OUTPUT), "every default", "What comes out."),
        optional("shot", Type::Named(&SHOT), "none", "More pictures of the same scene, by name."),
        optional(
            "environment",
            Type::Table(&ENVIRONMENT),
            "none",
            "What surrounds the scene and lights it from all sides.",
        ),
        optional(
            "camera",
            Type::Named(&CAMERA),
            "none",
            "Cameras; the first one looks unless `output.camera` says otherwise.",
        ),
        optional("model", Type::Named(&MODEL), "none", "Model files, for nodes to show."),
        optional("material", Type::Named(&MATERIAL), "none", "Materials, for nodes to wear."),
        optional("clip", Type::List(&CLIP), "none", "Clips of models' files, for animators and crowds."),
        optional("animator", Type::List(&ANIMATOR), "none", "What moves models, for nodes to wear."),
        optional("node", Type::List(&NODE), "none", "Things with a place."),
        optional("crowd", Type::List(&CROWD), "none", "Many figures of one model."),
        optional("light", Type::List(&LIGHT), "none", "Lights, in physical units."),
        optional("plan", Type::Table(&PLAN), "every default", "How memory is used while the picture is drawn."),
        optional("test", Type::Table(&TEST), "none", "What the picture is a test of."),
    ],
);

pub static OUTPUT: Kind =
    Kind { exclusive: &[&["camera", "look"]], ..kind("[output]", "What comes out.", OUTPUT_KEYS) };

pub static SHOT: Kind = Kind {
    exclusive: &[&["camera", "look"]],
    ..kind(
        "[shot.NAME]",
        "One more picture of the scene, made by `--shot NAME`. It has the keys of `[output]`; what is not written is as it is there.",
        OUTPUT_KEYS,
    )
};

static OUTPUT_KEYS: &[Key] = &[
    key("size_px", Type::Wholes { count: 2, min: 1, max: 16384 }, "[512, 512]", "Width and height in pixels."),
    key("samples", Type::ChoiceOf(&[1, 4]), "4", "Samples a pixel: 1, or 4 for smooth edges."),
    key(
        "tonemap",
        Type::Choice(TONEMAPS),
        "\"agx\"",
        "How linear light becomes the picture: AgX, a fit of ACES, Khronos' neutral, or not at all.",
    ),
    moving(key(
        "exposure_ev",
        Type::Number(range(-64.0, 64.0)),
        "0.0",
        "The linear picture is multiplied by 2 to this power before tone mapping.",
    )),
    key(
        "background",
        Type::ColorOr(BACKGROUNDS),
        "\"#000000\"",
        "What is seen where nothing is: a colour, the environment, or transparency.",
    ),
    optional(
        "camera",
        Type::Name("camera"),
        "the first camera of the file",
        "Which camera looks: the name of one here or in a model, `\"#N\"` for the model's camera number N (from 0), or `\"auto\"` for a model's first, else one that frames everything.",
    ),
    optional(
        "look",
        Type::Look,
        "none",
        "A camera in one line instead, `\"EYE:TARGET[:FOV]\"` in metres and vertical degrees: `\"0,5,8.2:0,0.1,0.3:40\"`.",
    ),
    key("shadows", Type::Bool, "true", "Whether lights cast shadows at all."),
    key(
        "lighting",
        Type::Choice(LIGHTING),
        "\"file\"",
        "Which lights shine: the file's and its models', three studio lights instead, none; `auto` is the studio where there are no others.",
    ),
    key("model_lights", Type::Bool, "true", "Whether lights stored in model files shine."),
    key(
        "ground",
        Type::Choice(AUTO_ON_OFF),
        "\"off\"",
        "Whether a grey plane lies under everything; `auto` puts it where there are no lights.",
    ),
    optional(
        "max_mip",
        Type::Whole { min: 0, max: 15 },
        "all levels",
        "Texture levels above this one are not used; 0 is the full size only.",
    ),
    key("time_s", Type::Number(range(-1e6, 1e6)), "0.0", "The moment shown, in seconds from the start."),
    key(
        "fps",
        Type::Number(range(1e-3, 1e6)),
        "30.0",
        "Frames a second, for numbers of frames here and in `[test]`; `render` has `--fps` of its own.",
    ),
    optional(
        "frames",
        Type::Frames,
        "one picture",
        "Which frames its animation has: `\"0..47\"` is 48 frames, the first at 0 seconds; `render` has `--frames` of its own.",
    ),
    key(
        "aov",
        Type::Choices(AOVS),
        "[\"color\"]",
        "What its pictures show: colour, or what stands behind each pixel; `render` has `--aov` of its own.",
    ),
];

pub static ENVIRONMENT: Kind = Kind {
    exclusive: &[&["file", "sky", "color", "gradient", "auto"]],
    ..kind(
        "[environment]",
        "What surrounds the scene: it lights, is mirrored and can be the background. Without this table: nothing.",
        &[
            optional(
                "file",
                Type::File,
                "none",
                "An equirectangular picture, `.hdr` or `.exr`; its middle looks along +X, its top is +Y.",
            ),
            optional("sky", Type::Table(&SKY), "none", "A computed daylight sky; `{}` for all its defaults."),
            moving(optional("color", COLOR, "none", "The same radiance from everywhere.")),
            optional("gradient", Type::Table(&GRADIENT), "none", "Radiance by height."),
            optional("auto", Type::Bool, "false", "A neutral grey sky, but only where the files hold no lights."),
            moving(key("intensity", Type::Number(range(0.0, 1e6)), "1.0", "Multiplies the radiance.")),
            moving(key(
                "rotation_deg",
                Type::Number(ANY),
                "0.0",
                "Turns it about +Y, counter-clockwise seen from above.",
            )),
        ],
    )
};

pub static SKY: Kind = kind(
    "sky = { ... }",
    "A clear sky over flat ground.",
    &[
        moving(key(
            "sun_elevation_deg",
            Type::Number(range(-90.0, 90.0)),
            "35.0",
            "Height of the sun over the horizon.",
        )),
        moving(key("sun_azimuth_deg", Type::Number(ANY), "45.0", "Direction of the sun, from +X towards +Z.")),
        moving(key("turbidity", Type::Number(range(1.0, 20.0)), "2.5", "Relative amount of haze; 1 is none.")),
        moving(key("ground_albedo", ALBEDO, "[0.3, 0.3, 0.3]", "What the ground reflects.")),
    ],
);

pub static GRADIENT: Kind = kind(
    "gradient = { ... }",
    "Radiance by the height y of a direction: from horizon to zenith above, from horizon to ground below, both in proportion to y.",
    &[
        moving(required("zenith", COLOR, "Straight up.")),
        moving(required("horizon", COLOR, "Level.")),
        moving(required("ground", COLOR, "Straight down.")),
    ],
);

const POSITION: Key = moving(key("position", VEC3, "[0.0, 0.0, 0.0]", "Metres, in the parent's space."));
const LOOK_AT: Key =
    moving(optional("look_at", VEC3, "none", "Turns -Z towards this point of the parent's space, +Y upwards."));
const ROTATION_DEG: Key = moving(optional(
    "rotation_deg",
    VEC3,
    "none",
    "Turns about the parent's X axis, then Y, then Z, by these angles (Blender's \"XYZ Euler\").",
));
const ROTATION_QUAT: Key = moving(optional(
    "rotation_quat",
    Type::Numbers { count: 4, range: ANY },
    "none",
    "A quaternion `[x, y, z, w]` of any length but 0.",
));

pub static CAMERA: Kind = Kind {
    exclusive: &[&["look_at", "rotation_deg", "rotation_quat"], &["fov_y_deg", "height_m"]],
    ..kind(
        "[camera.NAME]",
        "Looks along its -Z with +Y up; without a direction, along the scene's -Z.",
        &[
            moving(key("position", VEC3, "[0.0, 0.0, 5.0]", "Metres.")),
            LOOK_AT,
            ROTATION_DEG,
            ROTATION_QUAT,
            moving(key(
                "fov_y_deg",
                Type::Number(Range { min: 0.01, max: 179.0, open: false }),
                "45.0",
                "Vertical angle of view.",
            )),
            moving(optional(
                "height_m",
                Type::Number(POSITIVE),
                "none",
                "An orthographic camera that sees this height instead.",
            )),
            moving(key("near_m", Type::Number(POSITIVE), "0.1", "Nothing nearer is seen.")),
            moving(optional("far_m", Type::Number(POSITIVE), "no end; orthographic: 1000", "Nothing farther is seen.")),
            optional(
                "control",
                Type::Table(&CONTROL),
                "none",
                "What steers it from here on. Its place and rotation then have no key frames.",
            ),
        ],
    )
};

pub static CONTROL: Kind = kind(
    "[camera.NAME.control]",
    "A recording of how somebody steers the camera. It goes straight between two rows, so that no picture depends on frames a second.",
    &[
        key(
            "kind",
            Type::Choice(CONTROL_KINDS),
            "\"fly\"",
            "Along the camera's own axes; or on foot: level, upright, and looking at most 89 degrees up or down.",
        ),
        key("speed_m_s", Type::Number(range(0.0, 1e6)), "1.0", "Metres a second, however many keys are held."),
        key(
            "turn_deg_per_px",
            Type::Number(range(-360.0, 360.0)),
            "0.0573",
            "Degrees that a pixel of the pointer's way turns; the default is a thousandth of a radian.",
        ),
        optional("input", Type::List(&CONTROL_INPUT), "none", "What is done, by rising time."),
    ],
);

pub static CONTROL_INPUT: Kind = kind(
    "[[camera.NAME.control.input]]",
    "`input = [{ at_s = 0.5, keys = [\"forward\"] }, { at_s = 2.0, look_px = [300, 0] }]`: walks for 1.5 s, stops and turns right.",
    &[
        required("at_s", Type::Number(range(0.0, 86_400.0)), "When, in seconds of the scene."),
        key(
            "look_px",
            Type::Numbers { count: 2, range: range(-1e6, 1e6) },
            "[0.0, 0.0]",
            "How far the pointer then goes to the right and down: a turn at once.",
        ),
        key("keys", Type::Choices(CONTROL_KEYS), "[]", "What is held from then to the next row."),
    ],
);

pub static MODEL: Kind = kind(
    "[model.NAME]",
    "A model file, read once however many nodes show it.",
    &[
        required("file", Type::File, "A model: `.glb`, `.gltf`, `.fbx`, `.obj`, `.stl` or `.ply`."),
        optional(
            "node",
            Type::Texts,
            "all of it",
            "Only what hangs under the model's node of this name, or of these names. It stays where the model has it.",
        ),
        optional(
            "mesh",
            Type::Texts,
            "every mesh",
            "Only nodes that show the mesh of this name, or of these names; with `node`, those of them that hang there.",
        ),
        key(
            "up",
            Type::Choice(UPS),
            "\"auto\"",
            "Which way is up in the file, where it does not say so itself or says it wrongly.",
        ),
        key(
            "skinning",
            Type::Choice(SKIN_BLENDS),
            "\"file\"",
            "How joints that pull at one vertex are blended: as the file says (glTF: `linear`; FBX: that, dual quaternions, or both blended), as matrices; as dual quaternions, which keep the volume of limbs that twist; or as those about optimised centres of rotation (Le and Hodgins 2016), which do so and do not bulge where limbs bend. Centres are found when the model is loaded.",
        ),
        optional(
            "proportion",
            Type::List(&PROPORTION),
            "the file's",
            "Bodies of other proportions, moved by the same clips: what joints move is larger or smaller.",
        ),
        optional(
            "override",
            Type::Named(&MATERIAL),
            "none",
            "What is different in the model's materials, by their names; `\"*\"` is all of them.",
        ),
        key(
            "clip",
            Type::Clip,
            "\"none\"",
            "Which of the file's clips moves it: a name, `\"#N\"` (from 0), `\"all\"` at once, or `\"none\"`: as its nodes are stored.",
        ),
        key("clip_time_s", Type::Number(range(-1e6, 1e6)), "0.0", "Where in the clip the scene's second 0 is."),
        key(
            "clip_speed",
            Type::Number(range(-1e3, 1e3)),
            "1.0",
            "Seconds of the clip a second of the scene; negative ones play backwards.",
        ),
    ],
);

pub static PROPORTION: Kind = kind(
    "[[model.NAME.proportion]]",
    "`proportion = [{ joint = \"spine\", scale = [1.3, 1.0, 1.2] }]`: what a joint moves (vertices, meshes, what hangs on it) is scaled and then moved in the joint's own space. Joints stay where clips put them; limbs that bend are dual quaternions only where they grow evenly.",
    &[
        required("joint", Type::Text, "A joint's name in the model, each once."),
        key("scale", Type::Scale, "1.0", "One number, or one along each of the joint's axes."),
        key("position", Type::Numbers { count: 3, range: ANY }, "[0.0, 0.0, 0.0]", "In the joint's space."),
        key("branch", Type::Bool, "false", "Whether what joints below it move grows and moves along."),
        moving(key(
            "weight",
            Type::Number(range(-10.0, 10.0)),
            "1.0",
            "How much of it: 0 is the file's body, 1 all of `scale` and `position`; between them vertices go straight from one to the other, and beyond on.",
        )),
    ],
);

pub static MATERIAL: Kind = kind(
    "[material.NAME]",
    "glTF's metallic-roughness surface. Factors multiply textures. As `[model.NAME.override.MATERIAL]`, what is not written stays as the model has it.",
    &[
        moving(key(
            "base_color",
            Type::Color { alpha: true, max: 1.0 },
            "[0.5, 0.5, 0.5, 1.0]",
            "Colour of the surface; white where `base_color_texture` is given.",
        )),
        optional("base_color_texture", Type::Texture, "none", "sRGB colour and alpha."),
        moving(key(
            "metallic",
            Type::Number(UNIT),
            "0.0",
            "0 for everything but metals, 1 for metals; 1 where `metallic_roughness_texture` is given.",
        )),
        moving(key(
            "roughness",
            Type::Number(UNIT),
            "0.5",
            "0 is a mirror; 1 where `metallic_roughness_texture` is given.",
        )),
        optional("metallic_roughness_texture", Type::Texture, "none", "Green is roughness, blue is metallic."),
        optional("normal_texture", Type::Texture, "none", "Tangent space, +Y up (OpenGL's)."),
        moving(key("normal_scale", Type::Number(range(-100.0, 100.0)), "1.0", "Strength of the normal map.")),
        optional("occlusion_texture", Type::Texture, "none", "Red is how much of the environment's light arrives."),
        moving(key("occlusion_strength", Type::Number(UNIT), "1.0", "Strength of the occlusion.")),
        moving(key("emissive", COLOR, "[0.0, 0.0, 0.0]", "Radiance the surface gives off, in nits.")),
        optional(
            "emissive_texture",
            Type::Texture,
            "none",
            "sRGB; multiplied by `emissive`, which is white where only the texture is given.",
        ),
        key("alpha_mode", Type::Choice(ALPHA_MODES), "\"opaque\"", "Whether alpha is passed over, cuts out, or mixes."),
        moving(key("alpha_cutoff", Type::Number(UNIT), "0.5", "With `alpha_mode = \"mask\"`: less alpha is a hole.")),
        key("double_sided", Type::Bool, "false", "Whether the back is seen."),
        key("unlit", Type::Bool, "false", "Whether the base colour is shown without light."),
    ],
);

pub static TEXTURE: Kind = Kind {
    exclusive: &[
        &["filter", "mag_filter"],
        &["filter", "min_filter"],
        &["matrix", "offset"],
        &["matrix", "scale"],
        &["matrix", "rotation_deg"],
    ],
    ..kind(
        "..._texture = { ... }",
        "A texture is a file's name, or a table where more is to be said, or `\"none\"`: an override takes the model's own away.",
        &[
            required("file", Type::File, "A `.png`, `.jpg`, `.hdr` or `.exr` file."),
            key("uv_set", Type::ChoiceOf(&[0, 1]), "0", "Which texture coordinates."),
            key("offset", Type::Numbers { count: 2, range: ANY }, "[0.0, 0.0]", "Added to u and v, last."),
            key("scale", Type::Numbers { count: 2, range: ANY }, "[1.0, 1.0]", "Multiplies u and v, first."),
            key(
                "rotation_deg",
                Type::Number(ANY),
                "0.0",
                "Turns u and v about the origin, in between, as KHR_texture_transform does.",
            ),
            optional(
                "matrix",
                Type::Rows { rows: 3, columns: 2 },
                "none",
                "The same multiplied out: `[[a, b], [c, d], [e, f]]` gives u' = a u + b v + e, v' = c u + d v + f.",
            ),
            key("wrap", Type::ChoicePair(WRAPS), "\"repeat\"", "What is beyond the edges, for both axes or `[u, v]`."),
            key("filter", Type::Choice(FILTERS), "\"linear\"", "Between texels."),
            optional("mag_filter", Type::Choice(FILTERS), "filter", "Between texels, seen from near."),
            optional("min_filter", Type::Choice(FILTERS), "filter", "Between texels, seen from far."),
            key(
                "mip_filter",
                Type::Choice(MIP_FILTERS),
                "\"linear\"",
                "Between levels; `none` uses the full size only.",
            ),
            key(
                "anisotropy",
                Type::Whole { min: 1, max: 16 },
                "1",
                "Samples along slanted surfaces; 1 is off. More than 1 needs linear filters.",
            ),
        ],
    )
};

pub static NODE: Kind = Kind {
    exclusive: &[
        &["model", "shape"],
        &["look_at", "rotation_deg", "rotation_quat"],
        &["line", "grid", "ring", "scatter", "worn"],
        &["animator", "worn"],
        &["joint", "worn"],
    ],
    variants: Some(&Variants { selector: "shape", default: None, cases: SHAPE_CASES }),
    ..kind(
        "[[node]]",
        "A thing with a place: a model, a built-in shape, or nothing (a group). Placed by scale, then rotation, then position, in its parent's space.",
        &[
            optional(
                "name",
                Type::Text,
                "the shape's or model's name",
                "For `parent`, `--set` and messages; each once.",
            ),
            optional("parent", Type::Name("node"), "none", "The node it moves with."),
            optional("model", Type::Name("model"), "none", "Shows `[model.NAME]`."),
            optional("shape", Type::Choice(SHAPES), "none", "Shows a built-in shape, centred on the origin; +Y is up."),
            optional(
                "material",
                Type::Name("material"),
                "grey, roughness 0.5; a model's own",
                "Wears `[material.NAME]`; on a model, all over.",
            ),
            optional(
                "animator",
                Type::Name("animator"),
                "as the model is stored, or its `clip`",
                "The `[[animator]]` of the same model that moves what is shown here.",
            ),
            optional("joint", Type::Text, "none", "Hangs on this joint of the model that `parent` shows."),
            key(
                "inherits",
                Type::Choices(INHERITS),
                "[\"translation\", \"rotation\", \"scale\"]",
                "What of that joint it follows.",
            ),
            key(
                "worn",
                Type::Bool,
                "false",
                "Its model is a part that the model of `parent` wears: clothes, armour, a head. Joints go where that model's joints of the same name go, by any animator or solver; all that its skins name must be there.",
            ),
            key(
                "show",
                Type::Choices(SHOWS),
                "[]",
                "What is drawn beside the model's surface: bones, axes of what hangs on joints, targets and poles of solvers, where limbs were in the last second, boxes around parts.",
            ),
            optional(
                "morph",
                Type::List(&NODE_MORPH),
                "as clips and animators have them",
                "How much of the model's shapes (morph targets) is shown here, whatever clips and animators do with them. What is worn follows its body's shapes of the same names.",
            ),
            POSITION,
            LOOK_AT,
            ROTATION_DEG,
            ROTATION_QUAT,
            moving(key("scale", Type::Scale, "1.0", "One number, or one an axis; negative ones mirror.")),
            key("casts_shadow", Type::Bool, "true", "Whether it throws shadows."),
            optional("line", Type::Table(&LINE), "one of it", "Shows it several times, in a row."),
            optional("grid", Type::Table(&GRID), "one of it", "Shows it several times, in rows, columns and layers."),
            optional("ring", Type::Table(&RING), "one of it", "Shows it several times, around +Y."),
            optional("scatter", Type::Table(&SCATTER), "one of it", "Shows it several times, at random places."),
        ],
    )
};

/// Weights of shapes: far more than any face wants.
const MORPH_WEIGHT: Range = range(-100.0, 100.0);

pub static NODE_MORPH: Kind = kind(
    "[[node.morph]]",
    "`morph = [{ name = \"smile\", weight = 0.8 }]`: 0 is the surface as it is stored, 1 the whole shape; more goes on in proportion, less than 0 the other way. Shapes with shapes in between go through those.",
    &[
        required("name", Type::Text, "A shape's name in the model, on whichever nodes; each once."),
        moving(key("weight", Type::Number(MORPH_WEIGHT), "1.0", "How much of it.")),
    ],
);

/// Most copies of one node.
pub const COPIES_MAX: i64 = 65_536;
const COUNT: Type = Type::Whole { min: 1, max: COPIES_MAX };

pub static LINE: Kind = kind(
    "line = { ... }",
    "Copies in a row. Copy N of node `post` and what hangs below it are called `post/N`, from 0; each moves as the node does.",
    &[
        required("count", COUNT, "How many."),
        key("step_m", VEC3, "[1.0, 0.0, 0.0]", "From one to the next."),
        key(
            "centered",
            Type::Bool,
            "false",
            "Whether the middle of the row, not its first copy, stands at the node's place.",
        ),
    ],
);

pub static GRID: Kind = kind(
    "grid = { ... }",
    "Copies in a box, numbered along X first, then along Y, then along Z.",
    &[
        required("count", Type::Wholes { count: 3, min: 1, max: COPIES_MAX }, "How many along X, Y and Z."),
        key(
            "step_m",
            Type::Numbers { count: 3, range: ANY },
            "[1.0, 1.0, 1.0]",
            "From one to the next along each axis.",
        ),
        key(
            "centered",
            Type::Bool,
            "true",
            "Whether the middle of the box, not its first copy, stands at the node's place.",
        ),
    ],
);

pub static RING: Kind = kind(
    "ring = { ... }",
    "Copies around the node's +Y axis, counter-clockwise seen from above, the first one towards +Z.",
    &[
        required("count", COUNT, "How many."),
        key("radius_m", Type::Number(NOT_NEGATIVE), "1.0", "From the axis to each."),
        key("start_deg", Type::Number(ANY), "0.0", "Where the first one stands: 0 is +Z, 90 is +X."),
        key(
            "sweep_deg",
            Type::Number(range(-360.0, 360.0)),
            "360.0",
            "How far around they reach; less than the whole round has one at each end.",
        ),
        key("turn", Type::Bool, "true", "Whether each turns with its place, so that its +Z looks outwards."),
    ],
);

pub static SCATTER: Kind = Kind {
    exclusive: &[&["size_m", "radius_m"]],
    ..kind(
        "scatter = { ... }",
        "Copies at random places, the same on every machine. Copy N depends on the seed and on N alone: a larger `count` adds copies and moves none.",
        &[
            required("count", COUNT, "How many."),
            key(
                "size_m",
                Type::Numbers { count: 3, range: NOT_NEGATIVE },
                "[1.0, 0.0, 1.0]",
                "A box about the node's place, evenly filled.",
            ),
            optional(
                "radius_m",
                Type::Number(NOT_NEGATIVE),
                "none",
                "A level disk about the node's place instead, evenly filled.",
            ),
            key(
                "turn_deg",
                VEC3,
                "[0.0, 0.0, 0.0]",
                "Each is turned by up to these angles about X, Y and Z, as `rotation_deg` turns.",
            ),
            key(
                "scale",
                Type::Numbers { count: 2, range: Range { min: 1e-6, max: 1e6, open: false } },
                "[1.0, 1.0]",
                "Each is as large as a number between these two.",
            ),
            key("seed", Type::Whole { min: 0, max: i64::MAX }, "0", "Another number, other places."),
        ],
    )
};

/// `{ keys = ... }` in the place of a value.
pub static KEYED: Kind = kind(
    "{ keys = ... }",
    "A value that changes with time, for any key marked \"moves\". Rotations take the shortest way round, colours mix as linear light.",
    &[
        required("keys", Type::KeyFrames, "`[[seconds, value], ...]`, by rising time."),
        key(
            "interpolation",
            Type::Choice(INTERPOLATIONS),
            "\"linear\"",
            "Between keys: the last one's value, a straight line, or a line that starts and ends gently (3 t^2 - 2 t^3).",
        ),
        key(
            "extend",
            Type::Choice(EXTENDS),
            "\"hold\"",
            "Before the first and after the last key: their values, the whole again and again, or there and back.",
        ),
    ],
);

const fn size(name: &'static str, default: &'static str, doc: &'static str) -> Key {
    key(name, Type::Number(POSITIVE), default, doc)
}

const RADIUS: Key = moving(size("radius_m", "0.5", "Radius."));
const HEIGHT: Key = moving(size("height_m", "1.0", "Height along +Y."));
const SEGMENTS: Key = key("segments", Type::Whole { min: 3, max: 1024 }, "64", "Flat pieces around.");
const UV_SCALE: Key = moving(size("uv_scale", "1.0", "How often a texture repeats along each side."));
const SIZE_2: Type = Type::Numbers { count: 2, range: POSITIVE };

static SHAPE_CASES: &[Variant] = &[
    Variant {
        word: "box",
        doc: "A cuboid with flat faces.",
        keys: &[moving(key(
            "size_m",
            Type::Numbers { count: 3, range: POSITIVE },
            "[1.0, 1.0, 1.0]",
            "Width, height, depth.",
        ))],
    },
    Variant {
        word: "sphere",
        doc: "Of longitudes and latitudes, smooth.",
        keys: &[
            RADIUS,
            SEGMENTS,
            key("rings", Type::Whole { min: 2, max: 1024 }, "32", "Flat pieces from pole to pole."),
        ],
    },
    Variant {
        word: "icosphere",
        doc: "Of nearly equal triangles, smooth.",
        keys: &[
            RADIUS,
            key("subdivisions", Type::Whole { min: 0, max: 7 }, "4", "How often each triangle is cut into four."),
        ],
    },
    Variant {
        word: "plane",
        doc: "A rectangle facing +Y.",
        keys: &[moving(key("size_m", SIZE_2, "[1.0, 1.0]", "Along X and along Z.")), UV_SCALE],
    },
    Variant { word: "disk", doc: "A round plate facing +Y.", keys: &[RADIUS, SEGMENTS] },
    Variant { word: "cylinder", doc: "Along Y, with lids.", keys: &[RADIUS, HEIGHT, SEGMENTS] },
    Variant { word: "cone", doc: "Tip at +Y, with a base.", keys: &[RADIUS, HEIGHT, SEGMENTS] },
    Variant {
        word: "capsule",
        doc: "A cylinder along Y with half spheres for lids.",
        keys: &[
            moving(size("radius_m", "0.25", "Radius.")),
            moving(size("height_m", "0.5", "Height of the straight part along +Y; the ends come on top.")),
            SEGMENTS,
            key("rings", Type::Whole { min: 2, max: 512 }, "16", "Flat pieces from equator to pole, for each end."),
        ],
    },
    Variant {
        word: "torus",
        doc: "A ring around Y.",
        keys: &[
            moving(size("major_radius_m", "0.35", "From the middle to the middle of the tube.")),
            moving(size("minor_radius_m", "0.15", "Of the tube.")),
            key("major_segments", Type::Whole { min: 3, max: 1024 }, "64", "Flat pieces around the ring."),
            key("minor_segments", Type::Whole { min: 3, max: 1024 }, "32", "Flat pieces around the tube."),
        ],
    },
    Variant {
        word: "triangle",
        doc: "One triangle, seen from the side where its points run counter-clockwise.",
        keys: &[
            moving(key("a_m", VEC3, "[-0.5, -0.5, 0.0]", "First point.")),
            moving(key("b_m", VEC3, "[0.5, -0.5, 0.0]", "Second point.")),
            moving(key("c_m", VEC3, "[0.0, 0.5, 0.0]", "Third point.")),
        ],
    },
    Variant {
        word: "quad",
        doc: "A rectangle facing +Z.",
        keys: &[moving(key("size_m", SIZE_2, "[1.0, 1.0]", "Along X and along Y.")), UV_SCALE],
    },
];

pub static LIGHT: Kind = Kind {
    exclusive: &[&["direction", "look_at", "rotation_deg", "rotation_quat"]],
    variants: Some(&Variants { selector: "kind", default: Some("directional"), cases: LIGHT_CASES }),
    ..kind(
        "[[light]]",
        "Shines along its -Z; without a direction, along the scene's -Z.",
        &[
            optional("name", Type::Text, "its kind", "For `--set` and messages; each once."),
            optional("parent", Type::Name("node"), "none", "The node it moves with."),
            key("kind", Type::Choice(LIGHT_KINDS), "\"directional\"", "The sun, a lamp, or a spot light."),
            POSITION,
            moving(optional("direction", VEC3, "none", "The way it shines, of any length but 0.")),
            LOOK_AT,
            ROTATION_DEG,
            ROTATION_QUAT,
            moving(key("color", COLOR, "[1.0, 1.0, 1.0]", "Multiplies the illuminance or intensity.")),
            key("shadow", Type::Bool, "true", "Whether things throw shadows in it."),
        ],
    )
};

const INTENSITY: Key = moving(key(
    "intensity_cd",
    Type::Number(NOT_NEGATIVE),
    "10.0",
    "Candela: at d metres the illuminance is intensity / d^2.",
));
const RANGE: Key = moving(optional(
    "range_m",
    Type::Number(POSITIVE),
    "no end",
    "Fades out towards this distance (KHR_lights_punctual).",
));

static LIGHT_CASES: &[Variant] = &[
    Variant {
        word: "directional",
        doc: "Parallel light, as the sun's.",
        keys: &[moving(key(
            "illuminance_lux",
            Type::Number(NOT_NEGATIVE),
            "3.1415927",
            "On a surface that faces it: a white one shows illuminance / pi.",
        ))],
    },
    Variant { word: "point", doc: "From a point to all sides.", keys: &[INTENSITY, RANGE] },
    Variant {
        word: "spot",
        doc: "From a point into a cone.",
        keys: &[
            INTENSITY,
            RANGE,
            moving(key(
                "inner_deg",
                Type::Number(range(0.0, 90.0)),
                "0.0",
                "Full brightness up to this angle from the axis.",
            )),
            moving(key(
                "outer_deg",
                Type::Number(Range { min: 0.0, max: 90.0, open: false }),
                "45.0",
                "None beyond this angle from the axis; more than `inner_deg`.",
            )),
        ],
    },
];

pub static PLAN: Kind = kind(
    "[plan]",
    "Switches for debugging a renderer's memory. No pixel depends on them.",
    &[
        key(
            "alias",
            Type::Choice(ON_OFF),
            "\"on\"",
            "Whether targets of the same size and format share memory when they are not needed at the same time.",
        ),
        key("poison", Type::Bool, "false", "Fills every target with NaN or 0xDEAD before its first use."),
    ],
);

pub static TEST: Kind = Kind { exclusive: &[&["times_s", "frames"]], ..kind("[test]", "For test runs.", TEST_KEYS) };

pub static TOLERANCE: Kind = kind(
    "tolerance = { ... }",
    "How much may differ.",
    &[
        required("channel", Type::Number(range(0.0, 255.0)), "By how many steps of 255 a channel may differ."),
        key("share", Type::Number(UNIT), "0.0", "Which part of the pixels may differ by more than that."),
    ],
);

static TEST_KEYS: &[Key] = &[
    optional("why", Type::Text, "none", "What would be wrong if the picture changed."),
    optional("tags", Type::Texts, "none", "Words that `tag:WORD` of a filter chooses the test by."),
    key("aov", Type::Choices(AOVS), "[\"color\"]", "Which pictures are compared."),
    optional(
        "times_s",
        Type::Rising(range(-1e6, 1e6)),
        "the scene's own",
        "The moments that are compared, in seconds.",
    ),
    optional(
        "frames",
        Type::RisingWholes { min: -1_000_000_000, max: 1_000_000_000 },
        "none",
        "The frames that are compared, by number; `output.fps` says when they are.",
    ),
    optional(
        "matrix",
        Type::Matrix,
        "one case",
        "Values to try in turn, by path, as `--set` takes it; `output.` may be left out: `samples = [1, 4]`. Several make every combination.",
    ),
    optional("equals", Type::Files, "none", "Scenes that must give the same picture, bit for bit."),
    optional("differs", Type::Files, "none", "Scenes that must give another picture."),
    optional(
        "known_failure",
        Type::Text,
        "none",
        "Why the picture is known to be wrong: the test passes only while it fails.",
    ),
    optional(
        "tolerance",
        Type::NumberOr(range(0.0, 255.0), &TOLERANCE),
        "0",
        "By how many steps of 255 a channel may differ; more than 0 needs a `reason`.",
    ),
    optional("reason", Type::Text, "none", "Why so much may differ."),
];

impl Kind {
    /// The keys that may stand in a table whose selector (if it has one) reads `word`.
    pub fn keys_beside(&self, word: Option<&str>) -> impl Iterator<Item = &'static Key> {
        let case = self.variants.and_then(|v| {
            let word = word.or(v.default)?;
            v.cases.iter().find(|c| c.word == word)
        });
        self.keys.iter().chain(case.map_or(&[][..], |c| c.keys))
    }

    /// The key of that name among the common ones and all variants'.
    pub fn key_anywhere(&self, name: &str) -> Option<&'static Key> {
        let cases = self.variants.map_or(&[][..], |v| v.cases);
        self.keys.iter().chain(cases.iter().flat_map(|c| c.keys)).find(|k| k.name == name)
    }
}

impl Range {
    pub fn holds(&self, number: f64) -> bool {
        if self.open { number > self.min && number <= self.max } else { number >= self.min && number <= self.max }
    }

    /// `from 0 to 1`, `above 0`, `0 or more`.
    pub fn words(&self) -> String {
        let far = self.max >= NUMBER_MAX;
        match (self.open, far) {
            (true, true) => format!("above {}", self.min),
            (true, false) => format!("above {} and at most {}", self.min, self.max),
            (false, true) if self.min > -NUMBER_MAX => format!("{} or more", self.min),
            (false, true) => format!("from {:e} to {:e}", self.min, self.max),
            (false, false) => format!("from {} to {}", self.min, self.max),
        }
    }
}
