//! Capture: what each pass wrote, read back as soon as it has, and hashed.
//!
//! In: a frame that is being drawn. Out: a hash a pass, and a draw where that is asked for. Reading back changes nothing: the same
//! passes run in the same order; one that is looked at draw by draw is begun anew for each, on what it left.

use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use super::adapter::RenderError;
use super::frame::Frame;
use super::object::Batch;
use super::readback::{self, Pending};
use crate::asset::Store;
use crate::frame::{Format, Part, PassKind};
use crate::view::Shot;

/// How closely a frame is looked at while it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Capture {
    #[default]
    Off,
    /// A hash a pass.
    Passes,
    /// Also one after each draw, and the texels of each pass.
    Draws,
}

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

/// A level of a target, layers one below the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texels {
    pub format: Format,
    pub width_px: u32,
    pub height_px: u32,
    pub bytes: Vec<u8>,
}

/// Draws of one pass that are looked at; what comes behind is looked at together.
const DRAWS_MAX: usize = 512;

/// A stretch of a pass's draws: all of them, unless draws are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub draws: Range<usize>,
    pub count: usize,
}

impl Stretch {
    pub fn all(count: usize) -> Stretch {
        Stretch { draws: 0..count, count }
    }

    /// Whether the targets are cleared first.
    pub fn is_first(&self) -> bool {
        self.draws.start == 0
    }

    pub fn is_last(&self) -> bool {
        self.draws.end == self.count
    }

    /// The part of a list that begins at draw `offset`.
    pub fn of<'a>(&self, list: &'a [Batch], offset: usize) -> &'a [Batch] {
        let at = |index: usize| index.saturating_sub(offset).min(list.len());
        &list[at(self.draws.start)..at(self.draws.end)]
    }

    pub fn holds(&self, index: usize) -> bool {
        self.draws.contains(&index)
    }
}

/// The stretches that a pass of so many draws is recorded in.
pub fn stretches(capture: Capture, count: usize) -> Vec<Stretch> {
    if capture != Capture::Draws || count < 2 {
        return vec![Stretch::all(count)];
    }
    let end = |index: usize| if index + 1 == DRAWS_MAX.min(count) { count } else { index + 1 };
    (0..DRAWS_MAX.min(count)).map(|index| Stretch { draws: index..end(index), count }).collect()
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

/// What `kind` has written; records copies of what cannot be seen where it lies.
pub fn record(encoder: &mut wgpu::CommandEncoder, frame: &Frame<'_>, kind: PassKind) -> Written {
    let device = frame.device();
    let names: &[&str] = match kind {
        PassKind::Radiance => &["radiance"],
        PassKind::Harmonics => &[],
        PassKind::Prefilter => &["specular"],
        PassKind::SunMap(_) => &["sun_maps"],
        PassKind::LocalMap(_) => &["local_maps"],
        PassKind::Scene => &["linear"],
        PassKind::Aov => &["normal_depth", "albedo_id"],
        PassKind::Motion => &["motion"],
        PassKind::Encode => &["encoded"],
    };
    let mut parts = Vec::new();
    for name in names {
        let (planned, texture) = (frame.planned(name), frame.target(name));
        let (first_layer, layers) = match kind {
            PassKind::SunMap(layer) | PassKind::LocalMap(layer) => (layer, 1),
            _ => (0, planned.layers),
        };
        for level in 0..planned.levels {
            let part = Part { level, first_layer, layers };
            let texels = match frame.gpu().contract {
                Some(_) => Place::There(texture.clone()),
                None => Place::Pending(readback::record(device, encoder, texture, part)),
            };
            let [width_px, rows] = planned.part_size(part);
            parts.push(Lot { format: Some(planned.format), part, width_px, rows, texels });
        }
    }
    if kind == PassKind::Harmonics {
        let pending = readback::record_buffer(device, encoder, &frame.around().uniform);
        let width_px = frame.around().uniform.size() as u32;
        parts.push(Lot { format: None, part: Part::WHOLE, width_px, rows: 1, texels: Place::Pending(pending) });
    }
    Written { parts }
}

impl Written {
    /// Waits for the copies. The hash counts format, level and size of each.
    ///
    /// Texels are summed up by XXH3 of 128 bits, several times as fast as BLAKE3 and no weaker against accidents; nobody proves anything with
    /// the hash of a pass.
    pub fn take(self, frame: &Frame<'_>, keep: bool) -> Result<(blake3::Hash, Option<Texels>), RenderError> {
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
                        let device = frame.device();
                        let shown = stillframe_soft::show_texels(device, &texture, part.level, layer, &mut see);
                        assert!(shown, "targets that are read have one sample");
                    }
                }
                Place::Pending(pending) => pending.each_row(frame.gpu(), &mut see)?,
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
    let node = object_ids.first().map_or(String::new(), |id| shot.object_names[*id as usize - 1].clone());
    let more = object_ids.len().saturating_sub(1);
    DrawCapture {
        hash,
        node: if more == 0 { node } else { format!("{node} and {more} more") },
        material: store.material(batch.material).name.clone(),
        pipeline: batch.key.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_cover_every_draw_once() {
        for count in [0, 1, 2, 5, DRAWS_MAX - 1, DRAWS_MAX, DRAWS_MAX + 1, 2000] {
            for capture in [Capture::Off, Capture::Passes, Capture::Draws] {
                let all = stretches(capture, count);
                assert!(all[0].is_first() && all.last().unwrap().is_last(), "{count}");
                assert!(all.windows(2).all(|pair| pair[0].draws.end == pair[1].draws.start));
                assert_eq!(all.last().unwrap().draws.end, count);
                assert!(all.len() <= DRAWS_MAX && (capture == Capture::Draws || all.len() == 1));
            }
        }
    }
}
