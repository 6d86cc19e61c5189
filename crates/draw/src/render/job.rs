//! Job: what is to be pictured, as whoever asks says it.

use std::sync::Arc;

use super::history::History;
use super::probes::Probes;
use crate::asset::{Image, Store};
use crate::light::Sights;
use crate::scene::{Background, Display, Environment, Output, RenderOptions, SceneEffect};
use crate::view::Shot;

/// Pictures of one world at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// One a camera. All shots are of one world.
    pub looks: &'a [Look<'a>],
    pub store: &'a Store,
    pub environment: &'a Environment,
    /// The picture of an environment file.
    pub environment_map: Option<AroundImage<'a>>,
    /// Light from around that holds in boxes.
    pub probes: Option<&'a Arc<Probes>>,
    /// Texture levels above this are not used.
    pub max_mip: Option<u32>,
    /// Who bends vertices.
    pub skinning: Skinning,
    /// How closely the passes are looked at.
    pub capture: Capture,
    /// How lights are brought to surfaces, and how blended surfaces are put over each other.
    pub options: RenderOptions,
    pub memory: Memory,
}

/// What one camera sees, and what is wanted of it.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    pub shot: &'a Shot,
    pub output: &'a Output,
    /// The form of the colour picture.
    pub colour: Colour,
    /// Names of layers.
    pub layers: &'a [String],
    /// Where in each pixel it is taken, in pixels from the centre, right and down.
    pub shift_px: [f32; 2],
    /// Light that was drawn before, which takes the place of the shot's.
    pub sums: Option<Sums<'a>>,
    /// What is seen at all of its points, where a light's maps are fitted to that.
    pub sights: Option<&'a Sights>,
    /// The part of the picture that is drawn; `None`: all of it.
    pub tile: Option<Tile>,
    pub post: Post<'a>,
}

/// What becomes of a picture after it is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Post<'a> {
    pub effects: &'a [SceneEffect],
    /// The moment that is shown.
    pub time_s: f64,
    /// From frame to frame.
    pub frame_s: f64,
    /// What effects have left one frame before.
    pub history: Option<&'a History>,
}

impl Look<'_> {
    /// Width and height of the whole picture.
    pub fn size_px(&self) -> [u32; 2] {
        [self.output.width_px, self.output.height_px]
    }

    /// What lies behind the picture once it is light of a display: linear red, green and blue, and 1; 0 where it stays
    /// transparent.
    pub fn background(&self) -> [f32; 4] {
        match self.output.background {
            Background::Color([r, g, b]) => [r, g, b, 1.0],
            // Where there is no environment to be seen there is black.
            Background::Environment => [0.0, 0.0, 0.0, 1.0],
            Background::Transparent => [0.0; 4],
            Background::Auto => unreachable!("settled when the files were loaded"),
        }
    }

    /// What is drawn of it.
    pub fn drawn(&self) -> Tile {
        self.tile.unwrap_or(Tile { origin_px: [0; 2], size_px: self.size_px() })
    }
}

/// A rectangle of a picture that is drawn by itself. Where its corner lies at multiples of [`Tile::GRID_PX`], its
/// pixels have the bits that they have in the whole picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Its upper left corner in the picture.
    pub origin_px: [u32; 2],
    pub size_px: [u32; 2],
}

impl Tile {
    /// The software adapter interpolates from the corners of squares of this many pixels.
    pub const GRID_PX: u32 = 64;
}

/// Pictures that were added up.
#[derive(Clone, Copy, Debug)]
pub struct Sums<'a> {
    /// Of linear, exposed, premultiplied red, green, blue and alpha, row by row, of the whole width of the picture.
    pub texels: &'a [f32],
    /// The row of the picture that the first of them is.
    pub first_row: u32,
    /// Of how many pictures.
    pub count: u32,
}

/// A picture of what is around.
#[derive(Clone, Copy, Debug)]
pub struct AroundImage<'a> {
    pub image: &'a Image,
    /// It is six faces of a cube, one below the other; else it is equirectangular.
    pub is_faces: bool,
    /// Width of a face of the cube that it fills: a power of two.
    pub cube_px: u32,
}

impl AroundImage<'_> {
    /// Of an equirectangular picture.
    pub fn sphere(image: &Image) -> AroundImage<'_> {
        AroundImage { image, is_faces: false, cube_px: face_size(image) }
    }
}

/// Width of the faces that hold an equirectangular picture.
pub fn face_size(map: &Image) -> u32 {
    (map.height_px / 2).clamp(16, 256).next_power_of_two().min(256)
}

/// The form of the colour picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Bits8(Display),
    Bits16(Display),
    Linear32,
}

impl Colour {
    /// What its integers are codes of.
    pub fn display(self) -> Display {
        match self {
            Colour::Bits8(display) | Colour::Bits16(display) => display,
            Colour::Linear32 => Display::Srgb,
        }
    }
}

/// How targets are held; no pixel depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Targets of one shape whose lives do not meet share a texture.
    pub shares: bool,
    /// Every target is filled with NaN or `DEAD` before it is first used.
    pub poison: bool,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { shares: true, poison: false }
    }
}

/// How closely a frame is looked at while it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Capture {
    #[default]
    Off,
    /// A hash a pass.
    Passes,
    /// Also one after each draw, and the texels of each pass.
    Draws,
}

/// Who bends vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skinning {
    /// The processor, once a picture.
    #[default]
    Cpu,
    /// A compute shader, once a picture.
    Compute,
    /// Every vertex shader for itself: nothing is stored, and figures that differ in posture alone are one draw.
    Vertex,
}

impl Skinning {
    /// Words of the command line.
    pub const WORDS: &[(&str, Skinning)] =
        &[("cpu", Skinning::Cpu), ("compute", Skinning::Compute), ("vertex", Skinning::Vertex)];
}
