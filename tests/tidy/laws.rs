//! Laws: every law of animation and every defect of the textbook has a test of that name.

use std::collections::BTreeSet;

use crate::tree::{File, files, sample};

/// Names of tests after laws of animation, P1 to P43 and B1 to B11: `fn p07_...` and `fn b11_...`.
fn law_names(files: &[File]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for file in files {
        for name in file.text.lines().filter_map(|line| line.trim_start().strip_prefix("fn ")) {
            let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let is_law = name.starts_with(['p', 'b']) && name.chars().skip(1).take(2).all(|c| c.is_ascii_digit());
            if is_law && name.chars().nth(3) == Some('_') {
                out.insert(name);
            }
        }
    }
    out
}

/// `p41` holds for keys of seconds and for those of FBX: two laws.
fn is_named(names: &BTreeSet<String>, law: &str) -> bool {
    let (number, word) = law.split_once('_').unwrap_or((law, ""));
    names.iter().any(|name| name.starts_with(number) && name.contains(word))
}

#[test]
fn every_law_of_animation_has_a_test() {
    let names = law_names(&files(&[".rs"]));
    let laws = (1..=43).map(|n| format!("p{n:02}")).chain((1..=11).map(|n| format!("b{n:02}")));
    let laws: Vec<String> = laws.chain(["p41_fbx".into()]).collect();
    assert_eq!(laws.len(), 55);
    let without: Vec<&String> = laws.iter().filter(|law| !is_named(&names, law)).collect();
    assert!(without.is_empty(), "no test is named after {without:?}");
    let few = law_names(&[sample("a.rs", "fn p07_a() {}\n    fn b11_c() {}\n// fn p08_d() {}\nfn pose_at() {}\n")]);
    assert_eq!(few.into_iter().collect::<Vec<String>>(), ["b11_c", "p07_a"]);
}

/// The book's defects (specification, animation, section 11; E of its events) and the test that each has here. Not
/// among them: D2 (no mesh is cut by the joints of its triangles) and, since types leave no room for them, D4 (joints
/// are whole numbers), D13 (a comparison in the place of an assignment), D15 (branches of a macro).
const DEFECTS: &[(&str, &str, &str, &str)] = &[
    (
        "D1",
        "joints below other nodes",
        "tests/import/fbx/deform.rs",
        "d1_a_joint_below_a_node_that_is_none_hangs_on_it",
    ),
    ("D3", "a name that is missing", "crates/anim/tests/jobs/figure/parts.rs", "d3_all_missing_names_are_listed"),
    ("D5", "weights of eight bits", "crates/anim/tests/jobs/skin/influences.rs", "d5_weights_of_eight_bits_sum_to_255"),
    ("D6", "where boxes begin", "crates/anim/tests/jobs/bounds/palette.rs", "d6_boxes_begin_with_nothing"),
    (
        "D7",
        "boxes of what is turned",
        "crates/anim/tests/jobs/bounds/palette.rs",
        "d7_a_turned_flag_sticks_out_of_the_book_s_box",
    ),
    ("D8", "key times", "crates/anim/tests/jobs/compress/book.rs", "d8_key_times_are_ticks"),
    ("D9", "constant tracks", "crates/anim/tests/jobs/compress/book.rs", "d9_a_constant_track_has_one_key"),
    (
        "D10",
        "identity, ranges without width",
        "crates/anim/tests/jobs/compress/book.rs",
        "d10_identity_is_exact_and_rotations_are_unit",
    ),
    ("D11", "events", "crates/anim/tests/jobs/time/events.rs", "p01_events_are_the_same_for_any_partition"),
    ("D12", "time before and after keys", "crates/anim/src/curve.rs", "outside_the_keys"),
    ("D14", "the last key", "crates/anim/tests/jobs/sample/playing.rs", "the_ends_are_frames_whatever_the_length"),
    (
        "D16",
        "joints without a track",
        "crates/anim/tests/jobs/sample/playing.rs",
        "what_stands_still_is_the_rest_pose_bit_for_bit",
    ),
    (
        "D17",
        "where a root begins",
        "crates/anim/tests/jobs/root/laws.rs",
        "d17_the_first_key_is_where_the_actor_stands",
    ),
    ("D18", "boxes of whole clips", "crates/anim/tests/jobs/bounds/clip.rs", "no_moment_is_outside"),
    ("D19", "phase of blends", "crates/anim/tests/jobs/time/sync.rs", "p30_a_new_leader_goes_on_in_the_same_phase"),
    ("D20", "the far edge of a grid", "crates/anim/tests/jobs/graph/spaces.rs", "a_grid_blends_four_corners"),
    (
        "D21",
        "fades that change their mind",
        "crates/anim/tests/jobs/graph/switch.rs",
        "inertia_starts_at_what_is_shown_and_ends_at_the_new_pose",
    ),
    (
        "D22",
        "deltas of joints without a track",
        "crates/anim/src/pose/tests/additive.rs",
        "b07_missing_joints_get_the_identity",
    ),
    (
        "D23",
        "the root under a delta",
        "crates/anim/tests/jobs/graph/travel.rs",
        "layers_count_by_their_masks_at_the_root_and_additions_not_at_all",
    ),
    (
        "D24",
        "weights that are all 0",
        "crates/anim/tests/jobs/graph/partial.rs",
        "weights_by_parameter_and_joints_without_any",
    ),
    (
        "D25",
        "every input, once",
        "crates/anim/tests/jobs/graph/spaces.rs",
        "d25_every_input_is_followed_and_moves_once",
    ),
    ("D26", "channels without shapes", "crates/anim/tests/jobs/morph.rs", "in_between_shapes_share"),
    ("D27", "deltas for poses", "crates/anim/tests/jobs/graph/errors.rs", "spaces"),
    ("D28", "a joint's own size", "crates/anim/tests/jobs/figure/bodies.rs", "d28_a_joint_s_own_size_counts"),
    ("D29", "chains on their own line", "crates/anim/tests/jobs/ik/ccd.rs", "a_straight_chain_leaves_its_line"),
    (
        "E1",
        "on a border of steps",
        "crates/anim/tests/jobs/time/events.rs",
        "p09_an_event_on_a_border_of_steps_fires_once",
    ),
    ("E2", "behind the end", "crates/anim/tests/jobs/time/ends.rs", "p12_after_the_end_nothing_fires_until_it_is_left"),
    (
        "E3",
        "at the seam",
        "crates/anim/tests/jobs/time/events.rs",
        "p05_both_ends_of_a_loop_fire_once_a_seam_the_end_first",
    ),
    ("E4", "at a turn", "crates/anim/tests/jobs/time/events.rs", "p11_a_turn_fires_once_and_the_inside_twice"),
    (
        "E5",
        "more than a loop a step",
        "crates/anim/tests/jobs/time/events.rs",
        "p10_whole_lengths_fire_each_event_as_often",
    ),
    (
        "E6",
        "under windows, phases and speeds",
        "crates/anim/tests/jobs/time/state.rs",
        "p36_window_phase_and_speed_are_a_shift_and_a_scale",
    ),
];

#[test]
fn every_defect_of_the_book_has_its_test() {
    assert_eq!(DEFECTS.len(), 29 - 4 + 6);
    let files = files(&[".rs"]);
    for (number, what, path, name) in DEFECTS {
        let file = files.iter().find(|file| file.path == *path).unwrap_or_else(|| panic!("{number}: no {path}"));
        assert!(file.text.contains(&format!("fn {name}(")), "{number}, {what}: no {name} in {path}");
    }
}
