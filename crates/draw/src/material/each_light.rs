//! Each light: the loop of a pixel over the lights that it asks.

use std::fmt::Write;

use stillframe_graph::{Geometry, Output};

use super::{Key, Variant};
use crate::asset::Hook;
use crate::light::Asks;

/// A loop over the lights, in order: `leaving` is what leaves of one towards the eye. `then`: lines that take it; they
/// know whether the light has a shadow here, where any has.
pub fn each_light(key: &Key, lobes: &str, then: &dyn Fn(Option<&str>) -> String, out: &mut String) {
    if !key.switches.lights {
        return;
    }
    let is_round = matches!(key.variant, Variant::Round(_));
    let begin = match key.switches.asks {
        Asks::Clusters => {
            "    let list = cluster_list(in.position.xy, point);
    for (var at = list.x; at < list.y; at++) {
        let i = clusters[at];"
        }
        Asks::Tiles => {
            "    let list = tile_list(in.position.xy);
    for (var at = list.x; at < list.y; at++) {
        let i = tiles[at];"
        }
        Asks::All if is_round => "    for (var i = 0u; i < arrayLength(&lights); i++) {",
        Asks::All => "    for (var i = 0u; i < view.light_count; i++) {",
    };
    // glTF's lights come from one direction each, and other lobes know one direction at a time.
    let has_many = key.switches.kinds.has_many();
    let is_sum = matches!(key.variant, Variant::Sums(_));
    let (arriving, leaving) = match (has_many, key.lobes.is_plain()) {
        _ if is_sum => ("incident(lights[i], point)", "sums_of(s, v, lights[i], point, arriving)"),
        (true, true) => ("incident(lights[i], point)", "leaving_of(s, v, lights[i], point, arriving)"),
        (true, false) if key.shows_areas() => {
            ("incident(lights[i], point)", "leaving_own(s, own, v, lights[i], point, arriving)")
        }
        (true, false) => ("gathered_of(s, v, lights[i], point)", lobes),
        (false, _) => ("incident(lights[i], point)", lobes),
    };
    _ = writeln!(out, "{begin}\n        let arriving = {arriving};");
    // Light from the other side comes in there.
    let side = match key.lobes.has(Hook::Back) {
        true => "s.ng * select(-1.0, 1.0, dot(s.ng, arriving.l) > 0.0)",
        false => "s.ng",
    };
    let is_shadowed = if has_many { "is_shadowed(s, lights[i], arriving)" } else { "lights[i].shadow >= 0" };
    let shadowed = key.switches.shadows.then_some(is_shadowed);
    let pixel = key.switches.techniques.pixel();
    let visibility = format!("visibility(lights[i], arriving.l, point, {side}{pixel})");
    if let Some(shadowed) = shadowed.filter(|_| key.looks_at(Geometry::LightShadow)) {
        _ = write!(
            out,
            "        var shadow = 1.0;
        if {shadowed} {{
            shadow = {};
        }}
        let leaving = {};\n",
            key.switches.techniques.grey(&visibility),
            radiance("shadow")
        );
    } else {
        let leaving = if key.computes(Output::Radiance) { radiance("1.0") } else { leaving.to_string() };
        _ = writeln!(out, "        var leaving = {leaving};");
        if let Some(shadowed) = shadowed {
            let all = if is_sum {
                "dot(leaving[0] + leaving[1] + leaving[2], vec3f(1.0))"
            } else {
                "leaving.x + leaving.y + leaving.z"
            };
            let lines = match is_sum && key.switches.techniques.is_veiled() {
                // By colour: each of the sums has its own.
                true => format!(
                    "let lit = {visibility};
            leaving = mat3x3f(leaving[0] * lit, leaving[1] * lit, leaving[2] * lit);"
                ),
                false => format!("leaving *= {visibility};"),
            };
            _ = writeln!(out, "        if {shadowed} && {all} > 0.0 {{\n            {lines}\n        }}");
        }
    }
    out.push_str(&then(shadowed));
    out.push_str("    }\n");
}

/// What nodes make of one light, `arriving`, with its shadow.
fn radiance(shadow: &str) -> String {
    format!("radiance(own_graph, arriving.l, arriving.e, lights[i].color, {shadow}, s.n)")
}
