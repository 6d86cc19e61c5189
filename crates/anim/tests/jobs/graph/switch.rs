//! Switches: the book's fades with their weights and jumps, and those without jumps.

use stillframe_anim::graph::{FadePolicy, FadeTimes, NodeKind, SwitchNode, Value};
use stillframe_anim::time::Ease;
use stillframe_base::tick::Tick;

use super::biped::{MS, Player, apart_deg, bits, close, def, line, looped, mean, strings, switch};

fn two(policy: FadePolicy) -> Player {
    let nodes = vec![
        ("idle", looped("idle")),
        ("run", looped("run")),
        ("walk", looped("walk")),
        ("final", switch("p", &["idle", "run", "walk"], 100, policy)),
    ];
    Player::new(&def(&[("p", 0.0)], nodes, "final"))
}

#[test]
fn the_whole_part_of_the_parameter_chooses() {
    for (value, shown) in
        [(-3.0, "idle"), (0.0, "idle"), (0.99, "idle"), (1.0, "run"), (1.5, "run"), (2.0, "walk"), (7.5, "walk")]
    {
        let nodes = vec![
            ("idle", looped("idle")),
            ("run", looped("run")),
            ("walk", looped("walk")),
            ("final", switch("p", &["idle", "run", "walk"], 100, FadePolicy::Book)),
        ];
        let player = Player::new(&def(&[("p", value)], nodes, "final"));
        assert_eq!(player.line("final"), format!("1.000 shows {shown}"));
    }
}

#[test]
fn the_book_s_fade_starts_at_0_and_grows_by_the_time() {
    let mut player = two(FadePolicy::Book);
    player.step_ms(100);
    player.put("p", 1.0);
    assert_eq!((player.weight("idle"), player.weight("run")), (1.0, 0.0));
    assert_eq!(bits(&player.pose()), bits(&player.clip_ms("idle", 100)));
    for (ms, weight) in [(25, 0.25), (25, 0.5), (49, 0.99)] {
        player.step_ms(ms);
        assert!((player.weight("run") - weight).abs() < 1e-6, "{}", player.weight("run"));
        assert!((player.weight("idle") + player.weight("run") - 1.0).abs() < 1e-6);
    }
    close(&player.pose(), &mean(&[(0.01, player.clip_ms("idle", 199)), (0.99, player.clip_ms("run", 99))]));
    player.step_ms(1);
    assert_eq!((player.weight("idle"), player.weight("run")), (0.0, 1.0));
    assert_eq!(bits(&player.pose()), bits(&player.clip_ms("run", 100)));
    // What is not shown does not play.
    player.step_ms(300);
    assert!(!player.is_active("idle"));
    assert_eq!(player.line("idle"), "asleep at 0.2000 s");
}

#[test]
fn the_book_s_jumps_are_kept_with_the_book_s_policy() {
    // A change of mind goes on with the weight of the fade under way.
    let mut player = two(FadePolicy::Book);
    player.put("p", 1.0);
    player.step_ms(60);
    player.put("p", 2.0);
    assert!((player.weight("walk") - 0.6).abs() < 1e-6 && (player.weight("idle") - 0.4).abs() < 1e-6);
    // Going back is a cut.
    player.put("p", 0.0);
    assert_eq!(player.line("final"), "1.000 shows idle");
}

#[test]
fn fade_times_are_the_target_s_or_of_a_matrix() {
    let ms = |times: &[i64]| times.iter().map(|ms| Tick(ms * MS)).collect::<Vec<_>>();
    for (fade, there, back) in [
        (FadeTimes::All(Tick(100 * MS)), 0.4, 0.4),
        (FadeTimes::To(ms(&[80, 160])), 0.25, 0.5),
        (FadeTimes::FromTo(vec![ms(&[0, 400]), ms(&[50, 0])]), 0.1, 0.8),
    ] {
        let node = SwitchNode {
            index: Value::parameter("p"),
            inputs: strings(&["a", "b"]),
            fade,
            policy: FadePolicy::Book,
            ease: Ease::Linear,
        };
        let nodes = vec![("a", looped("idle")), ("b", looped("run")), ("final", NodeKind::Switch(node))];
        let mut player = Player::new(&def(&[("p", 0.0)], nodes, "final"));
        player.put("p", 1.0);
        player.step_ms(40);
        assert!((player.weight("b") - there).abs() < 1e-6, "{} there", player.weight("b"));
        player.step_ms(1000);
        player.put("p", 0.0);
        player.step_ms(40);
        assert!((player.weight("a") - back).abs() < 1e-6, "{} back", player.weight("a"));
    }
}

/// The tree of section 3.6: A switches between B (a switch of D and E), C (a blend of E and F) and F.
fn leaves(b: f32) -> Player {
    let nodes = vec![
        ("D", looped("idle")),
        ("E", looped("walk")),
        ("F", looped("run")),
        ("B", switch("b", &["D", "E"], 100, FadePolicy::Book)),
        ("C", line("c", &[(0.0, "E"), (1.0, "F")])),
        ("A", switch("a", &["B", "C", "F"], 100, FadePolicy::Book)),
    ];
    Player::new(&def(&[("a", 0.0), ("b", b), ("c", 0.5)], nodes, "A"))
}

#[test]
fn leaves_that_both_have_go_on_and_others_start_again() {
    let time = |player: &Player, leaf: &str| player.line(leaf).split(' ').nth(2).expect("a time").to_string();
    // D to F and back: nothing in common, so each starts again when it is entered.
    let mut player = leaves(0.0);
    player.step_ms(300);
    player.put("a", 2.0);
    player.step_ms(200);
    assert_eq!([time(&player, "D"), time(&player, "F")], ["0.4000", "0.2000"]);
    player.put("a", 0.0);
    assert_eq!(time(&player, "D"), "0.0000");
    player.step_ms(150);
    player.put("a", 2.0);
    assert_eq!(time(&player, "F"), "0.0000");

    // E to the blend of E and F: E goes on and only F starts.
    let mut player = leaves(1.0);
    player.step_ms(300);
    player.put("a", 1.0);
    player.step_ms(50);
    assert_eq!([time(&player, "E"), time(&player, "F")], ["0.3500", "0.0500"]);
    // And on to F alone: it goes on.
    player.step_ms(100);
    player.put("a", 2.0);
    player.step_ms(50);
    assert_eq!(time(&player, "F"), "0.2000");
}

#[test]
fn a_frozen_pose_is_faded_out() {
    let mut player = two(FadePolicy::Frozen);
    player.step_ms(100);
    let shown = player.pose();
    player.put("p", 1.0);
    assert_eq!(bits(&player.pose()), bits(&shown));
    assert!(!player.is_active("idle"));
    player.step_ms(50);
    close(&player.pose(), &mean(&[(0.5, shown), (0.5, player.clip_ms("run", 50))]));
    // A change of mind starts from what is shown then.
    let shown = player.pose();
    player.put("p", 2.0);
    assert_eq!(bits(&player.pose()), bits(&shown));
    player.step_ms(100);
    assert_eq!(bits(&player.pose()), bits(&player.clip_ms("walk", 100)));
}

#[test]
fn inertia_starts_at_what_is_shown_and_ends_at_the_new_pose() {
    let mut player = two(FadePolicy::Inertial);
    player.step_ms(90);
    player.pose();
    player.step_ms(10);
    let shown = player.pose();
    player.put("p", 1.0);
    let apart = apart_deg(&player.pose(), &shown);
    assert!(apart < 1e-4, "{apart} degrees");
    assert!(apart_deg(&shown, &player.clip_ms("run", 0)) > 5.0, "there is something to change over");
    let mut last = f64::INFINITY;
    for ms in 1..100 {
        player.step_ms(1);
        let left = apart_deg(&player.pose(), &player.clip_ms("run", ms));
        assert!(left <= last + 1e-3, "{left} degrees after {last}");
        last = left;
    }
    player.step_ms(1);
    assert_eq!(bits(&player.pose()), bits(&player.clip_ms("run", 100)));
}

#[test]
fn a_node_that_wakes_has_nothing_to_fade_from() {
    let nodes = vec![
        ("idle", looped("idle")),
        ("run", looped("run")),
        ("walk", looped("walk")),
        ("inner", switch("p", &["idle", "run"], 100, FadePolicy::Inertial)),
        ("outer", switch("q", &["inner", "walk"], 0, FadePolicy::Inertial)),
    ];
    let mut player = Player::new(&def(&[("p", 0.0), ("q", 0.0)], nodes, "outer"));
    player.step_ms(50);
    player.pose();
    player.put("q", 1.0);
    assert_eq!(bits(&player.pose()), bits(&player.clip_ms("walk", 0)));
    player.put("p", 1.0);
    player.step_ms(50);
    player.put("q", 0.0);
    assert_eq!(bits(&player.pose()), bits(&player.clip_ms("run", 0)));
}
