//! Tracks: which values of a scene change with time.

use super::curve::Curve;

/// What a value belongs to. Numbers are positions in the scene's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    Output,
    Shot(usize),
    Environment,
    Camera(usize),
    /// Of a model: which model, which of its overrides.
    Override(usize, usize),
    Material(usize),
    /// Of a material: which material, which of its nodes.
    MaterialNode(usize, usize),
    /// Of a model's override: which model, which override, which of its nodes.
    OverrideNode(usize, usize, usize),
    Node(usize),
    Light(usize),
    LightProbe(usize),
    Effect(usize),
    View(usize),
    /// Of an animator: which animator, which of its parameters.
    Parameter(usize, usize),
    /// Of a node: which node, which of its shapes.
    Morph(usize, usize),
    /// Of a model: which model, which of its proportions.
    Proportion(usize, usize),
}

/// One value that changes with time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    pub thing: Thing,
    /// The key it stands under in a scene file, with a dot before keys of inline tables: `sky.turbidity`. Rotations of
    /// every spelling are `rotation_quat`.
    pub key: String,
    /// In the units of that key.
    pub curve: Curve,
}
