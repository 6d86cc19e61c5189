//! Map: one depth map of a light, and arrays of them.

use glam::{Mat4, Vec3};
use stillframe_base::geom::Aabb;
use stillframe_base::math::camera::{look_rotation, view_from_world};

use super::cone::{Cone, HALF_MAX};
use super::fit::Fit;
use super::seen::Seen;
use super::warp::Warp;
use crate::scene::{Shadow, ShadowReads};
use crate::view::product;

/// How a light's rays run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rays {
    Parallel,
    FromPoint,
}

/// Layers of depth maps, those of directional lights first: `shadow.0`, `shadow.1` ...
pub const MAP_LAYER: &str = "shadow";

/// Which array a map is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bank {
    /// Depths of directional lights.
    Sun,
    /// Depths of the others.
    Local,
    /// What is averaged before it is compared.
    Moments,
}

impl Bank {
    pub const ALL: [Bank; 3] = [Bank::Sun, Bank::Local, Bank::Moments];

    /// The array that shaders read: of depths, or of what is made of them.
    pub const fn maps(self) -> &'static str {
        match self {
            Bank::Sun => "sun_maps",
            Bank::Local => "local_maps",
            Bank::Moments => "moments",
        }
    }

    /// Whose a target is that shaders read.
    pub fn of(name: &str) -> Option<Bank> {
        Bank::ALL.into_iter().find(|bank| [bank.maps(), bank.veils()].contains(&name))
    }

    /// The array of what lets light through, beside that of its depths.
    pub const fn veils(self) -> &'static str {
        match self {
            Bank::Sun => "sun_veils",
            Bank::Local => "local_veils",
            Bank::Moments => "moment_veils",
        }
    }

    /// As shaders count those arrays; 0 is none.
    pub fn veils_number(self) -> u32 {
        self as u32 + 1
    }

    /// 64 MiB.
    pub fn texels_max(self) -> u64 {
        if self == Bank::Moments { 1 << 22 } else { 1 << 24 }
    }
}

/// One depth map: where it looks from and what its texels mean.
#[derive(Clone, Debug, PartialEq)]
pub struct MapView {
    pub clip_from_world: Mat4,
    /// A texel is `x + y * clip w` metres wide.
    pub texel_m: [f32; 2],
    /// `None`: nothing that is seen can be in shadow there.
    pub layer: Option<u32>,
    /// Which array it is a layer of.
    pub bank: Bank,
    pub size_px: u32,
    /// Where in its layer it begins.
    pub corner_px: [u32; 2],
    pub shadow: Shadow,
    /// What its filter looks at beyond a point.
    pub edge_texels: f32,
    /// Nearest and farthest along the light, metres, that moments tell apart.
    pub span_m: [f32; 2],
    /// Of cascades: depths of the camera between which it counts.
    pub depths_m: [f32; 2],
    /// Where the lamp is; `None` where rays are parallel.
    pub eye: Option<Vec3>,
    /// What lets light through is drawn for it, too.
    pub is_veiled: bool,
}

impl MapView {
    /// One of a side on which nothing seen can be in shadow.
    fn unseen(shadow: Shadow) -> MapView {
        MapView {
            clip_from_world: Mat4::IDENTITY,
            texel_m: [0.0; 2],
            layer: None,
            bank: Bank::Local,
            size_px: 1,
            corner_px: [0; 2],
            shadow,
            edge_texels: 0.0,
            span_m: [0.0; 2],
            depths_m: [0.0; 2],
            eye: None,
            is_veiled: false,
        }
    }

    /// Whether it is drawn first into its layer.
    pub fn is_first(&self) -> bool {
        self.corner_px == [0; 2]
    }

    /// Whether the light comes from outside of a box, and all of the box is far enough to cast shadows.
    pub fn is_outside(&self, bounds: &Aabb) -> bool {
        let held = Aabb { min: bounds.min - 2.0 * NEAR_M, max: bounds.max + 2.0 * NEAR_M };
        self.eye.is_none_or(|eye| eye.cmplt(held.min).any() || eye.cmpgt(held.max).any())
    }
}

/// An array of maps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MapArray {
    pub layers: u32,
    /// Of the widest map: each has as much room.
    pub map_px: u32,
    /// Maps across and down a layer.
    pub grid: u32,
    /// Of maps that are as wide as the picture can show.
    pub fitted_px: u32,
    /// Of maps of all of the scene.
    pub scene_px: u32,
}

/// Where in an array a map is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapPlace {
    layer: Option<u32>,
    corner_px: [u32; 2],
}

impl MapArray {
    /// Of a layer.
    pub fn width_px(&self) -> u32 {
        self.map_px * self.grid
    }

    /// The place of the map with this number; `None`: it is not drawn.
    pub fn place(&self, number: Option<u32>) -> MapPlace {
        let Some(number) = number else { return MapPlace { layer: None, corner_px: [0; 2] } };
        let cell = number % (self.grid * self.grid);
        let corner_px = [cell % self.grid, cell / self.grid].map(|at| at * self.map_px);
        MapPlace { layer: Some(number / (self.grid * self.grid)), corner_px }
    }
}

/// A map that a light wants, before its size is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    Parallel(Fit),
    Warped(Warp),
    /// What a lamp at `eye` sends about `forward`; `half`: tangent of the half angle that must fit.
    Cone {
        eye: Vec3,
        forward: Vec3,
        half: f32,
    },
    /// A side of a lamp on which nothing seen can be in shadow.
    Unseen,
}

/// Texels around what a map must hold, at least, so that no filter looks over its edge.
const MARGIN_TEXELS: f32 = 6.0;

/// Nearer than this nothing casts a shadow: the distance below which light does not grow either.
const NEAR_M: f32 = 0.01;

impl Wanted {
    /// What a lamp at `eye` needs that shines into `cone` (an axis, the tangent of its half angle) or everywhere: one
    /// map of the part in which shadows can be seen, or six.
    pub fn lamp(eye: Vec3, cone: Option<(Vec3, f32)>, seen: &Seen) -> Vec<Wanted> {
        let narrow = |&(_, half): &(Vec3, f32)| half <= HALF_MAX;
        match Cone::fitted(eye, seen) {
            Cone::Empty => Vec::new(),
            Cone::Around { forward, half } => {
                let (forward, half) = cone.filter(|cone| cone.1 < half).unwrap_or((forward, half));
                vec![Wanted::Cone { eye, forward, half }]
            }
            Cone::Wide => match cone.filter(narrow) {
                Some((forward, half)) => vec![Wanted::Cone { eye, forward, half }],
                None => Wanted::sides(eye, seen),
            },
        }
    }

    /// The six sides of a lamp, in the order +X -X +Y -Y +Z -Z.
    pub fn sides(eye: Vec3, seen: &Seen) -> Vec<Wanted> {
        let boxed = |points: &Vec<Vec3>| points.iter().copied().fold(Aabb::EMPTY, Aabb::with);
        let receivers: Vec<Aabb> = seen.receivers.iter().map(boxed).collect();
        let axes = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
        let side = |forward: Vec3| {
            let receives = receivers.iter().any(|b| !b.is_empty() && is_beside(eye, forward, b));
            let casts = seen.casters.iter().any(|caster| is_beside(eye, forward, &caster.bounds));
            if receives && casts { Wanted::Cone { eye, forward, half: 1.0 } } else { Wanted::Unseen }
        };
        axes.map(side).to_vec()
    }

    /// The way that it looks; `direction`: the way that parallel light shines.
    pub fn forward(&self, direction: Vec3) -> Vec3 {
        match *self {
            Wanted::Cone { forward, .. } => forward,
            Wanted::Parallel(_) | Wanted::Warped(_) | Wanted::Unseen => direction,
        }
    }

    /// Texels along a side that the picture can show.
    pub fn size_px(&self, seen: &Seen) -> f32 {
        match *self {
            Wanted::Unseen => 0.0,
            Wanted::Parallel(fit) => fit.wanted_px(seen),
            Wanted::Warped(warp) => warp.wanted_px(seen),
            Wanted::Cone { eye, forward, half } => {
                let points = seen.receivers.iter().flatten().map(|&p| (forward.dot(p - eye), seen.texel_m([p])));
                let finest = points.filter(|(along, _)| *along > 0.0).map(|(along, texel_m)| along / texel_m);
                2.0 * half * finest.fold(0.0, f32::max)
            }
        }
    }

    /// The map, `size_px` wide.
    pub fn view(&self, size_px: u32, place: MapPlace, shadow: Shadow, seen: &Seen) -> MapView {
        // Narrow maps have room for narrow filters alone.
        let room = 0.25 * size_px as f32;
        let edge_texels = (reach_texels(&shadow) + 0.5).min(room - 1.0);
        let margin = (edge_texels + 4.0).max(MARGIN_TEXELS).min(room);
        let MapPlace { layer, corner_px } = place;
        let unseen = MapView::unseen(shadow);
        let own = MapView { layer, corner_px, size_px, edge_texels, ..unseen };
        match *self {
            Wanted::Unseen => own,
            Wanted::Parallel(fit) => {
                let (clip_from_world, texel, deep_m) = fit.map(size_px, margin);
                let span_m = [0.0, deep_m];
                MapView { clip_from_world, texel_m: [texel, 0.0], span_m, depths_m: fit.depths_m, ..own }
            }
            Wanted::Warped(warp) => {
                let (clip_from_world, texel_m, deep_m) = warp.map(size_px, margin);
                MapView { clip_from_world, texel_m, span_m: [0.0, deep_m], ..own }
            }
            Wanted::Cone { eye, forward, half } => {
                let half = half * size_px as f32 / (size_px as f32 - 2.0 * margin);
                let [nearest, farthest] = seen.span_m(|p| forward.dot(p - eye));
                let nearest = nearest.max(NEAR_M);
                MapView {
                    clip_from_world: perspective(eye, forward, half),
                    texel_m: [0.0, 2.0 * half / size_px as f32],
                    span_m: [nearest, farthest.max(nearest + NEAR_M)],
                    eye: Some(eye),
                    ..own
                }
            }
        }
    }
}

/// How far from a point a light's filter reads.
fn reach_texels(shadow: &Shadow) -> f32 {
    let row = shadow.technique.row();
    match row.reads {
        // As wide as it is written, if it can be.
        ShadowReads::Depth => shadow.value("radius_texels").map_or(row.reach_texels, |radius| radius + 0.5),
        // Blurred before, then read between texels.
        ShadowReads::Moments { .. } => shadow.value("blur_texels").unwrap_or(0.0) + row.reach_texels,
    }
}

/// Whether a part of a box can be in the pyramid of a side.
fn is_beside(eye: Vec3, forward: Vec3, bounds: &Aabb) -> bool {
    let corners = bounds.corners().map(|p| p - eye);
    let across = [Vec3::new(forward.y, forward.z, forward.x), Vec3::new(forward.z, forward.x, forward.y)];
    let planes = across.into_iter().flat_map(|axis| [forward - axis, forward + axis]);
    planes.into_iter().all(|plane| corners.iter().any(|p| plane.dot(*p) >= 0.0))
}

/// Reversed Z without an end: depth is `NEAR_M / w`. `half`: tangent of the half angle.
fn perspective(eye: Vec3, forward: Vec3, half: f32) -> Mat4 {
    let clip_from_view = Mat4::from_cols_array_2d(&[
        [1.0 / half, 0.0, 0.0, 0.0],
        [0.0, 1.0 / half, 0.0, 0.0],
        [0.0, 0.0, 0.0, -1.0],
        [0.0, 0.0, NEAR_M, 0.0],
    ]);
    product(clip_from_view, view_from_world(eye, look_rotation(forward, Vec3::Y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_beside_the_sides_that_it_is_seen_from() {
        let cube = |center: Vec3| Aabb { min: center - 0.4, max: center + 0.4 };
        let axes = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
        let beside = |center: Vec3| axes.map(|axis| is_beside(Vec3::ZERO, axis, &cube(center)));
        assert_eq!(beside(Vec3::new(0.0, -3.0, 0.5)), [false, false, false, true, false, false]);
        assert_eq!(beside(Vec3::new(2.0, 2.0, 0.0)), [true, false, true, false, false, false]);
        assert_eq!(beside(Vec3::ZERO), [true; 6]);
    }
}
