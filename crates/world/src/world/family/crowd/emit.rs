//! Emit: figures of crowds become items.

use std::sync::Arc;

use glam::{Affine3A, Mat4};
use stillframe_base::geom::Aabb;

use super::bake::{self, BakedModel, NodePart};
use super::script;
use crate::asset::{CrowdPart, Form, GeometryId, MaterialId, displacement_max_m};
use crate::bake::TangentWish;
use crate::scene::{Crowd, Owner};
use crate::source::Diagnostic;
use crate::world::place::{BendKey, Emitter, Part, Surface, SurfaceCache, SurfaceKey, SurfaceSource};
use crate::world::tree::{local_transform, shown_nodes};
use crate::world::{Item, Origin, code};

/// A level of detail, as figures show it.
struct Level<'a> {
    /// Of the scene.
    model: usize,
    baked: &'a BakedModel,
    distances_m: [f32; 2],
    /// Place in `World::crowds`.
    place: u32,
    parts: Vec<LevelPart>,
}

struct LevelPart {
    of: NodePart,
    geometry: GeometryId,
    material: MaterialId,
}

/// Figures of a crowd: each level of detail at its distances.
pub fn emit(emitter: &mut Emitter<'_>, crowd: &Crowd, baked: &[BakedModel]) {
    let at = emitter.at;
    let first_id = emitter.world.object_names.len() as u32 + 1;
    for number in 0..crowd.count {
        emitter.name_object(format!("{}/{number}", crowd.name));
    }
    let stands = stands(emitter, crowd, &baked[0]);
    let starts = std::iter::once((0.0, Some(crowd.model))).chain(crowd.lods.iter().map(|lod| (lod.from_m, lod.model)));
    let starts: Vec<(f64, Option<usize>)> = starts.collect();
    let mut baked = baked.iter();
    for (number, (from_m, model)) in starts.iter().enumerate() {
        let Some(model) = *model else { continue };
        let to_m = starts.get(number + 1).map_or(f32::INFINITY, |(next_m, _)| *next_m as f32);
        let baked = baked.next().expect("baked as listed");
        let place = emitter.world.crowds.len() as u32;
        emitter.world.crowds.push(Arc::new(script::figures(crowd, baked, at.time)));
        let parts = parts(emitter, crowd, model, baked);
        let level = Level { model, baked, distances_m: [*from_m as f32, to_m], place, parts };
        emit_level(emitter, crowd, &level, &stands, first_id);
    }
}

/// The transform of every figure. All levels of detail go where the first one does.
fn stands(emitter: &mut Emitter<'_>, crowd: &Crowd, first: &BakedModel) -> Vec<Mat4> {
    let at = emitter.at;
    let travels = script::travels(crowd, first, at.time).unwrap_or_else(|words| {
        let message = format!("crowd {:?}: {words}", crowd.name);
        let owner = Owner { kind: "crowd", name: &crowd.name };
        let error = Diagnostic::error(code::CROWD, &at.scene.root, message);
        emitter.problems.errors.push(at.scene.written.at(owner, &["name"], "", error));
        Vec::new()
    });
    let placed = local_transform(&crowd.placement);
    let first_model = at.node_from_model(crowd.model);
    let stand = |number: u32| {
        let stands = placed * script::place(crowd, number);
        travels.get(number as usize).map_or(stands, |travel| {
            let travel = Mat4::from(Affine3A::from(travel.to_affine()));
            stands * first_model * travel * first_model.inverse()
        })
    };
    (0..crowd.count).map(stand).collect()
}

/// Parts of a model that figures show.
fn parts(emitter: &mut Emitter<'_>, crowd: &Crowd, model_number: usize, baked: &BakedModel) -> Vec<LevelPart> {
    let at = emitter.at;
    let model = at.model(model_number);
    let shown = shown_nodes(model, &at.scene.models[model_number]);
    let seen = &emitter.standing.poses[emitter.standing.poses.of_model(model_number)].seen;
    let mut out = Vec::new();
    for (node, of) in model.nodes.iter().enumerate().filter(|(node, _)| shown[*node] && seen[*node]) {
        for part in 0..of.parts.len() {
            let whole = Part { model: model_number, node, part };
            let material = emitter.material(whole, crowd.material);
            let geometry = geometry(emitter, whole, baked, material);
            out.push(LevelPart { of: NodePart { node, part }, geometry, material });
        }
    }
    out
}

fn emit_level(emitter: &mut Emitter<'_>, crowd: &Crowd, level: &Level<'_>, stands: &[Mat4], first_id: u32) {
    let node_from_model = emitter.at.node_from_model(level.model);
    let Level { baked, place, .. } = *level;
    let moved = level.parts.iter().map(|part| displacement_max_m(emitter.surfaces.store.material(part.material)));
    let moved = moved.fold(0.0, f32::max);
    let own = Aabb::new(baked.bounds.min - moved, baked.bounds.max + moved);
    for (figure, stands) in (0..).zip(stands) {
        let world_from_local = *stands * node_from_model;
        let bounds = own.transformed(&world_from_local);
        emitter.world.bounds = emitter.world.bounds.union(bounds);
        for LevelPart { of, geometry, material } in &level.parts {
            let first_joint = baked.firsts[of];
            let first_share = baked.shapes.get(&of.node).map_or(0, |shapes| shapes.first_share);
            emitter.world.items.push(Item {
                geometry: *geometry,
                bent: None,
                crowd: Some(CrowdPart { crowd: place, figure, first_joint, first_share }),
                distances_m: level.distances_m,
                material: *material,
                world_from_local,
                object_id: first_id + figure,
                origin: Origin::Figure { level: place, figure, model_node: of.node, part: of.part },
                bounds,
                casts_shadow: crowd.casts_shadow,
            });
        }
    }
}

/// A part of a model as figures of crowds wear it, at rest.
fn geometry(emitter: &mut Emitter<'_>, part: Part, baked: &BakedModel, material: MaterialId) -> GeometryId {
    let stored = emitter.at.stored(part);
    let kept = baked.shapes.get(&part.node).map_or(&[][..], |shapes| &shapes.kept);
    let tangents = TangentWish::of(emitter.surfaces.store.material(material));
    let bend = BendKey::Figure { node: part.node, vertices: baked.form == Form::Places, kept: kept.to_vec() };
    let source = SurfaceSource::Model { file: stored.file, geometry: stored.geometry };
    let key = SurfaceKey { source, tangents, bend: Some(bend) };
    let read = emitter.surfaces.read;
    let mut make = |cache: &SurfaceCache| {
        let surface = cache.stored(&stored, read)?;
        let bend = match baked.form {
            Form::Places => bake::own_places(surface.positions.len()),
            _ => bake::bend_of(stored.model, part.node, stored.geometry, kept),
        };
        Ok(Surface::figure(surface, &bend, tangents))
    };
    emitter.surfaces.shared(key, stored.path, emitter.problems, &mut make).id
}
