//! Subject: what is dumped: a model with clips, or a figure of a scene with its animator.

use glam::Mat4;
use stillframe_base::tick::Tick;

use super::super::super::status::Failure;
use super::super::super::{Surroundings, inspect, messages, session};
use super::super::open::unknown;
use super::{DumpArgs, DumpWord};
use crate::import::Model;
use crate::pose::{self, Playing, Pose};
use crate::scene::{self, Scene, Wishes};
use crate::source::{Diagnostic, Vfs};
use crate::world::{self, Figure, Loaded, Solved};

pub enum Subject {
    Clip {
        model: Box<Model>,
        clips: Vec<usize>,
    },
    Figure {
        loaded: Box<Loaded>,
        vfs: Vfs,
        animator: usize,
        /// Which of those that wear it, by name; the first where none is said.
        node: Option<String>,
        /// The animator's name, and the node's.
        names: [String; 2],
    },
}

/// A moment of it.
pub struct Posed {
    pub pose: Pose,
    pub world_from_model: Mat4,
    pub solved: Vec<Solved>,
}

fn files(diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::Files { diagnostics, edits: Vec::new() }
}

impl Subject {
    pub fn open(args: &DumpArgs, surroundings: &Surroundings) -> Result<Subject, Failure> {
        if session::is_scene(&args.model) {
            return Subject::open_figure(args, surroundings);
        }
        if args.animator.is_some() || args.node.is_some() || args.what == DumpWord::Solvers {
            let help = "animators are in scenes (.toml)".to_string();
            return Err(Failure::Usage("--animator, --node and --what solvers need a scene".into(), Some(help)));
        }
        let wishes = Wishes { clip: Some(args.clip.clone().unwrap_or_default()), ..Wishes::default() };
        let (scene, model) = inspect::read(&args.model, &wishes, surroundings)?;
        messages::warnings(&model.warnings, &[], args.strict, surroundings)?;
        let clips = world::playing_clips(&scene, &scene.models[0], &model).map_err(files)?;
        Ok(Subject::Clip { model: Box::new(model), clips })
    }

    fn open_figure(args: &DumpArgs, surroundings: &Surroundings) -> Result<Subject, Failure> {
        if args.clip.is_some() {
            let help = "to dump a clip, name the model".to_string();
            return Err(Failure::Usage("--clip needs a model, not a scene".into(), Some(help)));
        }
        let resolved = scene::read(&args.model, &[]).map_err(files)?;
        let scene = resolved.scene;
        let animator = chosen(args, &scene)?;
        let vfs = scene.vfs().map_err(|diagnostic| files(vec![diagnostic]))?;
        let loaded = world::open(&scene, None, &|path| vfs.read(path)).map_err(files)?;
        let (all, of_placing) = loaded.figures(Tick::ZERO, &|path| vfs.read(path)).map_err(files)?;
        let (animator_name, worn) = (scene.animators[animator].name.clone(), wearers(all, animator));
        let names: Vec<String> = worn.iter().map(|figure| figure.name.clone()).collect();
        let node = match &args.node {
            None => names.first().cloned().ok_or_else(|| {
                let help = format!("give a node `animator = {animator_name:?}`");
                Failure::Usage(format!("no node has the animator {animator_name:?}"), Some(help))
            })?,
            Some(name) if names.contains(name) => name.clone(),
            Some(name) => return Err(unknown("node with that animator,", name, &names)),
        };
        let warnings = [resolved.warnings, loaded.warnings.clone(), of_placing].concat();
        messages::warnings(&warnings, &[], args.strict, surroundings)?;
        let names = [animator_name, node];
        Ok(Subject::Figure { loaded: Box::new(loaded), vfs, animator, node: args.node.clone(), names })
    }

    pub fn model(&self) -> &Model {
        match self {
            Subject::Clip { model, .. } => model,
            Subject::Figure { loaded, animator, .. } => loaded.model_of(*animator),
        }
    }

    /// As it is `time` after its start.
    pub fn at(&mut self, time: Tick) -> Result<Posed, Failure> {
        match self {
            Subject::Clip { model, clips } => {
                let playing: Vec<Playing> = clips.iter().map(|clip| Playing { clip: *clip, time }).collect();
                let pose = pose::pose(model, &playing);
                Ok(Posed { pose, world_from_model: Mat4::IDENTITY, solved: Vec::new() })
            }
            Subject::Figure { loaded, vfs, animator, node, .. } => {
                let (all, _) = loaded.figures(time, &|path| vfs.read(path)).map_err(files)?;
                let is_meant = |figure: &Figure| node.as_ref().is_none_or(|name| figure.name == *name);
                let figure = wearers(all, *animator).into_iter().find(is_meant);
                let Figure { pose, world_from_model, solved, .. } = figure.expect("nodes are those of the start");
                Ok(Posed { pose, world_from_model, solved })
            }
        }
    }

    /// Names of the animator and the node.
    pub fn figure(&self) -> Result<(&str, &str), Failure> {
        match self {
            Subject::Figure { names: [animator, node], .. } => Ok((animator, node)),
            Subject::Clip { .. } => Err(Failure::usage("a clip has no solvers")),
        }
    }

    /// What the motion is of, for documents.
    pub fn words(&self, args: &DumpArgs) -> serde_json::Value {
        match self {
            Subject::Clip { .. } => {
                serde_json::json!({ "clip": args.clip.as_ref().map(crate::scene::ClipChoice::words) })
            }
            Subject::Figure { names: [animator, node], .. } => {
                serde_json::json!({ "animator": animator, "node": node })
            }
        }
    }
}

fn wearers(figures: Vec<Figure>, animator: usize) -> Vec<Figure> {
    figures.into_iter().filter(|figure| figure.animator == animator).collect()
}

/// The animator that is named, else the only one.
fn chosen(args: &DumpArgs, scene: &Scene) -> Result<usize, Failure> {
    let names: Vec<String> = scene.animators.iter().map(|animator| animator.name.clone()).collect();
    match (&args.animator, &names[..]) {
        (Some(name), _) => names.iter().position(|own| own == name).ok_or_else(|| unknown("animator", name, &names)),
        (None, [_]) => Ok(0),
        (None, []) => {
            let message = format!("{} has no animator; name a model or a scene with one", args.model.display());
            Err(Failure::usage(message))
        }
        (None, _) => {
            let help = format!("--animator must be one of {}", names.join(", "));
            Err(Failure::Usage("choose an animator".into(), Some(help)))
        }
    }
}
