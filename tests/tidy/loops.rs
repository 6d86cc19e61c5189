//! Loops: files of a package that import each other in a circle, which can only be understood together.
//!
//! A path that begins with `crate`, `super` or `self` is an arrow to the file that defines what it names, through
//! re-exports. What `mod.rs`, `lib.rs` and `main.rs` hand on is no arrow: they are faces. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};

use crate::ratchet::{Complaints, hold};
use crate::tree::{self, File, files, is_test, parts, sources_of, without_tests};

/// A module: where it is in its package, and what it says.
struct Module {
    /// `render::pass` is `["render", "pass"]`.
    path: Vec<String>,
    file: String,
    is_face: bool,
    /// Paths it uses, in full from the package's root.
    uses: Vec<Vec<String>>,
    /// Names it hands on from elsewhere; `*` hands on all of a module.
    exports: Vec<(String, Vec<String>)>,
    /// Names it defines.
    defines: BTreeSet<String>,
}

/// Words and signs of code.
fn tokens(code: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut chars = code.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_alphanumeric() || c == '_' {
            let mut word = String::from(c);
            while let Some(next) = chars.next_if(|n| n.is_alphanumeric() || *n == '_') {
                word.push(next);
            }
            out.push(word);
        } else if c == ':' && chars.next_if_eq(&':').is_some() {
            out.push("::".into());
        } else if !c.is_whitespace() {
            out.push(c.into());
        }
    }
    out
}

fn is_name(token: &str) -> bool {
    token.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
}

/// The paths of a tree of them that begins at `at`, each with the name it goes by; and where the tree ends.
fn paths(tokens: &[String], mut at: usize, before: &[String], out: &mut Vec<(Vec<String>, String)>) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens.get(at).map(String::as_str) {
            Some("{") => {
                at += 1;
                while tokens.get(at).is_some_and(|t| t != "}") {
                    at = if tokens[at] == "," { at + 1 } else { paths(tokens, at, &path, out).max(at + 1) };
                }
                return at + 1;
            }
            Some("*") if path.len() > before.len() || !before.is_empty() => {
                out.push((path, "*".into()));
                return at + 1;
            }
            Some(name) if is_name(name) => {
                // `{self, Name}` names the module itself.
                if name != "self" || path.is_empty() {
                    path.push(name.to_owned());
                }
                at += 1;
                if tokens.get(at).is_some_and(|t| t == "::") {
                    at += 1;
                    // `path::<T>` ends there.
                    if tokens.get(at).is_none_or(|t| !is_name(t) && t != "{" && t != "*") {
                        break;
                    }
                } else {
                    break;
                }
            }
            _ => break,
        }
    }
    let mut name = path.last().cloned().unwrap_or_default();
    if tokens.get(at).is_some_and(|t| t == "as") {
        name = tokens.get(at + 1).cloned().unwrap_or_default();
        at += 2;
    }
    if !path.is_empty() {
        out.push((path, name));
    }
    at
}

/// From the package's root: `super::x` of `a::b` is `a::x`.
fn full(module: &[String], path: &[String]) -> Option<Vec<String>> {
    let mut base = module.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => (base, rest) = (Vec::new(), &path[1..]),
        "self" => rest = &path[1..],
        "super" => {}
        _ => return None,
    }
    while rest.first().is_some_and(|step| step == "super") {
        base.pop()?;
        rest = &rest[1..];
    }
    base.extend(rest.iter().cloned());
    Some(base)
}

fn module(file: &File, sources: &str) -> Module {
    let inner = file.path[sources.len()..].trim_end_matches(".rs");
    let mut path: Vec<String> = inner.split('/').map(str::to_owned).collect();
    let is_face = matches!(path.last().map(String::as_str), Some("mod" | "lib" | "main"));
    if is_face {
        path.pop();
    }
    let tokens = tokens(&without_tests(&parts(&file.text).code));
    let (mut uses, mut exports, mut defines) = (Vec::new(), Vec::new(), BTreeSet::new());
    for at in 0..tokens.len() {
        let word = tokens[at].as_str();
        let starts = |at: usize| at == 0 || tokens[at - 1] != "::";
        if matches!(word, "crate" | "super" | "self") && starts(at) && tokens.get(at + 1).is_some_and(|t| t == "::") {
            let mut found = Vec::new();
            paths(&tokens, at, &[], &mut found);
            for (found, name) in found {
                let mut whole = full(&path, &found).unwrap_or_default();
                if name == "*" {
                    whole.push("*".into());
                }
                uses.push(whole);
            }
        }
        // `pub use`, `pub(crate) use`, `pub(in path) use` hand names on.
        let is_public = at > 0 && (tokens[at - 1] == "pub" || tokens[at - 1] == ")");
        if word == "use" && is_public {
            let mut found = Vec::new();
            paths(&tokens, at + 1, &[], &mut found);
            for (found, name) in found {
                let first = found.first().map(String::as_str);
                let whole = match first {
                    Some("crate" | "super" | "self") => full(&path, &found).unwrap_or_default(),
                    // Of a child: `pub use child::Name`.
                    _ => path.iter().chain(&found).cloned().collect(),
                };
                exports.push((name, whole));
            }
        }
        if matches!(word, "fn" | "struct" | "enum" | "union" | "const" | "static" | "type" | "trait" | "macro_rules")
            && let Some(name) = tokens[at + 1..].iter().find(|t| *t != "mut" && *t != "!")
        {
            defines.insert(name.clone());
        }
    }
    Module { path, file: file.path.clone(), is_face, uses, exports, defines }
}

/// The file that a path leads to: the module that defines what it names.
fn target(modules: &BTreeMap<Vec<String>, Module>, path: &[String], depth: usize) -> Option<String> {
    let mut at: Vec<String> = Vec::new();
    for (index, step) in path.iter().enumerate() {
        at.push(step.clone());
        if modules.contains_key(&at) {
            continue;
        }
        at.pop();
        let module = modules.get(&at)?;
        if depth > 8 || module.defines.contains(step) {
            return Some(module.file.clone());
        }
        for (name, whole) in &module.exports {
            let mut onward = whole.clone();
            if name == "*" {
                onward.push(step.clone());
            } else if name != step {
                continue;
            }
            onward.extend(path[index + 1..].iter().cloned());
            let found = target(modules, &onward, depth + 1);
            // A module that hands all of another on may not have this name.
            if name != "*"
                || found
                    .as_ref()
                    .is_some_and(|file| modules.values().any(|m| m.file == *file && m.defines.contains(step)))
            {
                return found;
            }
        }
        return Some(module.file.clone());
    }
    modules.get(&at).map(|module| module.file.clone())
}

/// Circles of files among those of one package, each sorted.
pub fn circles(files: &[&File], sources: &str) -> Vec<Vec<String>> {
    let made = files.iter().map(|file| module(file, sources));
    let modules: BTreeMap<Vec<String>, Module> = made.map(|module| (module.path.clone(), module)).collect();
    let mut arrows: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for module in modules.values().filter(|module| !module.is_face) {
        let targets = module.uses.iter().filter_map(|path| target(&modules, path, 0));
        arrows.insert(&module.file, targets.filter(|file| *file != module.file).collect());
    }
    let reach = |from: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(file) = open.pop() {
            for next in arrows.get(file.as_str()).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        seen
    };
    let reaches: BTreeMap<&str, BTreeSet<String>> = arrows.keys().map(|file| (*file, reach(file))).collect();
    let mut circles: BTreeSet<Vec<String>> = BTreeSet::new();
    for (file, reached) in reaches.iter().filter(|(file, reached)| reached.contains(**file)) {
        let back = |other: &&String| reaches.get(other.as_str()).is_some_and(|r| r.contains(*file));
        circles.insert(reached.iter().filter(back).cloned().collect());
    }
    circles.into_iter().collect()
}

#[test]
fn files_in_import_loops_only_become_fewer() {
    let files = files(&[".rs"]);
    let mut packages: BTreeMap<&str, Vec<&File>> = BTreeMap::new();
    for file in files.iter().filter(|file| !is_test(&file.path)) {
        if let Some(sources) = sources_of(&file.path) {
            packages.entry(sources).or_default().push(file);
        }
    }
    let mut found = Complaints::new();
    for (sources, files) in packages {
        for circle in circles(&files, sources) {
            let lines = circle.iter().map(|file| format!("{file}: in the loop of {} with {}", circle.len(), circle[0]));
            found.entry("house".into()).or_default().extend(lines);
        }
    }
    hold("files-in-import-loops", &found);
}

#[test]
fn a_loop_is_seen() {
    let of = |files: &[(&str, &str)]| {
        let files: Vec<File> = files.iter().map(|(path, text)| tree::sample(path, text)).collect();
        circles(&files.iter().collect::<Vec<_>>(), "src/")
    };
    let face = ("src/a/mod.rs", "mod b;\nmod c;\npub use b::One;\npub use self::c::*;\n");
    let two = of(&[
        face,
        ("src/a/b.rs", "use super::Two;\npub struct One;\n"),
        ("src/a/c.rs", "use crate::a::{One};\npub fn Two() {}\n"),
    ]);
    assert_eq!(two, [["src/a/b.rs", "src/a/c.rs"]]);
    // A path inside code counts; a comment, a string, a test and a face do not.
    let quiet = "// use super::c::Two;\nconst A: &str = \"super::c::Two\";\n#[cfg(test)]\nmod tests { use super::super::c::Two; }\n";
    assert!(of(&[face, ("src/a/b.rs", quiet), ("src/a/c.rs", "fn f() { super::b::one() }\n")]).is_empty());
    let three = of(&[
        ("src/a.rs", "use crate::b::{self, c::{D, E as F}};\n"),
        ("src/b/mod.rs", "pub mod c;\n"),
        ("src/b/c.rs", "fn f() -> crate::g::H<u8> { x }\npub struct D;\n"),
        ("src/g.rs", "fn f() { crate::a::go::<u8>() }\n"),
    ]);
    assert_eq!(three, [["src/a.rs", "src/b/c.rs", "src/g.rs"]]);
}
