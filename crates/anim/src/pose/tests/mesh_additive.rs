//! Deltas that turn joints in model space: their laws beside those of deltas in the joints' own frames, f64 as the
//! reference, the same bits at every instruction set, and what `validate` refuses.

use super::*;
use stillframe_testkit::worse;

/// Parents, and poses of as many joints.
fn figures(count: usize) -> impl Strategy<Value = (Vec<u16>, Vec<Vec<Trs>>)> {
    prop::collection::vec(any::<u16>(), 1..40).prop_flat_map(move |picks| {
        let parent = |(joint, pick): (usize, &u16)| match usize::from(*pick) {
            // Chains mostly, some branches and roots.
            pick if joint == 0 || pick % 16 == 0 => NO_PARENT,
            pick if pick % 4 == 0 => (pick / 4 % joint) as u16,
            _ => joint as u16 - 1,
        };
        let parents: Vec<u16> = picks.iter().enumerate().map(parent).collect();
        let poses = prop::collection::vec(prop::collection::vec(joint(), parents.len()), count..=count);
        (Just(parents), poses)
    })
}

fn make(isa: Isa, parents: &[u16], frames: &[JointBlock], reference: DeltaReference<'_>) -> Vec<JointBlock> {
    let mut out = vec![JointBlock::IDENTITY; frames.len()];
    let job = MakeMeshDelta { isa, parents, frames, reference, out: &mut out };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

fn add(isa: Isa, parents: &[u16], base: &[JointBlock], deltas: &[DeltaLayer<'_>]) -> Vec<JointBlock> {
    let mut out = vec![JointBlock::IDENTITY; base.len()];
    let job = AddMeshDeltas { isa, parents, base, deltas, out: &mut out };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

fn layer(delta: &[JointBlock], weight: f32) -> DeltaLayer<'_> {
    DeltaLayer { delta, weight, mask: None }
}

/// The same with deltas in the joints' own frames.
fn in_own_frames(pose: &[JointBlock], reference: &[JointBlock], base: &[JointBlock], weight: f32) -> Vec<JointBlock> {
    let isa = Isa::detect();
    let (mut delta, mut out) = (pose.to_vec(), pose.to_vec());
    let reference = DeltaReference::Pose(reference);
    MakeDelta { isa, frames: pose, frame_blocks: pose.len(), reference, present: None, out: &mut delta }.run();
    AddDeltas { isa, base, deltas: &[layer(&delta, weight)], out: &mut out }.run();
    out
}

/// Rotations in model space.
fn turns(parents: &[u16], pose: &[JointBlock]) -> Vec<DQuat> {
    let mut turns: Vec<DQuat> = Vec::new();
    for (joint, &parent) in parents.iter().enumerate() {
        let own = JointBlock::joint(pose, joint).rotation.as_dquat();
        turns.push(if parent == NO_PARENT { own } else { turns[usize::from(parent)] * own });
    }
    turns
}

fn apart(a: DQuat, b: DQuat) -> f64 {
    (a - b).length().min((a + b).length())
}

/// Largest difference of two poses, rotations by either sign.
fn distance(parents: &[u16], a: &[JointBlock], b: &[JointBlock]) -> f64 {
    let joint = |joint: usize| {
        let (a, b) = (JointBlock::joint(a, joint), JointBlock::joint(b, joint));
        let numbers = (a.translation - b.translation).abs().max_element().max((a.scale - b.scale).abs().max_element());
        apart(a.rotation.as_dquat(), b.rotation.as_dquat()).max(f64::from(numbers))
    };
    (0..parents.len()).map(joint).fold(0.0, worse)
}

/// What a share of a delta turns by: the identity where it is 0.
fn share(delta: DQuat, alpha: f64) -> DQuat {
    let odd = [delta.w, delta.x, delta.y, delta.z].into_iter().find(|&x| x != 0.0).unwrap_or(0.0) < 0.0;
    (DQuat::IDENTITY * (1.0 - alpha) + if odd { -delta } else { delta } * alpha).normalize()
}

proptest! {
    /// Added to what it was made against, a delta gives the pose, in each of the three forms and at every frame; none
    /// of it is the base.
    #[test]
    fn a_delta_on_its_reference_is_the_pose((parents, poses) in figures(4)) {
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
            let deltas = make(isa, &parents, &frames, reference);
            for frame in 0..3 {
                let at = frame * blocks..(frame + 1) * blocks;
                let (delta, base) = (&deltas[at.clone()], &bases[at.clone()]);
                let sum = add(isa, &parents, base, &[layer(delta, 1.0)]);
                prop_assert!(distance(&parents, &sum, &frames[at]) < 2e-5, "{:?}", reference);
                prop_assert_eq!(bits(&add(isa, &parents, base, &[layer(delta, 0.0)])), bits(base));
                prop_assert_eq!(bits(&add(isa, &parents, base, &[])), bits(base));
            }
        }
    }

    /// A pose against itself is the identity, exactly, and adding that gives the base.
    #[test]
    fn a_delta_to_itself_is_the_identity((parents, poses) in figures(2), weight in 0.0f32..=1.0) {
        let isa = Isa::detect();
        let [pose, base] = [0, 1].map(|i| JointBlock::pack(&poses[i]));
        let delta = make(isa, &parents, &pose, DeltaReference::FirstFrame);
        prop_assert_eq!(&delta, &vec![JointBlock::IDENTITY; pose.len()]);
        prop_assert!(distance(&parents, &add(isa, &parents, &base, &[layer(&delta, weight)]), &base) < 1e-5);
    }

    /// On what it was made against a whole delta is the one in the joints' own frames; where only one joint moves, any
    /// share of it.
    #[test]
    fn on_the_reference_both_spaces_are_one((parents, poses) in figures(2), pick in any::<usize>(), weight in 0.0f32..=1.0) {
        let isa = Isa::detect();
        let [pose, reference] = [0, 1].map(|i| JointBlock::pack(&poses[i]));
        let delta = make(isa, &parents, &pose, DeltaReference::Pose(&reference));
        let sum = add(isa, &parents, &reference, &[layer(&delta, 1.0)]);
        prop_assert!(distance(&parents, &sum, &in_own_frames(&pose, &reference, &reference, 1.0)) < 2e-5);

        let mut one = poses[1].clone();
        let moved = pick % one.len();
        one[moved] = poses[0][moved];
        let one = JointBlock::pack(&one);
        let delta = make(isa, &parents, &one, DeltaReference::Pose(&reference));
        // At half a turn either side is right.
        prop_assume!(delta[moved / ROW].lane(moved % ROW).rotation.w.abs() > 1e-3);
        let sum = add(isa, &parents, &reference, &[layer(&delta, weight)]);
        prop_assert!(distance(&parents, &sum, &in_own_frames(&one, &reference, &reference, weight)) < 2e-4);
    }

    /// Whatever the base, in the model a joint turns by its own shares of the deltas, the first one first, and by
    /// nothing else.
    #[test]
    fn in_the_model_joints_turn_by_their_deltas_alone(
        (parents, poses) in figures(3),
        weights in prop::array::uniform2(0.0f32..=1.0),
        masks in prop::collection::vec(prop::sample::select(vec![0.0f32, 0.0, 0.5, 1.0]), 40),
    ) {
        let isa = Isa::detect();
        let [base, first, second] = [0, 1, 2].map(|i| JointBlock::pack(&poses[i]));
        let mask = pack_mask(&masks[..parents.len()]);
        let deltas = [DeltaLayer { delta: &first, weight: weights[0], mask: Some(&mask) }, layer(&second, weights[1])];
        let out = add(isa, &parents, &base, &deltas);
        let (before, after) = (turns(&parents, &base), turns(&parents, &out));
        for j in 0..parents.len() {
            let [a, b] = [&first, &second].map(|delta| JointBlock::joint(delta, j));
            let alphas = [f64::from(weights[0] * masks[j]), f64::from(weights[1])];
            let want = share(b.rotation.as_dquat(), alphas[1]) * (share(a.rotation.as_dquat(), alphas[0]) * before[j]);
            prop_assert!(apart(after[j], want) < 3e-5, "joint {}: {:?} and {:?}", j, after[j], want);
            // The rest is as in the joints' own frames.
            let (got, base) = (JointBlock::joint(&out, j), JointBlock::joint(&base, j));
            let [first, second] = alphas.map(|alpha| alpha as f32);
            prop_assert!((got.translation - (base.translation + a.translation * first + b.translation * second)).length() < 1e-5);
            let scale = base.scale * ((1.0 - first) + a.scale * first) * ((1.0 - second) + b.scale * second);
            prop_assert!((got.scale - scale).length() < 1e-5);
        }
    }

    /// A joint of no share keeps its rotation in the model, and every bit where its parent has none either; a mask of 1
    /// is none.
    #[test]
    fn masks_choose_the_joints((parents, poses) in figures(2), pick in any::<u64>(), weight in 0.1f32..=1.0) {
        let [base, delta] = [0, 1].map(|i| JointBlock::pack(&poses[i]));
        let is_in = |j: usize| pick >> (j % 61) & 1 == 1;
        let mask = pack_mask(&(0..parents.len()).map(|j| if is_in(j) { 1.0 } else { 0.0 }).collect::<Vec<f32>>());
        let ones = vec![Row([1.0; ROW]); base.len()];
        for isa in Isa::available() {
            let whole = add(isa, &parents, &base, &[layer(&delta, weight)]);
            let all = add(isa, &parents, &base, &[DeltaLayer { delta: &delta, weight, mask: Some(&ones) }]);
            prop_assert_eq!(bits(&all), bits(&whole), "{}", isa);
            let part = add(isa, &parents, &base, &[DeltaLayer { delta: &delta, weight, mask: Some(&mask) }]);
            let (before, after) = (turns(&parents, &base), turns(&parents, &part));
            for (j, &parent) in parents.iter().enumerate() {
                let of = |blocks: &[JointBlock]| bits(&numbers(&blocks[j / ROW].lane(j % ROW)));
                let above = parent != NO_PARENT && is_in(usize::from(parent));
                match (is_in(j), above) {
                    (false, false) => prop_assert_eq!(of(&part), of(&base), "{}, joint {}", isa, j),
                    (false, true) => prop_assert!(apart(before[j], after[j]) < 3e-5, "{}, joint {}", isa, j),
                    (true, true) => prop_assert_eq!(of(&part), of(&whole), "{}, joint {}", isa, j),
                    (true, false) => {}
                }
            }
        }
    }

    /// The sign of a delta, or of any joint that it was made of, changes no bit; that of a base's joint is the
    /// result's.
    #[test]
    fn signs_change_nothing((parents, poses) in figures(3), pick in any::<u64>(), weight in 0.0f32..=1.0) {
        let isa = Isa::detect();
        let turned = |pose: &[Trs], at: u64| {
            let joint = |(j, joint): (usize, &Trs)| if (pick >> at) >> (j % 41) & 1 == 1 { negated(joint) } else { *joint };
            JointBlock::pack(&pose.iter().enumerate().map(joint).collect::<Vec<Trs>>())
        };
        let [base, pose, reference] = [0, 1, 2].map(|i| JointBlock::pack(&poses[i]));
        let delta = make(isa, &parents, &pose, DeltaReference::Pose(&reference));
        let out = add(isa, &parents, &base, &[layer(&delta, weight)]);
        let other = make(isa, &parents, &turned(&poses[1], 3), DeltaReference::Pose(&turned(&poses[2], 11)));
        // Zeros may have either sign.
        prop_assert_eq!(&add(isa, &parents, &base, &[layer(&other, weight)]), &out);
        let of_turned = add(isa, &parents, &turned(&poses[0], 7), &[layer(&delta, weight)]);
        let joints: Vec<Trs> = (0..parents.len()).map(|j| JointBlock::joint(&out, j)).collect();
        prop_assert_eq!(&of_turned[..], &turned(&joints, 7)[..]);
    }

    #[test]
    fn mesh_deltas_are_equal_everywhere((parents, poses) in figures(4), masks in prop::collection::vec(0.0f32..=1.0, 40), weight in 0.0f32..=1.0) {
        let packed: Vec<Vec<JointBlock>> = poses.iter().map(|pose| JointBlock::pack(pose)).collect();
        let mask = pack_mask(&masks[..parents.len()]);
        let run = |isa| {
            let delta = make(isa, &parents, &packed[0], DeltaReference::Pose(&packed[1]));
            let deltas = [DeltaLayer { delta: &delta, weight, mask: Some(&mask) }, layer(&packed[3], weight)];
            [bits(&delta), bits(&add(isa, &parents, &packed[2], &deltas))]
        };
        let want = run(Isa::Scalar);
        for isa in Isa::available() {
            prop_assert_eq!(&run(isa), &want, "{}", isa);
        }
    }

    /// Rotations stay unit under any number of deltas.
    #[test]
    fn turned_rotations_are_unit((parents, poses) in figures(4), weights in prop::array::uniform3(0.0f32..=1.0)) {
        let packed: Vec<Vec<JointBlock>> = poses.iter().map(|pose| JointBlock::pack(pose)).collect();
        let made = make(Isa::detect(), &parents, &packed[0], DeltaReference::Pose(&packed[1]));
        let deltas = [layer(&made, weights[0]), layer(&packed[1], weights[1]), layer(&packed[2], weights[2])];
        let sum = add(Isa::detect(), &parents, &packed[3], &deltas);
        for block in made.iter().chain(&sum) {
            for lane in 0..ROW {
                let length = block.lane(lane).rotation.as_dquat().length();
                prop_assert!((length - 1.0).abs() < 2e-7, "{}", length);
            }
        }
    }
}

/// A spine and an arm that points forward (+Z) and is raised by 60 degrees about X. However the spine below leans and
/// turns, the raise is about the model's X; in the arm's own frame it goes along with the spine.
#[test]
fn an_aim_offset_points_the_same_way_whatever_the_spine_does() {
    let parents = [NO_PARENT, 0, 1];
    let turned = |rotation: Quat| Trs { rotation, translation: Vec3::new(0.0, 0.4, 0.0), ..Trs::IDENTITY };
    let quat = |axis: DVec3, deg: f64| {
        let (sine, cosine) = ops64::sin_cos(deg.to_radians() / 2.0);
        let axis = axis * sine;
        DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine).as_quat()
    };
    let rest = JointBlock::pack(&[turned(Quat::IDENTITY); 3]);
    let raise = quat(DVec3::X, -60.0);
    let raised = JointBlock::pack(&[turned(Quat::IDENTITY), turned(Quat::IDENTITY), turned(raise)]);
    let delta = make(Isa::detect(), &parents, &raised, DeltaReference::Pose(&rest));
    let mut own_frame_is_off: f64 = 0.0;
    for (lean_deg, turn_deg) in [(0.0, 0.0), (40.0, 0.0), (-40.0, 0.0), (25.0, 50.0), (10.0, -80.0)] {
        let spine = [quat(DVec3::Z, lean_deg), quat(DVec3::Y, turn_deg)];
        let base = JointBlock::pack(&[turned(spine[0]), turned(spine[1]), turned(quat(DVec3::Y, 15.0))]);
        let change = |sum: &[JointBlock]| turns(&parents, sum)[2] * turns(&parents, &base)[2].conjugate();
        let sum = add(Isa::detect(), &parents, &base, &[layer(&delta, 1.0)]);
        let off = apart(change(&sum), raise.as_dquat());
        assert!(off < 1e-6, "lean {lean_deg}, turn {turn_deg}: {off}");
        own_frame_is_off =
            own_frame_is_off.max(apart(change(&in_own_frames(&raised, &rest, &base, 1.0)), raise.as_dquat()));
    }
    assert!(own_frame_is_off > 0.5, "{own_frame_is_off}");
}

/// NaN, infinities and shapes that do not fit are errors.
#[test]
fn mesh_deltas_refuse_what_they_cannot_run() {
    let isa = Isa::detect();
    let (good, short) = ([JointBlock::IDENTITY; 2], [JointBlock::IDENTITY; 1]);
    let mut bad = good;
    bad[1].translation[2].0[7] = f32::NAN;
    let (ones, mut off) = ([Row([1.0; ROW]); 2], [Row([1.0; ROW]); 2]);
    off[1].0[3] = -0.5;
    // Two blocks of joints.
    let chain: Vec<u16> = (0..20).map(|joint: u16| joint.wrapping_sub(1)).collect();
    let mut turned = chain.clone();
    turned[3] = 4;
    let order = Err(JobError::ParentOrder { joint: 3, parent: 4 });
    let length = |what, count, want| Err(JobError::Length { what, count, want });
    let finite = |what| Err(JobError::NotFinite { what, row: 12, lane: 7 });

    let (first, pose) = (DeltaReference::FirstFrame, DeltaReference::Pose(&good));
    let rows: &[(&[u16], &[JointBlock], DeltaReference<'_>, Result<(), JobError>)] = &[
        (&chain, &good, first, Ok(())),
        (&chain[..1], &good, DeltaReference::Frames(&good), Ok(())),
        (&[], &good, first, Err(JobError::Frames { count: 2, frame_blocks: 0 })),
        (&chain, &short, first, Err(JobError::Frames { count: 1, frame_blocks: 2 })),
        (&chain[..1], &short, first, length("blocks of the deltas", 2, 1)),
        (&chain[..1], &good, pose, length("blocks of the reference", 2, 1)),
        (&turned, &good, first, order.clone()),
        (&chain, &bad, first, finite("frames")),
        (&chain, &good, DeltaReference::Pose(&bad), finite("reference")),
    ];
    for (parents, frames, reference, want) in rows {
        let (mut out, reference) = (good, *reference);
        assert_eq!(&MakeMeshDelta { isa, parents, frames, reference, out: &mut out }.validate(), want);
    }

    let delta = |delta, weight, mask| [DeltaLayer { delta, weight, mask }];
    let rows: &[(&[u16], &[JointBlock], [DeltaLayer<'_>; 1], Result<(), JobError>)] = &[
        (&chain, &good, delta(&good, 1.0, Some(&ones)), Ok(())),
        (&chain[..3], &good, delta(&good, 1.0, None), length("blocks of the pose", 2, 1)),
        (&chain, &short, delta(&good, 1.0, None), length("blocks of the base pose", 1, 2)),
        (&chain, &good, delta(&short, 1.0, None), length("blocks of a delta", 1, 2)),
        (&chain, &good, delta(&good, 1.0, Some(&ones[..1])), length("rows of a mask", 1, 2)),
        (&turned, &good, delta(&good, 1.0, None), order),
        (&chain, &bad, delta(&good, 1.0, None), finite("base pose")),
        (&chain, &good, delta(&bad, 1.0, None), finite("delta of a layer")),
        (&chain, &good, delta(&good, 1.0, Some(&off)), Err(JobError::MaskRange { row: 1, lane: 3, weight: -0.5 })),
        (&chain, &good, delta(&good, 1.5, None), Err(JobError::WeightRange { layer: 0, weight: 1.5 })),
    ];
    for (parents, base, deltas, want) in rows {
        assert_eq!(&AddMeshDeltas { isa, parents, base, deltas, out: &mut good.clone() }.validate(), want);
    }
    let many = vec![NO_PARENT; 1 << 16];
    let count = Err(JobError::JointCount { count: 1 << 16, max: 65535 });
    assert_eq!(
        AddMeshDeltas { isa, parents: &many, base: &good, deltas: &[], out: &mut good.clone() }.validate(),
        count
    );
    assert_eq!(
        MakeMeshDelta { isa, parents: &many, frames: &good, reference: first, out: &mut good.clone() }.validate(),
        count
    );
}
