//! `man`: the manual page of the program, or of one command.

use super::status::Failure;
use super::{Surroundings, stdout};
use crate::source::did_you_mean;
use clap::{Args as ClapArgs, Command};

/// Print the manual page of the program or of a command
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe man > stillframe.1
  stillframe man render | man -l -")]
pub struct ManArgs {
    /// Command [default: the program]
    pub command: Option<String>,
}

pub fn run(args: &ManArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    let mut program = (surroundings.command_line)();
    program.build();
    let command = match args.command.as_deref() {
        None => program,
        Some(name) => page_of(&program, name)?,
    };
    let mut out = Vec::new();
    let rendered = clap_mangen::Man::new(command).render(&mut out);
    rendered.map_err(|error| Failure::Fault(format!("cannot write the manual page: {error}")))?;
    stdout::write(&out)
}

fn page_of(program: &Command, name: &str) -> Result<Command, Failure> {
    let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
    match program.find_subcommand(name) {
        Some(command) => Ok(command.clone()),
        None => {
            let near = did_you_mean(name, names.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            Err(Failure::Usage(
                format!("there is no command `{name}`"),
                near.or_else(|| Some(format!("commands are {}", names.join(", ")))),
            ))
        }
    }
}
