//! Crowd: from joints' spaces to the models', for sixteen skeletons of one kind, a lane each.

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};

use super::affine::matrix_of_joint;
use super::model::{check_joint_count, check_parents};
use super::{AffineBlock, JobError, JointBlock, NO_PARENT, check_finite, check_length};

/// [`LocalToModel`](super::LocalToModel) of sixteen skeletons at once, with the same bits.
///
/// Shapes: `locals`, `models` and `parents` have one entry a joint; the lanes of an entry are that joint of each
///         skeleton.
pub struct CrowdToModel<'a> {
    pub isa: Isa,
    /// [`NO_PARENT`] for a root.
    pub parents: &'a [u16],
    pub locals: &'a [JointBlock],
    /// What roots are multiplied onto.
    pub roots: &'a AffineBlock,
    pub models: &'a mut [AffineBlock],
}

impl CrowdToModel<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        check_parents(self.parents)?;
        check_finite("roots", &self.roots.0)?;
        check_finite("local poses", bytemuck::cast_slice(self.locals))
    }

    fn check_shape(&self) -> Result<(), JobError> {
        check_joint_count(self.parents)?;
        check_length("model matrices", self.models.len(), self.parents.len())?;
        check_length("blocks of the local poses", self.locals.len(), self.parents.len())
    }

    /// Writes `models`. Panics where lengths differ or a parent does not come before its child.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        self.isa.run_wide(Kernel(self));
    }
}

struct Kernel<'a>(CrowdToModel<'a>);

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let CrowdToModel { parents, locals, roots, models, .. } = self.0;
        for (joint, (&parent, block)) in parents.iter().zip(locals).enumerate() {
            let (before, rest) = models.split_at_mut(joint);
            let parent = if parent == NO_PARENT { roots } else { &before[usize::from(parent)] };
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                let local = matrix_of_joint(wide, block, part);
                for (from, to) in parent.0.chunks_exact(4).zip(rest[0].0.chunks_exact_mut(4)) {
                    multiply_row(wide, from, &local, part, to);
                }
            }
        }
    }
}

/// One row of the product, in the order of [`Wide::multiply`].
#[inline(always)]
fn multiply_row<W: Wide>(wide: W, from: &[Row], b: &[W::F32; 12], part: usize, to: &mut [Row]) {
    let (x, y, z) = (wide.load(&from[0], part), wide.load(&from[1], part), wide.load(&from[2], part));
    wide.store((x * b[0] + y * b[4]) + z * b[8], &mut to[0], part);
    wide.store((x * b[1] + y * b[5]) + z * b[9], &mut to[1], part);
    wide.store((x * b[2] + y * b[6]) + z * b[10], &mut to[2], part);
    wide.store(((x * b[3] + y * b[7]) + z * b[11]) + wide.load(&from[3], part), &mut to[3], part);
}
