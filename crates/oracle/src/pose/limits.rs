//! Limits: what a program can do with poses, and how exact it is. Tasks are drawn, judged and made small within them.

use super::task::{Joint, Task};

/// A kind of task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    Blend,
    Add,
    Model,
    Skin,
    SkinDual,
}

/// How rotations are blended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mean {
    /// The weighted sum of quaternions, made unit.
    #[default]
    Nlerp,
    /// At even speed; two poses at a time.
    Slerp,
}

/// Which scales are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scales {
    /// Always 1.
    None,
    /// One for all axes.
    Even,
    /// One for each axis.
    #[default]
    Uneven,
}

/// What a program can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// At least one.
    pub kinds: Vec<TaskKind>,
    /// At least 2.
    pub layers_max: usize,
    /// At least 1.
    pub joints_max: usize,
    /// Joints that pull at a vertex: at least 1.
    pub influences_max: usize,
    pub mean: Mean,
    pub scales: Scales,
    /// Weights of a blend may sum to other numbers than 1.
    pub any_weights: bool,
    /// Layers may have masks.
    pub masks: bool,
    /// A rotation may be given by either of its two quaternions.
    pub signs: bool,
    /// How far any number of an answer may be off.
    pub tolerance: f64,
}

impl Default for Limits {
    fn default() -> Limits {
        use TaskKind::{Add, Blend, Model, Skin, SkinDual};
        Limits {
            kinds: vec![Blend, Add, Model, Skin, SkinDual],
            layers_max: 8,
            joints_max: 12,
            influences_max: 8,
            mean: Mean::Nlerp,
            scales: Scales::Uneven,
            any_weights: true,
            masks: true,
            signs: true,
            tolerance: 1e-4,
        }
    }
}

impl TaskKind {
    pub fn of(task: &Task) -> TaskKind {
        match task {
            Task::Blend { .. } => TaskKind::Blend,
            Task::Add { .. } => TaskKind::Add,
            Task::Model { .. } => TaskKind::Model,
            Task::Skin { .. } => TaskKind::Skin,
            Task::SkinDual { .. } => TaskKind::SkinDual,
        }
    }
}

impl Limits {
    /// What nothing can be drawn from, in words.
    pub fn validate(&self) -> Result<(), String> {
        if self.kinds.is_empty() {
            return Err("`operations` has nothing to draw from".into());
        }
        if self.layers_max < 2 || self.joints_max < 1 || self.influences_max < 1 {
            return Err("a blend needs 2 layers, a pose 1 joint, and a vertex 1 influence".into());
        }
        if !(0.0..=1.0).contains(&self.tolerance) {
            return Err("the tolerance is not between 0 and 1".into());
        }
        Ok(())
    }

    /// Whether a task could have been drawn.
    pub fn holds(&self, task: &Task) -> bool {
        let has_scale = |joint: &Joint| self.holds_scale(joint.scale);
        let few = |count: usize| (1..=self.joints_max).contains(&count);
        let fits = match task {
            Task::Blend { layers } => {
                let sum: f64 = layers.iter().map(|layer| layer.weight).sum();
                (1..=self.layers_max).contains(&layers.len())
                    && (self.mean == Mean::Nlerp || layers.len() <= 2)
                    && (self.any_weights || sum == 1.0)
                    && (self.masks || layers.iter().all(|layer| layer.mask.is_none()))
                    && few(layers[0].pose.len())
                    && layers.iter().flat_map(|layer| &layer.pose).all(has_scale)
            }
            Task::Add { pose, delta, .. } => few(pose.len()) && pose.iter().chain(delta).all(has_scale),
            Task::Model { pose, .. } => few(pose.len()) && pose.iter().all(has_scale),
            Task::Skin { matrices, vertices } | Task::SkinDual { matrices, vertices } => {
                few(matrices.len()) && vertices.iter().all(|vertex| vertex.joints.len() <= self.influences_max)
            }
        };
        fits && self.kinds.contains(&TaskKind::of(task))
    }

    fn holds_scale(&self, [x, y, z]: [f64; 3]) -> bool {
        match self.scales {
            Scales::None => [x, y, z] == [1.0; 3],
            Scales::Even => x == y && y == z,
            Scales::Uneven => true,
        }
    }
}
