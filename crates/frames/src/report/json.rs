//! Json: a run for other programs, as one document or as lines. `docs/run.schema.json` describes both.

use serde::Serialize;
use serde_json::{Value, json as value};

use super::verdict::verdict;
use crate::run::Run;

/// The program's version, which every document carries.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A run as one document: schema `report/1`.
pub fn json(run: &Run) -> String {
    let said = verdict(run);
    let document = value!({
        "stillframe": VERSION,
        "schema": "report/1",
        "verdict": { "green": said.green, "words": said.words, "notes": said.notes },
        "run": run.header,
        "cases": run.records,
        "end": run.end,
        "decisions": run.decisions.values().collect::<Vec<_>>(),
    });
    let mut out = serde_json::to_string_pretty(&document).expect("numbers and names");
    out.push('\n');
    out
}

/// A run as lines, those of `run.jsonl`: `run/1`, a `case/1` a case by name, `run-end/1` unless it was cut off.
pub fn json_lines(run: &Run) -> String {
    let mut out = line("run/1", &run.header);
    run.records.iter().for_each(|record| out += &line("case/1", record));
    out.extend(run.end.iter().map(|end| line("run-end/1", end)));
    out
}

/// One line of a run: a record with its schema's name.
pub fn line(schema: &str, record: &impl Serialize) -> String {
    let mut record = serde_json::to_value(record).expect("numbers and names");
    if let Value::Object(fields) = &mut record {
        fields.insert("schema".into(), schema.into());
        fields.insert("stillframe".into(), VERSION.into());
    }
    format!("{record}\n")
}
