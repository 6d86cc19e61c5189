//! Inputs that somebody's program plays (`--player`): scripts of time control, tasks of poses.
//!
//! The program is spoken with from here, not from a child: what could hang or die is itself a process already.

use std::path::Path;
use std::time::Duration;

use stillframe_lab::fuzz::{Case, Finding, Kind, Target};
use stillframe_lab::script::TEXT_MAX_BYTES;

use super::program::Program;
use super::{FINDINGS_MAX, FuzzArgs, RUNS, SHRINK_TIME, Told, inputs_of, same, save, shrink_tries_max};
use crate::cli::script_file::text;
use crate::cli::status::Failure;
use crate::cli::{Surroundings, clock, stderr};

/// Inputs without an answer after which a run ends: each is waited for.
const HANGS_MAX: usize = 10;

/// What a kind of player is asked.
pub trait Game {
    type Input: Clone;
    /// Input `number` of a seed.
    fn drawn(&self, seed: u64, number: u64) -> Self::Input;
    /// From a file's text.
    fn read(&self, text: &str, file: &Path) -> Result<Self::Input, Failure>;
    /// Whether it asks for nothing that the profile lacks.
    fn holds(&self, input: &Self::Input) -> bool;
    /// What a program that runs does wrong, if anything.
    fn play(&self, input: &Self::Input, program: &mut Program) -> Option<Finding>;
    fn shrink(&self, input: &Self::Input, tries_max: usize, still: &mut dyn FnMut(&Self::Input) -> bool)
    -> Self::Input;
    fn case(&self, input: &Self::Input) -> Case;
    /// As people are shown it.
    fn shown(&self, input: &Self::Input) -> String;
}

/// Tries every input on a program; how many there were, and what was found.
pub fn try_all<G: Game>(
    target: &Target,
    args: &FuzzArgs,
    command: &str,
    game: &G,
    surroundings: &Surroundings,
) -> Result<(u64, Vec<Told>), Failure> {
    let mut player = Player { program: Program::new(command, args.timeout)?, game };
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
        let finding = player.play(&game.drawn(args.seed, number))?;
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
        let (input, finding) = player.shrunk(&game.drawn(args.seed, number), finding)?;
        let case = game.case(&input);
        let folder = args.output.join(format!("{}-{}-{number}", target.name, args.seed));
        let file = save(&case, &folder)?;
        let script = Some(game.shown(&input));
        out.push(Told { finding, number, count, file, size_bytes: case.size_bytes(), script });
    }
    Ok((number, out))
}

/// Tries files: a finding, a corpus, or anybody's.
fn replay<G: Game>(
    player: &mut Player<'_, G>,
    path: &Path,
    surroundings: &Surroundings,
) -> Result<(u64, Vec<Told>), Failure> {
    let files = inputs_of(path)?;
    let mut out = Vec::new();
    for file in &files {
        let (text, name) = text(file, TEXT_MAX_BYTES, surroundings)?;
        let input = player.game.read(&text, name)?;
        if !player.game.holds(&input) {
            stderr::note(&format!("{} asks for more than the profile has", file.display()));
        }
        let finding = player.play(&input)?;
        let told =
            |finding| Told { finding, number: 0, count: 1, file: file.clone(), size_bytes: text.len(), script: None };
        out.extend(finding.map(told));
    }
    Ok((files.len() as u64, out))
}

/// A program, and what it is asked.
struct Player<'a, G: Game> {
    program: Program,
    game: &'a G,
}

impl<G: Game> Player<'_, G> {
    /// Plays one input; what is wrong, if anything is.
    fn play(&mut self, input: &G::Input) -> Result<Option<Finding>, Failure> {
        self.program.start()?;
        let finding = self.game.play(input, &mut self.program);
        if finding.is_some() {
            // What it may still say belongs to no other input.
            self.program.stop();
        }
        Ok(finding)
    }

    /// The simplest input found that a program which was just started plays wrongly in the same way, and what it does.
    fn shrunk(&mut self, whole: &G::Input, finding: Finding) -> Result<(G::Input, Finding), Failure> {
        self.program.stop();
        match self.play(whole)? {
            Some(again) if same(&again, &finding) => {}
            _ => {
                let message = format!("{} (only after other inputs: it keeps something of them)", finding.message);
                return Ok((whole.clone(), Finding { message, ..finding }));
            }
        }
        let end = clock::now() + SHRINK_TIME;
        let mut last = finding.clone();
        let mut failure = None;
        let game = self.game;
        let small = game.shrink(whole, shrink_tries_max(finding.kind), &mut |input| {
            if clock::now() >= end || failure.is_some() {
                return false;
            }
            match self.play(input) {
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
