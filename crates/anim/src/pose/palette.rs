//! Palette: what skinning multiplies vertices with.

use stillframe_base::lanes::{Isa, Wide, WideWork};

use super::{Affine, JobError, check_finite, check_indices, check_length};

/// Multiplies model matrices by inverse bind matrices.
///
/// ```text
/// palette[i] = model[joints[i]] * inverse_bind[i]
/// ```
///
/// Shapes: `joints`, `inverse_binds` and `palette` have one entry a joint of the skin.
pub struct Palette<'a> {
    pub isa: Isa,
    pub models: &'a [Affine],
    /// The skeleton's joint of each joint of the skin.
    pub joints: &'a [u16],
    /// From the mesh's space at bind time to the joint's.
    pub inverse_binds: &'a [Affine],
    pub palette: &'a mut [Affine],
}

impl Palette<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        check_indices("joints of the skin", self.joints.iter().copied(), self.models.len())?;
        check_finite("model matrices", bytemuck::cast_slice(self.models))?;
        check_finite("inverse bind matrices", bytemuck::cast_slice(self.inverse_binds))
    }

    fn check_shape(&self) -> Result<(), JobError> {
        check_length("inverse bind matrices", self.inverse_binds.len(), self.joints.len())?;
        check_length("palette", self.palette.len(), self.joints.len())
    }

    /// Writes `palette`. Panics where lengths differ or a joint is none of the model's.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        self.isa.run_wide(Kernel(self));
    }
}

struct Kernel<'a>(Palette<'a>);

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let Palette { models, joints, inverse_binds, palette, .. } = self.0;
        for ((&joint, bind), out) in joints.iter().zip(inverse_binds).zip(palette) {
            let model = wide.load_matrix(&models[usize::from(joint)].0);
            wide.store_matrix(wide.multiply_loaded(model, &bind.0), &mut out.0);
        }
    }
}
