//! Poses: the laws of blending, f64 as the reference, the same bits at every instruction set, and what `validate`
//! refuses.

mod additive;
mod mesh_additive;

use glam::{DMat4, DQuat, DVec3, Quat, Vec3, Vec4};
use proptest::prelude::*;
use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::math::ops64;

use super::*;

/// Bits of plain data.
fn bits<T: bytemuck::Pod>(data: &[T]) -> Vec<u32> {
    bytemuck::cast_slice::<T, u32>(data).to_vec()
}

/// Unit quaternions, among them turns of a half and of a third, whose dot products are exactly 0 or hang on a rounding.
fn rotation() -> impl Strategy<Value = Quat> {
    let number = prop_oneof![3 => -1.0f32..1.0, 1 => prop::sample::select(vec![0.0, -0.0, 0.5, -0.5, 1.0, -1.0])];
    prop::array::uniform4(number).prop_map(|numbers| {
        let q = Quat::from_array(numbers);
        if q.length_squared() > 1e-2 { q.normalize() } else { Quat::IDENTITY }
    })
}

fn joint() -> impl Strategy<Value = Trs> {
    let vec3 = |range: std::ops::Range<f32>| prop::array::uniform3(range).prop_map(Vec3::from_array);
    (vec3(-3.0..3.0), rotation(), vec3(0.5..1.5)).prop_map(|(translation, rotation, scale)| Trs {
        translation,
        rotation,
        scale,
    })
}

/// Poses of up to 40 joints, each with a weight.
fn layers(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<(Vec<Trs>, f32)>> {
    (1usize..40).prop_flat_map(move |joints| {
        prop::collection::vec((prop::collection::vec(joint(), joints), 0.05f32..2.0), count.clone())
    })
}

struct Input {
    poses: Vec<Vec<JointBlock>>,
    weights: Vec<f32>,
    rest: Vec<JointBlock>,
}

impl Input {
    fn new(layers: &[(Vec<Trs>, f32)]) -> Input {
        let poses: Vec<_> = layers.iter().map(|(joints, _)| JointBlock::pack(joints)).collect();
        let rest = vec![JointBlock::IDENTITY; poses[0].len()];
        Input { poses, weights: layers.iter().map(|layer| layer.1).collect(), rest }
    }
    fn blend(&self, isa: Isa, threshold: f32) -> Vec<JointBlock> {
        let mut out = vec![JointBlock::IDENTITY; self.rest.len()];
        let layers: Vec<BlendLayer<'_>> =
            self.poses.iter().zip(&self.weights).map(|(pose, &weight)| BlendLayer { pose, weight }).collect();
        let blend = Blend { isa, layers: &layers, rest: &self.rest, threshold, out: &mut out };
        assert_eq!(blend.validate(), Ok(()));
        blend.run();
        out
    }
}

fn negated(joint: &Trs) -> Trs {
    Trs { rotation: -joint.rotation, ..*joint }
}

/// The same sum, written out for one joint: layers in index order, signs by the first.
fn blend_joint(joints: &[Trs], weights: &[f32]) -> Trs {
    let odd = |key: f32, q: Quat| [key, q.w, q.x, q.y, q.z].into_iter().find(|&x| x != 0.0).unwrap_or(0.0) < 0.0;
    let sum = weights.iter().fold(0.0, |sum, weight| sum + weight);
    let mut shares: Vec<f32> = weights.iter().map(|weight| weight / sum).collect();
    let last = shares.len() - 1;
    shares[last] = 1.0 - shares[..last].iter().fold(0.0, |sum, share| sum + share);
    let first = joints[0].rotation;
    let first = if odd(first.w, first) { -first } else { first };
    let mut out = Trs {
        translation: joints[0].translation * shares[0],
        rotation: first * shares[0],
        scale: joints[0].scale * shares[0],
    };
    for (joint, &share) in joints.iter().zip(&shares).skip(1) {
        let q = joint.rotation;
        let dot = ((q.x * first.x + q.y * first.y) + q.z * first.z) + q.w * first.w;
        out.translation += joint.translation * share;
        out.rotation += q * if odd(dot, q) { -share } else { share };
        out.scale += joint.scale * share;
    }
    let q = out.rotation;
    let factor = 1.0 / (((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w).sqrt();
    Trs { rotation: q * factor, ..out }
}

fn numbers(joint: &Trs) -> [f32; 10] {
    let (t, q, s) = (joint.translation, joint.rotation, joint.scale);
    [t.x, t.y, t.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z]
}

proptest! {
    /// The sign of an input's quaternion changes no bit.
    #[test]
    fn b03_signs_of_inputs_change_nothing(layers in layers(2..6), flips in any::<u64>()) {
        let mut flipped = layers.clone();
        for (i, joint) in flipped.iter_mut().flat_map(|layer| &mut layer.0).enumerate() {
            if flips >> (i % 61) & 1 == 1 {
                *joint = negated(joint);
            }
        }
        let isa = Isa::detect();
        prop_assert_eq!(bits(&Input::new(&layers).blend(isa, 0.1)), bits(&Input::new(&flipped).blend(isa, 0.1)));
    }

    /// The sum goes by index; another order of the layers after the first changes the rounding alone.
    #[test]
    fn b04_order_changes_the_rounding_alone(layers in layers(2..7), by in 1usize..5) {
        let isa = Isa::detect();
        let out = Input::new(&layers).blend(isa, 0.0);
        let weights: Vec<f32> = layers.iter().map(|layer| layer.1).collect();
        for j in 0..layers[0].0.len() {
            let joints: Vec<Trs> = layers.iter().map(|layer| layer.0[j]).collect();
            let want = blend_joint(&joints, &weights);
            prop_assert_eq!(bits(&numbers(&out[j / ROW].lane(j % ROW))), bits(&numbers(&want)), "joint {}", j);
        }

        let mut other = layers.clone();
        let after = other.len() - 1;
        other[1..].rotate_left(by % after);
        let other = Input::new(&other).blend(isa, 0.0);
        // A blended rotation is at least as long as the first share, by which rounding is magnified.
        let sum: f32 = weights.iter().sum();
        let tolerance = 4e-6 * sum / weights[0];
        for (a, b) in bytemuck::cast_slice::<_, f32>(&out).iter().zip(bytemuck::cast_slice::<_, f32>(&other)) {
            prop_assert!((a - b).abs() <= tolerance, "{} and {}", a, b);
        }
    }

    /// A layer with all the weight is given back, bit for bit, signs and all.
    #[test]
    fn b09_weights_of_0_and_1_give_the_input(layers in layers(1..6), pick in any::<prop::sample::Index>(), weight in 0.2f32..3.0) {
        let mut input = Input::new(&layers);
        let pick = pick.index(layers.len());
        input.weights.iter_mut().enumerate().for_each(|(i, w)| *w = if i == pick { weight } else { 0.0 });
        for isa in Isa::available() {
            prop_assert_eq!(bits(&input.blend(isa, 0.1)), bits(&input.poses[pick]));
        }
    }

    /// Rotations are unit, however the inputs lie to one another.
    #[test]
    fn b10_rotations_are_unit(layers in layers(2..9)) {
        for block in Input::new(&layers).blend(Isa::detect(), 0.1) {
            for lane in 0..ROW {
                let length = block.lane(lane).rotation.as_dquat().length();
                prop_assert!((length - 1.0).abs() < 2e-7, "{}", length);
            }
        }
    }

    /// A power of two on all weights changes no bit.
    #[test]
    fn b01_weights_are_relative(layers in layers(2..6), exponent in -20i32..20) {
        let mut input = Input::new(&layers);
        let out = input.blend(Isa::detect(), 0.0);
        input.weights.iter_mut().for_each(|weight| *weight *= f32::from_bits(((127 + exponent) as u32) << 23));
        prop_assert_eq!(bits(&out), bits(&input.blend(Isa::detect(), 0.0)));
    }

    /// Any factor on all weights changes the rounding alone: to 1e-6 of the largest number that goes in; where
    /// rotations cancel, as often 1e-6 as the blended one is shorter than 1.
    #[test]
    fn b01_any_factor_changes_the_rounding_alone(layers in layers(2..6), exponent in -20.0f64..20.0) {
        let mut input = Input::new(&layers);
        let out = input.blend(Isa::detect(), 0.0);
        let factor = ops64::exp2(exponent) as f32;
        input.weights.iter_mut().for_each(|weight| *weight *= factor);
        let other = input.blend(Isa::detect(), 0.0);
        let sum: f32 = layers.iter().map(|layer| layer.1).sum();
        for j in 0..layers[0].0.len() {
            let (a, b) = (out[j / ROW].lane(j % ROW), other[j / ROW].lane(j % ROW));
            let first = layers[0].0[j].rotation;
            let turned = layers.iter().map(|(joints, weight)| {
                let q = joints[j].rotation;
                q * if q.dot(first) < 0.0 { -weight / sum } else { weight / sum }
            });
            let length = turned.fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, q| sum + q).length();
            // Components of translations are at most 3.
            prop_assert!((a.translation - b.translation).abs().max_element() <= 3e-6, "factor {}: {:?} and {:?}", factor, a, b);
            prop_assert!((a.scale - b.scale).abs().max_element() <= 1.5e-6, "factor {}: {:?} and {:?}", factor, a, b);
            let off = Vec4::from(a.rotation - b.rotation).abs().max_element();
            prop_assert!(off * length <= 1e-6, "factor {}, length {}: {:?} and {:?}", factor, length, a, b);
        }
    }

    /// Joints without scale stay so, whatever the weights.
    #[test]
    fn a_scale_of_one_stays_one(weights in prop::collection::vec(1e-3f32..10.0, 2..9)) {
        let layers: Vec<(Vec<Trs>, f32)> = weights.into_iter().map(|weight| (vec![Trs::IDENTITY], weight)).collect();
        let out = Input::new(&layers).blend(Isa::detect(), 0.0);
        prop_assert_eq!(out[0].scale, JointBlock::IDENTITY.scale);
    }

    #[test]
    fn blend_is_the_mean_of_f64(layers in layers(2..9)) {
        let out = Input::new(&layers).blend(Isa::detect(), 0.0);
        let sum: f64 = layers.iter().map(|layer| f64::from(layer.1)).sum();
        for j in 0..layers[0].0.len() {
            let first = layers[0].0[j].rotation.as_dquat();
            let (mut t, mut q, mut s) = (DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO);
            let mut undecided = false;
            for (joints, weight) in &layers {
                let (joint, share) = (&joints[j], f64::from(*weight) / sum);
                let dot = joint.rotation.as_dquat().dot(first);
                undecided |= dot.abs() < 1e-6;
                t += joint.translation.as_dvec3() * share;
                q += joint.rotation.as_dquat() * if dot < 0.0 { -share } else { share };
                s += joint.scale.as_dvec3() * share;
            }
            let got = out[j / ROW].lane(j % ROW);
            prop_assert!((got.translation.as_dvec3() - t).abs().max_element() < 2e-6);
            prop_assert!((got.scale.as_dvec3() - s).abs().max_element() < 1e-6);
            let close = (q.normalize().dot(got.rotation.as_dquat()).abs() - 1.0).abs() < 1e-6 / q.length_squared();
            prop_assert!(undecided || close, "{:?} and {:?}", got.rotation, q.normalize());
        }
    }
}

/// Less weight than the threshold goes over into the rest pose, without a jump.
#[test]
fn b02_without_weight_there_is_rest() {
    let joint = Trs { translation: Vec3::X, rotation: Quat::from_xyzw(0.6, 0.0, 0.0, 0.8), scale: Vec3::splat(2.0) };
    let mut input = Input::new(&[(vec![joint; 3], 0.0)]);
    for (weight, want) in [(0.0, 0.0), (-1.0, 0.0), (1e-7, 1e-6), (0.05, 0.5), (0.1, 1.0), (7.0, 1.0)] {
        input.weights[0] = weight;
        let x = input.blend(Isa::detect(), 0.1)[0].translation[0].0[2];
        assert!((x - want).abs() < 1e-6, "weight {weight}: {x}");
    }
}

/// Rotations that cancel leave the first one.
#[test]
fn opposite_rotations_leave_the_first() {
    let turned = |x, y, z| Trs { rotation: Quat::from_xyzw(x, y, z, 0.0), ..Trs::IDENTITY };
    let layers =
        [(vec![turned(1.0, 0.0, 0.0)], 1e-30), (vec![turned(0.0, 1.0, 0.0)], 1.0), (vec![turned(0.0, -1.0, 0.0)], 1.0)];
    for isa in Isa::available() {
        // Both are at a right angle to the first, so each counts by its own sign, and they add up.
        assert_eq!(Input::new(&layers).blend(isa, 0.0)[0].lane(0).rotation.y, 1.0, "{isa}");
    }
    let near = |y: f32| Trs { rotation: Quat::from_xyzw(1e-20, y, 0.0, 0.0), ..Trs::IDENTITY };
    let layers = [(vec![turned(1.0, 0.0, 0.0)], 1e-30), (vec![near(1.0)], 1.0), (vec![near(-1.0)], 1.0)];
    for isa in Isa::available() {
        assert_eq!(
            Input::new(&layers).blend(isa, 0.0)[0].lane(0).rotation,
            Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
            "{isa}"
        );
    }
}

/// A skeleton of joints, each with a parent before it.
fn skeleton() -> impl Strategy<Value = (Vec<u16>, Vec<Trs>)> {
    prop::collection::vec((joint(), any::<prop::sample::Index>(), 0u8..8), 1..70).prop_map(|joints| {
        let parents = joints.iter().enumerate().map(|(j, (_, parent, root))| match (j, root) {
            (0, _) | (_, 0) => NO_PARENT,
            _ => parent.index(j) as u16,
        });
        (parents.collect(), joints.iter().map(|joint| Trs { scale: joint.0.scale * 0.8, ..joint.0 }).collect())
    })
}

fn matrix(joint: &Trs) -> DMat4 {
    let (s, r, t) = (joint.scale.as_dvec3(), joint.rotation.as_dquat(), joint.translation.as_dvec3());
    DMat4::from_scale_rotation_translation(s, r, t)
}

fn affine(joint: &Trs) -> Affine {
    glam::Affine3A::from_scale_rotation_translation(joint.scale, joint.rotation, joint.translation).into()
}

/// Largest difference, relative to the largest number.
fn difference(got: &Affine, want: DMat4) -> f64 {
    let want = want.transpose().to_cols_array();
    let size = want.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    got.0.0.iter().zip(want).fold(0.0, |worst, (&a, b)| (f64::from(a) - b).abs().max(worst)) / size
}

fn to_model(isa: Isa, parents: &[u16], joints: &[Trs], root: &Affine) -> Vec<Affine> {
    let mut models = vec![Affine::IDENTITY; joints.len()];
    let job = LocalToModel { isa, parents, locals: &JointBlock::pack(joints), root, models: &mut models };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    models
}

proptest! {
    #[test]
    fn models_are_those_of_f64_and_equal_everywhere((parents, joints) in skeleton(), root in joint()) {
        let mut want: Vec<DMat4> = Vec::new();
        for (joint, &parent) in joints.iter().zip(&parents) {
            let parent = if parent == NO_PARENT { matrix(&root) } else { want[usize::from(parent)] };
            want.push(parent * matrix(joint));
        }
        let root = affine(&root);
        let models = to_model(Isa::Scalar, &parents, &joints, &root);
        for (got, want) in models.iter().zip(want) {
            prop_assert!(difference(got, want) < 2e-5, "{:?} and {:?}", got, want);
        }
        for isa in Isa::available() {
            prop_assert_eq!(bits(&to_model(isa, &parents, &joints, &root)), bits(&models), "{}", isa);
        }
    }

    /// A crowd is its skeletons, bit for bit.
    #[test]
    fn a_crowd_is_its_skeletons((parents, joints) in skeleton(), roots in prop::array::uniform16(joint())) {
        // Skeleton `lane` has the joints in another order.
        let turned = |lane: usize| {
            let mut turned = joints.clone();
            turned.rotate_left(lane % joints.len());
            turned
        };
        let mut locals = vec![JointBlock::IDENTITY; joints.len()];
        let mut root_block = AffineBlock::ZERO;
        for (lane, root) in roots.iter().enumerate() {
            turned(lane).iter().zip(&mut locals).for_each(|(joint, block)| block.set_lane(lane, *joint));
            (0..12).for_each(|n| root_block.0[n].0[lane] = affine(root).0.0[n]);
        }
        for isa in Isa::available() {
            let mut models = vec![AffineBlock::ZERO; joints.len()];
            let job = CrowdToModel { isa, parents: &parents, locals: &locals, roots: &root_block, models: &mut models };
            prop_assert_eq!(job.validate(), Ok(()));
            job.run();
            for (lane, root) in roots.iter().enumerate() {
                let one = to_model(isa, &parents, &turned(lane), &affine(root));
                let of_crowd: Vec<Affine> = models.iter().map(|block| block.lane(lane)).collect();
                prop_assert_eq!(bits(&of_crowd), bits(&one), "{}, skeleton {}", isa, lane);
            }
        }
    }

    #[test]
    fn a_palette_is_the_product_of_f64_and_equal_everywhere(pairs in prop::collection::vec((joint(), joint()), 1..40), by in 0usize..40) {
        let joints: Vec<u16> = (0..pairs.len()).map(|i| ((i + by) % pairs.len()) as u16).collect();
        let models: Vec<Affine> = pairs.iter().map(|pair| affine(&pair.0)).collect();
        let inverse_binds: Vec<Affine> = pairs.iter().map(|pair| affine(&pair.1)).collect();
        let run = |isa| {
            let mut palette = vec![Affine::IDENTITY; pairs.len()];
            let job = Palette { isa, models: &models, joints: &joints, inverse_binds: &inverse_binds, palette: &mut palette };
            assert_eq!(job.validate(), Ok(()));
            job.run();
            palette
        };
        let palette = run(Isa::Scalar);
        for (i, got) in palette.iter().enumerate() {
            let want = matrix(&pairs[usize::from(joints[i])].0) * matrix(&pairs[i].1);
            prop_assert!(difference(got, want) < 2e-6, "{:?} and {:?}", got, want);
        }
        for isa in Isa::available() {
            prop_assert_eq!(bits(&run(isa)), bits(&palette), "{}", isa);
        }
    }

    #[test]
    fn blends_are_equal_everywhere(layers in layers(1..9), threshold in 0.0f32..4.0) {
        let input = Input::new(&layers);
        let want = bits(&input.blend(Isa::Scalar, threshold));
        for isa in Isa::available() {
            prop_assert_eq!(&bits(&input.blend(isa, threshold)), &want, "{}", isa);
        }
    }
}

#[test]
fn affine_goes_to_glam_and_back() {
    let joint =
        Trs { translation: Vec3::new(1.0, 2.0, 3.0), rotation: Quat::from_xyzw(0.6, 0.0, 0.0, 0.8), scale: Vec3::ONE };
    let there = glam::Affine3A::from_scale_rotation_translation(joint.scale, joint.rotation, joint.translation);
    assert_eq!(glam::Affine3A::from(Affine::from(there)), there);
    assert_eq!(Affine::from(glam::Affine3A::IDENTITY), Affine::IDENTITY);
    assert!(difference(&there.into(), matrix(&joint)) < 1e-7);
    assert_eq!(AffineBlock::splat(there.into()).lane(5), there.into());
}

#[test]
fn blocks_hold_joints_and_fill_up_with_identity() {
    let joint = Trs { translation: Vec3::X, rotation: Quat::from_xyzw(0.0, 1.0, 0.0, 0.0), scale: Vec3::splat(2.0) };
    let blocks = JointBlock::pack(&[joint; 17]);
    assert_eq!((blocks.len(), blocks[1].lane(0), blocks[1].lane(1)), (2, joint, Trs::IDENTITY));
    assert_eq!((size_of::<JointBlock>(), align_of::<JointBlock>()), (640, 64));
    assert_eq!((size_of::<Affine>(), size_of::<AffineBlock>()), (64, 768));
}

#[test]
fn blend_refuses_what_it_cannot_run() {
    let (good, short) = ([JointBlock::IDENTITY; 2], [JointBlock::IDENTITY; 1]);
    let mut bad = good;
    bad[1].rotation[2].0[3] = f32::NAN;
    let mut infinite = good;
    infinite[0].scale[0].0[15] = f32::INFINITY;
    let layer = |pose, weight| BlendLayer { pose, weight };
    let many = [layer(&good[..], 1.0); LAYERS_MAX + 1];
    let rows: &[(&[BlendLayer<'_>], &[JointBlock], f32, Result<(), JobError>)] = &[
        (&many[..LAYERS_MAX], &good, 0.1, Ok(())),
        (&[], &good, 0.1, Ok(())),
        (&many, &good, 0.1, Err(JobError::LayerCount { count: LAYERS_MAX + 1, max: LAYERS_MAX })),
        (&[layer(&short, 1.0)], &good, 0.1, Err(JobError::Length { what: "blocks of a layer", count: 1, want: 2 })),
        (&[], &short, 0.1, Err(JobError::Length { what: "blocks of the rest pose", count: 1, want: 2 })),
        (&[layer(&bad, 1.0)], &good, 0.1, Err(JobError::NotFinite { what: "pose of a layer", row: 15, lane: 3 })),
        (&[], &infinite, 0.1, Err(JobError::NotFinite { what: "rest pose", row: 7, lane: 15 })),
        (&[layer(&good, 0.0)], &good, 0.0, Err(JobError::WeightSum { sum: 0.0 })),
        (&[layer(&good, f32::MAX); 2], &good, 0.0, Err(JobError::WeightSum { sum: f32::INFINITY })),
        (&[layer(&good, f32::INFINITY)], &good, 0.0, Err(JobError::Weight { layer: 0, weight: f32::INFINITY })),
    ];
    for (layers, rest, threshold, want) in rows {
        let mut out = good;
        let blend = Blend { isa: Isa::detect(), layers, rest, threshold: *threshold, out: &mut out };
        assert_eq!(&blend.validate(), want);
    }
    let mut out = good;
    let layers = [layer(&good[..], f32::NAN)];
    let blend = Blend { isa: Isa::detect(), layers: &layers, rest: &good, threshold: 0.1, out: &mut out };
    assert!(matches!(blend.validate(), Err(JobError::Weight { layer: 0, .. })));
    let blend = Blend { isa: Isa::detect(), layers: &[], rest: &good, threshold: f32::NAN, out: &mut out };
    assert!(matches!(blend.validate(), Err(JobError::WeightSum { .. })));
}

#[test]
fn models_refuse_what_they_cannot_run() {
    let isa = Isa::detect();
    let mut bad = [JointBlock::IDENTITY; 3];
    bad[0].translation[1].0[4] = f32::NAN;
    let mut root = Affine::IDENTITY;
    root.0.0[7] = f32::INFINITY;
    let good = [JointBlock::IDENTITY; 3];
    let length = |what, count, want| Err(JobError::Length { what, count, want });
    let rows: &[(&[u16], &[JointBlock], &Affine, usize, Result<(), JobError>)] = &[
        (&[NO_PARENT, 0, 1], &good[..1], &Affine::IDENTITY, 3, Ok(())),
        (&[NO_PARENT, 0, 1], &good[..1], &Affine::IDENTITY, 2, length("model matrices", 2, 3)),
        (&[NO_PARENT, 0, 1], &good, &Affine::IDENTITY, 3, length("blocks of the local pose", 3, 1)),
        (&[NO_PARENT, 1, 0], &good[..1], &Affine::IDENTITY, 3, Err(JobError::ParentOrder { joint: 1, parent: 1 })),
        (
            &[NO_PARENT, 0, 1],
            &bad[..1],
            &Affine::IDENTITY,
            3,
            Err(JobError::NotFinite { what: "local pose", row: 1, lane: 4 }),
        ),
        (&[NO_PARENT, 0, 1], &good[..1], &root, 3, Err(JobError::NotFinite { what: "root", row: 0, lane: 7 })),
    ];
    for (parents, locals, root, count, want) in rows {
        let mut models = vec![Affine::IDENTITY; *count];
        assert_eq!(&LocalToModel { isa, parents, locals, root, models: &mut models }.validate(), want);
    }

    let parents = vec![NO_PARENT; 1 << 16];
    let too_many = Err(JobError::JointCount { count: 1 << 16, max: (1 << 16) - 1 });
    let (root, models) = (&Affine::IDENTITY, &mut [Affine::IDENTITY; 3]);
    assert_eq!(LocalToModel { isa, parents: &parents, locals: &good, root, models }.validate(), too_many);

    let roots = AffineBlock::splat(Affine::IDENTITY);
    let crowd = |parents: &[u16], locals: &[JointBlock], roots: &AffineBlock| {
        CrowdToModel { isa, parents, locals, roots, models: &mut [AffineBlock::ZERO; 3] }.validate()
    };
    assert_eq!(crowd(&[NO_PARENT, 0, 1], &good, &roots), Ok(()));
    assert_eq!(crowd(&[NO_PARENT, 0], &good, &roots), length("model matrices", 3, 2));
    let short = length("blocks of the local poses", 2, 3);
    assert_eq!(crowd(&[NO_PARENT, 0, 1], &good[..2], &roots), short);
    let order = Err(JobError::ParentOrder { joint: 1, parent: 2 });
    assert_eq!(crowd(&[NO_PARENT, 2, 1], &good, &roots), order);
    assert_eq!(crowd(&parents, &good, &roots), too_many);
    let local = Err(JobError::NotFinite { what: "local poses", row: 1, lane: 4 });
    assert_eq!(crowd(&[NO_PARENT, 0, 1], &bad, &roots), local);
    let mut bad_roots = roots;
    bad_roots.0[2] = Row([f32::NAN; ROW]);
    let root = Err(JobError::NotFinite { what: "roots", row: 2, lane: 0 });
    assert_eq!(crowd(&[NO_PARENT, 0, 1], &good, &bad_roots), root);
}

#[test]
fn palettes_refuse_what_they_cannot_run() {
    let isa = Isa::detect();
    let good = [Affine::IDENTITY; 2];
    let mut bad = good;
    bad[1].0.0[0] = f32::NAN;
    let index = Err(JobError::JointIndex { what: "joints of the skin", entry: 1, joint: 2, count: 2 });
    let rows: &[(&[Affine], &[u16], &[Affine], usize, Result<(), JobError>)] = &[
        (&good, &[0, 1], &good, 2, Ok(())),
        (&good, &[0, 2], &good, 2, index),
        (&good, &[0], &good, 2, Err(JobError::Length { what: "inverse bind matrices", count: 2, want: 1 })),
        (&good, &[0, 1], &good, 1, Err(JobError::Length { what: "palette", count: 1, want: 2 })),
        (&bad, &[0, 1], &good, 2, Err(JobError::NotFinite { what: "model matrices", row: 1, lane: 0 })),
        (&good, &[0, 1], &bad, 2, Err(JobError::NotFinite { what: "inverse bind matrices", row: 1, lane: 0 })),
    ];
    for (models, joints, inverse_binds, count, want) in rows {
        let mut palette = vec![Affine::IDENTITY; *count];
        assert_eq!(&Palette { isa, models, joints, inverse_binds, palette: &mut palette }.validate(), want);
    }
}

/// The bits themselves: whoever changes an order of operations sees it here, on every machine.
#[test]
fn kernels_keep_their_bits() {
    let mut random = stillframe_base::rng::Rng::new(1).stream("poses", 0);
    let mut pose = |count: usize| -> Vec<Trs> {
        let mut vec3 = |low, high| Vec3::from_array([(); 3].map(|()| random.range_f32(low, high)));
        (0..count)
            .map(|_| {
                let (axis, scale) = (vec3(-1.0, 1.0), vec3(0.8, 1.2));
                let rotation = Quat::from_xyzw(axis.x, axis.y, axis.z, 0.7).normalize();
                Trs { translation: vec3(-1.0, 1.0), rotation, scale }
            })
            .collect()
    };
    let layers: Vec<(Vec<Trs>, f32)> = [0.3, 1.1, 0.45].map(|weight| (pose(67), weight)).into();
    let input = Input::new(&layers);
    let parents: Vec<u16> = (0..67).map(|j| if j == 0 { NO_PARENT } else { (j * 2 / 3) as u16 }).collect();
    for isa in Isa::available() {
        let blended = input.blend(isa, 2.0);
        let joints: Vec<Trs> = (0..67).map(|j| blended[j / ROW].lane(j % ROW)).collect();
        let models = to_model(isa, &parents, &joints, &Affine::IDENTITY);
        let skin: Vec<u16> = (0..67).rev().collect();
        let mut palette = vec![Affine::IDENTITY; 67];
        Palette { isa, models: &models, joints: &skin, inverse_binds: &models, palette: &mut palette }.run();
        let digest = |bytes: &[u8]| stillframe_base::hash::Digest::of_bytes(bytes).to_string()[..16].to_owned();
        let got = [
            digest(bytemuck::cast_slice(&blended)),
            digest(bytemuck::cast_slice(&models)),
            digest(bytemuck::cast_slice(&palette)),
        ];
        assert_eq!(got, ["b3:f12beefff7a4e", "b3:81517a0bb3a77", "b3:ea7be419c0a6c"], "{isa}");
    }
}
