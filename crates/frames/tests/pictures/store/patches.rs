//! The difference of two locks applies with git.

use std::process::Command;

use proptest::prelude::*;
use stillframe_frames::Lock;
use stillframe_testkit::depth::cases;

use super::*;

fn lock(seeds: &[(u8, u32)]) -> Lock {
    let mut lock = Lock::default();
    for (name, seed) in seeds {
        lock.set(line(&format!("case{name:02}"), &picture(*seed), None));
    }
    lock
}

/// Applies the patch in a folder without a repository; the file's text afterwards.
fn applied(root: &Path, path: &str, old: Option<&str>, patch: &str) -> Option<String> {
    let file = root.join(path);
    let _ = fs::remove_dir_all(root);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    if let Some(text) = old {
        fs::write(&file, text).unwrap();
    }
    fs::write(root.join("x.patch"), patch).unwrap();
    // A repository of its own: one further up would have its say otherwise.
    assert!(Command::new("git").args(["init", "-q"]).current_dir(root).status().unwrap().success());
    let run = Command::new("git").args(["apply", "x.patch"]).current_dir(root).output().unwrap();
    assert!(run.status.success(), "{}\n{patch}", String::from_utf8_lossy(&run.stderr));
    fs::read_to_string(file).ok()
}

#[test]
fn a_patch_is_what_people_know() {
    let (old, new) = (lock(&[(1, 1), (2, 2)]), lock(&[(1, 1), (2, 3), (3, 1)]));
    let lines = |lock: &Lock| lock.lines().iter().map(|line| line.to_string()).collect::<Vec<_>>();
    let (old_lines, new_lines) = (lines(&old), lines(&new));
    let path = "references/light/frames.lock";
    let want = format!(
        "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,3 @@\n {}\n-{}\n+{}\n+{}\n",
        old_lines[0], old_lines[1], new_lines[1], new_lines[2]
    );
    assert_eq!(patch(path, Some(&old.to_string()), &new), want);
    assert_eq!(patch(path, Some(&old.to_string()), &old), "");
    assert_eq!(patch(path, None, &Lock::default()), "");
}

#[test]
fn files_come_and_go_and_odd_texts_are_replaced() {
    let root = folder("patches");
    let text = lock(&[(1, 1), (5, 2), (9, 3)]).to_string();
    for path in
        ["references/light/frames.lock", "references/a b/frames.lock", "references/\u{e4}/frames.lock", "a\"b/c.lock"]
    {
        for (old, new) in [
            (None, lock(&[(1, 1)])),
            (Some(text.clone()), Lock::default()),
            (Some(text.trim_end().to_string()), lock(&[(1, 1), (5, 2), (9, 3)])),
            (Some(text.replace('\n', "\r\n")), lock(&[(1, 1), (5, 7)])),
            (Some(format!("# a comment\n\n{text}# the end")), lock(&[(5, 2)])),
            (Some("<<<<<<< ours\n".to_string()), lock(&[(5, 2)])),
        ] {
            let got = applied(&root, path, old.as_deref(), &patch(path, old.as_deref(), &new));
            assert_eq!(got.unwrap_or_default(), new.to_string());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(40), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_two_locks(
        old in prop::collection::vec((0u8..40, 0u32..3), 0..30),
        new in prop::collection::vec((0u8..40, 0u32..3), 0..30),
    ) {
        let (old, new) = (lock(&old), lock(&new));
        let old_text = Some(old.to_string()).filter(|text| !text.is_empty());
        let patch = patch("references/x/frames.lock", old_text.as_deref(), &new);
        prop_assert_eq!(patch.is_empty(), old == new);
        if !patch.is_empty() {
            let got = applied(&folder("any_patch"), "references/x/frames.lock", old_text.as_deref(), &patch);
            prop_assert_eq!(got.unwrap_or_default(), new.to_string());
        }
    }
}
