//! The store: what a world is made of, each thing once.
//!
//! Geometry and images are shared with whoever keeps them from one moment to the next; ids are those of one store, and
//! mean nothing in another.

use std::collections::BTreeMap;
use std::sync::Arc;

use stillframe_base::id::Arena;

use super::{Bend, Geometry, GeometryId, Image, ImageId, Material, MaterialId, Texels};

/// Everything that a world shows, in the order in which it first shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Store {
    pub geometries: Arena<Arc<Geometry>>,
    pub images: Arena<Arc<Image>>,
    pub materials: Arena<Material>,
    /// Of geometries that are bent.
    bends: BTreeMap<GeometryId, Arc<Bend>>,
    /// Images that views of the scene fill before they are shown, by the view's position.
    views: BTreeMap<ImageId, usize>,
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

    /// Adds an image that a view of the scene fills; until then it is black.
    pub fn add_view(&mut self, view: usize, name: &str) -> ImageId {
        let texels = Texels::Rgba8(vec![0, 0, 0, 255]);
        let name = format!("view {name}");
        let id = self.add_image(Image { name, width_px: 1, height_px: 1, texels, levels: Vec::new() });
        self.views.insert(id, view);
        id
    }

    /// The view that fills an image.
    pub fn view_of(&self, image: ImageId) -> Option<usize> {
        self.views.get(&image).copied()
    }

    /// The views that fill images of a material.
    pub fn views_on(&self, id: MaterialId) -> impl Iterator<Item = usize> {
        let material = self.material(id);
        let of_nodes = material.graph.iter().flat_map(|graph| &graph.textures);
        material.textures.values().chain(of_nodes).filter_map(|texture| self.view_of(texture.image))
    }

    /// Whether views fill some images.
    pub fn shows_views(&self) -> bool {
        !self.views.is_empty()
    }

    /// The same with these pictures of views; those of others are black.
    pub fn with_views(&self, pictures: &BTreeMap<usize, Arc<Image>>) -> Store {
        let mut out = self.clone();
        for (image, view) in &self.views {
            if let Some(picture) = pictures.get(view) {
                out.images[*image] = picture.clone();
            }
        }
        out
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
