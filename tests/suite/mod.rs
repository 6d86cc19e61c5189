//! The scenes of `scenes/` as test cases, shared by the golden and agreement tests.

use std::fs;
use std::path::{Path, PathBuf};

use stillframe::scene::{Aov, read};
use stillframe::take::{AdapterChoice, Settings, take};
use stillframe_frames::Picture;

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// One scene file: `scenes/<family>/<behaviour>.toml`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    pub family: String,
    pub behaviour: String,
}

impl Case {
    pub fn name(&self) -> String {
        format!("{}/{}", self.family, self.behaviour)
    }

    pub fn scene_file(&self) -> PathBuf {
        root().join("scenes").join(&self.family).join(format!("{}.toml", self.behaviour))
    }
}

/// Every scene, sorted by name. None is a failure, not a pass.
pub fn cases() -> Vec<Case> {
    let mut out = Vec::new();
    for family in folders(&root().join("scenes")) {
        if family == "assets" {
            continue;
        }
        for entry in fs::read_dir(root().join("scenes").join(&family)).expect("a folder of scenes") {
            let name = entry.expect("a readable folder").file_name().to_string_lossy().into_owned();
            if let Some(behaviour) = name.strip_suffix(".toml") {
                out.push(Case { family: family.clone(), behaviour: behaviour.to_owned() });
            }
        }
    }
    out.sort();
    assert!(out.len() >= 24, "only {} scenes found", out.len());
    out
}

fn folders(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).expect("the folder exists").map(|e| e.expect("readable"));
    let mut names: Vec<String> =
        entries.filter(|e| e.path().is_dir()).map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The colour picture of a scene, and the adapter that drew it.
pub fn render(case: &Case, adapter: AdapterChoice) -> Result<(Picture, String), String> {
    let file = case.scene_file();
    let scene = read(&file, &[]).map_err(|d| format!("{d:#?}"))?.scene;
    let settings = Settings { adapter, aovs: vec![Aov::Color], ..Settings::default() };
    let taken = take(&scene, &settings, &mut |_| ()).map_err(|e| format!("{e:#?}"))?;
    Ok((taken.pictures.into_iter().next().expect("one picture was asked for").1, taken.stats.adapter))
}
