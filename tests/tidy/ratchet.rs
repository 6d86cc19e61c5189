//! Ratchets: a figure that is above its limit today may only fall.
//!
//! In: complaints by key. `tests/tidy/ratchets.txt` holds how many each rule and key may have; a key without a row may
//! have none. More is a failure that lists the complaints; fewer is one that names the row to lower, so that what was
//! won is not lost. `STILLFRAME_UPDATE=all cargo test --test tidy` lowers rows. It raises none.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::tree::root;

/// Complaints by what they are counted for: a file, a package, the house.
pub type Complaints = BTreeMap<String, Vec<String>>;

/// Rules run on threads and rewrite one file.
static TABLE: Mutex<()> = Mutex::new(());

fn table_path() -> PathBuf {
    root().join("tests/tidy/ratchets.txt")
}

/// Rows `rule key figure`.
fn rows(text: &str) -> Vec<(String, String, usize)> {
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [rule, key, figure] => (rule.to_owned(), key.to_owned(), figure.parse().expect("a figure")),
            _ => panic!("ratchets.txt: {line}"),
        }
    };
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(row).collect()
}

/// What is wrong, and the rows of `rule` as they are to be: never above those of the table.
fn compare(rule: &str, table: &[(String, String, usize)], found: &Complaints) -> (Vec<String>, Vec<(String, usize)>) {
    let allowed = |key: &str| table.iter().find(|row| row.0 == rule && row.1 == key).map_or(0, |row| row.2);
    let (mut wrong, mut lowered) = (Vec::new(), Vec::new());
    for (key, complaints) in found {
        let (figure, most) = (complaints.len(), allowed(key));
        if figure > most {
            wrong.push(format!("{rule}: {key} has {figure}, at most {most}:\n  {}", complaints.join("\n  ")));
        }
    }
    for (_, key, most) in table.iter().filter(|row| row.0 == rule) {
        let figure = found.get(key).map_or(0, Vec::len);
        if figure < *most {
            wrong.push(format!("{rule}: {key} fell from {most} to {figure}: lower its row, `{}`", UPDATE));
        }
        lowered.push((key.clone(), figure.min(*most)));
    }
    lowered.retain(|(_, figure)| *figure > 0);
    (wrong, lowered)
}

const UPDATE: &str = "STILLFRAME_UPDATE=all cargo test --test tidy";

/// Holds the complaints of a rule to the table.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "a test that can refresh its table")]
pub fn hold(rule: &str, found: &Complaints) {
    let _alone = TABLE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let text = fs::read_to_string(table_path()).expect("the table of ratchets");
    let table = rows(&text);
    let (wrong, lowered) = compare(rule, &table, found);
    if wrong.is_empty() {
        return;
    }
    if std::env::var("STILLFRAME_UPDATE").is_ok_and(|word| word == "all") {
        let head = text.lines().filter(|line| line.starts_with('#'));
        let others =
            table.into_iter().filter(|row| row.0 != rule).map(|(rule, key, figure)| format!("{rule} {key} {figure}"));
        let mut lines: Vec<String> =
            others.chain(lowered.into_iter().map(|(key, figure)| format!("{rule} {key} {figure}"))).collect();
        lines.sort();
        let text: String = head.map(str::to_owned).chain(lines).map(|line| line + "\n").collect();
        fs::write(table_path(), text).expect("the table of ratchets");
    }
    panic!("{}", wrong.join("\n"));
}

#[test]
fn figures_may_only_fall() {
    let table = rows("# a page\nloops house 3\nloops gone 1\nprose a.md 2\n");
    let of = |count: usize| Complaints::from([("house".to_owned(), vec!["x".to_owned(); count])]);
    let (wrong, _) = compare("loops", &table, &of(4));
    assert!(wrong[0].contains("has 4, at most 3"), "{wrong:?}");
    let (wrong, lowered) = compare("loops", &table, &of(2));
    assert!(wrong[0].contains("fell from 3 to 2") && wrong[1].contains("gone fell from 1 to 0"), "{wrong:?}");
    assert_eq!(lowered, [("house".to_owned(), 2)]);
    assert_eq!(compare("prose", &table, &of(1)).0.len(), 2, "a key without a row may have none");
    let same = Complaints::from([("a.md".to_owned(), vec!["x".to_owned(); 2])]);
    assert!(compare("prose", &table, &same).0.is_empty());
}
