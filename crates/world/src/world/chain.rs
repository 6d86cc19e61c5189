//! Chain: the three links from a scene at a moment to a world.
//!
//! ```text
//! poses(scene, time) -> Poses -> stand -> Standing -> emit -> World
//! ```
//!
//! Each link is a function of the one before, and families have their say in each. Never here: what a link does in
//! detail, caches.

use super::World;
use super::family::Moving;
use super::family::animation::Surroundings;
use super::framing::Stage;
use super::place::{Emitter, Materials, Poses, Problems, SceneAt, Standing, Surfaces};
use super::tree::depth_first;
use crate::scene::Ground;

/// Where the joints of models and animators are.
pub fn poses(at: SceneAt<'_>, moving: &Moving<'_>) -> Poses {
    let mut poses = Poses::of_clips(at);
    moving.pose(&mut poses);
    poses
}

/// Where the nodes of the scene are, behind solvers.
pub fn stand(
    at: SceneAt<'_>,
    poses: Poses,
    moving: &Moving<'_>,
    around: &Surroundings<'_>,
    problems: &mut Problems,
) -> Standing {
    let mut standing = Standing::new(at, poses, moving.travels());
    moving.stand(at, &mut standing, around, problems);
    standing
}

/// What there is to draw. The surfaces have the materials of the scene already. `stage`: what framing goes by, where
/// that is not this moment.
pub fn emit<'a>(
    at: SceneAt<'a>,
    standing: &'a Standing,
    moving: &Moving<'_>,
    (surfaces, materials): (Surfaces<'a>, Materials),
    stage: Option<Stage>,
    problems: &'a mut Problems,
) -> World {
    let mut emitter = Emitter::new(at, standing, surfaces, materials, problems);
    emitter.cameras();
    emitter.lights();
    for node in depth_first(&at.scene.nodes) {
        emitter.node(node);
        moving.emit_node(&mut emitter, node);
    }
    moving.emit(&mut emitter);
    emitter.world.subject_bounds = stage.map_or(emitter.world.bounds, |stage| stage.bounds);
    let known = stage.and_then(|stage| stage.reach);
    emitter.world.subject_reach = known.unwrap_or_else(|| emitter.reach());
    if at.scene.ground == Ground::On {
        emitter.ground();
    }
    emitter.finish()
}
