//! Skeleton: joints parents first, with names and a rest pose.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::pose::{JointBlock, NO_PARENT, Trs};

/// A joint as a file lists it, in any order.
#[derive(Clone, Debug, PartialEq)]
pub struct RawJoint {
    /// Position in the model's nodes, which tracks name.
    pub node: usize,
    pub name: String,
    /// The node of its parent; a root has none.
    pub parent: Option<usize>,
    /// Where no track moves it. Its rotation may have any length but 0.
    pub rest: Trs,
}

/// Joints in an order in which parents come before their children.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    nodes: Vec<usize>,
    names: Vec<String>,
    parents: Vec<u16>,
    rest: Vec<Trs>,
    joint_of_node: BTreeMap<usize, u16>,
}

/// Why joints are no skeleton. Joints are named by their nodes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SkeletonError {
    #[error("{count} joints, of at most {max}")]
    JointCount { count: usize, max: usize },
    #[error("node {node} is two joints")]
    Twice { node: usize },
    #[error("joint {node}: its parent {parent} is not among the joints")]
    NoParent { node: usize, parent: usize },
    #[error("joint {node} is its own ancestor")]
    Cycle { node: usize },
    #[error("joint {node}: its rest pose has a number that is not finite, or no rotation")]
    Rest { node: usize },
}

impl Skeleton {
    /// Orders joints. Several roots are allowed, and so is a skeleton of no joints.
    ///
    /// Order: the first in the order given among those whose parent has come; an order that is parents first already is
    /// kept.
    pub fn new(joints: &[RawJoint]) -> Result<Skeleton, SkeletonError> {
        Skeleton::with_first(joints, |_| true)
    }

    /// Orders joints so that those which `first` (of a node) names come as early as their parents let them: a clip then
    /// has its moving joints in few blocks. Otherwise as [`new`](Skeleton::new).
    pub fn with_first(joints: &[RawJoint], first: impl Fn(usize) -> bool) -> Result<Skeleton, SkeletonError> {
        let max = usize::from(NO_PARENT);
        if joints.len() > max {
            return Err(SkeletonError::JointCount { count: joints.len(), max });
        }
        let mut place_of_node = BTreeMap::new();
        for (place, joint) in joints.iter().enumerate() {
            if place_of_node.insert(joint.node, place).is_some() {
                return Err(SkeletonError::Twice { node: joint.node });
            }
        }
        let mut children = vec![Vec::new(); joints.len()];
        let mut ready = BinaryHeap::new();
        // A joint that stands still goes first all the same where one that moves hangs on it.
        let mut early: Vec<bool> = joints.iter().map(|joint| first(joint.node)).collect();
        for (place, joint) in joints.iter().enumerate() {
            let Some(parent) = joint.parent else { continue };
            let parent = *place_of_node.get(&parent).ok_or(SkeletonError::NoParent { node: joint.node, parent })?;
            children[parent].push(place);
        }
        for place in 0..joints.len() {
            let mut above = joints[place].parent.filter(|_| early[place]).map(|parent| place_of_node[&parent]);
            while let Some(place) = above.filter(|place| !early[*place]) {
                early[place] = true;
                above = joints[place].parent.map(|parent| place_of_node[&parent]);
            }
        }
        let rank = |place: usize| Reverse((!early[place], place));
        ready.extend((0..joints.len()).filter(|place| joints[*place].parent.is_none()).map(rank));

        let mut skeleton = Skeleton {
            nodes: Vec::new(),
            names: Vec::new(),
            parents: Vec::new(),
            rest: Vec::new(),
            joint_of_node: BTreeMap::new(),
        };
        while let Some(Reverse((_, place))) = ready.pop() {
            ready.extend(children[place].iter().copied().map(rank));
            skeleton.push(&joints[place])?;
        }
        match joints.iter().find(|joint| !skeleton.joint_of_node.contains_key(&joint.node)) {
            Some(joint) => Err(SkeletonError::Cycle { node: cycle_from(joints, &place_of_node, joint) }),
            None => Ok(skeleton),
        }
    }

    /// Adds a joint whose parent is there.
    fn push(&mut self, joint: &RawJoint) -> Result<(), SkeletonError> {
        let Trs { translation, rotation, scale } = joint.rest;
        let length = rotation.as_dquat().length();
        if !(translation.is_finite() && scale.is_finite() && length.is_finite() && length > 0.0) {
            return Err(SkeletonError::Rest { node: joint.node });
        }
        let rotation = if rotation.is_normalized() { rotation } else { rotation.as_dquat().normalize().as_quat() };
        self.joint_of_node.insert(joint.node, self.nodes.len() as u16);
        self.parents.push(joint.parent.map_or(NO_PARENT, |parent| self.joint_of_node[&parent]));
        self.nodes.push(joint.node);
        self.names.push(joint.name.clone());
        self.rest.push(Trs { translation, rotation, scale });
        Ok(())
    }

    pub fn joint_count(&self) -> usize {
        self.nodes.len()
    }
    /// The node of every joint.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }
    pub fn names(&self) -> &[String] {
        &self.names
    }
    /// [`NO_PARENT`] for roots: what [`LocalToModel`](crate::pose::LocalToModel) takes.
    pub fn parents(&self) -> &[u16] {
        &self.parents
    }
    /// Rotations are unit quaternions.
    pub fn rest(&self) -> &[Trs] {
        &self.rest
    }
    pub fn rest_blocks(&self) -> Vec<JointBlock> {
        JointBlock::pack(&self.rest)
    }
    pub fn joint_of_node(&self, node: usize) -> Option<u16> {
        self.joint_of_node.get(&node).copied()
    }
    /// The first joint of this name.
    pub fn joint_named(&self, name: &str) -> Option<u16> {
        self.names.iter().position(|own| own == name).map(|joint| joint as u16)
    }
}

/// A node of the cycle above a joint that no root reaches.
fn cycle_from(joints: &[RawJoint], place_of_node: &BTreeMap<usize, usize>, from: &RawJoint) -> usize {
    let mut node = from.node;
    // As many steps up as there are joints end within the cycle.
    for _ in joints {
        node = joints[place_of_node[&node]].parent.unwrap_or(node);
    }
    node
}
