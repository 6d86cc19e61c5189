//! Tells the program which sources its pictures depend on: runs of tests record it.

#[path = "crates/models/build/hash.rs"]
mod hash;

fn main() {
    let sources = [
        "src",
        "crates/anim/src",
        "crates/asset/src",
        "crates/base/src",
        "crates/draw/src",
        "crates/models/src",
        "crates/scene/src",
        "crates/soft/src",
        "crates/world/src",
        "Cargo.toml",
        "Cargo.lock",
    ];
    println!("cargo::rustc-env=STILLFRAME_BUILD={}", hash::hash(&sources));
}
