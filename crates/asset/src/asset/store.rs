//! The store: what a world is made of, each thing once.
//!
//! Geometry and images are shared with whoever keeps them from one moment to the next; ids are those of one store, and
//! mean nothing in another.

use std::collections::BTreeMap;
use std::sync::Arc;

use stillframe_base::id::Arena;

use super::{Bend, Geometry, GeometryId, Image, ImageId, Material, MaterialId};

/// Everything that a world shows, in the order in which it first shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Store {
    pub geometries: Arena<Arc<Geometry>>,
    pub images: Arena<Arc<Image>>,
    pub materials: Arena<Material>,
    /// Of geometries that are bent.
    bends: BTreeMap<GeometryId, Arc<Bend>>,
}

impl Store {
    pub fn add_geometry(&mut self, geometry: impl Into<Arc<Geometry>>) -> GeometryId {
        self.geometries.push(geometry.into())
    }

    /// Adds a geometry that is bent, by the processor or by a vertex shader.
    pub fn add_bending(&mut self, geometry: impl Into<Arc<Geometry>>, bend: impl Into<Arc<Bend>>) -> GeometryId {
        let id = self.add_geometry(geometry);
        self.bends.insert(id, bend.into());
        id
    }

    pub fn add_image(&mut self, image: impl Into<Arc<Image>>) -> ImageId {
        self.images.push(image.into())
    }

    pub fn add_material(&mut self, material: Material) -> MaterialId {
        self.materials.push(material)
    }

    pub fn geometry(&self, id: GeometryId) -> &Geometry {
        &self.geometries[id]
    }

    /// What bends a geometry that was added as one that is bent.
    pub fn bend(&self, id: GeometryId) -> Option<&Bend> {
        self.bends.get(&id).map(|bend| &**bend)
    }

    pub fn image(&self, id: ImageId) -> &Image {
        &self.images[id]
    }

    pub fn material(&self, id: MaterialId) -> &Material {
        &self.materials[id]
    }
}

/// Whether two shared things are equal. Mostly they are one.
pub fn is_same<T: PartialEq>(a: &Arc<T>, b: &Arc<T>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}
