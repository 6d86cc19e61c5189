//! Blend spaces: the goldens of the book, exact corners, no jumps.

use proptest::prelude::*;
use stillframe_anim::graph::{NodeKind, SpaceDef, SpaceNode, Value};
use stillframe_base::lanes::Isa;
use stillframe_testkit::depth::cases;

use super::biped::{Player, apart_deg, apart_m, bits, close, def, line, looped, mean, strings};

const FIVE: [&str; 5] = ["idle", "walk", "run", "left", "back"];

fn five() -> Vec<(&'static str, NodeKind)> {
    FIVE.map(|name| (name, looped(name))).to_vec()
}

fn with_five(space: NodeKind, parameters: &[(&str, f32)]) -> Player {
    let mut nodes = five();
    nodes.push(("space", space));
    Player::new(&def(parameters, nodes, "space"))
}

fn weights(player: &Player) -> Vec<(&'static str, f32)> {
    FIVE.into_iter().map(|name| (name, player.weight(name))).filter(|(_, weight)| *weight > 0.0).collect()
}

#[test]
fn a_line_blends_the_two_neighbours() {
    // The book's golden: five inputs, 0.3 of the range gives 1 and 2 with a weight of 0.2.
    let points: Vec<(f32, &str)> = FIVE.into_iter().enumerate().map(|(i, name)| (i as f32 * 0.25, name)).collect();
    let mut player = with_five(line("p", &points), &[("p", 0.3)]);
    let got = weights(&player);
    assert_eq!(got.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["walk", "run"]);
    assert!((got[0].1 - 0.8).abs() < 1e-6 && (got[1].1 - 0.2).abs() < 1e-6, "{got:?}");
    player.step_ms(370);
    let want = mean(&[(0.8, player.clip_ms("walk", 370)), (0.2, player.clip_ms("run", 370))]);
    close(&player.pose(), &want);
    // Ends hold, and a point's own pose is its pose to the bit.
    for (value, name) in [(-7.0, "idle"), (0.0, "idle"), (0.25, "walk"), (1.0, "back"), (9.0, "back")] {
        player.put("p", value);
        assert_eq!(weights(&player), [(name, 1.0)], "at {value}");
        let now = player.line(name);
        let seconds: f64 = now.split(' ').nth(2).expect("a time").parse().expect("a number");
        let want = player.clip_ms(name, (seconds * 1000.0).round() as i64);
        assert_eq!(bits(&player.pose()), bits(&want), "at {value}");
    }
    // A value that is none changes nothing.
    player.put("p", f32::NAN);
    assert_eq!(weights(&player), [("back", 1.0)]);
}

#[test]
fn a_space_of_one_point_is_that_point() {
    for space in [
        SpaceDef::Line { parameter: Value::parameter("p"), at: vec![3.0] },
        SpaceDef::Grid { parameters: [Value::parameter("p"), Value::Number(2.0)], columns: vec![1.0], rows: vec![1.0] },
        SpaceDef::Scatter { parameters: [Value::parameter("p"), Value::Number(2.0)], at: vec![[0.0, 1.0]] },
    ] {
        let mut player = with_five(NodeKind::Space(SpaceNode { space, inputs: strings(&["run"]) }), &[("p", 0.5)]);
        player.step_ms(100);
        assert_eq!(bits(&player.pose()), bits(&player.clip_ms("run", 100)));
    }
}

#[test]
fn a_grid_blends_four_corners() {
    // The book's golden: 5 columns x 6 rows, (1.2, 1.3): cells (1,1), (1,2), (2,1), (2,2), wx = 0.2, wy = 0.3.
    let names: Vec<String> = (0..30).map(|i| format!("n{i}")).collect();
    let mut nodes: Vec<(&str, NodeKind)> = names.iter().map(|name| (&**name, looped("walk"))).collect();
    let space = SpaceDef::Grid {
        parameters: [Value::parameter("x"), Value::parameter("y")],
        columns: vec![0.0, 1.0, 2.0, 3.0, 4.0],
        rows: vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
    };
    nodes.push(("space", NodeKind::Space(SpaceNode { space, inputs: names.clone() })));
    let mut player = Player::new(&def(&[("x", 1.2), ("y", 1.3)], nodes, "space"));
    let got = |player: &Player| -> Vec<(usize, f32)> {
        (0..30).map(|i| (i, player.weight(&names[i]))).filter(|(_, weight)| *weight > 0.0).collect()
    };
    let want = [(6, 0.8 * 0.7), (7, 0.2 * 0.7), (11, 0.8 * 0.3), (12, 0.2 * 0.3)];
    assert_eq!(got(&player).len(), want.len());
    for ((i, weight), (want_i, want)) in got(&player).into_iter().zip(want) {
        assert!(i == want_i && (weight - want).abs() < 1e-6, "{i}: {weight}");
    }
    // The far edges are the last cell's, not past it.
    for (x, y, want) in [(4.0, 5.0, 29), (9.0, 5.0, 29), (4.0, -1.0, 4), (0.0, 5.0, 25), (-1.0, 0.0, 0), (3.0, 2.0, 13)]
    {
        player.put("x", x);
        player.put("y", y);
        assert_eq!(got(&player), [(want, 1.0)], "at {x} {y}");
    }
}

#[test]
fn scattered_points_blend_a_triangle_and_outside_the_nearest_edge() {
    let at = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.2], [-1.0, -1.0]];
    let space = SpaceDef::Scatter { parameters: [Value::parameter("x"), Value::parameter("y")], at };
    let space = NodeKind::Space(SpaceNode { space, inputs: strings(&FIVE) });
    let mut player = with_five(space, &[("x", 0.25), ("y", 0.25)]);
    let got = weights(&player);
    assert!(got.len() == 3 && (got[0].1 - 0.5).abs() < 1e-6, "{got:?}");
    for (x, y, name) in
        [(0.0, 0.0, "idle"), (1.0, 0.0, "walk"), (0.0, 1.0, "run"), (5.0, 9.0, "left"), (-9.0, -9.0, "back")]
    {
        player.put("x", x);
        player.put("y", y);
        assert_eq!(weights(&player), [(name, 1.0)], "at {x} {y}");
    }
    // Between the ends of the edge from walk to left.
    player.put("x", 3.0);
    player.put("y", 0.6);
    let got = weights(&player);
    assert_eq!(got.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["walk", "left"]);
    assert!((got[0].1 - 0.5).abs() < 1e-6, "{got:?}");
}

#[test]
fn spaces_in_spaces_are_one_blend() {
    let mut nodes = five();
    nodes.push(("slow", line("p", &[(0.0, "idle"), (1.0, "walk")])));
    nodes.push(("fast", line("p", &[(0.0, "run"), (1.0, "back")])));
    nodes.push(("both", line("q", &[(0.0, "slow"), (1.0, "fast")])));
    let mut player = Player::new(&def(&[("p", 0.25), ("q", 0.5)], nodes, "both"));
    assert!(player.graph.describe().contains("slow: line by p of idle walk, merged into its reader"));
    player.step_ms(130);
    let got = player.pose();
    let part = |weight: f64, name: &str| (weight, player.clip_ms(name, 130));
    let want = mean(&[part(0.375, "idle"), part(0.125, "walk"), part(0.375, "run"), part(0.125, "back")]);
    close(&got, &want);
    // Against blending twice: second order in the angles between the poses.
    let (slow, fast) =
        (mean(&[part(0.75, "idle"), part(0.25, "walk")]), mean(&[part(0.75, "run"), part(0.25, "back")]));
    let twice = mean(&[(0.5, slow), (0.5, fast)]);
    let apart = apart_deg(&want, &twice);
    assert!(apart < 0.5, "{apart} degrees");
}

/// D25 of the book's defects: only the first input was followed, and what two nodes read moved twice.
#[test]
fn d25_every_input_is_followed_and_moves_once() {
    let nodes = vec![
        ("walk", looped("walk")),
        ("idle", looped("idle")),
        ("left", line("p", &[(0.0, "walk"), (1.0, "idle")])),
        ("right", line("p", &[(0.0, "idle"), (1.0, "walk")])),
        ("top", line("q", &[(0.0, "left"), (1.0, "right")])),
    ];
    let mut player = Player::new(&def(&[("p", 0.25), ("q", 0.75)], nodes, "top"));
    for _ in 0..3 {
        player.step_ms(100);
    }
    assert_eq!([player.line("walk"), player.line("idle")], ["0.375 at 0.3000 s", "0.625 at 0.3000 s"]);
    let want = mean(&[(0.375, player.clip_ms("walk", 300)), (0.625, player.clip_ms("idle", 300))]);
    close(&player.pose(), &want);
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let mut nodes = five();
    nodes.push(("space", line("p", &[(0.0, "idle"), (1.0, "walk")])));
    let mut player = Player::new(&def(&[("p", 0.3)], nodes, "space"));
    player.step_ms(333);
    let want = bits(&player.pose_at(Isa::Scalar));
    for isa in Isa::available() {
        assert_eq!(bits(&player.pose_at(isa)), want, "{isa}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(48)))]

    #[test]
    fn poses_do_not_jump_with_parameters(x in -1.5..6.0f32, y in -1.5..6.0f32, across: bool, ms in 0..900i64, kind in 0..3u8) {
        let parameters = [Value::parameter("x"), Value::parameter("y")];
        let (space, count) = match kind {
            0 => (SpaceDef::Line { parameter: Value::parameter("x"), at: vec![2.0, -0.5, 3.5, 0.1, 5.0] }, 5),
            1 => (SpaceDef::Grid { parameters, columns: vec![0.0, 3.0], rows: vec![-1.0, 4.5] }, 4),
            _ => (SpaceDef::Scatter { parameters, at: vec![[0.0, 0.0], [4.0, 1.0], [1.0, 3.0], [3.0, 4.0], [2.0, 2.0]] }, 5),
        };
        let space = NodeKind::Space(SpaceNode { space, inputs: strings(&FIVE[..count]) });
        let mut player = with_five(space, &[("x", x), ("y", y)]);
        // Clips of inactive inputs stand still, so all begin at one moment.
        player.put("x", x);
        let before = player.pose();
        let step = 1e-3;
        player.put(if across { "x" } else { "y" }, if across { x + step } else { y + step });
        let after = player.pose();
        // No joint is further than 110 degrees from another clip's, and the shortest span is 0.6.
        prop_assert!(apart_deg(&before, &after) < 0.5, "{} degrees after {ms} ms", apart_deg(&before, &after));
        prop_assert!(apart_m(&before, &after) < 1e-3);
    }
}
