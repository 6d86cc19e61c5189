//! The store: what a scene needs, each thing once.

use std::collections::BTreeMap;

use stillframe_base::lanes::Isa;

use super::{Bend, BendBlocks, Bent, Geometry, GeometryId, Image, ImageId, Material, MaterialId, Posture};

/// Arenas of everything loaded. Ids are indices; nothing is ever removed.
#[derive(Clone, Debug, Default)]
pub struct Store {
    pub geometries: Vec<Geometry>,
    pub images: Vec<Image>,
    pub materials: Vec<Material>,
    /// What bends surfaces, to the same bits by any; none: the best that the machine has.
    pub isa: Option<Isa>,
    /// Of geometries that are bent.
    bends: BTreeMap<GeometryId, Bend>,
    /// The same for the processor; of those that only devices bend none.
    blocks: BTreeMap<GeometryId, BendBlocks>,
    /// How often a geometry has been replaced; those that never were are not in it.
    revisions: BTreeMap<GeometryId, u32>,
}

impl Store {
    pub fn add_geometry(&mut self, geometry: Geometry) -> GeometryId {
        self.geometries.push(geometry);
        GeometryId(self.geometries.len() as u32 - 1)
    }

    /// Adds a geometry that will be bent.
    pub fn add_bending(&mut self, geometry: Geometry, bend: Bend) -> GeometryId {
        let blocks = BendBlocks::new(&geometry, &bend);
        let id = self.add_figure(geometry, bend);
        self.blocks.insert(id, blocks);
        id
    }

    /// Adds a geometry of figures of crowds, which only vertex shaders bend.
    pub fn add_figure(&mut self, geometry: Geometry, bend: Bend) -> GeometryId {
        let id = self.add_geometry(geometry);
        self.bends.insert(id, bend);
        id
    }

    pub fn add_image(&mut self, image: Image) -> ImageId {
        self.images.push(image);
        ImageId(self.images.len() as u32 - 1)
    }

    pub fn add_material(&mut self, material: Material) -> MaterialId {
        self.materials.push(material);
        MaterialId(self.materials.len() as u32 - 1)
    }

    /// Puts `geometry` in the place of another one. Nothing changes where they are equal.
    pub fn replace_geometry(&mut self, id: GeometryId, geometry: Geometry) {
        let place = &mut self.geometries[id.0 as usize];
        if *place == geometry {
            return;
        }
        *place = geometry;
        *self.revisions.entry(id).or_default() += 1;
    }

    /// A number that changes whenever the geometry does.
    pub fn revision(&self, id: GeometryId) -> u32 {
        self.revisions.get(&id).copied().unwrap_or(0)
    }

    pub fn geometry(&self, id: GeometryId) -> &Geometry {
        &self.geometries[id.0 as usize]
    }

    /// What bends a geometry that was added as one that will be bent.
    pub fn bend(&self, id: GeometryId) -> &Bend {
        &self.bends[&id]
    }

    pub fn isa(&self) -> Isa {
        self.isa.unwrap_or_else(Isa::detect)
    }

    /// A geometry that was added as one that will be bent, in a posture.
    pub fn bent(&self, id: GeometryId, posture: Posture) -> Bent {
        self.blocks[&id].bent(self.isa(), self.geometry(id), posture)
    }

    pub fn image(&self, id: ImageId) -> &Image {
        &self.images[id.0 as usize]
    }

    pub fn material(&self, id: MaterialId) -> &Material {
        &self.materials[id.0 as usize]
    }
}
