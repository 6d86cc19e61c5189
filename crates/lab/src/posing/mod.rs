//! Posing: tasks of blending and skinning as lines of JSON, by which another program answers them, and the file that
//! says what it can do.
//!
//! In: JSON, TOML. Out: a [`Task`], an [`Answer`], `Limits`. Never here: printing, files, processes.

mod limits;

pub use limits::read_limits;

use serde_json::{Value, json};
use stillframe_oracle::pose::{Answer, Task};

/// The form of a task's line.
const SCHEMA: &str = "pose-player/1";

/// A task as a line, without its end. The answer repeats `number`.
pub fn line(task: &Task, number: u64) -> String {
    let mut line = json!(task);
    line["schema"] = SCHEMA.into();
    line["task"] = number.into();
    line.to_string()
}

/// The task of a line.
///
/// Errors: why it is none, in words.
pub fn read(text: &str) -> Result<Task, String> {
    let task: Task = serde_json::from_str(text.trim()).map_err(|error| error.to_string())?;
    task.check()?;
    Ok(task)
}

/// The answer to task `number`.
///
/// Errors: what of it is no answer, in words.
pub fn read_answer(text: &str, number: u64) -> Result<Answer, String> {
    let answer: Value = serde_json::from_str(text).map_err(|_| format!("`{text}` is not a JSON object"))?;
    if answer["task"].as_u64() != Some(number) {
        return Err(format!("`task` is not {number}, that of the question"));
    }
    let rows = answer["rows"].as_array().ok_or("`rows` is not a list")?;
    let row = |row: &Value| row.as_array()?.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>();
    rows.iter().map(row).collect::<Option<Answer>>().ok_or("`rows` is not a list of lists of numbers".to_string())
}
