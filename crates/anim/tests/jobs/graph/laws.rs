//! Laws of all graphs: P34, cutting of steps, storing and going on, evaluation that is not part of time.

use proptest::prelude::*;
use stillframe_anim::graph::{
    Compare, Condition, FadePolicy, GraphDef, GraphState, LayerDef, LayerMode, NodeKind, Play, SlotNode, TIME_MAX,
    Value,
};
use stillframe_anim::pose::JointBlock;
use stillframe_anim::time::{Repeat, TimeError};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;
use stillframe_testkit::depth::cases;
use stillframe_testkit::worse;

use super::biped::{MS, Player, angle_deg, bits, def, joints, line, looped, once, switch};
use super::machine::{is, machine, transition};
use super::slot::upper;

fn moods(policy: FadePolicy) -> GraphDef {
    let names = ["idle", "run", "attack", "left", "back"];
    let mut nodes: Vec<(&str, NodeKind)> = names.map(|name| (name, looped(name))).to_vec();
    nodes.push(("final", switch("p", &names, 200, policy)));
    def(&[("p", 0.0)], nodes, "final")
}

/// Turns of the joints from one pose to another, in degrees.
fn turns(a: &[JointBlock], b: &[JointBlock]) -> Vec<f64> {
    joints(a).iter().zip(joints(b)).map(|(a, b)| angle_deg(a.rotation, b.rotation)).collect()
}

const FRAME_MS: i64 = 5;

/// Plays changes of mind: (frames until the next, what is asked for). Gives each frame's turns, and whether it was one
/// of a change.
fn frames(policy: FadePolicy, script: &[(usize, u8)]) -> Vec<Vec<f64>> {
    let mut player = Player::new(&moods(policy));
    let mut poses = vec![player.pose()];
    for (frames, mood) in script {
        for frame in 0..*frames {
            if frame == 0 {
                player.set("p", f32::from(*mood));
            }
            player.step_ms(FRAME_MS);
            poses.push(player.pose());
        }
    }
    poses.windows(2).map(|pair| turns(&pair[0], &pair[1])).collect()
}

/// The fastest joint of any clip, in degrees a frame: a thigh of the run, 0.9 rad at 2 pi / 0.6 s, and its calf at
/// 0.72.
const CLIP_TURN_MAX_DEG: f64 = 51.6 * 10.48 * 0.001 * FRAME_MS as f64 * 1.05;

/// What a fade of 200 ms may add in a frame: an offset of x0 dies away at no more than 15/8 x0 over its length, and the
/// widest offset between these clips is 110 degrees.
const FADE_TURN_MAX_DEG: f64 = 15.0 / 8.0 * 110.0 * FRAME_MS as f64 / 200.0;

/// The worst turn beyond what the clips, the fade and the joint's own speed before allow.
fn excess_deg(frames: &[Vec<f64>]) -> f64 {
    let mut worst = f64::NEG_INFINITY;
    for pair in frames.windows(2) {
        for (before, now) in pair[0].iter().zip(&pair[1]) {
            worst = worse(worst, now - (before + CLIP_TURN_MAX_DEG + FADE_TURN_MAX_DEG));
        }
    }
    worst
}

#[test]
fn p34_the_metric_sees_the_book_s_jumps() {
    // Idle, half way to the attack, then to the run; and half way and back again.
    let script = [(10, 0), (20, 2), (20, 1), (6, 4), (10, 1)];
    let (book, inertial) =
        (excess_deg(&frames(FadePolicy::Book, &script)), excess_deg(&frames(FadePolicy::Inertial, &script)));
    assert!(book > 5.0, "the book's policy: {book} degrees");
    assert!(inertial <= 0.0, "inertia: {inertial} degrees");
}

#[test]
fn p34_asking_for_the_same_again_changes_nothing() {
    for policy in [FadePolicy::Inertial, FadePolicy::Frozen, FadePolicy::Book] {
        let (mut once, mut again) = (Player::new(&moods(policy)), Player::new(&moods(policy)));
        for player in [&mut once, &mut again] {
            player.step_ms(70);
            player.pose();
            player.put("p", 1.0);
        }
        for ms in [10, 50, 90, 100] {
            again.put("p", 1.3);
            for player in [&mut once, &mut again] {
                player.step_ms(ms);
            }
            assert_eq!(bits(&once.pose()), bits(&again.pose()), "{policy:?}");
        }
    }
}

/// Everything at once: a machine, a space, a slot, layers.
fn everything() -> GraphDef {
    let over = Condition::TimeLeft { below: Tick(50 * MS) };
    let transitions = vec![
        transition(Some("Stand"), "Go", is("speed", Compare::Greater, 0.2)),
        transition(Some("Go"), "Stand", is("speed", Compare::Less, 0.1)),
        transition(None, "Hit", is("hit", Compare::Greater, 0.5)),
        transition(Some("Hit"), "Stand", over),
    ];
    let slot = SlotNode {
        input: "machine".into(),
        mask: Some("upper".into()),
        fade_in: Tick(80 * MS),
        fade_out: Tick(120 * MS),
    };
    let layer = LayerDef {
        node: "run2".into(),
        weight: Value::parameter("layer"),
        mask: Some("upper".into()),
        mode: LayerMode::Override,
    };
    let nodes = vec![
        ("idle", looped("idle")),
        ("walk", looped("walk")),
        ("run", looped("run")),
        ("run2", looped("run")),
        ("attack", once("attack")),
        ("go", line("speed", &[(0.2, "walk"), (1.0, "run")])),
        ("machine", machine(&[("Stand", "idle"), ("Go", "go"), ("Hit", "attack")], FadePolicy::Inertial, transitions)),
        ("slot", NodeKind::Slot(slot)),
        ("layers", NodeKind::Layers { base: "slot".into(), layers: vec![layer] }),
        ("final", switch("p", &["layers", "idle"], 90, FadePolicy::Frozen)),
    ];
    let mut def = def(&[("speed", 0.0), ("hit", 0.0), ("layer", 0.0), ("p", 0.0)], nodes, "final");
    def.masks.push(upper());
    def
}

#[derive(Clone, Debug)]
struct Act {
    ms: i64,
    parameter: u8,
    value: f32,
    plays: bool,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = (0..400i64, 0..4u8, 0..4u8, 0..8u8).prop_map(|(ms, parameter, value, plays)| Act {
        ms,
        parameter,
        value: f32::from(value) * 0.4,
        plays: plays == 0,
    });
    prop::collection::vec(act, 1..20)
}

fn act(player: &mut Player, act: &Act) {
    if act.plays {
        let play = Play { clip: 3, speed: 1.5, repeat: Repeat::Times(1) };
        let slot = player.graph.node("slot").expect("a node");
        player.graph.play(&mut player.state, slot, &play);
    }
    player.parameters[usize::from(act.parameter)] = act.value;
    player.step_ms(act.ms);
}

fn stored(state: &GraphState) -> GraphState {
    serde_json::from_str(&serde_json::to_string(state).expect("plain data")).expect("what was written")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(150)))]

    #[test]
    fn p34_an_interrupted_change_over_does_not_jump(script in prop::collection::vec((1..50usize, 0..5u8), 1..14)) {
        let frames = frames(FadePolicy::Inertial, &script);
        let excess = excess_deg(&frames);
        prop_assert!(excess <= 0.0, "{} degrees too far", excess);
        // Nothing builds up, however often minds change.
        let fastest = frames.iter().flatten().copied().fold(0.0, f64::max);
        prop_assert!(fastest < 3.0 * (CLIP_TURN_MAX_DEG + FADE_TURN_MAX_DEG), "{} degrees in a frame", fastest);
    }

    #[test]
    fn a_state_can_be_stored_at_any_moment(acts in acts(), at: prop::sample::Index) {
        let mut player = Player::new(&everything());
        let at = at.index(acts.len());
        for own in &acts[..at] {
            act(&mut player, own);
            player.pose();
        }
        let mut other = Player::new(&everything());
        other.state = stored(&player.state);
        prop_assert_eq!(&other.state, &player.state);
        other.parameters.clone_from(&player.parameters);
        player.events.clear();
        for own in &acts[at..] {
            act(&mut player, own);
            act(&mut other, own);
            prop_assert_eq!(bits(&player.pose()), bits(&other.pose()));
        }
        prop_assert_eq!(&other.state, &player.state);
        prop_assert_eq!(&other.events, &player.events);
    }

    #[test]
    fn evaluation_is_no_part_of_time_and_twice_is_once(acts in acts(), skip in prop::collection::vec(any::<bool>(), 20)) {
        let (mut seen, mut unseen) = (Player::new(&everything()), Player::new(&everything()));
        for (own, skip) in acts.iter().zip(skip) {
            act(&mut seen, own);
            act(&mut unseen, own);
            let first = bits(&seen.pose());
            let state = seen.state.clone();
            prop_assert_eq!(bits(&seen.pose_at(Isa::Scalar)), first);
            prop_assert_eq!(&seen.state, &state);
            if !skip {
                unseen.pose();
            }
            prop_assert_eq!(seen.state.describe(&seen.graph), unseen.state.describe(&unseen.graph));
            prop_assert_eq!(seen.state.moves(), unseen.state.moves());
        }
        prop_assert_eq!(&seen.events, &unseen.events);
    }

    #[test]
    fn ways_of_clocks_join(acts in acts()) {
        // What a leaf goes in one update begins where it ended, but where it has started again; and weights are shares.
        let mut player = Player::new(&everything());
        let mut ends = std::collections::BTreeMap::new();
        for own in &acts {
            act(&mut player, own);
            for leaf in player.state.moves() {
                prop_assert!((0.0..=1.001).contains(&leaf.weight), "{:?}", leaf);
                prop_assert!(leaf.to >= leaf.from);
                if let Some(end) = ends.insert((leaf.node, leaf.part), leaf.to) {
                    prop_assert!(end == leaf.from || leaf.from.sub_ticks() == 0, "{:?} after {:?}", leaf, end);
                }
            }
        }
    }
}

#[test]
fn poses_are_finite_and_unit_in_all_of_it() {
    let mut player = Player::new(&everything());
    for step in 0..200 {
        let own = Act { ms: 7, parameter: (step % 4) as u8, value: (step % 7) as f32 * 0.2, plays: step % 31 == 0 };
        act(&mut player, &own);
        for joint in joints(&player.pose()) {
            assert!((joint.rotation.length() - 1.0).abs() < 1e-5 && joint.translation.is_finite(), "{joint:?}");
        }
    }
}

#[test]
fn steps_that_cannot_be_taken_change_nothing() {
    let mut player = Player::new(&everything());
    player.step_ms(10);
    let state = player.state.clone();
    for (step, error) in [(Tick(-1), TimeError::NegativeStep { step: Tick(-1) }), (TIME_MAX, TimeError::Overflow)] {
        let parameters = player.parameters.clone();
        assert_eq!(player.graph.update(&mut player.state, step, &parameters, &mut player.events), Err(error));
        assert_eq!(player.state, state);
    }
    // The end of time can be reached, where nothing has to be told on the way.
    let mut far = Player::new(&def(&[], vec![("pose", NodeKind::Frame { clip: "walk".into(), at: Tick(0) })], "pose"));
    far.step(TIME_MAX);
    assert_eq!(far.state.time(), TIME_MAX);
}
