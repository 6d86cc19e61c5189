//! Loaded: a scene with everything read, placed at any moment.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use stillframe_anim::graph::GraphDef;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::World;
use super::chain;
use super::dim;
use super::family::animation::{Figure, Surroundings, figures};
use super::family::{Families, Moving};
use super::files::Files;
use super::framing::Stage;
use super::names;
use super::place::{Body, Materials, Problems, SceneAt, Standing, SurfaceCache, Surfaces, unreadable_pictures};
use super::proportion::{Shaped, ShapedModels};
use super::worn::{Wear, Worn};
use crate::animate::Glance;
use crate::asset::Image;
use crate::import;
use crate::scene::{Content, Scene};
use crate::source::Diagnostic;

/// A scene with everything loaded, ready to be placed at any moment.
#[derive(Debug)]
pub struct Loaded {
    /// Settled, and without patterns: every value as the file of the scene has it.
    pub(super) scene: Arc<Scene>,
    /// Settled: nothing is left open.
    pub(super) settled: Scene,
    /// The environment's picture, where the scene names a file.
    pub environment: Option<Image>,
    /// What was tolerated while loading.
    pub warnings: Vec<Diagnostic>,
    /// How many models were found ready in the cache.
    pub found_count: u32,
    pub(super) files: Files,
    pub(super) worn: BTreeMap<Wear, Worn>,
    pub(super) shaped: ShapedModels,
    pub(super) families: Families,
    /// What has been baked so far.
    pub(super) surfaces: SurfaceCache,
    /// What all moments of a sequence take up: what framing goes by.
    pub(super) stage: Option<Stage>,
    /// What computes what moves; none: the best that the machine has.
    pub(super) isa: Option<Isa>,
}

/// A moment of a scene.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Settled, without patterns, every value as it is then.
    pub scene: Arc<Scene>,
    pub world: World,
    /// What was tolerated while placing.
    pub warnings: Vec<Diagnostic>,
}

impl Loaded {
    /// The same, with what moves computed by an instruction set: the bits are the same by any.
    #[must_use]
    pub fn on(mut self, isa: Isa) -> Loaded {
        self.families.use_isa(isa);
        self.isa = Some(isa);
        self
    }

    /// The picture that a light probe of the scene names.
    pub fn probe_picture(&self, file: &Path) -> &Image {
        &self.files.pictures[file]
    }

    /// The scene at a moment: settled, without patterns, every value as it is then.
    pub fn scene_at(&self, time: Tick) -> Arc<Scene> {
        if self.settled.has_motion() { Arc::new(self.settled.at(time).expanded()) } else { self.scene.clone() }
    }

    /// Places and bakes everything as it is at `time`. It is the same whatever was placed before, and moments may be
    /// placed at the same time: what they share is only what depends on none.
    ///
    /// Object ids count nodes that show something, from 1, in tree order: scene nodes in file order, a model's nodes
    /// depth first within its scene node. Errors: pictures that materials name and cannot be read, things placed too
    /// far away.
    pub fn place(&self, time: Tick, read: &import::Read<'_>) -> Result<Placed, Vec<Diagnostic>> {
        self.placed(time, read).map_err(|mut errors| {
            // One bad picture does not hide the others.
            errors.extend(unreadable_pictures(&self.settled, read));
            let mut seen: Vec<Diagnostic> = Vec::new();
            for error in self.settled.written.homes(errors) {
                if !seen.contains(&error) {
                    seen.push(error);
                }
            }
            seen
        })
    }

    fn placed(&self, time: Tick, read: &import::Read<'_>) -> Result<Placed, Vec<Diagnostic>> {
        let scene = self.scene_at(time);
        let isa = self.isa.unwrap_or_else(Isa::detect);
        let mut surfaces = Surfaces::new(&self.surfaces, read, isa);
        let shaped = self.shaped.at(&scene, &self.files);
        let materials = Materials::of_scene(&scene, &self.files.models, &mut surfaces);
        let (shaped, materials) = both(shaped, materials)?;
        let bodies = self.bodies(&scene, &shaped);
        let at = SceneAt { scene: &scene, time, bodies: &bodies, worn: &self.worn };
        let moving = self.families.step(&self.settled, at)?;
        let mut problems = Problems::default();
        let standing = self.stand(at, &moving, read, &mut problems);
        let mut world = chain::emit(at, &standing, &moving, (surfaces, materials), self.stage, &mut problems);
        for light in &mut world.lights {
            if light.kind.file().is_some() {
                light.file = self.files.lights.get(&light.name).cloned();
            }
        }
        let Problems { mut errors, mut warnings } = problems;
        let lit =
            scene.models.iter().find(|model| self.files.models.get(&model.file).is_some_and(|m| !m.lights.is_empty()));
        warnings.extend(lit.and_then(|model| dim::dim_lights(&scene, &world, &model.file)));
        errors.extend(names::camera(&scene, &world));
        if !errors.is_empty() {
            return Err(errors);
        }
        drop(moving);
        Ok(Placed { world, warnings, scene })
    }

    /// What animators move at a moment, behind their solvers: one a node of the scene that wears one, in the file's
    /// order; then what was tolerated.
    ///
    /// Errors: a moment too far away.
    pub fn figures(
        &self,
        time: Tick,
        read: &import::Read<'_>,
    ) -> Result<(Vec<Figure>, Vec<Diagnostic>), Vec<Diagnostic>> {
        let scene = self.scene_at(time);
        let shaped = self.shaped.at(&scene, &self.files)?;
        let bodies = self.bodies(&scene, &shaped);
        let at = SceneAt { scene: &scene, time, bodies: &bodies, worn: &self.worn };
        let moving = self.families.step(&self.settled, at)?;
        let mut problems = Problems::default();
        let standing = self.stand(at, &moving, read, &mut problems);
        let Problems { errors, warnings } = problems;
        if errors.is_empty() { Ok((figures(at, &standing), warnings)) } else { Err(errors) }
    }

    fn stand(
        &self,
        at: SceneAt<'_>,
        moving: &Moving<'_>,
        read: &import::Read<'_>,
        problems: &mut Problems,
    ) -> Standing {
        let around = Surroundings { cache: &self.surfaces, read };
        chain::stand(at, chain::poses(at, moving), moving, &around, problems)
    }

    /// By model of the scene: the file's, or one with other proportions.
    fn bodies<'a>(&'a self, scene: &Scene, shaped: &'a [Option<Arc<Shaped>>]) -> Vec<Body<'a>> {
        let body = |(model, shaped): (&crate::scene::Model, &'a Option<Arc<Shaped>>)| match shaped {
            Some(shaped) => Body { model: &shaped.model, joints: &shaped.joint_from_body },
            None => Body { model: &self.files.models[&model.file], joints: &[] },
        };
        scene.models.iter().zip(shaped).map(body).collect()
    }

    /// The model that an animator moves, with the proportions that the scene's file gives it.
    pub fn model_of(&self, animator: usize) -> &import::Model {
        let number = self.settled.animators[animator].model;
        let file = &self.settled.models[number].file;
        self.shaped.at_start(number).unwrap_or_else(|| &self.files.models[file])
    }

    /// Every animator at a moment as text: its graph with weights and clocks, what has happened so far, and what its
    /// solvers have come to on each node that wears it; then what crowds' baking has cost, and what is worn.
    ///
    /// Errors: a moment too far away.
    pub fn describe_animators(&self, time: Tick, read: &import::Read<'_>) -> Result<String, Vec<Diagnostic>> {
        let figures = match self.families.animation.has_solvers() {
            true => self.figures(time, read)?.0,
            false => Vec::new(),
        };
        let mut out = self.families.dump(&self.settled, &self.files, time, &figures)?;
        for node in self.settled.nodes.iter().filter(|node| node.worn) {
            let Some(parent) = node.parent.map(|parent| &self.settled.nodes[parent]) else { continue };
            let (Content::Model(part), Content::Model(body)) = (&node.content, &parent.content) else { continue };
            let worn = &self.worn[&Wear { body: *body, part: *part }];
            let body = &self.files.models[&self.settled.models[*body].file];
            let _ = write!(out, "part {:?} on {:?}\n{}", node.name, parent.name, worn.describe(body));
        }
        Ok(out)
    }

    /// What the pose of an animator is made of at some moments, for a joint by its name; without one, for a joint that
    /// all masks have.
    ///
    /// Errors: moments too far away; a joint that the model lacks.
    pub fn glances(
        &self,
        animator: usize,
        times: &[Tick],
        joint: Option<&str>,
    ) -> Result<Vec<Glance>, Vec<Diagnostic>> {
        let model = &self.settled.models[self.settled.animators[animator].model];
        self.families.animation.glances(&self.settled, animator, &self.files.models[&model.file], times, joint)
    }

    /// An animator's graph, as the scene says it.
    pub fn graph(&self, animator: usize) -> &GraphDef {
        self.families.animation.graph(animator)
    }
}

/// Both, or what is wrong with either.
fn both<A, B>(a: Result<A, Vec<Diagnostic>>, b: Result<B, Vec<Diagnostic>>) -> Result<(A, B), Vec<Diagnostic>> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (a, b) => Err([a.err().unwrap_or_default(), b.err().unwrap_or_default()].concat()),
    }
}
