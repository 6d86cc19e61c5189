//! Uniform: what shaders read about the view and the lights, byte for byte.

use bytemuck::{Pod, Zeroable};
use glam::Mat4;
use stillframe_base::math::ops;

use super::job::Tile;
use crate::asset::{CrowdFigure, CrowdPart, Form};
use crate::light::{self, Extent, MapRange, MapView};
use crate::scene::Projection;
use crate::view::{ShotCamera, ShotLight, inverse, product};

/// Bytes between two views in one buffer: WebGPU's alignment of dynamic offsets.
pub const VIEW_STRIDE_BYTES: u64 = 256;

/// `View` of `shader/common.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ViewUniform {
    clip_from_world: [[f32; 4]; 4],
    world_from_clip: [[f32; 4]; 4],
    eye: [f32; 4],
    forward: [f32; 4],
    size: [f32; 4],
    tile: [f32; 4],
    exposure: f32,
    light_count: u32,
    pad: [u32; 2],
}

impl ViewUniform {
    /// A camera's. The way back is the inverse of the very matrix that vertices are multiplied with, taken in f64.
    pub fn camera(
        camera: &ShotCamera,
        size_px: [u32; 2],
        tile: Tile,
        exposure_ev: f32,
        light_count: u32,
    ) -> ViewUniform {
        let clip_from_world = product(camera.clip_from_view, camera.view_from_world);
        let back = camera.view_from_world.row(2).truncate();
        let eye = match camera.projection {
            Projection::Perspective { .. } => camera.position.extend(1.0),
            Projection::Orthographic { .. } => back.extend(0.0),
        };
        let forward = -back;
        let [width, height] = size_px.map(|size| size as f32);
        ViewUniform {
            clip_from_world: clip_from_world.to_cols_array_2d(),
            world_from_clip: inverse(clip_from_world).to_cols_array_2d(),
            eye: eye.to_array(),
            forward: forward.extend(forward.dot(camera.position)).to_array(),
            size: [width, height, 1.0 / width, 1.0 / height],
            tile: [tile.origin_px[0], tile.origin_px[1], tile.size_px[0], tile.size_px[1]].map(|px| px as f32),
            exposure: ops::exp2(exposure_ev),
            light_count,
            pad: [0; 2],
        }
    }

    /// Back from clip space.
    pub fn world_from_clip(&self) -> Mat4 {
        Mat4::from_cols_array_2d(&self.world_from_clip)
    }

    /// Of a square from -1 to 1 across z, without exposure.
    pub fn square(size_px: u32) -> ViewUniform {
        let clip_from_world = Mat4::from_translation(glam::Vec3::new(0.0, 0.0, 0.5));
        ViewUniform { exposure: 1.0, ..ViewUniform::map(clip_from_world, size_px) }
    }

    /// A shadow map's: its matrix, and the way back, which holes made by nodes read.
    pub fn map(clip_from_world: Mat4, size_px: u32) -> ViewUniform {
        let size = size_px.max(1) as f32;
        ViewUniform {
            clip_from_world: clip_from_world.to_cols_array_2d(),
            world_from_clip: inverse(clip_from_world).to_cols_array_2d(),
            size: [size, size, 1.0 / size, 1.0 / size],
            tile: [0.0, 0.0, size, size],
            ..ViewUniform::zeroed()
        }
    }
}

/// `Light` of `light/light.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LightUniform {
    position: [f32; 3],
    kind: u32,
    direction: [f32; 3],
    shadow: i32,
    color: [f32; 3],
    map_count: u32,
    terms: [f32; 4],
    across: [f32; 3],
    first: u32,
    more: [f32; 4],
}

impl LightUniform {
    /// `shadow`: the light's maps. `first`: of its values in `values`.
    pub fn new(light: &ShotLight, shadow: Option<MapRange>, first: u32) -> LightUniform {
        let (terms, function) = ((light::row(&light.kind).terms)(light), light::function_terms(light));
        LightUniform {
            position: light.position.to_array(),
            kind: light::number(&light.kind),
            direction: light.direction.to_array(),
            shadow: shadow.map_or(-1, |maps| maps.first as i32),
            color: terms.color.to_array(),
            map_count: shadow.map_or(0, |maps| maps.count),
            terms: terms.own,
            across: light.across.to_array(),
            first,
            more: [terms.more, function[0], function[1], function[2]],
        }
    }
}

/// `ShadowMap` of `light/shadow.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct MapUniform {
    pub clip_from_world: [[f32; 4]; 4],
    pub texel: [f32; 2],
    pub layer: i32,
    pub size: f32,
    pub corner: [f32; 2],
    pub width: f32,
    pub technique: u32,
    pub offset: [f32; 2],
    pub edge: f32,
    pub contact: f32,
    pub span: [f32; 2],
    pub depths: [f32; 2],
    pub own: [f32; 4],
    pub across: [f32; 4],
    pub along: [f32; 3],
    pub veils: u32,
}

impl MapUniform {
    /// `width_px`: of its array.
    pub fn new((view, extent): (&MapView, &Extent), width_px: u32) -> MapUniform {
        MapUniform {
            clip_from_world: view.clip_from_world.to_cols_array_2d(),
            texel: view.texel_m,
            layer: view.layer.map_or(-1, |layer| layer as i32),
            size: view.size_px as f32,
            corner: view.corner_px.map(|corner| corner as f32),
            width: width_px as f32,
            technique: view.shadow.technique.number(),
            offset: view.shadow.offset_texels,
            edge: view.edge_texels,
            contact: view.shadow.contact_m,
            span: view.span_m,
            depths: view.depths_m,
            own: view.shadow.own,
            across: extent.across.extend(f32::from(u8::from(extent.is_square))).to_array(),
            along: extent.along.to_array(),
            veils: if view.is_veiled { view.bank.veils_number() } else { 0 },
        }
    }

    /// What a camera sees, as a map.
    pub fn seen(camera: &ShotCamera) -> MapUniform {
        let clip_from_world = product(camera.drawn_from_view(), camera.view_from_world);
        MapUniform { clip_from_world: clip_from_world.to_cols_array_2d(), ..MapUniform::zeroed() }
    }
}

/// `Object` of `shader/object.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ObjectUniform {
    pub world_from_local: [[f32; 4]; 4],
    pub normal_x: [f32; 4],
    pub normal_y: [f32; 4],
    pub normal_z: [f32; 3],
    pub id: u32,
}

/// `Moving` of `shader/motion.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct MovingUniform {
    pub clip_from_local_now: [[f32; 4]; 4],
    pub clip_from_local_before: [[f32; 4]; 4],
}

/// `Figure` of `shader/crowd.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct FigureUniform {
    clip_a: u32,
    phase_a: u32,
    clip_b: u32,
    phase_b: u32,
    fade: f32,
    first: u32,
    /// Rows of a joint: three of a matrix, or a place and a normal.
    row_count: u32,
    /// First row of shares of shapes, four a row.
    first_share: u32,
}

impl FigureUniform {
    pub fn new(figure: &CrowdFigure, part: CrowdPart, form: Form) -> FigureUniform {
        let CrowdFigure { clips: [clip_a, clip_b], phases: [phase_a, phase_b], fade } = *figure;
        let row_count = if form == Form::Places { 2 } else { 3 };
        let CrowdPart { first_joint: first, first_share, .. } = part;
        FigureUniform { clip_a, phase_a, clip_b, phase_b, fade, first, row_count, first_share }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes that WGSL's layout rules give the structs of the same name.
    #[test]
    fn sizes_follow_wgsl() {
        for (structure, text, rust) in [
            ("View", crate::shader::COMMON.to_string(), size_of::<ViewUniform>()),
            ("Object", crate::shader::OBJECT.to_string(), size_of::<ObjectUniform>()),
            (
                "Moving",
                crate::shader::compose(&[crate::shader::COMMON, crate::shader::MOTION]),
                size_of::<MovingUniform>(),
            ),
            ("Light", lights(), size_of::<LightUniform>()),
            (
                "Figure",
                crate::shader::compose(&[crate::shader::BEND, crate::shader::CROWD]),
                size_of::<FigureUniform>(),
            ),
            ("ShadowMap", lights(), size_of::<MapUniform>()),
        ] {
            let module = crate::shader::check(&text).expect("valid text");
            let mut found = None;
            for (_, ty) in module.types.iter() {
                if let (Some(name), naga::TypeInner::Struct { span, .. }) = (&ty.name, &ty.inner)
                    && name == structure
                {
                    found = Some(*span as usize);
                }
            }
            assert_eq!(found, Some(rust), "{structure}");
        }
    }

    fn lights() -> String {
        crate::shader::compose(&[
            crate::shader::COMMON,
            crate::shader::LOBES,
            crate::shader::DIELECTRIC,
            &crate::light::text(light::Kinds::default()),
            &crate::light::shadow_text(light::Techniques::default()),
        ])
    }
}
