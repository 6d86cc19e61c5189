//! Words that code does not use, and lines as files have them.

use crate::tree::{File, assert_none, files, sample};

/// Words that must not stand in code: `(word, what to do instead, path prefixes where it is at home)`. Split so that
/// this file does not complain about itself.
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
        &["tests/", "crates/"],
    ),
    (concat!("static", " mut"), "pass the value", &[]),
    (concat!("#[ig", "nore"), "a test that does not run does not test", &[]),
];

/// A line without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("")
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

#[test]
fn words_and_lines() {
    let code = files(&[".rs", ".wgsl"]);
    assert_none(code.iter().flat_map(check_words).chain(code.iter().flat_map(check_lines)).collect());
    assert_none(files(&[".toml", ".sh", ".md"]).iter().flat_map(check_lines).collect());
}

#[test]
fn words_and_lines_are_seen() {
    let rows: &[(fn(&File) -> Vec<String>, &str, &str, usize)] = &[
        (check_words, "src/a.rs", concat!("todo", "!()\n"), 1),
        (check_words, "src/cli/a.rs", concat!("let t = Instant", "::now();\n"), 0),
        (check_words, "src/render/a.rs", concat!("let t = Instant", "::now();\n"), 1),
        (check_lines, "a.rs", "x \n", 1),
        (check_lines, "a.rs", "x", 1),
        (check_lines, "a.rs", "<<<<<<< HEAD\n", 1),
    ];
    for (rule, path, text, want) in rows {
        assert_eq!(rule(&sample(path, text)).len(), *want, "{path}: {text}");
    }
}
