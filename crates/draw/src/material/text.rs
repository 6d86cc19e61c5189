//! Text: the WGSL of a key, by what its shader is for.

use super::blank::blank;
use super::emit::{aov, counted, cut_out, lit, module, motion, veil};
use super::fetch::{fetched, ids};
use super::gbuffer::{shade, store};
use super::layers::layer;
use super::sums::sums;
use super::{Blending, Gbuffer, Key, Variant};

/// The module of a key: vertex function `vertex`, or `screen` where it is one, and fragment function `fragment`.
pub fn emit(key: &Key) -> String {
    let fragment: fn(&Key, &mut String) = match key.variant {
        Variant::Blending(Blending::Counted) => counted,
        Variant::Lit | Variant::Blending(_) | Variant::Summed(_) | Variant::Irradiance | Variant::Round(_) => lit,
        Variant::Aov => aov,
        Variant::Motion => motion,
        Variant::Depth => cut_out,
        Variant::Blank(_) => blank,
        Variant::Veil => veil,
        Variant::Store(Gbuffer::Ids) => ids,
        Variant::Store(_) => store,
        Variant::Fetched => fetched,
        Variant::Shade(_) => shade,
        Variant::Sums(_) => sums,
        Variant::Layer(_) => layer,
    };
    module(key, fragment)
}
