//! A hash of source files, for build scripts.

use std::fs;
use std::path::Path;

/// The hash of files and of all files below folders, as hexadecimal digits. Cargo runs the script again when one
/// changes.
pub fn hash(tops: &[&str]) -> String {
    // FNV-1a, 64 bits: it tells builds apart, nobody attacks it.
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for top in tops {
        println!("cargo::rerun-if-changed={top}");
        add(Path::new(top), &mut hash);
    }
    format!("{hash:016x}")
}

/// Adds a file, or all files below a folder by name.
fn add(path: &Path, hash: &mut u64) {
    if let Ok(entries) = fs::read_dir(path) {
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths.iter().for_each(|path| add(path, hash));
    } else if let Ok(bytes) = fs::read(path) {
        for byte in path.to_string_lossy().bytes().filter(|byte| *byte != b'\\' && *byte != b'/').chain(bytes) {
            *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}
