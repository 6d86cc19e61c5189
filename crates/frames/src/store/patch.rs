//! The difference of two lock files as a patch that `git apply` applies.
//!
//! Lock files are sorted with one line a case, so that lines are paired by name in one walk; no search for a longest
//! common part is needed. Source of the form: "Detailed Description of Unified Format" in the manual of GNU diffutils,
//! and `git help diff` for new and deleted files.

use crate::lock::{Lock, name_of_line};

const CONTEXT: usize = 3;

#[derive(Clone, Copy)]
enum Line<'a> {
    Same(&'a str),
    Old(&'a str),
    New(&'a str),
}

/// A patch from the text of a lock file, none where there is no file yet, to `new`. `path` is the file's from the root
/// of the repository, with slashes. Empty where nothing changes. Comments, which a lock does not keep, go.
pub fn patch(path: &str, old_text: Option<&str>, new: &Lock) -> String {
    let new_text = new.to_string();
    let old = old_text.unwrap_or("");
    let is_deleted = new_text.is_empty() && old_text.is_some();
    if old == new_text && !is_deleted {
        return String::new();
    }
    let lines = paired(old, &new_text);
    let (a, b) = (quoted("a/", path), quoted("b/", path));
    let mut out = format!("diff --git {a} {b}\n");
    // A blank in a name needs a mark where it ends.
    let tab = if path.contains(' ') { "\t" } else { "" };
    match old_text {
        None => out.push_str(&format!("new file mode 100644\n--- /dev/null\n+++ {b}{tab}\n")),
        Some(_) if is_deleted => out.push_str(&format!("deleted file mode 100644\n--- {a}{tab}\n+++ /dev/null\n")),
        Some(_) => out.push_str(&format!("--- {a}{tab}\n+++ {b}{tab}\n")),
    }
    for hunk in hunks(&lines) {
        push_hunk(&lines, hunk, &mut out);
    }
    out
}

/// All lines of both, with their line ends, old before new.
fn paired<'a>(old: &'a str, new: &'a str) -> Vec<Line<'a>> {
    let mut out = Vec::new();
    let mut new = new.split_inclusive('\n').peekable();
    for line in old.split_inclusive('\n') {
        let name = name_of_line(line);
        while let Some(earlier) = new.next_if(|other| name_of_line(other) < name) {
            out.push(Line::New(earlier));
        }
        match new.next_if(|other| *other == line) {
            Some(_) => out.push(Line::Same(line)),
            None => out.push(Line::Old(line)),
        }
        // The changed line of that name follows its old one.
        if let Some(changed) = new.next_if(|other| name.is_some() && name_of_line(other) == name) {
            out.push(Line::New(changed));
        }
    }
    out.extend(new.map(Line::New));
    out
}

/// Ranges of lines: each change with its surroundings, those that touch as one.
fn hunks(lines: &[Line<'_>]) -> Vec<std::ops::Range<usize>> {
    let mut out: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| !matches!(line, Line::Same(_))) {
        let (start, end) = (at.saturating_sub(CONTEXT), (at + CONTEXT + 1).min(lines.len()));
        match out.last_mut() {
            Some(last) if last.end >= start => last.end = end,
            _ => out.push(start..end),
        }
    }
    out
}

fn push_hunk(lines: &[Line<'_>], hunk: std::ops::Range<usize>, out: &mut String) {
    let olds = |lines: &[Line<'_>]| lines.iter().filter(|line| !matches!(line, Line::New(_))).count();
    let news = |lines: &[Line<'_>]| lines.iter().filter(|line| !matches!(line, Line::Old(_))).count();
    let (before, inside) = (&lines[..hunk.start], &lines[hunk]);
    // A side without lines is said to stand after the line before it.
    let place = |start: usize, count: usize| format!("{},{count}", start + usize::from(count > 0));
    let old = place(olds(before), olds(inside));
    let new = place(news(before), news(inside));
    out.push_str(&format!("@@ -{old} +{new} @@\n"));
    for line in inside {
        let (mark, text) = match line {
            Line::Same(text) => (' ', text),
            Line::Old(text) => ('-', text),
            Line::New(text) => ('+', text),
        };
        out.push(mark);
        out.push_str(text);
        if !text.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// A name as git writes it: between quotes where it holds what would end it.
fn quoted(prefix: &str, path: &str) -> String {
    if !path.contains(|c: char| c.is_control() || c == '"' || c == '\\') {
        return format!("{prefix}{path}");
    }
    let mut out = format!("\"{prefix}");
    for byte in path.bytes() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', byte as char]),
            0x20..=0x7E => out.push(byte as char),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}
