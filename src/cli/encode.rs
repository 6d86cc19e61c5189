//! Encode: pictures become the bytes of files.

use std::collections::BTreeMap;

use serde_json::Value;
use stillframe_base::par::Pool;
use stillframe_frames::{ExrLayer, Picture, PngEffort, encode_exr, encode_npy, encode_png};

use super::form::Form;
use super::status::Failure;
use crate::scene::Aov;
use crate::take::{Take, for_looking};

/// The bytes of a file of one of the still forms. `texts`: what stands in an EXR's header.
pub fn encode(
    form: Form,
    pictures: &[(Aov, Picture)],
    texts: &BTreeMap<&str, String>,
    pool: &Pool,
) -> Result<Vec<u8>, Failure> {
    let fault = |error: &dyn std::fmt::Display| Failure::Fault(error.to_string());
    match form {
        Form::Png => {
            let (aov, picture) = &pictures[0];
            encode_png(&looked_at(*aov, picture), PngEffort::Fast).map_err(|error| fault(&error))
        }
        Form::Npy => Ok(encode_npy(&pictures[0].1)),
        Form::Exr => {
            let layers: Vec<ExrLayer<'_>> =
                pictures.iter().map(|(aov, picture)| ExrLayer { channels: channels(*aov), picture }).collect();
            let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
            encode_exr(&layers, &texts, pool).map_err(|error| fault(&error))
        }
        Form::Apng => unreachable!("animations are written a frame at a time"),
    }
}

/// A picture as people look at it: colour as it is, numbers mapped.
pub fn looked_at(aov: Aov, picture: &Picture) -> Picture {
    match aov {
        Aov::Color if picture.channel_count > 0 && is_encoded(picture) => picture.clone(),
        _ => for_looking(aov, picture),
    }
}

fn is_encoded(picture: &Picture) -> bool {
    matches!(picture.samples, stillframe_frames::Samples::U8(_) | stillframe_frames::Samples::U16(_))
}

/// Names of an EXR's channels.
fn channels(aov: Aov) -> &'static [&'static str] {
    match aov {
        Aov::Color => &["R", "G", "B", "A"],
        Aov::Depth => &["depth.Z"],
        Aov::Normal => &["normal.X", "normal.Y", "normal.Z"],
        Aov::Albedo => &["albedo.R", "albedo.G", "albedo.B"],
        Aov::Id => &["id.I"],
        Aov::Motion => &["motion.X", "motion.Y"],
    }
}

/// What an EXR says about itself: which object has which number, what drew it and of which scene. Nothing of this run.
pub fn texts(taken: &Take) -> BTreeMap<&'static str, String> {
    let ids = taken.object_names.iter().enumerate();
    let ids =
        ids.map(|(index, name)| format!("{}:{}", Value::from((index + 1).to_string()), Value::from(name.as_str())));
    let mut out = BTreeMap::from([
        ("stillframe.ids", format!("{{{}}}", ids.collect::<Vec<_>>().join(","))),
        ("stillframe.contract", taken.stats.contract.map_or("none".to_string(), |contract| contract.to_string())),
    ]);
    if let Some(hash) = &taken.scene_hash {
        out.insert("stillframe.scene", hash.clone());
    }
    out
}
