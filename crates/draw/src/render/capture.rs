//! Capture: what each pass wrote, read back as soon as it has, and hashed.
//!
//! In: a pass that has been recorded. Out: a hash a pass, and a draw where that is asked for. Reading back changes
//! nothing: the same passes run in the same order; one that is looked at draw by draw is begun anew for each, on what
//! it left.

use xxhash_rust::xxh3::Xxh3;

use super::adapter::{Gpu, RenderError};
use super::object::Batch;
use super::readback::{self, Pending};
use super::resources::Stored;
use super::texels::Texels;
use crate::asset::Store;
use crate::frame::{Format, Part, Pass, Plan, TargetId};
use crate::view::Shot;

/// What one pass wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct PassCapture {
    pub name: String,
    pub hash: blake3::Hash,
    /// After each draw.
    pub draws: Vec<DrawCapture>,
    /// The first level of what it wrote, where draws were asked for.
    pub texels: Option<Texels>,
}

/// One draw of a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawCapture {
    /// Of what the pass had written when it was done.
    pub hash: blake3::Hash,
    pub node: String,
    pub material: String,
    pub pipeline: String,
}

/// What a pass has written: where it lies, or on its way back.
#[derive(Debug)]
pub struct Written {
    parts: Vec<Lot>,
}

#[derive(Debug)]
struct Lot {
    format: Option<Format>,
    part: Part,
    width_px: u32,
    rows: u32,
    texels: Place,
}

#[derive(Debug)]
enum Place {
    /// In the software adapter's memory.
    There(wgpu::Texture),
    Pending(Pending),
}

/// What a pass leaves; records copies of what cannot be seen where it lies. `stored` is what holds a target.
pub fn record<'s>(
    encoder: &mut wgpu::CommandEncoder,
    gpu: &Gpu,
    (plan, pass): (&Plan, &Pass),
    stored: impl Fn(TargetId) -> &'s Stored,
) -> Written {
    let mut parts: Vec<Lot> = Vec::new();
    let mut seen = Vec::new();
    for usage in pass.leaves() {
        // Once, in however many ways the pass writes it. Nobody can read samples, but the picture that they become.
        if seen.contains(&(usage.target, usage.part)) || plan.targets[usage.target.0].samples > 1 {
            continue;
        }
        seen.push((usage.target, usage.part));
        let (part, target) = (usage.part, &plan.targets[usage.target.0]);
        let texels = match (stored(usage.target), gpu.contract) {
            (Stored::Texture(texture), Some(_)) => Place::There(texture.clone()),
            (stored, _) => Place::Pending(readback::record_part(&gpu.device, encoder, stored, part)),
        };
        let [width_px, rows] = target.part_size(part);
        parts.push(Lot { format: target.format, part, width_px, rows, texels });
    }
    Written { parts }
}

impl Written {
    /// Waits for the copies. The hash counts format, level and size of each.
    ///
    /// Texels are summed up by XXH3 of 128 bits, several times as fast as BLAKE3 and no weaker against accidents;
    /// nobody proves anything with the hash of a pass.
    pub fn take(self, gpu: &Gpu, keep: bool) -> Result<(blake3::Hash, Option<Texels>), RenderError> {
        let mut hasher = blake3::Hasher::new();
        let mut kept = None;
        for Lot { format, part, width_px, rows, texels } in self.parts {
            hasher.update(format!("{format:?} {} {width_px} {rows}\n", part.level).as_bytes());
            let mut sum = Xxh3::new();
            let mut bytes = Vec::new();
            let kept_format = format.filter(|_| keep && kept.is_none());
            let mut see = |texels: &[u8]| {
                sum.update(texels);
                if kept_format.is_some() {
                    bytes.extend_from_slice(texels);
                }
            };
            match texels {
                Place::There(texture) => {
                    for layer in part.first_layer..part.first_layer + part.layers {
                        let shown = stillframe_soft::show_texels(&gpu.device, &texture, part.level, layer, &mut see);
                        assert!(shown, "targets that are read have one sample");
                    }
                }
                Place::Pending(pending) => pending.each_row(gpu, &mut see)?,
            }
            hasher.update(&sum.digest128().to_le_bytes());
            if let Some(format) = kept_format {
                kept = Some(Texels { format, width_px, height_px: rows, bytes });
            }
        }
        Ok((hasher.finalize(), kept))
    }
}

/// Who a draw is, for people.
pub fn named(batch: &Batch, object_ids: &[u32], shot: &Shot, store: &Store, hash: blake3::Hash) -> DrawCapture {
    // Squares of lights' functions are no objects.
    let place = object_ids.first().and_then(|id| id.checked_sub(1));
    let node = place.map_or(String::new(), |at| shot.object_names[at as usize].clone());
    let more = object_ids.len().saturating_sub(1);
    DrawCapture {
        hash,
        node: if more == 0 { node } else { format!("{node} and {more} more") },
        material: store.material(batch.material).name.clone(),
        pipeline: batch.key.to_string(),
    }
}
