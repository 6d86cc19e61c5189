//! Bodies: fat and thin without skinning anew.

use glam::{Affine3A, DMat4, DVec3, Vec3};
use proptest::prelude::*;
use stillframe_anim::figure::{BlendBinds, FigureError, body_binds, hung_binds};
use stillframe_anim::pose::{Affine, JobError, NO_PARENT, Trs};
use stillframe_base::lanes::Isa;

use super::rig::{JOINTS, PARENTS, f64s, kinematics, models, poses, skinned, turn, vector, vertices};

const ALL: [u16; JOINTS] = [0, 1, 2, 3, 4];

fn binds_of(rest: &[Trs; JOINTS]) -> Vec<Affine> {
    let inverse = |model: &DMat4| Affine::from(Affine3A::from_mat4(model.inverse().as_mat4()));
    kinematics(rest).iter().map(inverse).collect()
}

fn blend(isa: Isa, base: &[Affine], changed: &[Affine], weight: f32) -> Vec<Affine> {
    let mut out = vec![Affine::IDENTITY; base.len()];
    let job = BlendBinds { isa, base, changed, weight, out: &mut out };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

fn bits(affines: &[Affine]) -> Vec<u32> {
    bytemuck::cast_slice::<Affine, u32>(affines).to_vec()
}

fn near(a: &[DVec3], b: &[DVec3]) -> bool {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).all(|(a, b)| a.distance(*b) < 1e-3 * (1.0 + a.length()))
}

proptest! {
    /// At rest, all of the weight is the body of the changed rig and none of it that of the base.
    #[test]
    fn the_rest_pose_shows_both_bodies(base in poses(), changed in poses(), vertices in vertices()) {
        let binds = binds_of(&base);
        let fat = body_binds(&PARENTS, &base, &changed, &ALL, &binds).expect("sizes that can be undone");
        let at_rest = kinematics(&base);
        let changed_rig = skinned(&kinematics(&changed), &binds, &vertices);
        prop_assert!(near(&skinned(&at_rest, &blend(Isa::detect(), &binds, &fat, 1.0), &vertices), &changed_rig));
        let own = skinned(&at_rest, &binds, &vertices);
        prop_assert_eq!(skinned(&at_rest, &blend(Isa::detect(), &binds, &fat, 0.0), &vertices), own);
    }

    /// Any pose of any clip: without weight it is to the bit what there would be without this.
    #[test]
    fn clips_are_shared(base in poses(), changed in poses(), pose in poses(), weight in 0.0f32..=1.0, vertices in vertices()) {
        let binds = binds_of(&base);
        let fat = body_binds(&PARENTS, &base, &changed, &ALL, &binds).expect("sizes that can be undone");
        prop_assert_eq!(bits(&blend(Isa::detect(), &binds, &fat, 0.0)), bits(&binds));
        prop_assert_eq!(bits(&blend(Isa::detect(), &binds, &fat, 1.0)), bits(&fat));
        // A blend of matrices is a blend of the vertices of the two bodies, in every pose.
        let posed = kinematics(&pose);
        let [thin, fat_body] = [&binds, &fat].map(|binds| skinned(&posed, binds, &vertices));
        let share = f64::from(weight);
        let want: Vec<DVec3> = thin.iter().zip(&fat_body).map(|(a, b)| *a * (1.0 - share) + *b * share).collect();
        prop_assert!(near(&skinned(&posed, &blend(Isa::detect(), &binds, &fat, weight), &vertices), &want));
        for isa in Isa::available() {
            let want = bits(&blend(Isa::Scalar, &binds, &fat, weight));
            prop_assert_eq!(bits(&blend(isa, &binds, &fat, weight)), want, "{}", isa);
        }
    }

    /// The same body changes nothing.
    #[test]
    fn the_base_as_a_body_is_the_base(base in poses()) {
        let binds = binds_of(&base);
        let same = body_binds(&PARENTS, &base, &base, &ALL, &binds).expect("sizes that can be undone");
        for (a, b) in same.iter().zip(&binds) {
            prop_assert!(f64s(a).abs_diff_eq(f64s(b), 1e-5 * (1.0 + f64s(b).w_axis.length())));
        }
    }

    /// Two skeletons: hung joints are scaled one by one; the animation's own matrices have no part in it, nor have
    /// their children.
    #[test]
    fn hung_joints_are_their_own(
        base in poses(), pose in poses(), which in 0..JOINTS, scale in vector(2.0), rotation in turn(), vertices in vertices(),
    ) {
        let binds = binds_of(&base);
        let mut locals = [Trs::IDENTITY; JOINTS];
        let still = hung_binds(&locals, &binds).expect("one a joint");
        locals[which] = Trs { translation: Vec3::Y, rotation, scale };
        let hung = hung_binds(&locals, &binds).expect("one a joint");
        let (animated, posed) = (models(&pose), kinematics(&pose));
        for joint in 0..JOINTS {
            prop_assert!(f64s(&still[joint]) == f64s(&binds[joint]));
            prop_assert!(joint == which || hung[joint] == still[joint]);
        }
        prop_assert_eq!(bits(&animated), bits(&models(&pose)));
        let (before, after) = (skinned(&posed, &binds, &vertices), skinned(&posed, &hung, &vertices));
        for ((before, after), (_, joints, weight)) in before.iter().zip(&after).zip(&vertices) {
            let pulled = joints[0] == which && *weight < 1.0 || joints[1] == which && *weight > 0.0;
            prop_assert!(pulled || before == after);
        }
        // By hand for one that it pulls at alone: joint * own place * bind.
        let at = DVec3::new(0.1, 0.2, 0.3);
        let own = DMat4::from_scale_rotation_translation(scale.as_dvec3(), rotation.as_dquat(), DVec3::Y);
        let want = (posed[which] * own * f64s(&binds[which])).transform_point3(at);
        prop_assert!(near(&skinned(&posed, &hung, &[(at, [which; 2], 0.0)]), &[want]));
    }
}

/// D28: the printed second formula lacks the joint's own fat matrix; with it missing a leaf's own size does nothing.
#[test]
fn d28_a_joint_s_own_size_counts() {
    let base = [Trs::IDENTITY; JOINTS];
    let mut fat = base;
    fat[4].scale = Vec3::splat(2.0);
    let binds = body_binds(&PARENTS, &base, &fat, &[4], &[Affine::IDENTITY]).expect("sizes that can be undone");
    let tip = f64s(&binds[0]).transform_point3(DVec3::ONE);
    assert_eq!(tip, DVec3::splat(2.0));
}

#[test]
fn each_fault_is_named() {
    let base = [Trs::IDENTITY; JOINTS];
    let mut flat = base;
    flat[1].scale = Vec3::new(1.0, 0.0, 1.0);
    let binds = vec![Affine::IDENTITY; JOINTS];
    assert_eq!(body_binds(&PARENTS, &flat, &base, &ALL, &binds), Err(FigureError::Singular { joint: 1 }));
    assert_eq!(body_binds(&PARENTS, &flat, &base, &[0], &binds[..1]), Ok(binds[..1].to_vec()));
    let length = |what, count, want| JobError::Length { what, count, want };
    let refused = |parents: &[u16], base: &[Trs], changed: &[Trs], joints: &[u16]| {
        body_binds(parents, base, changed, joints, &binds).expect_err("refused")
    };
    assert_eq!(refused(&PARENTS, &base[1..], &base, &ALL), length("joints of the base", 4, 5).into());
    assert_eq!(refused(&PARENTS, &base, &base[1..], &ALL), length("joints of the changed body", 4, 5).into());
    assert_eq!(refused(&PARENTS, &base, &base, &[]), length("inverse bind matrices", 5, 0).into());
    let index = JobError::JointIndex { what: "joints of the skin", entry: 4, joint: 5, count: 5 };
    assert_eq!(refused(&PARENTS, &base, &base, &[0, 1, 2, 3, 5]), index.into());
    let order = JobError::ParentOrder { joint: 0, parent: 1 };
    assert_eq!(refused(&[1, NO_PARENT, 0, 0, 0], &base, &base, &ALL), order.into());
    assert_eq!(hung_binds(&base, &binds[..1]), Err(length("places of hung joints", 5, 1).into()));

    let validate = |base: &[Affine], changed: &[Affine], weight: f32, out: &mut [Affine]| {
        BlendBinds { isa: Isa::detect(), base, changed, weight, out }.validate()
    };
    let (one, mut nan) = ([Affine::IDENTITY], [Affine::IDENTITY]);
    nan[0].0.0[3] = f32::NAN;
    assert!(matches!(validate(&one, &one, f32::NAN, &mut [one[0]]), Err(JobError::Weight { .. })));
    assert_eq!(validate(&one, &[], 0.5, &mut [one[0]]), Err(length("inverse binds of the changed body", 0, 1)));
    assert_eq!(validate(&one, &one, 0.5, &mut []), Err(length("inverse binds written", 0, 1)));
    assert!(matches!(validate(&nan, &one, 0.5, &mut [one[0]]), Err(JobError::NotFinite { .. })));
    assert!(matches!(validate(&one, &nan, 0.5, &mut [one[0]]), Err(JobError::NotFinite { .. })));
}
