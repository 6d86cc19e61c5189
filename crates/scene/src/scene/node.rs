//! Nodes: things with a place.

use glam::{Quat, Vec3};

use crate::asset::Shape;

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
