//! Looking: a world becomes a shot.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Mat3, Mat4, Vec3};

use stillframe_base::geom::Frustum;

use super::{DrawItem, Shot, ShotCamera, ShotFunction, ShotLight, eyes};
use crate::asset::{AlphaMode, Bent, GeometryId, Store, is_same, transmits};
use crate::scene::{Scene, Turn};
use crate::world::{Item, Origin, World, WorldFunction};

/// What the scene's camera sees of a world, culled and sorted as [`Shot`] says. `before` is the world one frame before,
/// or the same one; what is not in it did not move.
///
/// Shapes: both are of one scene. `scene` is settled (no `Auto` left), and `world` was built from it. Blended items and
/// those that let light through cast no shadows: a pane of glass would darken like a wall.
pub fn look_since(scene: &Scene, world: &World, before: &World) -> Shot {
    looks_since(scene, world, before).swap_remove(0)
}

/// The same of each eye of the scene's picture.
pub fn looks_since(scene: &Scene, world: &World, before: &World) -> Vec<Shot> {
    let turn = scene.turn.unwrap_or_default();
    let [now, then] = [(world, turn.now), (before, turn.before)].map(|(world, turns)| eyes(scene, world, turns));
    now.into_iter().zip(then).map(|(now, then)| look_by(scene, (world, before), [now, then])).collect()
}

/// What a camera sees that stands anywhere, where nothing moves.
pub fn look_from(scene: &Scene, world: &World, camera: &ShotCamera) -> Shot {
    look_by(scene, (world, world), [camera, camera].map(ShotCamera::clone))
}

/// What cameras see, now and one frame before.
fn look_by(scene: &Scene, (world, before): (&World, &World), [camera, camera_before]: [ShotCamera; 2]) -> Shot {
    let places: BTreeMap<Origin, &Item> = before.items.iter().map(|item| (item.origin, item)).collect();
    let store = &world.store;
    // Ids are those of one world.
    let same_geometry =
        |was: &Item, item: &Item| is_same(&before.store.geometries[was.geometry], &store.geometries[item.geometry]);
    let (first_before, first_crowd_before) = (world.bents.len() as u32, world.crowds.len() as u32);
    let remade = Remade::of(world, before, &places);
    let turn = scene.turn.unwrap_or_default();
    // The studio is round the camera.
    let [sin, cos] = if scene.is_studio { Turn::sin_cos(turn.now).map(|x| x as f32) } else { [0.0, 1.0] };
    let turned = |v: Vec3| {
        if sin == 0.0 && cos == 1.0 { v } else { Vec3::new(v.x * cos + v.z * sin, v.y, v.z * cos - v.x * sin) }
    };
    let frustum = Frustum::new(&(camera.clip_from_view * camera.view_from_world));
    let depth_m = |item: &DrawItem| -camera.view_from_world.transform_point3(item.bounds_world.center()).z;
    let [mut opaque, mut blended, mut casters, mut veils] = [const { Vec::new() }; 4];
    for item in &world.items {
        if !in_range(item, &camera) {
            continue;
        }
        let was = places.get(&item.origin).copied();
        let mut draw = draw_item(item, was.map_or(item.world_from_local, |was| was.world_from_local));
        draw.bent = item.bent.map(|now| {
            let same = was.filter(|was| same_geometry(was, item));
            [now, same.and_then(|was| was.bent).map_or(now, |bent| first_before + bent)]
        });
        draw.bent =
            draw.bent.or_else(|| was.and_then(|was| remade.places.get(&[item.geometry, was.geometry]).copied()));
        draw.crowd = item.crowd.map(|part| {
            let same = was.filter(|was| same_geometry(was, item));
            let before = same.and_then(|was| was.crowd).map_or(part.crowd, |was| first_crowd_before + was.crowd);
            ([part.crowd, before], part)
        });
        let blend = store.material(item.material).alpha_mode == AlphaMode::Blend;
        if item.casts_shadow {
            let is_veil = blend || transmits(store.material(item.material));
            if is_veil { veils.push(draw) } else { casters.push(draw) }
        }
        if frustum.sees_aabb(&item.bounds) {
            if blend { blended.push(draw) } else { opaque.push(draw) }
        }
    }
    opaque.sort_by(|a, b| {
        (a.material, a.geometry, a.bent)
            .cmp(&(b.material, b.geometry, b.bent))
            .then_with(|| depth_m(a).total_cmp(&depth_m(b)))
            .then_with(|| a.object_id.cmp(&b.object_id))
    });
    blended.sort_by(|a, b| depth_m(b).total_cmp(&depth_m(a)).then_with(|| a.object_id.cmp(&b.object_id)));
    let mut functions: Vec<DrawItem> = Vec::new();
    let lights = world.lights.iter().map(|light| {
        let back = light.world_from_local.z_axis.truncate();
        let direction = if back.length_squared() > 0.0 { -back.normalize() } else { Vec3::NEG_Z };
        let function = light.function.map(|function| {
            let known = functions.iter().position(|item| item.material == function.material);
            let number = known.unwrap_or_else(|| {
                functions.push(function_item(&function, store));
                functions.len() - 1
            });
            ShotFunction { number: number as u32, size_m: function.size_m }
        });
        ShotLight {
            name: light.name.clone(),
            kind: light.kind.clone(),
            color: light.color,
            position: light.world_from_local.w_axis.truncate(),
            direction: turned(direction),
            across: turned(across(light.world_from_local.x_axis.truncate(), direction)),
            shadow: light.shadow.filter(|_| scene.shadows),
            file: light.file.clone(),
            function,
        }
    });
    let lights = lights.collect();
    Shot {
        camera_before,
        camera,
        opaque,
        blended,
        casters,
        veils,
        lights,
        functions,
        crowds: world.crowds.iter().chain(&before.crowds).cloned().collect(),
        bents: world.bents.iter().chain(&before.bents).chain(&remade.bents).cloned().collect(),
        bounds_world: world.bounds,
        object_names: world.object_names.clone(),
    }
}

/// The square that a light's function is drawn on.
fn function_item(function: &WorldFunction, store: &Store) -> DrawItem {
    DrawItem {
        geometry: function.geometry,
        bent: None,
        crowd: None,
        material: function.material,
        world_from_local: Mat4::IDENTITY,
        world_from_local_before: Mat4::IDENTITY,
        normal_from_local: Mat4::IDENTITY,
        object_id: 0,
        mirrored: false,
        bounds_world: store.geometries[function.geometry].bounds,
    }
}

/// The X axis of a light as far as it is at right angles to the way it shines; some such direction where it is not.
fn across(x_axis: Vec3, direction: Vec3) -> Vec3 {
    (x_axis - direction * direction.dot(x_axis)).try_normalize().unwrap_or_else(|| direction.any_orthonormal_vector())
}

/// Geometries that are made for one moment: shapes whose sizes move, bent surfaces with flat normals.
#[derive(Default)]
struct Remade {
    /// By the geometry now and one frame before: their places in the shot's bents.
    places: BTreeMap<[GeometryId; 2], [u32; 2]>,
    bents: Vec<Arc<Bent>>,
}

impl Remade {
    /// Those whose vertices correspond, as far as their triangles tell.
    fn of(world: &World, before: &World, places: &BTreeMap<Origin, &Item>) -> Remade {
        let mut out = Remade::default();
        for item in world.items.iter().filter(|item| item.bent.is_none() && item.crowd.is_none()) {
            let Some(was) = places.get(&item.origin) else { continue };
            let pair = [item.geometry, was.geometry];
            if out.places.contains_key(&pair) {
                continue;
            }
            let [now, then] =
                [(&world.store, item.geometry), (&before.store, was.geometry)].map(|(store, id)| &store.geometries[id]);
            let alike = || now.indices == then.indices && now.positions.len() == then.positions.len();
            if is_same(now, then) || !alike() {
                continue;
            }
            let first = (world.bents.len() + before.bents.len() + out.bents.len()) as u32;
            out.places.insert(pair, [first, first + 1]);
            // Now it is as it is stored.
            let was_bent = Bent { positions: then.positions.clone(), ..Bent::default() };
            out.bents.extend([Bent::default(), was_bent].map(Arc::new));
        }
        out
    }
}

/// Whether an item is drawn from where the camera stands.
fn in_range(item: &Item, camera: &ShotCamera) -> bool {
    if item.distances_m == [0.0, f32::INFINITY] {
        return true;
    }
    let distance_m = (item.world_from_local.w_axis.truncate() - camera.position).length();
    let [from_m, to_m] = item.distances_m;
    distance_m >= from_m && distance_m < to_m
}

/// [`look_since`] where nothing moves.
pub fn look(scene: &Scene, world: &World) -> Shot {
    look_since(scene, world, world)
}

fn draw_item(item: &Item, world_from_local_before: Mat4) -> DrawItem {
    let linear = Mat3::from_mat4(item.world_from_local);
    let cofactors = Mat3::from_cols(
        linear.y_axis.cross(linear.z_axis),
        linear.z_axis.cross(linear.x_axis),
        linear.x_axis.cross(linear.y_axis),
    );
    let determinant = linear.x_axis.dot(cofactors.x_axis);
    // A transform that flattens has no inverse; its cofactors still say which way surfaces face.
    let normal =
        if determinant != 0.0 && (1.0 / determinant).is_finite() { cofactors * (1.0 / determinant) } else { cofactors };
    let mut normal_from_local = Mat4::from_mat3(normal);
    normal_from_local.w_axis = glam::Vec4::ZERO;
    DrawItem {
        geometry: item.geometry,
        bent: None,
        crowd: None,
        material: item.material,
        world_from_local: item.world_from_local,
        world_from_local_before,
        normal_from_local,
        object_id: item.object_id,
        mirrored: determinant < 0.0,
        bounds_world: item.bounds,
    }
}
