//! Golden scenes: every case of the project is what its reference says, bit for bit, as `stillframe test` and
//! `assert_frame!` say it.
//!
//! `STILLFRAME_UPDATE=missing` writes references that do not exist yet, `failing` also those that differ, `all` every
//! one; `CI` never writes. A case whose reference was just written still fails once: look at the picture, then run
//! again.

use std::collections::BTreeSet;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use stillframe::harness::{Project, check_frame, list};
use stillframe_frames::store::{Store, StoreAddress, StoreOptions};
use stillframe_frames::testing::Settings;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn main() {
    let project = Project::around(root()).expect("a sound stillframe.toml").expect("it is there");
    let listed = list(&project).expect("readable folders");
    assert!(listed.len() >= 60, "only {} scenes found", listed.len());
    let mut trials = Vec::new();
    for scene in &listed {
        let file = scene.pieces[0].scene.clone();
        let name = file.trim_start_matches("scenes/").trim_end_matches(".toml").to_string();
        trials.push(Trial::test(name, move || check(&file)).with_kind("scene"));
    }
    let names: BTreeSet<String> =
        listed.iter().flat_map(|s| &s.pieces).flat_map(|p| &p.cases).map(|case| case.name.clone()).collect();
    trials.push(Trial::test("no_reference_without_a_case", move || no_reference_without_a_case(&project, &names)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn check(scene: &str) -> Result<(), Failed> {
    check_frame(root(), Path::new(scene), &Settings::from_env()?).map_err(Failed::from)
}

fn no_reference_without_a_case(project: &Project, names: &BTreeSet<String>) -> Result<(), Failed> {
    let store = Store::open(&project.references(), StoreAddress::parse("git")?, StoreOptions::default())?;
    let verified = store.verify()?;
    if !verified.is_whole() {
        return Err(format!("{:?}", verified.findings).into());
    }
    for family in store.families()? {
        for line in store.lock(&family)?.lines() {
            let name = format!("{family}/{}", line.name);
            if !names.contains(&name) {
                return Err(format!("{name} has no case").into());
            }
        }
    }
    Ok(())
}
