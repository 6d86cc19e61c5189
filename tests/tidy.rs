//! Tidy: the house rules that a program can check. Each rule is a function from text to complaints, with a test that it
//! can complain; the last tests run all of them over the tree.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Who may name whom inside the root package: `(module, modules it may use)`. Arrows point downward only. `main.rs` and
/// `cli` may use everything.
const IMPORTS: &[(&str, &[&str])] = &[
    ("source", &[]),
    ("asset", &[]),
    ("frame", &["material"]),
    ("fault", &["asset", "scene", "world"]),
    ("scene", &["source", "asset"]),
    ("import", &["asset", "source"]),
    ("pose", &["asset", "import"]),
    ("bake", &["asset", "scene"]),
    ("material", &["source", "asset", "shader"]),
    ("shader", &["source"]),
    ("cache", &["source", "asset", "import", "bake"]),
    ("animate", &["scene", "import", "pose"]),
    ("world", &["source", "scene", "asset", "import", "pose", "animate", "bake", "cache"]),
    ("view", &["asset", "world", "scene"]),
    ("render", &["asset", "view", "material", "shader", "fault", "frame", "scene", "source", "bake"]),
    (
        "take",
        &[
            "source", "scene", "asset", "import", "bake", "cache", "world", "view", "material", "shader", "fault",
            "frame", "render",
        ],
    ),
    ("harness", &["source", "scene", "asset", "import", "pose", "bake", "cache", "world", "fault", "take"]),
    (
        "cli",
        &[
            "source", "scene", "asset", "import", "pose", "animate", "bake", "cache", "world", "view", "material",
            "shader", "fault", "frame", "render", "take", "harness",
        ],
    ),
];

/// `(crate name in code, modules of the root that may name it)`. Crates that are not listed are free.
const CRATES: &[(&str, &[&str])] = &[
    ("wgpu", &["render"]),
    ("stillframe_soft", &["render", "cli"]),
    ("naga", &["material", "shader", "render"]),
    ("draco_core", &["import"]),
    ("draco_gltf", &["import"]),
    ("gltf", &["import"]),
    ("image", &["import", "asset"]),
    ("toml_edit", &["scene", "harness", "fault"]),
    ("axum", &["cli"]),
    ("tokio", &["cli"]),
    ("zip", &["cli"]),
    ("clap", &["cli"]),
    ("miette", &["cli"]),
    ("indicatif", &["cli"]),
    ("console", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("signal_hook", &["cli"]),
    ("etcetera", &["cli"]),
    ("postcard", &["cache"]),
    ("xxhash_rust", &["cache", "render"]),
];

/// Words that must not stand in code: `(word, what to do instead, path prefixes where it is at home)`. Split so that this
/// file does not complain about itself.
const WORDS: &[(&str, &str, &[&str])] = &[
    (concat!("todo", "!("), "finish it, or make it an error that a user can read", &[]),
    (concat!("unimplemented", "!("), "finish it, or make it an error that a user can read", &[]),
    (concat!("FIX", "ME"), "mend it, or open an issue", &[]),
    (concat!("XX", "X"), "mend it, or open an issue", &[]),
    (concat!("dbg", "!("), "remove it", &[]),
    (
        concat!("Instant", "::now"),
        "time is a Tick; only the command line and benches read the clock",
        &["src/cli/", "benches/", "crates/soft/benches/", "crates/base/benches/"],
    ),
    (concat!("System", "Time"), "pictures hold no dates", &[]),
    (concat!(".mul", "_add("), "two roundings: a * b + c; lane twins differ otherwise", &[]),
    (
        concat!("catch_", "unwind"),
        "panics are bugs; `import::foreign::call` is for parsers of other people",
        &["src/import/foreign.rs", "src/harness/fuzz/run.rs", "tests/", "crates/"],
    ),
    (concat!("static", " mut"), "pass the value", &[]),
    (concat!("#[ig", "nore"), "a test that does not run does not test", &[]),
];

struct File {
    path: String,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files under the source folders with one of `endings`, in path order.
fn files(endings: &[&str]) -> Vec<File> {
    let mut out = Vec::new();
    for top in ["src", "crates", "tests", "benches", "ci", "fuzz", "scenes", "docs"] {
        walk(&root().join(top), endings, &mut out);
    }
    out.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!out.is_empty(), "nothing found under {}", root().display());
    out
}

fn walk(folder: &Path, endings: &[&str], out: &mut Vec<File>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable folder").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                walk(&path, endings, out);
            }
        } else if endings.iter().any(|e| name.ends_with(e)) {
            let shown = path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
            if let Ok(text) = fs::read_to_string(&path) {
                out.push(File { path: shown, text });
            }
        }
    }
}

/// The root package's module that a path belongs to: `src/cli/render.rs` and `src/cli.rs` are `cli`.
fn module_of(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("src/")?;
    let first = rest.split('/').next()?;
    let module = first.strip_suffix(".rs").unwrap_or(first);
    (module != "lib" && module != "main").then_some(module)
}

/// A line without its comment and without string contents would need a lexer; comments are enough here.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("")
}

/// Words directly after `prefix` in a line.
fn names_after<'a>(line: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut out = Vec::new();
    for (at, _) in line.match_indices(prefix) {
        let before = line[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &line[at + prefix.len()..];
        if let Some(list) = rest.strip_prefix('{') {
            out.extend(list.split([',', '}']).map(|n| n.trim().split("::").next().unwrap_or("")));
        } else {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            out.push(&rest[..end]);
        }
    }
    out.retain(|n| !n.is_empty());
    out
}

fn check_imports(file: &File) -> Vec<String> {
    let Some(module) = module_of(&file.path) else { return Vec::new() };
    let Some((_, allowed)) = IMPORTS.iter().find(|(m, _)| *m == module) else {
        return vec![format!("{}: module `{module}` has no row in IMPORTS", file.path)];
    };
    let mut out = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        for used in names_after(code(line), "crate::") {
            if IMPORTS.iter().any(|(m, _)| *m == used) && used != module && !allowed.contains(&used) {
                out.push(format!("{}:{}: `{module}` may not use `{used}`", file.path, number + 1));
            }
        }
        for (name, homes) in CRATES {
            let path = format!("{name}::");
            let named = code(line).match_indices(&path).any(|(at, _)| {
                !code(line)[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
            });
            if named && !homes.contains(&module) {
                out.push(format!("{}:{}: `{name}` is at home in {homes:?} only", file.path, number + 1));
            }
        }
    }
    out
}

fn check_words(file: &File) -> Vec<String> {
    let mut out = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        for (word, instead, homes) in WORDS {
            if code(line).contains(word) && !homes.iter().any(|h| file.path.starts_with(h)) {
                out.push(format!("{}:{}: `{word}`: {instead}", file.path, number + 1));
            }
        }
    }
    out
}

fn check_lines(file: &File) -> Vec<String> {
    let mut out = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        if line.ends_with([' ', '\t']) {
            out.push(format!("{}:{}: blank at the end of the line", file.path, number + 1));
        }
        if line.starts_with("<<<<<<<") || line.starts_with(">>>>>>>") {
            out.push(format!("{}:{}: a conflict marker", file.path, number + 1));
        }
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        out.push(format!("{}: no newline at the end", file.path));
    }
    out
}

/// Over 1,000 lines only for a table or one algorithm, and the module page says `Long because`.
fn check_length(file: &File) -> Vec<String> {
    let count = file.text.lines().count();
    let excused = file.text.lines().take(30).any(|l| l.contains("Long because"));
    if count > 1000 && !excused { vec![format!("{}: {count} lines: two nouns inside?", file.path)] } else { Vec::new() }
}

/// Every Rust file says what it is in its first line (tests and benches too).
fn check_page(file: &File) -> Vec<String> {
    let first = file.text.lines().find(|l| !l.is_empty()).unwrap_or("");
    if first.starts_with("//!") || first.starts_with("#![") {
        Vec::new()
    } else {
        vec![format!("{}: no module page", file.path)]
    }
}

fn assert_none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

fn sample(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}

#[test]
fn each_rule_can_complain() {
    let long = "//! Page.\n".to_owned() + &"x\n".repeat(1200);
    let rows: &[(fn(&File) -> Vec<String>, &str, &str, usize)] = &[
        (check_imports, "src/view/cull.rs", "use crate::render::Gpu;\n", 1),
        (check_imports, "src/view/cull.rs", "use crate::{world, cli};\n", 1),
        (check_imports, "src/view/cull.rs", "use crate::world::World;\n", 0),
        (check_imports, "src/view/cull.rs", "let d = wgpu::Limits::default();\n", 1),
        (check_imports, "src/view/cull.rs", "// wgpu::Limits\n", 0),
        (check_imports, "src/new/x.rs", "\n", 1),
        (check_words, "src/a.rs", concat!("todo", "!()\n"), 1),
        (check_words, "src/cli/a.rs", concat!("let t = Instant", "::now();\n"), 0),
        (check_words, "src/render/a.rs", concat!("let t = Instant", "::now();\n"), 1),
        (check_lines, "a.rs", "x \n", 1),
        (check_lines, "a.rs", "x", 1),
        (check_length, "a.rs", &long, 1),
        (check_page, "a.rs", "use x;\n", 1),
    ];
    for (rule, path, text, want) in rows {
        assert_eq!(rule(&sample(path, text)).len(), *want, "{path}: {text:.60}");
    }
}

#[test]
fn imports_follow_the_table() {
    assert_none(files(&[".rs"]).iter().filter(|f| f.path.starts_with("src/")).flat_map(check_imports).collect());
}

#[test]
fn words_and_lines() {
    let code = files(&[".rs", ".wgsl"]);
    assert_none(code.iter().flat_map(check_words).chain(code.iter().flat_map(check_lines)).collect());
    assert_none(files(&[".toml", ".sh", ".md"]).iter().flat_map(check_lines).collect());
}

#[test]
fn files_have_a_page_and_a_size() {
    let code = files(&[".rs"]);
    assert_none(code.iter().flat_map(check_length).chain(code.iter().flat_map(check_page)).collect());
}

#[test]
fn base_and_soft_stand_alone() {
    for file in files(&[".rs"]) {
        if file.path.starts_with("crates/") {
            assert!(!file.text.contains("stillframe::"), "{}: a crate may not name the root package", file.path);
        }
        if file.path.starts_with("crates/base/src/") || file.path.starts_with("crates/frames/src/") {
            assert!(!file.text.contains("wgpu::"), "{}: wgpu", file.path);
        }
        if file.path.starts_with("crates/soft/src/plain/") {
            for fast in ["program", "exec", "sample", "raster"] {
                let named = file.text.lines().any(|l| code(l).contains(&format!("crate::{fast}")));
                assert!(!named, "{}: the oracle may not use `{fast}`", file.path);
            }
        }
    }
}

#[test]
fn every_scene_has_its_references_and_a_title_of_its_own() {
    let scenes: Vec<File> = files(&[".toml"])
        .into_iter()
        .filter(|f| f.path.starts_with("scenes/") && !f.path.ends_with("/stillframe.toml"))
        // Parts that scenes include.
        .filter(|f| !f.path.starts_with("scenes/assets/"))
        .collect();
    assert!(scenes.len() >= 24, "only {} scenes", scenes.len());
    let mut titles = BTreeSet::new();
    for scene in &scenes {
        let title = scene.text.lines().find_map(|l| l.strip_prefix("title = ")).unwrap_or_default().to_owned();
        assert!(title.len() > 2 && title.len() <= 62, "{}: title {title}", scene.path);
        assert!(titles.insert(title.clone()), "{}: the title {title} is taken", scene.path);
        assert!(scene.text.contains("why = "), "{}: [test] has no `why`", scene.path);
        let name = scene.path.trim_start_matches("scenes/").trim_end_matches(".toml");
        // A picture that must equal another scene's has that one's references.
        if scene.text.lines().any(|l| l.starts_with("equals = ")) {
            continue;
        }
        let (family, behaviour) = name.rsplit_once('/').expect("scenes/<family>/<behaviour>.toml");
        let lock = fs::read_to_string(root().join(format!("references/{family}/frames.lock"))).unwrap_or_default();
        assert!(
            lock.lines().any(|l| l.split(['[', '@', '#', ' ']).next() == Some(behaviour)),
            "{}: no line in references/{family}/frames.lock",
            scene.path
        );
    }
}

/// Laws of animation, P1 to P43 and B1 to B11, that no test is named after yet. Whoever writes one takes it off; in the end there is none.
const MISSING: &[&str] = &[];

/// Names of tests among the laws' own: `fn p07_...` and `fn b11_...`.
fn law_names(files: &[File]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for file in files {
        for name in file.text.lines().filter_map(|line| code(line).trim_start().strip_prefix("fn ")) {
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
    let without: Vec<&String> =
        laws.iter().filter(|law| !is_named(&names, law) && !MISSING.contains(&law.as_str())).collect();
    assert!(without.is_empty(), "no test is named after {without:?}");
    let done: Vec<&&str> = MISSING.iter().filter(|law| is_named(&names, law)).collect();
    assert!(done.is_empty(), "{done:?} have tests: take them off MISSING");
    let unknown: Vec<&&str> = MISSING.iter().filter(|law| !laws.iter().any(|known| known == *law)).collect();
    assert!(unknown.is_empty(), "{unknown:?} are no laws");
    // It can complain.
    let few = law_names(&[sample("a.rs", "fn p07_a() {}\n    fn b11_c() {}\n// fn p08_d() {}\nfn pose_at() {}\n")]);
    assert_eq!(few.into_iter().collect::<Vec<String>>(), ["b11_c", "p07_a"]);
}

/// The book's defects (specification, animation, section 11; E of its events) and the test that each has here. Not among them, since types
/// leave no room for them: D4 (joints are whole numbers), D13 (a comparison in the place of an assignment), D15 (branches of a macro).
const DEFECTS: &[(&str, &str, &str, &str)] = &[
    (
        "D1",
        "joints below other nodes",
        "tests/import_fbx/deform.rs",
        "d1_a_joint_below_a_node_that_is_none_hangs_on_it",
    ),
    ("D2", "joints of a triangle", "crates/anim/tests/skin/budget.rs", "d2_the_joints_of_a_triangle_are_united"),
    ("D3", "a name that is missing", "crates/anim/tests/figure/parts.rs", "d3_all_missing_names_are_listed"),
    ("D5", "weights of eight bits", "crates/anim/tests/skin/influences.rs", "d5_weights_of_eight_bits_sum_to_255"),
    ("D6", "where boxes begin", "crates/anim/tests/bounds/palette.rs", "d6_boxes_begin_with_nothing"),
    (
        "D7",
        "boxes of what is turned",
        "crates/anim/tests/bounds/palette.rs",
        "d7_a_turned_flag_sticks_out_of_the_book_s_box",
    ),
    ("D8", "key times", "crates/anim/tests/compress/book.rs", "d8_key_times_are_ticks"),
    ("D9", "constant tracks", "crates/anim/tests/compress/book.rs", "d9_a_constant_track_has_one_key"),
    (
        "D10",
        "identity, ranges without width",
        "crates/anim/tests/compress/book.rs",
        "d10_identity_is_exact_and_rotations_are_unit",
    ),
    ("D11", "events", "crates/anim/tests/laws/events.rs", "p01_events_are_the_same_for_any_partition"),
    ("D12", "time before and after keys", "crates/anim/src/curve.rs", "outside_the_keys"),
    ("D14", "the last key", "crates/anim/tests/sample/playing.rs", "the_ends_are_frames_whatever_the_length"),
    (
        "D16",
        "joints without a track",
        "crates/anim/tests/sample/playing.rs",
        "what_stands_still_is_the_rest_pose_bit_for_bit",
    ),
    ("D17", "where a root begins", "crates/anim/tests/root/laws.rs", "d17_the_first_key_is_where_the_actor_stands"),
    ("D18", "boxes of whole clips", "crates/anim/tests/bounds/clip.rs", "no_moment_is_outside"),
    ("D19", "phase of blends", "crates/anim/tests/laws/sync.rs", "p30_a_new_leader_goes_on_in_the_same_phase"),
    ("D20", "the far edge of a grid", "crates/anim/tests/graph/spaces.rs", "a_grid_blends_four_corners"),
    (
        "D21",
        "fades that change their mind",
        "crates/anim/tests/graph/switch.rs",
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
        "crates/anim/tests/graph/travel.rs",
        "layers_count_by_their_masks_at_the_root_and_additions_not_at_all",
    ),
    (
        "D24",
        "weights that are all 0",
        "crates/anim/tests/graph/partial.rs",
        "weights_by_parameter_and_joints_without_any",
    ),
    ("D25", "every input, once", "crates/anim/tests/graph/spaces.rs", "d25_every_input_is_followed_and_moves_once"),
    ("D26", "channels without shapes", "crates/anim/tests/morph.rs", "in_between_shapes_share"),
    ("D27", "deltas for poses", "crates/anim/tests/graph/errors.rs", "spaces"),
    ("D28", "a joint's own size", "crates/anim/tests/figure/bodies.rs", "d28_a_joint_s_own_size_counts"),
    ("D29", "chains on their own line", "crates/anim/tests/ik/ccd.rs", "a_straight_chain_leaves_its_line"),
    ("E1", "on a border of steps", "crates/anim/tests/laws/events.rs", "p09_an_event_on_a_border_of_steps_fires_once"),
    ("E2", "behind the end", "crates/anim/tests/laws/ends.rs", "p12_after_the_end_nothing_fires_until_it_is_left"),
    ("E3", "at the seam", "crates/anim/tests/laws/events.rs", "p05_both_ends_of_a_loop_fire_once_a_seam_the_end_first"),
    ("E4", "at a turn", "crates/anim/tests/laws/events.rs", "p11_a_turn_fires_once_and_the_inside_twice"),
    ("E5", "more than a loop a step", "crates/anim/tests/laws/events.rs", "p10_whole_lengths_fire_each_event_as_often"),
    (
        "E6",
        "under windows, phases and speeds",
        "crates/anim/tests/laws/state.rs",
        "p36_window_phase_and_speed_are_a_shift_and_a_scale",
    ),
];

#[test]
fn every_defect_of_the_book_has_its_test() {
    assert_eq!(DEFECTS.len(), 29 - 3 + 6);
    let files = files(&[".rs"]);
    for (number, what, path, name) in DEFECTS {
        let file = files.iter().find(|file| file.path == *path).unwrap_or_else(|| panic!("{number}: no {path}"));
        assert!(file.text.contains(&format!("fn {name}(")), "{number}, {what}: no {name} in {path}");
    }
}
