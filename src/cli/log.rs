//! `log`: who changed a case's reference, from the history of its lock line.

use clap::Args as ClapArgs;
use serde_json::json;
use stillframe_frames::Lock;
use stillframe_frames::run::split_name;

use super::status::Failure;
use super::{Surroundings, git, json as words, project, stdout};

/// List who changed a case's reference, newest first
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe log shadow/cascade")]
pub struct LogArgs {
    /// Name of the case
    pub name: String,
}

pub fn run(args: &LogArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let project = project::with_references()?;
    let (family, behaviour) = split_name(&args.name);
    let lock = project.name_of(&project.references().join(family).join("frames.lock"));
    // Newest first; moved files are followed.
    let format = "--format=%x01%h%x00%an%x00%as%x00%s";
    let history = git::ask(&project.root, &["log", "--follow", format, "--", &lock])?;
    let mut rows = Vec::new();
    let mut last = None;
    for commit in history.split('\u{1}').filter(|text| !text.trim().is_empty()).rev() {
        let parts: Vec<&str> = commit.trim().split('\0').collect();
        let [hash, author, date, subject] = parts[..] else { continue };
        let text = git::text_at(&project.root, hash, &lock)?.unwrap_or_default();
        // A lock that could not be read then says nothing about this case.
        let Ok(then) = Lock::parse(&text) else { continue };
        let pixels = then.find(behaviour).map(|line| line.pixels);
        if pixels != last {
            rows.push((hash.to_string(), author.to_string(), date.to_string(), subject.to_string(), pixels));
            last = pixels;
        }
    }
    if rows.is_empty() {
        let help = Some("`stillframe list` lists the cases".to_string());
        return Err(Failure::NoMatch(format!("{}: not in any commit of {lock}", args.name), help));
    }
    for (commit, author, date, subject, pixels) in rows.iter().rev() {
        if surroundings.json.is_some() {
            let pixels = pixels.map(|pixels| pixels.to_string());
            let fields =
                json!({ "commit": commit, "author": author, "date": date, "subject": subject, "pixels": pixels });
            words::line("log/1", fields, surroundings)?;
        } else {
            let pixels = pixels.map_or("removed".to_string(), |pixels| pixels.to_string()[..15].to_string());
            stdout::line(&format!("{pixels:<15}  {commit}  {date}  {author}  {subject}"))?;
        }
    }
    Ok(())
}
