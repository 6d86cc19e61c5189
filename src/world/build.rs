//! Building: a scene becomes a world, at any moment.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use glam::{Mat4, Vec3};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use stillframe_anim::crowd::CrowdReport;
use stillframe_anim::graph::{GraphDef, ParameterDef};
use stillframe_anim::sample::Skeleton;

use super::animate::{Moving, missing_shape, moving};
use super::crowd::BakedModel;
use super::figure::Figure;
use super::flat::with_normals;
use super::order::{Order, order};
use super::place::{Animated, Made, Placing, matrix};
use super::proportion::Shaped;
use super::worn::{Unfit, Worn};
use super::{World, code, load, material, moments};
use crate::animate::{Glance, Player};
use crate::asset::{Image, Material, Store};
use crate::cache::{Access, Ready};
use crate::import;
use crate::pose::{self, Playing, Pose, pose};
use crate::scene::{
    CameraChoice, ClipChoice, ClipHome, Content, EnvironmentSource, Node, NodeMorph, Scene, Show, Thing,
};
use crate::source::Diagnostic;

/// A scene with everything loaded, ready to be placed at any moment.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// As it was placed last: settled, without patterns, every value as it was then.
    pub scene: Scene,
    /// Settled: nothing is left open.
    settled: Scene,
    /// What the worlds placed so far point into; the last one counts for what moves.
    pub store: Store,
    /// The environment's picture, where the scene names a file.
    pub environment: Option<Image>,
    /// Things that were tolerated.
    pub warnings: Vec<Diagnostic>,
    /// How many models were found ready in the cache.
    pub found_count: u32,
    models: BTreeMap<PathBuf, import::Model>,
    /// By model of the scene: those of other proportions than their files'.
    shaped: BTreeMap<usize, Shaped>,
    /// One an animator of the scene.
    players: Vec<Player>,
    /// One a crowd of the scene: its model and those of its levels of detail.
    crowds: Vec<Vec<BakedModel>>,
    /// Which solver works after which.
    order: Order,
    made: Made,
}

/// A scene with everything loaded, placed at its own moment.
#[derive(Clone, Debug)]
pub struct Built {
    /// Settled: nothing is left open.
    pub scene: Scene,
    pub world: World,
    pub store: Store,
    /// The environment's picture, where the scene names a file.
    pub environment: Option<Image>,
    /// Things that were tolerated.
    pub warnings: Vec<Diagnostic>,
}

/// [`open`] and [`Loaded::place`] at the scene's own time.
pub fn build(scene: &Scene, read: &import::Read<'_>) -> Result<Built, Vec<Diagnostic>> {
    let mut loaded = open(scene, None, read)?;
    let world = loaded.place(Tick::from_seconds(scene.time_s), read)?;
    let Loaded { scene, store, environment, warnings, .. } = loaded;
    Ok(Built { scene, world, store, environment, warnings })
}

/// Loads what a scene names and settles what it leaves open.
///
/// `read` reads a file by its path and refuses what lies outside the scene's root. With a cache models are baked ahead of time, or
/// found as they were baked before; what is placed is the same with one and without. Errors: everything wrong with models,
/// pictures and names, in the order of the scene's lists.
pub fn open(scene: &Scene, cache: Option<&Access<'_>>, read: &import::Read<'_>) -> Result<Loaded, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    let mut models: BTreeMap<PathBuf, Option<import::Model>> = BTreeMap::new();
    let mut made = Made::default();
    let mut found_count = 0;
    for model in &scene.models {
        if models.contains_key(&model.file) {
            continue;
        }
        // Figures are made of raw surfaces, which the cache does not keep of what nothing bends.
        let wears = |number: usize| scene.models[number].file == model.file;
        let in_crowd = scene
            .crowds
            .iter()
            .any(|crowd| wears(crowd.model) || crowd.lods.iter().filter_map(|lod| lod.model).any(wears));
        let ready = match cache.filter(|_| !in_crowd) {
            Some(cache) => cache.model(&model.file, read),
            None => import::model(&model.file, read).map(|mut model| {
                if in_crowd {
                    with_normals(&mut model);
                }
                (Ready::raw(model), false)
            }),
        };
        let read_model = match ready {
            Ok((ready, found)) => {
                found_count += u32::from(found);
                warnings.extend(ready.model.warnings.iter().cloned());
                Some(made.take_in(&model.file, ready))
            }
            Err(diagnostics) => {
                errors.extend(diagnostics);
                None
            }
        };
        models.insert(model.file.clone(), read_model);
    }
    let mut settled = scene.clone();
    let file_has_lights = !scene.lights.is_empty() || models.values().flatten().any(|m| !m.lights.is_empty());
    settled.settle(file_has_lights);
    let environment = match &settled.environment.source {
        EnvironmentSource::File(file) => match load::picture(file, read) {
            Ok(image) => Some(image),
            Err(diagnostic) => {
                errors.push(diagnostic);
                None
            }
        },
        _ => None,
    };
    let mut files = BTreeMap::new();
    for clip in &scene.clips {
        let ClipHome::File(file) = &clip.home else { continue };
        if files.contains_key(file) {
            continue;
        }
        match read(file).and_then(|bytes| import::clip(file, &bytes)) {
            Ok(clip) => drop(files.insert(file.clone(), Arc::new(clip))),
            Err(diagnostic) => errors.push(diagnostic),
        }
    }
    for model in &scene.models {
        if let Some(found) = &models[&model.file] {
            errors.extend(check_names(model, found));
        }
    }
    for node in &scene.nodes {
        let shown = node.parent.map(|parent| &scene.nodes[parent].content);
        let (Some(joint), Some(Content::Model(model))) = (&node.joint, shown) else { continue };
        let model = &scene.models[*model];
        let Some(found) = &models[&model.file] else { continue };
        let names: Vec<&str> = found.nodes.iter().map(|n| n.name.as_str()).collect();
        if !names.contains(&joint.as_str()) {
            let message = format!("node {:?}: the file has no joint {joint:?}", node.name);
            errors.push(Diagnostic::error(code::MODEL_NODE, &model.file, message).help(near(joint, &names)));
        }
    }
    for node in &scene.nodes {
        let Content::Model(model) = &node.content else { continue };
        let file = &scene.models[*model].file;
        let Some(found) = &models[file] else { continue };
        let of_node = |morph: &NodeMorph| missing_shape(&format!("node {:?}", node.name), &morph.name, (file, found));
        errors.extend(node.morphs.iter().filter_map(of_node));
    }
    errors.extend(moments::check(scene, |model| models[&scene.models[model].file].as_ref(), &files));
    errors.extend(unfit_parts(scene, &models));
    let mut shaped = BTreeMap::new();
    for (at, model) in scene.models.iter().enumerate().filter(|(_, model)| !model.proportions.is_empty()) {
        let Some(found) = &models[&model.file] else { continue };
        match Shaped::new(&model.proportions, found) {
            Ok(body) => {
                shaped.insert(at, body);
            }
            Err(unfit) => errors.push(misshapen(model, unfit)),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let models = models.into_iter().filter_map(|(file, model)| Some((file, model?))).collect();
    let Moving { players, crowds, warnings: of_motion } = moving(&settled, (&models, &files), &shaped)?;
    warnings.extend(of_motion);
    let scene = settled.expanded();
    let skeletons: Vec<&Skeleton> = players.iter().map(|player| &player.rig.skeleton).collect();
    let order = order(&scene, &skeletons).map_err(|circle| vec![circle])?;
    Ok(Loaded {
        scene,
        settled,
        store: Store::default(),
        environment,
        warnings,
        found_count,
        models,
        shaped,
        players,
        crowds,
        order,
        made,
    })
}

impl Loaded {
    /// The same, with what moves computed by an instruction set: the bits are the same by any.
    pub fn on(mut self, isa: Isa) -> Loaded {
        for player in &mut self.players {
            Arc::make_mut(&mut player.rig).isa = isa;
        }
        self.store.isa = Some(isa);
        self
    }

    /// Places and bakes everything as it stands at `time`.
    ///
    /// Object ids count nodes that show something, from 1, in tree order: scene nodes in file order, a model's nodes depth
    /// first within its scene node. Errors: pictures that materials name and cannot be read, things placed too far away.
    pub fn place(&mut self, time: Tick, read: &import::Read<'_>) -> Result<World, Vec<Diagnostic>> {
        if self.settled.has_motion() {
            self.scene = self.settled.at(time).expanded();
        }
        let mut errors = Vec::new();
        for (at, shaped) in &mut self.shaped {
            let model = &self.scene.models[*at];
            let changed = shaped.change(&model.proportions, &self.models[&model.file]);
            errors.extend(changed.err().map(|unfit| misshapen(model, unfit)));
        }
        let mut materials: Vec<Material> = Vec::new();
        for scene_material in &self.scene.materials {
            match material::of_scene(scene_material, &mut self.made.pictures, &mut self.store, read) {
                Ok(material) => materials.push(material),
                Err(diagnostics) => errors.extend(diagnostics),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let (world, mut errors, warnings) = self.stage(time, Some(materials), read, |placing, stage| {
            placing.run((stage.played, stage.order), (stage.crowds, time));
            std::mem::take(&mut placing.world)
        })?;
        self.warnings.extend(warnings);
        errors.extend(check_camera(&self.scene, &world));
        if errors.is_empty() { Ok(world) } else { Err(errors) }
    }

    /// What animators move at a moment, behind their solvers: one a node of the scene that wears one, in the file's order.
    ///
    /// Worlds placed before stay as they are. Errors: a moment too far away.
    pub fn figures(&mut self, time: Tick, read: &import::Read<'_>) -> Result<Vec<Figure>, Vec<Diagnostic>> {
        if self.settled.has_motion() {
            self.scene = self.settled.at(time).expanded();
        }
        let (figures, errors, warnings) =
            self.stage(time, None, read, |placing, stage| placing.figures((stage.played, stage.order)))?;
        // Moment by moment they are the same.
        let new: Vec<Diagnostic> = warnings.into_iter().filter(|found| !self.warnings.contains(found)).collect();
        self.warnings.extend(new);
        if errors.is_empty() { Ok(figures) } else { Err(errors) }
    }

    /// The model that an animator moves.
    pub fn model_of(&self, animator: usize) -> &import::Model {
        let at = self.settled.animators[animator].model;
        self.shaped.get(&at).map_or_else(|| &self.models[&self.settled.models[at].file], |shaped| &shaped.model)
    }

    /// Plays everything to a moment and lets `work` pose or place it. Without `materials` nothing is drawn, and the store stays as it is.
    /// Out: what `work` gives, then errors and warnings.
    fn stage<R>(
        &mut self,
        time: Tick,
        materials: Option<Vec<Material>>,
        read: &import::Read<'_>,
        work: impl FnOnce(&mut Placing<'_>, Staged<'_>) -> R,
    ) -> Result<(R, Vec<Diagnostic>, Vec<Diagnostic>), Vec<Diagnostic>> {
        let own = |(at, model): (usize, &crate::scene::Model)| match self.shaped.get(&at) {
            Some(shaped) => (&shaped.model, &*shaped.joint_from_body),
            None => (&self.models[&model.file], &[][..]),
        };
        let (models, joints): (Vec<&import::Model>, Vec<&[Mat4]>) =
            self.scene.models.iter().enumerate().map(own).unzip();
        let playing = |(scene_model, model): (&crate::scene::Model, &&import::Model)| {
            let clips = chosen_clips(&scene_model.clip, model);
            let time = scene_model.clip_tick(time);
            pose(model, &clips.into_iter().map(|clip| Playing { clip, time }).collect::<Vec<_>>())
        };
        let mut poses: Vec<Pose> = self.scene.models.iter().zip(&models).map(playing).collect();
        let mut played = Vec::new();
        for (at, (animator, player)) in self.scene.animators.iter().zip(&mut self.players).enumerate() {
            let model = models[animator.model];
            let shown = player.at(model, time, &|tick| parameters(&self.settled, at, tick));
            let shown = shown.map_err(|words| vec![complaint(&self.settled, at, &words)])?;
            played.push(Animated { model, player, shown, solvers: &animator.solvers });
        }
        poses.extend(played.iter().map(Animated::pose));
        let trails = match materials {
            Some(_) => trails(&self.settled, &self.scene, &models, &played, time),
            None => BTreeMap::new(),
        };
        let mut scratch = Store::default();
        let store = if materials.is_some() { &mut self.store } else { &mut scratch };
        let mut placing = Placing::new(
            &self.scene,
            (&models, &joints),
            (poses, &trails),
            materials.unwrap_or_default(),
            store,
            &mut self.made,
            read,
        );
        let out = work(&mut placing, Staged { played: &played, order: &self.order, crowds: &self.crowds });
        Ok((out, placing.errors, placing.warnings))
    }
}

impl Loaded {
    /// Every animator at a moment as text: its graph with weights and clocks, what has happened so far, and what its solvers have come to
    /// on each node that wears it; then what crowds' baking has cost.
    ///
    /// Errors: a moment too far away.
    pub fn describe_animators(&mut self, time: Tick, read: &import::Read<'_>) -> Result<String, Vec<Diagnostic>> {
        let mut out = String::new();
        let figures = match self.order.steps.is_empty() {
            true => Vec::new(),
            false => self.figures(time, read)?,
        };
        for (at, (animator, player)) in self.settled.animators.iter().zip(&mut self.players).enumerate() {
            let model = &self.models[&self.settled.models[animator.model].file];
            let text = player.describe(model, time, &|tick| parameters(&self.settled, at, tick));
            let text = text.map_err(|words| vec![complaint(&self.settled, at, &words)])?;
            out.push_str(&format!("animator {:?} on {:?}\n", animator.name, self.settled.models[animator.model].name));
            text.lines().for_each(|line| out.push_str(&format!("  {line}\n")));
            for figure in figures.iter().filter(|figure| figure.animator == at && !figure.solved.is_empty()) {
                out.push_str(&format!("  solvers on {:?}\n{}", figure.name, figure.describe()));
            }
        }
        for (crowd, baked) in self.settled.crowds.iter().zip(&self.crowds) {
            out.push_str(&format!("crowd {:?} of {}\n", crowd.name, crowd.count));
            for report in baked.iter().flat_map(|model| crowd.clips.iter().zip(&model.reports)) {
                let (clip, CrowdReport { frame_count, bytes, error_max_m, error_rms_m, jump_count, .. }) = report;
                let (max_mm, rms_mm) = (error_max_m * 1e3, error_rms_m * 1e3);
                out.push_str(&format!(
                    "  {clip}: {frame_count} frames, {bytes} bytes, at most {max_mm:.3} mm off, {rms_mm:.3} mm rms"
                ));
                if *jump_count > 0 {
                    out.push_str(&format!(", but in {jump_count} jumps that take a frame each"));
                }
                out.push('\n');
            }
        }
        for (node, [part, body]) in worn_files(&self.settled) {
            let Some(parent) = node.parent else { continue };
            let body = &self.models[body];
            let worn =
                Worn::new(body, &self.models[part]).expect("parts that do not fit are refused when they are read");
            let by = &self.settled.nodes[parent].name;
            out.push_str(&format!("part {:?} on {by:?}\n{}", node.name, worn.describe(body)));
        }
        Ok(out)
    }
}

impl Loaded {
    /// What the pose of an animator is made of at some moments, for a joint by its name; without one, for a joint that all masks have.
    ///
    /// Errors: moments too far away; a joint that the model lacks.
    pub fn glances(
        &mut self,
        animator: usize,
        times: &[Tick],
        joint: Option<&str>,
    ) -> Result<Vec<Glance>, Vec<Diagnostic>> {
        let model = &self.models[&self.settled.models[self.settled.animators[animator].model].file];
        let player = &mut self.players[animator];
        let joint = match joint.map(|name| player.rig.skeleton.joint_named(name).ok_or(name)) {
            None => None,
            Some(Ok(joint)) => Some(joint),
            Some(Err(name)) => {
                let names: Vec<&str> = player.rig.skeleton.names().iter().map(String::as_str).collect();
                let complaint = complaint(&self.settled, animator, &format!("no joint {name:?}"));
                return Err(vec![complaint.help(near(name, &names))]);
            }
        };
        let glance = |at: &Tick| player.glance(model, *at, &|tick| parameters(&self.settled, animator, tick), joint);
        let glances = times.iter().map(glance).collect::<Result<_, _>>();
        glances.map_err(|words: String| vec![complaint(&self.settled, animator, &words)])
    }

    /// An animator's graph, as the scene says it.
    pub fn graph(&self, animator: usize) -> &GraphDef {
        self.players[animator].def()
    }
}

/// What is wrong with a model's proportions.
fn misshapen(model: &crate::scene::Model, (code, words, help): Unfit) -> Diagnostic {
    Diagnostic::error(code, &model.file, format!("model {:?}: {words}", model.name)).help(help)
}

/// What plays at a moment, for whom places it.
struct Staged<'a> {
    played: &'a [Animated<'a>],
    order: &'a Order,
    crowds: &'a [Vec<BakedModel>],
}

/// What is wrong with an animator.
fn complaint(scene: &Scene, animator: usize, words: &str) -> Diagnostic {
    let message = format!("animator {:?}: {words}", scene.animators[animator].name);
    Diagnostic::error(code::ANIMATOR, &scene.root, message)
}

/// Steps of a trail, and how far apart they are: a second in all.
const TRAIL_STEPS: i64 = 30;
const TRAIL_STEP_S: f64 = 1.0 / 30.0;

/// Ways of roots and tips of limbs up to `time`, in models' spaces, for poses of which they are shown.
fn trails(
    settled: &Scene,
    scene: &Scene,
    models: &[&import::Model],
    played: &[Animated<'_>],
    time: Tick,
) -> BTreeMap<usize, Vec<Vec<Vec3>>> {
    let mut out = BTreeMap::new();
    for node in scene.nodes.iter().filter(|node| node.show.contains(&Show::Trails)) {
        let Content::Model(at) = node.content else { continue };
        let (model, scene_model) = (models[at], &scene.models[at]);
        let pose_index = node.animator.map_or(at, |animator| models.len() + animator);
        if out.contains_key(&pose_index) {
            continue;
        }
        let ends = pose::ends(model);
        let mut ways: Vec<Vec<Vec3>> = vec![Vec::new(); ends.len()];
        // A player goes forward only: the one that shows the scene is not moved.
        let mut player = node.animator.map(|animator| (animator, played[animator].player.clone()));
        for step in (0..=TRAIL_STEPS).rev() {
            let then = time - Tick::from_seconds(step as f64 * TRAIL_STEP_S);
            let mut now_from_then = Mat4::IDENTITY;
            let pose = match &mut player {
                Some((animator, player)) => {
                    let shown = player.at(model, then, &|tick| parameters(settled, *animator, tick));
                    let Ok(shown) = shown else { continue };
                    now_from_then = matrix(played[*animator].shown.travel.until(shown.travel));
                    player.rig.pose(model, player.rig.matrices(&shown.locals), Vec::new(), shown.seen)
                }
                None => {
                    let clips = chosen_clips(&scene_model.clip, model);
                    let time = scene_model.clip_tick(then);
                    pose(model, &clips.into_iter().map(|clip| Playing { clip, time }).collect::<Vec<_>>())
                }
            };
            for (way, end) in ways.iter_mut().zip(&ends) {
                way.push(now_from_then.transform_point3(pose.model_from_local[*end].w_axis.truncate()));
            }
        }
        out.insert(pose_index, ways);
    }
    out
}

/// Numbers of an animator's parameters at a moment.
fn parameters(scene: &Scene, animator: usize, tick: Tick) -> Vec<f32> {
    let parameters = scene.animators[animator].graph.parameters.iter().enumerate();
    let value = |(at, parameter): (usize, &ParameterDef)| match scene.track(Thing::Parameter(animator, at), "value") {
        Some(track) => track.curve.at(tick)[0] as f32,
        None => parameter.initial,
    };
    parameters.map(value).collect()
}

/// Positions of the clips that a scene's model plays.
///
/// Errors: names and numbers that the file does not have.
pub fn playing_clips(model: &crate::scene::Model, found: &import::Model) -> Result<Vec<usize>, Vec<Diagnostic>> {
    let wrong = check_names(model, found);
    if wrong.is_empty() { Ok(chosen_clips(&model.clip, found)) } else { Err(wrong) }
}

/// Positions of the clips that play; names and numbers are known to be there.
fn chosen_clips(choice: &ClipChoice, model: &import::Model) -> Vec<usize> {
    match choice {
        ClipChoice::None => Vec::new(),
        ClipChoice::All => (0..model.clips.len()).collect(),
        ClipChoice::Number(number) => vec![*number],
        ClipChoice::Named(name) => model.clips.iter().position(|clip| clip.name == *name).into_iter().collect(),
    }
}

/// Nodes that are worn, each with the files of the part and of its body.
fn worn_files(scene: &Scene) -> impl Iterator<Item = (&Node, [&PathBuf; 2])> {
    scene.nodes.iter().filter(|node| node.worn).filter_map(move |node| {
        let shown = node.parent.map(|parent| &scene.nodes[parent].content);
        let (Content::Model(part), Some(Content::Model(body))) = (&node.content, shown) else { return None };
        Some((node, [part, body].map(|model| &scene.models[*model].file)))
    })
}

/// Parts that do not fit the bodies that wear them.
fn unfit_parts(scene: &Scene, models: &BTreeMap<PathBuf, Option<import::Model>>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for (node, [part, body]) in worn_files(scene) {
        // What cannot be read has been told.
        let (Some(part_model), Some(body_model)) = (&models[part], &models[body]) else { continue };
        if let Err((code, words, help)) = Worn::new(body_model, part_model) {
            out.push(Diagnostic::error(code, part, format!("node {:?}: {words}", node.name)).help(help));
        }
    }
    out
}

/// Names of nodes, materials and clips that the scene expects in a model.
fn check_names(model: &crate::scene::Model, found: &import::Model) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut miss = |code, kind: &str, name: &str, names: Vec<&str>| {
        let message = format!("model {:?}: the file has no {kind} {name:?}", model.name);
        out.push(Diagnostic::error(code, &model.file, message).help(near(name, &names)));
    };
    for name in &model.nodes {
        let names: Vec<&str> = found.nodes.iter().map(|n| n.name.as_str()).collect();
        if !names.contains(&name.as_str()) {
            miss(code::MODEL_NODE, "node", name, names);
        }
    }
    for name in &model.meshes {
        let names: Vec<&str> = found.nodes.iter().filter_map(|n| n.mesh.as_deref()).collect();
        if !names.contains(&name.as_str()) {
            miss(code::MODEL_MESH, "mesh", name, names);
        }
    }
    for (name, _) in &model.overrides {
        let names: Vec<&str> = found.materials.iter().map(|m| m.name.as_str()).collect();
        if name != "*" && !names.contains(&name.as_str()) {
            miss(code::MODEL_MATERIAL, "material", name, names);
        }
    }
    let names: Vec<&str> = found.clips.iter().map(|clip| clip.name.as_str()).collect();
    match &model.clip {
        ClipChoice::Named(name) if !names.contains(&name.as_str()) => miss(code::MODEL_CLIP, "clip", name, names),
        ClipChoice::Number(number) if *number >= names.len() => {
            miss(code::MODEL_CLIP, "clip", &format!("#{number}"), names);
        }
        _ => {}
    }
    out
}

/// The camera that the scene looks through must be there.
fn check_camera(scene: &Scene, world: &World) -> Option<Diagnostic> {
    let names: Vec<&str> = world.cameras.iter().filter(|c| c.from_model).map(|c| c.name.as_str()).collect();
    let (wanted, help) = match &scene.camera {
        CameraChoice::ModelNamed(name) if !names.contains(&name.as_str()) => (format!("{name:?}"), near(name, &names)),
        CameraChoice::ModelNumber(number) if *number >= names.len() => {
            (format!("#{number}"), format!("its models have {} cameras", names.len()))
        }
        _ => return None,
    };
    let file = scene.models.first().map_or(&scene.root, |m| &m.file);
    Some(Diagnostic::error(code::CAMERA, file, format!("no camera {wanted}")).help(help))
}

/// "did you mean", or what there is.
pub(super) fn near(name: &str, names: &[&str]) -> String {
    let mut ranked: Vec<(usize, &str)> = names.iter().map(|n| (strsim::damerau_levenshtein(name, n), *n)).collect();
    ranked.sort();
    match ranked.first() {
        None => "there are none".to_string(),
        Some((distance, nearest)) if *distance <= 1 + name.len() / 3 => format!("did you mean {nearest:?}?"),
        _ => {
            let mut list: Vec<&str> = names.to_vec();
            list.sort_unstable();
            list.dedup();
            let shown = list.iter().take(8).map(|n| format!("{n:?}")).collect::<Vec<_>>().join(", ");
            format!("known are {shown}{}", if list.len() > 8 { ", ..." } else { "" })
        }
    }
}
