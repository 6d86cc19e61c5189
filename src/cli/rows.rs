//! Rows: a picture that is drawn in tiles goes into its file one row of tiles at a time, and is never held as a whole.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use stillframe_frames::{PngEffort, PngError, PngRows};

use super::encode::code_space;
use super::moment::Moment;
use super::session::Session;
use super::stats::TakeStats;
use super::status::Failure;
use super::{Surroundings, stdout};

/// What has been written.
pub struct Written {
    pub size_px: [u32; 2],
    /// Of its samples.
    pub format: String,
    pub stats: TakeStats,
}

/// Draws the colour of one moment into a PNG file; `path`: standard output if there is none.
pub fn write(
    session: &mut Session<'_>,
    moment: Moment,
    bands: &[Range<u32>],
    path: Option<&Path>,
    surroundings: &Surroundings,
) -> Result<Written, Failure> {
    let told = |error: &io::Error| match path {
        Some(path) => Failure::of_write(path, error),
        None => stdout::failure(error),
    };
    let mut written = None;
    let mut failed = None;
    let mut draw = |to: &mut dyn Write| match draw_into(session, moment, bands, to, &told) {
        Ok(done) => {
            written = Some(done);
            Ok(())
        }
        Err(failure) => {
            failed = Some(failure);
            Err(io::Error::other("the picture is not whole"))
        }
    };
    let done = match path {
        Some(path) => surroundings.unfinished.write_with(path, &mut draw),
        None => draw(&mut io::stdout().lock()),
    };
    match (failed, done) {
        (Some(failure), _) => Err(failure),
        (None, Err(error)) => Err(told(&error)),
        (None, Ok(())) => Ok(written.expect("it was drawn")),
    }
}

fn draw_into(
    session: &mut Session<'_>,
    moment: Moment,
    bands: &[Range<u32>],
    to: &mut dyn Write,
    told: &dyn Fn(&io::Error) -> Failure,
) -> Result<Written, Failure> {
    let height_px = bands.last().map_or(0, |rows| rows.end);
    let fault = |error: PngError| Failure::Fault(error.to_string());
    let mut file: Option<PngRows> = None;
    let mut look = None;
    let stats = session.in_bands(moment, bands, &mut |taken| {
        // Colour of 8 or 16 bits: it goes into the file as it is.
        let (_, rows) = &taken.pictures[0];
        if file.is_none() {
            look = Some(([rows.width_px, height_px], rows.format().to_string()));
            file = Some(PngRows::new(rows, height_px, PngEffort::Fast, code_space(taken.display)).map_err(fault)?);
        }
        let bytes = file.as_mut().expect("begun just above").push(rows).map_err(fault)?;
        to.write_all(&bytes).map_err(|error| told(&error))
    })?;
    let rest = file.expect("a picture has rows").finish().map_err(fault)?;
    to.write_all(&rest).map_err(|error| told(&error))?;
    let (size_px, format) = look.expect("a picture has rows");
    Ok(Written { size_px, format, stats })
}
