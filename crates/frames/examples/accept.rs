//! Accepting references with the store alone, in four words: what `ci/steps/power-cut.sh` ends at every single system
//! call.
//!
//! ```text
//! accept before FOLDER ADDRESS   makes a store of two families
//! accept after  FOLDER ADDRESS   accepts three changes in both of them, at once
//! accept sweep  FOLDER ADDRESS   removes files that no lock names
//! accept check  FOLDER ADDRESS   opens the store, and says whether it is whole and which of the two it holds
//! ```

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use stillframe_frames::store::{
    Change, FindingKind, Pixels, Store, StoreAddress, StoreError, StoreOptions, Sweep, passes_root,
};
use stillframe_frames::{LockLine, Owner, Picture, PixelHash, Samples};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [word, folder, address] = &arguments[..] else {
        eprintln!("expected: accept before|after|sweep|check FOLDER ADDRESS");
        return ExitCode::from(2);
    };
    match run(word, Path::new(folder), address) {
        Ok(said) => {
            if writeln!(std::io::stdout(), "{said}").is_err() {
                return ExitCode::from(3);
            }
            if said.starts_with("broken") { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(if error.is_environment() { 8 } else { 2 })
        }
    }
}

fn run(word: &str, folder: &Path, address: &str) -> Result<String, StoreError> {
    let address = StoreAddress::parse(address)?.under(folder);
    let store = Store::open(&folder.join("references"), address, StoreOptions::default())?;
    match word {
        "before" => store.accept(&before()).map(|accepted| format!("{accepted:?}")),
        "after" => store.accept(&after()).map(|accepted| format!("{accepted:?}")),
        "sweep" => store.sweep(&Sweep::default()).map(|dead| format!("{} files removed", dead.len())),
        _ => check(&store),
    }
}

fn before() -> Vec<Change> {
    vec![set("light", "point", 1, true), set("light", "spot", 2, false), set("shape", "cube", 3, true)]
}

/// One changes, one is new, one goes.
fn after() -> Vec<Change> {
    vec![
        set("light", "point", 4, true),
        set("shape", "ball[samples=4]", 5, false),
        Change::Remove { family: "shape".into(), name: "cube".into() },
    ]
}

fn set(family: &str, name: &str, seed: u8, has_passes: bool) -> Change {
    let samples = (0..16u8 * 12).map(|at| at.wrapping_mul(31) ^ seed).collect();
    let picture = Picture::new(8, 8, 3, Samples::U8(samples)).expect("8 x 8 pixels of 3 samples");
    let passes = has_passes.then(|| format!("main b3:{seed}\n"));
    let line = LockLine {
        name: name.into(),
        adapter: "soft/1".into(),
        width_px: picture.width_px,
        height_px: picture.height_px,
        format: picture.format(),
        pixels: picture.hash(),
        passes: passes.as_deref().map(passes_root),
        scene: None,
        inputs: None,
        owner: Owner::Scene,
        reason: String::new(),
    };
    Change::Set { family: family.into(), line, pixels: Pixels::Picture(picture), passes, inputs: None }
}

/// `whole: before`, `whole: after`, or what is broken.
fn check(store: &Store) -> Result<String, StoreError> {
    let verified = store.verify()?;
    // Files by content that nobody names do no harm; beside a lock line there must be none.
    let may_be_dead = !matches!(store.address(), StoreAddress::Git);
    let harm = |kind: FindingKind| kind.is_fault() || !may_be_dead;
    if let Some(finding) = verified.findings.iter().find(|finding| harm(finding.kind)) {
        return Ok(format!("broken: {finding}"));
    }
    let mut got: Vec<(String, PixelHash)> = Vec::new();
    for family in store.families()? {
        for line in store.lock(&family)?.lines() {
            got.push((format!("{family}/{}", line.name), line.pixels));
        }
    }
    let old = state(&[&before()]);
    let new = state(&[&before(), &after()]);
    Ok(match got {
        got if got == old => "whole: before".into(),
        got if got == new => "whole: after".into(),
        got if got.is_empty() => "whole: empty".into(),
        got => format!("broken: neither before nor after: {got:?}"),
    })
}

/// What a store holds after changes, sorted by name.
fn state(rounds: &[&[Change]]) -> Vec<(String, PixelHash)> {
    let mut all = std::collections::BTreeMap::new();
    for change in rounds.iter().copied().flatten() {
        match change {
            Change::Set { family, line, .. } => all.insert(format!("{family}/{}", line.name), line.pixels),
            Change::Remove { family, name } => all.remove(&format!("{family}/{name}")),
        };
    }
    all.into_iter().collect()
}
