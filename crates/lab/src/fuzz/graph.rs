//! Target `graph`: pose graphs with scripts of what is done to a character, played beside a slow model; and their
//! texts, damaged.
//!
//! An input is a text that people can read: a [`GraphScript`] as TOML, everything named by its number.

use std::path::Path;

use stillframe_base::rng::Stream;
use stillframe_oracle::graph::{self, GraphScript};
use stillframe_oracle::{Choices, graph::World};

use super::mutate;
use super::{Case, Mutant};
use crate::scene::toml_document;

const NAME: &str = "script.toml";
const WORDS: &[&str] = &[
    "nan",
    "inf",
    "[[",
    "]",
    "=",
    "\n",
    "{",
    "}",
    "-1",
    "0",
    "1e38",
    "9223372036854775807",
    "\"pose\", ",
    "{ step = 1 }, ",
    "{ step = 1099511627776 }, ",
    "{ set = { parameter = 0, to = 1.0 } }, ",
    "mask = 0\n",
    "add = true\n",
    "passes = { loop = 2 }\n",
    "speed = { fixed = 1024.0 }\n",
    "when = \"always\"\n",
    "when = { time-left = 1 }\n",
    "policy = \"inertial\"\n",
    "enter = \"sync\"\n",
];

pub fn make(stream: &mut Stream) -> Case {
    let mut text = print(&graph::script(&mut Choices::Random(stream)));
    if stream.one_in(16) {
        mutate::text(stream, &mut text, WORDS);
    }
    Case::new(NAME, text.into_bytes())
}

/// The script that bytes choose.
pub fn of_bytes(bytes: &[u8]) -> Case {
    Case::new(NAME, print(&graph::script(&mut Choices::Bytes(bytes))).into_bytes())
}

fn print(script: &GraphScript) -> String {
    toml_edit::ser::to_string_pretty(script).unwrap_or_else(|error| panic!("a script is plain data: {error}"))
}

/// Errors: why a text is no script, or its script no graph.
fn read(text: &str) -> Result<GraphScript, String> {
    toml_document(text, &mut 0).map_err(|error| error.words(text))?;
    let script: GraphScript = toml_edit::de::from_str(text).map_err(|error| error.to_string())?;
    World::new(&script)?;
    Ok(script)
}

pub fn refusal(case: &Case) -> Option<String> {
    read(&String::from_utf8_lossy(&case.bytes)).err()
}

/// Reads a script, plays it on the graph (or on a player with a planted mistake) beside the model, and reads what it
/// prints.
pub fn check(case: &Case, _scratch: &Path, mutant: Option<Mutant>) -> Result<(), String> {
    let text = String::from_utf8_lossy(&case.bytes);
    let script = match read(&text) {
        Ok(script) => script,
        Err(words) if words.is_empty() => return Err("a text is refused without a word".into()),
        Err(_) => return Ok(()),
    };
    let mistake = match mutant {
        Some(Mutant::GraphMistake(mistake)) => Some(mistake),
        _ => None,
    };
    let judged = graph::check(&script, mistake);
    judged.map_err(|difference| format!("step {}: {}", difference.op, difference.words))?;
    // As texts: a number that is none is not equal to itself.
    let printed = print(&script);
    if read(&printed).map(|again| print(&again)).as_ref() != Ok(&printed) {
        return Err("what is printed is another script".into());
    }
    Ok(())
}

/// The simplest script that is still a finding. None for a text that is no script.
pub fn shrink(case: &Case, tries_max: usize, still: &mut dyn FnMut(&Case) -> bool) -> Option<Case> {
    let whole = read(&String::from_utf8_lossy(&case.bytes)).ok()?;
    let of = |script: &GraphScript| Case::new(NAME, print(script).into_bytes());
    // As it is printed it must break the same, or its text is what matters.
    if of(&whole) != *case && !still(&of(&whole)) {
        return None;
    }
    Some(of(&graph::shrink(&whole, tries_max, |script| still(&of(script)))))
}
