//! Scripts of time control, played by somebody's program (`--player`).
//!
//! The program is spoken with from here, not from a child: what could hang or die is itself a process already.

use std::path::Path;
use std::time::Duration;

use stillframe_lab::fuzz::time::{case_of, drawn};
use stillframe_lab::fuzz::{Finding, Kind, Target};
use stillframe_lab::script::{self, TEXT_MAX_BYTES, Wrong, talk};
use stillframe_oracle::{Profile, Script, shrink_within};

use super::program::Program;
use super::{FINDINGS_MAX, FuzzArgs, RUNS, SHRINK_TIME, Told, inputs_of, same, save, shrink_tries_max};
use crate::cli::script_file::{of_files, text};
use crate::cli::status::Failure;
use crate::cli::{Surroundings, clock, stderr};

/// Inputs without an answer after which a run ends: each is waited for.
const HANGS_MAX: usize = 10;

/// Tries every input on a program; how many there were, and what was found.
pub fn try_all(
    target: &Target,
    args: &FuzzArgs,
    command: &str,
    profile: &Profile,
    surroundings: &Surroundings,
) -> Result<(u64, Vec<Told>), Failure> {
    let mut player = Player { program: Program::new(command, args.timeout)?, profile };
    // A wrong path is reported first.
    player.program.start()?;
    if let Some(path) = &args.replay {
        return replay(&mut player, path, surroundings);
    }
    let end = args.minutes.map(|minutes| surroundings.start + Duration::from_secs_f64(minutes * 60.0));
    let runs = args.runs.unwrap_or(if end.is_some() { u64::MAX } else { RUNS });
    let mut found: Vec<(Finding, u64, usize)> = Vec::new();
    let (mut number, mut hangs) = (0, 0);
    while number < runs && end.is_none_or(|end| clock::now() < end) {
        let finding = player.play(&drawn(profile, args.seed, number))?;
        number += 1;
        let Some(finding) = finding else { continue };
        hangs += usize::from(finding.kind == Kind::Hang);
        match found.iter_mut().find(|(known, _, _)| same(known, &finding)) {
            Some((_, _, count)) => *count += 1,
            None => found.push((finding, number - 1, 1)),
        }
        if found.len() >= FINDINGS_MAX || hangs >= HANGS_MAX {
            break;
        }
    }
    let mut out = Vec::new();
    for (finding, number, count) in found {
        let (script, finding) = player.shrunk(&drawn(profile, args.seed, number), finding)?;
        let case = case_of(&script);
        let folder = args.output.join(format!("{}-{}-{number}", target.name, args.seed));
        let file = save(&case, &folder)?;
        let script = Some(script::print(&script));
        out.push(Told { finding, number, count, file, size_bytes: case.size_bytes(), script });
    }
    Ok((number, out))
}

/// Tries files: a finding, a corpus, or anybody's script.
fn replay(player: &mut Player<'_>, path: &Path, surroundings: &Surroundings) -> Result<(u64, Vec<Told>), Failure> {
    let files = inputs_of(path)?;
    let mut out = Vec::new();
    for file in &files {
        let (text, name) = text(file, TEXT_MAX_BYTES, surroundings)?;
        let loaded = script::read(&text, name).map_err(of_files)?;
        if !player.profile.holds(&loaded.script) {
            stderr::note(&format!("{} asks for more than the profile has", file.display()));
        }
        let finding = player.play(&loaded.script)?;
        let told =
            |finding| Told { finding, number: 0, count: 1, file: file.clone(), size_bytes: text.len(), script: None };
        out.extend(finding.map(told));
    }
    Ok((files.len() as u64, out))
}

/// A program, and what it can do.
struct Player<'a> {
    program: Program,
    profile: &'a Profile,
}

impl Player<'_> {
    /// Plays one script; what is wrong, if anything is.
    fn play(&mut self, script: &Script) -> Result<Option<Finding>, Failure> {
        self.program.start()?;
        let program = std::cell::RefCell::new(&mut self.program);
        let mut say = |line: String| program.borrow_mut().say(&line);
        let mut ask = |line: String| program.borrow_mut().ask(&line);
        let finding = match talk(script, self.profile, &mut say, &mut ask) {
            Ok(()) => return Ok(None),
            Err(Wrong::Words(message)) => Finding { kind: Kind::Law, message },
            Err(Wrong::Silent(step, finding)) => {
                Finding { message: format!("step {step}: {}", finding.message), ..finding }
            }
        };
        // What it may still say belongs to no other script.
        self.program.stop();
        Ok(Some(finding))
    }

    /// The simplest script found that a program which was just started plays wrongly in the same way, and what it does.
    fn shrunk(&mut self, whole: &Script, finding: Finding) -> Result<(Script, Finding), Failure> {
        self.program.stop();
        match self.play(whole)? {
            Some(again) if same(&again, &finding) => {}
            _ => {
                let message = format!("{} (only after other scripts: it keeps something of them)", finding.message);
                return Ok((whole.clone(), Finding { message, ..finding }));
            }
        }
        let end = clock::now() + SHRINK_TIME;
        let mut last = finding.clone();
        let mut failure = None;
        let small = shrink_within(whole, self.profile, shrink_tries_max(finding.kind), |script| {
            if clock::now() >= end || failure.is_some() {
                return false;
            }
            match self.play(script) {
                Ok(Some(again)) if same(&again, &finding) => {
                    last = again;
                    true
                }
                Ok(_) => false,
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        });
        match failure {
            Some(failure) => Err(failure),
            None => Ok((small, last)),
        }
    }
}
