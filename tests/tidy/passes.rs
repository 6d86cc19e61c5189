//! Tidy, for drawing: what a pass is called and what it writes is known in its own file alone.

use crate::tree::{File, files, sample};

/// Folders whose files may not name a pass or a target of another file.
const FOLDERS: [&str; 3] = ["crates/draw/src/frame/", "crates/draw/src/render/", "src/take/"];

/// `(word, file)`: a word that is something else there.
const OTHER_THINGS: &[(&str, &str)] = &[
    // The layer of metric depth.
    ("depth", "crates/draw/src/render/pass/aov.rs"),
    // Counts in the dump of a plan.
    ("samples", "crates/draw/src/frame/dump.rs"),
];

/// Lines of code, without comments and tests.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default())
}

/// What follows `before` in a text, up to the next quotation mark.
fn quoted_after<'a>(text: &'a str, before: &str) -> Vec<&'a str> {
    text.match_indices(before).filter_map(|(at, _)| text[at + before.len()..].split('"').next()).collect()
}

/// Names that the files of passes declare: of rows, and of targets, which are constants.
fn declared(files: &[File]) -> Vec<(String, String)> {
    let passes = files.iter().filter(|file| file.path.starts_with("crates/draw/src/render/pass/"));
    passes
        .flat_map(|File { path, text }| {
            let names = [": &str = \"", "Row { name: \"", "    name: \""].map(|before| quoted_after(text, before));
            names.concat().into_iter().map(|name| (name.to_string(), path.clone())).collect::<Vec<_>>()
        })
        .collect()
}

/// Files that name what another file declares.
fn strangers(files: &[File], declared: &[(String, String)]) -> Vec<String> {
    let mut out = Vec::new();
    for File { path, text } in files {
        if path.starts_with("crates/draw/src/render/tests/") {
            continue;
        }
        for (name, home) in declared {
            let quoted = format!("\"{name}\"");
            let excused = OTHER_THINGS.contains(&(name, path))
                || declared.iter().any(|(other, other_home)| other == name && other_home == path);
            if home != path && !excused && code(text).any(|line| line.contains(&quoted)) {
                out.push(format!("{path} names {quoted} of {home}"));
            }
        }
        // Who looks at which pass it is, by its name or its row, knows more than the plan.
        for word in ["pass.name ==", "match pass.name", "row.name ==", "pass.row ==", "match pass.row", "PassKind"] {
            if code(text).any(|line| line.contains(word)) {
                out.push(format!("{path} asks which pass it is: {word}"));
            }
        }
    }
    out
}

#[test]
fn passes_and_targets_are_named_at_home_alone() {
    let mut files = files(&[".rs"]);
    files.retain(|file| FOLDERS.iter().any(|folder| file.path.starts_with(folder)));
    let declared = declared(&files);
    for name in ["scene", "linear", "moment_maps", "sun map", "encoded", "motion", "radiance", "blurs"] {
        assert!(declared.iter().any(|(known, _)| known == name), "{name} is not found: {declared:?}");
    }
    assert_eq!(strangers(&files, &declared), Vec::<String>::new());
}

#[test]
fn the_rule_can_complain() {
    for (text, count) in [
        ("let x = frame.texture(pass, \"a_maps\");\n", 1),
        ("if pass.name == other {}\n", 1),
        ("// \"a_maps\"\n", 0),
        ("let x = frame.texture(pass, A);\n", 0),
    ] {
        let home = sample("crates/draw/src/render/pass/a.rs", "const A: &str = \"a_maps\";\n");
        let files = [home, sample("crates/draw/src/render/frame.rs", text)];
        assert_eq!(strangers(&files, &declared(&files)).len(), count, "{text}");
    }
}
