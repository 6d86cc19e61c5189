//! Texel: the WGSL that reads a slot's texture.

use std::fmt::Write;

use super::Key;
use super::layout::uv_row;
use crate::asset::Slot;

/// `let NAME = textureSample(...)`, with the slot's uv set and transform.
pub fn texel(key: &Key, slot: Slot) -> String {
    let (name, at) = (slot.name(), uv_row(key.inputs.textures, slot));
    let mut uv = "in.uv0".to_string();
    if key.streams.uv1 {
        uv = format!("select(in.uv0, in.uv1, material.uv[{}].z > 0.5)", at + 1);
    }
    let own_place = slot.row().at;
    if !own_place.is_empty() {
        return format!("    let {name}_texel = textureSample({name}_texture, {name}_sampler, {own_place});\n");
    }
    let mut out = format!("    let {name}_uv = {uv};\n");
    let mut coordinates = format!("{name}_uv");
    if key.inputs.uv_transform {
        _ = writeln!(
            out,
            "    let {name}_rows = material.uv[{at}];
    let {name}_at = vec2f(dot({name}_rows.xy, {name}_uv), dot({name}_rows.zw, {name}_uv)) + material.uv[{}].xy;",
            at + 1
        );
        coordinates = format!("{name}_at");
    }
    _ = writeln!(out, "    let {name}_texel = textureSample({name}_texture, {name}_sampler, {coordinates});");
    out
}
