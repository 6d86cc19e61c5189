//! Solvers, deltas and masked blends take nothing from the heap, and their bits are these on every machine.

use glam::{Quat, Vec3};
use stillframe_anim::ik::{
    Aim, AimJoint, Ccd, Fabrik, Foot, FootPlant, GroundHit, JacobianTranspose, JointLimit, Limit, Reach, Rig, Twist,
    TwoBone,
};
use stillframe_anim::pose::{
    AddDeltas, DeltaLayer, DeltaReference, JointBlock, MakeDelta, MaskedBlend, MaskedLayer, NO_PARENT, Trs,
};
use stillframe_base::lanes::{Isa, ROW, Row};

use super::HEAP;

const LIMIT: Limit = Limit::Cone { axis: Vec3::Y, swing_max_rad: 0.6, twist_min_rad: -0.2, twist_max_rad: 0.4 };

/// Twenty joints in a row, each turned a little.
fn pose() -> Vec<JointBlock> {
    let joint = |j: usize| Trs {
        translation: Vec3::new(0.0, 0.2, 0.01 * j as f32),
        rotation: Quat::from_xyzw(0.1, 0.02 * j as f32, -0.05, 1.0).normalize(),
        scale: Vec3::ONE,
    };
    JointBlock::pack(&(0..20).map(joint).collect::<Vec<_>>())
}

/// Every solver, one after the other on one pose.
fn solve(parents: &[u16], locals: &mut [JointBlock], limits: &[JointLimit], reaches: &mut [Reach; 5]) {
    let (pole, weight, target) = (Vec3::Z, 1.0, Vec3::new(0.3, 0.5, 0.2));
    let feet = &[Foot {
        joints: [15, 16, 17],
        bend_axis: Vec3::X,
        ankle_height_m: 0.1,
        hit: Some(GroundHit { height_m: 0.4, normal: Vec3::new(0.2, 1.0, 0.1) }),
    }];
    let joints = [1, 2, 3, 4, 5, 6];
    let rig = Rig { parents, locals };
    let job = Fabrik {
        rig,
        joints: &joints,
        bends_max_rad: &[0.7; 4],
        target,
        pole,
        tolerance_m: 1e-4,
        iterations_max: 30,
        weight,
    };
    assert_eq!(job.validate(), Ok(()));
    reaches[0] = job.run();
    let (joints, rig) = ([6, 7, 8, 9, 10], Rig { parents, locals });
    let job = Ccd { rig, joints: &joints, limits, target, pole, tolerance_m: 1e-4, iterations_max: 30, weight };
    assert_eq!(job.validate(), Ok(()));
    reaches[1] = job.run();
    let (rig, bend_axis) = (Rig { parents, locals }, Vec3::ZERO);
    let job = TwoBone { rig, joints: [10, 11, 12], target, pole, bend_axis, soften: 0.9, weight: 0.7 };
    assert_eq!(job.validate(), Ok(()));
    reaches[2] = job.run();
    let joints = [AimJoint { joint: 12, weight: 0.4 }, AimJoint { joint: 14, weight: 1.0 }];
    let (rig, offset, forward, up) = (Rig { parents, locals }, Vec3::X * 0.1, Vec3::Z, Vec3::Y);
    let job = Aim { rig, joints: &joints, target, offset, forward, up, pole: Vec3::Y, weight };
    assert_eq!(job.validate(), Ok(()));
    reaches[3] = job.run();
    let job = FootPlant {
        rig: Rig { parents, locals },
        pelvis: 14,
        feet,
        ground_m: 0.0,
        plant_m: 100.0,
        lift_m: 100.0,
        tilt_max_rad: 0.5,
        pelvis_before_m: -0.1,
        step_s: 0.1,
        time_constant_s: 0.3,
        weight,
        reaches: &mut reaches[4..],
    };
    assert_eq!(job.validate(), Ok(()));
    job.run();
}

#[test]
fn running_takes_nothing_from_the_heap() {
    let parents: [u16; 20] = std::array::from_fn(|j| if j == 0 { NO_PARENT } else { j as u16 - 1 });
    let limits = [JointLimit { rest: Quat::IDENTITY, limit: LIMIT }; 4];
    let (before, mask) = (pose(), [Row([0.5; ROW]); 2]);
    let (mut locals, mut delta, mut sum, mut blended) = (pose(), pose(), pose(), pose());
    let mut reaches = [Reach { reached: false, distance_m: 0.0, iterations: 0, blind: false, limited: false }; 5];
    let ((), bytes) = HEAP.watch_thread(|| solve(&parents, &mut locals, &limits, &mut reaches));
    assert_eq!(bytes, 0, "solvers");
    let mut arm = pose();
    let ((), bytes) = HEAP.watch_thread(|| {
        let (rig, joints) = (Rig { parents: &parents, locals: &mut arm }, &[6, 7, 8, 9, 10]);
        let (limits, target, pole) = (&limits, Vec3::new(0.3, 0.5, 0.2), Vec3::Z);
        let (tolerance_m, iterations_max, weight) = (1e-4, 30, 1.0);
        JacobianTranspose { rig, joints, limits, target, pole, tolerance_m, iterations_max, weight }.run();
    });
    assert_eq!(bytes, 0, "Jacobian transpose");
    let ((), bytes) = HEAP.watch_thread(|| {
        let rig = Rig { parents: &parents, locals: &mut arm };
        let (joints, shares, rest) = (&[6, 7, 8], &[0.1, 0.6], Quat::IDENTITY);
        Twist { rig, joints, shares, rest, weight: 1.0 }.run();
    });
    assert_eq!(bytes, 0, "twist");
    for isa in Isa::available() {
        let ((), bytes) = HEAP.watch_thread(|| {
            let reference = DeltaReference::Pose(&before);
            let (frames, frame_blocks) = (&locals, 2);
            MakeDelta { isa, frames, frame_blocks, reference, present: None, out: &mut delta }.run();
            let deltas = &[DeltaLayer { delta: &delta, weight: 0.3, mask: Some(&mask) }];
            AddDeltas { isa, base: &locals, deltas, out: &mut sum }.run();
            let layers = [
                MaskedLayer { pose: &sum, weight: 0.3, mask: Some(&mask) },
                MaskedLayer { pose: &locals, weight: 1.0, mask: None },
            ];
            MaskedBlend { isa, layers: &layers, rest: &before, threshold: 2.0, out: &mut blended }.run();
        });
        assert_eq!(bytes, 0, "{isa}");
        let digest = |blocks: &[JointBlock]| {
            stillframe_base::hash::Digest::of_bytes(bytemuck::cast_slice(blocks)).to_string()[..16].to_owned()
        };
        let got = [digest(&locals), digest(&delta), digest(&sum), digest(&blended)];
        assert_eq!(got, ["b3:d4d051bea0e3e", "b3:caa62a60bdbf0", "b3:836a10598a70c", "b3:ec993b5212249"], "{isa}");
    }
    assert_eq!(HEAP.watch_thread(|| drop(vec![1u8; 100])).1, 100, "the count counts");
}
