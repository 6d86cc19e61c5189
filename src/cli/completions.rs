//! `completions` and `man`: what shells and manuals want to know of the command line.

use clap::{Command, CommandFactory};
use clap_complete::{Shell, generate};

use super::args::{Args, CompletionsArgs, ManArgs};
use super::status::Failure;
use super::stdout;
use crate::source::did_you_mean;

pub fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    stdout::write(&script(args.shell))
}

fn script(shell: Shell) -> Vec<u8> {
    let mut out = Vec::new();
    generate(shell, &mut Args::command(), "stillframe", &mut out);
    out
}

/// The page of the program, or of one command.
pub fn man(args: &ManArgs) -> Result<(), Failure> {
    let mut program = Args::command();
    program.build();
    let command = match args.command.as_deref() {
        None => program,
        Some(name) => page_of(&program, name)?,
    };
    let mut out = Vec::new();
    let rendered = clap_mangen::Man::new(command).render(&mut out);
    rendered.map_err(|error| Failure::Fault(format!("the page cannot be made: {error}")))?;
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
                near.or_else(|| Some(format!("there is {}", names.join(", ")))),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_gets_every_command() {
        for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
            let text = String::from_utf8(script(shell)).expect("a text");
            for word in ["render", "inspect", "completions", "tonemap"] {
                assert!(text.contains(word), "{shell}: {word}");
            }
        }
    }
}
