//! `init`: a project that is green from the start.

use clap::{Args as ClapArgs, ValueEnum};
use std::fs;
use std::path::{Path, PathBuf};

use stillframe_frames::run::{Run, RunFolder, Status};
use stillframe_frames::write_file;

use super::status::Failure;
use super::{Surroundings, accept, json as words, project, stdout};
use crate::harness::{Judge, Project, Setup, listed};

/// Start a project: stillframe.toml, a first scene with its reference, a CI file
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe init
  stillframe init pictures --ci gitlab
  stillframe test                            passes from the start

Existing files are not changed.")]
pub struct InitArgs {
    /// Folder of the project; created if needed
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// CI system to write a file for
    #[arg(long, value_name = "WHICH", default_value = "github")]
    pub ci: CiSystem,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CiSystem {
    Github,
    Gitlab,
    None,
}

const PROJECT: &str = include_str!("stillframe.toml");
const SCENE: &str = include_str!("hello.toml");
const ATTRIBUTES: &str = include_str!("gitattributes");
const GITHUB: &str = include_str!("github.yml");
const GITLAB: &str = include_str!("gitlab.yml");

/// What runs leave behind.
const IGNORED: &str = "/target\n";

/// Where the first scene goes.
const SCENE_FILE: &str = "scenes/first/hello.toml";

pub fn run(args: &InitArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    fs::create_dir_all(&args.folder).map_err(|error| Failure::of_write(&args.folder, &error))?;
    let folder = args.folder.canonicalize().map_err(|error| Failure::of_write(&args.folder, &error))?;
    let ci = match args.ci {
        CiSystem::Github => Some((".github/workflows/stillframe.yml", GITHUB)),
        CiSystem::Gitlab => Some((".gitlab-ci.yml", GITLAB)),
        CiSystem::None => None,
    };
    let files =
        [("stillframe.toml", PROJECT), (SCENE_FILE, SCENE), (".gitattributes", ATTRIBUTES), (".gitignore", IGNORED)];
    for (name, text) in files.into_iter().chain(ci) {
        let path = folder.join(name);
        if path.exists() {
            tell("kept", name, surroundings)?;
            continue;
        }
        let parent = path.parent().expect("a file below the folder");
        fs::create_dir_all(parent).map_err(|error| Failure::of_write(parent, &error))?;
        let text = text.replace("{VERSION}", env!("CARGO_PKG_VERSION"));
        write_file(&path, text.as_bytes()).map_err(|error| Failure::of_write(&path, &error))?;
        tell("wrote", name, surroundings)?;
    }
    first_reference(&folder, surroundings)?;
    if surroundings.json.is_none() {
        stdout::line(
            "next: `stillframe test` renders and compares, `stillframe render scenes/first/hello.toml` shows the picture",
        )?;
    }
    Ok(())
}

/// The reference of the first scene, unless it has one.
fn first_reference(folder: &Path, surroundings: &Surroundings) -> Result<(), Failure> {
    let files = |diagnostics| Failure::Files { diagnostics, edits: Vec::new() };
    let project = Project::around(folder).map_err(files)?.expect("its file was written or there");
    let scene: PathBuf = project.root.join(SCENE_FILE);
    let listed = listed(&project, &scene);
    if !listed.mistakes.is_empty() {
        return Err(files(listed.mistakes));
    }
    let run = RunFolder::create(&project.runs()).map_err(|error| Failure::of_write(&project.runs(), &error))?;
    let setup = Setup { run: run.path().to_path_buf(), known: None, ..project::setup(&project) };
    let elapsed_ms = || surroundings.elapsed_ms();
    let mut judge = Judge::new(setup, &elapsed_ms).map_err(project::of_store)?;
    let records: Vec<_> = listed.pieces.iter().flat_map(|piece| judge.piece(piece)).collect();
    let new: Vec<_> = records.iter().filter(|record| record.status == Status::New).collect();
    let made = Run { folder: run.path().to_path_buf(), ..Run::default() };
    let done = if new.is_empty() {
        Ok(())
    } else {
        accept::take(&project, &made, &new, "the first", accept::Refused::StopsAll, surroundings)
    };
    // It was a means, no run that anybody asked for.
    let _ = fs::remove_dir_all(run.path());
    done
}

fn tell(what: &str, name: &str, surroundings: &Surroundings) -> Result<(), Failure> {
    if surroundings.json.is_some() {
        return words::line("init/1", serde_json::json!({ "file": name, "what": what }), surroundings);
    }
    stdout::line(&format!("{what} {name}"))
}
