//! Scenes: each has references, a title that no other has, and the reason why it is a test.

use std::collections::BTreeSet;
use std::fs;

use crate::tree::{File, files, root};

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
