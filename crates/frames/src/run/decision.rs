//! Decision: what people say of a candidate.

use serde::{Deserialize, Serialize};

use super::record::CaseRecord;
use crate::PixelHash;

/// What is to become of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    Accept,
    Reject,
}

/// One decision. It speaks of a picture, not of a name alone: of a candidate that has changed since, nothing was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub name: String,
    /// The candidate; `None` where the case is gone.
    pub hash: Option<PixelHash>,
    pub decision: Verb,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl Decision {
    /// What is said of the picture that a record names.
    pub fn new(record: &CaseRecord, decision: Verb, reason: &str) -> Decision {
        Decision { name: record.name.clone(), hash: record.hash, decision, reason: reason.into() }
    }
}

/// Reads a `decisions.json` of a report's page (a document with a list), or lines of decisions.
///
/// Errors: the line that is none, from 1, and why.
pub fn parse_decisions(text: &str) -> Result<Vec<Decision>, (usize, String)> {
    #[derive(Deserialize)]
    struct Document {
        decisions: Vec<Decision>,
    }
    // Editors may have marked its start.
    let text = text.trim_start_matches('\u{feff}');
    if let Ok(document) = serde_json::from_str::<Document>(text) {
        return Ok(document.decisions);
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(index, line)| serde_json::from_str(line).map_err(|error| (index + 1, error.to_string()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_and_lines_are_read() {
        let hash = PixelHash([1; 32]);
        let one = Decision { name: "a/b".into(), hash: Some(hash), decision: Verb::Accept, reason: String::new() };
        let line = serde_json::to_string(&one).unwrap();
        assert_eq!(parse_decisions(&format!("{line}\n\n{line}\n")), Ok(vec![one.clone(), one.clone()]));
        let document = format!("{{\"schema\":\"decisions/1\",\"decisions\":[{line}]}}");
        assert_eq!(parse_decisions(&format!("\u{feff}{document}")), Ok(vec![one.clone()]));
        assert_eq!(parse_decisions(&document), Ok(vec![one]));
        assert_eq!(parse_decisions("{}\n").unwrap_err().0, 1);
    }
}
