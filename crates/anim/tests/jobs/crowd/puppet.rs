//! A chain of joints and clips that are formulas, in f64.

use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use stillframe_anim::crowd::{
    BakedBones, CrowdBaking, CrowdClip, CrowdError, CrowdReport, CrowdRig, Storage, TextureLimits,
};
use stillframe_anim::pose::{Affine, Trs};
use stillframe_anim::sample::{DTrs, RawJoint, Skeleton};
use stillframe_base::math::ops64;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

/// A clip that swings joints, faster from one to the next.
#[derive(Clone, Copy, Debug)]
pub struct Swing {
    pub length: Tick,
    /// Whole ones make a loop.
    pub swings: f64,
    pub reach_rad: f64,
    pub looping: bool,
}

pub const WALK: Swing = Swing { length: Tick(TICKS_PER_SECOND), swings: 1.0, reach_rad: 0.8, looping: true };
pub const RUN: Swing = Swing { length: Tick(TICKS_PER_SECOND * 2 / 3), swings: 2.0, reach_rad: 0.5, looping: true };
pub const FALL: Swing = Swing { length: Tick(TICKS_PER_SECOND * 3 / 2), swings: 0.25, reach_rad: 1.5, looping: false };

impl Swing {
    pub fn pose(&self, at: Tick, pose: &mut [DTrs]) {
        let turn = if self.length.0 == 0 { 0.0 } else { at.0 as f64 / self.length.0 as f64 * std::f64::consts::TAU };
        for (joint, pose) in pose.iter_mut().enumerate() {
            let angle = self.reach_rad * ops64::sin(turn * self.swings) / (1.0 + joint as f64);
            let (sin, cos) = ops64::sin_cos(angle * 0.5);
            pose.rotation *= if joint % 2 == 0 {
                DQuat::from_xyzw(sin, 0.0, 0.0, cos)
            } else {
                DQuat::from_xyzw(0.0, 0.0, sin, cos)
            };
        }
        pose[0].translation += DVec3::Y * (0.1 * ops64::sin(turn * self.swings));
    }
}

pub struct Puppet {
    pub skeleton: Skeleton,
    pub joints: Vec<u16>,
    pub inverse_binds: Vec<Affine>,
}

impl Puppet {
    pub fn new(joint_count: usize) -> Puppet {
        let joint = |node: usize| RawJoint {
            node,
            name: String::new(),
            parent: node.checked_sub(1),
            rest: Trs {
                translation: if node == 0 { Vec3::new(0.3, 1.0, 0.0) } else { Vec3::new(0.05, 0.25, 0.0) },
                rotation: Quat::from_xyzw(0.0, 0.1, 0.0, 1.0).normalize(),
                scale: Vec3::ONE,
            },
        };
        let joints: Vec<RawJoint> = (0..joint_count).map(joint).collect();
        let skeleton = Skeleton::new(&joints).expect("a chain");
        // Every other joint of the skeleton, from the last: the order of a skin is its own.
        let joints: Vec<u16> = (0..joint_count as u16).rev().step_by(2).collect();
        let rest: Vec<DTrs> = skeleton.rest().iter().map(|rest| DTrs::from(*rest)).collect();
        let models = chain(&rest);
        let inverse_binds = joints.iter().map(|joint| to_f32(&models[usize::from(*joint)].inverse())).collect();
        Puppet { skeleton, joints, inverse_binds }
    }

    pub fn rig(&self) -> CrowdRig<'_> {
        CrowdRig { skeleton: &self.skeleton, joints: &self.joints, inverse_binds: &self.inverse_binds }
    }

    pub fn bake(&self, swings: &[Swing], baking: &CrowdBaking) -> Result<(BakedBones, Vec<CrowdReport>), CrowdError> {
        let mut poses: Vec<_> =
            swings.iter().map(|swing| move |at: Tick, pose: &mut [DTrs]| swing.pose(at, pose)).collect();
        let mut clips: Vec<CrowdClip<'_>> = poses
            .iter_mut()
            .zip(swings)
            .map(|(pose, swing)| CrowdClip { length: swing.length, looping: swing.looping, keys: &[], pose })
            .collect();
        BakedBones::bake(self.rig(), &mut clips, baking)
    }

    /// The true palette.
    pub fn palette(&self, swing: &Swing, at: Tick) -> Vec<DAffine3> {
        let mut pose: Vec<DTrs> = self.skeleton.rest().iter().map(|rest| DTrs::from(*rest)).collect();
        swing.pose(at, &mut pose);
        let models = chain(&pose);
        let of = |(joint, bind): (&u16, &Affine)| models[usize::from(*joint)] * to_f64(bind);
        self.joints.iter().zip(&self.inverse_binds).map(of).collect()
    }
}

pub fn baking(storage: Storage, error_max_m: f64) -> CrowdBaking {
    CrowdBaking {
        storage,
        error_max_m,
        rate_min: FrameRate::whole(5),
        rate_max: FrameRate::whole(480),
        limits: TextureLimits::default(),
    }
}

fn chain(pose: &[DTrs]) -> Vec<DAffine3> {
    let mut out: Vec<DAffine3> = Vec::new();
    for joint in pose {
        let local = DAffine3::from_scale_rotation_translation(joint.scale, joint.rotation, joint.translation);
        out.push(out.last().map_or(local, |parent| *parent * local));
    }
    out
}

pub fn to_f64(affine: &Affine) -> DAffine3 {
    DAffine3::from_mat4(glam::DMat4::from_cols_array(&affine.0.0.map(f64::from)).transpose())
}

pub fn to_f32(affine: &DAffine3) -> Affine {
    let rows = glam::DMat4::from(*affine).transpose().to_cols_array();
    Affine(stillframe_base::lanes::Row(rows.map(|x| x as f32)))
}
