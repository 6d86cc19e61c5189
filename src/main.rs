//! The `stillframe` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    stillframe::cli::main()
}
