//! Kept: of which opaque items a method of lighting keeps something until they are shaded. The others are shaded as
//! they are drawn.

use super::job::{Job, Skinning};
use super::lit::Lit;
use crate::asset::{Store, scatters};
use crate::material::{Bending, Gbuffer, Kept, Key, Streams, Variant, is_forward_only, is_summed};
use crate::view::DrawItem;

pub fn is_kept(kept: Kept, item: &DrawItem, job: &Job<'_>, lit: &Lit) -> bool {
    let material = job.store.material(item.material);
    if lit.scatters && scatters(material) {
        return false;
    }
    let key = || Key::new(Variant::Store(Gbuffer::Exact), material, streams(item, job.store), lit.switches);
    match kept {
        Kept::Stored(Gbuffer::Ids) => !bending(item, job.store, job.skinning).in_shader(),
        Kept::Stored(Gbuffer::Shape) => {
            let key = key();
            !is_forward_only(&key) && is_summed(material, &key)
        }
        Kept::Stored(Gbuffer::Exact | Gbuffer::Packed) => !is_forward_only(&key()),
        Kept::Light => !material.unlit,
    }
}

/// What an item's geometry has for each vertex.
pub fn streams(item: &DrawItem, store: &Store) -> Streams {
    let geometry = store.geometry(item.geometry);
    Streams { uv1: !geometry.uv1.is_empty(), colors: !geometry.colors.is_empty() }
}

/// What bends an item.
pub fn bending(item: &DrawItem, store: &Store, skinning: Skinning) -> Bending {
    match (item.bent, skinning) {
        _ if item.crowd.is_some() => Bending::Crowd,
        (None, _) => Bending::No,
        _ if store.bend(item.geometry).is_none() => Bending::Streams,
        (Some(_), Skinning::Cpu | Skinning::Compute) => Bending::Streams,
        (Some(_), Skinning::Vertex) => Bending::Vertex,
    }
}
