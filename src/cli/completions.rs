//! `completions`: the script that completes the command line in a shell.

use clap::{Args as ClapArgs, Command};
use clap_complete::{Shell, generate};

use super::status::Failure;
use super::{Surroundings, stdout};

/// Print a shell completion script
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe completions bash >> ~/.bash_completion
  stillframe completions zsh > ~/.zfunc/_stillframe
  stillframe completions fish > ~/.config/fish/completions/stillframe.fish
  stillframe completions powershell >> $PROFILE")]
pub struct CompletionsArgs {
    /// Shell to print it for
    pub shell: clap_complete::Shell,
}

pub fn run(args: &CompletionsArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    stdout::write(&script(args.shell, (surroundings.command_line)()))
}

fn script(shell: Shell, mut program: Command) -> Vec<u8> {
    let mut out = Vec::new();
    generate(shell, &mut program, "stillframe", &mut out);
    out
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::args::Args;

    #[test]
    fn every_shell_gets_every_command() {
        for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
            let text = String::from_utf8(script(shell, Args::command())).expect("a text");
            for word in ["render", "inspect", "completions", "tonemap"] {
                assert!(text.contains(word), "{shell}: {word}");
            }
        }
    }
}
