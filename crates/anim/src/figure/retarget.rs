//! Retarget: a pose of one skeleton on another of the same kind.
//!
//! ```text
//! rotation    = target_rest * (inverse(source_rest) * pose), made unit
//! translation = target_rest + ratio * (pose - source_rest)
//! scale       = target_rest * (pose / source_rest), and the rest where that of the source is less than 1e-4 in size
//! ```
//!
//! What a joint does beyond its rest is done from the other's rest, in the joint's own frame: right where joints of the
//! two point along the same of their axes. Lengths of bones stay the target's: what a clip does not stretch is where it
//! rests.
//!
//! Source: retargeting by names as engines have it; book section 5.1 only names the mapping.

use glam::Vec3;
use stillframe_base::lanes::ROW;

use super::NameMap;
use crate::pose::{JobError, JointBlock, Trs, check_indices, check_length};

/// A scale of less size has nothing that one can divide by.
const SCALE_MIN: f32 = 1e-4;

/// Writes the target's local pose. It allocates nothing.
///
/// Shapes: `source_rest` and `target_rest` have one entry a joint of theirs, poses their blocks.
pub struct Retarget<'a> {
    pub map: &'a NameMap,
    pub source_rest: &'a [Trs],
    pub target_rest: &'a [Trs],
    pub pose: &'a [JointBlock],
    /// By joint of the target: how far it goes for what its source goes from rest. 0 keeps it where it rests; roots and
    /// hips take the ratio of the bodies' heights.
    pub ratios: &'a [f32],
    pub out: &'a mut [JointBlock],
}

impl Retarget<'_> {
    /// Looks at every shape.
    pub fn validate(&self) -> Result<(), JobError> {
        let (sources, targets) = (self.source_rest.len(), self.map.source_of().len());
        check_length("joints of the target", self.target_rest.len(), targets)?;
        check_length("blocks of the pose", self.pose.len(), JointBlock::count_for(sources))?;
        check_length("blocks written", self.out.len(), JointBlock::count_for(targets))?;
        let joints = self.map.source_of().iter().flatten().copied();
        check_length("ratios of the target", self.ratios.len(), targets)?;
        check_indices("joints of the map", joints, sources)
    }

    /// Writes `out`. Panics where `validate` would refuse.
    pub fn run(self) {
        self.validate().unwrap_or_else(|error| panic!("{error}"));
        for (joint, (rest, source)) in self.target_rest.iter().zip(self.map.source_of()).enumerate() {
            let mut out = *rest;
            if let Some(source) = source.map(usize::from) {
                let (from, pose) = (&self.source_rest[source], JointBlock::joint(self.pose, source));
                out.rotation = (rest.rotation * (from.rotation.conjugate() * pose.rotation)).normalize();
                for axis in 0..3 {
                    if from.scale[axis].abs() >= SCALE_MIN {
                        out.scale[axis] = rest.scale[axis] * (pose.scale[axis] / from.scale[axis]);
                    }
                }
                let moved: Vec3 = pose.translation - from.translation;
                out.translation = rest.translation + moved * self.ratios[joint];
            }
            self.out[joint / ROW].set_lane(joint % ROW, out);
        }
    }
}
