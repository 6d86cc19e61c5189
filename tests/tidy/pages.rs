//! Pages: widths of prose and help, paths that exist, and changes told in one line.

use std::path::Path;

use crate::ratchet::{Complaints, hold};
use crate::tree::{File, assert_none, files, root, sample};

const PROSE_COLUMNS_MAX: usize = 120;
const HELP_COLUMNS_MAX: usize = 80;
const CHANGE_COLUMNS_MAX: usize = 100;

/// Folders that a path of a page may begin with.
const TOPS: &[&str] =
    &["src/", "crates/", "tests/", "docs/", "ci/", ".ci/", "scenes/", "references/", "benches/", "examples/", "fuzz/"];

/// Paths of projects that examples speak of.
const ELSEWHERE: &[&str] = &["scenes/shadow/cascade.toml"];

fn columns(line: &str) -> usize {
    line.chars().count()
}

/// Lines of a page outside of blocks and tables, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_block = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_block ^= is_fence;
        let is_prose = !is_block && !is_fence && !line.trim_start().starts_with('|');
        is_prose.then_some((index + 1, line))
    })
}

/// Lines of prose that are too wide; one that is a single word, such as an address, cannot be wrapped.
fn wide_prose(file: &File) -> Vec<String> {
    let wide = prose(&file.text).filter(|(_, line)| columns(line) > PROSE_COLUMNS_MAX && line.trim().contains(' '));
    wide.map(|(number, line)| format!("{}:{number}: {} columns", file.path, columns(line))).collect()
}

/// Pages for people: not help, which has its own limit, and not what tests compare with.
fn is_read(file: &File) -> bool {
    file.path != "docs/cli.md" && !file.path.contains("tests/data/report/")
}

/// The same in comments: formulas in blocks and rows of tables stay as they are.
fn wide_comments(file: &File) -> Vec<String> {
    let mut is_block = false;
    let lines = file.text.lines().enumerate().filter(|(_, line)| {
        let line_is_comment = line.trim_start().starts_with("//");
        let text = line.trim_start().trim_start_matches(['/', '!']).trim_start();
        let is_fence = line_is_comment && text.starts_with("```");
        is_block = line_is_comment && (is_block ^ is_fence);
        line_is_comment && !is_block && !text.starts_with("| ") && columns(line) > PROSE_COLUMNS_MAX
    });
    lines.map(|(index, line)| format!("{}:{}: {} columns", file.path, index + 1, columns(line))).collect()
}

/// Lines of help, as `docs/cli.md` has them.
fn wide_help(file: &File) -> Vec<String> {
    let mut is_help = false;
    let lines = file.text.lines().enumerate().filter(|(_, line)| {
        if line.starts_with("```") {
            is_help = *line == "```text";
        }
        is_help && columns(line) > HELP_COLUMNS_MAX
    });
    lines.map(|(index, line)| format!("{}:{}: {} columns", file.path, index + 1, columns(line))).collect()
}

/// Changes that are told in more than one line, or in a long one.
fn long_changes(file: &File) -> Vec<String> {
    let lines: Vec<&str> = file.text.lines().collect();
    let goes_on = |index: usize| {
        lines.get(index + 1).is_some_and(|next| next.starts_with("  ") && !next.trim_start().starts_with("- "))
    };
    let is_long = |index: usize| columns(lines[index]) > CHANGE_COLUMNS_MAX || goes_on(index);
    let bullets = (0..lines.len()).filter(|&index| lines[index].trim_start().starts_with("- ") && is_long(index));
    bullets.map(|index| format!("{}:{}: {}", file.path, index + 1, lines[index])).collect()
}

/// Words in backticks of a line.
fn quoted(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

/// A path of this repository, if a word is one: no pattern, and no place that the reader fills in.
fn path_of(word: &str) -> Option<&str> {
    let word = word.split_once(".rs:").map_or(word, |(before, _)| &word[..before.len() + 3]);
    // Hidden folders below the first are made when a program runs.
    let is_hidden = word.contains("/.");
    let is_plain =
        word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c)) && !word.contains("..") && !is_hidden;
    let filled_in =
        word.split(['/', '.']).any(|part| part.len() > 2 && part.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
    let known = ["README", "CHANGELOG", "ARCHITECTURE", "STYLE", "LICENSE"];
    let is_name = known.iter().any(|name| word.contains(name));
    (is_plain && (!filled_in || is_name) && TOPS.iter().any(|top| word.starts_with(top)) && !ELSEWHERE.contains(&word))
        .then_some(word)
}

/// Paths that lead nowhere: from the root, from the page's folder, or from its package.
fn lost_paths(file: &File, exists: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let mut out = Vec::new();
    let mut is_block = false;
    for (index, line) in file.text.lines().enumerate() {
        let is_comment = line.trim_start().starts_with("//");
        if file.path.ends_with(".rs") && !is_comment {
            continue;
        }
        is_block ^= line.trim_start().trim_start_matches(['/', '!', ' ']).starts_with("```");
        if is_block {
            continue;
        }
        for word in quoted(line).into_iter().filter_map(path_of) {
            let mut folders = Path::new(&file.path).ancestors().skip(1);
            if !folders.any(|folder| exists(&folder.join(word))) {
                out.push(format!("{}:{}: `{word}` does not exist", file.path, index + 1));
            }
        }
    }
    out
}

#[test]
fn prose_is_wrapped() {
    let mut found = Complaints::new();
    let pages = files(&[".md"]);
    found.insert("pages".into(), pages.iter().filter(|f| is_read(f)).flat_map(wide_prose).collect());
    found.insert("comments".into(), files(&[".rs"]).iter().flat_map(wide_comments).collect());
    hold("lines-over-120-columns", &found);
    let of = |path: &str| pages.iter().find(|f| f.path == path).unwrap_or_else(|| panic!("no {path}"));
    hold("help-over-80-columns", &Complaints::from([("docs/cli.md".into(), wide_help(of("docs/cli.md")))]));
    hold("changes-over-one-line", &Complaints::from([("CHANGELOG.md".into(), long_changes(of("CHANGELOG.md")))]));
}

#[test]
fn paths_of_pages_exist() {
    let exists = |path: &Path| root().join(path).exists();
    assert_none(files(&[".md", ".rs"]).iter().flat_map(|file| lost_paths(file, &exists)).collect());
}

#[test]
fn pages_are_seen() {
    let (wide, word) = ("so ".repeat(50), "x".repeat(150));
    let page = format!("{wide}\n{word}\n| {wide} |\n```text\n{wide}\n```\nshort\n");
    assert_eq!(wide_prose(&sample("a.md", &page)).len(), 1);
    assert_eq!(wide_comments(&sample("a.rs", &format!("/// {wide}\nlet a = \"{wide}\";\n"))).len(), 1);
    assert_eq!(wide_help(&sample("docs/cli.md", &format!("{wide}\n```text\n{wide}\nshort\n```\n{wide}\n"))).len(), 1);
    let changes = format!("- short\n- goes\n  on\n- {wide}\n  - below\n- with\n  - below\n");
    assert_eq!(long_changes(&sample("CHANGELOG.md", &changes)).len(), 2);
    let line = "`src/a.rs` `src/gone.rs:12` `src/NAME.rs` `src/*.rs` `a/b` `tests/gone/` `CHANGELOG.md` `crates/x/README.md`\n";
    let exists = |path: &Path| path == Path::new("src/a.rs");
    let lost = lost_paths(&sample("docs/a.md", line), &exists);
    assert_eq!(lost.len(), 3, "{lost:?}");
    let own = |path: &Path| path == Path::new("crates/x/src/b.rs");
    assert!(lost_paths(&sample("crates/x/README.md", "`src/b.rs`\n"), &own).is_empty());
}
