//! The child: tries inputs, and reports before each which one it is, and after it what happened.
//!
//! Lines on standard output: `at NUMBER`, `found NUMBER KIND WORDS`, and `done` at the end. With `--replay -` files to
//! try come as lines on standard input, each answered with `done`.

use std::io::{BufRead, Write};
use std::ops::Range;
use std::panic::PanicHookInfo;
use std::path::Path;
use std::sync::Mutex;

use stillframe_heap::Counting;

use super::FuzzArgs;
use crate::cli::status::Failure;
use stillframe_lab::fuzz::{Bench, Case, Kind, Mutant, Target, try_case};

/// What a thread of a Rust program gets: a parser that needs more would fail people who use it there.
const STACK_BYTES: usize = 2 << 20;

/// Where the last panic was.
static PLACE: Mutex<String> = Mutex::new(String::new());

pub fn run(
    target: &'static Target,
    args: &FuzzArgs,
    mutant: Option<Mutant>,
    scratch: &Path,
    heap: &'static Counting,
) -> Result<(), Failure> {
    std::panic::set_hook(Box::new(note_place));
    let replays = args.replay.is_some();
    let range = args.from..args.runs.unwrap_or(u64::MAX);
    let seed = args.seed;
    let scratch = scratch.to_path_buf();
    let work = move || {
        let bench = Bench { scratch: &scratch, heap: Some(heap), mutant };
        if replays {
            try_files(target, bench)
        } else {
            try_range(target, seed, range, bench).and_then(|()| say("done"))
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    let thread = thread.map_err(|error| Failure::Environment(format!("cannot start a thread: {error}")))?;
    // A parent that has gone away is not a failure.
    let _ = thread.join();
    Ok(())
}

fn try_files(target: &Target, bench: Bench<'_>) -> std::io::Result<()> {
    for file in std::io::stdin().lock().lines() {
        // The parent has read or written the file itself, so it can report what is wrong with it.
        if let Ok(case) = Case::load(Path::new(&file?)) {
            tell(target, 0, &case, bench)?;
        }
        say("done")?;
    }
    Ok(())
}

fn try_range(target: &Target, seed: u64, range: Range<u64>, bench: Bench<'_>) -> std::io::Result<()> {
    for number in range {
        say(&format!("at {number}"))?;
        // Making an input is ours too: a panic there ends the child, which the parent reports.
        tell(target, number, &target.case(seed, number), bench)?;
    }
    Ok(())
}

fn tell(target: &Target, number: u64, case: &Case, bench: Bench<'_>) -> std::io::Result<()> {
    let Some(finding) = try_case(target, case, bench) else { return Ok(()) };
    let place = match finding.kind {
        Kind::Panic => PLACE.lock().map(|place| place.clone()).unwrap_or_default(),
        _ => String::new(),
    };
    say(&format!("found {number} {} {}{place}", finding.kind.word(), finding.message))
}

fn say(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// Panics are findings: reported with the others, not on standard error.
fn note_place(info: &PanicHookInfo<'_>) {
    if let (Ok(mut place), Some(location)) = (PLACE.lock(), info.location()) {
        *place = format!(" ({}:{})", location.file(), location.line());
    }
}
