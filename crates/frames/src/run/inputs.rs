//! Inputs: what a picture was made from, value by value and file by file, as a text that is kept beside the reference,
//! and what of it has changed since.
//!
//! Text form, a value or file a line, sorted, with a tab before what it is:
//!
//! ```text
//! file assets/crate.glb <tab> b3:HEX
//! order node <tab> floor, crate
//! value material.red.base_color <tab> "#c02020"
//! ```
//!
//! Paths are those of `--set`. The order of named entries counts only where nothing else differs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::PixelHash;

/// What a picture is made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    rows: BTreeMap<(Kind, String), String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    File,
    Order,
    Value,
}

const KINDS: [(Kind, &str); 3] = [(Kind::File, "file"), (Kind::Order, "order"), (Kind::Value, "value")];

/// What is not the reference's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InputChanges {
    /// Whether it is known what the reference was made from. If so and nothing is listed, it was the same.
    pub known: bool,
    /// All of them, where fewer are listed.
    pub count: u32,
    pub changes: Vec<InputChange>,
}

/// One value or file that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InputChange {
    /// The file that it stands in, or that is another one, from the project's folder.
    pub file: String,
    /// Of a value in a scene file, as `--set` takes it; empty where the file itself is another one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// As TOML, or the hash of a file. `None` on one side: added or removed there, with all below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// Changes that a record lists.
const CHANGES_MAX: usize = 100;
/// Lines that are printed of them.
const LINES_MAX: usize = 5;
/// Characters of a value that are printed.
const VALUE_MAX_CHARS: usize = 60;

impl Inputs {
    /// A value of a scene, as TOML on one line.
    pub fn add_value(&mut self, path: &str, value: &str) {
        self.add(Kind::Value, path, value);
    }

    /// A file that was read, with the hash of its bytes.
    pub fn add_file(&mut self, name: &str, hash: &str) {
        self.add(Kind::File, name, hash);
    }

    /// The order of entries with names.
    pub fn add_order(&mut self, path: &str, names: &[String]) {
        self.add(Kind::Order, path, &names.join(", "));
    }

    fn add(&mut self, kind: Kind, key: &str, value: &str) {
        let mut key = one_line(key);
        // Two of one name are a mistake elsewhere; neither is lost here.
        while self.rows.contains_key(&(kind, key.clone())) {
            key.push('\'');
        }
        self.rows.insert((kind, key), one_line(value));
    }

    /// The text form.
    pub fn print(&self) -> String {
        let word = |kind: Kind| KINDS.iter().find(|(known, _)| *known == kind).map_or("", |(_, word)| word);
        self.rows.iter().map(|((kind, key), value)| format!("{} {key}\t{value}\n", word(*kind))).collect()
    }

    /// Reads the text form. Lines of kinds that this version does not know are left out.
    pub fn parse(text: &str) -> Inputs {
        let mut out = Inputs::default();
        for line in text.lines() {
            let Some((word, rest)) = line.split_once(' ') else { continue };
            let Some((kind, _)) = KINDS.iter().find(|(_, known)| *known == word) else { continue };
            let Some((key, value)) = rest.split_once('\t') else { continue };
            out.rows.insert((*kind, key.to_string()), value.to_string());
        }
        out
    }

    /// Identity of the text form.
    pub fn root(&self) -> PixelHash {
        PixelHash::of_text(&self.print())
    }

    /// What of this is not what `old` was. `file_of` says which file a value stands in now.
    pub fn changes_since(&self, old: &Inputs, file_of: &dyn Fn(&str) -> String) -> InputChanges {
        let mut changes = Vec::new();
        let mut keys: Vec<&(Kind, String)> = old.rows.keys().chain(self.rows.keys()).collect();
        keys.sort();
        keys.dedup();
        let mut whole = None;
        for key in keys.into_iter().filter(|(kind, _)| *kind != Kind::Order) {
            let (was, is) = (old.rows.get(key), self.rows.get(key));
            if was == is {
                continue;
            }
            let (kind, name) = key;
            if *kind == Kind::File {
                changes.push(InputChange {
                    file: name.clone(),
                    path: String::new(),
                    old: was.cloned(),
                    new: is.cloned(),
                });
                continue;
            }
            let other = if was.is_none() { old } else { self };
            // What is new or gone as a whole is told once.
            let table = if was.is_some() && is.is_some() { None } else { other.lacks_above(name) };
            let path = match table {
                Some(table) if whole.as_ref() == Some(&table) => continue,
                Some(table) => {
                    whole = Some(table.clone());
                    let side = |value: Option<&String>| value.map(|_| String::new());
                    changes.push(InputChange { file: file_of(name), path: table, old: side(was), new: side(is) });
                    continue;
                }
                None => name.clone(),
            };
            changes.push(InputChange { file: file_of(name), path, old: was.cloned(), new: is.cloned() });
        }
        if changes.is_empty() {
            for (key, is) in self.rows.iter().filter(|((kind, _), _)| *kind == Kind::Order) {
                if let Some(was) = old.rows.get(key).filter(|was| *was != is) {
                    let path = key.1.clone();
                    changes.push(InputChange {
                        file: file_of(&path),
                        path,
                        old: Some(was.clone()),
                        new: Some(is.clone()),
                    });
                }
            }
        }
        let count = changes.len() as u32;
        changes.truncate(CHANGES_MAX);
        InputChanges { known: true, count, changes }
    }

    /// The shortest table above a value that nothing here is below: `material.red` of `material.red.base_color`.
    fn lacks_above(&self, path: &str) -> Option<String> {
        let ends = ends_of_keys(path);
        let has = |table: &str| {
            let below = (Kind::Value, format!("{table}."));
            let next = self.rows.range(&below..).next();
            self.rows.contains_key(&(Kind::Value, table.to_string()))
                || next.is_some_and(|((kind, name), _)| *kind == Kind::Value && name.starts_with(&below.1))
        };
        ends.iter().map(|end| &path[..*end]).find(|table| !has(table)).map(str::to_string)
    }
}

/// Where each key of a path ends, but for the last one.
fn ends_of_keys(path: &str) -> Vec<usize> {
    let mut out = Vec::new();
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in path.char_indices() {
        if c == '.' && !quoted {
            out.push(at);
        }
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
    }
    out
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

impl InputChanges {
    /// Nothing is known of what the reference was made from.
    pub fn unknown() -> InputChanges {
        InputChanges::default()
    }

    /// The reference was made from the same.
    pub fn none() -> InputChanges {
        InputChanges { known: true, ..InputChanges::default() }
    }

    /// A few lines for people.
    pub fn lines(&self) -> Vec<String> {
        if !self.known {
            return vec!["not known: the reference has no list of its inputs; the next `accept` writes one".into()];
        }
        if self.count == 0 {
            return vec!["the same: the renderer (or its build) changed".into()];
        }
        // A last line for one change more is a line for the change.
        let shown = if self.count as usize > LINES_MAX { LINES_MAX - 1 } else { LINES_MAX };
        let mut out: Vec<String> = self.changes.iter().take(shown).map(InputChange::words).collect();
        let rest = self.count as usize - out.len();
        if rest > 0 {
            out.push(format!("and {rest} more"));
        }
        out
    }

    /// What cases that changed in the same way have in common; `None` where no other case can be known to have.
    pub(super) fn cause(&self) -> Option<String> {
        (self.known && self.count as usize == self.changes.len()).then(|| {
            let of_change = |change: &InputChange| {
                let file = if change.path.is_empty() { change.file.as_str() } else { "" };
                format!("{file}\t{}\t{:?}\t{:?}", change.path, change.old, change.new)
            };
            self.changes.iter().map(of_change).collect::<Vec<_>>().join("\n")
        })
    }

    /// One line for a cause: the first change, without the file of a value.
    pub(super) fn cause_words(&self) -> String {
        let Some(first) = self.changes.first() else { return String::new() };
        let first = match first.path.as_str() {
            "" => first.words(),
            path => first.words_of(path),
        };
        if self.count > 1 { format!("{first}, and {} more", self.count - 1) } else { first }
    }
}

impl InputChange {
    /// `scenes/x.toml: material.red.base_color "#c02020" -> "#2020c0"`.
    fn words(&self) -> String {
        match self.path.as_str() {
            "" => self.words_of(&self.file),
            path => format!("{}: {}", self.file, self.words_of(path)),
        }
    }

    fn words_of(&self, name: &str) -> String {
        let shown = |text: &str| if self.path.is_empty() { short_hash(text) } else { shortened(text) };
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => format!("{name} {} -> {}", shown(old), shown(new)),
            (None, Some(new)) if new.is_empty() => format!("{name} added"),
            (Some(old), None) if old.is_empty() => format!("{name} removed"),
            (None, Some(new)) => format!("{name} added, {}", shown(new)),
            (Some(old), None) => format!("{name} removed, was {}", shown(old)),
            (None, None) => name.to_string(),
        }
    }
}

/// `b3:` and eight digits of a file's hash.
fn short_hash(text: &str) -> String {
    text.chars().take(11).collect()
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= VALUE_MAX_CHARS {
        return text.to_string();
    }
    text.chars().take(VALUE_MAX_CHARS - 3).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(values: &[(&str, &str)]) -> Inputs {
        let mut out = Inputs::default();
        values.iter().for_each(|(path, value)| out.add_value(path, value));
        out
    }

    fn lines(old: &Inputs, new: &Inputs) -> Vec<String> {
        new.changes_since(old, &|_| "s.toml".into()).lines()
    }

    #[test]
    fn the_text_comes_back() {
        let mut all = inputs(&[("a.b", "\"x\ty\""), ("a.c", "[1, 2]"), ("a.c", "3")]);
        all.add_file("assets/a b.glb", "b3:00");
        all.add_order("node", &["b".into(), "a".into()]);
        let text = all.print();
        assert_eq!(Inputs::parse(&text), all);
        assert_eq!(Inputs::parse(&format!("{text}later x\t1\nno line\n")), all, "what later versions add is left out");
        assert_eq!(text.lines().count(), 5);
        assert_eq!(all.root(), Inputs::parse(&text).root());
    }

    #[test]
    fn every_value_is_told_by_its_path() {
        let old = inputs(&[
            ("material.red.base_color", "\"#c02020\""),
            ("node.ball.radius_m", "0.5"),
            ("node.old.shape", "\"box\""),
            ("node.old.size_m", "[1, 1, 1]"),
            ("output.samples", "4"),
        ]);
        let new = inputs(&[
            ("material.red.base_color", "\"#2020c0\""),
            ("node.ball.radius_m", "0.5"),
            ("node.ball.position", "[0, 1, 0]"),
            ("node.\"a.b\".shape", "\"box\""),
        ]);
        assert_eq!(
            lines(&old, &new),
            [
                "s.toml: material.red.base_color \"#c02020\" -> \"#2020c0\"",
                "s.toml: node.\"a.b\" added",
                "s.toml: node.ball.position added, [0, 1, 0]",
                "s.toml: node.old removed",
                "s.toml: output removed"
            ]
        );
        assert_eq!(lines(&old, &old), ["the same: the renderer (or its build) changed"]);
        let unknown = InputChanges::unknown().lines();
        assert!(unknown[0].starts_with("not known") && unknown[0].contains("accept"), "{unknown:?}");
    }

    #[test]
    fn many_changes_are_few_lines() {
        let numbered = |value: &str| -> Inputs {
            let mut out = Inputs::default();
            (0..150).for_each(|n| out.add_value(&format!("node.n{n:03}.radius_m"), value));
            out
        };
        let changed = numbered("2").changes_since(&numbered("1"), &|_| "s.toml".into());
        let lines = changed.lines();
        assert_eq!((changed.count, changed.changes.len(), lines.len()), (150, CHANGES_MAX, LINES_MAX));
        assert_eq!(lines[4], "and 146 more");
        assert_eq!(changed.cause(), None, "nobody can say that others are the same");
        let long = inputs(&[("a", &"x".repeat(200))]);
        let line = &long.changes_since(&inputs(&[("a", "1")]), &|_| "s.toml".into()).lines()[0];
        assert!(line.ends_with("...") && line.len() < 100, "{line}");
    }

    #[test]
    fn files_and_orders() {
        let with = |hash: &str, names: [&str; 2]| {
            let mut out = inputs(&[("a", "1")]);
            out.add_file("m.glb", hash);
            out.add_order("node", &names.map(String::from));
            out
        };
        let (one, two) = ("b3:0123456789abcdef", "b3:fedcba9876543210");
        let told = lines(&with(one, ["a", "b"]), &with(two, ["b", "a"]));
        assert_eq!(told, ["m.glb b3:01234567 -> b3:fedcba98"], "an order counts only by itself");
        assert_eq!(lines(&with(one, ["a", "b"]), &with(one, ["b", "a"])), ["s.toml: node a, b -> b, a"]);
    }
}
