//! Twist: dual quaternions and centres of rotation against f64, and what they are for.

use glam::{Affine3A, DVec2, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{
    CentreBlock, Directions, DualJoint, Influence, InfluenceBlock, InfluenceList, MeshInfluences, SkinBlended,
    SkinCentres, SkinDualQuaternion, SkinError, SkinMesh, VertexBlock, centres_of_rotation, dual_palette,
};
use stillframe_base::hash::Digest;
use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::math::ops;
use stillframe_testkit::worse;

use super::oracle;

struct Case<'a> {
    palette: &'a [Affine],
    list: &'a InfluenceList,
    vertices: &'a [VertexBlock],
}

impl Case<'_> {
    fn rotations(&self) -> Vec<DualJoint> {
        let mut rotations = vec![DualJoint::IDENTITY; self.palette.len()];
        assert_eq!(dual_palette(self.palette, &mut rotations), Ok(()));
        rotations
    }

    fn linear(&self, isa: Isa) -> Vec<VertexBlock> {
        let (blocks, mut out) = (self.list.blocks(), self.vertices.to_vec());
        let influences = MeshInfluences { count: self.list.influence_count(), blocks: &blocks };
        let Case { palette, vertices, .. } = *self;
        SkinMesh { isa, palette, influences, directions: Directions::Unit, vertices, out: &mut out }.run();
        out
    }

    fn dual(&self, isa: Isa) -> Vec<VertexBlock> {
        let (palette, blocks, mut out) = (self.rotations(), self.list.blocks(), self.vertices.to_vec());
        let influences = MeshInfluences { count: self.list.influence_count(), blocks: &blocks };
        let (palette, vertices, directions) = (&palette[..], self.vertices, Directions::Unit);
        let job = SkinDualQuaternion { isa, palette, influences, directions, vertices, out: &mut out };
        assert_eq!(job.validate(), Ok(()));
        job.run();
        out
    }

    fn centred(&self, isa: Isa, centres: &[CentreBlock]) -> Vec<VertexBlock> {
        let (rotations, blocks, mut out) = (self.rotations(), self.list.blocks(), self.vertices.to_vec());
        let influences = MeshInfluences { count: self.list.influence_count(), blocks: &blocks };
        let (rotations, vertices, directions) = (&rotations[..], self.vertices, Directions::Unit);
        let palette = self.palette;
        let job = SkinCentres { isa, palette, rotations, influences, centres, directions, vertices, out: &mut out };
        assert_eq!(job.validate(), Ok(()));
        job.run();
        out
    }
}

/// A tube of radius 1 along x from 0 to 8 about two joints; triangles between its rings; the second joint fades in from
/// 2 to 6.
fn tube() -> (InfluenceList, Vec<VertexBlock>, Vec<[u32; 3]>) {
    let (rings, sides) = (33u32, 16u32);
    let mut list = InfluenceList::new(2, 4);
    let mut vertices = vec![VertexBlock::ZERO; VertexBlock::count_for((rings * sides) as usize)];
    let mut triangles = Vec::new();
    for ring in 0..rings {
        for side in 0..sides {
            let (x, angle) = (ring as f32 * 0.25, side as f32 * std::f32::consts::TAU / sides as f32);
            let vertex = ring * sides + side;
            let at = [x, ops::cos(angle), ops::sin(angle)];
            for (i, number) in at.into_iter().enumerate() {
                vertices[vertex as usize / ROW].position[i].0[vertex as usize % ROW] = number;
            }
            let second = ((x - 2.0) / 4.0).clamp(0.0, 1.0);
            let raw = [Influence { joint: 0, weight: 1.0 - second }, Influence { joint: 1, weight: second }];
            list.push(&raw).expect("good weights");
            if ring + 1 < rings {
                let next = ring * sides + (side + 1) % sides;
                triangles.push([vertex, next, vertex + sides]);
                triangles.push([next, next + sides, vertex + sides]);
            }
        }
    }
    (list, vertices, triangles)
}

/// From the tube's axis.
fn radius(at: DVec3) -> f64 {
    DVec2::new(at.y, at.z).length()
}

/// Half a turn about its own axis: linear blending makes the middle of the tube a point (a sweet's wrapper), the others
/// keep its radius.
#[test]
fn a_twisted_tube_keeps_its_radius() {
    let (list, vertices, triangles) = tube();
    let palette: [Affine; 2] = [Affine::IDENTITY, Affine3A::from_rotation_x(3.1).into()];
    let case = Case { palette: &palette, list: &list, vertices: &vertices };
    let centres = centres_of_rotation(&triangles, &vertices, &list).expect("a tube");
    let least = |out: &[VertexBlock]| {
        (0..list.vertex_count()).map(|v| radius(oracle::position(out, v))).fold(f64::INFINITY, f64::min)
    };
    let isa = Isa::detect();
    assert!(least(&case.linear(isa)) < 0.05, "linear blending collapses: {}", least(&case.linear(isa)));
    assert!(least(&case.dual(isa)) > 0.999, "{}", least(&case.dual(isa)));
    assert!(least(&case.centred(isa, &centres)) > 0.99, "{}", least(&case.centred(isa, &centres)));
}

/// Bent by a right angle, dual quaternions push the outside of the bend further out than the tube's radius; centres of
/// rotation do so less.
#[test]
fn a_bent_tube_bulges_less_about_centres() {
    let (list, vertices, triangles) = tube();
    let about = Affine3A::from_translation(Vec3::X * 4.0)
        * Affine3A::from_rotation_z(std::f32::consts::FRAC_PI_2)
        * Affine3A::from_translation(Vec3::X * -4.0);
    let palette: [Affine; 2] = [Affine::IDENTITY, about.into()];
    let case = Case { palette: &palette, list: &list, vertices: &vertices };
    let centres = centres_of_rotation(&triangles, &vertices, &list).expect("a tube");
    // How far from the two axes, of which the nearer counts: on the outside of the bend that is the bulge.
    let bulge = |out: &[VertexBlock]| {
        let off = |at: DVec3| radius(at).min(DVec2::new(at.x - 4.0, at.z).length());
        (0..list.vertex_count()).map(|v| off(oracle::position(out, v))).fold(0.0, worse)
    };
    let isa = Isa::detect();
    let (dual, centred) = (bulge(&case.dual(isa)), bulge(&case.centred(isa, &centres)));
    assert!(dual > centred + 0.05, "dual quaternions {dual}, centres {centred}");
}

/// The centre of a vertex of two joints lies in the middle of the tube, not on its skin.
#[test]
fn centres_lie_inside() {
    let (list, vertices, triangles) = tube();
    let centres = centres_of_rotation(&triangles, &vertices, &list).expect("a tube");
    for vertex in 0..list.vertex_count() {
        let centre = oracle::lane(&centres[vertex / ROW].0, vertex % ROW);
        if list.of(vertex).len() == 2 {
            assert!(radius(centre) < 0.01, "{vertex}: {centre}");
        } else {
            assert_eq!(centre, oracle::position(&vertices, vertex), "one joint: any centre will do");
        }
    }
    let bad = centres_of_rotation(&[[0, 1, 9999]], &vertices, &list);
    assert_eq!(bad, Err(SkinError::UnknownVertex { triangle: 0, vertex: 9999, count: list.vertex_count() }));
}

/// Both quaternions of a rotation are the same rotation: a joint turned by just under and just over a whole turn moves
/// alike.
#[test]
fn the_nearer_quaternion_is_taken() {
    let mut list = InfluenceList::new(2, 2);
    list.push(&[Influence { joint: 0, weight: 0.5 }, Influence { joint: 1, weight: 0.5 }]).expect("good weights");
    let vertices = oracle::vertices(&mut oracle::stream(8, "nearer"), 1);
    let at = |angle: f32| {
        // Quaternions of 170 and -170 degrees lie on opposite sides.
        let palette: [Affine; 2] = [
            Affine3A::from_rotation_y(170f32.to_radians()).into(),
            Affine3A::from_quat(Quat::from_rotation_y(angle.to_radians())).into(),
        ];
        oracle::position(&Case { palette: &palette, list: &list, vertices: &vertices }.dual(Isa::detect()), 0)
    };
    let want = Affine3A::from_rotation_y(180f32.to_radians())
        .transform_point3(oracle::position(&vertices, 0).as_vec3())
        .as_dvec3();
    assert!(at(-170.0).distance(want) < 1e-5, "{} {want}", at(-170.0));
    assert!(at(190.0).distance(want) < 1e-5);
}

#[test]
fn palettes_that_are_not_rigid_are_refused() {
    let rigid = Affine3A::from_scale_rotation_translation(Vec3::splat(2.0), Quat::from_rotation_x(1.0), Vec3::ONE);
    for (bad, what) in [
        (Affine3A::from_scale(Vec3::new(1.0, 1.01, 1.0)), "uneven"),
        (Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0)), "mirrored"),
        (Affine3A::from_scale(Vec3::ZERO), "flat"),
        (
            Affine3A::from_mat4(glam::Mat4::from_cols_array(&[
                1.0, 0.1, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
            ])),
            "sheared",
        ),
        (Affine3A::from_translation(Vec3::new(f32::NAN, 0.0, 0.0)), "nowhere"),
        (Affine3A::from_scale(Vec3::splat(f32::NAN)), "nothing"),
    ] {
        let mut out = [DualJoint::IDENTITY; 2];
        let result = dual_palette(&[rigid.into(), bad.into()], &mut out);
        assert!(matches!(result, Err(SkinError::NotRigid { joint: 1, .. })), "{what}: {result:?}");
    }
    let mut out = [DualJoint::IDENTITY];
    assert_eq!(dual_palette(&[Affine::IDENTITY], &mut out), Ok(()));
    assert_eq!(out, [DualJoint::IDENTITY]);
    assert_eq!(dual_palette(&[], &mut out), Err(SkinError::Length { what: "dual quaternions", count: 1, want: 0 }));
}

proptest! {
    #[test]
    fn twists_are_those_of_f64_and_equal_everywhere(seed in any::<u64>(), count in 1usize..60, most in 1usize..=8) {
        let mut random = oracle::stream(seed, "twist");
        let palette = oracle::palette(&mut random, 9);
        let list = oracle::influences(&mut random, count, 9, most);
        let vertices = oracle::vertices(&mut random, count);
        let case = Case { palette: &palette, list: &list, vertices: &vertices };
        let centres: Vec<CentreBlock> =
            oracle::vertices(&mut random, count).iter().map(|block| CentreBlock(block.position)).collect();
        let (dual, centred) = (case.dual(Isa::Scalar), case.centred(Isa::Scalar, &centres));
        for vertex in 0..count {
            let centre = oracle::lane(&centres[vertex / ROW].0, vertex % ROW);
            let influences = list.of(vertex);
            let at = oracle::position(&vertices, vertex);
            // Which side a rotation lies on, and a turn of which little is left, hang on the last bits.
            let (_, turn, _) = oracle::blended_turn(&palette, influences);
            let first = oracle::scale_and_turn(&palette[usize::from(influences[0].joint)]).1;
            let sides = influences.iter().map(|i| oracle::scale_and_turn(&palette[usize::from(i.joint)]).1.dot(first).abs());
            if sides.fold(1.0, f64::min) < 1e-4 || turn.length() < 0.1 {
                continue;
            }
            for (out, matrix) in [
                (&dual, oracle::dual(&palette, influences)),
                (&centred, oracle::about(&palette, influences, centre)),
            ] {
                // 5 m: what places and turns of the palette add up to, over the length that is left of the turn.
                let slack = 1e-5 * 5.0 / turn.length().min(1.0);
                let want = matrix.transform_point3(at);
                prop_assert!(oracle::position(out, vertex).distance(want) < slack, "{} {}", oracle::position(out, vertex), want);
                let normal = matrix.transform_vector3(oracle::normal(&vertices, vertex)).normalize();
                prop_assert!(oracle::normal(out, vertex).distance(normal) < slack);
            }
        }
        let bits = |out: &[VertexBlock]| bytemuck::cast_slice::<_, u32>(out).to_vec();
        for isa in Isa::available() {
            prop_assert_eq!(bits(&case.dual(isa)), bits(&dual), "{}", isa);
            prop_assert_eq!(bits(&case.centred(isa, &centres)), bits(&centred), "{}", isa);
        }
    }

    /// One joint, or joints that move alike: all ways of skinning are one.
    #[test]
    fn rigid_parts_move_alike(seed in any::<u64>()) {
        let mut random = oracle::stream(seed, "rigid");
        let palette = vec![oracle::palette(&mut random, 1)[0]; 5];
        let list = oracle::influences(&mut random, 20, 5, 4);
        let vertices = oracle::vertices(&mut random, 20);
        let case = Case { palette: &palette, list: &list, vertices: &vertices };
        let centres: Vec<CentreBlock> = vertices.iter().map(|block| CentreBlock(block.normal)).collect();
        let linear = case.linear(Isa::detect());
        for vertex in 0..20 {
            let want = oracle::position(&linear, vertex);
            prop_assert!(oracle::position(&case.dual(Isa::detect()), vertex).distance(want) < 1e-5);
            prop_assert!(oracle::position(&case.centred(Isa::detect(), &centres), vertex).distance(want) < 1e-5);
        }
    }
}

/// The bits themselves: whoever changes an order of operations sees it here, on every machine.
#[test]
fn twists_keep_their_bits() {
    let mut random = oracle::stream(1, "bits");
    let palette = oracle::palette(&mut random, 9);
    let list = oracle::influences(&mut random, 50, 9, 8);
    let vertices = oracle::vertices(&mut random, 50);
    let case = Case { palette: &palette, list: &list, vertices: &vertices };
    let centres: Vec<CentreBlock> = vertices.iter().map(|block| CentreBlock(block.tangent)).collect();
    let digest = |out: &[VertexBlock]| Digest::of_bytes(bytemuck::cast_slice(out)).to_string()[..16].to_owned();
    for isa in Isa::available() {
        let got = [digest(&case.dual(isa)), digest(&case.centred(isa, &centres)), digest(&case.linear(isa))];
        assert_eq!(got, ["b3:19c6c2ef71251", "b3:9aaaf0a494328", "b3:604377cece72c"], "{isa}");
    }
}

/// Beyond the pairs of joints that are looked at triangle by triangle, those of nearly the same weights count as one:
/// centres hardly move.
#[test]
fn centres_of_fine_meshes_are_those_of_coarse_ones() {
    let (list, vertices, triangles) = tube();
    let coarse = centres_of_rotation(&triangles, &vertices, &list).expect("a tube");
    // The same surface, said forty times.
    let fine: Vec<[u32; 3]> = triangles.iter().cycle().take(triangles.len() * 40).copied().collect();
    let fine = centres_of_rotation(&fine, &vertices, &list).expect("a tube");
    let mut moved = 0.0_f64;
    for vertex in 0..list.vertex_count() {
        let at = |centres: &[CentreBlock]| oracle::lane(&centres[vertex / ROW].0, vertex % ROW);
        moved = moved.max(at(&coarse).distance(at(&fine)));
    }
    assert!(moved > 0.0 && moved < 0.02, "by {moved} of a radius of 1");
}

/// Nine influences and more, of which most have no weight: as with the two that have one.
#[test]
fn more_influences_than_are_written_out_are_summed_all_the_same() {
    let (list, vertices, triangles) = tube();
    let centres = centres_of_rotation(&triangles, &vertices, &list).expect("a tube");
    let palette: [Affine; 2] = [Affine::IDENTITY, Affine3A::from_rotation_x(1.3).into()];
    let case = Case { palette: &palette, list: &list, vertices: &vertices };
    let few = list.blocks();
    let many: Vec<InfluenceBlock> =
        few.iter().flat_map(|block| [*block, InfluenceBlock::ZERO, InfluenceBlock::ZERO]).collect();
    let rotations = case.rotations();
    for isa in Isa::available() {
        let (directions, mut out) = (Directions::Unit, vertices.clone());
        let (palette, rotations, vertices, centres) = (&palette[..], &rotations[..], &vertices[..], &centres[..]);
        let influences = MeshInfluences { count: 11, blocks: &many };
        SkinMesh { isa, palette, influences, directions, vertices, out: &mut out }.run();
        assert_eq!(out, case.linear(isa), "{isa}");
        SkinDualQuaternion { isa, palette: rotations, influences, directions, vertices, out: &mut out }.run();
        assert_eq!(out, case.dual(isa), "{isa}");
        SkinCentres { isa, palette, rotations, influences, centres, directions, vertices, out: &mut out }.run();
        assert_eq!(out, case.centred(isa, centres), "{isa}");
        // All of one way, and all of the other.
        for (share, wanted) in [(0.0, case.linear(isa)), (1.0, case.dual(isa))] {
            let shares = vec![Row([share; ROW]); vertices.len()];
            for influences in [influences, MeshInfluences { count: list.influence_count(), blocks: &few }] {
                let shares = &shares;
                let out = &mut out;
                SkinBlended { isa, palette, rotations, influences, shares, directions, vertices, out }.run();
                for vertex in 0..list.vertex_count() {
                    let off = oracle::position(out, vertex).distance(oracle::position(&wanted, vertex));
                    assert!(off < 1e-6, "{isa}, share {share}: {off}");
                }
            }
        }
    }
}
