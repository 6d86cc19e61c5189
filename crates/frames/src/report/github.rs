//! Github: what a workflow shows of a run: annotations, the step's summary, the text of a comment. GitHub shows ten
//! annotations of a step and drops the rest silently, so the tenth says how many more there are.

use std::fmt::Write;

use super::failure::{Paint, Surroundings, failure_block, short};
use super::verdict::{counts, grouped, verdict};
use crate::run::{CaseRecord, Run};

/// Annotations of a step that are seen.
const ANNOTATIONS_MAX: usize = 10;
/// What GitHub takes as a step's summary.
const SUMMARY_MAX_BYTES: usize = 1 << 20;
/// What GitHub takes as a comment, in characters; bytes are at least as many.
const COMMENT_MAX_BYTES: usize = 65_536;
/// Failures that a comment names.
const COMMENT_CASES_MAX: usize = 20;
/// By which a later run finds its own comment.
const MARK: &str = "<!-- stillframe -->";

/// Workflow commands, a line each: errors of a run that is no good, then of its cases.
pub fn github(run: &Run, around: &Surroundings<'_>) -> String {
    let around = Surroundings { paint: Paint::Plain, ..*around };
    let said = verdict(run);
    let mut all: Vec<String> = said.notes.iter().map(|note| command("", "Stillframe", note)).collect();
    if run.records.is_empty() {
        all.push(command("", "Stillframe", &said.words));
    }
    let failures: Vec<&CaseRecord> = run.records.iter().filter(|record| record.status.is_failure()).collect();
    let room = if all.len() + failures.len() > ANNOTATIONS_MAX { ANNOTATIONS_MAX - 1 } else { ANNOTATIONS_MAX };
    let shown = failures.len().min(room.saturating_sub(all.len()));
    all.extend(failures.iter().take(shown).map(|record| {
        let title = format!("{} {}", record.status.word().to_uppercase(), record.name);
        command(&record.scene, &title, failure_block(record, &around).trim_end())
    }));
    let rest = failures.len() - shown;
    if rest > 0 {
        let what = if rest == 1 { "1 more failure".into() } else { format!("{} more failures", grouped(rest as u64)) };
        all.push(command("", "Stillframe", &format!("{what}: the step's summary and the report show all")));
    }
    all.concat()
}

fn command(file: &str, title: &str, message: &str) -> String {
    let file = if file.is_empty() { String::new() } else { format!("file={},", property(file)) };
    format!("::error {file}title={}::{}\n", property(title), data(message))
}

/// As the runner reads a command's message. Source: `actions/toolkit`, `command.ts`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// As the runner reads a value before it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A step's summary in Markdown: verdict, counts, causes, a block for each failure, as many as GitHub takes.
pub fn step_summary(run: &Run, around: &Surroundings<'_>) -> String {
    let around = Surroundings { paint: Paint::Plain, ..*around };
    let mut out = head(run, "##");
    let failures: Vec<&CaseRecord> = run.records.iter().filter(|record| record.status.is_failure()).collect();
    if !failures.is_empty() {
        out += "\n### Failures\n\n";
    }
    for (index, record) in failures.iter().enumerate() {
        let text = fenced(&failure_block(record, &around)) + "\n";
        // The last words must have room too.
        if out.len() + text.len() + 200 > SUMMARY_MAX_BYTES {
            let _ = writeln!(out, "{} more failures are in the report.", grouped((failures.len() - index) as u64));
            break;
        }
        out += &text;
    }
    out
}

/// The text of a comment on a pull request: short, with a mark by which the next run finds it.
pub fn comment(run: &Run) -> String {
    let mut out = format!("{MARK}\n{}", head(run, "###"));
    let failures: Vec<&CaseRecord> = run.records.iter().filter(|record| record.status.is_failure()).collect();
    if failures.is_empty() {
        return out;
    }
    out += "\n<details><summary>Cases</summary>\n\n";
    let mut shown = 0;
    for record in failures.iter().take(COMMENT_CASES_MAX) {
        let row = format!("- **{}** {}: {}\n", record.status, code(&record.name), plain(&short(record)));
        if out.len() + row.len() + 200 > COMMENT_MAX_BYTES {
            break;
        }
        out += &row;
        shown += 1;
    }
    if failures.len() > shown {
        let _ = writeln!(out, "- and {} more", grouped((failures.len() - shown) as u64));
    }
    out += "\n</details>\n";
    out
}

/// Verdict, notes, a table of counts, a table of causes.
fn head(run: &Run, heading: &str) -> String {
    const CLUSTERS_SHOWN: usize = 20;
    let said = verdict(run);
    let mark = if said.green { "✅" } else { "❌" };
    let mut out = format!("{heading} {mark} Stillframe: {}\n", plain(&said.words));
    for note in &said.notes {
        let _ = write!(out, "\n> {}\n", plain(note));
    }
    let counts = counts(run);
    if !counts.is_empty() {
        out += "\n| status | cases |\n| --- | ---: |\n";
        for (status, count) in counts {
            let _ = writeln!(out, "| {status} | {} |", grouped(count as u64));
        }
    }
    let clusters = run.clusters();
    if !clusters.is_empty() {
        out += "\n| cause | cases | what | for example |\n| --- | ---: | --- | --- |\n";
        for cluster in clusters.iter().take(CLUSTERS_SHOWN) {
            let count = grouped(cluster.cases.len() as u64);
            let example = cluster.cases.first().map(|name| code(name)).unwrap_or_default();
            let _ = writeln!(out, "| {} | {count} | {} | {example} |", cluster.id, plain(&cluster.words()));
        }
        if clusters.len() > CLUSTERS_SHOWN {
            let _ = write!(out, "\n{} more causes are in the report.\n", clusters.len() - CLUSTERS_SHOWN);
        }
    }
    out
}

/// Text that Markdown leaves as it is, in a table too.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '|' | '[' | ']' | '#' | '@' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// A name in a code span, in a table too.
fn code(text: &str) -> String {
    let one_line = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    let fence = "`".repeat(longest_run(&one_line) + 1);
    let room = if one_line.starts_with('`') || one_line.ends_with('`') { " " } else { "" };
    format!("{fence}{room}{one_line}{room}{fence}")
}

/// Text in a block that nothing in it can end.
fn fenced(text: &str) -> String {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}

/// The most backticks in a row.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_escaped() {
        assert_eq!(
            command("a,b:c%.toml", "X: y,z", "50 %\r\nnext: a,b"),
            "::error file=a%2Cb%3Ac%25.toml,title=X%3A y%2Cz::50 %25%0D%0Anext: a,b\n"
        );
    }

    #[test]
    fn names_do_not_become_markup() {
        assert_eq!(code("a|b`c"), "``a\\|b`c``");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(plain("<b> a_b *c* @all\n|"), "&lt;b> a\\_b \\*c\\* \\@all \\|");
        assert_eq!(fenced("x\n````\n"), "`````text\nx\n````\n`````\n");
    }
}
