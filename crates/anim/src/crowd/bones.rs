//! Bones: palettes over time, three rows of a matrix a joint, and behind them the shares of shapes.

use glam::{DAffine3, DMat3, DVec3};
use stillframe_base::lanes::{ROW, Row};
use stillframe_base::tick::Tick;

use super::bake::{Source, Span, bake};
use super::{BakedFrames, CrowdBaking, CrowdError, CrowdReport};
use crate::pose::{Affine, NO_PARENT};
use crate::sample::{DTrs, Skeleton};

/// How far from a joint, along each axis, the points lie at which errors are measured.
pub const VIRTUAL_VERTICES_M: [f64; 2] = [0.03, 0.15];

/// What clips move.
#[derive(Clone, Copy)]
pub struct CrowdRig<'a> {
    pub skeleton: &'a Skeleton,
    /// The skeleton's joint of each joint of the skin.
    pub joints: &'a [u16],
    /// From the mesh's space at bind time to the joint's, one a joint of the skin: baked frames are palettes.
    /// Identities give the model matrices themselves.
    pub inverse_binds: &'a [Affine],
}

/// A clip to bake.
pub struct CrowdClip<'a> {
    pub length: Tick,
    pub looping: bool,
    /// Moments from 0 to `length` at which it may bend or jump, in any order: frames are put on them where that takes
    /// fewer.
    pub keys: &'a [Tick],
    /// As for [`sample::bake`](crate::sample::bake): given the rest pose, it writes what differs at a moment from 0 to
    /// `length`. Moments are asked for in any order and more than once.
    pub pose: &'a mut dyn FnMut(Tick, &mut [DTrs]),
}

/// Shapes that a clip moves beside its joints.
pub struct MovingShapes<'a> {
    /// How far a whole share of each shape moves a vertex at most, metres: errors of shares are measured with it.
    pub reaches_m: &'a [f64],
    /// By clip: writes the share of every shape at a moment, as [`CrowdClip::pose`] is asked.
    pub shares: Vec<&'a mut dyn FnMut(Tick, &mut [f64])>,
}

/// Shares in one item: they lie in items as joints do, behind the joints, so that a share is a number of a texel.
const ITEM_SHARES: usize = 12;

/// Palettes of clips, in one texture.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedBones {
    pub frames: BakedFrames,
}

impl BakedBones {
    /// Bakes clips of one rig. What is wrong with any clip is an error; reports are in the clips' order.
    pub fn bake(
        rig: CrowdRig<'_>,
        clips: &mut [CrowdClip<'_>],
        baking: &CrowdBaking,
    ) -> Result<(BakedBones, Vec<CrowdReport>), CrowdError> {
        BakedBones::bake_shaped(rig, clips, MovingShapes { reaches_m: &[], shares: Vec::new() }, baking)
    }

    /// The same with shares of shapes, which lie behind the joints: share `s` is number `s % 4` of texel `3 * joints +
    /// s / 4` of a frame.
    ///
    /// Shapes: where there are any, each clip has its shares.
    pub fn bake_shaped(
        rig: CrowdRig<'_>,
        clips: &mut [CrowdClip<'_>],
        shapes: MovingShapes<'_>,
        baking: &CrowdBaking,
    ) -> Result<(BakedBones, Vec<CrowdReport>), CrowdError> {
        let binds = binds(rig)?;
        let MovingShapes { reaches_m, mut shares } = shapes;
        let want = if reaches_m.is_empty() { 0 } else { clips.len() };
        if shares.len() != want {
            return Err(CrowdError::Count { what: "clips of shapes", count: shares.len(), want });
        }
        let mut shares = shares.iter_mut();
        let mut sources: Vec<(Span<'_>, Bones<'_>)> = clips
            .iter_mut()
            .map(|clip| {
                let CrowdClip { length, looping, keys, pose } = clip;
                let span = Span { length: *length, looping: *looping, keys };
                let (locals, models, binds) = (Vec::new(), Vec::new(), &*binds);
                let shares = shares.next().map(|shares| &mut **shares as &mut dyn FnMut(Tick, &mut [f64]));
                (span, Bones { rig, binds, pose: *pose, reaches_m, shares, locals, models })
            })
            .collect();
        let mut sources: Vec<(Span<'_>, &mut dyn Source)> =
            sources.iter_mut().map(|(span, source)| (*span, source as &mut dyn Source)).collect();
        let item_count = rig.joints.len() + reaches_m.len().div_ceil(ITEM_SHARES);
        let (frames, reports) = bake(&mut sources, item_count, 3, baking)?;
        Ok((BakedBones { frames }, reports))
    }
}

/// A joint of an actor's palette, from the rows that [`SampleCrowd`](super::SampleCrowd) has written for it.
pub fn affine_of(palette: &[Row], joint: usize) -> Affine {
    let mut rows = Row::IDENTITY;
    for (n, out) in rows.0[..12].iter_mut().enumerate() {
        let number = joint * 12 + n;
        *out = palette[number / ROW].0[number % ROW];
    }
    Affine(rows)
}

/// From joints' spaces to the mesh's at bind time.
fn binds(rig: CrowdRig<'_>) -> Result<Vec<DAffine3>, CrowdError> {
    let CrowdRig { skeleton, joints, inverse_binds } = rig;
    if inverse_binds.len() != joints.len() {
        return Err(CrowdError::Count {
            what: "inverse bind matrices",
            count: inverse_binds.len(),
            want: joints.len(),
        });
    }
    let count = skeleton.joint_count();
    if let Some((joint, &of)) = joints.iter().enumerate().find(|(_, of)| usize::from(**of) >= count) {
        return Err(CrowdError::JointIndex { joint, of, count });
    }
    let invert = |(joint, affine): (usize, &Affine)| {
        let bind = f64_affine(affine).inverse();
        if bind.is_finite() { Ok(bind) } else { Err(CrowdError::Bind { joint }) }
    };
    inverse_binds.iter().enumerate().map(invert).collect()
}

fn f64_affine(affine: &Affine) -> DAffine3 {
    affine_of_rows(&affine.0.0.map(f64::from))
}

/// Twelve numbers by rows.
fn affine_of_rows(n: &[f64]) -> DAffine3 {
    let column = |i: usize| DVec3::new(n[i], n[4 + i], n[8 + i]);
    DAffine3 { matrix3: DMat3::from_cols(column(0), column(1), column(2)), translation: column(3) }
}

struct Bones<'a> {
    rig: CrowdRig<'a>,
    binds: &'a [DAffine3],
    pose: &'a mut dyn FnMut(Tick, &mut [DTrs]),
    reaches_m: &'a [f64],
    shares: Option<&'a mut dyn FnMut(Tick, &mut [f64])>,
    locals: Vec<DTrs>,
    models: Vec<DAffine3>,
}

impl Source for Bones<'_> {
    fn item_count(&self) -> usize {
        self.rig.joints.len() + self.reaches_m.len().div_ceil(ITEM_SHARES)
    }

    fn item_texels(&self) -> usize {
        3
    }

    fn numbers(&mut self, at: Tick, out: &mut [f64]) {
        let CrowdRig { skeleton, joints, inverse_binds } = self.rig;
        self.locals.clear();
        self.locals.extend(skeleton.rest().iter().map(|rest| DTrs::from(*rest)));
        (self.pose)(at, &mut self.locals);
        self.models.clear();
        for (local, &parent) in self.locals.iter().zip(skeleton.parents()) {
            let rotation = local.rotation.normalize();
            let local = DAffine3::from_scale_rotation_translation(local.scale, rotation, local.translation);
            self.models.push(if parent == NO_PARENT { local } else { self.models[usize::from(parent)] * local });
        }
        for ((&joint, bind), out) in joints.iter().zip(inverse_binds).zip(out.chunks_exact_mut(12)) {
            let palette = self.models[usize::from(joint)] * f64_affine(bind);
            for (i, row) in out.chunks_exact_mut(4).enumerate() {
                row[..3].copy_from_slice(&palette.matrix3.row(i).to_array());
                row[3] = palette.translation[i];
            }
        }
        if let Some(shares) = &mut self.shares {
            let first = 12 * joints.len();
            shares(at, &mut out[first..first + self.reaches_m.len()]);
        }
    }

    fn off(&self, item: usize, want: &[f64], got: &[f64], note: &mut dyn FnMut(f64, f64)) {
        if let Some(shares) = item.checked_sub(self.rig.joints.len()) {
            let reaches_m = &self.reaches_m[ITEM_SHARES * shares..];
            for ((want, got), reach_m) in want.iter().zip(got).zip(reaches_m) {
                note((want - got).abs() * reach_m, 0.0);
            }
            return;
        }
        let (want, got) = (affine_of_rows(want), affine_of_rows(got));
        for reach in VIRTUAL_VERTICES_M {
            for axis in DVec3::AXES {
                let vertex = self.binds[item].transform_point3(axis * reach);
                note(want.transform_point3(vertex).distance(got.transform_point3(vertex)), 0.0);
            }
        }
    }
}
