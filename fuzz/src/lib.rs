//! What every target does with its bytes.

use std::path::PathBuf;
use std::sync::OnceLock;

use stillframe_lab::fuzz::{Bench, Target, try_case};

/// A folder of this process, for targets that read files.
static SCRATCH: OnceLock<PathBuf> = OnceLock::new();

/// Tries the input that bytes mean; a finding ends the process with its words, which libFuzzer takes as a crash.
pub fn try_bytes(target: &str, bytes: &[u8]) {
    let scratch = SCRATCH.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("stillframe-libfuzzer-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder to write to");
        folder
    });
    let target = Target::named(target).expect("a target of `stillframe fuzz`");
    // libFuzzer counts memory itself.
    let bench = Bench { scratch, heap: None, mutant: None };
    if let Some(finding) = try_case(target, &target.case_of_bytes(bytes), bench) {
        panic!("{}: {}", finding.kind.word(), finding.message);
    }
}
