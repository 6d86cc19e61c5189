//! Block: sixteen joints in local space, a plane for each number.

use glam::{Quat, Vec3};
use stillframe_base::lanes::{ROW, Row};

/// Translation, rotation and scale of one joint relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    pub translation: Vec3,
    pub rotation: Quat,
    pub scale: Vec3,
}

impl Trs {
    /// No motion, size one.
    pub const IDENTITY: Trs = Trs { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };
}

/// Ten planes of sixteen lanes: joints of one pose, or one joint of sixteen skeletons (a crowd). Rotations are unit
/// quaternions x y z w. Lanes without a joint hold the identity.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub struct JointBlock {
    pub translation: [Row; 3],
    pub rotation: [Row; 4],
    pub scale: [Row; 3],
}

impl JointBlock {
    /// The identity in every lane.
    pub const IDENTITY: JointBlock = JointBlock {
        translation: [Row::ZERO; 3],
        rotation: [Row::ZERO, Row::ZERO, Row::ZERO, Row([1.0; ROW])],
        scale: [Row([1.0; ROW]); 3],
    };

    /// Blocks that hold `joint_count` joints.
    pub const fn count_for(joint_count: usize) -> usize {
        joint_count.div_ceil(ROW)
    }

    /// One lane.
    pub fn lane(&self, lane: usize) -> Trs {
        let vec3 = |rows: &[Row; 3]| Vec3::new(rows[0].0[lane], rows[1].0[lane], rows[2].0[lane]);
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| self.rotation[i].0[lane]);
        Trs { translation: vec3(&self.translation), rotation: Quat::from_xyzw(x, y, z, w), scale: vec3(&self.scale) }
    }

    /// Writes one lane.
    pub fn set_lane(&mut self, lane: usize, joint: Trs) {
        for i in 0..3 {
            self.translation[i].0[lane] = joint.translation[i];
            self.scale[i].0[lane] = joint.scale[i];
        }
        for (row, number) in self.rotation.iter_mut().zip(joint.rotation.to_array()) {
            row.0[lane] = number;
        }
    }

    /// A joint of a pose.
    pub fn joint(pose: &[JointBlock], joint: usize) -> Trs {
        pose[joint / ROW].lane(joint % ROW)
    }

    /// A pose of joints in order, the lanes after the last one identity.
    pub fn pack(joints: &[Trs]) -> Vec<JointBlock> {
        let mut blocks = vec![JointBlock::IDENTITY; JointBlock::count_for(joints.len())];
        for (i, joint) in joints.iter().enumerate() {
            blocks[i / ROW].set_lane(i % ROW, *joint);
        }
        blocks
    }
}
