//! `[output]` and `[shot.NAME]`: what comes out.

use super::aov::{AOVS, Aov};
use super::camera::{self, CameraChoice};
use super::render::{RenderOptions, Transparency};
use crate::scene::Scene;
use crate::scene::code;
use crate::scene::fields::Fields;
use crate::scene::key::{Key, Moved, Plain, choice, flag, key, number, optional, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{Constant, Kind, Range, Row, Type, kind, range};
use crate::scene::text::color::parse_hex;
use crate::scene::text::syntax::{Table, Value};
use crate::scene::text::toml::scene_text;
use crate::scene::track::Thing;
use crate::scene::word::{Word, add_words};

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[&[camera::CHOICE.name(), camera::LOOK.name(), camera::VIEW.name()]],
    thing: Some(|_| Thing::Output),
    ..kind("[output]", "What comes out.", KEYS)
};

pub(crate) static SHOT_TABLE: Kind = Kind {
    exclusive: TABLE.exclusive,
    thing: Some(|at| Thing::Shot(at[0])),
    ..kind(
        "[shot.NAME]",
        "Another picture of the scene, rendered by `--shot NAME`. It has the keys of `[output]`; keys that are not written are as in `[output]`.",
        KEYS,
    )
};

const SIZE_PX: Key<[u32; 2]> = key(
    "size_px",
    Type::Wholes { count: 2, min: 1, max: 65536 },
    Constant::Wholes(&[512, 512]),
    "Width and height in pixels.",
);
const SAMPLES: Key<u32> = key(
    "samples",
    Type::ChoiceOf(&[1, 4, 16]),
    Constant::Whole(4),
    "Samples per pixel: 1, 4 for smooth edges, or 16 for a final picture.",
);
const SHADING: Key<Option<Shading>> = optional(
    "shading",
    Type::Choice(Shading::NAMES),
    "`pixel`, with 16 samples `sample`",
    "Whether a surface is shaded once per pixel, or for each sample: slower, but highlights and cut-outs are smooth, too.",
);
const TONEMAP: Key<Tonemap> = choice(
    "tonemap",
    "agx",
    "Tone mapping: AgX, a fit of ACES by Hill or by Narkowicz, Khronos neutral, Reinhard without and with a white of 4, Hable, or none.",
);
const DISPLAY: Key<Display> = choice(
    "display",
    "srgb",
    "The display that PNG and APNG files are for: `srgb`, `p3` (Display P3), or `rec2020_pq`, HDR with 16 bits per channel. \
     Other files, sheets, `--show` and `test` use sRGB.",
);
const EXPOSURE_EV: Key<f32> = number(
    "exposure_ev",
    0.0,
    range(-64.0, 64.0),
    "The linear picture is multiplied by 2 to this power before tone mapping.",
)
.moves();
const BACKGROUND: Key<Background> = key(
    "background",
    Type::ColorOr(Background::NAMES),
    Constant::Word("#000000"),
    "What is behind the scene: a colour, the environment, or transparency.",
);
const ZOOM: Key<f32> = number(
    "zoom",
    1.0,
    ZOOMS,
    "Enlarges the picture about its middle, as a longer lens does; less than 1 shows more. Any camera has it.",
);
const SHADOWS: Key<bool> = flag("shadows", true, "Whether lights cast shadows at all.");
const LIGHTING: Key<Lighting> = choice(
    "lighting",
    "file",
    "The lights to use: those of the scene and its models (`file`), three studio lights instead (`studio`), or none. `auto` uses the studio lights only if there are no others.",
);
const STYLE: Key<Style> = choice(
    "style",
    "plain",
    "How what is `auto`, and studio lights, are shown: `studio` is a grey room with a soft shadow and ambient occlusion, `plain` has three lights and a gradient, and is faster.",
);
const MODEL_LIGHTS: Key<bool> = flag("model_lights", true, "Whether lights stored in model files are used.");
const GROUND: Key<Ground> = choice(
    "ground",
    "off",
    "Whether to put a grey floor under everything. `auto` adds it only if there are no lights.",
);
const MAX_MIP: Key<Option<u32>> = optional(
    "max_mip",
    Type::Whole { min: 0, max: 15 },
    "all levels",
    "Highest texture level to use; 0 uses the full size only.",
);
const STROKE_WIDTH_PX: Key<Option<f32>> = optional(
    "stroke_width_px",
    Type::Number(STROKE_WIDTHS_PX),
    "1/256 of the model's diagonal",
    "Width of models' lines and points, in pixels of this picture as if the model's diagonal were as long as its shorter side.",
);
const TIME_S: Key<f64> = number("time_s", 0.0, range(-1e6, 1e6), "The moment to show, in seconds from the start.");
const FPS: Key<f64> = number(
    "fps",
    30.0,
    range(1e-3, 1e6),
    "Frames per second, for frame numbers here and in `[test]`. `render` has its own `--fps`.",
);
const FRAMES: Key<Option<Frames>> = optional(
    "frames",
    Type::Frames,
    "one picture",
    "The frames of the animation: `\"0..47\"` is 48 frames, the first at 0 seconds. `render` writes them into an \
     .apng file, a sheet or numbered files; `--frames` chooses others.",
);
const AOV: Key<Vec<Aov>> = key(
    "aov",
    Type::Choices(AOVS),
    Constant::Words(&["color"]),
    "The layers to render: colour, or other values per pixel. `render` has its own `--aov`.",
);
pub(super) static KEYS: &[Row] = rows! {
    SIZE_PX, SAMPLES, SHADING, TONEMAP, DISPLAY, EXPOSURE_EV, BACKGROUND, camera::CHOICE, camera::LOOK, camera::VIEW, ZOOM, SHADOWS, LIGHTING, STYLE, MODEL_LIGHTS,
    GROUND, MAX_MIP, STROKE_WIDTH_PX, TIME_S, FPS, FRAMES, AOV
};

#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub width_px: u32,
    pub height_px: u32,
    /// 1, 4 or 16.
    pub samples: u32,
    /// `None`: by the number of samples, see [`Output::shading`].
    pub shading: Option<Shading>,
    pub tonemap: Tonemap,
    /// The linear picture is multiplied by 2^exposure_ev before tone mapping.
    pub exposure_ev: f32,
    pub background: Background,
    /// How much larger the picture is about its middle than the camera's.
    pub zoom: f32,
    /// Width of models' lines and points: as if a model's diagonal were as long as the picture's shorter side.
    pub stroke_width_px: Option<f32>,
    /// Frames a second.
    pub fps: f64,
    /// First and last frame of a sequence, both included; `None`: one picture.
    pub frames: Option<[i64; 2]>,
    /// What is pictured, each once.
    pub aov: Vec<Aov>,
}

/// How often a surface is shaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shading {
    /// Once a pixel, at a point that is seen.
    Pixel,
    /// At every sample.
    Sample,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tonemap {
    Agx,
    Aces,
    Neutral,
    Reinhard,
    ReinhardExtended,
    Hable,
    AcesNarkowicz,
    None,
}

/// What files that people look at are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Display {
    #[default]
    Srgb,
    /// P3 primaries with the transfer function of sRGB.
    P3,
    /// Rec. 2020 primaries with the transfer function PQ: white is 203 cd/m2, the peak 1000.
    Rec2020Pq,
}

/// How what a file leaves open is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// A grey room with soft boxes, a soft shadow and ambient occlusion; three studio lights without that.
    Studio,
    /// Three studio lights, and a gradient from around.
    #[default]
    Plain,
}

impl Style {
    /// Words of the command line.
    pub const WORDS: &'static [(&'static str, Style)] = &[("studio", Style::Studio), ("plain", Style::Plain)];
}

/// Which lights shine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lighting {
    /// The file's own if it has any, else the studio. Gone after [`Scene::settle`].
    Auto,
    /// Those of the scene file and of its models.
    File,
    /// The three-light studio and nothing else. Gone after [`Scene::settle`], which puts its lights into the scene.
    Studio,
    /// None at all.
    None,
}

/// Whether a floor is put under everything: grey, [`Scene::GROUND_ROUGHNESS`] rough, facing +Y, at the height of the
/// lowest point of everything loaded, centred under it, fading into the background ([`Scene::GROUND_RADII_RATIO`]). The
/// floor comes last of all objects, is named `ground`, receives shadows, casts none, and plays no part when a camera is
/// framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// On for a file without lights of its own. Gone after [`Scene::settle`].
    Auto,
    On,
    Off,
}

impl Output {
    /// How often surfaces are shaded. With one sample there is no difference.
    pub fn shading(&self) -> Shading {
        match (self.samples, self.shading) {
            (1, _) => Shading::Pixel,
            (4, shading) => shading.unwrap_or(Shading::Pixel),
            _ => Shading::Sample,
        }
    }

    /// Samples that are drawn at once; the others are drawn one after the other.
    pub fn samples_together(&self) -> u32 {
        if self.shading() == Shading::Pixel { self.samples } else { 1 }
    }

    /// The same as a method of lighting draws it: sample by sample, where it has one sample at a time.
    pub fn drawn_by(&self, render: &RenderOptions) -> Output {
        let is_put = render.transparency != Transparency::Sorted;
        let one_by_one = (is_put || render.lighting.row().one_sample) && self.samples > 1;
        Output { shading: if one_by_one { Some(Shading::Sample) } else { self.shading }, ..self.clone() }
    }

    /// What its values say against each other, and against how it is drawn.
    pub(crate) fn conflict(&self, render: &RenderOptions) -> Option<String> {
        let method = render.lighting.row();
        match (self.samples, self.shading) {
            (2..=4, Some(Shading::Pixel)) if method.one_sample => Some(format!(
                "`shading = \"pixel\"` needs 1 sample with `lighting = \"{}\"`, which shades samples one by one",
                method.name
            )),
            (5.., Some(Shading::Pixel)) => {
                Some("`shading = \"pixel\"` needs 1 or 4 samples: 16 are shaded one by one".to_string())
            }
            _ => None,
        }
    }
}

impl Shading {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Shading)] = &[("pixel", Shading::Pixel), ("sample", Shading::Sample)];
}

impl Word for Shading {
    const WORDS: &'static [(&'static str, Shading)] = Shading::WORDS;
}

impl Lighting {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Lighting)] =
        &[("auto", Lighting::Auto), ("file", Lighting::File), ("studio", Lighting::Studio), ("none", Lighting::None)];
}

impl Word for Style {
    const WORDS: &'static [(&'static str, Style)] = Style::WORDS;
}

impl Word for Lighting {
    const WORDS: &'static [(&'static str, Lighting)] = Lighting::WORDS;
}

impl Ground {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Ground)] = &[("auto", Ground::Auto), ("on", Ground::On), ("off", Ground::Off)];
}

impl Word for Ground {
    const WORDS: &'static [(&'static str, Ground)] = Ground::WORDS;
}

impl Tonemap {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Tonemap)] = &[
        ("agx", Tonemap::Agx),
        ("aces", Tonemap::Aces),
        ("neutral", Tonemap::Neutral),
        ("reinhard", Tonemap::Reinhard),
        ("reinhard_extended", Tonemap::ReinhardExtended),
        ("hable", Tonemap::Hable),
        ("aces_narkowicz", Tonemap::AcesNarkowicz),
        ("none", Tonemap::None),
    ];

    pub fn word(self) -> &'static str {
        Word::word(self)
    }
}

impl Display {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Display)] =
        &[("srgb", Display::Srgb), ("p3", Display::P3), ("rec2020_pq", Display::Rec2020Pq)];

    pub fn word(self) -> &'static str {
        Word::word(self)
    }
}

impl Word for Display {
    const WORDS: &'static [(&'static str, Display)] = Display::WORDS;
}

impl Word for Tonemap {
    const WORDS: &'static [(&'static str, Tonemap)] = Tonemap::WORDS;
}

/// What strokes may be wide.
const STROKE_WIDTHS_PX: Range = range(0.01, 1000.0);

/// As `--stroke-width` takes it.
pub fn parse_stroke_width(text: &str) -> Result<f32, String> {
    let Range { min, max, .. } = STROKE_WIDTHS_PX;
    let width_px = text.parse::<f64>().ok().filter(|width_px| (min..=max).contains(width_px));
    width_px.map(|width_px| width_px as f32).ok_or_else(|| format!("expected {min} to {max}"))
}

/// The least and the largest zoom.
const ZOOMS: Range = range(0.01, 100.0);

/// As `--zoom` takes it.
pub fn parse_zoom(text: &str) -> Result<f32, String> {
    let Range { min, max, .. } = ZOOMS;
    let zoom = text.parse::<f64>().ok().filter(|zoom| (min..=max).contains(zoom));
    zoom.map(|zoom| zoom as f32).ok_or_else(|| format!("expected {min} to {max}; 2 shows everything twice as large"))
}

impl Scene {
    /// Longest side of a picture.
    pub const SIDE_MAX_PX: u32 = 65536;
    /// Longest side of a picture that is drawn at once.
    pub const AT_ONCE_MAX_PX: u32 = 8192;

    /// Width of strokes of a bare model, so that they are seen at every size of the picture.
    const BARE_STROKE_WIDTH_PX: f32 = 2.0;

    /// Width of models' lines and points as a part of the models' diagonals; `None`: as goes without saying.
    pub fn stroke_width_ratio(&self) -> Option<f64> {
        let bare = self.bare_model.then_some(Scene::BARE_STROKE_WIDTH_PX);
        let side_px = self.output.width_px.min(self.output.height_px).max(1);
        self.output.stroke_width_px.or(bare).map(|width_px| f64::from(width_px) / f64::from(side_px))
    }
}

/// `WxH` in pixels, as `--size` takes it.
pub fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X']).and_then(|(w, h)| Some([w.trim().parse().ok()?, h.trim().parse().ok()?]));
    let sides: [u32; 2] =
        sides.ok_or_else(|| format!("`{text}` is not a size: expected WIDTHxHEIGHT, for example 640x360"))?;
    match sides.iter().all(|side| (1..=Scene::SIDE_MAX_PX).contains(side)) {
        true => Ok(sides),
        false => Err(format!("`{text}`: each side must be 1 to {} pixels", Scene::SIDE_MAX_PX)),
    }
}

/// Largest number of a frame, either way.
const FRAME_MAX: i64 = 1_000_000_000;

/// `A..B`: frames from A up to B, both included.
pub fn parse_frames(text: &str) -> Result<[i64; 2], String> {
    let number = |text: &str| text.trim().parse::<i64>().ok().filter(|n| (-FRAME_MAX..=FRAME_MAX).contains(n));
    let ends = text.split_once("..").and_then(|(first, last)| Some([number(first)?, number(last)?]));
    match ends {
        Some([first, last]) if first > last => Err(format!("`{text}`: the first frame is after the last")),
        Some(ends) => Ok(ends),
        None => Err(format!("`{text}` is not a range of frames: expected FIRST..LAST, for example 0..47")),
    }
}

/// First and last frame, as `A..B`.
#[derive(Clone)]
struct Frames([i64; 2]);

impl Plain for Frames {
    fn read(value: &Value) -> Option<Frames> {
        parse_frames(value.kind.text()?).ok().map(Frames)
    }

    fn print(&self) -> Option<String> {
        let [first, last] = self.0;
        Some(scene_text(&format!("{first}..{last}")))
    }

    fn blank() -> Frames {
        Frames([0; 2])
    }
}

/// What is seen where nothing is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Background {
    /// Not decided until the files are loaded: see `Scene::settle`, after which this is gone.
    Auto,
    /// Linear.
    Color([f32; 3]),
    Environment,
    Transparent,
}

impl Background {
    /// As files and arguments spell them; everything else is a colour.
    const WORDS: &[(&str, Background)] = &[
        ("auto", Background::Auto),
        ("environment", Background::Environment),
        ("transparent", Background::Transparent),
    ];
    pub(super) const NAMES: &[&str] = &add_words::<_, 3>([""; 3], 0, Background::WORDS);

    fn of_word(text: &str) -> Option<Background> {
        Background::WORDS.iter().find(|(word, _)| *word == text).map(|(_, background)| *background)
    }
}

impl Plain for Background {
    fn read(value: &Value) -> Option<Background> {
        let word = value.kind.text().and_then(Background::of_word);
        word.or_else(|| <[f32; 3]>::read(value).map(Background::Color))
    }

    fn print(&self) -> Option<String> {
        match self {
            Background::Color(color) => color.print(),
            word => Background::WORDS.iter().find(|(_, known)| known == word).map(|(word, _)| scene_text(word)),
        }
    }

    fn blank() -> Background {
        Background::Color([0.0; 3])
    }
}

/// `auto`, `transparent`, `environment` or `#rrggbb`, as `--background` takes it.
pub fn parse_background(text: &str) -> Result<Background, String> {
    let color = || parse_hex(text, false).map(|[r, g, b, _]| Background::Color([r, g, b]));
    let found = Background::of_word(text).or_else(color);
    found.ok_or_else(|| "auto, transparent, environment, or a colour like #20242c".into())
}

/// `[shot.NAME]`: everything that `[output]` says, as this picture has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneShot {
    pub name: String,
    pub output: Output,
    pub camera: CameraChoice,
    pub shadows: bool,
    pub lighting: Lighting,
    pub style: Style,
    pub display: Display,
    pub model_lights: bool,
    pub ground: Ground,
    pub max_mip: Option<u32>,
    pub time_s: f64,
}

/// All that a table says, but for the name and which camera looks.
pub(crate) fn output(table: &Table) -> SceneShot {
    let mut out = SceneShot {
        name: String::new(),
        output: Output {
            width_px: 0,
            height_px: 0,
            samples: 0,
            shading: None,
            tonemap: Tonemap::None,
            exposure_ev: 0.0,
            background: Background::Auto,
            zoom: 1.0,
            stroke_width_px: None,
            fps: 0.0,
            frames: None,
            aov: Vec::new(),
        },
        camera: CameraChoice::Auto,
        shadows: false,
        lighting: Lighting::File,
        style: Style::Plain,
        display: Display::Srgb,
        model_lights: false,
        ground: Ground::Off,
        max_mip: None,
        time_s: 0.0,
    };
    let mut on = Fields::Read(table);
    look_fields(&mut on, &mut out);
    light_and_time_fields(&mut on, &mut out);
    if out.output.aov.is_empty() {
        out.output.aov = AOV.default();
    }
    out
}

/// Complains of keys of `table`, which `output` was read from, that say things against each other.
pub(crate) fn check(resolver: &mut Resolver<'_>, table: &Table, output: &Output, render: &RenderOptions) {
    if let Some(conflict) = output.conflict(render) {
        resolver.complain_of(table, &[SHADING.name(), SAMPLES.name()], code::WITHOUT_EFFECT, conflict);
    }
}

/// The moment of a scene whose `[output]` is `table`.
pub(crate) fn time_s(table: &Table) -> f64 {
    table.ask(TIME_S)
}

/// Those before the camera's.
fn look_fields(on: &mut Fields<'_, '_>, shot: &mut SceneShot) {
    let Output { width_px, height_px, samples, shading, tonemap, exposure_ev, background, .. } = &mut shot.output;
    let mut size_px = [*width_px, *height_px];
    on.field(SIZE_PX, &mut size_px);
    [*width_px, *height_px] = size_px;
    on.field(SAMPLES, samples);
    on.field(SHADING, shading);
    on.field(TONEMAP, tonemap);
    on.field(DISPLAY, &mut shot.display);
    on.field(EXPOSURE_EV, exposure_ev);
    on.field(BACKGROUND, background);
}

/// Those behind the camera's.
fn light_and_time_fields(on: &mut Fields<'_, '_>, shot: &mut SceneShot) {
    let SceneShot { output, shadows, lighting, style, model_lights, ground, max_mip, time_s, .. } = shot;
    on.field(ZOOM, &mut output.zoom);
    on.field(SHADOWS, shadows);
    on.field(LIGHTING, lighting);
    on.field(STYLE, style);
    on.field(MODEL_LIGHTS, model_lights);
    on.field(GROUND, ground);
    on.field(MAX_MIP, max_mip);
    on.field(STROKE_WIDTH_PX, &mut output.stroke_width_px);
    on.field(TIME_S, time_s);
    on.field(FPS, &mut output.fps);
    let mut frames = output.frames.map(Frames);
    on.field(FRAMES, &mut frames);
    output.frames = frames.map(|Frames(ends)| ends);
    on.field(AOV, &mut output.aov);
}

pub(crate) fn print(out: &mut Printer<'_>, shot: &SceneShot) {
    let mut shot = shot.clone();
    look_fields(&mut Fields::Print(out), &mut shot);
    camera::print_choice(out, &shot.camera);
    light_and_time_fields(&mut Fields::Print(out), &mut shot);
}

pub(crate) fn moved(output: &mut Output, moved: Moved<'_>) {
    Fields::Move(moved).field(EXPOSURE_EV, &mut output.exposure_ev);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("640x360"), Ok([640, 360]));
        assert_eq!(parse_size("65536X1"), Ok([65536, 1]));
        for text in ["", "640", "0x5", "5x0", "100000x1", "65537x1", "-1x5", "ax5", "1x2x3", "99999999999x1"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_of_frames() {
        assert_eq!(parse_frames("0..47"), Ok([0, 47]));
        assert_eq!(parse_frames("-3 .. -3"), Ok([-3, -3]));
        for text in ["", "5", "5..", "..5", "5..4", "a..b", "0..99999999999", "0...5", "5..-9223372036854775808"] {
            assert!(parse_frames(text).is_err(), "{text}");
        }
    }
}
