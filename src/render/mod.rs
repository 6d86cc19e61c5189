//! Render: a shot becomes texels. The one place that names wgpu.
//!
//! In: a [`Job`]: a shot, the store it points into, what is around it and what is wanted; an open [`Gpu`]. Out: pictures.
//! Never here: files, scene syntax, the choice of what is seen.
//!
//! [`prepare`] is pure: it fits shadow maps and makes the plan. [`Frame::load`] uploads what the plan needs and makes the
//! pipelines, unless [`Uploads`] holds them from an earlier picture, [`Frame::draw`] records and submits, [`Frame::read`] brings the texels back. One file a pass in `pass`.

mod adapter;
mod bend;
mod bind;
mod capture;
mod environment;
mod frame;
mod geometry;
mod material;
mod matrix;
mod object;
mod pass;
mod pipeline;
mod prepare;
mod readback;
mod shadow;
mod sky;
mod texture;
mod uniform;
mod uploads;

pub use stillframe_soft::PIXEL_CONTRACT;

pub use adapter::{Choice, Gpu, RenderError, SoftOptions, adapters, isa};
pub use bend::Skinning;
pub use capture::{Capture, DrawCapture, PassCapture, Texels};
pub use frame::{Drawn, Frame};
pub use prepare::{Job, NotThere, Prepared, keys, prepare, programs, texts};
pub use uploads::Uploads;
