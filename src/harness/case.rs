//! Case: what is rendered and compared, found in scenes.
//!
//! A [`Piece`] is one scene in one variant: loaded once, pictured at its moments. Each of its pictures is a case with a
//! name of its own: `FAMILY/BEHAVIOUR[samples=4]@0.5s#depth`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use stillframe_frames::run::split_name;
use stillframe_frames::store::family_fault;

use super::discover::scene_files;
use super::project::{Project, code};
use crate::scene::{Aov, Moments, Scene, Test, read};
use crate::source::Diagnostic;

/// One scene in one variant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// The scene's file, from the project's folder.
    pub scene: String,
    /// `--set` arguments of the variant.
    pub edits: Vec<String>,
    pub why: String,
    pub tags: Vec<String>,
    /// In order of moments, then of what they show.
    pub cases: Vec<Case>,
}

impl Piece {
    /// The one case of a capsule's scene.
    pub(crate) fn of_capsule(name: &str, scene: &str, aov: &str) -> Piece {
        let case = Case { name: name.to_string(), moment: 0, aov: aov.to_string() };
        Piece { scene: scene.to_string(), cases: vec![case], ..Piece::default() }
    }
}

/// One picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Case {
    pub name: String,
    /// Index of the moment in the test's list.
    pub moment: usize,
    /// As [`Aov`] is spelt.
    pub aov: String,
}

/// The cases of a scene file, or the one case of a scene that cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub pieces: Vec<Piece>,
    /// What is wrong with the scene.
    pub mistakes: Vec<Diagnostic>,
}

/// Every scene of a project, in order of their files.
///
/// Errors: a folder that cannot be read, with its path.
pub fn list(project: &Project) -> Result<Vec<Listed>, (std::path::PathBuf, std::io::Error)> {
    let folder = project.scenes();
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    Ok(scene_files(&folder)?.iter().map(|file| listed(project, file)).collect())
}

/// The cases of one scene file.
pub fn listed(project: &Project, file: &Path) -> Listed {
    let name = base_name(project, file);
    let scene = project.name_of(file);
    let resolved = read(file, &[]);
    let (family, _) = split_name(&name);
    let resolved = match family_fault(family) {
        Some(fault) => resolved.and_then(|_| Err(vec![homeless(family, fault, file)])),
        None => resolved,
    };
    match resolved {
        Ok(resolved) => Listed { pieces: pieces(&name, &scene, &resolved.scene), mistakes: Vec::new() },
        Err(mistakes) => {
            let case = Case { name, moment: 0, aov: Aov::COLOR.to_string() };
            Listed { pieces: vec![Piece { scene, cases: vec![case], ..Piece::default() }], mistakes }
        }
    }
}

/// References lie in folders that are called as those of scenes are, on every system.
fn homeless(family: &str, fault: &str, file: &Path) -> Diagnostic {
    let message = format!("the scene's folder `{family}` cannot hold references: {fault}");
    Diagnostic::error(code::NO_FAMILY, file, message).help("give the folder another name")
}

/// `scenes/light/spot.toml` is `light/spot`.
fn base_name(project: &Project, file: &Path) -> String {
    let inside = file.strip_prefix(project.scenes()).unwrap_or(file).with_extension("");
    inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn pieces(name: &str, file: &str, scene: &Scene) -> Vec<Piece> {
    let test = scene.test.clone().unwrap_or_default();
    let aovs = aovs(&test);
    let moments = moment_names(&test.moments);
    let piece = |variant: crate::scene::Variant| {
        let case = |moment: usize, aov: &Aov| {
            let shown = if *aov == Aov::COLOR { String::new() } else { format!("#{aov}") };
            let name = format!("{name}{}{}{shown}", variant.name, moments[moment]);
            Case { name, moment, aov: aov.to_string() }
        };
        Piece {
            scene: file.to_string(),
            cases: (0..moments.len()).flat_map(|moment| aovs.iter().map(move |aov| case(moment, aov))).collect(),
            edits: variant.edits.clone(),
            why: test.why.clone(),
            tags: test.tags.clone(),
        }
    };
    test.variants().into_iter().map(piece).collect()
}

/// What is compared.
pub fn aovs(test: &Test) -> Vec<Aov> {
    if test.aov.is_empty() { vec![Aov::COLOR] } else { test.aov.clone() }
}

fn moment_names(moments: &Moments) -> Vec<String> {
    match moments {
        Moments::Own => vec![String::new()],
        Moments::Seconds(all) => all.iter().map(|time_s| format!("@{time_s}s")).collect(),
        Moments::Frames(all) => all.iter().map(|frame| format!("@{frame}")).collect(),
    }
}

/// The moments of a scene's test, in seconds.
pub fn times_s(scene: &Scene) -> Vec<f64> {
    match scene.test.as_ref().map(|test| &test.moments) {
        None | Some(Moments::Own) => vec![scene.time_s],
        Some(Moments::Seconds(all)) => all.clone(),
        Some(Moments::Frames(all)) => all.iter().map(|frame| *frame as f64 / scene.output.fps).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::project::Config;

    #[test]
    fn every_picture_has_a_name() {
        let root = std::env::temp_dir().join(format!("stillframe-cases-{}", std::process::id()));
        std::fs::create_dir_all(root.join("scenes/a/b")).unwrap();
        let scene = "title = \"x\"\n[output]\nfps = 10.0\n[camera.main]\nposition = [0.0, 0.0, 3.0]\n[[node]]\nshape = \"sphere\"\n\
                     [test]\ntags = \"slow\"\naov = [\"color\", \"depth\"]\nframes = [0, 5]\nmatrix = { samples = [1, 4] }\n";
        std::fs::write(root.join("scenes/a/b/c.toml"), scene).unwrap();
        std::fs::write(root.join("scenes/a/bad.toml"), "title = \"x\"\n[output]\nsamples = 3\n").unwrap();
        let project = Project { root: root.clone(), config: Config::default() };
        let all = list(&project).unwrap();
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(all.len(), 2);
        let names = |piece: &Piece| piece.cases.iter().map(|case| case.name.clone()).collect::<Vec<_>>();
        assert_eq!(all[0].pieces.len(), 2, "{:?}", all[0].mistakes);
        assert_eq!(
            names(&all[0].pieces[1]),
            ["a/b/c[samples=4]@0", "a/b/c[samples=4]@0#depth", "a/b/c[samples=4]@5", "a/b/c[samples=4]@5#depth"]
        );
        assert_eq!(
            (all[0].pieces[0].tags.as_slice(), all[0].pieces[0].scene.as_str()),
            (&["slow".to_string()][..], "scenes/a/b/c.toml")
        );
        assert_eq!((names(&all[1].pieces[0]), all[1].mistakes.is_empty()), (vec!["a/bad".to_string()], false));
    }
}
