//! Events: in order, by weight at their own time, and spans that always end.

use proptest::prelude::*;
use stillframe_anim::graph::{FadePolicy, GraphDef, GraphEvent, GraphSignal};
use stillframe_anim::time::{Event, Signal};
use stillframe_base::tick::Tick;
use stillframe_testkit::depth::cases;

use super::biped::{MS, Player, def, looped, switch};

fn two(policy: FadePolicy, min: f32) -> GraphDef {
    let nodes =
        vec![("walk", looped("walk")), ("run", looped("run")), ("final", switch("p", &["walk", "run"], 400, policy))];
    let mut def = def(&[("p", 0.0)], nodes, "final");
    def.event_weight_min = min;
    // Every 50 ms an event, and a span over the middle.
    for clip in &mut def.clips {
        let length = clip.duration.0;
        clip.events = (0..length / (50 * MS)).map(|i| Event::point(Tick(i * 50 * MS))).collect();
        clip.events.insert(0, Event::span(Tick(0), Tick(length / 2)));
    }
    def
}

/// (ms, clip, event, weight)
fn points(player: &Player) -> Vec<(i64, &str, u32, f32)> {
    let point = |event: &GraphEvent| match event.signal {
        GraphSignal::Clip { clip, signal: Signal::Point(index) } => Some((
            event.at.0 / MS,
            player.graph.clip_names().nth(usize::from(clip)).expect("a clip"),
            index - 1,
            event.weight,
        )),
        _ => None,
    };
    player.events.iter().filter_map(point).collect()
}

#[test]
fn events_of_both_sides_come_in_order_with_their_weights() {
    let mut player = Player::new(&two(FadePolicy::Book, 0.5));
    player.step_ms(100);
    player.put("p", 1.0);
    player.step_ms(400);
    let got = points(&player);
    let want: Vec<(i64, &str, u32, f32)> = vec![
        (0, "walk", 0, 1.0),
        (50, "walk", 1, 1.0),
        (100, "walk", 2, 1.0),
        (150, "walk", 3, 0.875),
        (200, "walk", 4, 0.75),
        (250, "walk", 5, 0.625),
        // Both have half of it here.
        (300, "walk", 6, 0.5),
        (300, "run", 4, 0.5),
        (350, "run", 5, 0.625),
        (400, "run", 6, 0.75),
        (450, "run", 7, 0.875),
        (500, "run", 8, 1.0),
    ];
    assert_eq!(got, want);
}

#[test]
fn a_reference_s_events_are_not_heard() {
    use stillframe_anim::graph::{DeltaInput, DeltaSpace, NodeKind, ReferenceDef, Value};
    let delta = NodeKind::Delta {
        source: "walk".to_string(),
        reference: ReferenceDef::Node("run".to_string()),
        space: DeltaSpace::Local,
    };
    let deltas = vec![DeltaInput { delta: "delta".to_string(), alpha: Value::Number(0.5), mask: None }];
    let nodes = vec![
        ("idle", looped("idle")),
        ("walk", looped("walk")),
        ("run", looped("run")),
        ("delta", delta),
        ("sum", NodeKind::Additive { base: "idle".to_string(), deltas }),
    ];
    let mut player = Player::new(&def(&[], nodes, "sum"));
    player.step_ms(3000);
    assert!(player.is_active("run"));
    let clips: Vec<u16> = player
        .events
        .iter()
        .filter_map(|event| match event.signal {
            GraphSignal::Clip { clip, signal: Signal::Point(_) } => Some(clip),
            _ => None,
        })
        .collect();
    assert!(clips.contains(&0) && clips.contains(&1) && !clips.contains(&2), "{clips:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(100)))]

    #[test]
    fn p32_events_do_not_depend_on_steps_and_spans_end(
        script in prop::collection::vec((0..700i64, any::<bool>()), 1..12), cuts in prop::collection::vec(1..20_000_000i64, 1..6),
        policy in 0..3u8, min in 0.0..=1.0f32
    ) {
        let policy = [FadePolicy::Book, FadePolicy::Frozen, FadePolicy::Inertial][usize::from(policy)];
        let def = two(policy, min);
        let (mut whole, mut parts) = (Player::new(&def), Player::new(&def));
        for (ms, runs) in script {
            whole.step_ms(ms);
            let mut left = ms * MS;
            for cut in cuts.iter().cycle() {
                let part = left.min(*cut);
                parts.step(Tick(part));
                left -= part;
                if left == 0 {
                    break;
                }
            }
            let value = if runs { 1.0 } else { 0.0 };
            whole.put("p", value);
            parts.put("p", value);
        }
        prop_assert_eq!(&whole.events, &parts.events);
        // Between two entries of a span lies its end, for each node.
        let mut open = [false; 3];
        for event in &whole.events {
            let node = usize::from(event.node);
            match event.signal {
                GraphSignal::Clip { signal: Signal::Enter(_), .. } => {
                    prop_assert!(!open[node], "{:?}", event);
                    open[node] = true;
                }
                GraphSignal::Clip { signal: Signal::Leave(_), .. } => open[node] = false,
                _ => {}
            }
        }
        for node in 0..2 {
            prop_assert!(whole.state.is_active(node) || !open[node]);
        }
        // In order of time.
        prop_assert!(whole.events.is_sorted_by_key(|event| event.at));
    }
}
