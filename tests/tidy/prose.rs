//! Prose: phrases that users stumble at, each with what to write in its place. In pages, in help (`docs/cli.md` is made
//! of it), and in the texts that the program prints.

use regex::Regex;

use crate::ratchet::{Complaints, hold};
use crate::tree::{File, files, is_test, parts, sample, sources_of, without_tests};

/// `(phrase, what to write)`. A phrase is a regular expression between words, in any case.
const PHRASES: &[(&str, &str)] = &[
    ("tells?|told", "reports, lists, warns, says: whichever it is"),
    ("anew", "again"),
    ("mend(s|ed|ing)?", "fix"),
    ("beside", "next to, alongside, with"),
    ("so many", "a number, or `at most N`"),
    (
        "(times|frames|samples|steps|keys|ticks|pictures|tests|scenes|moments|loops|revolutions|metres|degrees|[0-9]) an? \
         (second|line|core|frame|pixel|joint|case|scene|thread|pass|draw|test|picture|vertex|triangle)",
        "per",
    ),
    ("one an? (line|second|frame|case|scene|joint|pixel|core|file|draw|pass)", "one per"),
    ("(there )?(is|are) no [a-z]+", "is not a, has no"),
    ("knows? by heart", "built-in"),
    ("(that|which|who|what) (is|are) (there|gone)", "exists, no longer exists"),
    ("comes? to stand", "is"),
    ("(stands?|lies?) (in|beside|below|behind|before|there)", "is"),
];

/// What people read of a file: a page outside of its blocks, or the texts of code.
fn texts(file: &File) -> Vec<(usize, String)> {
    if !file.path.ends_with(".rs") {
        let is_help = file.path == "docs/cli.md";
        let mut is_block = false;
        let lines = file.text.lines().enumerate().filter(|(_, line)| {
            is_block ^= line.trim_start().starts_with("```");
            is_help || !is_block
        });
        return lines.map(|(index, line)| (index + 1, line.to_owned())).collect();
    }
    let text = without_tests(&file.text);
    // A text of one word is a name or a key.
    parts(&text).literals.into_iter().filter(|l| l.text.trim().contains(' ')).map(|l| (l.line, l.text)).collect()
}

fn found(file: &File, phrases: &[(Regex, &str)]) -> Vec<String> {
    let mut out = Vec::new();
    for (line, text) in texts(file) {
        for (phrase, instead) in phrases {
            // "There are no lights" is plain.
            let matches =
                phrase.find_iter(&text).map(|m| m.as_str()).filter(|m| !m.to_lowercase().starts_with("there "));
            out.extend(matches.map(|m| format!("{}:{line}: \"{m}\": {instead}", file.path)));
        }
    }
    out
}

fn phrases() -> Vec<(Regex, &'static str)> {
    let whole = |phrase: &str| Regex::new(&format!(r"(?i)\b({phrase})\b")).unwrap_or_else(|e| panic!("{phrase}: {e}"));
    PHRASES.iter().map(|(phrase, instead)| (whole(phrase), *instead)).collect()
}

#[test]
fn phrases_only_become_fewer() {
    let phrases = phrases();
    let is_read =
        |file: &&File| !file.path.ends_with(".rs") || (sources_of(&file.path).is_some() && !is_test(&file.path));
    let mut all = Complaints::new();
    for file in files(&[".md", ".rs"]).iter().filter(is_read) {
        let complaints = found(file, &phrases);
        // Packages move files; pages have names that stay.
        let key = sources_of(&file.path).map_or(file.path.as_str(), |_| "texts-of-code");
        all.entry(key.into()).or_default().extend(complaints);
    }
    hold("phrases", &all);
}

#[test]
fn phrases_are_seen() {
    let phrases = phrases();
    let count = |path: &str, text: &str| found(&sample(path, text), &phrases).len();
    assert_eq!(count("a.md", "It Tells them anew, 30 times a second.\n```\ntold\n```\nretold, a second time\n"), 3);
    assert_eq!(count("docs/cli.md", "```text\nMake it anew\n```\n"), 1);
    let code = "// told\nlet a = \"is told\"; let b = \"told\";\n#[cfg(test)]\nmod tests { let c = \"is told\"; }\n";
    assert_eq!(count("src/a.rs", code), 1);
}
