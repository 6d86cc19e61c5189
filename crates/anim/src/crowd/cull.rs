//! Cull: the actors that a camera sees, and how closely.

use glam::{Mat4, Vec3};
use stillframe_base::geom::{Aabb, Frustum};

use super::{Actor, CrowdError};

/// An actor that is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub struct Visible {
    pub actor: u32,
    /// 0 is the finest.
    pub lod: u32,
}

/// Finds the actors that may be seen, in their order.
///
/// An actor is kept unless the box of its clips lies outside a plane of the frustum. Its level of detail is [`lod_of`]
/// its distance, or `lod_min` if that is more. Nothing is remembered from picture to picture.
///
/// Shapes: `bounds` has a box a clip ([`clip_bounds`](super::clip_bounds)); `visible` has room for all actors.
pub struct CullCrowd<'a> {
    pub actors: &'a [Actor],
    pub bounds: &'a [Aabb],
    pub frustum: &'a Frustum,
    pub eye: Vec3,
    /// Where each level but the first begins, rising.
    pub lod_distances_m: &'a [f32],
    pub visible: &'a mut [Visible],
}

impl CullCrowd<'_> {
    /// Looks at every actor.
    pub fn validate(&self) -> Result<(), CrowdError> {
        self.check_shape()?;
        for (number, actor) in self.actors.iter().enumerate() {
            if !actor.world.iter().flatten().all(|x| x.is_finite()) {
                return Err(CrowdError::Actor { actor: number, what: "its place is not finite" });
            }
            if !(0.0..=1.0).contains(&actor.fade) {
                return Err(CrowdError::Actor { actor: number, what: "its fade is not in 0 to 1" });
            }
            let read = if actor.fade == 0.0 { 1 } else { 2 };
            for (track, playing) in actor.tracks.iter().enumerate().take(read) {
                let count = self.bounds.len();
                if playing.clip as usize >= count {
                    return Err(CrowdError::Clip { actor: number, track, clip: playing.clip, count });
                }
            }
        }
        Ok(())
    }

    fn check_shape(&self) -> Result<(), CrowdError> {
        let (count, want) = (self.visible.len(), self.actors.len());
        if count < want { Err(CrowdError::Count { what: "room for actors", count, want }) } else { Ok(()) }
    }

    /// Writes the beginning of `visible`; how many there are is the result. Panics where there is too little room or no
    /// such clip.
    pub fn run(self) -> usize {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        let mut count = 0;
        for (number, actor) in self.actors.iter().enumerate() {
            let [first, second] = actor.tracks.map(|track| track.clip as usize);
            let mut bounds = self.bounds[first];
            if actor.fade != 0.0 {
                bounds = bounds.union(self.bounds[second]);
            }
            let world = Mat4::from(actor.world_from_model());
            if bounds.is_empty() || !self.frustum.sees_aabb(&bounds.transformed(&world)) {
                continue;
            }
            let away = Vec3::from(actor.world_from_model().translation) - self.eye;
            let lod = lod_of(away.length_squared(), self.lod_distances_m).max(actor.lod_min);
            self.visible[count] = Visible { actor: number as u32, lod };
            count += 1;
        }
        count
    }
}

/// The level of detail at a distance (squared): how many of the distances are reached.
pub fn lod_of(distance_squared: f32, lod_distances_m: &[f32]) -> u32 {
    lod_distances_m.iter().filter(|from| distance_squared >= **from * **from).count() as u32
}
