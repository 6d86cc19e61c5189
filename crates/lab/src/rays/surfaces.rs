//! Surfaces: the triangles of a world, as they stand, for rays.

use glam::{DMat4, DVec3, DVec4, Mat4, Vec3};
use stillframe_base::geom::{Bvh, Hit, Ray};

use crate::asset::{AlphaMode, displacement_max_m, transmits};
use crate::scene::LightKind;
use crate::world::{Item, World, WorldLight};

/// A ray leaves a surface this far away from it, in sizes of the world: what is nearer is the surface itself.
const LEAVE: f64 = 1e-10;

/// Why a world cannot be traced: rays would not see what is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untraced {
    /// Holes of the material are by alpha; its name.
    Holes(String),
    /// The material's nodes move corners; its name.
    Displaced(String),
    /// A figure of a crowd; its name.
    Figure(String),
}

/// What rays can meet.
#[derive(Clone, Debug)]
pub struct Surfaces {
    bvh: Bvh,
    /// Of each triangle: its item.
    owners: Vec<u32>,
    items: Vec<Surface>,
    corners: Vec<[DVec3; 3]>,
    leave_m: f64,
}

#[derive(Clone, Copy, Debug)]
struct Surface {
    object_id: u32,
    casts: bool,
    double_sided: bool,
}

/// Where a picture is seen from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eye {
    pub clip_from_world: DMat4,
    /// Levels of detail are chosen from here.
    pub position: Vec3,
}

impl Eye {
    /// Of the matrices and the place that a camera is drawn with.
    pub fn new(clip_from_view: Mat4, view_from_world: Mat4, position: Vec3) -> Eye {
        Eye { clip_from_world: clip_from_view.as_dmat4() * view_from_world.as_dmat4(), position }
    }

    /// Through a point of a picture of this size, in pixels from its upper left corner: from the near plane on.
    fn ray(&self, world_from_clip: &DMat4, [x, y]: [f64; 2], [width, height]: [usize; 2]) -> Ray {
        let at = |depth: f64| {
            let clip = DVec4::new(x / width as f64 * 2.0 - 1.0, 1.0 - y / height as f64 * 2.0, depth, 1.0);
            let world = *world_from_clip * clip;
            world.truncate() / world.w
        };
        // Depth is 1 at the near plane, and falls.
        let near = at(1.0);
        Ray::new(near, at(0.5) - near)
    }
}

/// What is seen at a point of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    pub point: DVec3,
    /// Of the triangle, unit, towards the eye.
    pub normal: DVec3,
    pub object_id: u32,
    triangle: u32,
}

impl Seen {
    /// Whether the surface faces a source.
    pub fn faces(&self, source: Source) -> bool {
        source.ray_from(self.point).0.dot(self.normal) > 0.0
    }
}

/// Where light comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// Towards the light.
    Direction(DVec3),
    Point(DVec3),
}

impl Source {
    /// Of a light, of one with an area its middle. `None`: it comes from everywhere and casts no shadow.
    pub fn of(light: &WorldLight) -> Option<Source> {
        let axis = |axis: glam::Vec4| axis.truncate().as_dvec3();
        match light.kind {
            LightKind::Directional { .. } => {
                Some(Source::Direction(axis(light.world_from_local.z_axis).normalize_or(DVec3::Z)))
            }
            LightKind::Hemisphere { .. } | LightKind::Sh9 { .. } => None,
            _ => Some(Source::Point(axis(light.world_from_local.w_axis))),
        }
    }

    /// From a point to the light, and where the light is in lengths of that.
    fn ray_from(self, point: DVec3) -> (DVec3, f64) {
        match self {
            Source::Direction(towards) => (towards, f64::INFINITY),
            Source::Point(at) => (at - point, 1.0),
        }
    }
}

impl Surfaces {
    /// All triangles of a world that are drawn from where an eye stands. Blended materials, and those that let light
    /// through, are neither seen nor cast shadows: they show what is behind them.
    ///
    /// Errors: everything that rays cannot follow, each once.
    pub fn of(world: &World, eye: Vec3) -> Result<Surfaces, Vec<Untraced>> {
        let mut out = Surfaces {
            bvh: Bvh::default(),
            owners: Vec::new(),
            items: Vec::new(),
            corners: Vec::new(),
            leave_m: (world.bounds.max - world.bounds.min).as_dvec3().length() * LEAVE,
        };
        let mut untraced: Vec<Untraced> = Vec::new();
        for item in &world.items {
            match untraced_of(world, item) {
                Some(reason) if !untraced.contains(&reason) => untraced.push(reason),
                Some(_) => {}
                None => out.add(world, item, eye),
            }
        }
        if !untraced.is_empty() {
            return Err(untraced);
        }
        out.bvh = Bvh::new(&out.corners);
        Ok(out)
    }

    pub fn triangle_count(&self) -> usize {
        self.corners.len()
    }

    fn add(&mut self, world: &World, item: &Item, eye: Vec3) {
        let material = world.store.material(item.material);
        let distance_m = item.world_from_local.w_axis.truncate().distance(eye);
        let is_there = distance_m >= item.distances_m[0] && distance_m < item.distances_m[1];
        let is_solid = material.alpha_mode != AlphaMode::Blend && !transmits(material);
        if !(is_there && is_solid) {
            return;
        }
        let geometry = world.store.geometry(item.geometry);
        let positions = match item.bent {
            Some(bent) => &world.bents[bent as usize].positions,
            None => &geometry.positions,
        };
        let world_from_local = item.world_from_local.as_dmat4();
        let is_mirrored = world_from_local.determinant() < 0.0;
        let owner = self.items.len() as u32;
        self.items.push(Surface {
            object_id: item.object_id,
            casts: item.casts_shadow,
            double_sided: material.double_sided,
        });
        for [a, b, c] in geometry.indices.as_chunks::<3>().0 {
            let at = |index: u32| world_from_local.transform_point3(Vec3::from(positions[index as usize]).as_dvec3());
            let [a, b, c] = [*a, *b, *c].map(at);
            self.corners.push(if is_mirrored { [a, c, b] } else { [a, b, c] });
            self.owners.push(owner);
        }
    }

    fn owner(&self, hit: &Hit) -> &Surface {
        &self.items[self.owners[hit.triangle as usize] as usize]
    }

    /// What is seen at the middle of each pixel, row by row. `fine` by `fine` points a pixel where it is more than 1.
    pub fn seen(&self, eye: &Eye, size_px: [usize; 2], fine: usize) -> Vec<Option<Seen>> {
        let world_from_clip = eye.clip_from_world.inverse();
        let [width, height] = size_px.map(|side| side * fine);
        let at = |index: usize| {
            let point = [(index % width) as f64 + 0.5, (index / width) as f64 + 0.5];
            self.met(&eye.ray(&world_from_clip, point, [width, height]))
        };
        (0..width * height).map(at).collect()
    }

    /// The nearest surface that a ray from an eye meets.
    fn met(&self, ray: &Ray) -> Option<Seen> {
        let takes = |hit: &Hit| self.owner(hit).double_sided || hit.is_front;
        let hit = self.bvh.nearest(ray, &takes)?;
        let [a, b, c] = self.corners[hit.triangle as usize];
        let normal = (b - a).cross(c - a).normalize_or_zero();
        Some(Seen {
            point: a * hit.weights[0] + b * hit.weights[1] + c * hit.weights[2],
            normal: if hit.is_front { normal } else { -normal },
            object_id: self.owner(&hit).object_id,
            triangle: hit.triangle,
        })
    }

    /// Whether light from a source reaches a point that is seen: its surface faces the source, and nothing that casts
    /// shadows is between. Range, cone and brightness of the light do not count. Single-sided surfaces cast where they
    /// face the source, as they do in depth maps.
    pub fn is_lit(&self, seen: &Seen, source: Source) -> bool {
        if !seen.faces(source) {
            return false;
        }
        let (direction, to) = source.ray_from(seen.point);
        let from = self.leave_m / direction.length();
        let casts = |hit: &Hit| {
            let surface = self.owner(hit);
            // The ray goes the other way than the light.
            hit.triangle != seen.triangle && surface.casts && (surface.double_sided || !hit.is_front)
        };
        !self.bvh.meets(&Ray { origin: seen.point, direction, from, to }, &casts)
    }
}

fn untraced_of(world: &World, item: &Item) -> Option<Untraced> {
    let material = world.store.material(item.material);
    let named = || material.name.clone();
    match material.alpha_mode {
        AlphaMode::Mask { .. } | AlphaMode::Hashed | AlphaMode::Coverage => return Some(Untraced::Holes(named())),
        AlphaMode::Opaque | AlphaMode::Blend => {}
    }
    if displacement_max_m(material) > 0.0 {
        return Some(Untraced::Displaced(named()));
    }
    item.crowd.map(|_| Untraced::Figure(world.object_names[item.object_id as usize - 1].clone()))
}
