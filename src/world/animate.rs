//! Animators: what the scene says of them meets what the models have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stillframe_anim::graph::{ClipDef, Graph, GraphError, MarkerDef, NodeKind, Play};
use stillframe_anim::root::RootParts;
use stillframe_anim::time::{Event, Repeat};
use stillframe_base::tick::Tick;

use super::build::near;
use super::crowd::{self, BakedModel, without_normals};
use super::proportion::Shaped;
use super::{code, leaves};
use crate::animate::{Fault, Player, Rig, RigClip, Shapes, check_solver};
use crate::import::{self, Model};
use crate::pose::joints;
use crate::scene::{Animator, ClipChoice, Crowd, CrowdBaking, FreeSpace, Moment, RootMotion, Scene, SceneClip};
use crate::source::Diagnostic;

/// What moves on the models of a scene.
pub struct Moving {
    /// One an animator.
    pub players: Vec<Player>,
    /// One a crowd: what its model wears, then those of its levels of detail.
    pub crowds: Vec<Vec<BakedModel>>,
    /// Spaces that mix clips which drift apart.
    pub warnings: Vec<Diagnostic>,
}

/// Errors: names that the files have not, graphs that are none.
pub fn moving(
    scene: &Scene,
    models: &BTreeMap<PathBuf, Model>,
    shaped: &BTreeMap<usize, Shaped>,
) -> Result<Moving, Vec<Diagnostic>> {
    let mut making = Making::new(scene, models, shaped);
    let players: Vec<Option<Player>> =
        scene.animators.iter().enumerate().map(|(at, animator)| making.player(at, animator)).collect();
    let crowds: Vec<Option<Vec<BakedModel>>> = scene.crowds.iter().map(|crowd| making.crowd(crowd)).collect();
    match making.errors.is_empty() {
        true => Ok(Moving {
            players: players.into_iter().flatten().collect(),
            crowds: crowds.into_iter().flatten().collect(),
            warnings: making.drifting.into_iter().map(|(_, warning)| warning).collect(),
        }),
        false => Err(making.errors),
    }
}

/// Of these spaces of animators those that mix clips which drift apart: a warning each, where they are written. Reads the models of their
/// animators alone; what is wrong with those is not told.
pub fn drifting_spaces(scene: &Scene, spaces: &[FreeSpace], read: &import::Read<'_>) -> Vec<Diagnostic> {
    let animators: BTreeSet<usize> = spaces.iter().map(|space| space.animator).collect();
    let files: BTreeSet<&PathBuf> =
        animators.iter().map(|animator| &scene.models[scene.animators[*animator].model].file).collect();
    let read = |file: &PathBuf| Some((file.clone(), import::model(file, read).ok()?));
    let models: BTreeMap<PathBuf, Model> = files.into_iter().filter_map(read).collect();
    let shaped = BTreeMap::new();
    let mut making = Making::new(scene, &models, &shaped);
    for at in animators {
        let animator = &scene.animators[at];
        if models.contains_key(&scene.models[animator.model].file) {
            making.player(at, animator);
        }
    }
    let written = |(place, warning): ([usize; 2], Diagnostic)| {
        let space = spaces.iter().find(|space| [space.animator, space.node] == place)?;
        Some(Diagnostic { file: space.file.clone(), span: Some(space.span.clone()), ..warning })
    };
    making.drifting.into_iter().filter_map(written).collect()
}

/// What a clip is baked of: its file, its place there, a part of it, and a joint with what of its way is the actor's.
type ClipKey<'a> = (&'a PathBuf, usize, [Option<Tick>; 2], Option<(u16, RootParts)>);

struct Making<'a> {
    scene: &'a Scene,
    models: &'a BTreeMap<PathBuf, Model>,
    /// By model of the scene; crowds alone ask what vertices do.
    shaped: &'a BTreeMap<usize, Shaped>,
    rigs: BTreeMap<&'a PathBuf, Option<Arc<Rig>>>,
    /// By file, clip, part and the root's joint.
    clips: Vec<(ClipKey<'a>, Option<RigClip>)>,
    errors: Vec<Diagnostic>,
    /// By animator and node of its graph.
    drifting: Vec<([usize; 2], Diagnostic)>,
}

impl<'a> Making<'a> {
    fn new(scene: &'a Scene, models: &'a BTreeMap<PathBuf, Model>, shaped: &'a BTreeMap<usize, Shaped>) -> Making<'a> {
        let (errors, drifting) = (Vec::new(), Vec::new());
        Making { scene, models, shaped, rigs: BTreeMap::new(), clips: Vec::new(), errors, drifting }
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
            let help = "list the clips as `clips` instead of `inputs`: then they share one phase";
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
        if let Some(node) = without_normals(model) {
            let message = format!("crowd {:?}: {node:?} has no normals", crowd.name);
            self.errors.push(Diagnostic::error(code::CROWD, file, message).help("store normals with the model"));
            return None;
        }
        let owner = format!("crowd {:?}", crowd.name);
        let clips: Option<Vec<_>> = crowd
            .clips
            .iter()
            .map(|name| self.find(&owner, number, file, model, name).map(|(at, part, _)| (at, part)))
            .collect();
        let root = self.root(&owner, crowd.root_motion.as_ref(), file, model, &rig)?;
        let baked = match crowd.baking {
            CrowdBaking::Joints => crowd::bake(model, &rig, (&clips?, root), crowd.error_mm),
            CrowdBaking::Vertices => crowd::bake_vertices(model, &rig, (&clips?, root), crowd.error_mm),
        };
        match baked {
            Ok(baked) => Some(baked),
            Err(words) => {
                self.errors.push(Diagnostic::error(code::CROWD, file, format!("{owner}: {words}")));
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
                self.errors.push(Diagnostic::error(code::RIG, file, format!("its nodes are no skeleton: {words}")));
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
        let (at, part, own) = self.find(&owner, animator.model, file, model, name)?;
        let key = (file, at, part, root);
        if let Some((_, known)) = self.clips.iter().find(|(own, _)| *own == key) {
            return known.clone().map(|clip| (clip, own));
        }
        let made = match rig.clip(model, at, part, root) {
            Ok(clip) => Some(clip),
            Err(words) => {
                let message = format!("clip {:?}: {words}", model.clips[at].name);
                self.errors.push(Diagnostic::error(code::RIG, file, message));
                None
            }
        };
        self.clips.push((key, made.clone()));
        made.map(|clip| (clip, own))
    }

    /// Where a clip is, by the name that the scene gives it, else by the file's.
    fn find(
        &mut self,
        owner: &str,
        number: usize,
        file: &Path,
        model: &Model,
        name: &str,
    ) -> Option<(usize, [Option<Tick>; 2], Option<&'a SceneClip>)> {
        let own = self.scene.clips.iter().find(|clip| clip.model == number && clip.name == name);
        let choice = own.map_or_else(|| ClipChoice::Named(name.to_string()), |own| own.source.clone());
        let at = match &choice {
            ClipChoice::Named(name) => model.clips.iter().position(|clip| clip.name == *name),
            ClipChoice::Number(number) => Some(*number).filter(|number| *number < model.clips.len()),
            ClipChoice::None | ClipChoice::All => None,
        };
        let Some(at) = at else {
            let message = format!("{owner}: the file has no clip {:?}", choice.words());
            let own = self.scene.clips.iter().filter(|clip| clip.model == number);
            let names: Vec<&str> =
                own.map(|clip| clip.name.as_str()).chain(model.clips.iter().map(|clip| clip.name.as_str())).collect();
            self.errors.push(Diagnostic::error(code::MODEL_CLIP, file, message).help(near(name, &names)));
            return None;
        };
        let part = own.map_or([None; 2], |own| own.part_s.map(|s| s.map(Tick::from_seconds)));
        Some((at, part, own))
    }
}

/// What to say of a shape that `owner` names and a model has not.
pub fn missing_shape(owner: &str, name: &str, (file, model): (&Path, &Model)) -> Option<Diagnostic> {
    let names: Vec<&str> = model.nodes.iter().flat_map(|node| &node.morphs).map(|of| of.name.as_str()).collect();
    let message = format!("{owner}: the file has no shape {name:?}");
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
