//! Mesh additive: deltas that turn joints in model space on top of a pose.
//!
//! Source: as for [`MakeMeshDelta`](super::MakeMeshDelta). The share of a rotation is that of
//! [`AddDeltas`](super::AddDeltas), and so are translation and scale.
//!
//! ```text
//! for each joint, parents before children:
//!     base     = that of its parent * its own local rotation
//! for each joint, for each delta in index order, alpha = weight * mask:
//!     model    = unit(((1 - alpha) * identity + alpha * delta) * model)      delta negated unless its w > 0; at first, base
//! for each joint:
//!     rotation = unit(inverse(model of its parent) * model)
//! ```

use stillframe_base::lanes::{Isa, ROW, Wide, WideWork};

use super::additive::{add_part, check_numbers, check_shape, multiply};
use super::blend::load4;
use super::mesh_delta::turn_along;
use super::model::{check_joint_count, check_parents};
use super::{DeltaLayer, JobError, JointBlock, NO_PARENT, check_length};

/// Adds deltas of [`MakeMeshDelta`](super::MakeMeshDelta) to a local pose: in model space, `delta * base`, in index
/// order. A joint whose weight times mask is 0 keeps its rotation in the model, whatever turns above it.
///
/// Shapes: `parents` has an entry a joint; `base`, every delta, every mask and `out` have their blocks.
/// Exactness: where weight times mask is 0 for a joint and for its parent, no bit of its rotation changes; of its
/// translation and scale where it is 0 for the joint. Deltas may have either sign; negating the base of a joint negates
/// the result of that joint.
pub struct AddMeshDeltas<'a> {
    pub isa: Isa,
    /// [`NO_PARENT`] for a root.
    pub parents: &'a [u16],
    pub base: &'a [JointBlock],
    pub deltas: &'a [DeltaLayer<'a>],
    pub out: &'a mut [JointBlock],
}

impl AddMeshDeltas<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        check_parents(self.parents)?;
        check_numbers(self.base, self.deltas)
    }

    fn check_shape(&self) -> Result<(), JobError> {
        check_joint_count(self.parents)?;
        check_length("blocks of the pose", self.out.len(), JointBlock::count_for(self.parents.len()))?;
        check_shape(self.base, self.deltas, self.out.len())
    }

    /// Writes `out`. Panics where lengths differ or a parent is no joint; other faults, which `validate` finds, may
    /// give poses that are not finite.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        let AddMeshDeltas { isa, parents, base, deltas, out } = self;
        out.copy_from_slice(base);
        turn_along(parents, out, |block| block.rotation.each_mut());
        isa.run_wide(Kernel { base, deltas, out });
        // Children first: what they are turned back by is still in model space.
        for (joint, &parent) in parents.iter().enumerate().rev() {
            let parent = if parent == NO_PARENT { None } else { Some(usize::from(parent)) };
            let is_turned = |joint: usize| deltas.iter().any(|layer| layer.share(joint) != 0.0);
            if !is_turned(joint) && !parent.is_some_and(is_turned) {
                set_rotation(out, joint, rotation(base, joint));
            } else if let Some(parent) = parent {
                set_rotation(out, joint, local(rotation(out, parent), rotation(out, joint)));
            }
        }
    }
}

impl DeltaLayer<'_> {
    fn share(&self, joint: usize) -> f32 {
        self.mask.map_or(self.weight, |mask| self.weight * mask[joint / ROW].0[joint % ROW])
    }
}

fn rotation(pose: &[JointBlock], joint: usize) -> [f32; 4] {
    pose[joint / ROW].rotation.each_ref().map(|row| row.0[joint % ROW])
}

fn set_rotation(pose: &mut [JointBlock], joint: usize, rotation: [f32; 4]) {
    for (row, number) in pose[joint / ROW].rotation.iter_mut().zip(rotation) {
        row.0[joint % ROW] = number;
    }
}

/// The rotation of a joint relative to its parent's, both in model space.
fn local([x, y, z, w]: [f32; 4], model: [f32; 4]) -> [f32; 4] {
    let [x, y, z, w] = multiply([-x, -y, -z, w], model);
    let factor = 1.0 / (((x * x + y * y) + z * z) + w * w).sqrt();
    [x * factor, y * factor, z * factor, w * factor]
}

struct Kernel<'a> {
    base: &'a [JointBlock],
    deltas: &'a [DeltaLayer<'a>],
    out: &'a mut [JointBlock],
}

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        for (b, (base, out)) in self.base.iter().zip(self.out).enumerate() {
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                let q = load4(wide, &out.rotation, part);
                add_part(wide, (base, q), self.deltas, b, part, out, |q, share| multiply(share, q));
            }
        }
    }
}
