//! Target: what passes write into, and its parts.

use super::view::ViewId;

/// Texel format of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// The linear picture. The one format that WebGPU lets every device filter, blend, multisample and resolve; its 11
    /// significant bits stay below a quarter of an 8-bit step after encoding.
    Rgba16Float,
    /// Exact values: normals and depth, and pictures that stay linear.
    Rgba32Float,
    /// Bits of exact values, and ids.
    Rgba32Uint,
    /// Numbers of what is seen.
    Rg32Uint,
    /// Motion in pixels.
    Rg32Float,
    /// Depth in levels.
    R32Float,
    Rgba16Uint,
    Rgba8UnormSrgb,
    Depth32Float,
}

impl Format {
    /// Of one sample.
    pub fn bytes(self) -> u64 {
        match self {
            Format::Rgba8UnormSrgb | Format::Depth32Float | Format::R32Float => 4,
            Format::Rgba16Float | Format::Rg32Float | Format::Rg32Uint | Format::Rgba16Uint => 8,
            Format::Rgba32Float | Format::Rgba32Uint => 16,
        }
    }

    /// What it counts among a pass's attachments (WebGPU, "render target pixel byte cost").
    pub fn attached_bytes(self) -> u64 {
        if self == Format::Rgba8UnormSrgb { 8 } else { self.bytes() }
    }

    pub fn is_depth(self) -> bool {
        self == Format::Depth32Float
    }
}

/// Index into `Plan::targets`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetId(pub usize);

/// How long the contents of a target are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// From the first pass that touches it to the last.
    Picture,
    /// Later pictures of the sitting use it, too.
    Sitting,
    /// An earlier picture of the sitting has left it: who reads it needs nobody to write it.
    Earlier,
}

/// A texture, or a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// For people, and for passes to find it by.
    pub name: &'static str,
    /// The camera's view whose passes write it; `None`: it is every view's.
    pub view: Option<ViewId>,
    /// `None`: a buffer of `width_px` bytes.
    pub format: Option<Format>,
    pub width_px: u32,
    pub height_px: u32,
    /// Array layers or cube faces.
    pub layers: u32,
    /// Levels, each half as wide as the one before.
    pub levels: u32,
    pub samples: u32,
    pub life: Life,
}

impl Target {
    /// A texture of one layer, level and sample.
    pub fn texture(name: &'static str, format: Format, [width_px, height_px]: [u32; 2]) -> Target {
        Target {
            name,
            view: None,
            format: Some(format),
            width_px,
            height_px,
            layers: 1,
            levels: 1,
            samples: 1,
            life: Life::Picture,
        }
    }

    /// The six faces of a cube and their levels.
    pub fn cube(name: &'static str, format: Format, size_px: u32, levels: u32) -> Target {
        Target { layers: 6, levels, ..Target::texture(name, format, [size_px; 2]) }
    }

    pub fn buffer(name: &'static str, bytes: u32) -> Target {
        Target { format: None, ..Target::texture(name, Format::Rgba8UnormSrgb, [bytes, 1]) }
    }

    pub fn bytes(&self) -> u64 {
        let texels: u64 = self
            .parts()
            .map(|part| self.part_size(part))
            .map(|[width_px, rows]| u64::from(width_px) * u64::from(rows))
            .sum();
        texels * u64::from(self.samples) * self.format.map_or(1, Format::bytes)
    }

    /// Each level with all its layers.
    pub fn parts(&self) -> impl Iterator<Item = Part> + use<> {
        let layers = self.layers;
        (0..self.levels).map(move |level| Part { level, first_layer: 0, layers })
    }

    /// Width and rows of a part, its layers one below the other.
    pub fn part_size(&self, part: Part) -> [u32; 2] {
        [(self.width_px >> part.level).max(1), (self.height_px >> part.level).max(1) * part.layers]
    }

    /// Whether one texture can hold both, one after the other.
    pub fn fits(&self, other: &Target) -> bool {
        let shape = |t: &Target| (t.format, t.width_px, t.height_px, t.layers, t.levels, t.samples);
        self.life == Life::Picture && other.life == Life::Picture && shape(self) == shape(other)
    }
}

/// One level and some layers of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub level: u32,
    pub first_layer: u32,
    pub layers: u32,
}

impl Part {
    /// The only level and layer of a picture.
    pub const WHOLE: Part = Part { level: 0, first_layer: 0, layers: 1 };

    pub fn layer(layer: u32) -> Part {
        Part { first_layer: layer, ..Part::WHOLE }
    }

    /// Whether a texel is in both.
    pub fn overlaps(self, other: Part) -> bool {
        self.level == other.level
            && self.first_layer < other.first_layer + other.layers
            && other.first_layer < self.first_layer + self.layers
    }
}
