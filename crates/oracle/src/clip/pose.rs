//! Pose: what is compared of poses that were played.

use stillframe_anim::pose::JointBlock;

/// Of each joint the numbers of its rotation, translation and scale, as bits.
pub(super) fn bits(pose: &[JointBlock], joints: usize) -> Vec<[u32; 10]> {
    (0..joints)
        .map(|joint| {
            let pose = JointBlock::joint(pose, joint);
            let mut out = [0.0; 10];
            out[..4].copy_from_slice(&pose.rotation.to_array());
            out[4..7].copy_from_slice(&pose.translation.to_array());
            out[7..].copy_from_slice(&pose.scale.to_array());
            out.map(f32::to_bits)
        })
        .collect()
}
