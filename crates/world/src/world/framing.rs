//! Framing: what a camera that nobody placed goes by.
//!
//! In: a scene, what there is to draw. Out: the sides of the camera that frames it, and how far the points reach along
//! them. Never here: the place of that camera, sequences.

use glam::Vec3;
use stillframe_base::geom::{Aabb, Framing, Reach};

use super::{Item, World};
use crate::asset::Store;
use crate::scene::{CameraChoice, Scene, View};

/// What a sequence takes up.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// Around everything but the ground.
    pub bounds: Aabb,
    /// Of its points; `None`: of those of each moment.
    pub reach: Option<Reach>,
}

/// From where everything is framed, if it is. `has_camera`: whether the scene or a model has one.
pub fn frames(scene: &Scene, has_camera: bool) -> Option<View> {
    match scene.camera {
        CameraChoice::Frame(view) => Some(view),
        CameraChoice::Auto if !has_camera => Some(View::Auto),
        _ => None,
    }
}

/// What the camera of a world sees, where it frames everything. The bounds of the world are known.
pub fn framing(scene: &Scene, world: &World) -> Option<Framing> {
    let view = frames(scene, !world.cameras.is_empty())?;
    let framing = view.framing(scene.output.width_px as f32 / scene.output.height_px as f32);
    Some(match scene.turn {
        Some(_) => framing.about(centre(world.subject_bounds)),
        None => framing,
    })
}

/// The middle of what is shown, the origin if nothing is.
fn centre(bounds: Aabb) -> Vec3 {
    if bounds.is_empty() { Vec3::ZERO } else { bounds.center() }
}

/// How far everything of a world reaches along the sides of a camera: by its vertices; figures of crowds by their
/// boxes.
pub fn reach(world: &World, store: &Store, framing: &Framing) -> Reach {
    let of_item = |item: &Item| match (item.bent, item.crowd) {
        (_, Some(_)) => framing.reach_of_bounds(item.bounds),
        (Some(bent), None) => framing.reach(&world.bents[bent as usize].positions, &item.world_from_local),
        (None, None) => framing.reach(&store.geometry(item.geometry).positions, &item.world_from_local),
    };
    world.items.iter().map(of_item).fold(Reach::EMPTY, Reach::union)
}
