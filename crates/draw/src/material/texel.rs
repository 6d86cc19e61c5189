//! Texel: the WGSL that reads a slot's texture.

use std::fmt::Write;

use super::Key;
use super::layout::uv_row;
use crate::asset::Slot;

/// The coordinates of a slot's texture, by its uv set and transform: lines, and what they are called.
pub fn coordinates(key: &Key, slot: Slot) -> (String, String) {
    let own_place = slot.row().at;
    if !own_place.is_empty() {
        return (String::new(), own_place.to_string());
    }
    let (name, at) = (slot.name(), uv_row(key.inputs.textures, slot));
    if key.inputs.on_screen.has(slot) {
        return (String::new(), "picture_px(in.position.xy) * view.size.zw".to_string());
    }
    let mut uv = "in.uv0".to_string();
    if key.streams.uv1 {
        uv = format!("select(in.uv0, in.uv1, material.uv[{}].z > 0.5)", at + 1);
    }
    let mut out = format!("    let {name}_uv = {uv};\n");
    if !key.inputs.uv_transform {
        return (out, format!("{name}_uv"));
    }
    _ = writeln!(
        out,
        "    let {name}_rows = material.uv[{at}];
    let {name}_at = vec2f(dot({name}_rows.xy, {name}_uv), dot({name}_rows.zw, {name}_uv)) + material.uv[{}].xy;",
        at + 1
    );
    (out, format!("{name}_at"))
}

/// `let NAME = textureSample(...)`.
pub fn texel(key: &Key, slot: Slot) -> String {
    let (mut out, coordinates) = coordinates(key, slot);
    let name = slot.name();
    _ = writeln!(out, "    let {name}_texel = textureSample({name}_texture, {name}_sampler, {coordinates});");
    out
}
