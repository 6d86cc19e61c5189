//! What is told of clocks: what lies at the start, spans that end once, who speaks for a space, what follows, what is
//! played in slots.

use std::collections::BTreeSet;

use proptest::prelude::*;
use stillframe_anim::graph::{
    EventPolicy, FadePolicy, GraphDef, GraphEvent, GraphSignal, LayerDef, LayerMode, NodeKind, Play, SlotNode,
    SpaceDef, SyncSpaceNode, Value,
};
use stillframe_anim::time::{Event, Pace, Repeat, Signal};
use stillframe_base::tick::Tick;
use stillframe_testkit::depth::cases;

use super::biped::{MS, Player, def, looped, strings, switch};

fn sync(space: SpaceDef, clips: &[&str], by_markers: bool) -> NodeKind {
    let (pace, speed) = (Pace::Leader, Value::parameter("speed"));
    NodeKind::SyncSpace(SyncSpaceNode { space, clips: strings(clips), by_markers, pace, speed })
}

fn walk_run() -> NodeKind {
    sync(SpaceDef::Line { parameter: Value::parameter("p"), at: vec![0.0, 1.0] }, &["walk", "run"], false)
}

fn layer(node: &str, parameter: &str) -> LayerDef {
    LayerDef { node: node.to_string(), weight: Value::parameter(parameter), mask: None, mode: LayerMode::Override }
}

/// A moment at the start, one at a third, a span over the first half and one from a quarter to the end.
fn with_events(mut def: GraphDef) -> GraphDef {
    for clip in def.clips.iter_mut().filter(|clip| clip.duration.0 > 0) {
        let share = |part: i64, of: i64| Tick(clip.duration.0 * part / of);
        clip.events = vec![
            Event::point(Tick(0)),
            Event::span(Tick(0), share(1, 2)),
            Event::span(share(1, 4), clip.duration),
            Event::point(share(1, 3)),
        ];
    }
    def
}

/// A line an event: milliseconds, node, clip, what; laps are left out.
fn heard(player: &Player) -> Vec<String> {
    let words = |event: &GraphEvent| {
        let GraphSignal::Clip { clip, signal } = event.signal else { return None };
        let what = match signal {
            Signal::Point(number) => format!("moment {number}"),
            Signal::Enter(number) => format!("span {number} begins"),
            Signal::Leave(number) => format!("span {number} ends"),
            Signal::Lap | Signal::Finish => return None,
        };
        let clip = player.graph.clip_names().nth(usize::from(clip)).expect("a clip");
        Some(format!("{} {} {clip} {what}", event.at.0 / MS, player.graph.node_name(usize::from(event.node))))
    };
    player.events.iter().filter_map(words).collect()
}

/// It was told with the first step only, a tick late, so that nothing was told at the start itself.
#[test]
fn what_lies_at_the_start_is_told_once_and_there() {
    let def = with_events(def(&[], vec![("walk", looped("walk"))], "walk"));
    let mut player = Player::new(&def);
    player.step(Tick(0));
    let first = ["0 walk walk span 1 begins", "0 walk walk moment 0"];
    assert_eq!(heard(&player), first);
    assert!(player.events.iter().all(|event| event.at == Tick(0)));
    player.step(Tick(0));
    player.step_ms(200);
    assert_eq!(heard(&player), first);
    let mut later = Player::new(&def);
    later.step_ms(200);
    assert_eq!(later.events, player.events, "with the first update, whatever its step");
}

/// What stands has not begun.
#[test]
fn what_does_not_move_begins_when_it_does() {
    let mut player = Player::new(&with_events(def(&[("p", 0.0), ("speed", 0.0)], vec![("move", walk_run())], "move")));
    player.step_ms(100);
    assert_eq!(heard(&player), Vec::<String>::new());
    // Under the number that is handed in at 100 ms.
    player.put("speed", 1.0);
    assert_eq!(heard(&player), ["100 move walk span 1 begins", "100 move walk moment 0"]);
}

/// They went on for ever.
#[test]
fn spans_of_a_leader_end_where_another_clip_leads() {
    let nodes = vec![("move", walk_run())];
    let mut player = Player::new(&with_events(def(&[("p", 0.0), ("speed", 1.0)], nodes, "move")));
    player.step_ms(300);
    player.put("p", 1.0);
    player.events.clear();
    // The walk stands at 300 of 1000 ms; the run at 180 of 600.
    player.step_ms(100);
    let change = [
        "300 move walk span 1 ends",
        "300 move walk span 2 ends",
        "300 move run span 1 begins",
        "300 move run span 2 begins",
        "320 move run moment 3",
    ];
    assert_eq!(heard(&player), change);
    player.events.clear();
    player.step_ms(50);
    assert_eq!(heard(&player), ["420 move run span 1 ends"]);
}

/// Four clips at a quarter each: no step was heard where its leader's own share counted.
#[test]
fn a_space_is_heard_by_the_weight_of_all_of_it() {
    let parameters = [Value::parameter("p"), Value::Number(0.5)];
    let space = SpaceDef::Grid { parameters, columns: vec![0.0, 1.0], rows: vec![0.0, 1.0] };
    let move_all = sync(space, &["walk", "run", "left", "right"], false);
    let nodes = vec![
        ("idle", looped("idle")),
        ("move", move_all),
        ("out", NodeKind::Layers { base: "idle".to_string(), layers: vec![layer("move", "weight")] }),
    ];
    for (weight, is_heard) in [(1.0, true), (0.5, true), (0.4375, false)] {
        let mut def = with_events(def(&[("p", 0.5), ("speed", 1.0), ("weight", weight)], nodes.clone(), "out"));
        def.event_weight_min = 0.5;
        let mut player = Player::new(&def);
        player.step_ms(100);
        let node = player.graph.node("move").expect("a node");
        let of_space: Vec<f32> =
            player.events.iter().filter(|event| usize::from(event.node) == node).map(|event| event.weight).collect();
        assert_eq!(of_space, if is_heard { vec![weight; 2] } else { vec![] }, "at {weight}");
    }
}

/// It told nothing.
#[test]
fn what_follows_a_clip_tells_its_own_events() {
    let follow = NodeKind::Follow { clip: "run".to_string(), leader: "walk".to_string() };
    let layers = NodeKind::Layers { base: "walk".to_string(), layers: vec![layer("follow", "weight")] };
    let nodes = vec![("walk", looped("walk")), ("follow", follow), ("out", layers)];
    let mut player = Player::new(&with_events(def(&[("weight", 1.0)], nodes, "out")));
    player.step_ms(1100);
    let of_run: Vec<String> = heard(&player).into_iter().filter(|line| line.contains(" run ")).collect();
    // Shares of the walk's 1000 ms.
    let want = [
        "0 follow run span 1 begins",
        "0 follow run moment 0",
        "250 follow run span 2 begins",
        "333 follow run moment 3",
        "500 follow run span 1 ends",
        "1000 follow run span 2 ends",
        "1000 follow run span 1 begins",
        "1000 follow run moment 0",
    ];
    assert_eq!(of_run, want);
    player.events.clear();
    player.put("weight", 0.0);
    assert_eq!(heard(&player), ["1100 follow run span 1 ends"], "nobody tells it any more");
}

fn slot(fade_in_ms: i64, fade_out_ms: i64) -> NodeKind {
    let (fade_in, fade_out) = (Tick(fade_in_ms * MS), Tick(fade_out_ms * MS));
    NodeKind::Slot(SlotNode { input: "idle".to_string(), mask: None, fade_in, fade_out })
}

fn play(player: &mut Player, clip: &str) {
    let (node, clip) = (player.graph.node("slot").expect("a node"), player.graph.clip(clip).expect("a clip"));
    player.graph.play(&mut player.state, node, &Play { clip, speed: 1.0, repeat: Repeat::Forever });
}

/// Nobody told them any more.
#[test]
fn spans_of_a_slot_end_where_another_clip_takes_the_place() {
    let nodes = vec![("idle", looped("idle")), ("slot", slot(1000, 1000))];
    let mut player = Player::new(&with_events(def(&[], nodes, "slot")));
    for _ in 0..6 {
        play(&mut player, "walk");
        player.step_ms(80);
    }
    let count =
        |what: &str| heard(&player).iter().filter(|line| line.contains("slot walk") && line.ends_with(what)).count();
    // Begun have those of the first three, at 250 ms each; the fifth and the sixth clip have taken the places of two.
    assert_eq!((count("span 2 begins"), count("span 2 ends")), (3, 2));
}

/// A clip that leaves slowly and one that comes fast weighed 1.9 together, as their events and their ways did.
#[test]
fn clips_of_a_slot_weigh_1_at_most() {
    let nodes = vec![("idle", looped("idle")), ("slot", slot(0, 1000))];
    let mut player = Player::new(&with_events(def(&[], nodes, "slot")));
    play(&mut player, "walk");
    player.step_ms(100);
    let node = player.graph.node("slot").expect("a node");
    player.graph.stop(&mut player.state, node);
    play(&mut player, "run");
    player.events.clear();
    player.step_ms(200);
    let moves = player.state.moves().to_vec();
    let sum: f32 = moves.iter().filter(|leaf| usize::from(leaf.node) == node).map(|leaf| leaf.weight).sum();
    assert!((sum - 1.0).abs() < 1e-6, "{moves:?}");
    // The run's moment at 200 ms: 1 of 1.8.
    let moment =
        player.events.iter().find(|event| matches!(event.signal, GraphSignal::Clip { signal: Signal::Point(3), .. }));
    let weight = moment.expect("it is heard").weight;
    assert!((weight - 1.0 / 1.8).abs() < 1e-6, "{weight}");
}

/// A space, what follows it, a switch, a slot and layers.
fn everything(policy: FadePolicy, by_markers: bool, min: f32) -> GraphDef {
    let follow = |clip: &str, leader: &str| NodeKind::Follow { clip: clip.to_string(), leader: leader.to_string() };
    let space = SpaceDef::Line { parameter: Value::parameter("p"), at: vec![0.0, 1.0] };
    let layers = NodeKind::Layers {
        base: "either".to_string(),
        layers: vec![layer("behind", "layer"), layer("beside", "layer")],
    };
    let nodes = vec![
        ("move", sync(space, &["walk", "run"], by_markers)),
        ("idle", looped("walk")),
        ("behind", follow("left", "move")),
        ("beside", follow("run", "idle")),
        ("either", switch("either", &["move", "slot"], 300, policy)),
        ("slot", slot(100, 200)),
        ("out", layers),
    ];
    let parameters = [("p", 0.0), ("speed", 1.0), ("either", 0.0), ("layer", 0.0)];
    GraphDef { event_weight_min: min, ..with_events(def(&parameters, nodes, "out")) }
}

#[test]
fn several_loops_in_an_update_tell_a_moment_once_if_that_is_wanted() {
    let def = with_events(def(&[], vec![("walk", looped("walk"))], "walk"));
    for (policy, moments, laps) in [(EventPolicy::Exact, 3, 3), (EventPolicy::OncePerUpdate, 1, 1)] {
        let mut player = Player::new(&def);
        player.step_ms(500);
        let first = player.events.len();
        player.step_ms(3000);
        policy.apply(&mut player.events, first);
        let count = |wanted: Signal| {
            let is_wanted =
                |event: &&GraphEvent| matches!(event.signal, GraphSignal::Clip { signal, .. } if signal == wanted);
            player.events[first..].iter().filter(is_wanted).count()
        };
        assert_eq!((count(Signal::Point(3)), count(Signal::Lap)), (moments, laps), "{policy:?}");
        assert_eq!((count(Signal::Enter(1)), count(Signal::Leave(1))), (3, 3), "{policy:?}: one ends at 500 ms");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(200)))]

    #[test]
    fn every_span_that_begins_ends_once_whatever_is_done_and_however_steps_are_cut(
        script in prop::collection::vec((0..6u8, 0..5u8, 0..700i64), 1..24), by_markers: bool, min in 0..3u8, policy in 0..3u8,
        cuts in prop::collection::vec(1..200_000_000i64, 1..6)
    ) {
        let policy = [FadePolicy::Book, FadePolicy::Frozen, FadePolicy::Inertial][usize::from(policy)];
        let def = everything(policy, by_markers, [0.0, 0.5, 1.0][usize::from(min)]);
        let (mut whole, mut parts) = (Player::new(&def), Player::new(&def));
        let mut cuts = cuts.iter().cycle();
        for (what, how, ms) in script {
            let value = f32::from(how) / 4.0;
            for player in [&mut whole, &mut parts] {
                match what {
                    0 => player.put("p", value),
                    1 => player.put("speed", 2.0 * value - 1.0),
                    2 => player.put("either", value.round()),
                    3 => player.put("layer", value),
                    4 => play(player, ["walk", "run", "left", "attack", "idle"][usize::from(how)]),
                    _ => {
                        let slot = player.graph.node("slot").expect("a node");
                        player.graph.stop(&mut player.state, slot);
                    }
                }
            }
            whole.step_ms(ms);
            let mut left = ms * MS;
            while left > 0 {
                let part = left.min(*cuts.next().expect("endless"));
                parts.step(Tick(part));
                left -= part;
            }
            parts.step(Tick(0));
        }
        prop_assert_eq!(&whole.events, &parts.events);
        prop_assert!(whole.events.is_sorted_by_key(|event| event.at));
        // Of a slot the same clip may play twice: there begins and ends are counted.
        let slot = whole.graph.node("slot");
        let (mut open, mut in_slot) = (BTreeSet::new(), 0);
        for event in &whole.events {
            let GraphSignal::Clip { clip, signal } = event.signal else { continue };
            match signal {
                Signal::Enter(_) if Some(usize::from(event.node)) == slot => in_slot += 1,
                Signal::Leave(_) if Some(usize::from(event.node)) == slot => in_slot -= 1,
                Signal::Enter(span) => prop_assert!(open.insert((event.node, clip, span)), "begins twice: {:?}", event),
                Signal::Leave(span) => prop_assert!(open.remove(&(event.node, clip, span)), "ends alone: {:?}", event),
                _ => {}
            }
            prop_assert!(in_slot >= 0, "{:?}", event);
        }
        // Nothing that is not told has a span that goes on.
        prop_assert!(open.iter().all(|(node, ..)| whole.state.is_active(usize::from(*node))), "{:?}", open);
        let leads = |node: &str| {
            let (leader, _) = whole.state.clock(whole.graph.node(node)?)?;
            whole.graph.clip(["walk", "run"][leader])
        };
        let space = whole.graph.node("move").expect("a node");
        let of_space = open.iter().filter(|(node, ..)| usize::from(*node) == space);
        for (_, clip, _) in of_space {
            prop_assert_eq!(Some(usize::from(*clip)), leads("move"));
        }
        if slot.is_some_and(|slot| whole.state.playing(slot).count() == 0 || !whole.state.is_active(slot)) {
            prop_assert_eq!(in_slot, 0);
        }
    }
}
