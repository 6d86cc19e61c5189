//! Seen: what of a shot decides where shadows can be seen, and how fine they must be.

use std::collections::BTreeMap;

use glam::Vec3;
use stillframe_base::geom::Aabb;
use stillframe_base::math::ops;

use super::clip::ViewVolume;
use crate::asset::{AlphaMode, Geometry, Material, Store, transmits};
use crate::scene::Projection;
use crate::view::{DrawItem, Shot, ShotCamera, inverse, product};

/// Something that casts shadows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caster {
    pub bounds: Aabb,
    /// Its place among the receivers, where it is seen and casts no shadow on itself.
    pub itself: Option<usize>,
}

/// What a camera sees, for fitting.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Points around the seen part of each item that is seen.
    pub receivers: Vec<Vec<Vec3>>,
    /// Whether what is behind them is seen, too: through them or their holes.
    pub is_clear: Vec<bool>,
    pub casters: Vec<Caster>,
    camera: ShotCamera,
    /// Nearest and farthest depth of what is seen.
    nearest_m: f32,
    farthest_m: f32,
    /// Between these depths, air is seen.
    air_m: Option<[f32; 2]>,
    height_px: u32,
}

/// Texels of a map for each pixel that it darkens.
const TEXELS_PER_PIXEL: f32 = 4.0;

/// Geometry of more vertices counts as one that can cast shadows on itself, if it is not flat.
const CONVEX_VERTICES_MAX: usize = 64;

impl Seen {
    /// `size_px`: of the picture. `veils`: what lets light through casts, too.
    pub fn new(shot: &Shot, store: &Store, size_px: [u32; 2], veils: bool) -> Seen {
        let camera = &shot.camera;
        let depth_m = |p: Vec3| -camera.view_from_world.transform_point3(p).z;
        let clip_from_world = product(camera.clip_from_view, camera.view_from_world);
        let far = match camera.far_m {
            Some(_) => 0.0,
            // The depth of the farthest corner of everything, and a little beyond.
            None => {
                let depths = shot.bounds_world.corners().into_iter().map(depth_m);
                let farthest = depths.fold(camera.near_m * 2.0, f32::max);
                let clip = camera.clip_from_view * Vec3::new(0.0, 0.0, -farthest * 1.01).extend(1.0);
                clip.z / clip.w
            }
        };
        let volume = ViewVolume::new(clip_from_world, far);
        let items = || shot.opaque.iter().chain(&shot.blended);
        let receivers: Vec<Vec<Vec3>> = items().map(|item| volume.common_points(&item.bounds_world)).collect();
        let shows_more = |material: &Material| transmits(material) || material.alpha_mode != AlphaMode::Opaque;
        let is_clear = shot.opaque.iter().map(|item| shows_more(store.material(item.material)));
        let is_clear = is_clear.chain(shot.blended.iter().map(|_| true)).collect();
        let [nearest_m, farthest_m] = ends(receivers.iter().flatten().copied().map(depth_m));
        let nearest_m = nearest_m.max(camera.near_m);
        let key = |item: &DrawItem| (item.object_id, item.geometry);
        let places: BTreeMap<_, usize> = items().enumerate().map(|(place, item)| (key(item), place)).collect();
        let mut convex = BTreeMap::new();
        let veils = shot.veils.iter().filter(|_| veils);
        let casters = shot.casters.iter().chain(veils).map(|item| {
            let is_stiff = item.bent.is_none() && item.crowd.is_none();
            let is_convex =
                is_stiff && *convex.entry(item.geometry).or_insert_with(|| is_convex(&store.geometries[item.geometry]));
            Caster { bounds: item.bounds_world, itself: places.get(&key(item)).copied().filter(|_| is_convex) }
        });
        let casters = casters.collect();
        let camera = camera.clone();
        Seen { receivers, is_clear, casters, camera, nearest_m, farthest_m, air_m: None, height_px: size_px[1] }
    }

    /// The same where air is seen, too, up to this depth.
    pub fn with_air(mut self, far_m: f32) -> Seen {
        let near_m = self.camera.near_m;
        let far_m = far_m.max(near_m * 1.01);
        let clip = self.camera.clip_from_view * Vec3::new(0.0, 0.0, -far_m).extend(1.0);
        let clip_from_world = product(self.camera.clip_from_view, self.camera.view_from_world);
        self.receivers.push(ViewVolume::new(clip_from_world, clip.z / clip.w).corners().to_vec());
        self.is_clear.push(true);
        self.air_m = Some([near_m, far_m]);
        self.farthest_m = self.farthest_m.max(far_m);
        // Where no surface is seen: froxels are several pixels wide.
        self.nearest_m = self.nearest_m.min(0.25 * far_m).max(near_m);
        self
    }

    /// From the camera along its axis.
    pub fn depth_m(&self, point: Vec3) -> f32 {
        -self.camera.view_from_world.transform_point3(point).z
    }

    /// Where the camera is and along which way it looks, if it has perspective.
    pub fn eye(&self) -> Option<(Vec3, Vec3)> {
        let is_near = matches!(self.camera.projection, Projection::Perspective { .. });
        let ahead = -self.camera.view_from_world.row(2).truncate();
        is_near.then_some((self.camera.position, ahead))
    }

    /// Nearest and farthest depth of what is seen.
    pub fn ends_m(&self) -> [f32; 2] {
        [self.nearest_m, self.farthest_m]
    }

    /// The same as if all of the scene was in sight.
    pub fn scene(shot: &Shot, store: &Store, size_px: [u32; 2], veils: bool) -> Seen {
        let mut seen = Seen::new(shot, store, size_px, veils);
        (seen.receivers, seen.is_clear) = (vec![shot.bounds_world.corners().to_vec()], vec![true]);
        seen.casters.iter_mut().for_each(|caster| caster.itself = None);
        seen
    }

    /// Depths that shadows are seen between, up to `end_m`: in steps of a fourth of an octave, so that they keep still
    /// while the camera moves.
    pub fn depths_m(&self, end_m: Option<f32>) -> [f32; 2] {
        let step = |depth_m: f32, round: fn(f32) -> f32| ops::exp2(round(ops::log2(depth_m) * 4.0) * 0.25);
        let nearest_m = self.air_m.map_or(self.nearest_m, |[near_m, _]| near_m);
        let near_m = step(nearest_m.max(1e-3), f32::floor);
        let far_m = end_m.unwrap_or_else(|| step(self.farthest_m.max(1e-3), f32::ceil));
        [near_m, far_m.max(near_m * 1.01)]
    }

    /// The nearest that casts and the farthest that is seen, by a lamp's axis, metres.
    pub fn span_m(&self, along: impl Fn(Vec3) -> f32) -> [f32; 2] {
        let casters = self.casters.iter().flat_map(|caster| caster.bounds.corners()).map(&along);
        let nearest = casters.fold(f32::INFINITY, f32::min);
        let farthest = self.receivers.iter().flatten().copied().map(&along).fold(0.0, f32::max);
        [nearest, farthest]
    }

    /// The least ball around what the camera can see between two depths: its middle and its radius.
    pub fn ball(&self, [near_m, far_m]: [f32; 2]) -> (Vec3, f32) {
        let clip = self.camera.clip_from_view;
        // From the axis to a corner, squared: over the depth, or everywhere.
        let slope2 = 1.0 / (clip.x_axis.x * clip.x_axis.x) + 1.0 / (clip.y_axis.y * clip.y_axis.y);
        let (depth_m, radius_m) = match self.camera.projection {
            Projection::Orthographic { .. } => {
                let half = 0.5 * (far_m - near_m);
                (0.5 * (near_m + far_m), (slope2 + half * half).sqrt())
            }
            // Where the far corners are farther from each other than from the near ones.
            Projection::Perspective { .. } if slope2 >= (far_m - near_m) / (far_m + near_m) => {
                (far_m, far_m * slope2.sqrt())
            }
            Projection::Perspective { .. } => {
                let depth_m = 0.5 * (near_m + far_m) * (1.0 + slope2);
                let beyond = far_m - depth_m;
                (depth_m, (beyond * beyond + slope2 * far_m * far_m).sqrt())
            }
        };
        let world_from_view = inverse(self.camera.view_from_world);
        (world_from_view.transform_point3(Vec3::new(0.0, 0.0, -depth_m)), radius_m)
    }

    /// Width that the texels of a map should have: part of a pixel where it is smallest, at the nearest of these points
    /// or of all that is seen.
    pub fn texel_m(&self, points: impl IntoIterator<Item = Vec3>) -> f32 {
        let depths = points.into_iter().map(|p| self.depth_m(p));
        let nearest = depths.fold(f32::INFINITY, f32::min).max(self.nearest_m);
        // The height of the view where its depth is 1 m, or everywhere.
        let height_m = 2.0 / self.camera.clip_from_view.y_axis.y.abs();
        let height_m = match self.camera.projection {
            Projection::Perspective { .. } => height_m * nearest,
            Projection::Orthographic { .. } => height_m,
        };
        height_m / (self.height_px as f32 * TEXELS_PER_PIXEL)
    }
}

/// The nearest and the farthest of depths.
pub fn ends(depths: impl Iterator<Item = f32>) -> [f32; 2] {
    depths.fold([f32::INFINITY, 0.0], |[near_m, far_m], depth_m| [depth_m.min(near_m), depth_m.max(far_m)])
}

/// Whether no part of a geometry can be in the shadow of another: it is flat, or small and convex from outside.
fn is_convex(geometry: &Geometry) -> bool {
    let positions = &geometry.positions;
    let slack = geometry.bounds.size().max_element() * 1e-5;
    let corners = geometry.indices.chunks_exact(3).map(|triangle| {
        let at = |k: usize| Vec3::from(positions[triangle[k] as usize]);
        [at(0), at(1), at(2)]
    });
    let planes =
        corners.map(|[a, b, c]| (a, (b - a).cross(c - a))).filter(|(_, normal)| normal.length() > slack * slack);
    let mut planes = planes.map(|(a, normal)| (a, normal.normalize())).peekable();
    let heights = |(a, normal): (Vec3, Vec3)| positions.iter().map(move |p| normal.dot(Vec3::from(*p) - a));
    let Some(&first) = planes.peek() else { return false };
    if heights(first).all(|height| height.abs() <= slack) {
        return true;
    }
    positions.len() <= CONVEX_VERTICES_MAX && planes.all(|plane| heights(plane).all(|height| height <= slack))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn geometry(positions: Vec<[f32; 3]>, indices: Vec<u32>) -> Geometry {
        let bounds = Aabb::of_points(positions.iter().copied().map(Vec3::from));
        Geometry { positions, indices, bounds, ..Geometry::default() }
    }

    #[test]
    fn what_is_flat_or_convex_is_not_in_its_own_shadow() {
        let square = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]];
        assert!(is_convex(&geometry(square.clone(), vec![0, 1, 2, 2, 1, 3])));
        // A tetrahedron, outsides outside; and with a vertex pushed in.
        let mut solid = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let faces = vec![0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
        assert!(is_convex(&geometry(solid.clone(), faces.clone())));
        solid.push([0.1, 0.1, 0.1]);
        let dented = vec![0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4, 2, 3, 4, 3, 1, 4];
        assert!(!is_convex(&geometry(solid, dented)));
        // A valley.
        let mut bent = square;
        bent[3] = [1.0, 1.0, 0.0];
        assert!(!is_convex(&geometry(bent, vec![0, 2, 1, 2, 3, 1])));
        assert!(!is_convex(&geometry(Vec::new(), Vec::new())));
    }
}
