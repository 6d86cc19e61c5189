//! Emit: a key's WGSL. What differs between keys is written here; what is the same stands in `shader`.

use std::fmt::Write;

use stillframe_graph::Output;

use crate::asset::{Hook, Slot};
use crate::light::{self, Asks};
use crate::shader;

use super::each_light::each_light;
use super::layout::{graph_binding, sampler_binding, texture_binding};
use super::model::{self, model_text};
use super::texel::texel;
use super::vertex::{has_point, vertex};
use super::{Alpha, Bending, Blending, Gbuffer, Key, Round, Variant, graph};
use crate::scene::Sums;

/// The module of a key, whose fragment function `fragment` writes, with what it needs of the key alone.
pub fn module(key: &Key, fragment: fn(&Key, &mut String)) -> String {
    let mut own = String::new();
    if !key.is_screen() {
        declare_material(key, &mut own);
        vertex(key, &mut own);
    }
    if let Some(program) = &key.inputs.graph {
        graph::functions(key, program, &mut own);
    }
    if key.reads_pixels() {
        sample(key, &mut own);
    }
    fragment(key, &mut own);
    let of_items = if key.is_screen() { shader::SCREEN } else { shader::OBJECT };
    let mut parts = vec![shader::COMMON, of_items];
    let counts = match key.variant {
        Variant::Layer(id) => id.counts_triangles(),
        variant => variant == Variant::Store(Gbuffer::Ids),
    };
    if counts {
        parts.insert(0, "enable primitive_index;\n");
    }
    let stores = matches!(key.variant, Variant::Store(how) if how != Gbuffer::Ids);
    if key.has_surface() || stores || key.is_screen() {
        let is_own = key.reflection && !stores;
        parts.extend([shader::LOBES, if is_own { shader::REFLECTION } else { shader::DIELECTRIC }]);
    }
    if key.variant == Variant::Motion {
        parts.push(shader::MOTION);
    }
    parts.extend(match key.variant {
        Variant::Store(how) => how.store_parts(),
        Variant::Shade(how) => how.load_parts(),
        Variant::Sums(_) => Gbuffer::Shape.load_parts(),
        Variant::Fetched => Gbuffer::Ids.load_parts(),
        of if of.continues() => &[shader::ROUND],
        _ => &[],
    });
    match key.variant.blending() {
        Some(Blending::Weighted) => parts.push(shader::WEIGHT),
        Some(Blending::Nearest) => parts.push(shader::NEAREST),
        Some(Blending::Peeled) => parts.extend([shader::NEAREST, shader::PEELED]),
        Some(Blending::Counted) => parts.extend([shader::NEAREST, shader::COUNTED]),
        Some(Blending::Listed) => parts.extend([shader::NEAREST, shader::COUNTED, shader::LIST_ENTRY, shader::LISTED]),
        None => {}
    }
    if key.program_of_pixels().is_some() {
        parts.push(shader::GRAPH);
    }
    match key.alpha {
        Alpha::Hashed => parts.push(shader::HASHED),
        Alpha::Coverage => parts.push(shader::COVERAGE),
        Alpha::Opaque | Alpha::Mask | Alpha::Blend => {}
    }
    let is_plain = key.lobes.is_plain() || stores;
    let model = if is_plain { String::new() } else { model_text(key.lobes) };
    let lights = light::text(key.switches.kinds);
    let shadows = if key.switches.shadows { light::shadow_text(key.switches.techniques) } else { String::new() };
    let probes = if key.switches.probes { shader::environment_with_probes() } else { String::new() };
    let around = if key.switches.probes { &probes } else { shader::ENVIRONMENT };
    for (on, part) in [
        (key.bending.in_shader(), shader::BEND),
        (key.bending == Bending::Vertex, shader::POSTURE),
        (key.bending == Bending::Crowd, shader::CROWD),
        // Shadows stand on lights, and ambient light on neither.
        (key.switches.lights, &lights),
        (key.switches.lights && key.switches.shadows, &shadows),
        (key.switches.lights && key.switches.asks == Asks::Clusters, light::CLUSTERS),
        (key.switches.lights && key.switches.asks == Asks::Tiles, light::TILES),
        (key.inputs.specular_aa, shader::SPECULAR_AA),
        (key.switches.environment, around),
        (key.switches.environment && !key.switches.reflects, shader::REFLECTED),
        (key.switches.reflects, shader::REFLECTED_SEEN),
        (key.switches.reflects, shader::reflections()),
        (key.switches.occluded, shader::OCCLUSION),
        (key.switches.behind, shader::BEHIND),
        (key.switches.subsurface, shader::SUBSURFACE),
        (key.switches.sums == Some(Sums::Coloured), shader::SUMMED_COLORED),
        (key.switches.sums == Some(Sums::Grey), shader::SUMMED_GREY),
        (!is_plain, shader::AROUND),
        (!is_plain && key.switches.environment, shader::AMBIENT),
        (!is_plain && key.shows_areas(), shader::AROUND_AREA),
        (!is_plain && key.lobes.has(Hook::OverBent) && key.switches.environment, shader::AMBIENT_COAT),
        (!is_plain, &model),
    ] {
        if on {
            parts.push(part);
        }
    }
    parts.push(&own);
    shader::compose(&parts)
}

/// The uniform, textures and samplers of group 2.
fn declare_material(key: &Key, out: &mut String) {
    if !key.reads_material() {
        return;
    }
    out.push_str(
        "struct Material {
    base: vec4f,
    emissive: vec3f,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    cutoff: f32,
    f0: vec3f,
    f90: f32,
    // Of the material in its scene.
    number: vec4f,
",
    );
    let slots = key.inputs.textures;
    if !slots.is_empty() {
        let rows = 2 * slots.iter().count();
        out.push_str("    // For each texture: rows of the uv transform, then offset and uv set.\n");
        _ = writeln!(out, "    uv: array<vec4f, {rows}>,");
    }
    if !key.lobes.is_plain() {
        model::declare(key, out);
    }
    out.push_str("}\n\n@group(2) @binding(0) var<uniform> material: Material;\n");
    for slot in slots.iter() {
        let (name, at) = (slot.name(), [texture_binding(slots, slot), sampler_binding(slots, slot)]);
        _ = writeln!(out, "@group(2) @binding({}) var {name}_texture: texture_2d<f32>;", at[0]);
        _ = writeln!(out, "@group(2) @binding({}) var {name}_sampler: sampler;", at[1]);
    }
    if let Some(program) = &key.inputs.graph {
        out.push_str(&stillframe_graph::declarations(program, graph_binding(slots)));
    }
    out.push('\n');
}

/// `base_of`: the base colour with alpha, the one value that every variant may need.
fn sample(key: &Key, out: &mut String) {
    let more = if key.program_of_pixels().is_some() { ", g: GraphOut" } else { "" };
    _ = writeln!(out, "fn base_of(in: Varyings{more}) -> vec4f {{");
    let mut base = "material.base".to_string();
    if key.has(Slot::BaseColor) {
        out.push_str(&texel(key, Slot::BaseColor));
        base.push_str(" * base_color_texel");
    }
    if key.streams.colors {
        base.push_str(" * in.color");
    }
    if key.computes(Output::BaseColor) {
        base = "clamp(g.base_color, vec4f(0.0), vec4f(1.0))".to_string();
    }
    if key.computes(Output::Alpha) {
        // Holes alone need no colour.
        let color = if matches!(key.variant, Variant::Depth | Variant::Motion | Variant::Blank(_)) {
            "vec3f(0.0)".into()
        } else {
            format!("({base}).xyz")
        };
        base = format!("vec4f({color}, clamp(g.alpha, 0.0, 1.0))");
    }
    _ = writeln!(out, "    return {base};\n}}\n");
}

/// What a fragment function that shades nothing is given.
pub fn fragment_in(key: &Key) -> &'static str {
    if key.program_of_pixels().is_some() { "in: Varyings, @builtin(front_facing) front: bool" } else { "in: Varyings" }
}

/// `base`, and what nodes compute, as `g`.
pub fn base_line(key: &Key) -> String {
    match key.program_of_pixels() {
        None => "    let base = base_of(in);\n".to_string(),
        Some(_) => "    let g = graph_of(in, front);\n    let base = base_of(in, g);\n".to_string(),
    }
}

/// `surface`: what the lobes need, from the textures.
pub fn surface(key: &Key, out: &mut String) {
    _ = writeln!(out, "fn surface(in: Varyings, front: bool) -> Surface {{\n{}    var s: Surface;", base_line(key));
    out.push_str("    s.base = base.xyz;\n");
    if key.computes(Output::Radiance) {
        out.push_str("    own_graph = g;\n");
    }
    let alpha = if key.alpha == Alpha::Opaque { "1.0" } else { "base.w" };
    _ = writeln!(out, "    s.alpha = {alpha};");
    for slot in [Slot::MetallicRoughness, Slot::Occlusion, Slot::Emissive, Slot::Normal] {
        if key.has(slot) {
            out.push_str(&texel(key, slot));
        }
    }
    if key.has(Slot::MetallicRoughness) {
        out.push_str("    s.roughness = clamp(material.roughness * metallic_roughness_texel.y, 0.0, 1.0);\n");
        out.push_str("    s.metallic = clamp(material.metallic * metallic_roughness_texel.z, 0.0, 1.0);\n");
    } else {
        out.push_str("    s.roughness = material.roughness;\n    s.metallic = material.metallic;\n");
    }
    for output in [Output::Metallic, Output::Roughness].into_iter().filter(|output| key.computes(*output)) {
        _ = writeln!(out, "    s.{0} = clamp(g.{0}, 0.0, 1.0);", output.word());
    }
    if key.computes(Output::Occlusion) {
        out.push_str("    s.occlusion = clamp(g.occlusion, 0.0, 1.0);\n");
    } else if key.has(Slot::Occlusion) {
        out.push_str("    s.occlusion = 1.0 + material.occlusion_strength * (occlusion_texel.x - 1.0);\n");
    } else {
        out.push_str("    s.occlusion = 1.0;\n");
    }
    if key.computes(Output::Emissive) {
        out.push_str("    s.emissive = clamp(g.emissive, vec3f(0.0), vec3f(1e9));\n");
    } else if key.has(Slot::Emissive) {
        out.push_str("    s.emissive = material.emissive * emissive_texel.xyz;\n");
    } else {
        out.push_str("    s.emissive = material.emissive;\n");
    }
    // A double-sided surface turns its whole frame towards the eye.
    let turn = if key.double_sided { " * select(-1.0, 1.0, front)" } else { "" };
    _ = writeln!(out, "    s.ng = normalize(in.normal){turn};");
    if key.computes(Output::Normal) {
        out.push_str("    s.n = graph_normal(g.normal, s.ng);\n");
    } else if key.has(Slot::Normal) {
        // MikkTSpace: the frame is interpolated, not made unit again.
        _ = writeln!(
            out,
            "    let bumped = vec3f((normal_texel.xy * 2.0 - 1.0) * material.normal_scale, normal_texel.z * 2.0 - 1.0);
    let bitangent = cross(in.normal, in.tangent.xyz) * in.tangent.w;
    s.n = normalize(bumped.x * in.tangent.xyz + bumped.y * bitangent + bumped.z * in.normal){turn};"
        );
    } else {
        out.push_str("    s.n = s.ng;\n");
    }
    if key.inputs.specular_aa {
        out.push_str(
            "    let dx = dpdx(s.n);
    let dy = dpdy(s.n);
    s.roughness = widened(s.roughness, dot(dx, dx) + dot(dy, dy));\n",
        );
    }
    out.push_str("    return s;\n}\n\n");
}

pub fn cut(key: &Key, alpha: &str) -> String {
    if key.alpha == Alpha::Opaque {
        return String::new();
    }
    let least = if key.alpha == Alpha::Hashed { "hashed_threshold(in.place)" } else { "material.cutoff" };
    format!("    if {alpha} < {least} {{\n        discard;\n    }}\n")
}

/// Exposed, premultiplied radiance. A left fold: ambient and emissive, then lights in order.
pub fn lit(key: &Key, out: &mut String) {
    if key.unlit {
        _ = writeln!(out, "@fragment\nfn fragment({}){} {{", fragment_in(key), texels(key));
        out.push_str(&base_line(key));
        out.push_str(peeling(key));
        if key.alpha != Alpha::Blend {
            out.push_str(&cut(key, "base.w"));
        }
        out.push_str("    let color = base.xyz;\n");
        finish(key, if key.alpha == Alpha::Blend { "base.w" } else { "1.0" }, out);
        return;
    }
    surface_functions(key, out);
    _ = writeln!(out, "@fragment\nfn fragment(in: Varyings, @builtin(front_facing) front: bool){} {{", texels(key));
    match key.variant {
        Variant::Irradiance => {
            out.push_str("    var s = surface(in, front);\n    s.base = vec3f(1.0);\n    s.emissive = vec3f(0.0);\n")
        }
        _ => _ = writeln!(out, "    {} s = surface(in, front);", declared(key)),
    }
    let mut holes = peeling(key).to_string();
    if key.alpha != Alpha::Blend {
        holes.push_str(&cut(key, "s.alpha"));
    }
    holes.push_str(blanks(key));
    if !reads_late(key) {
        out.push_str(&std::mem::take(&mut holes));
    }
    light_up(key, &holes, out);
}

/// Leaves out pixels where one is seen of which nothing is kept.
fn blanks(key: &Key) -> &'static str {
    if key.variant.continues() || matches!(key.variant, Variant::Summed(_)) {
        "    if is_blank(vec2u(in.position.xy)) {\n        discard;\n    }\n"
    } else {
        ""
    }
}

/// Whether the lighting model reads textures: where pixels are left out, none may be read afterwards.
pub fn reads_late(key: &Key) -> bool {
    !key.lobes.is_plain() && key.inputs.textures.iter().any(|slot| !slot.is_of_all())
}

/// The rest of a fragment function that has `in` and `s`.
pub fn light_up(key: &Key, late: &str, out: &mut String) {
    let [ambient, lobes] = shading(key, late, out);
    let ambient = if key.switches.environment { format!("{ambient} + s.emissive") } else { "s.emissive".to_string() };
    let row = key.lobes.model.row();
    let shine = if row.needs.shines { format!(" + shine_{}(s, own)", row.name) } else { String::new() };
    if key.variant.continues() {
        out.push_str("    var color = light_before(in.position.xy);\n");
    } else {
        _ = writeln!(out, "    var color = {ambient}{shine};");
    }
    each_light(key, &lobes, &|_| "        color += leaving;\n".to_string(), out);
    if key.switches.sums.is_some() {
        out.push_str("    color += summed(s, vec2u(in.position.xy));\n");
    }
    if key.scatters() {
        out.push_str("    color += inside_of(s, own, v, point, in.position.xy);\n");
    }
    if key.shows_behind() {
        seen_through(key, out);
        return;
    }
    finish(key, if key.alpha == Alpha::Blend { "s.alpha" } else { "1.0" }, out);
}

/// What lies behind is exposed already, and where nothing does the surface is as clear as it lets light through.
fn seen_through(key: &Key, out: &mut String) {
    let local = match key.measures() {
        true => "in.local_x, in.local_y, in.local_z",
        false => "vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0)",
    };
    let alpha = if key.alpha == Alpha::Blend { "clamp(s.alpha, 0.0, 1.0)" } else { "1.0" };
    _ = writeln!(
        out,
        "    let seen = Seen(point, picture_px(in.position.xy) * view.size.zw, {local});
    let through = through_of(s, own, v, seen);
    return vec4f(min(color * view.exposure + through.xyz, vec3f(65504.0)), 1.0 - through.w) * {alpha};\n}}"
    );
}

/// `surface`, and what its lighting model adds.
pub fn surface_functions(key: &Key, out: &mut String) {
    surface(key, out);
    if !key.lobes.is_plain() {
        model::own(key, out);
    }
}

/// `point`, `v` and `own`, where something lights the surface `s`. What of the light from around leaves, and of the
/// light of one light, `arriving`. `late`: what leaves out holes, where textures are read until then.
pub fn shading(key: &Key, late: &str, out: &mut String) -> [String; 2] {
    if key.switches.lights || key.switches.environment || key.looks_back() {
        out.push_str(&point_and_eye(key));
        if key.switches.probes {
            out.push_str("    meet_probes(point);\n");
        }
    }
    if key.switches.reflects {
        out.push_str("    reflecting_from = point;\n");
    }
    if key.switches.occluded {
        out.push_str("    s.occlusion *= occlusion_at(in.position.xy, view_depth(point), s.base);\n");
    }
    match key.lobes.is_plain() {
        false => {
            // Where corners are fetched, it is there already.
            if key.variant != Variant::Fetched {
                out.push_str("    let own = own_of(in, s, v, front);\n");
            }
            out.push_str(late);
            ["ambient_own(s, own, v)".to_string(), format!("lobes_{}(s, own, v, arriving)", key.lobes.model.row().name)]
        }
        true => ["ambient(s, v)", "lobes(s, v, arriving)"].map(str::to_string),
    }
}

/// How `s` is declared that `shading` reads, and may change.
pub fn declared(key: &Key) -> &'static str {
    if key.switches.occluded { "var" } else { "let" }
}

/// `point` and `v`.
pub fn point_and_eye(key: &Key) -> String {
    let point = if has_point(key) { "in.point.xyz / in.point.w" } else { "unproject(in.position)" };
    format!("    let point = {point};\n    let v = towards_eye(point);\n")
}

/// What a fragment function returns.
fn texels(key: &Key) -> &'static str {
    match key.variant.blending() {
        Some(Blending::Weighted) => " -> Weighted",
        Some(Blending::Listed) => "",
        _ => " -> @location(0) vec4f",
    }
}

/// Leaves out what is behind opaque surfaces, and what is peeled off. Behind every texture: derivatives are whole.
fn peeling(key: &Key) -> &'static str {
    match key.variant.blending() {
        None | Some(Blending::Weighted) => "",
        Some(Blending::Nearest | Blending::Counted | Blending::Listed) => {
            "    if is_hidden(in.position) {\n        discard;\n    }\n"
        }
        Some(Blending::Peeled) => {
            "    if is_hidden(in.position) || is_peeled(in.position) {\n        discard;\n    }\n"
        }
    }
}

/// Exposure and clamp, after the sum. Half floats end at 65504: more would become infinite and stain its neighbours in
/// a resolve.
pub fn finish(key: &Key, alpha: &str, out: &mut String) {
    if key.variant == Variant::Blending(Blending::Weighted) {
        _ = writeln!(
            out,
            "    let alpha = clamp({alpha}, 0.0, 1.0);
    let exposed = min(color * view.exposure, vec3f(65504.0)) * alpha;
    return weighted(exposed, alpha, view_depth(unproject(in.position)));\n}}"
        );
    } else if key.variant == Variant::Blending(Blending::Listed) {
        _ = writeln!(
            out,
            "    let alpha = clamp({alpha}, 0.0, 1.0);
    add_to_list(in.position, vec4f(min(color * view.exposure, vec3f(65504.0)) * alpha, alpha), in.id);\n}}"
        );
    } else if key.variant == Variant::Irradiance {
        out.push_str("    return vec4f(min(color * view.exposure, vec3f(65504.0)), material.number.x + 1.0);\n}\n");
    } else if matches!(key.variant, Variant::Round(Round::First | Round::Next)) {
        out.push_str("    return vec4f(color, 1.0);\n}\n");
    } else if alpha == "1.0" {
        out.push_str("    return vec4f(min(color * view.exposure, vec3f(65504.0)), 1.0);\n}\n");
    } else {
        _ = writeln!(
            out,
            "    let alpha = clamp({alpha}, 0.0, 1.0);
    return vec4f(min(color * view.exposure, vec3f(65504.0)) * alpha, alpha);\n}}"
        );
    }
}

/// First target: normal and depth. Second: bits of the albedo, then the id.
pub fn aov(key: &Key, out: &mut String) {
    surface(key, out);
    out.push_str(
        "struct AovOut {
    @location(0) normal_depth: vec4f,
    @location(1) albedo_id: vec4u,
}

@fragment
fn fragment(in: Varyings, @builtin(front_facing) front: bool) -> AovOut {
    let s = surface(in, front);
",
    );
    out.push_str(&cut(key, "s.alpha"));
    out.push_str(
        "    let albedo = s.base * (1.0 - s.metallic);
    let depth = view_depth(unproject(in.position));
    return AovOut(vec4f(s.n, depth), vec4u(bitcast<vec3u>(albedo), in.id));
}
",
    );
}

/// Where the point was, as a step in pixels.
pub fn motion(key: &Key, out: &mut String) {
    _ = writeln!(out, "@fragment\nfn fragment({}) -> @location(0) vec2f {{", fragment_in(key));
    if key.reads_pixels() {
        out.push_str(&base_line(key));
        out.push_str(&cut(key, "base.w"));
    }
    out.push_str("    return motion(in.now, in.before);\n}\n");
}

/// Counts the surfaces of each pixel.
pub fn counted(key: &Key, out: &mut String) {
    _ = writeln!(out, "@fragment\nfn fragment(in: Varyings) {{");
    out.push_str(peeling(key));
    out.push_str("    atomicAdd(&counts[pixel_number(in.position)], 1u);\n}\n");
}

/// What a surface keeps of light that comes straight through, and its depth. What it would reflect counts as passed.
pub fn veil(key: &Key, out: &mut String) {
    let is_glass = key.has_surface();
    if is_glass {
        surface_functions(key, out);
        out.push_str(
            "@fragment\nfn fragment(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4f {\n",
        );
        out.push_str("    let s = surface(in, front);\n    let own = own_of(in, s, s.ng, front);\n");
        if key.alpha != Alpha::Blend {
            out.push_str(&cut(key, "s.alpha"));
        }
        out.push_str("    let kept = 1.0 - share_transmission(s, own, vec3f(0.0));\n");
    } else {
        _ = writeln!(out, "@fragment\nfn fragment({}) -> @location(0) vec4f {{", fragment_in(key));
        out.push_str(&base_line(key));
        out.push_str("    let kept = vec3f(1.0);\n");
    }
    let alpha = match (key.alpha, is_glass) {
        (Alpha::Blend, true) => "clamp(s.alpha, 0.0, 1.0)",
        // Holes are cut out.
        (_, true) => "1.0",
        (_, false) => "clamp(base.w, 0.0, 1.0)",
    };
    _ = writeln!(out, "    return vec4f(kept * {alpha}, in.position.z);\n}}");
}

/// Nothing is written, and nothing is there where the material has holes.
pub fn cut_out(key: &Key, out: &mut String) {
    if !key.reads_pixels() {
        out.push_str("@fragment\nfn fragment() {}\n");
        return;
    }
    let covers = key.alpha == Alpha::Coverage;
    let texels = if covers { " -> @builtin(sample_mask) u32" } else { "" };
    _ = writeln!(out, "@fragment\nfn fragment({}){texels} {{", fragment_in(key));
    out.push_str(&base_line(key));
    if covers {
        out.push_str("    return covered_samples(base.w, picture_px(in.position.xy));\n}\n");
        return;
    }
    out.push_str(&cut(key, "base.w"));
    out.push_str("}\n");
}

#[cfg(test)]
mod tests {
    #[test]
    fn uniform_follows_wgsl() {
        let material = crate::asset::Material { metallic: 0.25, ..Default::default() };
        let uniform = super::super::material_uniform(&material, crate::asset::Slots::default());
        assert_eq!((uniform[7], uniform[8], uniform[11], uniform[12], uniform[15]), (0.25, 0.5, 0.5, 0.04, 1.0));
    }
}
