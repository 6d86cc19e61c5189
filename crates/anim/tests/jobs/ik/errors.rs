//! What `validate` refuses, one fault at a time.

use glam::{Quat, Vec3};
use stillframe_anim::ik::{
    Aim, AimJoint, Ccd, Fabrik, Foot, FootPlant, GroundHit, IkError, JointLimit, Limit, Reach, Rig, TwoBone,
};
use stillframe_anim::pose::{JobError, JointBlock, NO_PARENT, Trs};

use super::puppet::Puppet;

fn arm() -> Puppet {
    Puppet::straight(&[Vec3::X; 4])
}

type Change = fn(&mut TwoBone<'_>);

/// The fault in a two-bone job that `change` makes.
fn fault(puppet: &mut Puppet, change: Change) -> IkError {
    let (target, pole, bend_axis) = (Vec3::Y, Vec3::Z, Vec3::ZERO);
    let mut job = TwoBone { rig: puppet.rig(), joints: [0, 1, 2], target, pole, bend_axis, soften: 1.0, weight: 1.0 };
    assert_eq!(job.validate(), Ok(()));
    change(&mut job);
    job.validate().expect_err("a fault")
}

fn of(change: Change) -> IkError {
    fault(&mut arm(), change)
}

#[test]
fn chains_and_poses() {
    assert_eq!(
        of(|job| job.joints = [0, 1, 5]),
        JobError::JointIndex { what: "joints of a chain", entry: 2, joint: 5, count: 5 }.into()
    );
    assert_eq!(of(|job| job.joints = [0, 2, 1]), IkError::NotBelow { joint: 1, above: 2 });
    assert_eq!(of(|job| job.joints = [0, 0, 1]), IkError::NotBelow { joint: 0, above: 0 });
    let order = JobError::ParentOrder { joint: 1, parent: 1 };
    assert_eq!(of(|job| job.rig.parents = &[NO_PARENT, 1, 1]), order.into());
    let length = JobError::Length { what: "blocks of the local pose", count: 1, want: 2 };
    assert_eq!(of(|job| job.rig.parents = &[NO_PARENT; 17]), length.into());
    assert_eq!(of(|job| job.rig.locals[0].scale[1].0[1] = 1.1), IkError::Scale { joint: 1 });
    assert_eq!(
        of(|job| job.rig.locals[0].set_lane(0, Trs { scale: -Vec3::ONE, ..Trs::IDENTITY })),
        IkError::Scale { joint: 0 }
    );
    let finite = JobError::NotFinite { what: "local pose", row: 0, lane: 2 };
    assert_eq!(of(|job| job.rig.locals[0].translation[0].0[2] = f32::NAN), finite.into());
    let far = of(|job| job.rig.locals[0].translation[0].0[2] = 2e6);
    assert_eq!(far, IkError::Range { what: "position of a joint", value: 2e6 + 1.0, min: -1e6, max: 1e6 });

    // The end's own scale may be anything: nothing of the chain hangs on it.
    let mut puppet = arm();
    puppet.locals[0].scale[1].0[2] = 0.0;
    let (target, pole, bend_axis) = (Vec3::Y, Vec3::Z, Vec3::ZERO);
    let job = TwoBone { rig: puppet.rig(), joints: [0, 1, 2], target, pole, bend_axis, soften: 1.0, weight: 1.0 };
    assert_eq!(job.validate(), Ok(()));
}

#[test]
fn numbers_of_two_bones() {
    let range = |what, value, min, max| IkError::Range { what, value, min, max };
    assert_eq!(of(|job| job.target.y = 1e7), range("target", 1e7, -1e6, 1e6));
    assert_eq!(of(|job| job.soften = 0.0), range("soften", 0.0, 1e-3, 1.0));
    assert_eq!(of(|job| job.weight = 1.5), range("weight", 1.5, 0.0, 1.0));
    assert_eq!(of(|job| job.pole.x = f32::INFINITY), range("pole", f32::INFINITY, -f32::MAX, f32::MAX));
    assert!(matches!(of(|job| job.target.z = f32::NAN), IkError::Range { what: "target", .. }));
    assert!(matches!(of(|job| job.bend_axis.z = f32::NAN), IkError::Range { what: "bend axis", .. }));
    assert!(matches!(of(|job| job.weight = f32::NAN), IkError::Range { what: "weight", .. }));
}

#[test]
fn chains_of_many() {
    let mut puppet = arm();
    let mut ccd = |joints: &[u16], limits: &[JointLimit], tolerance_m| {
        let (target, pole) = (Vec3::Y, Vec3::ZERO);
        let rig = puppet.rig();
        Ccd { rig, joints, limits, target, pole, tolerance_m, iterations_max: 5, weight: 1.0 }.validate()
    };
    let limit = |limit| [JointLimit { rest: Quat::IDENTITY, limit }; 2];
    let range = |what, value, min, max| Err(IkError::Range { what, value, min, max });
    let cone = |swing_max_rad| Limit::Cone { axis: Vec3::X, swing_max_rad, twist_min_rad: 0.0, twist_max_rad: 0.0 };
    let hinge = |axis, min_rad, max_rad| Limit::Hinge { axis, min_rad, max_rad };
    assert_eq!(ccd(&[0, 1, 2], &limit(hinge(Vec3::X, -1.0, 5.0)), 0.0), Ok(()));
    assert_eq!(ccd(&[0], &[], 0.0), Err(IkError::ChainLength { count: 1, min: 2, max: 64 }));
    assert_eq!(
        ccd(&[0, 1], &limit(Limit::Free), 0.0),
        Err(JobError::Length { what: "limits", count: 2, want: 1 }.into())
    );
    assert_eq!(ccd(&[0, 1, 2], &limit(cone(4.0)), 0.0), range("swing limit", 4.0, 0.0, std::f32::consts::PI));
    assert_eq!(
        ccd(&[0, 1, 2], &limit(hinge(Vec3::X, 1.0, 0.5)), 0.0),
        range("upper limit", 0.5, 1.0, std::f32::consts::TAU)
    );
    assert!(matches!(
        ccd(&[0, 1, 2], &limit(hinge(Vec3::X, -4.0, 4.0)), 0.0),
        Err(IkError::Range { what: "upper limit", .. })
    ));
    assert!(matches!(
        ccd(&[0, 1, 2], &limit(hinge(Vec3::ZERO, 0.0, 1.0)), 0.0),
        Err(IkError::Range { what: "axis of a limit", .. })
    ));
    let unit = [JointLimit { rest: Quat::from_xyzw(0.0, 0.0, 0.0, 2.0), limit: Limit::Free }; 2];
    assert_eq!(ccd(&[0, 1, 2], &unit, 0.0), range("length of a rest rotation", 2.0, 0.999, 1.001));
    assert_eq!(ccd(&[0, 1, 2], &[], -1.0), range("tolerance", -1.0, 0.0, 1e6));

    let mut fabrik = |joints: &[u16], bends_max_rad: &[f32], weight| {
        let (target, pole, tolerance_m) = (Vec3::Y, Vec3::ZERO, 0.0);
        let rig = puppet.rig();
        Fabrik { rig, joints, bends_max_rad, target, pole, tolerance_m, iterations_max: 5, weight }.validate()
    };
    assert_eq!(fabrik(&[0, 1, 2], &[1.0], 1.0), Ok(()));
    assert_eq!(
        fabrik(&[0, 1, 2], &[1.0; 2], 1.0),
        Err(JobError::Length { what: "limits of bends", count: 2, want: 1 }.into())
    );
    assert_eq!(fabrik(&[0, 1, 2], &[-1.0], 1.0), range("limit of a bend", -1.0, 0.0, std::f32::consts::PI));
    assert_eq!(fabrik(&[0, 1, 2], &[], -1.0), range("weight", -1.0, 0.0, 1.0));
    let mut long = Puppet::straight(&[Vec3::X; 64]);
    let joints = long.chain.clone();
    let rig = Rig { parents: &long.parents, locals: &mut long.locals };
    let (target, pole, limits) = (Vec3::Y, Vec3::ZERO, &[]);
    let job = Ccd { rig, joints: &joints, limits, target, pole, tolerance_m: 0.0, iterations_max: 5, weight: 1.0 };
    assert_eq!(job.validate(), Err(IkError::ChainLength { count: 65, min: 2, max: 64 }));
}

#[test]
fn eyes_and_feet() {
    let mut puppet = arm();
    let mut aim = |weight, forward, up| {
        let joints = &[AimJoint { joint: 1, weight }];
        let (target, offset, pole) = (Vec3::Y, Vec3::ZERO, Vec3::ZERO);
        Aim { rig: puppet.rig(), joints, target, offset, forward, up, pole, weight: 1.0 }.validate()
    };
    assert_eq!(aim(1.0, Vec3::Z, Vec3::Y), Ok(()));
    assert_eq!(
        aim(2.0, Vec3::Z, Vec3::Y),
        Err(IkError::Range { what: "weight of a joint", value: 2.0, min: 0.0, max: 1.0 })
    );
    assert!(matches!(aim(1.0, Vec3::ZERO, Vec3::Y), Err(IkError::Range { what: "forward", .. })));
    assert!(matches!(aim(1.0, Vec3::Z, Vec3::ZERO), Err(IkError::Range { what: "up", .. })));
    let rig = puppet.rig();
    let (target, offset, pole) = (Vec3::Y, Vec3::ZERO, Vec3::ZERO);
    let none = Aim { rig, joints: &[], target, offset, forward: Vec3::Z, up: Vec3::Y, pole, weight: 1.0 };
    assert_eq!(none.validate(), Err(IkError::ChainLength { count: 0, min: 1, max: 64 }));

    let good = Foot {
        joints: [1, 2, 3],
        bend_axis: Vec3::ZERO,
        ankle_height_m: 0.1,
        hit: Some(GroundHit { height_m: 0.0, normal: Vec3::Y }),
    };
    let mut feet = |foot: Foot, pelvis, lift_m, count: usize| {
        let mut reaches = [Reach { reached: true, distance_m: 0.0, iterations: 0, blind: false, limited: false }; 2];
        let reaches = &mut reaches[..count];
        let (ground_m, plant_m, tilt_max_rad, pelvis_before_m) = (0.0, 0.02, 0.5, 0.0);
        let (rig, step_s, time_constant_s, weight) = (puppet.rig(), 0.1, 0.1, 1.0);
        let feet = &[foot];
        FootPlant {
            rig,
            pelvis,
            feet,
            ground_m,
            plant_m,
            lift_m,
            tilt_max_rad,
            pelvis_before_m,
            step_s,
            time_constant_s,
            weight,
            reaches,
        }
        .validate()
    };
    assert_eq!(feet(good, 0, 0.1, 1), Ok(()));
    assert_eq!(feet(good, 0, 0.1, 2), Err(JobError::Length { what: "reaches", count: 2, want: 1 }.into()));
    assert_eq!(feet(good, 2, 0.1, 1), Err(IkError::NotBelow { joint: 1, above: 2 }));
    assert_eq!(
        feet(good, 9, 0.1, 1),
        Err(JobError::JointIndex { what: "pelvis", entry: 0, joint: 9, count: 5 }.into())
    );
    assert!(matches!(feet(good, 0, 0.01, 1), Err(IkError::Range { what: "lifted height", .. })));
    let normal = Foot { hit: Some(GroundHit { height_m: 0.0, normal: Vec3::ZERO }), ..good };
    assert!(matches!(feet(normal, 0, 0.1, 1), Err(IkError::Range { what: "ground normal", .. })));
    let height = Foot { hit: Some(GroundHit { height_m: f32::NAN, normal: Vec3::Y }), ..good };
    assert!(matches!(feet(height, 0, 0.1, 1), Err(IkError::Range { what: "ground height", .. })));
    assert!(matches!(
        feet(Foot { ankle_height_m: -0.1, ..good }, 0, 0.1, 1),
        Err(IkError::Range { what: "ankle height", .. })
    ));
    assert_eq!(JointBlock::count_for(5), puppet.locals.len());
}
