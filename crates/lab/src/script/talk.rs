//! Talk: a script played by another program, line by line, beside the model.

use std::ops::Range;
use std::path::Path;

use serde_json::Value;
use stillframe_oracle::{Judge, Op, Profile, Script};

use super::code;
use super::line::{Asked, Line, heading, order, read_answer};
use crate::source::Diagnostic;

/// The form of a script's line.
const SCHEMA: &str = "time-player/1";

/// Names of events without a name.
pub fn numbers(script: &Script) -> Vec<String> {
    (0..script.case.events.len()).map(|index| format!("#{index}")).collect()
}

/// Why a program does not play a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrong<E> {
    /// It says something else than the model, or nothing that can be read.
    Words(String),
    /// It says nothing; the step that it was asked for, and why.
    Silent(usize, E),
}

/// Plays a script on a program. `say` is for lines without an answer, `ask` for those with one.
///
/// Errors: the first difference, or why no answer came. A script is played until the model cannot play on.
pub fn talk<E>(
    script: &Script,
    profile: &Profile,
    say: &mut dyn FnMut(String),
    ask: &mut dyn FnMut(String) -> Result<String, E>,
) -> Result<(), Wrong<E>> {
    let (names, clock) = (numbers(script), profile.clock);
    let mut judge = Judge::new(script, profile);
    let mut line = Line::new();
    line.insert("do".into(), "script".into());
    line.insert("schema".into(), SCHEMA.into());
    line.extend(heading(script, &names, clock));
    say(Value::Object(line).to_string());
    for (index, op) in script.ops.iter().enumerate() {
        if !judge.can_play(op) {
            break;
        }
        let order = Value::Object(order(index, op, &names, clock)).to_string();
        let text = ask(order).map_err(|error| Wrong::Silent(index, error))?;
        let asked = Asked { script, names: &names, profile, index, op };
        let words = |words: String| Wrong::Words(format!("step {index}: {words}"));
        let answer = read_answer(&text, &asked).map_err(words)?;
        judge.compare(op, &answer).map_err(|difference| words(difference.words))?;
    }
    Ok(())
}

/// A run that another program has recorded, beside the model.
#[derive(Debug)]
pub struct Recorded<'a> {
    file: &'a Path,
    text: &'a str,
    /// Lines of steps.
    rows: Vec<Range<usize>>,
    judge: Judge<'a>,
    profile: &'a Profile,
}

impl<'a> Recorded<'a> {
    /// `text` is that of `file`.
    ///
    /// Errors: a line that is not a JSON object.
    pub fn read(
        text: &'a str,
        file: &'a Path,
        script: &Script,
        profile: &'a Profile,
    ) -> Result<Recorded<'a>, Diagnostic> {
        let mut rows = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let place = start..start + line.trim_end().len();
            start += line.len();
            if line.trim().is_empty() {
                continue;
            }
            let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(line) else {
                let message = "expected a JSON object, as `anim run --json` prints it";
                return Err(Diagnostic::error(code::NOT_A_ROW, file, message).at(place));
            };
            // The head of a run.
            if !fields.contains_key("schema") {
                rows.push(place);
            }
        }
        Ok(Recorded { file, text, rows, judge: Judge::new(script, profile), profile })
    }

    /// Compares the row of a step.
    ///
    /// Errors: a row that cannot be read; `Ok(Some)` is the difference in words.
    pub fn compare(
        &mut self,
        script: &Script,
        names: &[String],
        index: usize,
        op: &Op,
    ) -> Result<Option<String>, Diagnostic> {
        let Some(place) = self.rows.get(index).cloned() else {
            return Ok(Some("the recording ends before it".into()));
        };
        let asked = Asked { script, names, profile: self.profile, index, op };
        let answer = read_answer(&self.text[place.clone()], &asked);
        let answer = answer.map_err(|words| Diagnostic::error(code::NOT_A_ROW, self.file, words).at(place))?;
        Ok(self.judge.compare(op, &answer).err().map(|difference| difference.words))
    }

    /// Rows after those of a script's steps.
    pub fn spare(&self, steps: usize) -> usize {
        self.rows.len().saturating_sub(steps)
    }
}
