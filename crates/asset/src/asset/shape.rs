//! Shapes: solids and surfaces that a scene describes by a few sizes.

use glam::Vec3;

/// Built-in shapes, centred on the origin, sizes in metres. +Y is up; a plane faces +Y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    Box {
        size_m: Vec3,
    },
    Sphere {
        radius_m: f32,
        segments: u32,
        rings: u32,
    },
    Icosphere {
        radius_m: f32,
        subdivisions: u32,
    },
    Plane {
        size_m: [f32; 2],
        uv_scale: f32,
    },
    Disk {
        radius_m: f32,
        segments: u32,
    },
    Cylinder {
        radius_m: f32,
        height_m: f32,
        segments: u32,
    },
    Cone {
        radius_m: f32,
        height_m: f32,
        segments: u32,
    },
    Capsule {
        radius_m: f32,
        height_m: f32,
        segments: u32,
        rings: u32,
    },
    Torus {
        major_radius_m: f32,
        minor_radius_m: f32,
        major_segments: u32,
        minor_segments: u32,
    },
    /// One triangle in the XY plane facing +Z, for raster tests.
    Triangle {
        points_m: [Vec3; 3],
    },
    /// In the XY plane facing +Z.
    Quad {
        size_m: [f32; 2],
        uv_scale: f32,
    },
}

impl Shape {
    /// How many vertices it has at most.
    pub fn vertex_count_max(&self) -> u64 {
        let grid = |a: u32, b: u32| (u64::from(a) + 1) * (u64::from(b) + 1);
        match *self {
            Shape::Box { .. } => 24,
            Shape::Sphere { segments, rings, .. } => grid(segments, rings),
            // Ten times four to the power, two poles, and the seam twice.
            Shape::Icosphere { subdivisions, .. } => (12 << (2 * subdivisions)) + 64,
            Shape::Plane { .. } | Shape::Quad { .. } => 4,
            Shape::Disk { segments, .. } => u64::from(segments) + 2,
            Shape::Cylinder { segments, .. } => grid(segments, 1) + 2 * (u64::from(segments) + 2),
            Shape::Cone { segments, .. } => grid(segments, 1) + u64::from(segments) + 2,
            Shape::Capsule { segments, rings, .. } => grid(segments, 2 * rings + 1),
            Shape::Torus { major_segments, minor_segments, .. } => grid(major_segments, minor_segments),
            Shape::Triangle { .. } => 3,
        }
    }
}
