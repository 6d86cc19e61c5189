//! Row: everything about an effect, as data and functions.

use super::Values;

/// An effect.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    pub name: &'static str,
    pub doc: &'static str,
    /// What its pixels are, as a formula in words.
    pub formula: &'static str,
    /// Who has published it.
    pub source: &'static str,
    pub space: Space,
    pub reach: Reach,
    pub params: &'static [Param],
    /// Values of parameters with which no pixel changes. Empty: there are none.
    pub identity: &'static [(&'static str, f32)],
    /// The last one gives the picture. Empty for `Space::Reflection` alone.
    pub stages: fn(&Values, [u32; 2]) -> Vec<Stage>,
    /// Functions of its stages.
    pub text: &'static str,
}

/// What a picture's numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Linear, exposed light, before tone mapping.
    Hdr,
    /// Light of a display, from 0 to 1, after tone mapping.
    Ldr,
    /// Either.
    Any,
    /// Shares of the light from around that surfaces get, before the picture is drawn. The last stage, `apply` of
    /// `occlusion.wgsl`, leaves the share and the distance along the view axis.
    Occlusion,
    /// What surfaces reflect: lighting calls `reflection_at` of its text.
    Reflection,
}

/// What a pixel depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Itself, and where in the picture it is.
    Pixel,
    /// Others, too.
    Others,
}

/// A parameter: a key of the effect, and a field of WGSL.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: ParamKind,
    pub doc: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// `f32`.
    Number { default: f64, min: f64, max: f64 },
    /// `f32` in WGSL; it does not move.
    Whole { default: i64, min: i64, max: i64 },
    /// `vec2f`.
    Pair { default: &'static [f64; 2], min: f64, max: f64 },
    /// `vec3f`: red, green and blue, each from 0 to `max`.
    Color { default: &'static [f64; 3], max: f64 },
    /// `vec3f`, of any sign.
    Triple { default: &'static [f64; 3], min: f64, max: f64 },
    /// `f32`: 1 or 0.
    Flag { default: bool },
    /// `f32`: the place of the word.
    Choice { default: &'static str, words: &'static [&'static str] },
    /// The name of a file, whose table stages read. No field.
    File,
}

/// One picture that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Its function: `fn NAME(at: vec2i) -> vec4f`.
    pub function: &'static str,
    /// What `texel_0`, `texel_1` and so on are of.
    pub reads: Vec<Read>,
    /// How often it is half as large as the effect's picture. The last stage is as large.
    pub halvings: u32,
    /// How large it is instead, if it is no picture of what is seen.
    pub size_px: Option<[u32; 2]>,
    /// What the stage is told: `frame.data`.
    pub data: [[f32; 4]; 4],
}

/// A picture that a stage reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// What the effect is of.
    Input,
    /// The other picture of an effect of two.
    With,
    /// An earlier stage of the effect.
    Stage(usize),
    /// Pixels from where things are to where they were one frame before, right and down.
    Motion,
    /// The table of the effect's file: `table_at`.
    Table,
    /// Depth of opaque surfaces at pixels' centres: `distance_at`.
    Depth,
    /// Lights and their shadows, at points of the air: `arriving_at`. The parameter `far_m` says how far.
    Lights,
    /// What a stage of the effect has left one frame before; black and transparent where `frame.age` is 1.
    Before(usize),
}

impl Effect {
    pub fn param(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|param| param.name == name)
    }

    /// Its parameters that WGSL has as fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = (usize, &'static Param)> {
        self.params.iter().enumerate().filter(|(_, param)| param.kind != ParamKind::File)
    }

    /// The parameter that names a file.
    pub fn file(&self) -> Option<&'static Param> {
        self.params.iter().find(|param| param.kind == ParamKind::File)
    }

    /// Whether it is of two pictures.
    pub fn has_two(&self) -> bool {
        self.name == "blend"
    }

    /// Whether each frame is taken at another point of its pixels.
    pub fn is_jittered(&self) -> bool {
        self.name == "taa"
    }

    /// Whether one of its stages reads lights.
    pub fn reads_lights(&self) -> bool {
        self.text.contains("arriving_at(")
    }

    /// Whether it differs from moment to moment by itself.
    pub fn is_timed(&self) -> bool {
        self.is_jittered() || self.text.contains("frame.time_s") || self.text.contains("frame.tick")
    }
}

impl Stage {
    /// One that reads the effect's input.
    pub fn of_input(function: &'static str) -> Stage {
        Stage { function, reads: vec![Read::Input], halvings: 0, size_px: None, data: [[0.0; 4]; 4] }
    }
}

impl ParamKind {
    pub fn default(self) -> [f32; 4] {
        let of = |numbers: &[f64]| {
            let mut out = [0.0; 4];
            out.iter_mut().zip(numbers).for_each(|(out, number)| *out = *number as f32);
            out
        };
        match self {
            ParamKind::Number { default, .. } => of(&[default]),
            ParamKind::Whole { default, .. } => of(&[default as f64]),
            ParamKind::Pair { default, .. } => of(default),
            ParamKind::Color { default, .. } | ParamKind::Triple { default, .. } => of(default),
            ParamKind::Flag { default } => of(&[f64::from(u8::from(default))]),
            ParamKind::File => [0.0; 4],
            ParamKind::Choice { default, words } => {
                of(&[words.iter().position(|word| *word == default).unwrap_or_default() as f64])
            }
        }
    }

    /// The type of its field.
    pub fn wgsl(self) -> &'static str {
        match self {
            ParamKind::Pair { .. } => "vec2f",
            ParamKind::Color { .. } | ParamKind::Triple { .. } => "vec3f",
            _ => "f32",
        }
    }
}

/// Those of an effect that lighting calls.
pub fn none(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    Vec::new()
}

/// Stages of an effect that is one function, `apply`.
pub fn one(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![Stage::of_input("apply")]
}

pub const fn number(name: &'static str, default: f64, [min, max]: [f64; 2], doc: &'static str) -> Param {
    Param { name, kind: ParamKind::Number { default, min, max }, doc }
}

pub const fn whole(name: &'static str, default: i64, [min, max]: [i64; 2], doc: &'static str) -> Param {
    Param { name, kind: ParamKind::Whole { default, min, max }, doc }
}

pub const fn pair(name: &'static str, default: &'static [f64; 2], [min, max]: [f64; 2], doc: &'static str) -> Param {
    Param { name, kind: ParamKind::Pair { default, min, max }, doc }
}

pub const fn color(name: &'static str, default: &'static [f64; 3], max: f64, doc: &'static str) -> Param {
    Param { name, kind: ParamKind::Color { default, max }, doc }
}

pub const fn triple(name: &'static str, default: &'static [f64; 3], [min, max]: [f64; 2], doc: &'static str) -> Param {
    Param { name, kind: ParamKind::Triple { default, min, max }, doc }
}

pub const fn flag(name: &'static str, default: bool, doc: &'static str) -> Param {
    Param { name, kind: ParamKind::Flag { default }, doc }
}

pub const fn file(name: &'static str, doc: &'static str) -> Param {
    Param { name, kind: ParamKind::File, doc }
}

pub const fn choice(
    name: &'static str,
    default: &'static str,
    words: &'static [&'static str],
    doc: &'static str,
) -> Param {
    Param { name, kind: ParamKind::Choice { default, words }, doc }
}
