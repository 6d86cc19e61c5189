//! States that are data of materials.

use super::StateEdit;
use crate::asset::{Filter, Store, TextureSlot, Wrap};

/// Changes how textures are sampled.
pub fn edit_samplers(edits: &[StateEdit], store: &mut Store) {
    for material in store.materials.as_mut_slice() {
        material.textures.values_mut().for_each(|slot| edit_sampler(edits, slot));
    }
}

fn edit_sampler(edits: &[StateEdit], slot: &mut TextureSlot) {
    if edits.contains(&StateEdit::SampleNearest) {
        (slot.mag_filter, slot.min_filter) = (Filter::Nearest, Filter::Nearest);
        slot.mip_filter = slot.mip_filter.map(|_| Filter::Nearest);
    }
    if edits.contains(&StateEdit::SampleIsotropic) {
        slot.anisotropy = 1;
    }
    if edits.contains(&StateEdit::SampleClamped) {
        slot.wrap = [Wrap::Clamp; 2];
    }
}
