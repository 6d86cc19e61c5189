#![doc = include_str!("../README.md")]
//!
//! # For maintainers
//!
//! In: samples, or files of other people. Out: [`Picture`]s, [`PixelHash`]es, [`Lock`]s, [`Differences`], runs and
//! their [`report`]s. Never here: where pictures come from, printing.

#![forbid(unsafe_code)]

mod animation;
mod apng;
pub mod compare;
mod convert;
mod exr_file;
mod exr_read;
mod filter;
#[cfg(feature = "web")]
mod gif_file;
mod hash;
mod lock;
pub mod looking;
mod npy;
#[cfg(feature = "web")]
mod palette;
mod passes;
mod picture;
mod picture_file;
mod png_file;
mod png_rows;
pub mod report;
pub mod review;
pub mod run;
mod sheet;
pub mod store;
pub mod terminal;
pub mod testing;
#[cfg(feature = "web")]
mod web_file;
mod write;

pub use animation::{Animation, Delay, Frames};
pub use apng::{Apng, delay};
pub use compare::{Bounds, CompareError, Differences, Exact, Mask, Summary, difference_picture};
pub use exr_file::{ExrError, ExrLayer, encode_exr, encode_plain_exr};
pub use exr_read::{Exr, ExrReadError, NamedPicture, Window, decode_exr, decode_exr_with};
pub use filter::{Filter, FilterError, Partition, Split};
#[cfg(feature = "web")]
pub use gif_file::Gif;
pub use hash::{ParseHashError, PixelHash};
pub use lock::{Lock, LockError, LockLine, Owner};
pub use npy::{Array, NpyError, Values, decode_npy, encode_npy, encode_npy_f32};
pub use passes::{DrawHash, PassHash, first_difference, parse_passes, passes_root, print_passes};
pub use picture::{Channels, Format, Picture, PictureError, SIDE_MAX_PX, SampleKind, Samples};
pub use picture_file::{PictureFileError, decode_pictures};
pub use png_file::{
    CodeSpace, DecodeLimits, PngEffort, PngError, decode_png, decode_png_with, encode_png, encode_png_in,
};
pub use png_rows::PngRows;
pub use sheet::{SheetError, sheet};
#[cfg(feature = "web")]
pub use web_file::{WebError, encode_jpeg, encode_webp};
pub use write::{NothingBegins, Unfinished, write_file, write_file_with};
