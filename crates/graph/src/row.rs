//! Row: everything that is known of a kind of node.

/// Most input pins of a node.
pub const PINS_MAX: usize = 8;

/// A kind of node.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// As scene files spell it.
    pub word: &'static str,
    pub doc: &'static str,
    /// Where its formula is from; empty where it is plain arithmetic.
    pub source: &'static str,
    pub inputs: &'static [Pin],
    pub setting: Setting,
    pub outputs: &'static [Out],
    /// Whether it compares neighbouring pixels, which only the stages of a surface have.
    pub needs_derivative: bool,
    /// The least width of its pins of the widest kind.
    pub width_min: u8,
}

impl Row {
    pub(crate) const EMPTY: Row = Row {
        word: "",
        doc: "",
        source: "",
        inputs: &[],
        setting: Setting::None,
        outputs: &[],
        needs_derivative: false,
        width_min: 1,
    };
}

/// An input of a node.
#[derive(Clone, Copy, Debug)]
pub struct Pin {
    pub name: &'static str,
    pub width: Width,
    pub meaning: Meaning,
    pub default: Default,
    pub doc: &'static str,
}

/// What counts where nothing feeds a pin.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// Something must.
    Required,
    Number(f64),
    Vector(&'static [f64]),
    Geometry(Geometry),
}

/// How many numbers a pin carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    Fixed(u8),
    /// As many as the widest value that feeds such a pin of the node.
    Widest,
}

/// What the numbers of a pin are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Number,
    /// Linear Rec.709.
    Color,
    Alpha,
    /// In the world; its length means nothing.
    Direction,
    Uv,
    /// Metres.
    Position,
}

impl Meaning {
    pub fn word(self) -> &'static str {
        match self {
            Meaning::Number => "number",
            Meaning::Color => "colour",
            Meaning::Alpha => "alpha",
            Meaning::Direction => "direction",
            Meaning::Uv => "uv",
            Meaning::Position => "position",
        }
    }
}

/// What a node holds beside its pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    None,
    /// `value`: one to four numbers, or a colour; part of the text.
    Value,
    /// `value`: a number that the text reads, so that another one needs no other shader.
    Number,
    /// `value`: a colour that the text reads.
    Color,
    /// The moment of the picture in seconds, which the text reads.
    Time,
    /// `on`: which of two inputs there is.
    Switch,
    /// `set`: 0 or 1.
    UvSet,
    /// `octaves`: 1 to 8.
    Octaves,
    /// `texture`: a picture.
    Texture,
}

/// A setting's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Settled {
    None,
    Value {
        numbers: [f32; 4],
        width: u8,
    },
    Parameter([f32; 4]),
    Switch(bool),
    Whole(u32),
    /// A position in the material's list of pictures; its texels are sRGB colours.
    Texture {
        at: usize,
    },
}

/// An output of a node.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    pub name: &'static str,
    pub width: Width,
    pub meaning: Meaning,
    pub form: Form,
    /// The same in f64.
    pub eval: Eval,
    /// How far f32 may be off, in units of 2^-23 of the value's size.
    pub ulp: f64,
}

/// An output as WGSL: `{NAME}` is a pin, `{n}` the width, `{setting}` the setting, `{parameter}`, `{texture}` and
/// `{sampler}` what the material binds.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    Whole(&'static str),
    /// For each number of the widest width.
    Each(&'static str),
    /// Which pin it passes on is decided before there is text.
    Chosen,
}

/// A value and its size, which rounding errors are in proportion to: never less than the value.
pub type Sized1 = (f64, f64);
/// The same of up to four numbers, which share a size.
pub type Sized4 = ([f64; 4], f64);

/// An output in f64.
#[derive(Clone, Copy, Debug)]
pub enum Eval {
    Whole(fn(&Given<'_>) -> Sized4),
    /// For each number of the widest width: that number of every pin.
    Each(fn(&[f64; PINS_MAX]) -> Sized1),
    /// Its texels are not known here.
    Unknown,
}

/// What an output is made of.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// As wide as their pins.
    pub inputs: &'a [[f64; 4]],
    pub width: usize,
    /// The setting's whole number or number, 0 where it has none.
    pub numbers: [f64; 4],
    pub geometry: &'a dyn GeometryValues,
}

/// Values of geometry.
pub trait GeometryValues: std::fmt::Debug {
    fn of(&self, geometry: Geometry) -> [f64; 4];
}

/// A value with its own size.
pub(crate) fn plain(value: f64) -> Sized1 {
    (value, value.abs())
}

/// Numbers with the size of the largest.
pub(crate) fn largest(value: [f64; 4]) -> Sized4 {
    (value, value.iter().fold(0.0, |most: f64, x| most.max(x.abs())))
}

/// What is known of the point of a surface. As arguments of `graph` they stand in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Geometry {
    Position,
    ObjectPosition,
    Normal,
    /// The frame of normal maps: interpolated, not of unit length.
    MeshNormal,
    Tangent,
    Bitangent,
    View,
    ViewPosition,
    ViewNormal,
    Screen,
    CameraPosition,
    CameraDirection,
    Uv0,
    Uv1,
    Color,
    /// Of one light, and of the surface as that light finds it: below `Output::Radiance` alone.
    LightDirection,
    LightIrradiance,
    LightColor,
    LightShadow,
    LitNormal,
}

impl Geometry {
    pub const ALL: [Geometry; 20] = [
        Geometry::Position,
        Geometry::ObjectPosition,
        Geometry::Normal,
        Geometry::MeshNormal,
        Geometry::Tangent,
        Geometry::Bitangent,
        Geometry::View,
        Geometry::ViewPosition,
        Geometry::ViewNormal,
        Geometry::Screen,
        Geometry::CameraPosition,
        Geometry::CameraDirection,
        Geometry::Uv0,
        Geometry::Uv1,
        Geometry::Color,
        Geometry::LightDirection,
        Geometry::LightIrradiance,
        Geometry::LightColor,
        Geometry::LightShadow,
        Geometry::LitNormal,
    ];

    /// Name of its argument.
    pub fn word(self) -> &'static str {
        match self {
            Geometry::Position => "position",
            Geometry::ObjectPosition => "object_position",
            Geometry::Normal => "normal",
            Geometry::MeshNormal => "mesh_normal",
            Geometry::Tangent => "tangent",
            Geometry::Bitangent => "bitangent",
            Geometry::View => "view_direction",
            Geometry::ViewPosition => "view_position",
            Geometry::ViewNormal => "view_normal",
            Geometry::Screen => "screen",
            Geometry::CameraPosition => "camera_position",
            Geometry::CameraDirection => "camera_direction",
            Geometry::Uv0 => "uv0",
            Geometry::Uv1 => "uv1",
            Geometry::Color => "vertex_color",
            Geometry::LightDirection => "light_direction",
            Geometry::LightIrradiance => "light_irradiance",
            Geometry::LightColor => "light_color",
            Geometry::LightShadow => "light_shadow",
            Geometry::LitNormal => "lit_normal",
        }
    }

    /// In words, for pages.
    pub const fn doc(self) -> &'static str {
        match self {
            Geometry::Position => "the world position",
            Geometry::ObjectPosition => "the object position",
            Geometry::Normal => "the surface's normal",
            Geometry::MeshNormal => "the interpolated normal",
            Geometry::Tangent => "the tangent",
            Geometry::Bitangent => "the bitangent",
            Geometry::View => "the direction to the eye",
            Geometry::ViewPosition => "the position in view space",
            Geometry::ViewNormal => "the normal in view space",
            Geometry::Screen => "the place in the picture",
            Geometry::CameraPosition => "the camera's position",
            Geometry::CameraDirection => "the camera's direction",
            Geometry::Uv0 => "uv set 0",
            Geometry::Uv1 => "uv set 1",
            Geometry::Color => "the vertex colour",
            Geometry::LightDirection => "the direction to the light",
            Geometry::LightIrradiance => "what arrives of the light",
            Geometry::LightColor => "the light's colour",
            Geometry::LightShadow => "the light's shadow",
            Geometry::LitNormal => "the normal with its maps",
        }
    }

    pub fn width(self) -> u8 {
        match self {
            Geometry::Screen | Geometry::Uv0 | Geometry::Uv1 => 2,
            Geometry::Color => 4,
            Geometry::LightShadow => 1,
            _ => 3,
        }
    }

    /// Whether the corners of triangles know it.
    pub fn is_at_corners(self) -> bool {
        use Geometry::{Color, Normal, ObjectPosition, Position, Uv0, Uv1};
        matches!(self, Position | ObjectPosition | Normal | Uv0 | Uv1 | Color)
    }

    /// Whether each light has another one.
    pub fn is_of_light(self) -> bool {
        self >= Geometry::LightDirection
    }

    /// Whether it depends on who looks: a shadow map is seen from a light.
    pub fn is_of_camera(self) -> bool {
        matches!(
            self,
            Geometry::View
                | Geometry::ViewPosition
                | Geometry::ViewNormal
                | Geometry::Screen
                | Geometry::CameraPosition
                | Geometry::CameraDirection
        )
    }
}
