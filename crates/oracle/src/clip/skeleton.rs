//! Skeletons of joints that are drawn: forests in any order, and what is none.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use stillframe_anim::pose::{NO_PARENT, Trs};
use stillframe_anim::sample::{RawJoint, Skeleton, SkeletonError};

use super::{ClipMistake, must, number};
use crate::Choices;

/// The most joints that a skeleton has.
const JOINTS_MAX: usize = 65_535;

fn rest(choices: &mut Choices<'_>) -> Trs {
    let mut vec3 = || Vec3::new(number(choices), number(choices), number(choices));
    let (translation, scale) = (vec3(), vec3());
    let turn = [number(choices), number(choices), number(choices), number(choices)];
    let rotation = if turn == [0.0; 4] && !choices.one_in(8) { Quat::IDENTITY } else { Quat::from_array(turn) };
    Trs { translation, rotation, scale }
}

/// Joints in any order: a forest, unless something is wrong with them.
pub fn draw(choices: &mut Choices<'_>, count: usize, is_wrong: bool) -> Vec<RawJoint> {
    let node = |place: usize| place * 3 + 1;
    let mut joints: Vec<RawJoint> = (0..count)
        .map(|place| {
            let parent = match choices.weighted(&[1, 8]) {
                _ if place == 0 => None,
                0 => None,
                _ => Some(node(choices.below(place as u64) as usize)),
            };
            RawJoint { node: node(place), name: format!("joint {place}"), parent, rest: rest(choices) }
        })
        .collect();
    if is_wrong && count > 0 {
        let place = choices.below(count as u64) as usize;
        let other = choices.below(count as u64) as usize;
        match choices.below(4) {
            0 => joints[place].node = joints[other].node,
            1 => joints[place].parent = Some(2),
            _ => joints[place].parent = Some(node(other)),
        }
    }
    // Fisher and Yates.
    for last in (1..joints.len()).rev() {
        let other = last - choices.below(last as u64 + 1) as usize;
        joints.swap(last, other);
    }
    joints
}

/// A row of joints, too long or just not; made without a choice a joint.
fn row(choices: &mut Choices<'_>) -> Vec<RawJoint> {
    let count = JOINTS_MAX - 1 + choices.below(3) as usize;
    let is_circle = choices.one_in(2);
    let joint = |place: usize| RawJoint {
        node: place,
        name: String::new(),
        // From the last to the first, so that the order must be found.
        parent: if place + 1 < count { Some(place + 1) } else { is_circle.then_some(0) },
        rest: Trs::IDENTITY,
    };
    (0..count).map(joint).collect()
}

/// Whether this is wrong with joints.
fn is_true(joints: &[RawJoint], error: &SkeletonError) -> bool {
    let of_node = |node: usize| joints.iter().find(|joint| joint.node == node);
    match *error {
        SkeletonError::JointCount { count, max } => count == joints.len() && max == JOINTS_MAX && count > max,
        SkeletonError::Twice { node } => joints.iter().filter(|joint| joint.node == node).count() > 1,
        SkeletonError::NoParent { node, parent } => {
            joints.iter().any(|joint| joint.node == node && joint.parent == Some(parent)) && of_node(parent).is_none()
        }
        SkeletonError::Cycle { node } => {
            // As many steps up as there are joints lead back to it.
            let mut at = of_node(node).and_then(|joint| joint.parent);
            (0..joints.len()).any(|_| {
                let here = at;
                at = at.and_then(of_node).and_then(|joint| joint.parent);
                here == Some(node)
            })
        }
        SkeletonError::Rest { node } => of_node(node).is_some_and(|joint| !is_good(&joint.rest)),
    }
}

fn is_good(rest: &Trs) -> bool {
    let turns = rest.rotation.to_array().map(f64::from);
    let length = turns.iter().map(|x| x * x).sum::<f64>();
    rest.translation.is_finite() && rest.scale.is_finite() && length.is_finite() && length > 0.0
}

pub fn check(choices: &mut Choices<'_>, mistake: Option<ClipMistake>) -> Result<(), String> {
    let is_long = choices.one_in(500);
    let joints = if is_long {
        row(choices)
    } else {
        let count = choices.weighted(&[1, 4, 8, 8, 8, 4, 4, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        let is_wrong = choices.one_in(2);
        draw(choices, count, is_wrong)
    };
    let shown = if is_long { format!("a row of {}", joints.len()) } else { format!("{joints:?}") };
    let shown = shown.replace('"', "");
    let mut made = Skeleton::new(&joints);
    if mistake == Some(ClipMistake::Circle) && matches!(made, Err(SkeletonError::Cycle { .. })) {
        made = Skeleton::new(&[]);
    }
    let skeleton = match made {
        Ok(skeleton) => skeleton,
        Err(error) => {
            // Walking up from each joint of a long row takes its square.
            let holds = if is_long {
                matches!(error, SkeletonError::Cycle { .. } | SkeletonError::JointCount { .. })
            } else {
                is_true(&joints, &error)
            };
            must!(holds, "joints are refused for what they are not: `{error:?} for {shown}`");
            return Ok(());
        }
    };
    let nodes: BTreeMap<usize, usize> = joints.iter().enumerate().map(|(place, joint)| (joint.node, place)).collect();
    let all = nodes.len() == joints.len() && skeleton.joint_count() == joints.len();
    must!(all, "a skeleton of another number of joints: `{shown}`");
    for (joint, node) in skeleton.nodes().iter().enumerate() {
        let Some(raw) = nodes.get(node).map(|place| &joints[*place]) else {
            return Err(format!("a joint of nobody: `{node} of {shown}`"));
        };
        let parent = skeleton.parents()[joint];
        let above = (parent != NO_PARENT).then(|| skeleton.nodes()[usize::from(parent)]);
        must!(above == raw.parent, "another parent: `{above:?} of {node} in {shown}`");
        must!(parent == NO_PARENT || usize::from(parent) < joint, "a joint before its parent: `{node} in {shown}`");
        let rest = skeleton.rest()[joint];
        must!(is_good(&raw.rest) && is_good(&rest), "a rest pose that is none: `{node} in {shown}`");
        must!(
            (rest.rotation.as_dquat().length() - 1.0).abs() < 1e-3,
            "a rest rotation is not unit: `{node} in {shown}`"
        );
        must!(skeleton.joint_of_node(*node) == Some(joint as u16), "a node's joint: `{node} in {shown}`");
    }
    Ok(())
}
