//! Running a job allocates nothing.

use stillframe_anim::pose::{
    Affine, AffineBlock, Blend, BlendLayer, CrowdToModel, JointBlock, LocalToModel, NO_PARENT, Palette,
};
use stillframe_base::lanes::Isa;

use super::HEAP;

#[test]
fn running_a_job_allocates_nothing() {
    let pose = [JointBlock::IDENTITY; 2];
    let layers = [BlendLayer { pose: &pose, weight: 0.7 }, BlendLayer { pose: &pose, weight: 0.2 }];
    let parents: [u16; 20] = std::array::from_fn(|j| if j == 0 { NO_PARENT } else { j as u16 - 1 });
    let joints: [u16; 20] = std::array::from_fn(|j| j as u16);
    let (locals, roots) = ([JointBlock::IDENTITY; 20], AffineBlock::splat(Affine::IDENTITY));
    let mut blended = pose;
    let (mut models, mut palette, mut crowd) =
        ([Affine::IDENTITY; 20], [Affine::IDENTITY; 20], [AffineBlock::ZERO; 20]);
    for isa in Isa::available() {
        let ((), bytes) = HEAP.watch_thread(|| {
            Blend { isa, layers: &layers, rest: &pose, threshold: 1.0, out: &mut blended }.run();
            let root = &Affine::IDENTITY;
            LocalToModel { isa, parents: &parents, locals: &blended, root, models: &mut models }.run();
            Palette { isa, models: &models, joints: &joints, inverse_binds: &models, palette: &mut palette }.run();
            CrowdToModel { isa, parents: &parents, locals: &locals, roots: &roots, models: &mut crowd }.run();
        });
        assert_eq!(bytes, 0, "{isa}");
    }
    assert_eq!(HEAP.watch_thread(|| drop(vec![1u8; 100])).1, 100, "the count counts");
}
