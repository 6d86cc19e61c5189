//! Skinning takes nothing from the heap.

use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{
    CentreBlock, Directions, DualJoint, InfluenceBlock, MeshInfluences, SkinBlended, SkinCentres, SkinDualQuaternion,
    SkinMesh, SkinSorted, SortedInfluences, VertexBlock, dual_palette,
};
use stillframe_base::lanes::{Isa, ROW, Row};

use super::HEAP;

#[test]
fn skinning_does_not_allocate() {
    let palette = [Affine::IDENTITY; 20];
    let vertices = [VertexBlock::ZERO; 2];
    let blocks = [InfluenceBlock::ZERO; 6];
    let sorted = SortedInfluences { ends: &[1, 2], joints: &[0, 19], weights: &[[255; ROW]; 2] };
    let (mut rotations, centres, mut out) = ([DualJoint::IDENTITY; 20], [CentreBlock::ZERO; 2], vertices);
    let shares = [Row([0.5; ROW]); 2];
    for isa in Isa::available() {
        for directions in [Directions::Carried, Directions::Unit, Directions::InverseTranspose, Directions::Surface] {
            let ((), bytes) = HEAP.watch_thread(|| {
                let palette = &palette;
                for count in 1..=9 {
                    let influences = MeshInfluences { count, blocks: &blocks[..InfluenceBlock::sets_for(count) * 2] };
                    SkinMesh { isa, palette, influences, directions, vertices: &vertices, out: &mut out }.run();
                }
                let influences = MeshInfluences { count: 4, blocks: &blocks[..2] };
                SkinSorted { isa, palette, influences: sorted, directions, vertices: &vertices, out: &mut out }.run();
                assert_eq!(dual_palette(palette, &mut rotations), Ok(()));
                let (rotations, vertices, out) = (&rotations, &vertices, &mut out);
                SkinDualQuaternion { isa, palette: rotations, influences, directions, vertices, out }.run();
                let shares = &shares;
                SkinBlended { isa, palette, rotations, influences, shares, directions, vertices, out }.run();
                let centres = &centres;
                SkinCentres { isa, palette, rotations, influences, centres, directions, vertices, out }.run();
            });
            assert_eq!(bytes, 0, "{isa}");
        }
    }
    assert_eq!(HEAP.watch_thread(|| drop(vec![1u8; 100])).1, 100, "the count counts");
}
