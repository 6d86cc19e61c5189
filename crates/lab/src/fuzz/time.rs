//! Target `time`: scripts of time control, played beside the oracle; and their texts, damaged.

use std::path::Path;

use stillframe_base::rng::{Rng, Stream};
use stillframe_oracle::{Choices, Planted, Profile, Real, Script, draw, judge};

use super::law;
use super::mutate;
use super::{Case, Mutant};
use crate::script;

const NAME: &str = "script.toml";
const WORDS: &[&str] = &[
    "nan",
    "[[",
    "]",
    "=",
    "\n",
    "\"",
    ".",
    "{",
    "}",
    "step_s = 0.1",
    "step_frames = 1",
    "times = 3",
    "until = \"#0\"",
    "seek_percent = 50",
    "scrub_s = 1e3",
    "leap_ticks = 9223372036854775807",
    "at_percent = 100",
    "at_frames = 1",
    "from_s = 0",
    "fps = \"30000/1001\"\n",
    "speed = \"1/3\"",
    "speed = -0.5",
    "name = \"a\", ",
    "\"play\", ",
    "\"pause\", ",
    "1/65536",
    "9223372036854775807",
    "-9223372036854775808",
];

/// Script `number` of a seed, within a profile.
pub fn drawn(profile: &Profile, seed: u64, number: u64) -> Script {
    let mut stream = Rng::new(seed).stream("fuzz/time", number);
    draw::script_within(&mut Choices::Random(&mut stream), profile)
}

/// A script as an input.
pub fn case_of(script: &Script) -> Case {
    Case::new(NAME, script::print(script).into_bytes())
}

pub fn make(stream: &mut Stream) -> Case {
    let mut text = script::print(&draw::script(&mut Choices::Random(stream)));
    if stream.one_in(16) {
        mutate::text(stream, &mut text, WORDS);
    }
    Case::new(NAME, text.into_bytes())
}

/// The script that bytes choose.
pub fn of_bytes(bytes: &[u8]) -> Case {
    case_of(&draw::script(&mut Choices::Bytes(bytes)))
}

pub fn refusal(case: &Case) -> Option<String> {
    let found = script::read(&String::from_utf8_lossy(&case.bytes), Path::new(NAME)).err()?;
    Some(found.first().map_or_else(String::new, |complaint| complaint.message.clone()))
}

/// Reads a script, plays it on the controller (or on a player with a planted mistake) beside the oracle, and reads what
/// it prints.
pub fn check(case: &Case, _scratch: &Path, mutant: Option<Mutant>) -> Result<(), String> {
    let text = String::from_utf8_lossy(&case.bytes);
    let file = Path::new(NAME);
    let loaded = match script::read(&text, file) {
        Ok(loaded) => loaded,
        Err(found) => return law::complaints(&found, |_| Some(text.to_string())),
    };
    let script = &loaded.script;
    let judged = match mutant {
        Some(Mutant::Mistake(mistake)) => judge(script, &mut Planted::new(script, mistake)),
        _ => judge(script, &mut Real::new(script)),
    };
    judged.map_err(|difference| format!("step {}: {}", difference.op, difference.words))?;
    let printed = script::print(script);
    if printed != text && script::read(&printed, file).map(|again| again.script).as_ref() != Ok(script) {
        return Err("what is printed is another script".into());
    }
    Ok(())
}

/// The simplest script that is still a finding. None for a text that is no script.
pub fn shrink(case: &Case, tries_max: usize, still: &mut dyn FnMut(&Case) -> bool) -> Option<Case> {
    let text = String::from_utf8_lossy(&case.bytes);
    let whole = script::read(&text, Path::new(NAME)).ok()?.script;
    // As it is printed it must break the same, or its text is what matters.
    if case_of(&whole) != *case && !still(&case_of(&whole)) {
        return None;
    }
    Some(case_of(&stillframe_oracle::shrink(&whole, tries_max, |script| still(&case_of(script)))))
}
