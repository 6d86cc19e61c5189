//! Standard error: what people read while a command runs. A reader that goes away does not matter.

use std::io::{Write, stderr};

/// Prints a line.
pub fn note(text: &str) {
    say(&format!("{text}\n"));
}

/// Prints text that ends its own lines.
pub fn say(text: &str) {
    let _ = stderr().lock().write_all(text.as_bytes());
}
