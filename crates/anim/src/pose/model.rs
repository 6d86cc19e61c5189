//! Model: from a joint's space to the model's, for one skeleton.

use stillframe_base::lanes::{Isa, ROW, Wide, WideWork};

use super::affine::matrix_of_joint;
use super::{Affine, JobError, JointBlock, check_finite, check_length};

/// The parent of a joint that has none.
pub const NO_PARENT: u16 = u16::MAX;

/// Multiplies every joint's matrix onto its parent's.
///
/// ```text
/// model[i] = (model[parent[i]], or root) * translation[i] * rotation[i] * scale[i]
/// ```
///
/// Shapes: `models` and `parents` have one entry a joint, `locals` their blocks; parents come before their children.
/// The bits are those of [`CrowdToModel`](super::CrowdToModel).
pub struct LocalToModel<'a> {
    pub isa: Isa,
    /// [`NO_PARENT`] for a root.
    pub parents: &'a [u16],
    pub locals: &'a [JointBlock],
    /// What roots are multiplied onto.
    pub root: &'a Affine,
    pub models: &'a mut [Affine],
}

pub(crate) fn check_parents(parents: &[u16]) -> Result<(), JobError> {
    for (joint, &parent) in parents.iter().enumerate() {
        if parent != NO_PARENT && usize::from(parent) >= joint {
            return Err(JobError::ParentOrder { joint, parent: usize::from(parent) });
        }
    }
    Ok(())
}

/// Joints are numbered in 16 bits, and one number is [`NO_PARENT`].
pub(super) fn check_joint_count(parents: &[u16]) -> Result<(), JobError> {
    let max = usize::from(NO_PARENT);
    if parents.len() <= max { Ok(()) } else { Err(JobError::JointCount { count: parents.len(), max }) }
}

impl LocalToModel<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        check_parents(self.parents)?;
        check_finite("root", &[self.root.0])?;
        check_finite("local pose", bytemuck::cast_slice(self.locals))
    }

    fn check_shape(&self) -> Result<(), JobError> {
        check_joint_count(self.parents)?;
        check_length("model matrices", self.models.len(), self.parents.len())?;
        check_length("blocks of the local pose", self.locals.len(), JointBlock::count_for(self.parents.len()))
    }

    /// Writes `models`. Panics where lengths differ or a parent is no joint; a parent that comes later is read as it
    /// is.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        self.isa.run_wide(Kernel(self));
    }
}

struct Kernel<'a>(LocalToModel<'a>);

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let LocalToModel { parents, locals, root, models, .. } = self.0;
        let mut last = wide.load_matrix(&root.0);
        for (b, (block, parents)) in locals.iter().zip(parents.chunks(ROW)).enumerate() {
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                let matrices = wide.matrices_of_lanes(matrix_of_joint(wide, block, part));
                let parents = parents.get(part * W::WIDTH..).unwrap_or(&[]);
                for (lane, (&local, &parent)) in matrices.as_ref().iter().zip(parents).enumerate() {
                    let joint = b * ROW + part * W::WIDTH + lane;
                    // Most joints follow their parent: it is still in registers.
                    if usize::from(parent) + 1 != joint {
                        let parent = if parent == NO_PARENT { root } else { &models[usize::from(parent)] };
                        last = wide.load_matrix(&parent.0);
                    }
                    last = wide.multiply(last, local);
                    wide.store_matrix(last, &mut models[joint].0);
                }
            }
        }
    }
}
