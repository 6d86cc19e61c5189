//! Graph: a material's nodes in a shader of it: what they read of the point.

use std::fmt::Write;

use stillframe_graph::{Geometry, Program, arguments};

use super::Key;

/// Whether nodes ask where the point is.
pub fn reads_point(key: &Key) -> bool {
    [Geometry::Position, Geometry::View, Geometry::ViewPosition].into_iter().any(|geometry| key.looks_at(geometry))
}

/// `graph` with all that it calls, and `graph_of`, which calls it.
pub fn functions(key: &Key, program: &Program, out: &mut String) {
    out.push_str(&stillframe_graph::functions(program));
    out.push_str("fn graph_of(in: Varyings, front: bool) -> GraphOut {\n");
    if reads_point(key) {
        // Light comes to the same point.
        let point = if key.centroid { "in.point.xyz / in.point.w" } else { "unproject(in.position)" };
        _ = writeln!(out, "    let point = {point};");
    }
    let turn = if key.double_sided { " * select(-1.0, 1.0, front)" } else { "" };
    let values: Vec<String> = arguments(program).iter().map(|geometry| value(key, *geometry, turn)).collect();
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
        Geometry::Screen => "in.position.xy * view.size.zw".into(),
        Geometry::CameraPosition => "camera_position()".into(),
        Geometry::CameraDirection => "view.forward.xyz".into(),
        Geometry::Uv0 => "in.uv0".into(),
        Geometry::Uv1 if key.streams.uv1 => "in.uv1".into(),
        Geometry::Uv1 => "in.uv0".into(),
        Geometry::Color if key.streams.colors => "in.color".into(),
        Geometry::Color => "vec4f(1.0)".into(),
    }
}
