//! Script files: texts that `anim run` and `fuzz time` read.

use std::path::Path;

use stillframe_base::mistaken::utf8;
use stillframe_lab::{posing, script};
use stillframe_oracle::Profile;
use stillframe_oracle::pose::Limits;

use super::status::Failure;
use super::{Surroundings, stdin};
use crate::scene::code;
use crate::source::{Diagnostic, find_plain, read_plain};

/// A file's text, and its name in diagnostics.
pub fn text<'a>(file: &'a Path, max_bytes: u64, surroundings: &Surroundings) -> Result<(String, &'a Path), Failure> {
    let of_file = |diagnostic| of_files(vec![diagnostic]);
    let (bytes, name) = if stdin::is_meant(file) {
        let bytes = stdin::read()?;
        // Diagnostics point into this text.
        let _ = surroundings.stdin.set(bytes.clone());
        (bytes, Path::new(stdin::NAME))
    } else {
        let named = |diagnostic| of_file(Diagnostic { file: file.to_path_buf(), ..diagnostic });
        let absolute = find_plain(file).map_err(named)?;
        (read_plain(&absolute, max_bytes).map_err(named)?, file)
    };
    let text = utf8(bytes)
        .map_err(|error| of_file(Diagnostic::error(code::NOT_UTF8, name, error.message).help_if(error.help)))?;
    Ok((text, name))
}

/// A profile's file.
pub fn profile(file: &Path, surroundings: &Surroundings) -> Result<Profile, Failure> {
    let (text, name) = text(file, script::TEXT_MAX_BYTES, surroundings)?;
    script::read_profile(&text, name).map_err(of_files)
}

/// A profile's file, of poses.
pub fn limits(file: &Path, surroundings: &Surroundings) -> Result<Limits, Failure> {
    let (text, name) = text(file, script::TEXT_MAX_BYTES, surroundings)?;
    posing::read_limits(&text, name).map_err(of_files)
}

/// What is wrong with files.
pub fn of_files(diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::Files { diagnostics, edits: Vec::new() }
}
