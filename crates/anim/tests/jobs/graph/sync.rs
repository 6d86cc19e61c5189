//! Sync spaces: one phase for clips of different lengths.

use proptest::prelude::*;
use stillframe_anim::graph::{Graph, NodeKind, SpaceDef, SyncSpaceNode, Value};
use stillframe_anim::time::{Pace, Position};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};
use stillframe_testkit::depth::cases;

use super::biped::{MS, Player, close, def, mean, skeleton, strings};

fn sync(space: SpaceDef, clips: &[&str], by_markers: bool) -> NodeKind {
    NodeKind::SyncSpace(SyncSpaceNode {
        space,
        clips: strings(clips),
        by_markers,
        pace: Pace::Blended,
        speed: Value::Number(1.0),
    })
}

fn walk_run(by_markers: bool) -> Player {
    let space = SpaceDef::Line { parameter: Value::parameter("p"), at: vec![0.0, 1.0] };
    Player::new(&def(&[("p", 0.5)], vec![("move", sync(space, &["walk", "run"], by_markers))], "move"))
}

#[test]
fn clips_of_a_blend_take_their_mean_length() {
    // Walk 1000 ms and run 600 ms at 0.5: 800 ms a loop, both at the same share of it.
    for by_markers in [false, true] {
        let mut player = walk_run(by_markers);
        player.step_ms(200);
        let want = mean(&[(0.5, player.clip_ms("walk", 250)), (0.5, player.clip_ms("run", 150))]);
        close(&player.pose(), &want);
        player.step_ms(600);
        let moves = player.state.moves();
        let shares: Vec<f64> = moves
            .iter()
            .map(|leaf| {
                let length = player.graph.leaf_timeline(leaf).length().0 as f64;
                leaf.to.sub_ticks() as f64 / 65536.0 / length
            })
            .collect();
        assert!(shares.iter().all(|share| (share - 1.0).abs() < 1e-5), "{shares:?}");
        assert_eq!(moves.iter().map(|leaf| leaf.weight).collect::<Vec<_>>(), [0.5, 0.5]);
    }
    // The table of effective lengths.
    for (p, ms) in [(0.0, 1000.0), (0.25, 900.0), (0.5, 800.0), (0.75, 700.0), (1.0, 600.0)] {
        let mut player = walk_run(false);
        player.put("p", p);
        player.step_ms(100);
        let leaf = player.state.moves()[0];
        let length = player.graph.leaf_timeline(&leaf).length().0 as f64;
        let share = (leaf.to.sub_ticks() - leaf.from.sub_ticks()) as f64 / 65536.0 / length;
        assert!((100.0 / share - ms).abs() < 0.05, "{p}: a loop takes {} ms", 100.0 / share);
    }
}

#[test]
fn a_one_frame_clip_gives_speed_but_no_amplitude() {
    // The book's remark: towards a clip of one frame the other plays faster with less amplitude. One tick stands for
    // one frame.
    let space = SpaceDef::Line { parameter: Value::parameter("p"), at: vec![0.0, 1.0] };
    let mut def = def(&[("p", 0.5)], vec![("move", sync(space, &["walk", "still"], false))], "move");
    let mut still = def.clips[0].clone();
    (still.name, still.duration, still.events, still.markers) = ("still".into(), Tick(MS), vec![], vec![]);
    def.clips.push(still);
    let graph = Graph::compile(&def, &skeleton()).expect("well formed");
    for (p, speed) in [(0.5, 2.0), (0.75, 4.0), (0.875, 8.0)] {
        let mut state = graph.start(&[p]);
        graph.update(&mut state, Tick(10 * MS), &[p], &mut Vec::new()).expect("near");
        let way = state.moves()[0].to.sub_ticks() as f64 / 65536.0 / (10 * MS) as f64;
        assert!((way / speed - 1.0).abs() < 0.01, "{p}: {way} times as fast");
    }
}

#[test]
fn a_locomotion_grid_of_nine_clips_at_fifteen_points() {
    // UE4's locomotion: speed 0 is idle five times, and -180 and 180 degrees are one clip.
    let space = SpaceDef::Grid {
        parameters: [Value::parameter("direction"), Value::parameter("speed")],
        columns: vec![-180.0, -90.0, 0.0, 90.0, 180.0],
        rows: vec![0.0, 150.0, 600.0],
    };
    let clips =
        [["idle"; 5], ["back", "left", "walk", "right", "back"], ["back", "left", "run", "right", "back"]].concat();
    let mut player =
        Player::new(&def(&[("direction", 0.0), ("speed", 0.0)], vec![("move", sync(space, &clips, false))], "move"));
    let mut poses = Vec::new();
    for direction in [-180.0, 180.0] {
        for speed in [75.0, 150.0, 400.0] {
            player.state = player.graph.start(&[direction, speed]);
            player.parameters = vec![direction, speed];
            player.step_ms(300);
            poses.push(player.pose());
        }
    }
    assert_eq!(poses[..3], poses[3..], "-180 and 180 degrees are the same");
    // Half way to walking forward: idle and walk, once each.
    player.state = player.graph.start(&[0.0, 75.0]);
    player.parameters = vec![0.0, 75.0];
    player.step_ms(150);
    assert_eq!(player.state.moves().len(), 2);
    let want = mean(&[(0.5, player.clip_ms("idle", 200)), (0.5, player.clip_ms("walk", 100))]);
    close(&player.pose(), &want);
}

/// The phase of a leaf in loops.
fn phase(player: &Player, at: Position, leaf: usize) -> f64 {
    let length = player.graph.leaf_timeline(&player.state.moves()[leaf]).length().0 as f64;
    at.sub_ticks() as f64 / 65536.0 / length
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(64)))]

    #[test]
    fn p29_p30_one_phase_that_does_not_jump_whatever_the_parameter(
        path in prop::collection::vec((-0.2..1.2f32, 0..TICKS_PER_SECOND / 10), 1..30), by_markers: bool
    ) {
        let mut player = walk_run(by_markers);
        let mut last = 0.0;
        for (p, step) in path {
            player.put("p", p);
            player.step(Tick(step));
            let moves = player.state.moves().to_vec();
            for (i, leaf) in moves.iter().enumerate() {
                let (from, to) = (phase(&player, leaf.from, i), phase(&player, leaf.to, i));
                // It goes on where it was, and by the time over the mean length.
                prop_assert!((from - last).abs() < 1e-9, "{from} after {last}");
                let length = 1000.0 - 400.0 * f64::from(p.clamp(0.0, 1.0));
                let way = step as f64 / MS as f64 / length;
                prop_assert!((to - from - way).abs() < 2e-5 * way + 1e-9, "{} instead of {way}", to - from);
            }
            if !moves.is_empty() {
                last = phase(&player, moves[0].to, 0);
            }
        }
    }
}
