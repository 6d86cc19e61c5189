//! A shot: the flat lists that rendering reads.

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};

use super::matrix::inverse;
use super::oblique::oblique;

use crate::asset::{Bent, CrowdPart, Figures, GeometryId, LightFile, MaterialId};
use crate::scene::{LightKind, Projection, Shadow};
use stillframe_base::geom::Aabb;

/// Everything one picture needs, culled and sorted.
#[derive(Clone, Debug)]
pub struct Shot {
    pub camera: ShotCamera,
    /// One frame before; the same where nothing moves.
    pub camera_before: ShotCamera,
    /// Opaque and alpha-tested items inside the frustum, sorted by (material, geometry, how it is bent, front to back,
    /// object).
    pub opaque: Vec<DrawItem>,
    /// Blended items inside the frustum, back to front by view depth of the bounds' centre, then by object id.
    pub blended: Vec<DrawItem>,
    /// Every item that casts shadows, inside the view or not, in id order.
    pub casters: Vec<DrawItem>,
    /// Every item that casts shadows and lets light through, likewise.
    pub veils: Vec<DrawItem>,
    /// In id order.
    pub lights: Vec<ShotLight>,
    /// What functions of lights look like, on squares from -1 to 1 across z: each material once.
    pub functions: Vec<DrawItem>,
    /// Geometry as it is bent now, then as it was bent one frame before.
    pub bents: Vec<Arc<Bent>>,
    /// Crowds now, then one frame before.
    pub crowds: Vec<Arc<Figures>>,
    /// Of everything, for fitting shadow maps.
    pub bounds_world: Aabb,
    /// `object_names[id - 1]` is the node's name (bare model) or path of names (scene), of all items, seen or not.
    pub object_names: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ShotCamera {
    pub view_from_world: Mat4,
    /// Reversed-Z: near is 1, far (or infinity) 0.
    pub clip_from_view: Mat4,
    pub position: Vec3,
    pub projection: Projection,
    /// What blurs what is not in focus, where something does.
    pub lens: Option<ShotLens>,
    pub near_m: f32,
    pub far_m: Option<f32>,
    /// A plane of the world, as the numbers of `x y z 1`: nothing is drawn where it is negative.
    pub clip_plane: Option<Vec4>,
}

/// A thin lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShotLens {
    pub diameter_m: f32,
    /// What is this far away along the view axis is sharp.
    pub focus_m: f32,
}

impl ShotCamera {
    /// The projection that vertices go through: the near plane is the clip plane, where there is one. What is seen, and
    /// how large, is as `clip_from_view` says.
    pub fn drawn_from_view(&self) -> Mat4 {
        self.clip_plane.map_or(self.clip_from_view, |plane| {
            let plane_view = inverse(self.view_from_world).transpose() * plane;
            oblique(self.clip_from_view, plane_view)
        })
    }

    /// The camera as it sees through a point of its lens, in radii of that, right and up: what is in focus stays where
    /// it is in the picture. Without a lens as it is.
    pub fn through(&self, [right, up]: [f32; 2]) -> ShotCamera {
        let Some(ShotLens { diameter_m, focus_m }) = self.lens else { return self.clone() };
        let offset = Vec3::new(right, up, 0.0) * (diameter_m * 0.5);
        let view_from_world = Mat4::from_translation(-offset) * self.view_from_world;
        let mut sheared = Mat4::IDENTITY;
        sheared.z_axis.x = -offset.x / focus_m;
        sheared.z_axis.y = -offset.y / focus_m;
        let world_from_view = self.view_from_world.inverse();
        ShotCamera {
            view_from_world,
            clip_from_view: self.clip_from_view * sheared,
            position: self.position + world_from_view.transform_vector3(offset),
            ..self.clone()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawItem {
    pub geometry: GeometryId,
    /// Places in `Shot::bents`, now and one frame before, where something bends the geometry.
    pub bent: Option<[u32; 2]>,
    /// The figure that bends the geometry: its crowd's places in `Shot::crowds` now and one frame before, and the part
    /// of it.
    pub crowd: Option<([u32; 2], CrowdPart)>,
    pub material: MaterialId,
    pub world_from_local: Mat4,
    /// One frame before; the same where nothing moves.
    pub world_from_local_before: Mat4,
    /// Inverse transpose of the upper 3x3, as a Mat4 with zero last row and column.
    pub normal_from_local: Mat4,
    /// 1-based object id, the value of the `id` AOV.
    pub object_id: u32,
    /// Negative determinant: flip the front face.
    pub mirrored: bool,
    pub bounds_world: Aabb,
}

/// What multiplies a light by its direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShotFunction {
    /// Place in `Shot::functions`.
    pub number: u32,
    /// Of directional lights: what it covers once.
    pub size_m: [f32; 2],
}

#[derive(Clone, Debug, PartialEq)]
pub struct ShotLight {
    pub name: String,
    pub kind: LightKind,
    /// Linear.
    pub color: [f32; 3],
    pub position: Vec3,
    /// Unit, the way the light shines.
    pub direction: Vec3,
    /// Unit, at right angles to it: where its X axis shows.
    pub across: Vec3,
    /// `None`: it casts none.
    pub shadow: Option<Shadow>,
    /// What the file holds that its kind names.
    pub file: Option<Arc<LightFile>>,
    /// What multiplies it by its direction.
    pub function: Option<ShotFunction>,
}
