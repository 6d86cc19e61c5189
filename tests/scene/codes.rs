//! docs/diagnostics.md and the program know the same codes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// Every text of the form `E0123` or `W0123` between `before` and `after`.
fn codes(text: &str, before: &str, after: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices(before) {
        let rest = &text[at + before.len()..];
        if let Some(code) = rest.get(..5)
            && (code.starts_with('E') || code.starts_with('W'))
            && code[1..].bytes().all(|b| b.is_ascii_digit())
            && rest[5..].starts_with(after)
        {
            out.push(code.to_string());
        }
    }
    out
}

#[test]
fn every_code_is_documented_and_every_documented_code_exists() {
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    for package in fs::read_dir(root().join("crates")).unwrap() {
        rust_files(&package.unwrap().path().join("src"), &mut files);
    }
    let mut used = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // Tests of modules use codes that are none.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        used.extend(codes(code, "\"", "\""));
    }
    let page = fs::read_to_string(root().join("docs/diagnostics.md")).unwrap();
    let told = codes(&page, "| `", "` |");
    let documented: BTreeSet<String> = told.iter().cloned().collect();
    assert_eq!(told.len(), documented.len(), "a code stands twice in docs/diagnostics.md");
    let missing: Vec<_> = used.difference(&documented).collect();
    let gone: Vec<_> = documented.difference(&used).collect();
    assert!(missing.is_empty(), "not in docs/diagnostics.md: {missing:?}");
    assert!(gone.is_empty(), "in docs/diagnostics.md, but nothing says them: {gone:?}");
    assert!(used.len() > 30, "only {} codes found", used.len());
    let mut sorted = told.clone();
    sorted.sort_by_key(|code| code[1..].to_string());
    assert_eq!(told, sorted, "docs/diagnostics.md is sorted by number");
}
