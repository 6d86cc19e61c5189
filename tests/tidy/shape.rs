//! Shape: sizes of files and packages, one style of modules, structs that do too much, parameters without names.

use std::collections::{BTreeMap, BTreeSet};

use crate::ratchet::{Complaints, hold};
use crate::tree::{File, assert_none, files, is_test, line_at, matching, parts, sample, sources_of, without_tests};

const FILE_LINES_MAX: usize = 1000;
const PACKAGE_LINES_MAX: usize = 25_000;
const FIELDS_MAX: usize = 12;

/// Structs over [`FIELDS_MAX`] that are plain descriptions, although they answer a question about themselves: `(name,
/// what it describes)`.
const DESCRIPTIONS: &[(&str, &str)] = &[
    ("CaseRecord", "a line of a run's record"),
    ("Comparison", "what two pictures differ by"),
    ("Model", "a model file"),
    ("Program", "a lowered shader"),
    ("Scene", "a scene file"),
    ("Settings", "how a scene is taken"),
    ("Stats", "figures of a take"),
];

const WHOLE: &[&str] = &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// What is called with the types in brackets behind it: they are no tuple.
const CALLS: &[&str] = &["Fn", "FnMut", "FnOnce", "fn"];

/// Over 1,000 lines only for a table or one algorithm, and the module page says `Long because`.
fn check_length(file: &File) -> Vec<String> {
    let count = file.text.lines().count();
    let excused = file.text.lines().take(30).any(|l| l.contains("Long because"));
    let is_long = count > FILE_LINES_MAX && !excused;
    if is_long { vec![format!("{}: {count} lines: two nouns inside?", file.path)] } else { Vec::new() }
}

fn check_page(file: &File) -> Vec<String> {
    let first = file.text.lines().find(|l| !l.is_empty()).unwrap_or("");
    let has_page = first.starts_with("//!") || first.starts_with("#![");
    if has_page { Vec::new() } else { vec![format!("{}: no module page", file.path)] }
}

/// `name.rs` beside a folder `name/` is two homes of one module; and no file is included by its path.
fn check_modules(files: &[File]) -> Vec<String> {
    let folders: BTreeSet<&str> =
        files.iter().filter_map(|f| f.path.rsplit_once('/')).map(|(folder, _)| folder).collect();
    let has_folder = |file: &&File| {
        folders.iter().any(|folder| {
            let name = file.path.trim_end_matches(".rs");
            *folder == name || folder.starts_with(&format!("{name}/"))
        })
    };
    let two = files.iter().filter(has_folder).map(|f| format!("{}: goes into its folder as mod.rs", f.path));
    // The build script shares the hash of sources with that of `crates/models`; a test runs as the example.
    const SHARING: [&str; 2] = ["build.rs", "tests/player/main.rs"];
    let included =
        files.iter().filter(|f| !SHARING.contains(&f.path.as_str()) && parts(&f.text).code.contains("#[path"));
    two.chain(included.map(|f| format!("{}: a module is where its name says, without `path`", f.path))).collect()
}

/// One complaint for each thousand lines of a package over the limit.
fn check_packages(files: &[File]) -> Complaints {
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files.iter().filter(|file| !is_test(&file.path)) {
        if let Some(sources) = sources_of(&file.path) {
            *lines.entry(sources).or_default() += without_tests(&file.text).trim_end().lines().count();
        }
    }
    let over = lines.into_iter().filter(|(_, count)| *count > PACKAGE_LINES_MAX);
    over.map(|(sources, count)| {
        let thousands = (count - PACKAGE_LINES_MAX).div_ceil(1000);
        (sources.to_owned(), vec![format!("{count} lines, at most {PACKAGE_LINES_MAX}"); thousands])
    })
    .collect()
}

/// Where a word stands alone in code.
fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        !code[..at].chars().next_back().is_some_and(is_part)
            && !code[at + word.len()..].chars().next().is_some_and(is_part)
    })
}

fn name_at(code: &str) -> &str {
    let code = code.trim_start();
    &code[..code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len())]
}

/// The parts of a list that commas divide, brackets aside.
fn divided(list: &str) -> Vec<&str> {
    let (mut out, mut depth, mut from, mut before) = (Vec::new(), 0, 0, ' ');
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if before == '-' || before == '=' => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                out.push(&list[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    out.push(&list[from..]);
    out.retain(|part| !part.trim().is_empty());
    out
}

/// Structs of a package with more fields than they should have and methods of their own.
fn large_structs(files: &[&File]) -> Vec<String> {
    let (mut structs, mut with_methods) = (Vec::new(), BTreeSet::new());
    for file in files {
        let code = without_tests(&parts(&file.text).code);
        for at in words(&code, "struct") {
            let name = name_at(&code[at + 6..]);
            let Some(open) = code[at..].find(['{', ';', '(']).map(|k| at + k) else { continue };
            if !code[open..].starts_with('{') {
                continue;
            }
            let count = divided(&code[open + 1..matching(&code, open) - 1]).len();
            if count > FIELDS_MAX {
                structs.push((
                    name.to_owned(),
                    format!("{}:{}: {name} has {count} fields", file.path, line_at(&code, at)),
                ));
            }
        }
        for at in words(&code, "impl") {
            let Some(open) = code[at..].find('{').map(|k| at + k) else { continue };
            let mut head = code[at + 4..open].trim_start();
            if head.starts_with('<') {
                head = head[matching(head, 0)..].trim_start();
            }
            let body = &code[open..matching(&code, open)];
            let methods = words(body, "fn").filter(|&f| {
                let Some(open) = body[f..].find('(') else { return false };
                let first = body[f + open + 1..].trim_start().trim_start_matches('&').trim_start();
                let first = first.strip_prefix('\'').map_or(first, |rest| rest[name_at(rest).len()..].trim_start());
                let first = first.strip_prefix("mut ").unwrap_or(first);
                first.starts_with("self") && name_at(first) == "self"
            });
            if words(head, "for").next().is_none() && methods.count() > 0 {
                with_methods.insert(name_at(head).to_owned());
            }
        }
    }
    let is_over = |(name, _): &(String, String)| {
        with_methods.contains(name) && !DESCRIPTIONS.iter().any(|(known, _)| known == name)
    };
    structs.into_iter().filter(is_over).map(|(_, complaint)| complaint).collect()
}

/// Functions that take a tuple of bare whole numbers, whose places say nothing.
fn bare_tuples(file: &File) -> Vec<String> {
    let code = without_tests(&parts(&file.text).code);
    let mut out = Vec::new();
    for at in words(&code, "fn") {
        let name = name_at(&code[at + 2..]);
        let Some(open) = code[at..].find('(').map(|k| at + k) else { continue };
        if name.is_empty() {
            continue;
        }
        let parameters = &code[open + 1..matching(&code, open) - 1];
        let is_bare = |(at, _): (usize, &str)| {
            let tuple = divided(&parameters[at + 1..matching(parameters, at) - 1]);
            tuple.len() > 1 && tuple.iter().all(|part| WHOLE.contains(&part.trim()))
        };
        let is_call = |at: usize| CALLS.iter().any(|call| parameters[..at].trim_end().ends_with(call));
        if parameters.match_indices('(').filter(|(at, _)| !is_call(*at)).any(is_bare) {
            out.push(format!("{}:{}: {name}", file.path, line_at(&code, at)));
        }
    }
    out
}

#[test]
fn files_have_a_page_a_size_and_one_home() {
    let code = files(&[".rs"]);
    let mut wrong: Vec<String> = code.iter().flat_map(check_length).chain(code.iter().flat_map(check_page)).collect();
    let mut modules = Complaints::new();
    for complaint in check_modules(&code) {
        if complaint.contains("`path`") {
            wrong.push(complaint)
        } else {
            modules.entry("house".into()).or_default().push(complaint)
        }
    }
    assert_none(wrong);
    hold("modules-beside-their-folder", &modules);
}

#[test]
fn packages_have_a_size() {
    hold("thousands-of-lines-over-25", &check_packages(&files(&[".rs"])));
}

#[test]
fn structs_and_parameters_only_become_plainer() {
    let code = files(&[".rs"]);
    let mut packages: BTreeMap<&str, Vec<&File>> = BTreeMap::new();
    for file in code.iter().filter(|file| !is_test(&file.path)) {
        if let Some(sources) = sources_of(&file.path) {
            packages.entry(sources).or_default().push(file);
        }
    }
    let house = |complaints: Vec<String>| Complaints::from([("house".to_owned(), complaints)]);
    hold("structs-that-do-over-12-fields", &house(packages.values().flat_map(|files| large_structs(files)).collect()));
    let tuples = packages.values().flatten().flat_map(|file| bare_tuples(file));
    hold("functions-of-bare-tuples", &house(tuples.collect()));
}

#[test]
fn shapes_are_seen() {
    let long = "//! Page.\n".to_owned() + &"x\n".repeat(1200);
    assert_eq!(check_length(&sample("a.rs", &long)).len(), 1);
    assert_eq!(check_page(&sample("a.rs", "use x;\n")).len(), 1);
    let modules = ["src/a.rs", "src/a/b.rs", "src/c/mod.rs"].map(|path| sample(path, "//! Page.\n"));
    assert_eq!(check_modules(&modules), ["src/a.rs: goes into its folder as mod.rs"]);
    assert_eq!(check_modules(&[sample("src/d.rs", "#[path = \"x.rs\"]\nmod x;\n")]).len(), 1);
    let package = sample("crates/x/src/a.rs", &"x\n".repeat(PACKAGE_LINES_MAX + 1500));
    assert_eq!(check_packages(&[package])["crates/x/src/"].len(), 2);
    let fields: String = (0..13).map(|n| format!("a{n}: Vec<(u8, u8)>, ")).collect();
    let structure =
        |body: &str| sample("src/a.rs", &format!("struct A<T> {{ {fields} }}\nimpl<T> A<T> {{ {body} }}\n"));
    let large = |body: &str| large_structs(&[&structure(body)]).len();
    assert_eq!(large("fn of(&'a mut self) {}"), 1);
    assert_eq!(large("fn new() -> A { let of = |self_of| 1; }"), 0);
    let display =
        sample("src/a.rs", &format!("struct A {{ {fields} }}\nimpl Display for A {{ fn fmt(&self) {{}} }}\n"));
    assert_eq!(large_structs(&[&display]).len(), 0);
    let tuples = |text: &str| bare_tuples(&sample("src/a.rs", text)).len();
    assert_eq!(tuples("fn a(size: (u32, u32)) {}\nfn b(rows: &[(usize, usize, u8)], x: u8) -> (u8, u8) {}"), 2);
    assert_eq!(
        tuples(
            "fn a(f: impl FnMut(u8, u8), g: fn(u8, u8), at: (Tick, u32)) -> (u8, u8) {}\n\
             #[cfg(test)]\nmod t { fn b(x: (u8, u8)) {} }"
        ),
        0
    );
}
