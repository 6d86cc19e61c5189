//! Render: a shot becomes texels. The one place that names wgpu.
//!
//! In: a [`Job`]: shots of one world, the store they point into, what is around them and which layers are wanted; an
//! open [`Gpu`]. Out: texels. Never here: files, scene syntax, the choice of what is seen.
//!
//! [`prepare`] is pure: the rows of `pass` declare their passes, and a plan comes of it. [`Frame::load`] uploads what
//! the plan needs, unless [`Uploads`] holds it from an earlier picture, [`draw`] has each row record its passes,
//! [`Drawing::read`] brings the texels back. A kind of pass is one file in `pass` and one line in [`ROWS`].

mod adapter;
mod bend;
mod bind;
mod caps;
mod capture;
mod cast;
mod chain;
mod cover;
mod cubes;
mod draw;
mod environment;
mod fetch;
mod frame;
mod geometry;
mod history;
mod job;
mod kept;
mod ladder;
mod lists;
mod lit;
mod map;
mod material;
mod object;
mod pass;
mod pipeline;
mod prepare;
mod prepared;
mod probe_cubes;
mod probe_upload;
mod probes;
mod readback;
mod rectangle;
mod resources;
mod row;
mod shade;
mod shaders;
mod sights;
mod sky;
mod solid;
mod stretch;
mod strip;
#[cfg(test)]
mod tests;
mod texels;
mod texture;
mod uniform;
mod uploads;

pub use stillframe_soft::PIXEL_CONTRACT;

pub use adapter::{Choice, Gpu, RenderError, SoftOptions, adapters, isa};
pub use caps::Caps;
pub use capture::{DrawCapture, PassCapture};
pub use chain::left_stages;
pub use cubes::around_layers;
pub use draw::{Drawing, Drawn, draw};
pub use frame::Frame;
pub use history::{History, Left, StageId, age};
pub use job::{AroundImage, Capture, Colour, Job, Look, Memory, Post, Skinning, Sums, Tile, face_size};
pub use pass::{ROWS, accumulate::FOUR as FOUR_SAMPLES};
pub use prepare::{Refused, graphs, keys, prepare, programs, texts, unstored};
pub use prepared::{Prepared, Wish};
pub use probe_cubes::{capture_cube, probe_cubes};
pub use probes::{ProbeCubes, ProbePlace, Probes};
pub use row::{Declare, Row, no_texts};
pub use sights::sights;
pub use texels::Texels;
pub use uploads::Uploads;
