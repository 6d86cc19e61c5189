//! Tells the cache which sources models depend on: an entry counts only for the build that wrote it.

mod hash;

fn main() {
    let sources =
        ["src", "../anim/src", "../asset/src", "../base/src", "Cargo.toml", "../../Cargo.toml", "../../Cargo.lock"];
    println!("cargo::rustc-env=STILLFRAME_SOURCES={}", hash::hash(&sources));
}
