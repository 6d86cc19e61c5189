//! Fetch: surfaces of which the number of the triangle is stored, and whose corners are fetched when they are shaded
//! (Burns, Hunt 2013).
//!
//! In: a key of `Variant::Store(Gbuffer::Ids)` or `Variant::Fetched`. Out: the text that stores, the text that shades.
//! Never here: targets, passes, buffers; `shader/fetch.wgsl` has what is the same for all keys.
//!
//! The vertex function is that of the other variants, called for three corners. Textures and nodes take differences
//! within a quad: each triangle that a quad shows is evaluated at all its pixels, as rasterizers do.

use std::fmt::Write;

use stillframe_graph::Output;

use super::emit::{base_line, cut, declared, finish, light_up, point_and_eye, surface_functions};
use super::model::reflection_varies;
use super::{Key, Stream, streams};

/// Stores the numbers of the item and of its triangle.
pub fn ids(key: &Key, out: &mut String) {
    out.push_str(
        "@fragment
fn fragment(
    in: Varyings,
    @builtin(front_facing) front: bool,
    @builtin(primitive_index) triangle: u32,
) -> @location(0) vec2u {\n",
    );
    if key.reads_pixels() {
        out.push_str(&base_line(key));
        out.push_str(&cut(key, "base.w"));
    }
    out.push_str("    return vec2u(in.item, triangle << 1u | u32(front));\n}\n");
}

/// A corner's streams, and what lies between three corners.
fn between(key: &Key, out: &mut String) {
    out.push_str(
        "fn corner(instance: u32, number: u32) -> Varyings {\n    return corner_of(VertexIn(\n        instance,\n",
    );
    let streams = streams(key);
    for &stream in &streams {
        let (name, width) = (stream.name(), stream.width());
        let at = format!("starts.{name} + {width}u * number");
        let value = match stream {
            Stream::Position | Stream::Normal => format!("shape_at({at})"),
            Stream::Tangent => format!("vec4f(shape_at({at}), shape[{at} + 3u])"),
            Stream::Uv0 | Stream::Uv1 => format!("words_at({at})"),
            Stream::Color => format!("vec4f(words_at({at}), words_at({at} + 2u))"),
            Stream::PositionBefore => unreachable!("motion is drawn"),
        };
        _ = writeln!(out, "        {value},");
    }
    out.push_str(
        "    ));
}

fn fetched(id: vec2u, at: vec2f) -> Varyings {
    let numbers = corners_of(id.y >> 1u);
    let a = corner(id.x - 1u, numbers.x);
    let b = corner(id.x - 1u, numbers.y);
    let c = corner(id.x - 1u, numbers.z);
    let weights = weights_of(a.position, b.position, c.position, picture_px(at));
    var out = a;
    let clip = a.position + (weights.x * (b.position - a.position) + weights.y * (c.position - a.position));
    out.position = vec4f(at, clip.z / clip.w, 1.0 / clip.w);\n",
    );
    let varying = streams.iter().filter(|stream| !matches!(stream, Stream::Position));
    for name in varying.map(|stream| stream.name()).chain(key.reads_place().then_some("place")) {
        _ = writeln!(
            out,
            "    out.{name} = a.{name} + (weights.x * (b.{name} - a.{name}) + weights.y * (c.{name} - a.{name}));"
        );
    }
    out.push_str("    return out;\n}\n\n");
}

/// Shades the pixels that show an item.
pub fn fetched(key: &Key, out: &mut String) {
    between(key, out);
    if !key.unlit {
        surface_functions(key, out);
    }
    let has_own = !key.lobes.is_plain();
    // What is kept of a pixel's own triangle, with its type; then what functions keep for a pixel.
    let mut kept = vec![("in", "Varyings")];
    let mut private = Vec::new();
    let structure = key.lobes.model.row().structure();
    if key.unlit {
        kept.push(("base", "vec4f"));
    } else {
        kept.push(("s", "Surface"));
        kept.extend(has_own.then_some(("own", &*structure)));
        private.extend(key.computes(Output::Radiance).then_some(("own_graph", "GraphOut")));
        private
            .extend(reflection_varies(key).then_some([("own_f0", "vec3f"), ("own_f90", "f32")]).into_iter().flatten());
    }
    out.push_str(
        "@fragment
fn fragment(rectangle: Rectangle) -> @location(0) vec4f {
    let at = vec2u(rectangle.position.xy);
    let mine = textureLoad(ids, at, 0).xy;
    let quad = quad_of(at);\n",
    );
    for (name, ty) in kept.iter().chain(&private) {
        _ = writeln!(out, "    var kept_{name}: {ty};");
    }
    out.push_str(
        "    for (var number = 0u; number < 4u; number++) {
        let id = quad.ids[number];
        if id.x != rectangle.item || !is_first(quad, number) {
            continue;
        }
        let is_mine = all(id == mine);
        let front = (id.y & 1u) == 1u;
        var in = fetched(id, rectangle.position.xy);
        if is_mine {
            in.position.z = textureLoad(depths, at, 0);
        }\n",
    );
    if key.unlit {
        out.push_str(&base_line(key));
    } else {
        out.push_str("        let s = surface(in, front);\n");
        if has_own {
            out.push_str(&point_and_eye(key));
            out.push_str("    let own = own_of(in, s, v, front);\n");
        }
    }
    out.push_str("        if is_mine {\n");
    for (name, _) in kept.iter().chain(&private) {
        _ = writeln!(out, "            kept_{name} = {name};");
    }
    out.push_str(
        "        }
    }
    if mine.x != rectangle.item {
        discard;
    }\n",
    );
    for (name, _) in kept {
        let how = if name == "s" { declared(key) } else { "let" };
        _ = writeln!(out, "    {how} {name} = kept_{name};");
    }
    for (name, _) in private {
        _ = writeln!(out, "    {name} = kept_{name};");
    }
    if key.unlit {
        out.push_str("    let color = base.xyz;\n");
        finish(key, "1.0", out);
    } else {
        light_up(key, "", out);
    }
}
