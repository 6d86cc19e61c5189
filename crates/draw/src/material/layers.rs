//! Layers: what items draw into a layer of its own: a row of `scene::LAYERS`, and the text around its expression.
//!
//! Light is summed as `emit` sums it for the picture, by the same functions in the same order. Lists name the lights,
//! so one light is a list of one.

use std::fmt::Write;

use crate::scene::{Held, Reads};

use super::each_light::each_light;
use super::emit::{base_line, cut, declared, fragment_in, reads_late, shading, surface_functions};
use super::texel::coordinates;
use super::{Alpha, Key, LayerId, Variant};
use crate::asset::Slot;

/// All bits of an exponent: infinite, or no number.
const NOT_FINITE: &str = "fn not_finite(color: vec3f) -> u32 {
    let exponents = bitcast<vec3u>(color) & vec3u(0x7f800000u);
    return select(0u, 1u, any(exponents == vec3u(0x7f800000u)));
}

";

/// The fragment function of a layer, and what it calls.
pub fn layer(key: &Key, out: &mut String) {
    let Variant::Layer(id) = key.variant else { unreachable!("a key of a layer") };
    let (reads, held) = (id.reads(), id.row().held);
    let has_surface = reads >= Reads::Surface && !key.unlit;
    if has_surface {
        surface_functions(key, out);
    }
    if reads == Reads::Everything {
        out.push_str(NOT_FINITE);
    }
    let texel = if held == Held::Word { "u" } else { "f" };
    let inputs = if has_surface { "in: Varyings, @builtin(front_facing) front: bool" } else { fragment_in(key) };
    let triangle = if id.counts_triangles() { ", @builtin(primitive_index) triangle: u32" } else { "" };
    _ = writeln!(out, "@fragment\nfn fragment({inputs}{triangle}) -> @location(0) vec4{texel} {{");
    let mut late = String::new();
    if has_surface {
        let holes = cut(key, "s.alpha");
        _ = writeln!(out, "    {} s = surface(in, front);", declared(key));
        if reads_late(key) { late = holes } else { out.push_str(&holes) }
    } else if reads >= Reads::Emitted || key.alpha != Alpha::Opaque {
        _ = write!(out, "{}{}", base_line(key), cut(key, "base.w"));
    }
    match reads {
        Reads::Place | Reads::Surface => {}
        Reads::Texture => level(key, out),
        Reads::Emitted => _ = writeln!(out, "    let emitted = {};", if key.unlit { "base.xyz" } else { "s.emissive" }),
        Reads::Around => {
            let [ambient, _] = shading(key, &late, out);
            let around = if key.switches.environment { ambient.as_str() } else { "vec3f(0.0)" };
            _ = writeln!(out, "    let around = {around};");
        }
        Reads::Lights => lights(key, id, &late, out),
        Reads::Lists => {
            shading(key, &late, out);
            let list = if key.switches.lights { "cluster_list(in.position.xy, point)" } else { "vec2u(0u)" };
            _ = writeln!(out, "    let list = {list};");
        }
        Reads::Everything if key.unlit => out.push_str("    let total = base.xyz;\n"),
        Reads::Everything => {
            let [ambient, lobes] = shading(key, &late, out);
            let around = if key.switches.environment { format!("{ambient} + ") } else { String::new() };
            _ = writeln!(out, "    var total = {around}s.emissive;");
            each_light(key, &lobes, &|_| "        total += leaving;\n".to_string(), out);
        }
    }
    let (wgsl, zero) = (id.shader().wgsl, if held == Held::Word { "0u" } else { "0.0" });
    let zeros = format!(", {zero}").repeat(4 - id.row().channels.len());
    _ = writeln!(out, "    return vec4{texel}({wgsl}{zeros});\n}}");
}

/// `sum`, and what of the last light arrives.
fn lights(key: &Key, id: LayerId, late: &str, out: &mut String) {
    let [has_masks, has_maps] = ["unshadowed", "map_number"].map(|word| id.mentions(word));
    out.push_str(match (has_masks, has_maps) {
        (true, _) => "    var unshadowed = 1.0;\n    var reached = 0.0;\n",
        (_, true) => "    var map_number = 0.0;\n",
        _ => "    var sum = vec3f(0.0);\n",
    });
    if key.unlit {
        return;
    }
    let [_, lobes] = shading(key, late, out);
    let each = |shadowed: Option<&str>| {
        if has_maps {
            let held = |shadowed| {
                format!(
                    "        if {shadowed} {{
            let at = map_of(lights[i], point);
            map_number = select(0.0, f32(at - lights[i].shadow + 1), shadow_maps[at].layer >= 0);
        }}\n"
                )
            };
            return shadowed.map(held).unwrap_or_default();
        }
        if !has_masks {
            return "        sum += leaving;\n".to_string();
        }
        let mut lines = "        reached = select(0.0, 1.0, any(arriving.e > vec3f(0.0)));\n".to_string();
        if let Some(shadowed) = shadowed {
            let techniques = key.switches.techniques;
            let call = format!("visibility(lights[i], arriving.l, point, s.ng{})", techniques.pixel());
            let grey = techniques.grey(&call);
            _ = writeln!(lines, "        if {shadowed} {{\n            unshadowed = {grey};\n        }}");
        }
        lines
    };
    each_light(key, &lobes, &each, out);
}

/// The level of detail of a texture (WebGPU, 2024, "Level of detail"; Williams 1983): the logarithm of the longer side
/// of the pixel's footprint in texels.
fn level(key: &Key, out: &mut String) {
    if !key.has(Slot::BaseColor) {
        out.push_str("    let base_color_level = 0.0;\n");
        return;
    }
    let (lines, coordinates) = coordinates(key, Slot::BaseColor);
    _ = write!(
        out,
        "{lines}    let texels = {coordinates} * vec2f(textureDimensions(base_color_texture));
    let across = dpdx(texels);
    let down = dpdy(texels);
    let longer = max(dot(across, across), dot(down, down));
    let levels = f32(textureNumLevels(base_color_texture));
    let base_color_level = clamp(0.5 * log2(longer), 0.0, levels - 1.0);
"
    );
}
