//! Record: the figures of a run, kept under a name, and compared with later ones.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stillframe_base::bounded;

use super::super::status::Failure;
use super::super::{Surroundings, json as words};
use super::machine;

/// Where named runs lie, below the working folder.
const FOLDER: &str = "target/stillframe/bench";

/// Bytes that a saved run may have.
const RECORD_MAX_BYTES: u64 = 64 << 20;

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub name: String,
    pub unit: String,
    /// None where it makes no difference.
    pub isa: Option<String>,
    pub threads: usize,
    pub median: f64,
    /// The interquartile range over the median. Records of earlier versions have none.
    #[serde(default)]
    pub spread: Option<f64>,
    /// The best sample.
    pub min: f64,
    pub samples: usize,
    /// What another program takes for the same, where it was measured in the same run.
    pub peer: Option<f64>,
}

impl Row {
    /// How much longer this takes than `before`: over 1 is slower.
    pub fn ratio(&self, before: &Row) -> f64 {
        if self.unit == "GB/s" { before.median / self.median } else { self.median / before.median }
    }
}

/// The character that was timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Character {
    pub model: String,
    pub clip: String,
}

pub struct Record {
    rows: Vec<Row>,
    /// None for the table.
    pub character: Option<Character>,
}

impl Record {
    pub fn new(rows: Vec<Row>, character: Option<Character>) -> Record {
        Record { rows, character }
    }

    /// The same case in the same setting.
    pub fn like(&self, row: &Row) -> Option<&Row> {
        let key = |row: &Row| (row.name.clone(), row.unit.clone(), row.isa.clone(), row.threads);
        self.rows.iter().find(|own| key(own) == key(row))
    }

    pub fn text(&self) -> String {
        let mut fields = json!({ "machine": machine::json(), "rows": self.rows });
        if let Some(character) = &self.character {
            fields["character"] = json!(character);
        }
        format!("{:#}\n", words::document("bench/1", fields))
    }

    pub fn write(&self, file: &Path, surroundings: &Surroundings) -> Result<(), Failure> {
        if let Some(folder) = file.parent().filter(|folder| folder.ends_with(FOLDER)) {
            std::fs::create_dir_all(folder).map_err(|error| Failure::of_write(folder, &error))?;
        }
        let write = surroundings.unfinished.write(file, self.text().as_bytes());
        write.map_err(|error| Failure::of_write(file, &error))
    }
}

/// The file of a run of this name.
///
/// Errors: a name that is a path.
pub fn file(name: &str) -> Result<PathBuf, Failure> {
    let letter = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    match name.chars().all(letter) && !name.starts_with('.') && !name.is_empty() {
        true => Ok(Path::new(FOLDER).join(format!("{name}.json"))),
        false => Err(Failure::usage(format!("`{name}`: use only letters, digits, - _ and . in a name"))),
    }
}

/// The run that was saved under a name.
pub fn load(name: &str) -> Result<Record, Failure> {
    let file = file(name)?;
    let bytes = bounded::read(&file, RECORD_MAX_BYTES).map_err(|_| {
        let help = format!("`stillframe bench --save {name}` writes it");
        Failure::Usage(format!("{} does not exist", file.display()), Some(help))
    })?;
    let wrong = |why: String| Failure::usage(format!("{}: {why}", file.display()));
    let document: Value = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    if document["schema"] != "bench/1" {
        return Err(wrong("not a file written by `stillframe bench`".into()));
    }
    let rows = serde_json::from_value(document["rows"].clone()).map_err(|error| wrong(error.to_string()))?;
    let character = serde_json::from_value(document["character"].clone()).map_err(|error| wrong(error.to_string()))?;
    Ok(Record { rows, character })
}
