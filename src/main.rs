//! The `stillframe` program.

use std::process::ExitCode;

use stillframe_heap::Counting;

/// The system's allocator, which can be asked to count.
#[global_allocator]
static HEAP: Counting = Counting::new();

fn main() -> ExitCode {
    stillframe::cli::main(&HEAP)
}
