//! Stillframe renders scene files to pictures, and tests those pictures, from Rust. It draws offscreen on the CPU, with
//! no window, no GPU and no driver. Every machine gets the same bits, so a test compares exactly.
//!
//! ```
//! use stillframe::harness::Frame;
//! use stillframe::scene;
//! use stillframe::take::{Settings, take};
//!
//! // A scene file, with one value replaced as `--set` replaces it.
//! let edits = ["output.size_px=[64, 48]".to_string()];
//! let read = scene::read("scenes/raster/one_sample.toml".as_ref(), &edits).expect("the file has no mistakes");
//! let taken = take(&read.scene, &Settings::default(), &mut |_| ())?;
//! let (_, picture) = &taken.pictures[0];
//! assert_eq!([picture.width_px, picture.height_px], [64, 48]);
//!
//! // The same in one call, for a test that asks for pixels.
//! let frame = Frame::render_with("scenes/raster/one_sample.toml", &["output.size_px=[64, 48]"]);
//! assert_eq!(frame.hash(), picture.hash());
//! assert_eq!(frame.texel(0, 0), [0x10, 0x14, 0x18], "the background is #101418");
//!
//! // A model file, as `stillframe render` shows it.
//! let wishes = scene::Wishes { size_px: Some([64, 48]), ..scene::Wishes::default() };
//! let frame = Frame::of_model("scenes/assets/suzanne.glb", &wishes);
//! assert_ne!(frame.texel(32, 24), frame.texel(0, 0), "something stands in the middle");
//!
//! // Every case of the scene equals its reference, as `stillframe test` says it.
//! stillframe::assert_frame!("scenes/raster/one_sample.toml");
//! # Ok::<(), stillframe::take::TakeError>(())
//! ```
//!
//! # Where things are
//!
//! | module | what it does |
//! | --- | --- |
//! | [`scene`] | reads scene files: TOML text becomes a [`Scene`](scene::Scene), or all its mistakes at once |
//! | [`mod@take`] | renders: a scene and [`Settings`](take::Settings) become pictures, dumps and figures |
//! | [`harness`] | image tests: [`assert_frame!`], [`Frame`](harness::Frame), the cases of a project |
//! | [`study`] | figures and charts about the clips of a model |
//!
//! A [`Sitting`](take::Sitting) loads a scene once and renders it at many moments. What these modules share is here:
//! [`Diagnostic`] for mistakes in files, [`Picture`] and [`PixelHash`] for what comes out, [`Isa`] and [`Vfs`] for what
//! goes in.
//!
//! The rest is in packages of its own, and each can be used alone:
//!
//! | package | what it does |
//! | --- | --- |
//! | `stillframe-frames` | pictures in files, comparison, references, runs and reports |
//! | `stillframe-soft` | the software adapter, for any program on wgpu |
//! | `stillframe-anim` | clips, graphs, solvers and skinning as jobs on slices |
//! | `stillframe-base` | maths, lanes, ticks, random numbers and threads with the same bits everywhere |
//! | `stillframe-asset` | files below a root and what is wrong with them; geometry, images and materials |
//! | `stillframe-models` | readers of model files and pictures |
//! | `stillframe-scene` | the language of scene files |
//! | `stillframe-world` | scenes with their models at a moment |
//! | `stillframe-draw` | what a camera sees of a world, shaders, passes, and their recording with wgpu |
//!
//! The feature `cli`, on by default, is the program. A test that asks for pixels does without it:
//! `stillframe = { version = "0.1", default-features = false }`.
//!
//! The program `stillframe` is this package too; its commands are in `docs/cli.md`. `ARCHITECTURE.md` leads through the
//! code.

// Some of what the program uses is private.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod harness;
pub mod study;
pub mod take;

#[doc(inline)]
pub use stillframe_asset::source::{Diagnostic, Severity, Vfs};
#[doc(inline)]
pub use stillframe_base::lanes::Isa;
#[doc(inline)]
pub use stillframe_frames::{Format, Picture, PixelHash, Samples};
#[doc(inline)]
pub use stillframe_scene::scene;

pub(crate) use stillframe_asset::{asset, source};
pub(crate) use stillframe_draw::{fault, frame, light, render, view};
pub(crate) use stillframe_models::{bake, cache, import};
pub(crate) use stillframe_world::{animate, pose, world};
