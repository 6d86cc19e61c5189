//! Parts: the triangles of a model's node that have one material, as a pose bends them.
//!
//! In: a part and a pose. Out: the store's geometry, and where it is bent the world's. Never here: figures of crowds.

use std::sync::Arc;

use super::emit::BentKey;
use super::{BendKey, Drawn, Emitter, Part, PoseId, Surface, SurfaceCache, SurfaceKey, SurfaceSource};
use crate::asset::{Geometry, GeometryId, MaterialId};
use crate::bake::{self, TangentWish};
use crate::import;
use crate::pose::{self, Method};
use crate::scene::SkinBlend;
use crate::source::Diagnostic;

/// How a pose bends a part.
#[derive(Clone)]
struct Bending {
    part: Part,
    pose: PoseId,
    method: Option<Method>,
    key: BendKey,
    tangents: TangentWish,
}

impl Emitter<'_> {
    /// One part in a pose: the store's geometry, and where it is bent the world's.
    pub fn part(&mut self, part: Part, pose: PoseId, material: MaterialId) -> Drawn {
        let model = self.at.model(part.model);
        let number = part.of(model).geometry;
        let skinned = model.nodes[part.node].skin.is_some();
        let stored = &model.geometries[number];
        let tangents = TangentWish::of(self.surfaces.store.material(material));
        if !skinned && stored.targets.is_empty() {
            return Drawn::rigid(self.rigid(part, tangents));
        }
        let method = match self.at.scene.models[part.model].skinning {
            SkinBlend::File => None,
            SkinBlend::Linear => Some(Method::Linear),
            SkinBlend::DualQuaternion => Some(Method::DualQuaternion),
            SkinBlend::CentresOfRotation => Some(Method::CentresOfRotation),
        };
        let key = BendKey::Pose { skinned, tail: pose::tail_of(model, part.node, method) };
        let bending = Bending { part, pose, method, key, tangents };
        match stored.surface.normals.is_empty() {
            true => Drawn::rigid(self.flat(&bending)),
            false => self.bent(bending),
        }
    }

    /// A model's geometry as it is stored, baked for a material: with tangents for its normal map, if it has one.
    fn rigid(&mut self, part: Part, tangents: TangentWish) -> GeometryId {
        let stored = self.at.stored(part);
        let (file, geometry) = (stored.file, stored.geometry);
        let key = SurfaceKey { source: SurfaceSource::Model { file, geometry }, tangents, bend: None };
        let read = self.surfaces.read;
        let mut make = |cache: &SurfaceCache| Ok(Surface::from(bake::complete(cache.stored(&stored, read)?, tangents)));
        self.surfaces.shared(key, stored.path, self.problems, &mut make).id
    }

    /// Geometry with normals: at rest in the store, bent in the world.
    fn bent(&mut self, bending: Bending) -> Drawn {
        let Bending { part, pose, method, key, tangents } = bending;
        let (model, stored) = (self.at.model(part.model), self.at.stored(part));
        let (file, geometry) = (stored.file, stored.geometry);
        let key = SurfaceKey { source: SurfaceSource::Model { file, geometry }, tangents, bend: Some(key) };
        let mut make = |_: &SurfaceCache| {
            let bend = pose::bend_of(model, part.node, geometry, method).expect("it is skinned or has targets");
            Ok(Surface::bending(model.geometries[geometry].surface.clone(), &bend, tangents))
        };
        let made = self.surfaces.shared(key, stored.path, self.problems, &mut make);
        let key = BentKey { pose, node: part.node, geometry: made.id };
        if let Some(bent) = self.bents.get(&key) {
            return Drawn { geometry: made.id, bent: Some(*bent) };
        }
        let posture = pose::posture(model, part.node, geometry, &self.standing.poses[pose], method);
        let bent = made.surface.blocks.bent(self.surfaces.isa, &made.surface.geometry, posture);
        if !self.is_finite(&bent.positions, part) {
            return Drawn::rigid(made.id);
        }
        let place = self.world.bents.len() as u32;
        self.world.bents.push(Arc::new(bent));
        self.bents.insert(key, place);
        Drawn { geometry: made.id, bent: Some(place) }
    }

    /// Geometry without normals: what is bent gets flat ones, for this moment alone.
    fn flat(&mut self, bending: &Bending) -> GeometryId {
        let Bending { part, pose, method, ref key, tangents } = *bending;
        let (model, stored) = (self.at.model(part.model), self.at.stored(part));
        let (file, geometry) = (stored.file, stored.geometry);
        let source = SurfaceSource::Model { file, geometry };
        let rest = SurfaceKey { source, tangents: TangentWish::Any, bend: Some(key.clone()) };
        let mut make = |_: &SurfaceCache| {
            let bend = pose::bend_of(model, part.node, geometry, method).expect("it is skinned or has targets");
            Ok(Surface::raw_bending(&model.geometries[geometry].surface, &bend))
        };
        let rest = self.surfaces.unseen(&rest, &mut make).expect("nothing is read");
        let posture = pose::posture(model, part.node, geometry, &self.standing.poses[pose], method);
        let bent = rest.blocks.bent(self.surfaces.isa, &rest.geometry, posture);
        let bent = match self.is_finite(&bent.positions, part) {
            true => pose::geometry_of(&rest.geometry, bent),
            false => Geometry::default(),
        };
        let source = SurfaceSource::Bent { pose, node: part.node, part: part.part };
        let key = SurfaceKey { source, tangents, bend: None };
        let make = || Surface::from(bake::complete(bent, tangents));
        self.surfaces.own(key, stored.path, self.problems, make).id
    }

    /// Whether all is in some finite place; complains where it is not.
    fn is_finite(&mut self, positions: &[[f32; 3]], part: Part) -> bool {
        let Some(index) = positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) else { return true };
        let name = &self.at.model(part.model).nodes[part.node].name;
        let message =
            format!("{name:?}: its joints or morph targets move vertex {index} to a place that is not finite");
        let file = &self.at.scene.models[part.model].file;
        self.problems.errors.push(Diagnostic::error(import::code::NOT_FINITE, file, message));
        false
    }
}
