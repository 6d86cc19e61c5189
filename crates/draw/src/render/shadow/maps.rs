//! Maps: which lights get depth maps, how many and how large.

use glam::{Mat4, Vec3};
use stillframe_base::geom::Aabb;
use stillframe_base::math::camera::{look_rotation, view_from_world};
use stillframe_base::math::ops;

use super::super::matrix::product;
use super::clip::{ViewVolume, corners};
use super::fit::fit_directional;
use crate::scene::LightKind;
use crate::view::{Shot, ShotLight};

/// One depth map: where it looks from and what its texels mean.
#[derive(Clone, Debug, PartialEq)]
pub struct MapView {
    pub clip_from_world: Mat4,
    /// A texel is `x + y * clip w` metres wide.
    pub texel_m: [f32; 2],
    pub layer: u32,
    /// A directional light's, in the first array; else in the second.
    pub sun: bool,
}

/// All maps of a shot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Maps {
    /// In light order; a point light has six in a row: +X -X +Y -Y +Z -Z.
    pub views: Vec<MapView>,
    /// For each light of the shot, its first map.
    pub first_of_light: Vec<Option<usize>>,
    pub sun_layers: u32,
    pub sun_size: u32,
    pub local_layers: u32,
    pub local_size: u32,
    /// Lights that cast no shadow because there are too many that do.
    pub left_out: u32,
}

/// Texels around a side of a point light's map, so that no filter looks over its edge.
const MARGIN_TEXELS: f32 = 6.0;

/// Nearer than this nothing casts a shadow: the distance below which light does not grow either.
const NEAR_M: f32 = 0.01;

/// Spot lights wider than this cast shadows inside this angle only.
const SPOT_HALF_MAX_RAD: f32 = 1.48;

/// The width of all maps of one kind: 2048 or 1024 for a few, less for many, so that they stay below 64 MiB or so.
fn size_of(layers: u32, best: u32) -> u32 {
    let mut size = best;
    while size > 256 && u64::from(layers) * u64::from(size) * u64::from(size) > 1 << 24 {
        size /= 2;
    }
    size
}

/// The maps of a shot's lights, in arrays of at most `layers_max` layers.
pub fn maps(shot: &Shot, layers_max: u32) -> Maps {
    let mut maps = Maps { first_of_light: vec![None; shot.lights.len()], ..Maps::default() };
    if shot.casters.is_empty() {
        return maps;
    }
    let mut wanted = Vec::new();
    for (index, light) in shot.lights.iter().enumerate() {
        if !light.shadow || light.color == [0.0; 3] {
            continue;
        }
        let layers = layer_count(light);
        let sum = if is_sun(light) { &mut maps.sun_layers } else { &mut maps.local_layers };
        if *sum + layers > layers_max {
            maps.left_out += 1;
            continue;
        }
        *sum += layers;
        wanted.push(index);
    }
    maps.sun_size = size_of(maps.sun_layers, 2048);
    maps.local_size = size_of(maps.local_layers, 1024);
    maps.sun_layers = 0;
    maps.local_layers = 0;
    let seen = Seen::new(shot);
    for index in wanted {
        let light = &shot.lights[index];
        let views = match light.kind {
            LightKind::Directional { .. } => sun_view(light, &seen, maps.sun_size, maps.sun_layers),
            LightKind::Spot { outer_rad, .. } => spot_view(light, outer_rad, maps.local_size, maps.local_layers),
            LightKind::Point { .. } => point_views(light, maps.local_size, maps.local_layers),
        };
        if views.is_empty() {
            continue;
        }
        if is_sun(light) {
            maps.sun_layers += views.len() as u32;
        } else {
            maps.local_layers += views.len() as u32;
        }
        maps.first_of_light[index] = Some(maps.views.len());
        maps.views.extend(views);
    }
    maps
}

fn is_sun(light: &ShotLight) -> bool {
    matches!(light.kind, LightKind::Directional { .. })
}

fn layer_count(light: &ShotLight) -> u32 {
    if matches!(light.kind, LightKind::Point { .. }) { 6 } else { 1 }
}

/// What a camera sees, for fitting.
struct Seen {
    volume: ViewVolume,
    receivers: Vec<Aabb>,
    casters: Vec<Aabb>,
}

impl Seen {
    fn new(shot: &Shot) -> Seen {
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

fn sun_view(light: &ShotLight, seen: &Seen, size: u32, layer: u32) -> Vec<MapView> {
    let fitted = fit_directional(light.direction, &seen.volume, &seen.receivers, &seen.casters, size);
    let view = |(clip_from_world, texel)| MapView { clip_from_world, texel_m: [texel, 0.0], layer, sun: true };
    fitted.map(view).into_iter().collect()
}

fn spot_view(light: &ShotLight, outer_rad: f32, size: u32, layer: u32) -> Vec<MapView> {
    let half = ops::tan(outer_rad.clamp(0.01, SPOT_HALF_MAX_RAD));
    vec![perspective_view(light.position, light.direction, half, size, layer)]
}

fn point_views(light: &ShotLight, size: u32, first_layer: u32) -> Vec<MapView> {
    let axes = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let view = |(i, axis)| perspective_view(light.position, axis, 1.0, size, first_layer + i);
    (0..).zip(axes).map(view).collect()
}

/// Reversed Z without an end: depth is `NEAR_M / w`. `half`: tangent of the half angle that must fit.
fn perspective_view(eye: Vec3, forward: Vec3, half: f32, size: u32, layer: u32) -> MapView {
    let half = half * size as f32 / (size as f32 - 2.0 * MARGIN_TEXELS);
    let clip_from_view = Mat4::from_cols_array_2d(&[
        [1.0 / half, 0.0, 0.0, 0.0],
        [0.0, 1.0 / half, 0.0, 0.0],
        [0.0, 0.0, 0.0, -1.0],
        [0.0, 0.0, NEAR_M, 0.0],
    ]);
    let view = view_from_world(eye, look_rotation(forward, Vec3::Y));
    MapView {
        clip_from_world: product(clip_from_view, view),
        texel_m: [0.0, 2.0 * half / size as f32],
        layer,
        sun: false,
    }
}
