//! Deltas and masks: their laws, the same bits at every instruction set, and what `validate` refuses.

use super::*;
use stillframe_testkit::worse;

fn poses(count: usize) -> impl Strategy<Value = Vec<Vec<Trs>>> {
    (1usize..40)
        .prop_flat_map(move |joints| prop::collection::vec(prop::collection::vec(joint(), joints), count..=count))
}

fn make(isa: Isa, frames: &[JointBlock], frame_blocks: usize, reference: DeltaReference<'_>) -> Vec<JointBlock> {
    let mut out = vec![JointBlock::IDENTITY; frames.len()];
    let job = MakeDelta { isa, frames, frame_blocks, reference, present: None, out: &mut out };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

fn add(isa: Isa, base: &[JointBlock], deltas: &[DeltaLayer<'_>]) -> Vec<JointBlock> {
    let mut out = vec![JointBlock::IDENTITY; base.len()];
    let job = AddDeltas { isa, base, deltas, out: &mut out };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

fn masked(isa: Isa, layers: &[MaskedLayer<'_>], rest: &[JointBlock], threshold: f32) -> Vec<JointBlock> {
    let mut out = vec![JointBlock::IDENTITY; rest.len()];
    let job = MaskedBlend { isa, layers, rest, threshold, out: &mut out };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

fn layer(delta: &[JointBlock], weight: f32) -> DeltaLayer<'_> {
    DeltaLayer { delta, weight, mask: None }
}

/// Largest difference of two poses, rotations by either sign.
fn distance(a: &[JointBlock], b: &[JointBlock]) -> f32 {
    let mut worst = 0.0f32;
    for (a, b) in a.iter().zip(b) {
        for lane in 0..ROW {
            let (a, b) = (a.lane(lane), b.lane(lane));
            let rotation = (a.rotation - b.rotation).length().min((a.rotation + b.rotation).length());
            let numbers =
                (a.translation - b.translation).abs().max_element().max((a.scale - b.scale).abs().max_element());
            worst = worse(worse(worst, rotation), numbers);
        }
    }
    worst
}

proptest! {
    /// Added to what it was made against, a delta gives the pose, in each of the three forms and at every frame.
    #[test]
    fn b05_a_delta_on_its_reference_is_the_pose(poses in poses(4)) {
        let isa = Isa::detect();
        let packed: Vec<Vec<JointBlock>> = poses.iter().map(|pose| JointBlock::pack(pose)).collect();
        let blocks = packed[0].len();
        let (frames, others) = (packed[..3].concat(), [&packed[1][..], &packed[3], &packed[2]].concat());
        let forms = [
            (DeltaReference::FirstFrame, packed[0].repeat(3)),
            (DeltaReference::Pose(&packed[3]), packed[3].repeat(3)),
            (DeltaReference::Frames(&others), others.clone()),
        ];
        for (reference, bases) in forms {
            let deltas = make(isa, &frames, blocks, reference);
            prop_assert!(distance(&add(isa, &bases, &[layer(&deltas, 1.0)]), &frames) < 3e-6, "{:?}", reference);
            // Nothing of it is the base, bit for bit.
            prop_assert_eq!(bits(&add(isa, &bases, &[layer(&deltas, 0.0)])), bits(&bases));
        }
    }

    /// A pose against itself is the identity, exactly, and adding that gives the base.
    #[test]
    fn b05_a_delta_to_itself_is_the_identity(poses in poses(2)) {
        let isa = Isa::detect();
        let pose = JointBlock::pack(&poses[0]);
        let delta = make(isa, &pose, pose.len(), DeltaReference::FirstFrame);
        prop_assert_eq!(&delta, &vec![JointBlock::IDENTITY; pose.len()]);
        let base = JointBlock::pack(&poses[1]);
        prop_assert!(distance(&add(isa, &base, &[layer(&delta, 0.7)]), &base) < 1e-6);
    }

    /// Base, then delta in the joint's own frame; deltas in index order.
    #[test]
    fn b06_the_order_is_base_then_deltas_by_index(poses in poses(3)) {
        let packed: Vec<Vec<JointBlock>> = poses.iter().map(|pose| JointBlock::pack(pose)).collect();
        let got = add(Isa::detect(), &packed[0], &[layer(&packed[1], 1.0), layer(&packed[2], 1.0)]);
        for j in 0..poses[0].len() {
            let [base, a, b] = [0, 1, 2].map(|i| poses[i][j]);
            let want = (base.rotation.as_dquat() * a.rotation.as_dquat()) * b.rotation.as_dquat();
            let got = got[j / ROW].lane(j % ROW);
            prop_assert!(got.rotation.as_dquat().dot(want).abs() > 1.0 - 1e-6, "{:?} and {:?}", got.rotation, want);
            prop_assert!((got.translation - (base.translation + a.translation + b.translation)).length() < 1e-5);
            prop_assert!((got.scale - base.scale * a.scale * b.scale).length() < 1e-5);
        }
    }

    /// A share of a delta is nlerp from the identity, with f64 as the reference; the delta's sign changes no bit.
    #[test]
    fn a_share_of_a_delta_is_that_of_f64(poses in poses(2), weight in 0.0f32..=1.0) {
        let isa = Isa::detect();
        let (base, delta) = (JointBlock::pack(&poses[0]), JointBlock::pack(&poses[1]));
        let out = add(isa, &base, &[layer(&delta, weight)]);
        for (j, (base, delta)) in poses[0].iter().zip(&poses[1]).enumerate() {
            let (alpha, d) = (f64::from(weight), delta.rotation.as_dquat());
            let odd = [d.w, d.x, d.y, d.z].into_iter().find(|&x| x != 0.0).unwrap_or(0.0) < 0.0;
            let share = DQuat::IDENTITY * (1.0 - alpha) + if odd { -d } else { d } * alpha;
            let want = (base.rotation.as_dquat() * share).normalize();
            let got = out[j / ROW].lane(j % ROW).rotation.as_dquat();
            prop_assert!((want - got).length() < 1e-6, "{:?} and {:?}", got, want);
        }
        let turned: Vec<Trs> = poses[1].iter().map(negated).collect();
        prop_assert_eq!(bits(&add(isa, &base, &[layer(&JointBlock::pack(&turned), weight)])), bits(&out));
    }

    /// Joints that the clip or the reference lacks keep the base.
    #[test]
    fn b07_missing_joints_get_the_identity(poses in poses(3), missing in any::<u64>()) {
        let isa = Isa::detect();
        let [pose, reference, base] = [0, 1, 2].map(|i| JointBlock::pack(&poses[i]));
        let is_there = |j: usize| missing >> (j % 61) & 1 == 0;
        let weights: Vec<f32> = (0..poses[0].len()).map(|j| if is_there(j) { 1.0 } else { 0.0 }).collect();
        let mask = pack_mask(&weights);
        let mut delta = vec![JointBlock::IDENTITY; pose.len()];
        let (frame_blocks, against) = (pose.len(), DeltaReference::Pose(&reference));
        let job = MakeDelta { isa, frames: &pose, frame_blocks, reference: against, present: Some(&mask), out: &mut delta };
        prop_assert_eq!(job.validate(), Ok(()));
        job.run();
        let whole = make(isa, &pose, pose.len(), against);
        let sum = add(isa, &base, &[layer(&delta, 1.0)]);
        for j in 0..poses[0].len() {
            let (delta, whole) = (delta[j / ROW].lane(j % ROW), whole[j / ROW].lane(j % ROW));
            prop_assert_eq!(delta, if is_there(j) { whole } else { Trs::IDENTITY });
            if !is_there(j) {
                let (got, base) = (sum[j / ROW].lane(j % ROW), base[j / ROW].lane(j % ROW));
                prop_assert!((got.rotation - base.rotation).length() < 1e-6 && got.translation == base.translation);
            }
        }
    }

    /// Scales of 0, of either sign and of 0.01 under 100 stay finite, from the delta to the model.
    #[test]
    fn b08_any_scale_stays_finite(
        poses in poses(3),
        scales in prop::collection::vec(prop::sample::select(vec![0.0f32, -0.0, -1.0, 0.01, 100.0, 1e-4, -1e-5, 1.0]), 360),
    ) {
        let isa = Isa::detect();
        let mut scales = scales.into_iter().cycle();
        let packed: Vec<Vec<JointBlock>> = poses.iter().map(|pose| {
            let scaled: Vec<Trs> = pose.iter().map(|joint| {
                Trs { scale: Vec3::from_array([(); 3].map(|()| scales.next().expect("endless"))), ..*joint }
            }).collect();
            JointBlock::pack(&scaled)
        }).collect();
        let delta = make(isa, &packed[0], packed[0].len(), DeltaReference::Pose(&packed[1]));
        let sum = add(isa, &packed[2], &[layer(&delta, 1.0)]);
        let layers = [&packed[0], &sum].map(|pose| MaskedLayer { pose, weight: 0.5, mask: None });
        let blended = masked(isa, &layers, &packed[1], 0.1);
        // Two deep: 1e6 * 100 * 1e6 * 100.
        let parents: Vec<u16> = (0..poses[0].len()).map(|j| if j == 0 { NO_PARENT } else { 0 }).collect();
        let joints: Vec<Trs> = (0..parents.len()).map(|j| blended[j / ROW].lane(j % ROW)).collect();
        let models = to_model(isa, &parents, &joints, &Affine::IDENTITY);
        prop_assert_eq!(check_finite("models", bytemuck::cast_slice(&models)), Ok(()));
        // What was there comes back where the reference has a scale.
        let back = add(isa, &packed[1], &[layer(&delta, 1.0)]);
        for j in 0..poses[0].len() {
            let [got, pose, reference] = [&back, &packed[0], &packed[1]].map(|blocks| blocks[j / ROW].lane(j % ROW).scale);
            for n in 0..3 {
                let want = if reference[n].abs() < 1e-4 { reference[n] } else { pose[n] };
                prop_assert!((got[n] - want).abs() <= 1e-6 * want.abs(), "{} and {}", got[n], want);
            }
        }
    }

    /// A mask of 1 on one side and 0 on the other gives each side's joints, bit for bit.
    #[test]
    fn masks_of_0_and_1_choose_a_side(poses in poses(3), pick in any::<u64>(), weights in prop::array::uniform2(0.05f32..3.0)) {
        let [a, b, rest] = [0, 1, 2].map(|i| JointBlock::pack(&poses[i]));
        let is_a = |j: usize| pick >> (j % 61) & 1 == 1;
        let mask = pack_mask(&(0..poses[0].len()).map(|j| if is_a(j) { 1.0 } else { 0.0 }).collect::<Vec<f32>>());
        let other = mask_complement(&mask);
        let layers = [
            MaskedLayer { pose: &a, weight: weights[0], mask: Some(&mask) },
            MaskedLayer { pose: &b, weight: weights[1], mask: Some(&other) },
        ];
        for isa in Isa::available() {
            let out = masked(isa, &layers, &rest, 0.01);
            let alone = masked(isa, &layers[..1], &rest, 0.01);
            for j in 0..poses[0].len() {
                let of = |blocks: &[JointBlock]| bits(&numbers(&blocks[j / ROW].lane(j % ROW)));
                prop_assert_eq!(of(&out), of(if is_a(j) { &a } else { &b }), "{}, joint {}", isa, j);
                prop_assert_eq!(of(&alone), of(if is_a(j) { &a } else { &rest }), "{}, joint {}", isa, j);
            }
        }
    }

    /// Every joint is blended as if its weights were those of all joints, and layers of no weight were not there.
    #[test]
    fn masked_joints_are_blended_as_poses_are(
        layers in layers(1..6),
        masks in prop::collection::vec(prop::sample::select(vec![0.0f32, 0.0, 0.25, 0.7, 1.0]), 240),
        threshold in 0.0f32..2.0,
    ) {
        let isa = Isa::detect();
        let joints = layers[0].0.len();
        let input = Input::new(&layers);
        let rows: Vec<Vec<Row>> = (0..layers.len()).map(|i| pack_mask(&masks[i * 40..i * 40 + joints])).collect();
        let masked_layers: Vec<MaskedLayer<'_>> = (0..layers.len())
            .map(|i| MaskedLayer { pose: &input.poses[i], weight: input.weights[i], mask: Some(&rows[i]) })
            .collect();
        let out = masked(isa, &masked_layers, &input.rest, threshold);
        for j in 0..joints {
            let there = |i: &usize| masks[i * 40 + j] > 0.0;
            let some: Vec<(Vec<Trs>, f32)> = (0..layers.len())
                .filter(there)
                .map(|i| (layers[i].0.clone(), input.weights[i] * masks[i * 40 + j]))
                .collect();
            let want = if some.is_empty() { Trs::IDENTITY } else { Input::new(&some).blend(isa, threshold.max(1e-30))[j / ROW].lane(j % ROW) };
            prop_assert_eq!(out[j / ROW].lane(j % ROW), want, "joint {}", j);
        }
        // Masks of 1: the bits of the blend without masks.
        let ones = vec![Row([1.0; ROW]); input.rest.len()];
        let all: Vec<MaskedLayer<'_>> = masked_layers.iter().map(|layer| MaskedLayer { mask: Some(&ones), ..*layer }).collect();
        prop_assert_eq!(bits(&masked(isa, &all, &input.rest, threshold)), bits(&input.blend(isa, threshold)));
    }

    /// A mask of 0 leaves the base bit for bit, one of 1 is the delta without a mask.
    #[test]
    fn masks_choose_the_joints_of_a_delta(poses in poses(2), pick in any::<u64>(), weight in 0.1f32..=1.0) {
        let [base, delta] = [0, 1].map(|i| JointBlock::pack(&poses[i]));
        let is_in = |j: usize| pick >> (j % 61) & 1 == 1;
        let mask = pack_mask(&(0..poses[0].len()).map(|j| if is_in(j) { 1.0 } else { 0.0 }).collect::<Vec<f32>>());
        for isa in Isa::available() {
            let whole = add(isa, &base, &[layer(&delta, weight)]);
            let part = add(isa, &base, &[DeltaLayer { delta: &delta, weight, mask: Some(&mask) }]);
            for j in 0..poses[0].len() {
                let of = |blocks: &[JointBlock]| bits(&numbers(&blocks[j / ROW].lane(j % ROW)));
                prop_assert_eq!(of(&part), of(if is_in(j) { &whole } else { &base }), "{}, joint {}", isa, j);
            }
        }
    }

    #[test]
    fn deltas_and_masked_blends_are_equal_everywhere(poses in poses(4), masks in prop::collection::vec(0.0f32..=1.0, 40), weight in 0.0f32..=1.0) {
        let packed: Vec<Vec<JointBlock>> = poses.iter().map(|pose| JointBlock::pack(pose)).collect();
        let mask = pack_mask(&masks[..poses[0].len()]);
        let run = |isa| {
            let delta = make(isa, &packed[0], packed[0].len(), DeltaReference::Pose(&packed[1]));
            let deltas = [DeltaLayer { delta: &delta, weight, mask: Some(&mask) }, layer(&packed[3], weight)];
            let sum = add(isa, &packed[2], &deltas);
            let layers = [MaskedLayer { pose: &sum, weight, mask: Some(&mask) }, MaskedLayer { pose: &packed[0], weight: 0.4, mask: None }];
            [bits(&delta), bits(&sum), bits(&masked(isa, &layers, &packed[1], 0.9))]
        };
        let want = run(Isa::Scalar);
        for isa in Isa::available() {
            prop_assert_eq!(&run(isa), &want, "{}", isa);
        }
    }

    /// Rotations stay unit under any number of deltas and in masked blends.
    #[test]
    fn b10_added_and_masked_rotations_are_unit(poses in poses(4), weights in prop::array::uniform3(0.0f32..=1.0)) {
        let packed: Vec<Vec<JointBlock>> = poses.iter().map(|pose| JointBlock::pack(pose)).collect();
        let deltas = [0, 1, 2].map(|i| layer(&packed[i], weights[i]));
        let sum = add(Isa::detect(), &packed[3], &deltas);
        let layers = [0, 1, 2].map(|i| MaskedLayer { pose: &packed[i], weight: weights[i], mask: None });
        for block in sum.iter().chain(&masked(Isa::detect(), &layers, &packed[3], 0.1)) {
            for lane in 0..ROW {
                let length = block.lane(lane).rotation.as_dquat().length();
                prop_assert!((length - 1.0).abs() < 2e-7, "{}", length);
            }
        }
    }
}

/// The tree of the book: c and what hangs on it from one clip, the rest from the other; entries in any order.
#[test]
fn a_branch_takes_its_descendants() {
    // a (b (d, e), c (f, g))
    let parents = [NO_PARENT, 0, 0, 1, 1, 2, 2];
    let mask = mask_of_branches(&parents, 0.0, &[(2, 1.0)]).expect("in order");
    assert_eq!(mask, pack_mask(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0]));
    let entries = [(5, 0.5), (0, 0.25), (2, 1.0)];
    let mask = mask_of_branches(&parents, 0.0, &entries).expect("in order");
    assert_eq!(mask, pack_mask(&[0.25, 0.25, 1.0, 0.25, 0.25, 0.5, 1.0]));
    let other_order = mask_of_branches(&parents, 0.0, &[entries[2], entries[0], entries[1]]);
    assert_eq!(other_order, Ok(mask));

    let what = "branches of a mask";
    let bad = |entries: &[(u16, f32)]| mask_of_branches(&parents, 0.0, entries).expect_err("a fault");
    assert_eq!(bad(&[(7, 1.0)]), JobError::JointIndex { what, entry: 0, joint: 7, count: 7 });
    assert_eq!(bad(&[(1, 1.0), (1, 0.0)]), JobError::JointTwice { what, joint: 1 });
    assert_eq!(bad(&[(4, 1.5)]), JobError::MaskRange { row: 0, lane: 4, weight: 1.5 });
    let order = mask_of_branches(&[NO_PARENT, 1], 0.0, &[]);
    assert_eq!(order, Err(JobError::ParentOrder { joint: 1, parent: 1 }));
}

/// NaN, infinities and shapes that do not fit are errors.
#[test]
fn b11_deltas_and_masks_refuse_what_they_cannot_run() {
    let isa = Isa::detect();
    let (good, short) = ([JointBlock::IDENTITY; 2], [JointBlock::IDENTITY; 1]);
    let mut bad = good;
    bad[1].translation[2].0[7] = f32::NAN;
    let (ones, mut off) = ([Row([1.0; ROW]); 2], [Row([1.0; ROW]); 2]);
    off[1].0[3] = -0.5;
    let length = |what, count, want| Err(JobError::Length { what, count, want });
    let finite = |what| Err(JobError::NotFinite { what, row: 12, lane: 7 });
    let mask_range = Err(JobError::MaskRange { row: 1, lane: 3, weight: -0.5 });

    let (first, pose) = (DeltaReference::FirstFrame, DeltaReference::Pose(&good));
    let rows: &[(&[JointBlock], usize, DeltaReference<'_>, Option<&[Row]>, Result<(), JobError>)] = &[
        (&good, 2, first, Some(&ones), Ok(())),
        (&good, 1, DeltaReference::Frames(&good), None, Ok(())),
        (&good, 0, first, None, Err(JobError::Frames { count: 2, frame_blocks: 0 })),
        (&good, 3, first, None, Err(JobError::Frames { count: 2, frame_blocks: 3 })),
        (&short, 1, first, None, length("blocks of the deltas", 2, 1)),
        (&good, 1, pose, None, length("blocks of the reference", 2, 1)),
        (&good, 1, DeltaReference::Frames(&short), None, length("blocks of the reference", 1, 2)),
        (&good, 2, first, Some(&ones[..1]), length("rows of a mask", 1, 2)),
        (&good, 2, first, Some(&off), mask_range.clone()),
        (&bad, 2, first, None, finite("frames")),
        (&good, 2, DeltaReference::Pose(&bad), None, finite("reference")),
    ];
    for (frames, frame_blocks, reference, present, want) in rows {
        let (mut out, reference) = (good, *reference);
        let job = MakeDelta { isa, frames, frame_blocks: *frame_blocks, reference, present: *present, out: &mut out };
        assert_eq!(&job.validate(), want);
    }

    let delta = |delta, weight, mask| [DeltaLayer { delta, weight, mask }];
    let rows: &[(&[JointBlock], [DeltaLayer<'_>; 1], Result<(), JobError>)] = &[
        (&good, delta(&good, 1.0, Some(&ones)), Ok(())),
        (&short, delta(&good, 1.0, None), length("blocks of the base pose", 1, 2)),
        (&good, delta(&short, 1.0, None), length("blocks of a delta", 1, 2)),
        (&good, delta(&good, 1.0, Some(&ones[..1])), length("rows of a mask", 1, 2)),
        (&bad, delta(&good, 1.0, None), finite("base pose")),
        (&good, delta(&bad, 1.0, None), finite("delta of a layer")),
        (&good, delta(&good, 1.0, Some(&off)), mask_range.clone()),
        (&good, delta(&good, 1.5, None), Err(JobError::WeightRange { layer: 0, weight: 1.5 })),
    ];
    for (base, deltas, want) in rows {
        assert_eq!(&AddDeltas { isa, base, deltas, out: &mut good.clone() }.validate(), want);
    }
    let deltas = delta(&good, f32::NAN, None);
    let nan = AddDeltas { isa, base: &good, deltas: &deltas, out: &mut good.clone() }.validate();
    assert!(matches!(nan, Err(JobError::WeightRange { layer: 0, .. })));

    let masked = |pose, weight, mask| MaskedLayer { pose, weight, mask };
    let many = [masked(&good[..], 1.0, None); LAYERS_MAX + 1];
    let rows: &[(&[MaskedLayer<'_>], &[JointBlock], f32, Result<(), JobError>)] = &[
        (&many[..LAYERS_MAX], &good, 0.0, Ok(())),
        (&many, &good, 0.0, Err(JobError::LayerCount { count: LAYERS_MAX + 1, max: LAYERS_MAX })),
        (&[masked(&short, 1.0, None)], &good, 0.1, length("blocks of a layer", 1, 2)),
        (&[masked(&good, 1.0, Some(&ones[..1]))], &good, 0.1, length("rows of a mask", 1, 2)),
        (&[masked(&good, 1.0, Some(&off))], &good, 0.1, mask_range),
        (&[masked(&bad, 1.0, None)], &good, 0.1, finite("pose of a layer")),
        (&[], &bad, 0.1, finite("rest pose")),
        (&[], &short, 0.1, length("blocks of the rest pose", 1, 2)),
        (&[masked(&good, f32::MAX, None); 2], &good, 0.1, Err(JobError::WeightSum { sum: f32::INFINITY })),
        (&[masked(&good, f32::INFINITY, None)], &good, 0.1, Err(JobError::Weight { layer: 0, weight: f32::INFINITY })),
    ];
    for (layers, rest, threshold, want) in rows {
        let (threshold, mut out) = (*threshold, good);
        assert_eq!(&MaskedBlend { isa, layers, rest, threshold, out: &mut out }.validate(), want);
    }
    let nan = MaskedBlend { isa, layers: &[], rest: &good, threshold: f32::NAN, out: &mut good.clone() }.validate();
    assert!(matches!(nan, Err(JobError::WeightSum { .. })));
}
