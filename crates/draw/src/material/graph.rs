//! Graph: a material's nodes in a shader of it: what they read of the point.

use std::fmt::Write;

use stillframe_graph::{Geometry, Output, Program, arguments};

use super::Key;

/// Whether nodes ask where the point is.
pub fn reads_point(key: &Key) -> bool {
    [Geometry::Position, Geometry::View, Geometry::ViewPosition].into_iter().any(|geometry| key.looks_at(geometry))
}

/// `graph` with all that it calls, and `graph_of`, which calls it.
pub fn functions(key: &Key, program: &Program, out: &mut String) {
    out.push_str(&stillframe_graph::functions(program));
    if key.computes(Output::Radiance) {
        out.push_str("// For all lights of a pixel.\nvar<private> own_graph: GraphOut;\n\n");
    }
    if !program.has_pixels() {
        return;
    }
    out.push_str("fn graph_of(in: Varyings, front: bool) -> GraphOut {\n");
    if reads_point(key) {
        // Light comes to the same point.
        let point = if key.centroid { "in.point.xyz / in.point.w" } else { "unproject(in.position)" };
        _ = writeln!(out, "    let point = {point};");
    }
    let turn = if key.double_sided { " * select(-1.0, 1.0, front)" } else { "" };
    let values: Vec<String> = arguments(program).map(|geometry| value(key, geometry, turn)).collect();
    _ = writeln!(out, "    return graph({});\n}}\n", values.join(", "));
}

fn value(key: &Key, geometry: Geometry, turn: &str) -> String {
    match geometry {
        Geometry::Position => "point".into(),
        Geometry::ObjectPosition => "in.place".into(),
        Geometry::Normal => format!("normalize(in.normal){turn}"),
        Geometry::MeshNormal => format!("in.normal{turn}"),
        Geometry::Tangent => format!("in.tangent.xyz{turn}"),
        Geometry::Bitangent => format!("cross(in.normal, in.tangent.xyz) * in.tangent.w{turn}"),
        Geometry::View => "towards_eye(point)".into(),
        Geometry::ViewPosition => "view_position(point)".into(),
        Geometry::ViewNormal => format!("into_view(normalize(in.normal){turn})"),
        Geometry::Screen => "picture_px(in.position.xy) * view.size.zw".into(),
        Geometry::CameraPosition => "camera_position()".into(),
        Geometry::CameraDirection => "view.forward.xyz".into(),
        Geometry::Uv0 => "in.uv0".into(),
        Geometry::Uv1 if key.streams.uv1 => "in.uv1".into(),
        Geometry::Uv1 => "in.uv0".into(),
        Geometry::Color if key.streams.colors => "in.color".into(),
        Geometry::Color => "vec4f(1.0)".into(),
        Geometry::LightDirection
        | Geometry::LightIrradiance
        | Geometry::LightColor
        | Geometry::LightShadow
        | Geometry::LitNormal => unreachable!("`graph` is asked before any light"),
    }
}

/// How far nodes move a corner of `object`: an expression. `own`: what holds it as it is bent.
pub fn displaced(program: &Program, key: &Key, own: &str) -> String {
    let mut values: Vec<String> = program
        .corner_geometry
        .iter()
        .map(|geometry| match geometry {
            Geometry::Position => format!("(object.world_from_local * vec4f({own}.position, 1.0)).xyz"),
            Geometry::ObjectPosition => format!("{own}.position"),
            Geometry::Normal => normal(&format!("{own}.normal")),
            Geometry::Uv1 if key.streams.uv1 => "in.uv1".to_string(),
            Geometry::Uv0 | Geometry::Uv1 => "in.uv0".to_string(),
            Geometry::Color if key.streams.colors => "in.color".to_string(),
            Geometry::Color => "vec4f(1.0)".to_string(),
            other => unreachable!("corners do not know {other:?}"),
        })
        .collect();
    values.push(format!("normalize({own}.normal)"));
    format!("displaced({})", values.join(", "))
}

/// A normal of the mesh in the world.
pub fn normal(n: &str) -> String {
    format!("normalize(object.normal_x.xyz * {n}.x + object.normal_y.xyz * {n}.y + object.normal_z * {n}.z)")
}
