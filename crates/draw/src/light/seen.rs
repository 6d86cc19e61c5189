//! Seen: what of a shot decides where shadows can be seen.

use glam::Vec3;
use stillframe_base::geom::Aabb;

use super::clip::{ViewVolume, corners};
use crate::view::{Shot, product};

/// What a camera sees, for fitting.
#[derive(Clone, Debug)]
pub struct Seen {
    pub volume: ViewVolume,
    pub receivers: Vec<Aabb>,
    pub casters: Vec<Aabb>,
}

impl Seen {
    pub fn new(shot: &Shot) -> Seen {
        let clip_from_world = product(shot.camera.clip_from_view, shot.camera.view_from_world);
        let far = match shot.camera.far_m {
            Some(_) => 0.0,
            // The depth of the farthest corner of everything, and a little beyond.
            None => {
                let farthest = corners(&shot.bounds_world)
                    .into_iter()
                    .map(|p| -shot.camera.view_from_world.transform_point3(p).z)
                    .fold(shot.camera.near_m * 2.0, f32::max);
                let clip = shot.camera.clip_from_view * Vec3::new(0.0, 0.0, -farthest * 1.01).extend(1.0);
                clip.z / clip.w
            }
        };
        Seen {
            volume: ViewVolume::new(clip_from_world, far),
            receivers: shot.opaque.iter().chain(&shot.blended).map(|item| item.bounds_world).collect(),
            casters: shot.casters.iter().map(|item| item.bounds_world).collect(),
        }
    }
}
