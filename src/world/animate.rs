//! Animators: what the scene says of them meets what the models have.

mod find;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stillframe_anim::compress::NamedClip;
use stillframe_anim::graph::{ClipDef, Graph, GraphError, MarkerDef, NodeKind, Play};
use stillframe_anim::root::RootParts;
use stillframe_anim::time::{Event, Repeat};
use stillframe_base::tick::Tick;

use super::build::near;
use super::crowd::{self, BakedModel, Unbaked};
use super::proportion::Shaped;
use super::{code, leaves};
use crate::animate::{Borrowed, Fault, Player, Rig, RigClip, RigPart, Shapes, check_solver};
use crate::import::{self, Model};
use crate::pose::joints;
use crate::scene::{Animator, ClipHome, Crowd, CrowdBaking, FreeSpace, Moment, RootMotion, Scene, SceneClip};
use crate::source::Diagnostic;
use find::{BorrowedKey, Found, Lack};

/// What moves on the models of a scene.
pub struct Moving {
    /// One an animator.
    pub players: Vec<Player>,
    /// One a crowd: what its model wears, then those of its levels of detail.
    pub crowds: Vec<Vec<BakedModel>>,
    /// What models lack of clips, and spaces that mix clips which drift apart.
    pub warnings: Vec<Diagnostic>,
}

/// A player for each animator of a scene, and what each crowd wears. `files`: compressed clips by path.
///
/// Errors: names that the files have not, graphs that are none.
pub fn moving(
    scene: &Scene,
    (models, files): (&BTreeMap<PathBuf, Model>, &BTreeMap<PathBuf, Arc<NamedClip>>),
    shaped: &BTreeMap<usize, Shaped>,
) -> Result<Moving, Vec<Diagnostic>> {
    let mut making = Making::new(scene, (models, files), shaped);
    let players: Vec<Option<Player>> =
        scene.animators.iter().enumerate().map(|(at, animator)| making.player(at, animator)).collect();
    let crowds: Vec<Option<Vec<BakedModel>>> = scene.crowds.iter().map(|crowd| making.crowd(crowd)).collect();
    match making.errors.is_empty() {
        true => Ok(Moving {
            players: players.into_iter().flatten().collect(),
            crowds: crowds.into_iter().flatten().collect(),
            warnings: making
                .warnings
                .into_iter()
                .chain(making.drifting.into_iter().map(|(_, warning)| warning))
                .collect(),
        }),
        false => Err(making.errors),
    }
}

/// Of these spaces of animators those that mix clips which drift apart: a warning each, where they are written. Reads the models of their
/// animators and what clips lie in; what is wrong with those is not told.
pub fn drifting_spaces(scene: &Scene, spaces: &[FreeSpace], read: &import::Read<'_>) -> Vec<Diagnostic> {
    let animators: BTreeSet<usize> = spaces.iter().map(|space| space.animator).collect();
    let file = |model: usize| &scene.models[model].file;
    let mut of_models: BTreeSet<&PathBuf> =
        animators.iter().map(|animator| file(scene.animators[*animator].model)).collect();
    let mut files = BTreeMap::new();
    for clip in &scene.clips {
        match &clip.home {
            ClipHome::Model(model, _) => drop(of_models.insert(file(*model))),
            ClipHome::File(file) if files.contains_key(file) => {}
            ClipHome::File(file) => match read(file).and_then(|bytes| import::clip(file, &bytes)) {
                Ok(clip) => drop(files.insert(file.clone(), Arc::new(clip))),
                Err(_) => return Vec::new(),
            },
        }
    }
    let mut models = BTreeMap::new();
    for file in of_models {
        match import::model(file, read) {
            Ok(model) => drop(models.insert(file.clone(), model)),
            Err(_) => return Vec::new(),
        }
    }
    let shaped = BTreeMap::new();
    let mut making = Making::new(scene, (&models, &files), &shaped);
    for at in animators {
        making.player(at, &scene.animators[at]);
    }
    let written = |(place, warning): ([usize; 2], Diagnostic)| {
        let space = spaces.iter().find(|space| [space.animator, space.node] == place)?;
        Some(Diagnostic { file: space.file.clone(), span: Some(space.span.clone()), ..warning })
    };
    making.drifting.into_iter().filter_map(written).collect()
}

/// What a clip is baked for: the file of its model, the clip and the part of it, and a joint with what of its way is the actor's.
type ClipKey<'a> = (&'a PathBuf, RigPart, Option<(u16, RootParts)>);

struct Making<'a> {
    scene: &'a Scene,
    models: &'a BTreeMap<PathBuf, Model>,
    files: &'a BTreeMap<PathBuf, Arc<NamedClip>>,
    /// By model of the scene; crowds alone ask what vertices do.
    shaped: &'a BTreeMap<usize, Shaped>,
    rigs: BTreeMap<&'a PathBuf, Option<Arc<Rig>>>,
    borrowed: Vec<(BorrowedKey<'a>, Option<Arc<Borrowed>>)>,
    /// What models lack of clips is told once, not clip by clip.
    told: Vec<Lack<'a>>,
    clips: Vec<(ClipKey<'a>, Option<RigClip>)>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// By animator and node of its graph.
    drifting: Vec<([usize; 2], Diagnostic)>,
}

impl<'a> Making<'a> {
    fn new(
        scene: &'a Scene,
        (models, files): (&'a BTreeMap<PathBuf, Model>, &'a BTreeMap<PathBuf, Arc<NamedClip>>),
        shaped: &'a BTreeMap<usize, Shaped>,
    ) -> Making<'a> {
        Making {
            scene,
            models,
            files,
            shaped,
            rigs: BTreeMap::new(),
            borrowed: Vec::new(),
            told: Vec::new(),
            clips: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            drifting: Vec::new(),
        }
    }

    fn player(&mut self, at: usize, animator: &'a Animator) -> Option<Player> {
        let file = &self.scene.models[animator.model].file;
        let model = &self.models[file];
        let rig = self.rig(file, model)?;
        let owner = format!("animator {:?}", animator.name);
        let root = self.root(&owner, animator.root_motion.as_ref(), file, model, &rig)?;
        let mut def = animator.graph.clone();
        let (mut clips, mut events) = (Vec::new(), Vec::new());
        for name in clip_names(animator) {
            let (clip, facts) = self.clip(animator, file, (model, &rig, root), name)?;
            let (clip_def, names) = clip_def(name, clip.length, facts);
            clips.push(clip);
            def.clips.push(clip_def);
            events.push(names);
        }
        let graph = match Graph::compile(&def, &rig.skeleton) {
            Ok(graph) => match root {
                Some((joint, _)) => graph.with_root(joint),
                None => graph,
            },
            Err(error) => {
                self.complain(animator, &error.to_string());
                if let (GraphError::UnknownJoint { joint, .. }, Some(last)) = (&error, self.errors.last_mut()) {
                    let names: Vec<&str> = rig.skeleton.names().iter().map(String::as_str).collect();
                    last.help = Some(near(joint, &names));
                }
                return None;
            }
        };
        for drifting in leaves::drifting(&def) {
            let message = format!("animator `{}`: {}", animator.name, drifting.words(&def));
            let warning = Diagnostic::warning(code::DRIFTING, &self.scene.root, message);
            let help = "list the clips as `clips` instead of `inputs`, so that they share one phase";
            self.drifting.push(([at, drifting.node], warning.help(help)));
        }
        self.check_shapes(animator, file, model);
        for solver in &animator.solvers {
            if let Err(fault) = check_solver(&rig.skeleton, solver) {
                match fault {
                    Fault::Unknown(joint) => {
                        let message = format!("animator {:?}: the file has no joint {joint:?}", animator.name);
                        let names: Vec<&str> = rig.skeleton.names().iter().map(String::as_str).collect();
                        self.errors.push(Diagnostic::error(code::MODEL_NODE, file, message).help(near(&joint, &names)));
                    }
                    Fault::Chain(words) => self.complain(animator, &words),
                }
            }
        }
        // A slot that nothing reads plays nothing.
        let plays = animator.plays.iter().filter_map(|play| {
            let slot = graph.node(&play.slot)?;
            let clip = play.clip.as_ref().map(|name| Play {
                clip: graph.clip(name).expect("it is among the clips that are played"),
                speed: play.speed as f32,
                repeat: play.passes.map_or(Repeat::Forever, Repeat::Times),
            });
            Some((Tick::from_seconds(play.at_s), slot, clip))
        });
        let plays = plays.collect();
        let shapes = Shapes { masked: animator.mask_shapes.clone(), driven: animator.morphs.clone() };
        Some(Player::new(rig, (def, graph, shapes), clips, events, plays, animator.rate_hz))
    }

    /// The joint whose way is the actor's. Inner `None`: nothing of it is.
    #[expect(clippy::option_option, reason = "an error has been told, or there is none to be found")]
    fn root(
        &mut self,
        owner: &str,
        motion: Option<&RootMotion>,
        file: &Path,
        model: &Model,
        rig: &Rig,
    ) -> Option<Option<(u16, RootParts)>> {
        let Some(motion) = motion else { return Some(None) };
        let names = rig.skeleton.names();
        let found = match &motion.joint {
            Some(name) => names.iter().position(|own| own == name),
            None => joints(model).into_iter().min(),
        };
        // A skeleton has no more joints than that.
        let joint = found.and_then(|joint| u16::try_from(joint).ok());
        if joint.is_none() {
            let name = motion.joint.as_deref().unwrap_or_default();
            let message = format!("{owner}: the file has no joint {name:?}");
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.errors.push(Diagnostic::error(code::MODEL_NODE, file, message).help(near(name, &names)));
        }
        joint.map(|joint| Some((joint, motion.parts)))
    }

    fn crowd(&mut self, crowd: &'a Crowd) -> Option<Vec<BakedModel>> {
        let lods = crowd.lods.iter().filter_map(|lod| lod.model);
        std::iter::once(crowd.model).chain(lods).map(|model| self.crowd_model(crowd, model)).collect()
    }

    fn crowd_model(&mut self, crowd: &'a Crowd, number: usize) -> Option<BakedModel> {
        let file = &self.scene.models[number].file;
        let model = self.shaped.get(&number).map_or_else(|| &self.models[file], |shaped| &shaped.model);
        let rig = self.rig(file, model)?;
        let owner = format!("crowd {:?}", crowd.name);
        let clips: Option<Vec<_>> = crowd
            .clips
            .iter()
            .map(|name| self.find(&owner, number, crowd.model, name).map(|found| found.part))
            .collect();
        let root = self.root(&owner, crowd.root_motion.as_ref(), file, model, &rig)?;
        let baked = match crowd.baking {
            CrowdBaking::Joints => crowd::bake(model, &rig, (&clips?, root), crowd.error_mm),
            CrowdBaking::Vertices => crowd::bake_vertices(model, &rig, (&clips?, root), crowd.error_mm),
        };
        match baked {
            Ok(baked) => Some(baked),
            Err(Unbaked { words, help }) => {
                let complaint = Diagnostic::error(code::CROWD, file, format!("{owner}: {words}"));
                self.errors.push(Diagnostic { help: help.or(complaint.help), ..complaint });
                None
            }
        }
    }

    /// Complains of shapes that the model has not.
    fn check_shapes(&mut self, animator: &Animator, file: &Path, model: &Model) {
        let masked = animator.mask_shapes.iter().flatten().map(|shape| &shape.name);
        for name in masked.chain(animator.morphs.iter().map(|morph| &morph.name)) {
            self.errors.extend(missing_shape(&format!("animator {:?}", animator.name), name, (file, model)));
        }
    }

    fn complain(&mut self, animator: &Animator, words: &str) {
        let message = format!("animator {:?}: {words}", animator.name);
        self.errors.push(Diagnostic::error(code::ANIMATOR, &self.scene.root, message));
    }

    fn rig(&mut self, file: &'a PathBuf, model: &Model) -> Option<Arc<Rig>> {
        if let Some(known) = self.rigs.get(file) {
            return known.clone();
        }
        let made = match Rig::new(model) {
            Ok(rig) => Some(Arc::new(rig)),
            Err(words) => {
                self.errors.push(Diagnostic::error(
                    code::RIG,
                    file,
                    format!("its nodes do not form a skeleton: {words}"),
                ));
                None
            }
        };
        self.rigs.insert(file, made.clone());
        made
    }

    /// A clip by the name that the scene gives it, else by the file's.
    fn clip(
        &mut self,
        animator: &Animator,
        file: &'a PathBuf,
        (model, rig, root): (&Model, &Rig, Option<(u16, RootParts)>),
        name: &str,
    ) -> Option<(RigClip, Option<&'a SceneClip>)> {
        let owner = format!("animator {:?}", animator.name);
        let Found { part, facts, file: home } = self.find(&owner, animator.model, animator.model, name)?;
        let is = |own: &ClipKey<'_>| own.0 == file && own.1.0.is(&part.0) && own.1.1 == part.1 && own.2 == root;
        if let Some((_, known)) = self.clips.iter().find(|(own, _)| is(own)) {
            return known.clone().map(|clip| (clip, facts));
        }
        let made = match rig.clip(model, part.clone(), root) {
            Ok(clip) => Some(clip),
            Err(words) => {
                let message = format!("clip {name:?}: {words}");
                self.errors.push(Diagnostic::error(code::RIG, home, message));
                None
            }
        };
        self.clips.push(((file, part, root), made.clone()));
        made.map(|clip| (clip, facts))
    }
}

/// What to say of a shape that `owner` names and a model has not.
pub fn missing_shape(owner: &str, name: &str, (file, model): (&Path, &Model)) -> Option<Diagnostic> {
    let names: Vec<&str> = model.nodes.iter().flat_map(|node| &node.morphs).map(|of| of.name.as_str()).collect();
    let message = format!("{owner}: the file has no morph target {name:?}");
    let found = names.contains(&name);
    (!found).then(|| Diagnostic::error(code::MODEL_NODE, file, message).help(near(name, &names)))
}

/// Clips that a graph and its slots play, each once, in the order in which they are named.
fn clip_names(animator: &Animator) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for node in &animator.graph.nodes {
        match &node.kind {
            NodeKind::Clip(clip) => names.push(&clip.clip),
            NodeKind::Frame { clip, .. } | NodeKind::Follow { clip, .. } => names.push(clip),
            NodeKind::SyncSpace(space) => names.extend(space.clips.iter().map(String::as_str)),
            _ => {}
        }
    }
    names.extend(animator.plays.iter().filter_map(|play| play.clip.as_deref()));
    let mut out: Vec<&str> = Vec::new();
    for name in names {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// What a graph must know of a clip, and the names of its events.
fn clip_def(name: &str, duration: Tick, facts: Option<&SceneClip>) -> (ClipDef, Vec<String>) {
    let tick = |moment: Moment| match moment {
        Moment::Seconds(seconds) => Tick::from_seconds(seconds).clamp(Tick::ZERO, duration),
        Moment::Share(share) => Tick((duration.0 as f64 * share).round() as i64),
    };
    let mut events: Vec<(Event, &str)> = Vec::new();
    let mut markers: Vec<MarkerDef> = Vec::new();
    if let Some(facts) = facts {
        events.extend(facts.events.iter().map(|event| {
            let begin = tick(event.at);
            (Event { begin, end: event.until.map_or(begin, |until| tick(until).max(begin)) }, event.name.as_str())
        }));
        markers.extend(facts.markers.iter().map(|marker| MarkerDef { at: tick(marker.at), name: marker.name.clone() }));
    }
    // Stable: of events that begin together the one written first comes first.
    events.sort_by_key(|(event, _)| event.begin);
    markers.sort_by_key(|marker| marker.at);
    let names = events.iter().map(|(_, name)| name.to_string()).collect();
    let events = events.into_iter().map(|(event, _)| event).collect();
    (ClipDef { name: name.to_string(), duration, events, markers }, names)
}
