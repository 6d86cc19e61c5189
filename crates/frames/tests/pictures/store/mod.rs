//! The store of references: every back end, changes that happen all or not at all, what is found when something is
//! wrong.

mod accept;
mod findings;
mod patches;
mod sequences;

use std::fs;
use std::path::{Path, PathBuf};

use stillframe_frames::store::*;
use stillframe_frames::{LockLine, Owner, Picture, Samples};

/// A folder of one's own.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("store").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A picture that is no other `seed`'s; 8 bits, but floats where the seed is over 1000.
pub fn picture(seed: u32) -> Picture {
    let (width, height) = (9, 7);
    let count = (width * height * 3) as usize;
    let value = |at: usize| (at as u32).wrapping_mul(2654435761).wrapping_add(seed.wrapping_mul(40503));
    let samples = match seed > 1000 {
        true => Samples::F32((0..count).map(|at| value(at) as f32 / 65536.0).collect()),
        false => Samples::U8((0..count).map(|at| (value(at) >> 13) as u8).collect()),
    };
    Picture::new(width, height, 3, samples).unwrap()
}

/// The lock line of a picture.
pub fn line(name: &str, picture: &Picture, passes: Option<&str>) -> LockLine {
    LockLine {
        name: name.into(),
        adapter: "soft/1".into(),
        width_px: picture.width_px,
        height_px: picture.height_px,
        format: picture.format(),
        pixels: picture.hash(),
        passes: passes.map(passes_root),
        scene: None,
        inputs: None,
        owner: Owner::Scene,
        reason: String::new(),
    }
}

/// The case looks like `picture(seed)`.
pub fn set(family: &str, name: &str, seed: u32) -> Change {
    let picture = picture(seed);
    let line = line(name, &picture, None);
    Change::Set { family: family.into(), line, pixels: Pixels::Picture(picture), passes: None, inputs: None }
}

/// [`set`] with a list of passes.
pub fn set_with_passes(family: &str, name: &str, seed: u32) -> Change {
    let (picture, text) = (picture(seed), format!("shadow b3:{seed}\nmain b3:{seed}\n"));
    let line = line(name, &picture, Some(&text));
    Change::Set { family: family.into(), line, pixels: Pixels::Picture(picture), passes: Some(text), inputs: None }
}

pub fn remove(family: &str, name: &str) -> Change {
    Change::Remove { family: family.into(), name: name.into() }
}

/// Stores in an empty folder, one of each kind that needs no network.
pub fn stores(name: &str) -> Vec<Store> {
    ["git", "dir:blobs", "none"]
        .into_iter()
        .map(|address| {
            let root = folder(&format!("{name}_{}", &address[..3]));
            open(&root, address)
        })
        .collect()
}

/// The store in `root/references`.
pub fn open(root: &Path, address: &str) -> Store {
    let address = StoreAddress::parse(address).unwrap().under(root);
    Store::open(&root.join("references"), address, StoreOptions::default()).unwrap()
}

/// Every file under a folder with its content, but for the lock of the store, by path.
pub fn tree(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                    if !name.ends_with(".store/lock") && !name.ends_with(".store/.gitignore") {
                        out.push((name, fs::read(&path).unwrap()));
                    }
                }
            }
        }
    }
    out.sort();
    out
}

/// Names of [`tree`].
pub fn names(root: &Path) -> Vec<String> {
    tree(root).into_iter().map(|(name, _)| name).collect()
}
