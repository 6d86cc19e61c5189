//! Skeletons: parents first, in a stable order, or a typed error.

use proptest::prelude::*;
use stillframe_anim::pose::{NO_PARENT, Trs};
use stillframe_anim::sample::{RawJoint, Skeleton, SkeletonError};

use super::oracle::joints;

fn joint(node: usize, parent: Option<usize>) -> RawJoint {
    RawJoint { node, name: format!("j{node}"), parent, rest: Trs::IDENTITY }
}

proptest! {
    #[test]
    fn parents_come_first_and_nothing_is_lost(joints in joints(0..60), early in any::<u64>()) {
        let skeleton = Skeleton::new(&joints).expect("a forest");
        let packed = Skeleton::with_first(&joints, |node| early >> (node % 64) & 1 == 1).expect("a forest");
        for skeleton in [&skeleton, &packed] {
            prop_assert_eq!(skeleton.joint_count(), joints.len());
            for raw in &joints {
                let at = usize::from(skeleton.joint_of_node(raw.node).expect("there"));
                prop_assert_eq!(&skeleton.names()[at], &raw.name);
                prop_assert_eq!(skeleton.joint_named(&raw.name), Some(at as u16));
                let parent = skeleton.parents()[at];
                prop_assert_eq!(raw.parent, (parent != NO_PARENT).then(|| skeleton.nodes()[usize::from(parent)]));
                prop_assert!(parent == NO_PARENT || usize::from(parent) < at);
                prop_assert!(skeleton.rest()[at].rotation.is_normalized());
            }
        }
        // Ordering what is in order changes nothing.
        let at = |node: &usize| joints.iter().find(|joint| joint.node == *node).expect("there").clone();
        let ordered: Vec<RawJoint> = skeleton.nodes().iter().map(at).collect();
        let again = Skeleton::new(&ordered).expect("a forest");
        prop_assert_eq!(again.nodes(), skeleton.nodes());
    }

    /// No joint that neither moves nor carries one that does comes before one that does.
    #[test]
    fn moving_joints_are_packed(joints in joints(1..60), early in any::<u64>()) {
        let first = |node: usize| early >> (node % 64) & 1 == 1;
        let skeleton = Skeleton::with_first(&joints, first).expect("a forest");
        let mut wanted: Vec<bool> = skeleton.nodes().iter().map(|node| first(*node)).collect();
        for joint in (0..wanted.len()).rev() {
            let parent = skeleton.parents()[joint];
            if wanted[joint] && parent != NO_PARENT {
                wanted[usize::from(parent)] = true;
            }
        }
        prop_assert!(wanted.is_sorted_by(|a, b| a >= b), "{:?}", wanted);
    }
}

#[test]
fn what_is_no_skeleton_is_refused() {
    let broken = |rest: Trs| RawJoint { rest, ..joint(0, None) };
    let mut infinite = Trs::IDENTITY;
    infinite.translation.y = f32::INFINITY;
    let mut flat = Trs::IDENTITY;
    flat.rotation = glam::Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let many: Vec<RawJoint> = (0..65_536).map(|node| joint(node, None)).collect();
    let rows: &[(&[RawJoint], SkeletonError)] = &[
        (&[joint(4, Some(5)), joint(5, Some(4))], SkeletonError::Cycle { node: 4 }),
        (&[joint(0, None), joint(9, Some(4)), joint(4, Some(4))], SkeletonError::Cycle { node: 4 }),
        (&[joint(0, None), joint(1, Some(7))], SkeletonError::NoParent { node: 1, parent: 7 }),
        (&[joint(3, None), joint(3, None)], SkeletonError::Twice { node: 3 }),
        (&[broken(infinite)], SkeletonError::Rest { node: 0 }),
        (&[broken(flat)], SkeletonError::Rest { node: 0 }),
        (&many, SkeletonError::JointCount { count: 65_536, max: 65_535 }),
    ];
    for (joints, want) in rows {
        assert_eq!(&Skeleton::new(joints).expect_err("refused"), want);
    }
    assert_eq!(Skeleton::new(&many[1..]).expect("the most").joint_count(), 65_535);
    let two = Skeleton::new(&[joint(2, Some(1)), joint(7, None), joint(1, None)]).expect("two roots");
    assert_eq!((two.nodes(), two.parents()), (&[7, 1, 2][..], &[NO_PARENT, NO_PARENT, 1][..]));
}
