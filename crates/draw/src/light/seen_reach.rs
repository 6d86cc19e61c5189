//! Seen reach: what a light can reach, as the camera sees it.

use glam::DVec3;

use super::row;
use crate::view::{Shot, ShotLight};

/// A reach as the camera sees it, a little larger: what rounding does to points and distances stays inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenReach {
    pub sphere: Option<(DVec3, f64)>,
    pub cone: Option<SeenCone>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenCone {
    pub apex: DVec3,
    pub axis: DVec3,
    pub cos: f64,
    pub sin: f64,
}

/// Of the distance from a cone's apex, what its side is moved outwards.
pub const CONE_SLACK: f64 = 1e-3;

impl SeenReach {
    pub fn new(shot: &Shot, light: &ShotLight) -> SeenReach {
        let reach = (row(&light.kind).reach)(light);
        let view_from_world = shot.camera.view_from_world.as_dmat4();
        let sphere = reach.sphere.map(|(center, radius_m)| {
            let center_view = view_from_world.transform_point3(center.as_dvec3());
            let slack_m = 1e-4 * (f64::from(radius_m) + center_view.length() + center.as_dvec3().length());
            (center_view, f64::from(radius_m) + slack_m)
        });
        let cone = reach.cone.map(|cone| SeenCone {
            apex: view_from_world.transform_point3(cone.apex.as_dvec3()),
            axis: view_from_world.transform_vector3(cone.axis.as_dvec3()),
            cos: cone.cos.into(),
            sin: cone.sin.into(),
        });
        SeenReach { sphere, cone }
    }
}

impl SeenCone {
    /// Whether no point of a ball is in the cone. Some balls beside it may count as in it.
    pub fn misses(&self, center: DVec3, radius_m: f64) -> bool {
        let from_apex = center - self.apex;
        let along = from_apex.dot(self.axis);
        let across = (from_apex.length_squared() - along * along).max(0.0).sqrt();
        self.cos * across - self.sin * along > radius_m + CONE_SLACK * from_apex.length()
    }
}
