//! The first and the last line of a run, and its clusters.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::inputs::InputChanges;
use super::record::CaseRecord;
use super::status::{Status, Tally};

/// The first line of `run.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunHeader {
    /// Name of the folder.
    pub id: String,
    /// As it was typed.
    pub command: Vec<String>,
    /// `soft/1`, and what the adapter tells of itself.
    pub adapter: String,
    pub adapter_details: String,
    /// Of the project, where it is under version control.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub commit: String,
    /// `2/4` where the run is a part of one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub partition: String,
    /// Planted fault whose pictures the run has. Empty: none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub fault: String,
    /// Name of the picture store.
    pub store: String,
    /// Of tests of a program: the folder of references, from the project's. Empty: the project's own.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub references: String,
    /// Whether the run has no end: tests of a program of one's own join it as they fail.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_open: bool,
    /// Cases that were to be run.
    pub case_count: u32,
}

/// The last line of `run.jsonl`. A run without one was cut off.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunEnd {
    #[serde(flatten)]
    pub tally: Tally,
    pub exit_status: u8,
    pub wall_ms: f64,
    pub clusters: Vec<Cluster>,
}

/// Failures that look like one cause: the same change of their inputs. Where these are the reference's, the first pass
/// that differs, the pipeline of its first draw, and whether it became brighter or darker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cluster {
    /// `c1` is the largest.
    pub id: String,
    /// What of the inputs changed, in words; the rest is empty then.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub input: String,
    pub pass: String,
    pub pipeline: String,
    pub sign: String,
    /// Names, sorted.
    pub cases: Vec<String>,
}

impl Cluster {
    /// One line for people.
    pub fn words(&self) -> String {
        if !self.input.is_empty() {
            return self.input.clone();
        }
        let mut parts = Vec::new();
        if !self.pass.is_empty() {
            parts.push(format!("first in pass {}", self.pass));
        }
        if !self.pipeline.is_empty() {
            parts.push(format!("pipeline {}", self.pipeline));
        }
        if !self.sign.is_empty() {
            parts.push(self.sign.clone());
        }
        if parts.is_empty() { "cause unknown".into() } else { parts.join(", ") }
    }
}

/// Groups the records that differ by cause, names the groups by size, and writes each record's into it.
pub fn clusters(records: &mut [CaseRecord]) -> Vec<Cluster> {
    let key = |record: &CaseRecord| {
        let why = record.why_differs.as_ref().filter(|_| record.status == Status::Differs)?;
        match &record.inputs {
            Some(inputs) if inputs.known && inputs.count > 0 => {
                return Some(match inputs.cause() {
                    Some(cause) => Key { input: cause, ..Key::default() },
                    None => Key { alone: record.name.clone(), ..Key::default() },
                });
            }
            // It may have changed by itself.
            Some(inputs) if !inputs.known => return Some(Key { alone: record.name.clone(), ..Key::default() }),
            _ => {}
        }
        let name = |place: &Option<super::Place>| place.as_ref().map(|p| p.name.clone()).unwrap_or_default();
        // Numbers of layers are not causes: `sun map 0` and `sun map 1` are one pass to blame.
        let pass = name(&why.first_pass).trim_end_matches(|c: char| c.is_ascii_digit()).trim_end().to_string();
        let pipeline = why.first_draw.as_ref().map(|draw| draw.pipeline.clone()).unwrap_or_default();
        Some(Key { pass, pipeline, sign: why.sign.clone(), ..Key::default() })
    };
    let mut groups: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        if let Some(key) = key(record) {
            groups.entry(key).or_default().push(index);
        }
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    // Stable: groups of one size stay in the order of their causes.
    groups.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    let mut out = Vec::new();
    for (number, (key, members)) in groups.into_iter().enumerate() {
        let id = cluster_id(number);
        for index in &members {
            if let Some(why) = &mut records[*index].why_differs {
                why.cluster.clone_from(&id);
            }
        }
        let mut cases: Vec<String> = members.iter().map(|index| records[*index].name.clone()).collect();
        cases.sort();
        let first = &records[members[0]];
        let input = first.inputs.as_ref().map(InputChanges::cause_words).unwrap_or_default();
        out.push(Cluster { id, input, pass: key.pass, pipeline: key.pipeline, sign: key.sign, cases });
    }
    out
}

/// What failures of one cause have in common.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    pass: String,
    pipeline: String,
    sign: String,
    /// The changes of the inputs, where there are any.
    input: String,
    /// A name, of a case that is joined with no other.
    alone: String,
}

/// `c1`, `c2` ... from an index.
pub fn cluster_id(index: usize) -> String {
    format!("c{}", index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{InputChange, Place, Why};

    fn differing(name: &str, pass: &str, pipeline: &str, sign: &str) -> CaseRecord {
        let place = |name: &str| Some(Place { name: name.into(), pipeline: pipeline.into(), ..Place::default() });
        let why = Why { first_pass: place(pass), first_draw: place("ground"), sign: sign.into(), ..Why::default() };
        CaseRecord { name: name.into(), status: Status::Differs, why_differs: Some(why), ..CaseRecord::default() }
    }

    #[test]
    fn one_cause_is_one_row() {
        let mut records: Vec<_> = (0..300).map(|n| differing(&format!("s/{n:03}"), "encode", "", "darker")).collect();
        records.push(differing("shadow/a", "sun map 0", "caster", "mixed"));
        records.push(differing("shadow/b", "sun map 1", "caster", "mixed"));
        records.push(CaseRecord::without_picture("x/y", Status::Crash, ""));
        let found = clusters(&mut records);
        let rows: Vec<_> = found.iter().map(|c| (c.id.as_str(), c.pass.as_str(), c.cases.len())).collect();
        assert_eq!(rows, [("c1", "encode", 300), ("c2", "sun map", 2)]);
        assert_eq!(records[0].why_differs.as_ref().unwrap().cluster, "c1");
        assert_eq!(records[301].why_differs.as_ref().unwrap().cluster, "c2");
    }

    /// Every change of geometry is first seen in the sun's map: that is no common cause.
    #[test]
    fn cases_whose_own_inputs_changed_are_not_joined() {
        let changed = |path: &str, old: &str| InputChanges {
            known: true,
            count: 1,
            changes: vec![InputChange {
                file: format!("{path}.toml"),
                path: path.into(),
                old: Some(old.into()),
                new: Some("2".into()),
            }],
        };
        let with = |name: &str, inputs: Option<InputChanges>| CaseRecord {
            inputs,
            ..differing(name, "sun map 0", "shadow opaque", "mixed")
        };
        let mut records = vec![
            with("a/clip", Some(changed("clip.speed", "1"))),
            with("b/radius", Some(changed("node.ring.radius_m", "1"))),
            with("c/radius", Some(changed("node.ring.radius_m", "1"))),
            with("d/radius", Some(changed("node.ring.radius_m", "3"))),
            with("e/unknown", Some(InputChanges::unknown())),
            with("f/unknown", Some(InputChanges::unknown())),
            with("g/same", Some(InputChanges::none())),
            with("h/same", Some(InputChanges::none())),
            with("i/other program", None),
        ];
        let found = clusters(&mut records);
        let groups: Vec<Vec<&str>> =
            found.iter().map(|cluster| cluster.cases.iter().map(String::as_str).collect()).collect();
        assert_eq!(groups[0], ["g/same", "h/same", "i/other program"]);
        assert_eq!(groups[1], ["b/radius", "c/radius"]);
        assert!(groups[2..].iter().all(|group| group.len() == 1), "{groups:?}");
        assert_eq!(found[0].words(), "first in pass sun map, pipeline shadow opaque, mixed");
        assert_eq!(found[1].words(), "node.ring.radius_m 1 -> 2");
    }
}
