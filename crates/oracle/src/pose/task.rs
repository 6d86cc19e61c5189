//! Task: what a program is asked, as plain data. All numbers fit in `f32`.

use serde::{Deserialize, Serialize};

/// A joint relative to its parent: metres, a unit quaternion (x y z w), scale by axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    pub translation: [f64; 3],
    pub rotation: [f64; 4],
    pub scale: [f64; 3],
}

/// A pose and how much it counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    pub weight: f64,
    /// How much each joint of it counts besides.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mask: Option<Vec<f64>>,
    pub pose: Vec<Joint>,
}

/// A vertex and who pulls at it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vertex {
    pub position: [f64; 3],
    /// Unit.
    pub normal: [f64; 3],
    pub joints: Vec<usize>,
    /// They sum to 1.
    pub weights: Vec<f64>,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Task {
    /// The weighted mean of poses. Answer: a row of ten numbers a joint, translation, rotation, scale.
    Blend { layers: Vec<Layer> },
    /// A delta on top of a pose, in each joint's own space. Answer: as of a blend.
    Add { pose: Vec<Joint>, delta: Vec<Joint>, weight: f64 },
    /// Joints in the model's space. Answer: a row of twelve numbers a joint, three rows of a matrix.
    Model { parents: Vec<Option<usize>>, pose: Vec<Joint> },
    /// Vertices moved by matrices from rest to pose (three rows of four each). Answer: a row of six numbers a vertex,
    /// position and unit normal.
    Skin { matrices: Vec<[f64; 12]>, vertices: Vec<Vertex> },
    /// The same by dual quaternions. Matrices turn and move, and no more.
    SkinDual { matrices: Vec<[f64; 12]>, vertices: Vec<Vertex> },
}

/// Rows of numbers, one for each joint or vertex.
pub type Answer = Vec<Vec<f64>>;

impl Joint {
    pub const IDENTITY: Joint = Joint { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };

    pub fn row(&self) -> Vec<f64> {
        let Joint { translation, rotation, scale } = self;
        translation.iter().chain(rotation).chain(scale).copied().collect()
    }
}

impl Task {
    /// How many rows an answer has, and how many numbers a row.
    pub fn shape(&self) -> [usize; 2] {
        match self {
            Task::Blend { layers } => [layers.first().map_or(0, |layer| layer.pose.len()), 10],
            Task::Add { pose, .. } => [pose.len(), 10],
            Task::Model { pose, .. } => [pose.len(), 12],
            Task::Skin { vertices, .. } | Task::SkinDual { vertices, .. } => [vertices.len(), 6],
        }
    }

    /// What no answer can be right for: lists of other lengths, joints that are not there, weights of nothing.
    ///
    /// Errors: what, in words.
    pub fn check(&self) -> Result<(), String> {
        let all = |holds: bool, words: &str| if holds { Ok(()) } else { Err(words.to_string()) };
        let unit = |joint: &Joint| {
            let length: f64 = joint.rotation.iter().map(|number| number * number).sum();
            (length - 1.0).abs() < 1e-3 && joint.row().iter().all(|number| number.abs() < 1e9)
        };
        match self {
            Task::Blend { layers } => {
                let count = layers.first().map_or(0, |layer| layer.pose.len());
                let fits = |layer: &Layer| {
                    let mask = layer.mask.as_ref();
                    layer.pose.len() == count
                        && mask.is_none_or(|mask| mask.len() == count && mask.iter().all(|share| *share >= 0.0))
                        && (0.0..1e9).contains(&layer.weight)
                        && layer.pose.iter().all(unit)
                };
                let counts = |joint: usize| {
                    let counts =
                        |layer: &Layer| layer.weight * layer.mask.as_ref().map_or(1.0, |mask| mask[joint]) > 0.0;
                    layers.iter().any(counts)
                };
                all(count > 0, "no joints")?;
                all(layers.iter().all(fits), "layers of other lengths, or a number of a pose is out of range")?;
                all((0..count).all(counts), "a joint at which no layer counts")
            }
            Task::Add { pose, delta, weight } => {
                all(pose.len() == delta.len(), "the delta has other joints")?;
                all((0.0..=1.0).contains(weight), "the weight is not between 0 and 1")?;
                all(pose.iter().chain(delta).all(unit), "a number of a pose is out of range")
            }
            Task::Model { parents, pose } => {
                all(parents.len() == pose.len(), "other joints than parents")?;
                let before = |(joint, parent): (usize, &Option<usize>)| parent.is_none_or(|parent| parent < joint);
                all(parents.iter().enumerate().all(before), "a joint before its parent")?;
                all(pose.iter().all(unit), "a number of a pose is out of range")
            }
            Task::Skin { matrices, vertices } | Task::SkinDual { matrices, vertices } => {
                let fits = |vertex: &Vertex| {
                    let sum: f64 = vertex.weights.iter().sum();
                    !vertex.joints.is_empty()
                        && vertex.joints.len() == vertex.weights.len()
                        && vertex.joints.iter().all(|joint| *joint < matrices.len())
                        && vertex.weights.iter().all(|weight| *weight >= 0.0)
                        && (sum - 1.0).abs() < 1e-3
                };
                all(!vertices.is_empty() && vertices.iter().all(fits), "a vertex whose weights do not sum to 1")
            }
        }
    }

    /// The numbers of a row that are a rotation, which may have either sign.
    pub fn has_rotations(&self) -> bool {
        matches!(self, Task::Blend { .. } | Task::Add { .. })
    }
}
