//! `log`: who changed a case's reference, and why, from the history of its lock line.

use clap::Args as ClapArgs;
use serde_json::json;
use stillframe_frames::run::split_name;
use stillframe_frames::{Lock, LockLine, PixelHash};

use super::status::Failure;
use super::{Surroundings, git, json as words, project, stdout};
use crate::harness::Project;

/// List who changed a case's reference and why, newest first
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe log shadow/cascade

The reason is that of `accept --reason`. An accept that is not committed is
listed, too. A case that was moved within its folder is followed.")]
pub struct LogArgs {
    /// Name of the case
    pub name: String,
}

/// A state of the lock file.
#[derive(Default)]
struct Moment {
    /// `None`: as it lies in the working folder.
    commit: Option<Commit>,
    lock: Lock,
}

#[derive(Clone)]
struct Commit {
    hash: String,
    author: String,
    date: String,
    subject: String,
}

/// A change of the reference.
struct Row<'a> {
    commit: Option<&'a Commit>,
    pixels: Option<PixelHash>,
    reason: String,
    moved_from: Option<String>,
}

pub fn run(args: &LogArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let project = project::with_references()?;
    let (family, behaviour) = split_name(&args.name);
    let file = project.name_of(&project.references().join(family).join("frames.lock"));
    let (mut moments, no_history) = match history(&project, &file) {
        Ok(moments) => (moments, None),
        Err(failure) => (Vec::new(), Some(failure)),
    };
    let store = project::store(&project)?;
    moments.push(Moment { commit: None, lock: store.lock(family).map_err(project::of_store)? });
    let rows = rows(&moments, behaviour);
    if rows.is_empty() {
        if let Some(failure) = no_history {
            return Err(failure);
        }
        let help = Some("`stillframe list` lists the cases".to_string());
        return Err(Failure::NoMatch(format!("{}: not in {file}, nor in any commit of it", args.name), help));
    }
    rows.iter().try_for_each(|row| tell(row, surroundings))
}

/// The lock file at each commit that changed it, oldest first.
fn history(project: &Project, file: &str) -> Result<Vec<Moment>, Failure> {
    // Moved files are followed.
    let format = "--format=%x01%h%x00%an%x00%as%x00%s";
    let text = git::ask(&project.root, &["log", "--follow", format, "--", file])?;
    let mut out = Vec::new();
    for commit in text.split('\u{1}').filter(|text| !text.trim().is_empty()).rev() {
        let parts: Vec<String> = commit.trim().split('\0').map(str::to_string).collect();
        let Ok([hash, author, date, subject]) = <[String; 4]>::try_from(parts) else { continue };
        let then = git::text_at(&project.root, &hash, file)?.unwrap_or_default();
        // A lock that could not be read then says nothing about this case.
        let Ok(lock) = Lock::parse(&then) else { continue };
        out.push(Moment { commit: Some(Commit { hash, author, date, subject }), lock });
    }
    Ok(out)
}

/// The changes of a case, newest first.
fn rows<'a>(moments: &'a [Moment], behaviour: &str) -> Vec<Row<'a>> {
    let nothing = Moment::default();
    let mut out = Vec::new();
    let mut name = behaviour.to_string();
    for at in (0..moments.len()).rev() {
        let before = at.checked_sub(1).map_or(&nothing, |at| &moments[at]);
        let (is, was) = (moments[at].lock.find(&name), before.lock.find(&name));
        let told = |line: Option<&LockLine>| line.map(|line| (line.pixels, line.reason.clone()));
        if told(is) == told(was) {
            continue;
        }
        let moved = is.filter(|_| was.is_none()).and_then(|is| moved_from(is, &moments[at].lock, &before.lock));
        out.push(Row {
            commit: moments[at].commit.as_ref(),
            pixels: is.map(|line| line.pixels),
            reason: is.map_or(String::new(), |line| line.reason.clone()),
            moved_from: moved.clone(),
        });
        name = moved.unwrap_or(name);
    }
    out
}

/// The former name of a line's case, if its picture had another name just before and that name is gone.
fn moved_from(line: &LockLine, now: &Lock, before: &Lock) -> Option<String> {
    let was = |other: &&LockLine| other.pixels == line.pixels && now.find(&other.name).is_none();
    before.lines().iter().find(was).map(|other| other.name.clone())
}

fn tell(row: &Row<'_>, surroundings: &Surroundings) -> Result<(), Failure> {
    let Row { commit, pixels, reason, moved_from } = row;
    if surroundings.json.is_some() {
        let of_commit = |part: fn(&Commit) -> &String| commit.map(part);
        let fields = json!({
            "commit": of_commit(|commit| &commit.hash),
            "author": of_commit(|commit| &commit.author),
            "date": of_commit(|commit| &commit.date),
            "subject": of_commit(|commit| &commit.subject),
            "pixels": pixels.map(|pixels| pixels.to_string()),
            "reason": reason,
            "moved_from": moved_from,
        });
        return words::line("log/1", fields, surroundings);
    }
    let pixels = pixels.map_or("removed".to_string(), |pixels| pixels.to_string()[..15].to_string());
    let who = match commit {
        Some(Commit { hash, author, date, subject }) => format!("{hash}  {date}  {author}  {subject}"),
        None => "not committed".to_string(),
    };
    stdout::line(&format!("{pixels:<15}  {who}"))?;
    if let Some(from) = moved_from {
        stdout::line(&format!("{:<15}  moved from {from}", ""))?;
    }
    if reason.is_empty() { Ok(()) } else { stdout::line(&format!("{:<15}  reason: {}", "", one_line(reason))) }
}

/// What came from elsewhere moves no cursor.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
