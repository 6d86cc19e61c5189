//! Material instances: glTF's metallic-roughness values with every default filled in.

use std::sync::Arc;

use stillframe_base::id::Id;

use super::{Hook, Layers, Lighting, Reflection, SurfaceGraph, Textures};

/// Place in `Store::materials`.
pub type MaterialId = Id<Material>;

/// A surface. Factors multiply textures, whose channels the rows of [`Slot`](super::Slot) tell; all colours are linear.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Material {
    pub name: String,
    pub base_color: [f32; 4],
    pub metallic: f32,
    /// Perceptual; alpha = roughness^2.
    pub roughness: f32,
    pub normal_scale: f32,
    pub occlusion_strength: f32,
    /// Radiance in nits: factor times emissive strength.
    pub emissive: [f32; 3],
    pub textures: Textures,
    pub alpha_mode: AlphaMode,
    /// With a mask: levels of the base colour's texture keep the share of texels that its cutoff leaves.
    pub mip_coverage: bool,
    pub double_sided: bool,
    pub unlit: bool,
    /// Normals that turn within a pixel widen highlights.
    pub specular_aa: bool,
    /// Of its dielectric part.
    pub reflection: Reflection,
    pub lighting: Lighting,
    /// The file's extensions of the metallic-roughness base; `None` where it has none. The importer warns where one
    /// would show.
    pub layers: Option<Box<Layers>>,
    /// Nodes in the place of some of the values above; scene files have them, model files none.
    #[serde(skip)]
    pub graph: Option<Arc<SurfaceGraph>>,
}

impl Default for Material {
    /// Grey, roughness 0.5: what a shape without a material shows.
    fn default() -> Self {
        Material {
            name: String::new(),
            base_color: [0.5, 0.5, 0.5, 1.0],
            metallic: 0.0,
            roughness: 0.5,
            normal_scale: 1.0,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            textures: Textures::new(),
            alpha_mode: AlphaMode::Opaque,
            mip_coverage: false,
            double_sided: false,
            unlit: false,
            specular_aa: false,
            reflection: Reflection::default(),
            lighting: Lighting::default(),
            layers: None,
            graph: None,
        }
    }
}

/// Whether what is behind a surface is seen through it.
pub fn transmits(material: &Material) -> bool {
    let textures = material.textures.keys().copied().collect();
    !material.unlit && material.lighting.laid(textures).any(|layer| layer.hook == Hook::Through)
}

/// Whether light leaves a surface elsewhere than it enters. Of blended ones it leaves where it enters.
pub fn scatters(material: &Material) -> bool {
    let textures = material.textures.keys().copied().collect();
    let is_there = !material.unlit && material.alpha_mode != AlphaMode::Blend;
    is_there && material.lighting.laid(textures).any(|layer| layer.hook == Hook::Subsurface)
}

/// Whether its lighting model, or a layer over it, has a direction along the surface.
pub fn has_frame(material: &Material) -> bool {
    let textures = material.textures.keys().copied().collect();
    material.lighting.model.row().needs.frame || material.lighting.laid(textures).any(|layer| layer.frame)
}

/// The most that nodes move corners, in metres of the mesh.
pub fn displacement_max_m(material: &Material) -> f32 {
    material.graph.as_ref().map_or(0.0, |own| own.graph.displacement_max_m)
}

/// How alpha is used.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum AlphaMode {
    Opaque,
    Mask {
        cutoff: f32,
    },
    Blend,
    /// Holes by a threshold that differs from point to point: as many points are there as alpha says.
    Hashed,
    /// As many samples of a pixel are covered as alpha says; with one, as a mask.
    Coverage,
}
