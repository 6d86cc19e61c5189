//! Target `clip`: keys, curves, skeletons and whole clips. An input is the bytes of its choices: shorter and smaller
//! ones mean simpler clips, so that taking bytes away makes findings small.

use std::path::Path;

use stillframe_base::rng::Stream;
use stillframe_oracle::{Choices, clip};

use super::mutate::{between, noise};
use super::{Case, Mutant};

/// More than any clip takes.
const BYTES_MAX: usize = 6000;

pub fn make(stream: &mut Stream) -> Case {
    // Bytes that run out early make simple ends.
    let count = if stream.one_in(4) { between(stream, 8, 200) } else { BYTES_MAX };
    of_bytes(&noise(stream, count))
}

pub fn of_bytes(bytes: &[u8]) -> Case {
    Case::new("clip.bin", bytes.to_vec())
}

pub fn check(case: &Case, _scratch: &Path, mutant: Option<Mutant>) -> Result<(), String> {
    let mistake = match mutant {
        Some(Mutant::ClipMistake(mistake)) => Some(mistake),
        _ => None,
    };
    clip::check(&mut Choices::Bytes(&case.bytes), mistake)
}
