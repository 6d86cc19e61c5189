//! State machines: rules, priorities, interruptions, and that steps do not matter.

use proptest::prelude::*;
use stillframe_anim::graph::{
    Compare, Condition, Enter, FadePolicy, GraphDef, GraphSignal, MachineNode, NodeKind, StateDef, TransitionDef,
};
use stillframe_anim::time::Ease;
use stillframe_base::tick::Tick;
use stillframe_testkit::depth::cases;

use super::biped::{MS, Player, def, looped, once};

pub fn is(parameter: &str, is: Compare, than: f32) -> Condition {
    Condition::Compare { parameter: parameter.to_string(), is, than }
}

pub fn transition(from: Option<&str>, to: &str, condition: Condition) -> TransitionDef {
    TransitionDef {
        from: from.map(str::to_string),
        to: to.to_string(),
        condition,
        fade: Tick(100 * MS),
        priority: 0,
        interruptible: true,
        enter: Enter::Restart,
    }
}

pub fn machine(states: &[(&str, &str)], policy: FadePolicy, transitions: Vec<TransitionDef>) -> NodeKind {
    let state = |(name, node): &(&str, &str)| StateDef { name: name.to_string(), node: node.to_string() };
    NodeKind::Machine(MachineNode {
        states: states.iter().map(state).collect(),
        initial: states.first().map_or(String::new(), |state| state.0.to_string()),
        transitions,
        policy,
        ease: Ease::Linear,
    })
}

/// UE4's idle and locomotion with two thresholds, and an attack from anywhere that goes back when its clip is over.
fn guard(policy: FadePolicy) -> GraphDef {
    let moves = is("speed", Compare::Greater, 0.1);
    let stands = is("speed", Compare::Less, 0.05);
    let states = [("Idle", "idle"), ("Move", "walk"), ("Attack", "attack")];
    let mut attack = transition(None, "Attack", is("attack", Compare::GreaterOrEqual, 1.0));
    (attack.priority, attack.interruptible) = (1, false);
    let over = Condition::TimeLeft { below: Tick(100 * MS) };
    let transitions = vec![
        transition(Some("Idle"), "Move", moves.clone()),
        transition(Some("Move"), "Idle", stands),
        attack,
        transition(Some("Attack"), "Move", Condition::And(vec![over.clone(), moves])),
        transition(Some("Attack"), "Idle", over),
    ];
    let nodes = vec![
        ("idle", looped("idle")),
        ("walk", looped("walk")),
        ("attack", once("attack")),
        ("machine", machine(&states, policy, transitions)),
    ];
    def(&[("speed", 0.0), ("attack", 0.0)], nodes, "machine")
}

/// (moment in ms, state entered)
fn entered(player: &Player) -> Vec<(i64, u16)> {
    let entered = player.events.iter().filter_map(|event| match event.signal {
        GraphSignal::Entered { state } => Some((event.at.0 / MS, state)),
        _ => None,
    });
    entered.collect()
}

#[test]
fn a_scripted_guard() {
    let mut player = Player::new(&guard(FadePolicy::Book));
    let mut trace = String::new();
    for (ms, speed, attack) in [
        (0, 0.0, 0.0),
        (200, 2.0, 0.0),
        (50, 2.0, 0.0),
        (250, 2.0, 1.0),
        (50, 2.0, 0.0),
        (600, 0.0, 0.0),
        (500, 0.0, 0.0),
        (200, 0.0, 0.0),
    ] {
        player.set("speed", speed);
        player.set("attack", attack);
        player.step_ms(ms);
        trace += &format!(
            "{} | {}\n",
            player.state.describe(&player.graph).lines().next().expect("a line"),
            player.line("machine")
        );
    }
    assert_eq!(
        trace,
        "0.0000 s speed=0.000 attack=0.000 | 1.000 shows Idle\n\
         0.2000 s speed=2.000 attack=0.000 | 1.000 shows Move from Idle 0.000\n\
         0.2500 s speed=2.000 attack=0.000 | 1.000 shows Move from Idle 0.500\n\
         0.5000 s speed=2.000 attack=1.000 | 1.000 shows Attack from Move 0.000\n\
         0.5500 s speed=2.000 attack=0.000 | 1.000 shows Attack from Move 0.500\n\
         1.1500 s speed=0.000 attack=0.000 | 1.000 shows Attack\n\
         1.6500 s speed=0.000 attack=0.000 | 1.000 shows Idle from Attack 0.500\n\
         1.8500 s speed=0.000 attack=0.000 | 1.000 shows Idle\n"
    );
    // 1100 ms into the attack less than 100 ms are left: one tick later.
    let back = player.events.iter().rev().find(|event| matches!(event.signal, GraphSignal::Entered { state: 0 }));
    assert_eq!(back.map(|event| event.at), Some(Tick(1600 * MS + 1)));
}

#[test]
fn two_thresholds_do_not_chatter_and_no_rule_no_change() {
    let mut player = Player::new(&guard(FadePolicy::Inertial));
    for step in 0..200 {
        // Noise between the thresholds.
        player.set("speed", if step < 100 { 0.06 + 0.03 * (step % 2) as f32 } else { 0.12 - 0.06 * (step % 2) as f32 });
        player.step_ms(16);
    }
    assert_eq!(entered(&player).len(), 1, "{:?}", entered(&player));
}

#[test]
fn priority_then_the_order_of_the_list() {
    let yes = || is("go", Compare::Greater, 0.0);
    for (priorities, winner) in [([0, 0], 1), ([0, 1], 2), ([1, 0], 1), ([-1, 0], 2)] {
        let mut transitions = vec![transition(None, "B", yes()), transition(Some("A"), "C", yes())];
        for (transition, priority) in transitions.iter_mut().zip(priorities) {
            transition.priority = priority;
        }
        let states = [("A", "a"), ("B", "b"), ("C", "c")];
        let nodes = vec![
            ("a", looped("idle")),
            ("b", looped("walk")),
            ("c", looped("run")),
            ("machine", machine(&states, FadePolicy::Inertial, transitions)),
        ];
        let mut player = Player::new(&def(&[("go", 0.0)], nodes, "machine"));
        player.put("go", 1.0);
        assert_eq!(entered(&player), [(0, winner)], "{priorities:?}");
    }
}

#[test]
fn a_fade_that_must_not_be_interrupted_is_not() {
    for (interruptible, want) in [(true, vec![(0, 1), (30, 0)]), (false, vec![(0, 1), (100, 0)])] {
        let mut there = transition(Some("A"), "B", is("go", Compare::Greater, 0.0));
        there.interruptible = interruptible;
        let back = transition(Some("B"), "A", is("go", Compare::LessOrEqual, 0.0));
        let states = [("A", "a"), ("B", "b")];
        let nodes = vec![
            ("a", looped("idle")),
            ("b", looped("walk")),
            ("machine", machine(&states, FadePolicy::Frozen, vec![there, back])),
        ];
        let mut player = Player::new(&def(&[("go", 0.0)], nodes, "machine"));
        player.put("go", 1.0);
        player.step_ms(30);
        player.put("go", 0.0);
        // One large step: the change over falls on the tick at which the fade ends.
        player.step_ms(500);
        assert_eq!(entered(&player), want);
    }
}

#[test]
fn states_are_kept_for_a_millisecond_at_least() {
    let ring =
        |from: &'static str, to| TransitionDef { fade: Tick(0), ..transition(Some(from), to, Condition::Always) };
    let nodes = || {
        let rules = vec![ring("A", "B"), ring("B", "C"), ring("C", "A")];
        let states = [("A", "a"), ("B", "a"), ("C", "a")];
        vec![("a", looped("idle")), ("machine", machine(&states, FadePolicy::Book, rules))]
    };
    let mut player = Player::new(&def(&[], nodes(), "machine"));
    player.step(Tick(0));
    player.step(Tick(0));
    assert_eq!(player.line("machine"), "1.000 shows B");
    player.step_ms(4);
    assert_eq!(entered(&player), [(1, 2), (2, 0), (3, 1), (4, 2)]);
}

#[test]
fn conditions_are_joined_as_they_say() {
    let (a, b) = (|| is("a", Compare::Greater, 0.0), || is("b", Compare::NotEqual, 0.0));
    for (condition, table) in [
        (Condition::And(vec![a(), b()]), [false, false, false, true]),
        (Condition::Or(vec![a(), b()]), [false, true, true, true]),
        (Condition::Not(Box::new(a())), [true, true, false, false]),
        (Condition::And(vec![]), [true; 4]),
        (Condition::Or(vec![]), [false; 4]),
        (Condition::Always, [true; 4]),
        (is("a", Compare::Equal, 1.0), [false, false, true, true]),
        (is("a", Compare::Less, 1.0), [true, true, false, false]),
    ] {
        for (case, want) in table.into_iter().enumerate() {
            let states = [("A", "x"), ("B", "y")];
            let rule = transition(Some("A"), "B", condition.clone());
            let nodes = vec![
                ("x", looped("idle")),
                ("y", looped("walk")),
                ("machine", machine(&states, FadePolicy::Book, vec![rule])),
            ];
            let def = def(&[("a", (case / 2) as f32), ("b", (case % 2) as f32)], nodes, "machine");
            // The start decides, too.
            let player = Player::new(&def);
            assert_eq!(player.line("machine").contains("shows B"), want, "{condition:?} {case}");
        }
    }
}

#[test]
fn states_are_entered_at_their_start_where_they_were_or_in_phase() {
    for (enter, time) in [(Enter::Restart, "0.0000"), (Enter::Resume, "0.3000"), (Enter::Sync, "0.1500")] {
        let mut there = transition(Some("Walk"), "Run", is("run", Compare::Greater, 0.0));
        there.enter = enter;
        let back = transition(Some("Run"), "Walk", is("run", Compare::LessOrEqual, 0.0));
        let nodes = vec![
            ("walk", looped("walk")),
            ("run", looped("run")),
            ("machine", machine(&[("Walk", "walk"), ("Run", "run")], FadePolicy::Inertial, vec![there, back])),
        ];
        let mut player = Player::new(&def(&[("run", 0.0)], nodes, "machine"));
        player.put("run", 1.0);
        player.step_ms(300);
        player.put("run", 0.0);
        player.step_ms(1250);
        player.put("run", 1.0);
        // A quarter of a second of the walk is a quarter of the run.
        assert_eq!(player.line("run").split(' ').nth(2), Some(time), "{enter:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(100)))]

    #[test]
    fn the_trace_depends_on_the_parameters_alone(
        script in prop::collection::vec((0..600i64, 0..3u8, any::<bool>()), 1..20),
        cuts in prop::collection::vec(1..50i64, 1..8), book: bool
    ) {
        let def = guard(if book { FadePolicy::Book } else { FadePolicy::Frozen });
        let (mut whole, mut parts) = (Player::new(&def), Player::new(&def));
        for (ms, speed, attack) in script {
            whole.step(Tick(ms * MS));
            let mut left = ms * MS;
            for cut in cuts.iter().cycle() {
                let part = left.min(cut * MS / 3);
                parts.step(Tick(part));
                left -= part;
                if left == 0 {
                    break;
                }
            }
            for player in [&mut whole, &mut parts] {
                player.put("speed", f32::from(speed) * 0.07);
                player.put("attack", f32::from(u8::from(attack)));
            }
            prop_assert_eq!(whole.state.describe(&whole.graph), parts.state.describe(&parts.graph));
        }
        prop_assert_eq!(&whole.events, &parts.events);
    }
}
