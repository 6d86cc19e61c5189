//! Ranges: several skins of one mesh are ranges of one palette.

use glam::{Affine3A, Quat, Vec3};
use stillframe_anim::pose::{Affine, Palette};
use stillframe_anim::skin::{Directions, Influence, InfluenceList, MeshInfluences, SkinMesh, VertexBlock};
use stillframe_base::lanes::{Isa, ROW};

use super::oracle;

/// Two skins with inverse binds of their own over the same joints: part by part, and as one mesh whose second part
/// counts from where the first skin ends.
#[test]
fn skins_of_a_mesh_share_a_palette() {
    let mut random = oracle::stream(3, "ranges");
    let models = oracle::palette(&mut random, 6);
    let skins: [&[u16]; 2] = [&[0, 2, 4], &[5, 4, 3, 0]];
    let binds: Vec<Vec<Affine>> = skins
        .iter()
        .map(|joints| {
            let bind = |_| {
                let q: Quat = oracle::quat(&mut random);
                Affine3A::from_rotation_translation(q, oracle::vec3(&mut random) + Vec3::X).into()
            };
            joints.iter().map(bind).collect()
        })
        .collect();
    let isa = Isa::detect();
    let vertices = oracle::vertices(&mut random, 2 * ROW);
    let list = |skin: usize, first: u16, joint_count: usize| {
        let mut list = InfluenceList::new(joint_count, 4);
        for vertex in 0..ROW {
            let joint = first + (vertex % skins[skin].len()) as u16;
            let next = first + ((vertex + 1) % skins[skin].len()) as u16;
            list.push(&[Influence { joint, weight: 0.7 }, Influence { joint: next, weight: 0.3 }])
                .expect("good weights");
        }
        list
    };
    let skin = |palette: &[Affine], blocks: &[_], vertices: &[VertexBlock]| {
        let mut out = vec![VertexBlock::ZERO; vertices.len()];
        let influences = MeshInfluences { count: 2, blocks };
        let job = SkinMesh { isa, palette, influences, directions: Directions::Carried, vertices, out: &mut out };
        assert_eq!(job.validate(), Ok(()));
        job.run();
        out
    };

    let mut apart = Vec::new();
    for number in 0..2 {
        let joints = skins[number];
        let mut palette = vec![Affine::IDENTITY; joints.len()];
        Palette { isa, models: &models, joints, inverse_binds: &binds[number], palette: &mut palette }.run();
        apart.extend(skin(&palette, &list(number, 0, joints.len()).blocks(), &vertices[number..=number]));
    }

    let mut palette = vec![Affine::IDENTITY; 7];
    Palette { isa, models: &models, joints: &skins.concat(), inverse_binds: &binds.concat(), palette: &mut palette }
        .run();
    let blocks = [list(0, 0, 7).blocks(), list(1, 3, 7).blocks()].concat();
    assert_eq!(skin(&palette, &blocks, &vertices), apart);
}
