//! Nodes: things with a place.

use glam::{Quat, Vec3};

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub name: String,
    /// Position in `Scene::nodes`; less than this node's own.
    pub parent: Option<usize>,
    pub placement: Placement,
    pub content: Content,
    /// Position in `Scene::materials`; replaces the shape's (or every one of the model's) materials.
    pub material: Option<usize>,
    pub casts_shadow: bool,
    /// Position in `Scene::animators`: what moves the model shown here.
    pub animator: Option<usize>,
    /// A joint of the model that `parent` shows: the node hangs on it.
    pub joint: Option<String>,
    /// What of that joint it follows: translation, rotation, scale.
    pub inherits: [bool; 3],
    /// Its model is a part of the body that `parent` shows: joints go where that one's joints of the same name go.
    pub worn: bool,
    /// Shapes of its model that have weights of their own here, over whatever moves it.
    pub morphs: Vec<NodeMorph>,
    /// What is drawn beside the model's surface.
    pub show: Vec<super::Show>,
    /// Shows the node, and all that hangs below it, several times; see [`super::Scene::expanded`].
    pub pattern: Option<super::Pattern>,
}

/// How much of the shapes (morph targets) of a name is shown, on whichever nodes of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeMorph {
    pub name: String,
    /// 1 is the whole shape.
    pub weight: f64,
}

impl Node {
    /// Nothing but a place, at the origin.
    pub fn group(name: String) -> Node {
        Node {
            name,
            parent: None,
            placement: Placement::IDENTITY,
            content: Content::Empty,
            material: None,
            casts_shadow: true,
            animator: None,
            joint: None,
            inherits: [true; 3],
            worn: false,
            morphs: Vec::new(),
            show: Vec::new(),
            pattern: None,
        }
    }
}

/// Local transform: translate * rotate * scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    pub position: Vec3,
    pub rotation: Quat,
    pub scale: Vec3,
}

impl Placement {
    pub const IDENTITY: Placement = Placement { position: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };
}

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A group.
    Empty,
    /// Position in `Scene::models`.
    Model(usize),
    Shape(Shape),
}

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
