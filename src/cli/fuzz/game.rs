//! The games of players: scripts of time control (`fuzz time`), tasks of poses (`fuzz pose`).

use std::path::Path;

use stillframe_lab::fuzz::{Case, Finding, Kind, pose, time};
use stillframe_lab::posing;
use stillframe_lab::script::{self, Wrong, talk};
use stillframe_oracle::pose::{Limits, Task, judge, shrink};
use stillframe_oracle::{Profile, Script, shrink_within};

use super::player::Game;
use super::program::Program;
use crate::cli::script_file::of_files;
use crate::cli::status::Failure;

pub struct OfTime(pub Profile);

impl Game for OfTime {
    type Input = Script;

    fn drawn(&self, seed: u64, number: u64) -> Script {
        time::drawn(&self.0, seed, number)
    }

    fn read(&self, text: &str, file: &Path) -> Result<Script, Failure> {
        Ok(script::read(text, file).map_err(of_files)?.script)
    }

    fn holds(&self, script: &Script) -> bool {
        self.0.holds(script)
    }

    fn play(&self, script: &Script, program: &mut Program) -> Option<Finding> {
        let program = std::cell::RefCell::new(program);
        let mut say = |line: String| program.borrow_mut().say(&line);
        let mut ask = |line: String| program.borrow_mut().ask(&line);
        match talk(script, &self.0, &mut say, &mut ask) {
            Ok(()) => None,
            Err(Wrong::Words(message)) => Some(Finding { kind: Kind::Law, message }),
            Err(Wrong::Silent(step, finding)) => {
                Some(Finding { message: format!("step {step}: {}", finding.message), ..finding })
            }
        }
    }

    fn shrink(&self, script: &Script, tries_max: usize, still: &mut dyn FnMut(&Script) -> bool) -> Script {
        shrink_within(script, &self.0, tries_max, still)
    }

    fn case(&self, script: &Script) -> Case {
        time::case_of(script)
    }

    fn shown(&self, script: &Script) -> String {
        script::print(script)
    }
}

pub struct OfPoses(pub Limits);

impl Game for OfPoses {
    type Input = Task;

    fn drawn(&self, seed: u64, number: u64) -> Task {
        pose::drawn(&self.0, seed, number)
    }

    fn read(&self, text: &str, file: &Path) -> Result<Task, Failure> {
        posing::read(text).map_err(|why| Failure::usage(format!("{}: not a valid input: {why}", file.display())))
    }

    fn holds(&self, task: &Task) -> bool {
        self.0.holds(task)
    }

    fn play(&self, task: &Task, program: &mut Program) -> Option<Finding> {
        let answer = match program.ask(&posing::line(task, 0)) {
            Ok(answer) => answer,
            Err(finding) => return Some(finding),
        };
        let judged = posing::read_answer(&answer, 0).and_then(|answer| judge(task, &self.0, &answer));
        judged.err().map(|message| Finding { kind: Kind::Law, message })
    }

    fn shrink(&self, task: &Task, tries_max: usize, still: &mut dyn FnMut(&Task) -> bool) -> Task {
        shrink(task, &self.0, tries_max, still)
    }

    fn case(&self, task: &Task) -> Case {
        pose::case_of(task)
    }

    fn shown(&self, task: &Task) -> String {
        posing::line(task, 0)
    }
}
