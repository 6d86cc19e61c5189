//! Blank: what is written of a surface of which nothing is kept until it is shaded.

use std::fmt::Write;

use super::emit::{base_line, cut, fragment_in};
use super::{Gbuffer, Kept, Key, Variant};

/// The types of what is written.
fn texels(kept: Kept) -> &'static [&'static str] {
    match kept {
        Kept::Stored(Gbuffer::Exact) => &["vec4f", "vec4f", "vec4f", "vec4f", "vec2u"],
        Kept::Stored(Gbuffer::Packed) => &["vec4f", "vec2u", "vec4f", "vec2u"],
        Kept::Stored(Gbuffer::Shape) => &["vec4f", "vec4f"],
        Kept::Stored(Gbuffer::Ids) => &["vec2u"],
        Kept::Light => &["vec4f"],
    }
}

/// Zeros, which no other surface writes.
pub fn blank(key: &Key, out: &mut String) {
    let Variant::Blank(kept) = key.variant else { unreachable!("{key} is kept") };
    out.push_str("struct Blank {\n");
    for (at, texel) in texels(kept).iter().enumerate() {
        _ = writeln!(out, "    @location({at}) texel_{at}: {texel},");
    }
    let inputs = if key.reads_pixels() { fragment_in(key) } else { "" };
    _ = writeln!(out, "}}\n\n@fragment\nfn fragment({inputs}) -> Blank {{");
    if key.reads_pixels() {
        out.push_str(&base_line(key));
        out.push_str(&cut(key, "base.w"));
    }
    out.push_str("    return Blank();\n}\n");
}
