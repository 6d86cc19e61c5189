//! Compare: two pictures, and what a person wants to know about their difference.
//!
//! In: two [`Picture`](crate::Picture)s of one size and format. Out: an exact count ([`Exact`]), labels that explain
//! ([`classes`]), a perceptual map ([`flip()`]), pictures for people, and all figures as plain data ([`Comparison`]).
//! Never here: verdicts, files, printing. Equality is decided by [`PixelHash`](crate::PixelHash) before anything here
//! is asked.

mod alike;
mod class;
mod comparison;
mod differences;
mod exact;
mod flip;
mod form;
mod heat;
mod mask;
mod noise;
mod regions;
mod tolerance;
mod view;

pub use alike::{CompareError, Unlike};
pub use class::{Classes, ParseClassesError, classes};
pub use comparison::{CompareOptions, Comparison};
pub use differences::{Differences, Summary};
pub use exact::{Exact, HistogramStep, Sign, Signs};
pub use flip::{EXPOSURES_MAX, Exposures, FlipError, FlipFigures, FlipMap, FlipOptions, ToneMap, Where, flip};
pub use form::{have_equal_pixels, in_one_form};
pub use heat::difference_picture;
pub use mask::{Bounds, Mask, TILE_PX, Tiles};
pub use noise::{Expected, NoiseError, NoiseTest, Outlier, noise_test};
pub use regions::{REGIONS_TOLD, Region, Regions, regions};
pub use tolerance::{Judgement, Tolerance};
pub use view::{DIFFERENCE_FACTOR_MAX, difference_times, heat_picture, magma, mask_picture, signed_difference};
