//! Failure: the block of text that says what became of one case, where, why, and what to type next. One text for
//! terminals, JUnit and GitHub.

use std::fmt::Write;

use super::verdict::{grouped, percent};
use crate::Owner;
use crate::run::{CaseRecord, Cluster, Place, Status, Why};

/// Whether text has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    Plain,
    /// Escape sequences of ECMA-48.
    Colored,
}

/// What a block says beyond its record.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Of the run.
    pub clusters: &'a [Cluster],
    /// The run's folder, as one would type it; empty where pictures are not at hand.
    pub folder: &'a str,
    pub paint: Paint,
}

/// What to do about a status.
pub fn advice(status: Status) -> &'static str {
    match status {
        Status::Pass => "the picture is the reference's",
        Status::KnownFailure => "it differs as the scene says; nothing to do until that is fixed",
        Status::Unchanged => "nothing that goes into it has changed; --no-cache runs it all the same",
        Status::Differs => "accept it if the change is meant, else fix what changed it",
        Status::New => "there is no reference yet: look at the picture and accept it",
        Status::Moved => "the case has another name now: accept to move its reference",
        Status::Gone => "there is a reference but no case: accept to remove the reference, or bring the scene back",
        Status::Size => {
            "size or format are not the reference's: accept it if that is meant, else set the scene's output back"
        }
        Status::Adapter => {
            "the reference was made by another adapter: run with that one, or accept to make it this one's"
        }
        Status::Nondet => "the same scene gave different pictures: find out why; no reference can hold it",
        Status::Crash => "rendering ended with an error: repeat it alone and read the message",
        Status::Timeout => "rendering took longer than allowed: make the scene cheaper or raise its limit",
        Status::Invalid => "the scene's files have mistakes: fix them and check them",
        Status::Same => "the picture equals one that it must differ from: what it tests has no effect",
        Status::Fixed => "it was known to fail and passes now: remove known_failure from the scene",
        Status::Oversize => {
            "the reference would be larger than the project allows: make the picture smaller or raise the limit"
        }
        Status::Damaged => {
            "the picture that the store keeps is missing or damaged: bring it back, or accept this run's picture"
        }
        Status::Environment => "see to the disk or the store, and run it again; nothing was decided",
    }
}

/// The block of one case: its name and status first, then a line each for where, what came first, who shares the cause,
/// and what to type. Lines end with a line feed, the last one too.
pub fn failure_block(record: &CaseRecord, around: &Surroundings<'_>) -> String {
    let mut out = head_line(record, around.paint);
    let mut line = |key: &str, text: &str| {
        let key = format!("{key:<7}");
        let _ = writeln!(out, "   {} {text}", around.paint.soft(&key));
    };
    match (&record.message, &record.why_differs) {
        (Some(message), _) => {
            let mut lines = message.trim_end().lines();
            line("what", lines.next().unwrap_or_default());
            lines.for_each(|more| line("", more));
            line("do", advice(record.status));
        }
        (None, None) => line("do", advice(record.status)),
        (None, Some(_)) if record.status != Status::Differs => line("do", advice(record.status)),
        (None, Some(_)) => {}
    }
    for (at, words) in record.inputs.iter().flat_map(|inputs| inputs.lines()).enumerate() {
        line(if at == 0 { "inputs" } else { "" }, &words);
    }
    for (name, hash) in &record.other_hashes {
        line("also", &format!("{} {name}", &hash.to_string()[..19]));
    }
    let mut cluster = None;
    if let Some(why) = &record.why_differs {
        if !why.objects.is_empty() {
            line("where", &objects(why));
        }
        if let Some(pass) = &why.first_pass {
            line("first", &first(pass, why.first_draw.as_ref()));
        }
        cluster = around.clusters.iter().find(|cluster| cluster.id == why.cluster && cluster.cases.len() > 1);
    }
    if let Some(cluster) = cluster {
        let others = cluster.cases.len() - 1;
        let others = if others == 1 { "1 other".into() } else { format!("{} others", grouped(others as u64)) };
        line("cause", &format!("same as {others} ({}: {})", cluster.id, cluster.words()));
    }
    for (key, text) in commands(record, around, cluster) {
        line(key, &text);
    }
    out
}

/// The first line of a block: status, name, figures.
pub fn head_line(record: &CaseRecord, paint: Paint) -> String {
    let word = record.status.word().to_uppercase();
    let mut out = format!("{} {}", paint.status(record.status, &word), paint.strong(&record.name));
    if let Some(from) = &record.moved_from {
        let _ = write!(out, " (from {from})");
    }
    // No figures where the reference cannot be shown: only the passes were compared then.
    if let Some(why) = record.why_differs.as_ref().filter(|why| why.pixels > 0) {
        let [left, top, right, bottom] = why.bounds_px;
        let _ = write!(out, "   {}", figures(why));
        if !why.class.is_empty() {
            let _ = write!(out, ", class: {}", why.class);
        }
        let _ = write!(out, ", box {left},{top} {right},{bottom}");
    }
    out.push('\n');
    out
}

/// How much differs.
fn figures(why: &Why) -> String {
    format!("{} px ({}), max {}", grouped(why.pixels), percent(why.share), largest(why))
}

/// What became of a case in one line.
pub(super) fn short(record: &CaseRecord) -> String {
    match (&record.message, &record.why_differs) {
        (Some(message), _) => message.lines().next().unwrap_or_default().to_string(),
        (None, Some(why)) => figures(why),
        (None, None) => match &record.moved_from {
            Some(from) => format!("moved from {from}"),
            None => advice(record.status).to_string(),
        },
    }
}

/// The largest difference beside its scale; of floats in their own unit.
fn largest(why: &Why) -> String {
    if why.full_scale > 1.0 {
        format!("{}/{}", why.max, why.full_scale)
    } else if why.max.fract() == 0.0 {
        format!("{}", why.max)
    } else if why.max.abs() < 0.001 || why.max.abs() >= 100_000.0 {
        format!("{:.2e}", why.max)
    } else {
        format!("{:.4}", why.max)
    }
}

fn objects(why: &Why) -> String {
    const SHOWN: usize = 3;
    let name = |object: &crate::run::ObjectShare| {
        let node = if object.node.is_empty() { "no object".to_string() } else { format!("node {}", object.node) };
        let material =
            if object.material.is_empty() { String::new() } else { format!(" (material {})", object.material) };
        format!("{} on {node}{material}", percent(object.share))
    };
    let mut parts: Vec<String> = why.objects.iter().take(SHOWN).map(name).collect();
    if why.objects.len() > SHOWN {
        parts.push(format!("{} more", why.objects.len() - SHOWN));
    }
    parts.join(", ")
}

fn first(pass: &Place, draw: Option<&Place>) -> String {
    let mut out = format!("pass {}/{} {}", pass.index + 1, pass.count, pass.name);
    if let Some(draw) = draw {
        let _ = write!(out, ", draw {}/{} {}", draw.index + 1, draw.count, draw.name);
        if !draw.pipeline.is_empty() {
            let _ = write!(out, " ({})", draw.pipeline);
        }
    }
    out
}

/// What to type, `(key, command)`.
fn commands(record: &CaseRecord, around: &Surroundings<'_>, cluster: Option<&Cluster>) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    if record.new_picture.is_some() || record.old_picture.is_some() {
        // The report opens at the case; its address needs no quoting.
        let see = match around.folder {
            "" => "stillframe review".to_string(),
            folder => format!("{folder}/report.html#/case/{}", in_address(&record.name)),
        };
        out.push(("see", see));
    }
    if record.status == Status::Invalid && !record.scene.is_empty() {
        out.push(("check", format!("stillframe check {}", quoted(&record.scene))));
    }
    if record.status.is_pending() {
        match record.owner {
            Owner::Scene => out.push(("accept", format!("stillframe accept {}", exactly(record)))),
            Owner::Tests => out.extend(ways_to_accept(record, around.folder)),
        }
        if let Some(cluster) = cluster {
            out.push(("", format!("stillframe accept --cluster {}", cluster.id)));
        }
    }
    if record.status != Status::Gone {
        out.push(("repeat", repeat(record)));
    }
    out
}

/// A picture of a program's tests becomes the reference with cargo alone, or with the program `stillframe`, wherever
/// that is run.
fn ways_to_accept(record: &CaseRecord, folder: &str) -> [(&'static str, String); 2] {
    let from = if folder.is_empty() { String::new() } else { format!("--from {} ", quoted(folder)) };
    [
        ("accept", format!("STILLFRAME_UPDATE={} {}", update_word(record.status), repeat(record))),
        ("or", format!("stillframe accept {from}{}", exactly(record))),
    ]
}

/// The least that `STILLFRAME_UPDATE` must say for a picture to become the reference.
pub(crate) fn update_word(status: Status) -> &'static str {
    if status == Status::New { "missing" } else { "failing" }
}

/// What runs a case again.
fn repeat(record: &CaseRecord) -> String {
    match record.owner {
        _ if !record.command.is_empty() => record.command.clone(),
        Owner::Scene => format!("stillframe test {}", exactly(record)),
        Owner::Tests => "cargo test".into(),
    }
}

/// The filter that chooses this case alone, as a shell reads it.
fn exactly(record: &CaseRecord) -> String {
    quoted(&format!("={}", record.name))
}

/// A name within an address: what is not a letter or a digit as `%` and two digits.
fn in_address(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// A word as a shell reads it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,=@%".contains(c);
    // Some shells take a word after `=` for the name of a program.
    if !word.is_empty() && !word.starts_with('=') && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

impl Paint {
    fn wrap(self, code: &str, text: &str) -> String {
        match self {
            Paint::Plain => text.to_string(),
            Paint::Colored => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    fn soft(self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    fn status(self, status: Status, text: &str) -> String {
        self.wrap(Tone::of(status).code(), text)
    }
}

/// How bad a status is, in colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Good,
    Warn,
    Bad,
}

impl Tone {
    pub fn of(status: Status) -> Tone {
        match status {
            Status::Pass | Status::Unchanged => Tone::Good,
            Status::KnownFailure
            | Status::New
            | Status::Moved
            | Status::Gone
            | Status::Adapter
            | Status::Fixed
            | Status::Oversize => Tone::Warn,
            _ => Tone::Bad,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Warn => "warn",
            Tone::Bad => "bad",
        }
    }

    fn code(self) -> &'static str {
        match self {
            Tone::Good => "1;32",
            Tone::Warn => "1;33",
            Tone::Bad => "1;31",
        }
    }
}
