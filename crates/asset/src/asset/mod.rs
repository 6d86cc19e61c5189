//! Assets: meshes, images and material instances as plain data, each held once.
//!
//! In: what `import` read or `scene` described. Out: ids into a [`Store`]. Never here: files, wgpu, the scene tree.

mod bend;
mod blocks;
mod crowd;
mod format;
mod graph;
mod image;
mod layers;
mod lighting;
mod material;
mod mesh;
mod panel;
mod profile;
mod reflection;
mod shape;
mod slot;
mod store;
mod texture;

pub use self::format::ModelFormat;
pub use self::image::{Image, ImageId, Texels};
pub use bend::{Bend, Bent, Delta, Form, Influence, Posture, Tail, direction};
pub use blocks::BendBlocks;
pub use crowd::{CrowdFigure, CrowdPart, Figures};
pub use graph::{GraphUse, SurfaceGraph};
pub use layers::{
    Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Layers, Sheen, Specular, Transmission, Volume,
};
pub use lighting::{Case, Hook, Layer, Lighting, LightingModel, Limit, MODELS, ModelId, Needs, Param, ParamKind};
pub use material::{AlphaMode, Material, MaterialId, displacement_max_m, has_frame, scatters, transmits};
pub use mesh::{Geometry, GeometryId};
pub use panel::{PANEL_SIDES, Panel, panel_distance};
pub use profile::{LightFile, PROFILE_COLUMNS, PROFILE_ROWS, Profile};
pub use reflection::Reflection;
pub use shape::Shape;
pub use slot::{Meaning, Slot, SlotRow, Slots, Textures, textures};
pub use store::{Store, is_same};
pub use texture::{Filter, TextureSlot, UvTransform, Wrap};
