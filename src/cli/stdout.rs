//! Standard output. A reader that goes away (`| head`) is not a failure: the work ends early and quietly.

use std::io::{self, ErrorKind, Write};

use super::status::Failure;

/// Writes bytes to standard output, all of them.
pub fn write(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) => Err(failure(&error)),
    }
}

/// What it means that standard output takes no more.
pub fn failure(error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::Environment(format!("standard output cannot be written: {error}")),
    }
}

/// Writes a line of text.
pub fn line(text: &str) -> Result<(), Failure> {
    write(format!("{text}\n").as_bytes())
}
