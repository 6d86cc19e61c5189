//! The tree: the files that rules look at, and Rust text without its comments and strings.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold what people write.
const TOPS: &[&str] = &["src", "crates", "tests", "benches", "examples", "ci", "fuzz", "scenes", "docs"];

pub struct File {
    /// From the repository's root, with `/`.
    pub path: String,
    pub text: String,
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files with one of `endings`, of the root itself and of its folders, in path order.
pub fn files(endings: &[&str]) -> Vec<File> {
    let mut out = Vec::new();
    for entry in fs::read_dir(root()).expect("the repository") {
        take(&entry.expect("readable folder").path(), endings, &mut out);
    }
    for top in TOPS {
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
        if path.is_dir() && name != "target" && name != "node_modules" && !name.starts_with('.') {
            walk(&path, endings, out);
        } else {
            take(&path, endings, out);
        }
    }
}

fn take(path: &Path, endings: &[&str], out: &mut Vec<File>) {
    let shown = path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
    if path.is_file()
        && endings.iter().any(|ending| shown.ends_with(ending))
        && let Ok(text) = fs::read_to_string(path)
    {
        out.push(File { path: shown, text });
    }
}

/// The folder of sources that a file belongs to, if it is one of a package: `src/` or `crates/NAME/src/`.
pub fn sources_of(path: &str) -> Option<&str> {
    if path.starts_with("src/") {
        return Some("src/");
    }
    let rest = path.strip_prefix("crates/")?;
    let name = &rest[..rest.find('/')?];
    let end = "crates/".len() + name.len() + "/src/".len();
    path[..].starts_with(&format!("crates/{name}/src/")).then(|| &path[..end])
}

/// Whether a file of a package is compiled for its tests alone, as far as its name says.
pub fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// A string literal: the line that it begins in, counted from 1, and what it says.
pub struct Literal {
    pub line: usize,
    pub text: String,
}

/// Rust text taken apart.
pub struct Parts {
    /// The text with blanks in the places of comments and of what strings say; lines stay where they are.
    pub code: String,
    pub literals: Vec<Literal>,
}

/// Takes Rust text apart.
pub fn parts(text: &str) -> Parts {
    let chars: Vec<char> = text.chars().collect();
    let (mut code, mut literals) = (String::with_capacity(text.len()), Vec::new());
    let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
    let (mut at, mut line) = (0, 1);
    while at < chars.len() {
        let c = chars[at];
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        let named = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
        let end = match c {
            '/' if next == '/' => (at..chars.len()).find(|&k| chars[k] == '\n').unwrap_or(chars.len()),
            '/' if next == '*' => end_of_block(&chars, at),
            'r' if !named && (next == '"' || next == '#') => match raw_end(&chars, at) {
                Some((first, last, end)) => {
                    literals.push(Literal { line, text: chars[first..last].iter().collect() });
                    end
                }
                None => at,
            },
            '"' => {
                let end = quoted_end(&chars, at);
                let inside = &chars[at + 1..end.saturating_sub(1).max(at + 1)];
                literals.push(Literal { line, text: unescaped(inside) });
                end
            }
            // A character, and not a lifetime.
            '\'' if next == '\\' => (at + 3..chars.len()).find(|&k| chars[k] == '\'').map_or(chars.len(), |k| k + 1),
            '\'' if chars.get(at + 2) == Some(&'\'') => at + 3,
            _ => at,
        };
        let end = end.max(at);
        if end == at {
            code.push(c);
            line += usize::from(c == '\n');
            at += 1;
        } else {
            // Quotes stay, so that the text still has as many arguments.
            let is_text = c == '"' || c == 'r';
            for (k, &inner) in chars[at..end].iter().enumerate() {
                let edge = is_text && (k == 0 || at + k + 1 == end);
                code.push(if edge { '"' } else { blank(inner) });
                line += usize::from(inner == '\n');
            }
            at = end;
        }
    }
    Parts { code, literals }
}

fn end_of_block(chars: &[char], start: usize) -> usize {
    let (mut depth, mut at) = (0, start);
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => (depth, at) = (depth + 1, at + 2),
            ('*', '/') => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

/// Where a raw string's text begins and ends, and where the literal ends.
fn raw_end(chars: &[char], start: usize) -> Option<(usize, usize, usize)> {
    let hashes = chars[start + 1..].iter().take_while(|c| **c == '#').count();
    let first = start + 1 + hashes + 1;
    if chars.get(first - 1) != Some(&'"') {
        return None;
    }
    let closes =
        |k: usize| chars[k] == '"' && chars[k + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes;
    let last = (first..chars.len()).find(|&k| closes(k))?;
    Some((first, last, last + 1 + hashes))
}

fn quoted_end(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// What a literal says: a line that goes on behind `\` is one.
fn unescaped(chars: &[char]) -> String {
    let (mut out, mut at) = (String::new(), 0);
    while at < chars.len() {
        if chars[at] != '\\' || at + 1 == chars.len() {
            out.push(chars[at]);
            at += 1;
        } else if chars[at + 1] == '\n' {
            at += 2;
            while at < chars.len() && chars[at].is_whitespace() {
                at += 1;
            }
        } else {
            out.push(if chars[at + 1] == 'n' { '\n' } else { chars[at + 1] });
            at += 2;
        }
    }
    out
}

/// Code without the modules that are compiled for tests alone: `#[cfg(test)] mod NAME { ... }` becomes blank.
pub fn without_tests(code: &str) -> String {
    let mut out = code.to_owned();
    let mut from = 0;
    while let Some(found) = out[from..].find("#[cfg(test)]") {
        let start = from + found;
        let after = &out[start..];
        let open = after.find(['{', ';']).map(|k| start + k);
        let is_module = after["#[cfg(test)]".len()..].trim_start().starts_with("mod ");
        let end = match open {
            Some(open) if is_module && out[open..].starts_with('{') => matching(&out, open),
            _ => start + 1,
        };
        if end > start + 1 {
            let blank: String = out[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
            out.replace_range(start..end, &blank);
        }
        from = end.min(out.len());
    }
    out
}

/// Behind the bracket that closes the one at `open`, of code whose strings are blank.
pub fn matching(code: &str, open: usize) -> usize {
    let (mut depth, opening) = (0, code[open..].chars().next().expect("a bracket"));
    let closing = match opening {
        '{' => '}',
        '(' => ')',
        '[' => ']',
        _ => '>',
    };
    let mut before = ' ';
    for (at, c) in code[open..].char_indices() {
        if c == opening {
            depth += 1;
        } else if c == closing && !(c == '>' && (before == '-' || before == '=')) {
            depth -= 1;
            if depth == 0 {
                return open + at + c.len_utf8();
            }
        }
        before = c;
    }
    code.len()
}

/// The line of a place in a text, counted from 1.
pub fn line_at(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

pub fn sample(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}

#[test]
fn text_is_taken_apart() {
    let text = "let a = \"x // \\\"y\\\" \\\n   z\"; // \"no\"\nlet b = r#\"raw \"q\" \"#; /* a /* b */ \"c\" */ let c: &'static str = 'd'; let e = '\\'';\n";
    let parts = parts(text);
    let said: Vec<(usize, &str)> = parts.literals.iter().map(|l| (l.line, l.text.as_str())).collect();
    assert_eq!(said, [(1, "x // \"y\" z"), (3, "raw \"q\" ")]);
    assert!(!parts.code.contains("no") && !parts.code.contains("raw") && !parts.code.contains('d'), "{}", parts.code);
    assert!(parts.code.contains("&'static str"), "{}", parts.code);
    assert_eq!(parts.code.lines().count(), text.lines().count());
    let code = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { }\n}\nfn c() {}\n";
    assert!(!without_tests(code).contains("fn b") && without_tests(code).contains("fn c"));
    assert_eq!(sources_of("crates/anim/src/ik/aim.rs"), Some("crates/anim/src/"));
    assert_eq!(sources_of("crates/anim/tests/jobs/main.rs"), None);
}

#[track_caller]
pub fn assert_none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}
