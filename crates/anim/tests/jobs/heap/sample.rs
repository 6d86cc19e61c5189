//! Sampling takes nothing from the heap.

use stillframe_anim::pose::{JointBlock, Trs};
use stillframe_anim::sample::{Baking, DTrs, RawJoint, Sample, Skeleton, bake};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::HEAP;

#[test]
fn sampling_does_not_allocate() {
    let joint = |node| RawJoint { node, name: String::new(), parent: None, rest: Trs::IDENTITY };
    let skeleton = Skeleton::new(&(0..20).map(joint).collect::<Vec<RawJoint>>()).expect("twenty roots");
    let baking = Baking { rate: FrameRate::whole(30), object_error_max_m: None };
    let mut pose = |at: Tick, pose: &mut [DTrs]| {
        pose[0].translation.x = at.seconds();
        pose[17].rotation.x = at.seconds();
    };
    let (clip, _) = bake(&skeleton, Tick(TICKS_PER_SECOND), &[], &baking, &mut pose).expect("a clip");
    let mut out = [JointBlock::IDENTITY; 2];
    for isa in Isa::available() {
        let ((), bytes) = HEAP.watch_thread(|| {
            for at in (0..TICKS_PER_SECOND).step_by(9_999_991) {
                Sample { isa, clip: &clip, at: Tick(at), out: &mut out }.run();
            }
        });
        assert_eq!(bytes, 0, "{isa}");
    }
}
