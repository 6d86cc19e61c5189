//! Families: what moves and fills a scene next to its own nodes.
//!
//! In: a scene and its files. Out: poses, places and items, through the verbs below. A family is a field here and a
//! folder next to this page; every verb takes all fields apart, so that a new family does not compile until each verb
//! has met it. Never here: what a family does, and one family in another.

pub mod animation;
pub mod crowd;

use glam::Mat4;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::clips::Finder;
use super::files::Files;
use super::place::{Emitter, Poses, Problems, SceneAt, Standing};
use super::proportion::ShapedModels;
use crate::scene::Scene;
use crate::source::Diagnostic;
use animation::{Animation, Figure, Surroundings};
use crowd::Crowds;

/// One thing for each family: by default what is loaded of it.
#[derive(Debug)]
pub struct Families<A = Animation, C = Crowds> {
    pub animation: A,
    pub crowds: C,
}

/// Families at a moment.
pub type Moving<'a> = Families<animation::Moving<'a>, &'a Crowds>;

/// Complains of what a scene says of files, before anything is made of them.
pub fn check(scene: &Scene, files: &Files) -> Vec<Diagnostic> {
    let found = Families { animation: animation::check(scene, files), crowds: Vec::new() };
    let Families { animation, crowds } = found;
    [animation, crowds].concat()
}

/// Everything wrong with what plays, where some files could not be read.
pub fn complaints(scene: &Scene, files: &Files, shaped: &ShapedModels) -> Vec<Diagnostic> {
    let mut finder = Finder::new(scene, files);
    let (_, _) = Animation::load(&mut finder);
    Crowds::load(&mut finder, shaped);
    finder.errors
}

/// Makes what plays. `scene` is settled, `expanded` the same without patterns. Out: also warnings.
///
/// Errors: names that files do not have, graphs that cannot be, solvers that wait for each other.
pub fn load(
    scene: &Scene,
    expanded: &Scene,
    files: &Files,
    shaped: &ShapedModels,
) -> Result<(Families, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut finder = Finder::new(scene, files);
    let (animation, of_graphs) = Animation::load(&mut finder);
    let crowds = Crowds::load(&mut finder, shaped);
    let Finder { errors, mut warnings, .. } = finder;
    if !errors.is_empty() {
        return Err(errors);
    }
    warnings.extend(of_graphs);
    let mut families = Families { animation, crowds };
    families.animation.sort(expanded).map_err(|circle| vec![circle])?;
    Ok((families, warnings))
}

impl Families {
    /// Everything at a moment. `settled`: the scene as it was loaded.
    ///
    /// Errors: a moment too far away.
    pub fn step<'a>(&'a self, settled: &Scene, at: SceneAt<'a>) -> Result<Moving<'a>, Vec<Diagnostic>> {
        let Families { animation, crowds } = self;
        Ok(Families { animation: animation.step(settled, at)?, crowds })
    }

    /// What is computed, is computed by an instruction set.
    pub fn use_isa(&mut self, isa: Isa) {
        let Families { animation, crowds: _ } = self;
        animation.use_isa(isa);
    }

    /// Families at a moment as text. `figures`: what animators move.
    ///
    /// Errors: a moment too far away.
    pub fn dump(
        &self,
        settled: &Scene,
        files: &Files,
        time: Tick,
        figures: &[Figure],
    ) -> Result<String, Vec<Diagnostic>> {
        let Families { animation, crowds } = self;
        Ok(animation.dump(settled, files, time, figures)? + &crowds.dump(settled))
    }
}

impl Moving<'_> {
    /// Adds poses to those of models.
    pub fn pose(&self, poses: &mut Poses) {
        let Families { animation, crowds: _ } = self;
        animation.pose(poses);
    }

    /// By animator: how far its root has gone.
    pub fn travels(&self) -> Vec<Mat4> {
        let Families { animation, crowds: _ } = self;
        animation.played.iter().map(|animated| animated.travel()).collect()
    }

    /// Changes where everything is.
    pub fn stand(&self, at: SceneAt<'_>, standing: &mut Standing, around: &Surroundings<'_>, problems: &mut Problems) {
        let Families { animation, crowds: _ } = self;
        animation::stand(at, animation, standing, around, problems);
    }

    /// Adds what is shown next to a node of the scene.
    pub fn emit_node(&self, emitter: &mut Emitter<'_>, node: usize) {
        let Families { animation, crowds: _ } = self;
        animation::draw(animation, emitter, node);
    }

    /// Adds what belongs to no node.
    pub fn emit(&self, emitter: &mut Emitter<'_>) {
        let Families { animation: _, crowds } = self;
        crowds.emit(emitter);
    }
}
