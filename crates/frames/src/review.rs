//! Review: what decisions about a run's cases do. Nothing is rendered.

use std::io;

use crate::run::{CaseRecord, RunFolder, Status, read_picture, split_name};
use crate::store::{Change, Pixels};
use crate::{Format, LockLine};

/// What accepting a record does to the store: its picture becomes the reference, or the reference goes where the case
/// is gone. A record without a new picture keeps the one that the store has, with the hashes of its passes anew.
///
/// Of a case that was moved, this is the half that makes the new reference; [`changes`] has both.
///
/// Errors: a record that is not whole, a picture or a list of passes or inputs that cannot be read.
pub fn change(folder: &RunFolder, record: &CaseRecord) -> io::Result<Change> {
    let (family, name) = record.split_name();
    let (family, name) = (family.to_string(), name.to_string());
    if record.status == Status::Gone {
        return Ok(Change::Remove { family, name });
    }
    let wrong = || io::Error::other("the record is not whole");
    let passes = record.passes_root.map(|root| folder.passes(root)).transpose()?.flatten();
    let inputs = record.inputs_root.map(|root| folder.inputs(root)).transpose()?.flatten();
    let line = LockLine {
        name,
        adapter: record.adapter.clone(),
        width_px: record.size_px[0],
        height_px: record.size_px[1],
        format: Format::parse(&record.format).ok_or_else(wrong)?,
        pixels: record.hash.ok_or_else(wrong)?,
        passes: record.passes_root.filter(|_| passes.is_some()),
        scene: record.scene_hash,
        inputs: record.inputs_root.filter(|_| inputs.is_some()),
        owner: record.owner,
        reason: String::new(),
    };
    let pixels = match &record.new_picture {
        Some(name) => Pixels::Encoded(read_picture(folder.path(), name)?),
        None => Pixels::Kept,
    };
    Ok(Change::Set { family, line, pixels, passes, inputs })
}

/// All that accepting a record does: a case that was moved loses its reference under the old name.
///
/// Errors: as [`change`].
pub fn changes(folder: &RunFolder, record: &CaseRecord) -> io::Result<Vec<Change>> {
    let mut out = vec![change(folder, record)?];
    if let Some(from) = &record.moved_from {
        let (family, name) = split_name(from);
        out.push(Change::Remove { family: family.to_string(), name: name.to_string() });
    }
    Ok(out)
}
