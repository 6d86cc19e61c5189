//! Record: what is kept of one case.

use serde::{Deserialize, Serialize};

use super::inputs::InputChanges;
use super::status::Status;
use crate::{Owner, PixelHash};

/// One line of `run.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CaseRecord {
    /// `FAMILY/BEHAVIOUR[VARIANT]@MOMENT#AOV`, the last three where they say something.
    pub name: String,
    pub status: Status,
    /// Why, in words, where the status does not say it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The scene's file, from the project's folder.
    pub scene: String,
    /// Why the case is there.
    pub why: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Who drew it: `soft/1`.
    pub adapter: String,
    /// Who compares it.
    #[serde(skip_serializing_if = "Owner::is_scene")]
    pub owner: Owner,
    pub size_px: [u32; 2],
    /// `rgb8`, `r32f` ...
    pub format: String,
    /// Of the new picture.
    pub hash: Option<PixelHash>,
    /// Of the reference.
    pub want: Option<PixelHash>,
    /// Root of the hashes of all passes, new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes_root: Option<PixelHash>,
    /// Whether the reference names other hashes of passes or another list of inputs, or none, though the picture is the
    /// same.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub passes_changed: bool,
    /// Passes that the root stands for.
    #[serde(skip_serializing_if = "is_zero")]
    pub pass_count: u32,
    /// Hash of all that went in: scene, files, settings, program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<PixelHash>,
    /// Of the scene and every file it reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene_hash: Option<PixelHash>,
    /// Of the list of what went in: [`crate::run::Inputs`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs_root: Option<PixelHash>,
    /// What of it is not the reference's, where something failed beside a reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<InputChanges>,
    /// The name of the reference that has these pixels, and no case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
    /// Where the pictures part, and why; only where there are two.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub why_differs: Option<Why>,
    /// Pictures of the run by what they show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_picture: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_picture: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff_picture: Option<String>,
    /// Objects by colour, to be laid over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_picture: Option<String>,
    /// Every pass in order, where something failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<PassRecord>,
    /// Other routes or repetitions that gave another picture: its name and its hash.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_hashes: Vec<(String, PixelHash)>,
    /// From the scene's text to its pixels.
    pub render_ms: f64,
    /// Hashing, comparing, writing.
    pub overhead_ms: f64,
    /// Longer than the project calls slow.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub slow: bool,
    /// What runs it again.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub command: String,
}

/// Where two pictures part, and why.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// Pixels that differ.
    pub pixels: u64,
    /// 0..=1, of all pixels.
    pub share: f64,
    /// The largest difference of a channel, in the samples' own unit; infinite where a number became NaN or infinity.
    #[serde(deserialize_with = "null_is_infinite")]
    pub max: f64,
    /// What `max` is measured against: 255, 65535, or 1.
    pub full_scale: f64,
    /// Left, top, right, bottom, ends included.
    #[serde(rename = "box")]
    pub bounds_px: [u32; 4],
    /// `lsb`, `edge`, `gain`, `area`, joined by `+`.
    pub class: String,
    /// `brighter`, `darker` or `mixed`.
    pub sign: String,
    /// Differing pixels by the size of their difference, each step twice the one before, from the first that holds any.
    pub histogram: Vec<u64>,
    /// Mean FLIP over the whole picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flip_mean: Option<f64>,
    /// 64x64 tiles that differ, in rows: `x y` of each.
    pub tiles: Vec<[u32; 2]>,
    /// The first pass whose output is not the reference's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_pass: Option<Place>,
    /// The first draw of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_draw: Option<Place>,
    /// What the changed pixels lie on, the most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectShare>,
    /// Name of the cluster it belongs to: `c1`, `c2` ...
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cluster: String,
}

/// JSON has no infinity: it is written as null.
fn null_is_infinite<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
}

/// A pass of a frame or a draw of a pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// From 0.
    pub index: u32,
    pub count: u32,
    pub name: String,
    /// Of a draw: its shader and state.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pipeline: String,
}

/// How much of a difference lies on one object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ObjectShare {
    pub node: String,
    pub material: String,
    /// 0..=1, of the pixels that differ.
    pub share: f64,
    /// `#rrggbb`: how the object is painted in the case's picture of objects.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub color: String,
}

/// One pass of a frame, in a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PassRecord {
    pub name: String,
    /// `None` where the reference knows no such pass.
    pub old: Option<PixelHash>,
    pub new: Option<PixelHash>,
    /// A picture of what it wrote, small enough for a strip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_picture: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_picture: Option<String>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl CaseRecord {
    /// A case that ended without a picture.
    pub fn without_picture(name: &str, status: Status, message: impl Into<String>) -> CaseRecord {
        CaseRecord { name: name.into(), status, message: Some(message.into()), ..CaseRecord::default() }
    }

    /// Says something more.
    pub fn add_message(&mut self, words: &str) {
        self.message = Some(self.message.take().map_or(words.to_string(), |first| format!("{first}; {words}")));
    }

    /// `(family, behaviour)`: the folder of its lock file, and its name there.
    pub fn split_name(&self) -> (&str, &str) {
        split_name(&self.name)
    }
}

/// `shadow/edge[samples=4]` is `edge[samples=4]` of the family `shadow`; slashes of a variant's values belong to it.
pub fn split_name(name: &str) -> (&str, &str) {
    let end = name.find(['[', '@', '#']).unwrap_or(name.len());
    match name[..end].rfind('/') {
        Some(at) => (&name[..at], &name[at + 1..]),
        None => ("", name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_before_their_variant() {
        for (name, want) in [
            ("shadow/edge", ("shadow", "edge")),
            ("a/b/c[file=x/y.png]@0.5s#depth", ("a/b", "c[file=x/y.png]@0.5s#depth")),
            ("alone@3", ("", "alone@3")),
        ] {
            assert_eq!(split_name(name), want);
        }
    }

    #[test]
    fn a_record_comes_back_from_its_line() {
        let why = Why {
            pixels: 7,
            share: 0.25,
            first_pass: Some(Place { name: "scene".into(), ..Place::default() }),
            ..Why::default()
        };
        let full = CaseRecord {
            name: "a/b".into(),
            status: Status::Differs,
            hash: Some(PixelHash([3; 32])),
            why_differs: Some(why),
            render_ms: 1.5,
            ..CaseRecord::default()
        };
        let mut endless = full.clone();
        endless.why_differs.as_mut().unwrap().max = f64::INFINITY;
        for record in [full, endless, CaseRecord::without_picture("x/y", Status::Crash, "signal 6")] {
            let line = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<CaseRecord>(&line).unwrap(), record, "{line}");
        }
    }
}
