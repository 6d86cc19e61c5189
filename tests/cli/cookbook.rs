//! docs/cookbook.md shows the scenes beside it, and the pictures that its commands make of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{folder, names, out, program, run, status, well};

/// Bytes of a picture on the page. Pages with ten of them should load at once.
const MAX_PICTURE: u64 = 200_000;
const MAX_MOVING: u64 = 310_000;

/// What stands between two marks, with what stands around it.
fn cut<'a>(text: &'a str, begin: &str, end: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let (before, rest) = text.split_once(begin)?;
    let (inner, after) = rest.split_once(end)?;
    Some((before, inner, after))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test that can refresh its document")]
fn the_cookbook_shows_its_scenes_and_their_pictures() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let recipes = docs.join("cookbook");
    let page_file = docs.join("cookbook.md");
    let page = fs::read_to_string(&page_file).unwrap();
    let update = std::env::var_os("STILLFRAME_UPDATE").is_some_and(|v| v != "no");
    let made = folder("cookbook");
    let mut fresh = String::new();
    let mut shown = BTreeSet::new();
    let mut stale = Vec::new();
    for (index, section) in page.split("\n## ").enumerate() {
        if index == 0 {
            fresh.push_str(section);
            continue;
        }
        let title = section.lines().next().unwrap();
        let (_, scene, _) = cut(section, "](cookbook/", ".toml):").unwrap_or_else(|| panic!("{title}: no scene"));
        let scene = scene.rsplit('/').next().unwrap();
        let text = fs::read_to_string(recipes.join(format!("{scene}.toml"))).unwrap();
        let (before, have, after) = cut(section, "```toml\n", "```\n").unwrap_or_else(|| panic!("{title}: no text"));
        if have != text {
            stale.push(format!("the text of {scene}.toml"));
        }
        fresh.push_str(&format!("\n## {before}```toml\n{text}```\n{after}"));
        shown.insert(format!("{scene}.toml"));

        let (_, commands, _) = cut(section, "```sh\n", "```\n").unwrap_or_else(|| panic!("{title}: no command"));
        for line in commands.lines() {
            let mut arguments: Vec<String> = line.split(' ').skip(1).map(str::to_string).collect();
            let last = arguments.last_mut().unwrap();
            let name = last.clone();
            *last = made.join(&name).display().to_string();
            let cache = made.with_extension("cache");
            well(&program(&recipes).env("XDG_CACHE_HOME", cache).args(&arguments).output().unwrap());
            if !section.contains(&format!("](cookbook/{name})")) {
                continue;
            }
            shown.insert(name.clone());
            let (old, new) = (recipes.join(&name), made.join(&name));
            let size = fs::metadata(&new).unwrap().len();
            let limit = if name.ends_with(".apng") { MAX_MOVING } else { MAX_PICTURE };
            assert!(size <= limit, "{name}: {size} bytes");
            let compared = run(&made, &["diff", &old.display().to_string(), &new.display().to_string()]);
            if old.is_file() && status(&compared) == 0 {
                continue;
            }
            if update {
                fs::copy(&new, &old).unwrap();
            }
            stale.push(format!("{name}: {}", out(&compared)));
        }
    }
    if update && fresh != page {
        fs::write(&page_file, &fresh).unwrap();
    }
    let how = "STILLFRAME_UPDATE=all cargo test --test cli cookbook writes them";
    assert!(stale.is_empty(), "stale ({how}; look at them and commit them):\n{}", stale.join("\n"));
    assert_eq!(names(&recipes), shown.into_iter().collect::<Vec<_>>(), "files that the page does not show");
}
