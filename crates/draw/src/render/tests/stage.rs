//! Stage: a small world without files: a floor, a box, a pane of glass, a sun, a lamp and a sky.

use std::f32::consts::PI;

use glam::{Mat4, Vec3};
use stillframe_base::geom::Aabb;
use stillframe_base::math::camera::{look_rotation, perspective, view_from_world};
use stillframe_base::par::Pool;

use super::super::uploads::Uploads;
use super::super::{
    Capture, Choice, Colour, Drawn, Frame, Gpu, Job, Look, Memory, Post, Prepared, Row, Skinning, SoftOptions, draw,
    prepare,
};
use crate::asset::{AlphaMode, Geometry, Material, Store};
use crate::fault::RenderFault;
use crate::scene::{
    Aov, Background, Display, Environment, EnvironmentSource, LightKind, Output, Projection, RenderOptions, Tonemap,
};
use crate::view::{DrawItem, Shot, ShotCamera, ShotLight};

/// Things to be looked at, and what is around.
pub struct Stage {
    pub store: Store,
    pub environment: Environment,
    items: Vec<DrawItem>,
    lights: Vec<ShotLight>,
}

/// A box, its corners at `min` and `max`, every side of its own.
fn solid(min: Vec3, max: Vec3) -> Geometry {
    let mut geometry = Geometry {
        positions: Vec::new(),
        normals: Vec::new(),
        tangents: Vec::new(),
        uv0: Vec::new(),
        uv1: Vec::new(),
        colors: Vec::new(),
        indices: Vec::new(),
        bounds: Aabb::new(min, max),
    };
    let (center, half) = ((min + max) * 0.5, (max - min) * 0.5);
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
        let u = Vec3::new(normal.y.abs(), normal.z.abs(), normal.x.abs());
        let v = normal.cross(u);
        let first = geometry.positions.len() as u32;
        for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            geometry.positions.push((center + half * (normal + u * a + v * b)).to_array());
            geometry.normals.push(normal.to_array());
            geometry.tangents.push([u.x, u.y, u.z, 1.0]);
            geometry.uv0.push([a, b]);
        }
        geometry.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
    geometry
}

impl Stage {
    pub fn new() -> Stage {
        let mut store = Store::default();
        let mut items = Vec::new();
        let things = [
            (Vec3::new(-4.0, -0.2, -4.0), Vec3::new(4.0, 0.0, 4.0), [0.6, 0.5, 0.4, 1.0], AlphaMode::Opaque),
            (Vec3::new(-0.7, 0.0, -0.5), Vec3::new(0.3, 1.1, 0.5), [0.8, 0.2, 0.1, 1.0], AlphaMode::Opaque),
            (Vec3::new(0.4, 0.2, 0.9), Vec3::new(1.4, 1.4, 1.0), [0.1, 0.3, 0.7, 0.4], AlphaMode::Blend),
        ];
        for (object_id, (min, max, base_color, alpha_mode)) in (1..).zip(things) {
            let geometry = store.add_geometry(solid(min, max));
            let material = store.add_material(Material { base_color, alpha_mode, ..Material::default() });
            items.push(DrawItem {
                geometry,
                bent: None,
                crowd: None,
                material,
                world_from_local: Mat4::IDENTITY,
                world_from_local_before: Mat4::from_translation(Vec3::X * 0.05),
                normal_from_local: Mat4::from_mat3(glam::Mat3::IDENTITY),
                object_id,
                mirrored: false,
                bounds_world: Aabb::new(min, max),
            });
            items.last_mut().unwrap().normal_from_local.w_axis = glam::Vec4::ZERO;
        }
        let light = |name: &str, kind, position, direction: Vec3| ShotLight {
            name: name.to_string(),
            kind,
            color: [1.0, 0.9, 0.8],
            position,
            direction: direction.normalize(),
            across: Vec3::X,
            shadow: Some(crate::scene::Shadow::default()),
            file: None,
            function: None,
        };
        let lamp = LightKind::spot(20.0, None, [0.4, 0.7]);
        let lights = vec![
            light(
                "sun",
                LightKind::Directional { illuminance_lux: 2.0, angular_diameter_rad: 0.0 },
                Vec3::ZERO,
                Vec3::new(-0.4, -1.0, -0.6),
            ),
            light("lamp", lamp, Vec3::new(2.0, 2.5, 2.0), Vec3::new(-0.8, -1.0, -0.8)),
        ];
        let source = EnvironmentSource::Gradient { zenith: [0.2, 0.3, 0.6], horizon: [0.4; 3], ground: [0.1; 3] };
        let environment = Environment { source, intensity: 0.7, rotation_rad: 0.3, ..Environment::NONE };
        Stage { store, environment, items, lights }
    }

    /// So many lamps instead of one, all at one place.
    pub fn repeat_lamp(&mut self, count: usize) {
        let lamp = self.lights[1].clone();
        self.lights.truncate(1);
        self.lights.extend(std::iter::repeat_n(lamp, count));
    }

    /// What a camera at `eye` sees.
    pub fn shot(&self, eye: Vec3, aspect: f32) -> Shot {
        let rotation = look_rotation(Vec3::new(0.1, 0.4, 0.0) - eye, Vec3::Y);
        let camera = ShotCamera {
            view_from_world: view_from_world(eye, rotation),
            clip_from_view: perspective(PI / 4.0, aspect, 0.1, None),
            position: eye,
            lens: None,
            projection: Projection::Perspective { fov_y_rad: PI / 4.0 },
            near_m: 0.1,
            far_m: None,
            clip_plane: None,
        };
        let (opaque, blended): (Vec<DrawItem>, Vec<DrawItem>) =
            self.items.iter().partition(|item| self.store.material(item.material).alpha_mode == AlphaMode::Opaque);
        let bounds = self.items.iter().fold(Aabb::EMPTY, |bounds, item| bounds.union(item.bounds_world));
        Shot {
            camera_before: camera.clone(),
            camera,
            casters: opaque.clone(),
            veils: Vec::new(),
            opaque,
            blended,
            lights: self.lights.clone(),
            functions: Vec::new(),
            bents: Vec::new(),
            crowds: Vec::new(),
            bounds_world: bounds,
            object_names: ["floor", "box", "pane"].map(String::from).to_vec(),
        }
    }

    /// A job with these looks.
    pub fn job<'a>(&'a self, looks: &'a [Look<'a>]) -> Job<'a> {
        Job {
            looks,
            store: &self.store,
            environment: &self.environment,
            environment_map: None,
            probes: None,
            max_mip: None,
            skinning: Skinning::Cpu,
            capture: Capture::Passes,
            options: RenderOptions::default(),
            memory: Memory::default(),
        }
    }
}

pub fn output(size_px: [u32; 2], samples: u32) -> Output {
    Output {
        width_px: size_px[0],
        height_px: size_px[1],
        samples,
        shading: None,
        tonemap: Tonemap::Agx,
        exposure_ev: 0.0,
        zoom: 1.0,
        background: Background::Environment,
        stroke_width_px: None,
        fps: 30.0,
        frames: None,
        aov: vec![Aov::COLOR],
    }
}

pub fn look<'a>(shot: &'a Shot, output: &'a Output, layers: &'a [String]) -> Look<'a> {
    let (sums, sights, tile, post) = (None, None, None, Post::default());
    Look { shot, output, colour: Colour::Bits8(Display::Srgb), layers, shift_px: [0.0; 2], sums, sights, tile, post }
}

pub fn names(layers: &[&str]) -> Vec<String> {
    layers.iter().map(|name| name.to_string()).collect()
}

/// A device, and what stays on it.
pub struct Bench {
    pub gpu: Gpu,
    pub uploads: Uploads,
}

impl Bench {
    pub fn new() -> Bench {
        let gpu = Gpu::open(&Choice::Soft(SoftOptions::default())).expect("it is always there");
        Bench { gpu, uploads: Uploads::new(&RenderFault::default()) }
    }

    pub fn draw(&mut self, job: &Job<'_>, rows: &[Row]) -> (Prepared, Drawn) {
        let prepared = prepare(job, rows, &self.gpu.caps, &mut self.uploads).expect("every layer is left by some pass");
        let mut frame = Frame::load(&self.gpu, job, &prepared, &mut self.uploads, &Pool::new(2)).expect("it fits");
        let drawn = draw(&mut frame, rows, &mut |_| ()).and_then(|drawing| drawing.read(&frame)).expect("it is drawn");
        (prepared, drawn)
    }
}
