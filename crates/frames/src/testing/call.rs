//! Call: what `assert_picture!` stands for.

use std::fmt::Display;

use super::Tests;
use super::command::name_of;
use crate::Picture;

/// Asserts that a picture is its reference: `assert_picture!(picture)`.
///
/// The picture is a [`Picture`], or anything that turns into one: with the features `image` and `tiny-skia`, an
/// `RgbaImage` or a `Pixmap`. Its name is the path of the function that asserts it: `pictures/shapes/small` in the test
/// `shapes::small` of the test target `pictures`. Options follow it:
///
/// - `name = "shapes/large"`: another name. A test with two pictures names them.
/// - `made_by = "tiny-skia/0.12"`: as [`Tests::made_by`].
/// - `tests = tests().tolerance(..)`: other [`Tests`] than `Tests::at(env!("CARGO_MANIFEST_DIR"))`.
///
/// ```no_run
/// use stillframe_frames::{Picture, Samples, assert_picture};
///
/// let picture = Picture::new(2, 2, 3, Samples::U8([255, 0, 0].repeat(4)))?;
/// assert_picture!(&picture);
/// assert_picture!(picture, name = "square/red", made_by = "my-renderer/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! assert_picture {
    ($picture:expr $(, $option:ident = $value:expr)* $(,)?) => {{
        fn here() {}
        let call = $crate::testing::Call::new(env!("CARGO_MANIFEST_DIR"), std::any::type_name_of_val(&here));
        $(let call = call.$option($value);)*
        call.assert($picture)
    }};
}

/// One `assert_picture!` on its way.
#[derive(Clone, Debug)]
pub struct Call {
    tests: Tests,
    name: String,
}

impl Call {
    /// In a package's folder, by the path of a function within the one that calls.
    pub fn new(folder: &str, here: &str) -> Call {
        Call { tests: Tests::at(folder), name: name_of(here) }
    }

    /// The reference's name, `FAMILY/NAME`.
    pub fn name(self, name: impl Into<String>) -> Call {
        Call { name: name.into(), ..self }
    }

    /// Who made the picture.
    pub fn made_by(self, adapter: &str) -> Call {
        Call { tests: self.tests.made_by(adapter), ..self }
    }

    /// How it is compared, and with what. Comes before `made_by`.
    pub fn tests(self, tests: Tests) -> Call {
        Call { tests, ..self }
    }

    /// Panics where the picture is not its reference's, and where something is no picture.
    #[track_caller]
    pub fn assert<P>(self, picture: P)
    where
        P: TryInto<Picture>,
        P::Error: Display,
    {
        let picture = picture.try_into().unwrap_or_else(|error| panic!("{}: {error}", self.name));
        self.tests.assert(&self.name, &picture);
    }
}
