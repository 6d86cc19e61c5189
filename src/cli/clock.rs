//! The one place of the program that reads the clock: for times that people read, never for pixels.

use std::time::Instant;

#[expect(clippy::disallowed_methods, reason = "the command line times stages for people")]
pub fn now() -> Instant {
    Instant::now()
}
