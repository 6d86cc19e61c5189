//! Animators: what the scene says of them meets what the models have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stillframe_anim::graph::{ClipDef, Graph, GraphError, MarkerDef, NodeKind, Play};
use stillframe_anim::root::RootParts;
use stillframe_anim::time::{Event, Repeat};
use stillframe_base::tick::Tick;

use super::build::near;
use super::code;
use super::crowd::{self, BakedModel, Unbaked};
use super::proportion::Shaped;
use crate::animate::{Fault, Player, Rig, RigClip, check_solver};
use crate::import::Model;
use crate::pose::joints;
use crate::scene::{Animator, ClipChoice, Crowd, CrowdBaking, Moment, RootMotion, Scene, SceneClip};
use crate::source::Diagnostic;

/// A player for each animator of a scene, and what each crowd wears: its model, then those of its levels of detail.
///
/// Errors: names that the files have not, graphs that are none.
pub fn players_and_crowds(
    scene: &Scene,
    models: &BTreeMap<PathBuf, Model>,
    shaped: &BTreeMap<usize, Shaped>,
) -> Result<(Vec<Player>, Vec<Vec<BakedModel>>), Vec<Diagnostic>> {
    let mut making = Making { scene, models, shaped, rigs: BTreeMap::new(), clips: Vec::new(), errors: Vec::new() };
    let players: Vec<Option<Player>> = scene.animators.iter().map(|animator| making.player(animator)).collect();
    let crowds: Vec<Option<Vec<BakedModel>>> = scene.crowds.iter().map(|crowd| making.crowd(crowd)).collect();
    match making.errors.is_empty() {
        true => Ok((players.into_iter().flatten().collect(), crowds.into_iter().flatten().collect())),
        false => Err(making.errors),
    }
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
}

impl<'a> Making<'a> {
    fn player(&mut self, animator: &'a Animator) -> Option<Player> {
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
        let plays = animator.plays.iter().map(|play| {
            let slot = graph.node(&play.slot).expect("resolution finds slots");
            let clip = play.clip.as_ref().map(|name| Play {
                clip: graph.clip(name).expect("it is among the clips that are played"),
                speed: play.speed as f32,
                repeat: play.passes.map_or(Repeat::Forever, Repeat::Times),
            });
            (Tick::from_seconds(play.at_s), slot, clip)
        });
        let plays = plays.collect();
        let shapes = animator.mask_shapes.clone();
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
            .map(|name| self.find(&owner, number, file, model, name).map(|(at, part, _)| (at, part)))
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

    /// Complains of shapes of masks that the model has not.
    fn check_shapes(&mut self, animator: &Animator, file: &Path, model: &Model) {
        let names = || model.nodes.iter().flat_map(|node| &node.morphs).map(|channel| channel.name.as_str());
        for shape in animator.mask_shapes.iter().flatten() {
            if !names().any(|name| name == shape.name) {
                let message = format!("animator {:?}: the file has no shape {:?}", animator.name, shape.name);
                let names: Vec<&str> = names().collect();
                self.errors.push(Diagnostic::error(code::MODEL_NODE, file, message).help(near(&shape.name, &names)));
            }
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
            let help = match choice {
                ClipChoice::Number(_) if !model.clips.is_empty() => format!("its last is #{}", model.clips.len() - 1),
                _ => near(name, &names),
            };
            self.errors.push(Diagnostic::error(code::MODEL_CLIP, file, message).help(help));
            return None;
        };
        let part = own.map_or([None; 2], |own| own.part_s.map(|s| s.map(Tick::from_seconds)));
        Some((at, part, own))
    }
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
