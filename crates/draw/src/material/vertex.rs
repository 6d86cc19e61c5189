//! Vertex: the one vertex function of items.

use std::fmt::Write;

use super::layout::{Stream, streams};
use super::{Bending, Gbuffer, Key, Variant, graph};

/// Whether the point that light comes to is where the pixel is covered, which the pixel's centre does not say.
pub fn has_point(key: &Key) -> bool {
    let reads = key.switches.lights || key.switches.environment || key.looks_back() || graph::reads_point(key);
    key.centroid && reads
}

/// One vertex function for all variants: the same clip position, bit for bit.
pub fn vertex(key: &Key, out: &mut String) {
    let streams = streams(key);
    out.push_str("struct VertexIn {\n    @builtin(instance_index) instance: u32,\n");
    if key.bending.in_shader() {
        out.push_str("    @builtin(vertex_index) number: u32,\n");
    }
    for &stream in &streams {
        _ = writeln!(out, "    @location({}) {}: vec{}f,", stream as u32, stream.name(), stream.width());
    }
    out.push_str("}\n\nstruct Varyings {\n    @builtin(position) @invariant position: vec4f,\n");
    let varying: Vec<Stream> =
        streams.iter().copied().filter(|s| !matches!(s, Stream::Position | Stream::PositionBefore)).collect();
    for &stream in &varying {
        // The tangent's fourth value carries the sign of the bitangent.
        let (location, name, width) = (stream as u32, stream.name(), stream.width());
        // Textures are filtered over the pixel: coordinates elsewhere would spoil the difference to the neighbours'.
        let is_filtered = matches!(stream, Stream::Uv0 | Stream::Uv1);
        let at = if key.centroid && !is_filtered { "@interpolate(perspective, centroid) " } else { "" };
        _ = writeln!(out, "    @location({location}) {at}{name}: vec{width}f,");
    }
    if key.tells_object() {
        out.push_str("    @location(6) @interpolate(flat) id: u32,\n");
    }
    if key.variant == Variant::Store(Gbuffer::Ids) {
        out.push_str("    @location(6) @interpolate(flat) item: u32,\n");
    }
    if key.shows("in.material") {
        out.push_str("    @location(6) @interpolate(flat) material: u32,\n");
    }
    if has_point(key) {
        // The 1 beside it: drivers that divide by the centre's w scale both alike.
        out.push_str("    @location(6) @interpolate(perspective, centroid) point: vec4f,\n");
    }
    if key.variant == Variant::Motion {
        out.push_str("    @location(6) now: vec4f,\n    @location(7) before: vec4f,\n");
    }
    if key.reads_place() {
        let at = if key.centroid { "@interpolate(perspective, centroid) " } else { "" };
        _ = writeln!(out, "    @location(8) {at}place: vec3f,");
    }
    if key.measures() {
        for (axis, location) in ["x", "y", "z"].into_iter().zip(9..) {
            _ = writeln!(out, "    @location({location}) @interpolate(flat) local_{axis}: vec3f,");
        }
    }
    // Where corners are fetched, it is called for them.
    let called = if key.variant == Variant::Fetched { "fn corner_of" } else { "@vertex\nfn vertex" };
    _ = write!(
        out,
        "}}

{called}(in: VertexIn) -> Varyings {{
    let object = objects[in.instance];
"
    );
    let bends = key.bending.in_shader();
    if bends {
        let rest = |stream: Stream| match streams.contains(&stream) {
            true => format!("in.{}.xyz", stream.name()),
            false => "vec3f(0.0)".to_string(),
        };
        _ = writeln!(
            out,
            "    let rest = Vertex(in.position, {}, {});
    let bent = bend(in.number, bender(in.instance, 0u), rest);",
            rest(Stream::Normal),
            rest(Stream::Tangent)
        );
    }
    let own = if bends { "bent" } else { "in" };
    let mut place = format!("{own}.position");
    if let Some(program) = key.program_of_corners() {
        let moved = graph::displaced(program, key, own);
        _ = writeln!(out, "    let way = {moved};\n    let place = {own}.position + way;");
        place = "place".to_string();
    }
    _ = write!(
        out,
        "    let world = object.world_from_local * vec4f({place}, 1.0);
    var out: Varyings;
    out.position = view.clip_from_world * vec4f(world.xyz, 1.0);
"
    );
    if has_point(key) {
        out.push_str("    out.point = vec4f(world.xyz, 1.0);\n");
    }
    if key.reads_place() {
        _ = writeln!(out, "    out.place = {own}.position;");
    }
    if key.measures() {
        // Normals go by the inverse transpose: its columns are the rows of the way back.
        out.push_str(
            "    out.local_x = object.normal_x.xyz;
    out.local_y = object.normal_y.xyz;
    out.local_z = object.normal_z;\n",
        );
    }
    for &stream in &varying {
        let line = match stream {
            Stream::Normal => format!("    let n = {own}.normal;\n    out.normal = {};", graph::normal("n")),
            Stream::Tangent => format!(
                "    let t = object.world_from_local * vec4f({own}.tangent.xyz, 0.0);
    out.tangent = vec4f(normalize(t.xyz), in.tangent.w * object.normal_x.w);"
            ),
            Stream::Uv0 | Stream::Uv1 | Stream::Color => format!("    out.{0} = in.{0};", stream.name()),
            Stream::Position | Stream::PositionBefore => unreachable!("positions are not varying"),
        };
        _ = writeln!(out, "{line}");
    }
    if key.tells_object() {
        out.push_str("    out.id = object.id;\n");
    }
    if key.variant == Variant::Store(Gbuffer::Ids) {
        out.push_str("    out.item = in.instance + 1u;\n");
    }
    if key.shows("in.material") {
        out.push_str("    out.material = u32(object.normal_y.w);\n");
    }
    if key.variant == Variant::Motion {
        let before = match key.bending {
            Bending::No => "in.position",
            Bending::Streams => "in.position_before",
            Bending::Vertex | Bending::Crowd => "bend(in.number, bender(in.instance, 1u), rest).position",
        };
        // Nodes moved the point as far as they do now.
        let way = if key.program_of_corners().is_some() { " + way" } else { "" };
        _ = writeln!(
            out,
            "    let clip = moving[in.instance];
    out.now = clip.clip_from_local_now * vec4f({place}, 1.0);
    out.before = clip.clip_from_local_before * vec4f({before}{way}, 1.0);"
        );
    }
    out.push_str("    return out;\n}\n\n");
}
