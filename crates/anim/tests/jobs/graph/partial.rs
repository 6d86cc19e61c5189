//! Partial blends: weights by joint, and the three ways to a mean of rotations.

use stillframe_anim::graph::{NodeKind, PartialMode, PartialNode, PartialWeights, Value};
use stillframe_anim::pose::JointBlock;
use stillframe_testkit::worse;

use super::biped::{Player, angle_deg, bits, def, joint, joints, looped, mean, once, strings};

fn partial(weights: PartialWeights, mode: PartialMode) -> Player {
    let node = PartialNode { inputs: strings(&["run", "attack", "left"]), weights, mode };
    let nodes = vec![
        ("run", looped("run")),
        ("attack", once("attack")),
        ("left", looped("left")),
        ("all", NodeKind::Partial(node)),
    ];
    Player::new(&def(&[("w", 0.5)], nodes, "all"))
}

fn of(entries: &[(&str, [f32; 3])]) -> PartialWeights {
    PartialWeights::Joints(entries.iter().map(|(joint, weights)| (joint.to_string(), weights.to_vec())).collect())
}

const MODES: [PartialMode; 3] = [PartialMode::WeightedNlerp, PartialMode::PowerProduct, PartialMode::MatrixSum];

/// Which input each joint is, where that is one.
fn owners(player: &mut Player, ms: i64) -> Vec<Option<usize>> {
    player.step_ms(ms);
    let poses = ["run", "attack", "left"].map(|clip| player.clip_ms(clip, ms));
    let own = |(joint, got)| poses.iter().position(|pose| JointBlock::joint(pose, joint) == got);
    joints(&player.pose()).into_iter().enumerate().map(own).collect()
}

#[test]
fn branches_take_their_weights_and_the_rest_is_the_first_input_s() {
    // The neck's branch but for the right arm, which is a third's: a nearer entry counts, in whatever order they are
    // listed.
    let entries = [("Bip01 Neck", [0.0, 1.0, 0.0]), ("Bip01 R UpperArm", [0.0, 0.0, 5.0])];
    for mode in MODES {
        for entries in [entries, [entries[1], entries[0]]] {
            let owners = owners(&mut partial(of(&entries), mode), 450);
            for (name, want) in [
                ("Bip01", 0),
                ("Bip01 Head", 1),
                ("Bip01 R Clavicle", 1),
                ("Bip01 R Hand", 2),
                ("Bip01 L Hand", 1),
                ("Bip01 L Thigh", 0),
            ] {
                // Poses that are the same in two clips are the first's.
                let got = owners[joint(name)].expect("one input's");
                assert!(got <= want, "{name} is {got}'s with {mode:?}");
            }
            assert_eq!(owners[joint("Bip01 R UpperArm")], Some(2));
            assert_eq!(owners[joint("Bip01 R Forearm")].map(|own| own != 1), Some(true));
            assert_eq!(owners[joint("Bip01 Spine")], Some(0));
        }
    }
}

#[test]
fn weights_of_a_joint_are_divided_by_their_sum() {
    let mut player = partial(of(&[("Bip01 Spine", [1.0, 2.0, 1.0])]), PartialMode::WeightedNlerp);
    player.step_ms(250);
    let poses: Vec<_> =
        [(0.25, "run"), (0.5, "attack"), (0.25, "left")].map(|(w, clip)| (w, player.clip_ms(clip, 250))).into();
    let want = mean(&poses);
    let got = player.pose();
    for name in ["Bip01 Spine", "Bip01 R UpperArm", "Bip01 Head"] {
        let joint = joint(name);
        let apart = angle_deg(JointBlock::joint(&got, joint).rotation, JointBlock::joint(&want, joint).rotation);
        assert!(apart < 1e-4, "{name}: {apart} degrees");
    }
    assert_eq!(JointBlock::joint(&got, 0), JointBlock::joint(&player.clip_ms("run", 250), 0));
}

#[test]
fn weights_by_parameter_and_joints_without_any() {
    let zero = Value::Number(0.0);
    let weights = PartialWeights::Masks(vec![(zero.clone(), None), (Value::parameter("w"), None), (zero, None)]);
    for mode in MODES {
        let mut player = partial(weights.clone(), mode);
        player.step_ms(200);
        assert_eq!(bits(&player.pose()), bits(&player.clip_ms("attack", 200)));
        assert!(!player.is_active("run"));
        player.put("w", 0.0);
        let rest = super::biped::skeleton().rest_blocks();
        assert_eq!(bits(&player.pose()), bits(&rest), "{mode:?}");
    }
}

/// The book's two modes against weighted nlerp: the largest angle at equal weights. The figures are measured; the test
/// keeps them.
#[test]
fn how_far_the_modes_are_apart() {
    let all = [("Bip01", [1.0, 1.0, 1.0])];
    let mut worst = [0.0f64; 3];
    for ms in (0..1200).step_by(40) {
        let poses = MODES.map(|mode| {
            let mut player = partial(of(&all), mode);
            player.step_ms(ms);
            player.pose()
        });
        for (worst, pose) in worst.iter_mut().zip(&poses) {
            *worst = worse(*worst, super::biped::apart_deg(&poses[0], pose));
        }
    }
    let [own, product, matrices] = worst;
    assert_eq!(own, 0.0);
    assert!(product > 0.01 && product < 6.0, "power product: {product} degrees");
    assert!(matrices > 0.001 && matrices < 3.0, "matrix sum: {matrices} degrees");
}
