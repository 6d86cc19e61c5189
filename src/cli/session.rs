//! Session: one input, opened as a scene, loaded once and pictured at moments.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::kept::Kept;
use super::moment::Moment;
use super::progress::Progress;
use super::shot::{ShotArgs, ViewWish, wishes};
use super::stats::TakeStats;
use super::status::Failure;
use super::{Surroundings, clock, files, messages, stderr, stdin};
use crate::scene::{Resolved, Scene, View, Wishes, read, resolve_text, root_of};
use crate::source::{Diagnostic, Vfs, did_you_mean};
use crate::take::{Partial, Settings, Sitting, Stage, Take};

/// Whether a path is read as a scene; everything else is a model.
pub fn is_scene(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"))
}

/// The scene or model `input`, as the arguments wish it.
pub fn scene(input: &Path, args: &ShotArgs, surroundings: &Surroundings) -> Result<Resolved, Failure> {
    let wishes = wishes(args)?;
    let files = |diagnostics: Vec<Diagnostic>| Failure::Files { diagnostics, edits: args.edits.clone() };
    if stdin::is_meant(input) {
        return scene_of_stdin(args, &wishes, surroundings);
    }
    if args.from.is_some() {
        return Err(Failure::usage("`--from` is the format of standard input: name `-` as the input"));
    }
    if !is_scene(input) {
        no_shot(args)?;
        let mut resolved = Scene::for_model(input, &wishes).map_err(files)?;
        resolved.scene.coat(&args.edits).map_err(files)?;
        return Ok(resolved);
    }
    let resolved = read(input, &args.edits).map_err(files)?;
    as_wished(resolved, args, &wishes)
}

/// The shot of a scene that the arguments name, as they wish it.
fn as_wished(mut resolved: Resolved, args: &ShotArgs, wishes: &Wishes) -> Result<Resolved, Failure> {
    let file = |diagnostic| Failure::Files { diagnostics: vec![diagnostic], edits: args.edits.clone() };
    if let Some(name) = &args.shot {
        resolved.scene = resolved.scene.for_shot(name).map_err(file)?;
    }
    match &args.view {
        Some(wish @ ViewWish::Named(name)) => {
            let is_there = resolved.scene.views.iter().any(|view| view.name == *name);
            if is_there || wish.side().is_none() {
                let near = did_you_mean(name, View::WORDS.iter().map(|(word, _)| *word));
                let near = near.filter(|_| resolved.scene.views.is_empty());
                let suggested = |found: Diagnostic| match near {
                    Some(side) => found.help(format!("did you mean `{side}`?")),
                    None => found,
                };
                resolved.scene = resolved.scene.for_view(name).map_err(|found| file(suggested(found)))?;
                let wishes = Wishes { camera: None, ..wishes.clone() };
                resolved.scene.wish(&wishes).map_err(file)?;
                return Ok(resolved);
            }
        }
        Some(ViewWish::All) if resolved.scene.views.is_empty() => {
            let help = Some("add [[view]], or omit `--view all`".to_string());
            return Err(Failure::Usage("the scene has no views".into(), help));
        }
        _ => {}
    }
    resolved.scene.wish(wishes).map_err(file)?;
    Ok(resolved)
}

/// Says that a model has no shots and views to choose from.
fn no_shot(args: &ShotArgs) -> Result<(), Failure> {
    match (&args.shot, &args.view) {
        (Some(_), _) => Err(Failure::usage("`--shot` needs a scene; a model has no shots")),
        (None, Some(wish @ ViewWish::Named(name))) if wish.side().is_none() => {
            let words: Vec<&str> = View::WORDS.iter().map(|(word, _)| *word).collect();
            let help = format!("a side of a model is one of {}", words.join(", "));
            Err(Failure::Usage(format!("`--view {name}` needs a scene; a model has no views"), Some(help)))
        }
        (None, Some(ViewWish::All)) => Err(Failure::usage("`--view all` needs a scene; a model has no views")),
        (None, _) => Ok(()),
    }
}

fn working_folder() -> Result<PathBuf, Failure> {
    let told = |error| Failure::Environment(format!("cannot get the working folder: {error}"));
    std::env::current_dir().map_err(told)
}

/// What came on standard input, read once.
fn stdin_bytes(surroundings: &Surroundings) -> Result<&[u8], Failure> {
    if let Some(bytes) = surroundings.stdin.get() {
        return Ok(bytes);
    }
    let bytes = stdin::read()?;
    Ok(surroundings.stdin.get_or_init(|| bytes))
}

/// The model on standard input, of a kind or as it looks.
pub fn model_of_stdin(wishes: &Wishes, kind: Option<&str>, surroundings: &Surroundings) -> Result<Resolved, Failure> {
    let bytes = stdin_bytes(surroundings)?;
    let name = format!("stdin.{}", kind.unwrap_or_else(|| stdin::kind(bytes)));
    let files = |diagnostics: Vec<Diagnostic>| Failure::Files { diagnostics, edits: Vec::new() };
    Scene::for_model_bytes(&name, &working_folder()?, bytes.to_vec(), wishes).map_err(files)
}

/// Files that it names are looked for in the folder that the command runs in.
fn scene_of_stdin(args: &ShotArgs, wishes: &Wishes, surroundings: &Surroundings) -> Result<Resolved, Failure> {
    let files = |diagnostics: Vec<Diagnostic>| Failure::Files { diagnostics, edits: args.edits.clone() };
    let folder = working_folder()?;
    let bytes = stdin_bytes(surroundings)?;
    if args.from.as_deref().unwrap_or_else(|| stdin::kind(bytes)) != "toml" {
        no_shot(args)?;
        let mut resolved = model_of_stdin(wishes, args.from.as_deref(), surroundings)?;
        resolved.scene.coat(&args.edits).map_err(files)?;
        return Ok(resolved);
    }
    let text = &files::decoded(&"standard input", bytes.to_vec())?;
    let root = root_of(&folder.join(stdin::NAME));
    let vfs = Vfs::open(&root).map_err(|d| files(vec![d]))?;
    let resolved = resolve_text(text, Path::new(stdin::NAME), &folder, &vfs, &args.edits).map_err(files)?;
    as_wished(resolved, args, wishes)
}

/// The pictures of a scene that the arguments ask for: each of its views, or its own.
pub fn views(args: &ShotArgs, scene: &Scene) -> Vec<Option<usize>> {
    match args.view {
        Some(ViewWish::All) => (0..scene.views.len()).map(Some).collect(),
        _ => vec![None],
    }
}

/// One input, loaded once and pictured at moments, with progress on a terminal, warnings printed, and each stage timed.
pub struct Session<'a> {
    name: &'a str,
    scene: &'a Scene,
    args: &'a ShotArgs,
    surroundings: &'a Surroundings,
    sitting: Sitting,
    progress: Progress,
    times: Vec<(Stage, Instant)>,
    /// The scene with the view that is shown, where it was turned to one.
    shown: Option<(String, Scene)>,
}

impl<'a> Session<'a> {
    /// Loads a scene that is going to be pictured at some moments.
    pub fn begin(
        name: &'a str,
        resolved: &'a Resolved,
        settings: &Settings,
        moments: &[Moment],
        args: &'a ShotArgs,
        surroundings: &'a Surroundings,
    ) -> Result<Session<'a>, Failure> {
        messages::warnings(&resolved.warnings, &args.edits, args.strict, surroundings)?;
        let progress = Progress::start(name, moments.len(), surroundings);
        let mut times = Vec::new();
        let mut watch = |stage| {
            times.push((stage, clock::now()));
            progress.stage(stage);
        };
        let mut sitting = match Sitting::begin(&resolved.scene, settings, &mut watch) {
            Ok(sitting) => sitting,
            Err(error) => {
                progress.stop();
                return Err(Failure::of_take(error, &args.edits));
            }
        };
        if moments.len() > 1 {
            let times_s: Vec<f64> = moments.iter().map(|at| at.time_s.unwrap_or(resolved.scene.time_s)).collect();
            sitting.frame_over(&times_s);
        }
        Ok(Session { name, scene: &resolved.scene, args, surroundings, sitting, progress, times, shown: None })
    }

    /// The pictures that the arguments ask for: each view of the scene, or the scene's own.
    pub fn views(&self) -> Vec<Option<usize>> {
        views(self.args, self.scene)
    }

    /// Turns to a view of the scene, as the arguments wish it; to what was loaded for `None`. Returns what its pictures
    /// are called.
    pub fn show(&mut self, view: Option<usize>) -> Result<String, Failure> {
        let Some(at) = view else { return Ok(self.name.to_string()) };
        let file = |diagnostic| Failure::Files { diagnostics: vec![diagnostic], edits: self.args.edits.clone() };
        let mut scene = self.scene.clone();
        scene.show(at);
        scene.wish(&wishes(self.args)?).map_err(file)?;
        self.sitting.show(at, &scene.output);
        // As a view's own file would be called.
        let name = format!("{}.{}", self.name, scene.views[at].name);
        self.shown = Some((name.clone(), scene));
        Ok(name)
    }

    /// Pictures one moment.
    pub fn at(&mut self, moment: Moment) -> Result<(Take, TakeStats), Failure> {
        self.at_kept(moment, None)
    }

    /// Width and height of its pictures.
    pub fn size_px(&self) -> [u32; 2] {
        let output = &self.shown.as_ref().map_or(self.scene, |(_, scene)| scene).output;
        [output.width_px, output.height_px]
    }

    /// Rows of its pictures that are drawn together; `None`: it is drawn as a whole.
    pub fn bands(&self) -> Option<Vec<Range<u32>>> {
        self.sitting.bands()
    }

    /// Pictures one moment, some rows after the other, which `each` gets. What comes back has no pictures.
    pub fn in_bands(
        &mut self,
        moment: Moment,
        bands: &[Range<u32>],
        each: &mut dyn FnMut(Take) -> Result<(), Failure>,
    ) -> Result<TakeStats, Failure> {
        let mut all: Option<TakeStats> = None;
        for rows in bands {
            self.sitting.keep_to(Some(rows.clone()));
            let taken = self.at_kept(moment, None);
            self.sitting.keep_to(None);
            let (taken, stats) = taken?;
            all = Some(match all {
                None => stats,
                Some(before) => before.and(stats),
            });
            each(taken)?;
        }
        Ok(all.expect("a picture has rows"))
    }

    /// The same where the sum of a picture that is the mean of many is kept, and goes on from what is kept.
    pub fn at_kept(&mut self, moment: Moment, kept: Option<&Kept<'_>>) -> Result<(Take, TakeStats), Failure> {
        let Session { name, scene, args, surroundings, sitting, progress, times, shown } = self;
        let (name, scene) = match shown {
            Some((name, scene)) => (name.as_str(), &*scene),
            None => (*name, *scene),
        };
        let mut watch = |stage| {
            times.push((stage, clock::now()));
            progress.stage(stage);
        };
        let mut each = |partial: &Partial| {
            progress.pictures(partial.done, partial.count);
            kept.map_or(Ok(()), |kept| kept.hear(partial))
        };
        let (time_s, partial) = (moment.time_s.unwrap_or(scene.time_s), kept.and_then(Kept::read));
        let taken = sitting.at_resumed(time_s, moment.turn, partial, &mut each, &mut watch);
        watch(Stage::Done);
        let taken = taken.map_err(|error| {
            progress.pause();
            Failure::of_take(error, &args.edits)
        })?;
        if !taken.warnings.is_empty() {
            progress.pause();
            messages::warnings(&taken.warnings, &args.edits, args.strict, surroundings)?;
        }
        let stats = TakeStats::new(name, moment, scene, times, &taken.stats);
        times.clear();
        if surroundings.verbose {
            stderr::note(&stats.line());
        }
        progress.frame();
        Ok((taken, stats))
    }
}
