//! Features: every row of the page has scenes and tests that exist, and every scene of its families has a row.

use std::collections::BTreeSet;

use crate::tree::{assert_none, files, root};

/// Families of scenes whose features the page lists.
const FAMILIES: &[&str] =
    &["accumulate", "light", "lighting", "shadow", "environment", "material", "graph", "aov", "post"];

/// Words in backticks of the page's tables and lists.
fn words(page: &str) -> Vec<&str> {
    page.split('`').skip(1).step_by(2).collect()
}

/// `scenes`: names of all scenes; `tests`: `file::test` of all tests.
fn complaints(page: &str, scenes: &BTreeSet<String>, tests: &BTreeSet<String>) -> Vec<String> {
    let words = words(page);
    let mut out = Vec::new();
    let is_scene = |word: &str| word.split_once('/').is_some_and(|(family, _)| FAMILIES.contains(&family));
    for word in &words {
        if is_scene(word) && !scenes.contains(*word) {
            out.push(format!("there is no scene {word}"));
        }
        if word.contains("::") && *word != "file::test" && !tests.contains(*word) {
            out.push(format!("there is no test {word}"));
        }
    }
    let missing = scenes.iter().filter(|scene| is_scene(scene) && !words.contains(&scene.as_str()));
    out.extend(missing.map(|scene| format!("no row has the scene {scene}")));
    for row in
        page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| what") && !line.contains("---"))
    {
        if !row.split('`').skip(1).step_by(2).any(|word| is_scene(word) || word.contains("::")) {
            out.push(format!("nothing proves: {row}"));
        }
    }
    out
}

#[test]
fn a_page_can_be_wrong() {
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_string()).collect::<BTreeSet<_>>();
    let (scenes, tests) = (names(&["light/point", "light/spot"]), names(&["lamps::they_end"]));
    let page = "| what | asked for by |\n| --- | --- |\n| Lamp | `kind` | `light/point` | `lamps::they_end` |\n";
    assert_eq!(complaints(page, &scenes, &tests), ["no row has the scene light/spot"]);
    let page =
        "`light/spot`, `light/tube`\n| Lamp | `kind` | `light/point` | `lamps::they_begin` |\n| Sun | `kind` | | |\n";
    assert_eq!(complaints(page, &scenes, &tests).len(), 3);
}

#[test]
fn the_page_of_features_is_true() {
    let scenes: BTreeSet<String> = files(&[".toml"])
        .iter()
        .filter_map(|file| Some(file.path.strip_prefix("scenes/")?.strip_suffix(".toml")?.to_string()))
        .collect();
    let mut tests = BTreeSet::new();
    for file in files(&[".rs"]) {
        let stem = file.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs");
        let mut is_test = false;
        for line in file.text.lines().map(str::trim_start) {
            // A property test has its attribute inside of a macro.
            is_test |= line == "#[test]";
            if let Some(name) = line.strip_prefix("fn ").filter(|_| is_test) {
                let end = name.find(['(', '<']).unwrap_or(name.len());
                tests.insert(format!("{stem}::{}", &name[..end]));
                is_test = false;
            }
        }
    }
    assert!(tests.len() >= 1500, "only {} tests", tests.len());
    let page = std::fs::read_to_string(root().join("docs/features.md")).unwrap();
    assert_none(complaints(&page, &scenes, &tests));
}
