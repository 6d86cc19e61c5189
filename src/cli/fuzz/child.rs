//! The parent's side of a child: starting it, hearing it, ending it when it takes too long.

use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::FuzzArgs;
use crate::cli::clock;
use crate::cli::last_words::LastWords;
use crate::cli::status::Failure;
use stillframe_lab::fuzz::{Finding, Kind, Target};

/// A child and its lines.
struct Hearing {
    child: Child,
    lines: Receiver<String>,
    words: LastWords,
}

impl Drop for Hearing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Tries the inputs of `range` until one ends the child, `end` comes or `found` says that it is enough; the next input
/// to try.
pub fn stretch(
    target: &Target,
    args: &FuzzArgs,
    scratch: &Path,
    range: Range<u64>,
    end: Option<Instant>,
    found: &mut dyn FnMut(Finding, u64) -> bool,
) -> Result<u64, Failure> {
    let words = ["--from".to_string(), range.start.to_string(), "--runs".into(), range.end.to_string()];
    let mut hearing = start(target, args, scratch, &words, Stdio::null())?;
    let mut at = range.start;
    loop {
        match hearing.next(args.timeout) {
            Heard::At(number) => {
                at = number;
                if end.is_some_and(|end| clock::now() >= end) {
                    return Ok(at);
                }
            }
            Heard::Found(finding) => {
                if !found(finding, at) || args.mutant.is_some() {
                    return Ok(at + 1);
                }
            }
            Heard::Done => return Ok(range.end),
            Heard::Ended(finding) => {
                found(finding, at);
                return Ok(at + 1);
            }
        }
    }
}

/// Tries the input of a file.
pub fn replay(target: &Target, args: &FuzzArgs, file: &Path, scratch: &Path) -> Result<Option<Finding>, Failure> {
    Replays::new(target, args, scratch).replay(file)
}

/// A child that tries one file after the other, and another one where it has ended.
pub struct Replays<'a> {
    target: &'a Target,
    args: &'a FuzzArgs,
    scratch: &'a Path,
    child: Option<(Hearing, ChildStdin)>,
}

impl<'a> Replays<'a> {
    pub fn new(target: &'a Target, args: &'a FuzzArgs, scratch: &'a Path) -> Replays<'a> {
        Replays { target, args, scratch, child: None }
    }

    /// Tries the input of a file.
    pub fn replay(&mut self, file: &Path) -> Result<Option<Finding>, Failure> {
        let (mut hearing, mut asking) = match self.child.take() {
            Some(child) => child,
            None => {
                let words = ["--replay".to_string(), "-".into()];
                let mut hearing = start(self.target, self.args, self.scratch, &words, Stdio::piped())?;
                let asking = hearing.child.stdin.take().expect("asked for above");
                (hearing, asking)
            }
        };
        // A child that has died is reported below.
        let _ = writeln!(asking, "{}", file.display());
        let mut found = None;
        loop {
            match hearing.next(self.args.timeout) {
                Heard::At(_) => {}
                Heard::Found(finding) => found = Some(finding),
                Heard::Ended(finding) => return Ok(Some(finding)),
                Heard::Done => {
                    self.child = Some((hearing, asking));
                    return Ok(found);
                }
            }
        }
    }
}

fn start(target: &Target, args: &FuzzArgs, scratch: &Path, words: &[String], stdin: Stdio) -> Result<Hearing, Failure> {
    let failed = |error: std::io::Error| Failure::Environment(format!("cannot start a process: {error}"));
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.arg("fuzz").arg(target.name).arg("--worker").arg(scratch).args(["--seed", &args.seed.to_string()]);
    if let Some(mutant) = &args.mutant {
        command.args(["--mutant", mutant]);
    }
    command.args(words).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let words = LastWords::of(&mut child);
    let out = child.stdout.take().expect("asked for above");
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(out).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    Ok(Hearing { child, lines, words })
}

enum Heard {
    At(u64),
    Found(Finding),
    Done,
    /// It hangs, or it is dead.
    Ended(Finding),
}

impl Hearing {
    fn next(&mut self, timeout_s: f64) -> Heard {
        loop {
            let line = match self.lines.recv_timeout(Duration::from_secs_f64(timeout_s)) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    let message = format!("did not finish within {timeout_s} s");
                    return Heard::Ended(Finding { kind: Kind::Hang, message });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    // On one line, without the process's own number.
                    let told = self.words.wait(&mut self.child);
                    let message = told.split_whitespace().collect::<Vec<_>>().join(" ");
                    return Heard::Ended(Finding { kind: Kind::Crash, message });
                }
            };
            if let Some(heard) = heard(&line) {
                return heard;
            }
        }
    }
}

/// `None` for lines of somebody else.
fn heard(line: &str) -> Option<Heard> {
    if line == "done" {
        return Some(Heard::Done);
    }
    if let Some(number) = line.strip_prefix("at ") {
        return number.parse().ok().map(Heard::At);
    }
    let mut parts = line.strip_prefix("found ")?.splitn(3, ' ');
    let _number = parts.next()?;
    let word = parts.next()?;
    let (_, kind) = Kind::WORDS.iter().find(|(known, _)| *known == word)?;
    Some(Heard::Found(Finding { kind: *kind, message: parts.next().unwrap_or_default().to_string() }))
}
