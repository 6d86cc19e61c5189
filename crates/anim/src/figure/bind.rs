//! Bind: inverse binds that give a body other proportions.
//!
//! ```text
//! base_rest[i] * changed[i] = changed_rest[i] * inverse_bind[i]         (model matrices of the two rest poses)
//! changed(weight) = (1 - weight) * inverse_bind + weight * changed
//! ```
//!
//! At rest a vertex is where the changed skeleton would put it, and any clip of the base moves it from there. A blend
//! of matrices is a blend of the vertices as they are bound.
//!
//! Source: "Game engine: principles and practice" volume 2, section 5.3, first formula, in column order.

use glam::{DAffine3, DMat3, DVec3};
use stillframe_base::lanes::{Isa, Wide, WideWork};

use super::FigureError;
use crate::pose::{Affine, JobError, NO_PARENT, Trs, check_finite, check_indices, check_length, check_parents};
use crate::sample::DTrs;

/// The inverse binds with which the base skeleton shows a body as the changed one would: fat, thin, long-legged.
///
/// Shapes: `parents`, `base` and `changed` (rest poses) have one entry a joint, `joints` and `inverse_binds` one a
///         joint of the skin. f64 inside.
/// Errors: [`FigureError::Singular`] where a joint of the base has no size.
pub fn body_binds(
    parents: &[u16],
    base: &[Trs],
    changed: &[Trs],
    joints: &[u16],
    inverse_binds: &[Affine],
) -> Result<Vec<Affine>, FigureError> {
    check_parents(parents)?;
    check_length("joints of the base", base.len(), parents.len())?;
    check_length("joints of the changed body", changed.len(), parents.len())?;
    check_length("inverse bind matrices", inverse_binds.len(), joints.len())?;
    check_indices("joints of the skin", joints.iter().copied(), parents.len())?;
    check_finite("inverse bind matrices", bytemuck::cast_slice(inverse_binds))?;
    let (base, changed) = (models(parents, base), models(parents, changed));
    let bind = |(&joint, bind): (&u16, &Affine)| {
        let joint = usize::from(joint);
        let inverse = base[joint].inverse();
        let finite = inverse.is_finite() && changed[joint].is_finite();
        if !finite {
            return Err(FigureError::Singular { joint });
        }
        Ok((inverse * (changed[joint] * to_f64(bind))).as_affine3a().into())
    };
    joints.iter().zip(inverse_binds).map(bind).collect()
}

/// Inverse binds of a skin that hangs joint by joint below the animation's skeleton, each joint with a place and size
/// of its own that its children do not inherit and that no clip overwrites: `local[i] * inverse_bind[i]`.
///
/// Shapes: one entry a joint of the skin each. With identities the binds come back.
pub fn hung_binds(locals: &[Trs], inverse_binds: &[Affine]) -> Result<Vec<Affine>, FigureError> {
    check_length("places of hung joints", locals.len(), inverse_binds.len())?;
    let hang = |(local, bind): (&Trs, &Affine)| (matrix(local) * to_f64(bind)).as_affine3a().into();
    Ok(locals.iter().zip(inverse_binds).map(hang).collect())
}

fn matrix(joint: &Trs) -> DAffine3 {
    let DTrs { translation, rotation, scale } = (*joint).into();
    DAffine3::from_scale_rotation_translation(scale, rotation, translation)
}

fn to_f64(affine: &Affine) -> DAffine3 {
    let column = |i: usize| DVec3::from_array([0, 1, 2].map(|row| f64::from(affine.0.0[4 * row + i])));
    DAffine3 { matrix3: DMat3::from_cols(column(0), column(1), column(2)), translation: column(3) }
}

fn models(parents: &[u16], joints: &[Trs]) -> Vec<DAffine3> {
    let mut out: Vec<DAffine3> = Vec::with_capacity(joints.len());
    for (&parent, joint) in parents.iter().zip(joints) {
        let above = if parent == NO_PARENT { DAffine3::IDENTITY } else { out[usize::from(parent)] };
        out.push(above * matrix(joint));
    }
    out
}

/// Blends inverse binds of two bodies of one skin.
///
/// Shapes: all have one entry a joint of the skin. Weights: any; 0 and 1 give the bits of the two.
pub struct BlendBinds<'a> {
    pub isa: Isa,
    pub base: &'a [Affine],
    pub changed: &'a [Affine],
    pub weight: f32,
    pub out: &'a mut [Affine],
}

impl BlendBinds<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        if !self.weight.is_finite() {
            return Err(JobError::Weight { layer: 0, weight: self.weight });
        }
        check_finite("inverse binds of the base", bytemuck::cast_slice(self.base))?;
        check_finite("inverse binds of the changed body", bytemuck::cast_slice(self.changed))
    }

    fn check_shape(&self) -> Result<(), JobError> {
        check_length("inverse binds of the changed body", self.changed.len(), self.base.len())?;
        check_length("inverse binds written", self.out.len(), self.base.len())
    }

    /// Writes `out`. Panics where lengths differ.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        if self.weight == 0.0 || self.weight == 1.0 {
            self.out.copy_from_slice(if self.weight == 0.0 { self.base } else { self.changed });
            return;
        }
        self.isa.run_wide(Kernel(self));
    }
}

struct Kernel<'a>(BlendBinds<'a>);

impl WideWork for Kernel<'_> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let BlendBinds { base, changed, weight, out, .. } = self.0;
        for ((base, changed), out) in base.iter().zip(changed).zip(out) {
            let base = wide.scale_matrix(wide.load_matrix(&base.0), 1.0 - weight);
            let changed = wide.scale_matrix(wide.load_matrix(&changed.0), weight);
            wide.store_matrix(wide.add_matrices(base, changed), &mut out.0);
        }
    }
}
