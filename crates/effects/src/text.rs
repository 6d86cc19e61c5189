//! Text: the WGSL module of an effect.

use std::fmt::Write;

use super::{Effect, Space};

/// Most pictures that a stage reads, besides depth.
const READS_MAX: usize = 4;

/// A stage's module, but for `screen`. Bindings of group 0: 0 the frame, 1 the parameters, 2 depth, from 3 on the
/// pictures, 7 the table.
pub fn text(effect: &Effect, function: &str) -> String {
    let mut out = include_str!("frame.wgsl").to_string();
    if effect.fields().next().is_some() {
        out.push_str("\nstruct Params {\n");
        for (_, param) in effect.fields() {
            _ = writeln!(out, "    @align(16) {}: {},", param.name, param.kind.wgsl());
        }
        out.push_str("}\n\n@group(0) @binding(1) var<uniform> params: Params;\n");
    }
    let mut own = String::new();
    if effect.space == Space::Occlusion {
        own.push_str(include_str!("occlusion.wgsl"));
    }
    if effect.text.contains("gauss_0(") {
        own.push_str(include_str!("gauss.wgsl"));
    }
    _ = write!(own, "\n{}", effect.text);
    if own.contains("distance_at(") {
        out.push_str(include_str!("depth.wgsl"));
    }
    if own.contains("table_at(") {
        out.push_str(include_str!("table.wgsl"));
    }
    for at in (0..READS_MAX).filter(|at| own.contains(&format!("_{at}("))) {
        let text =
            include_str!("picture.wgsl").replace("NUMBER", &at.to_string()).replace("BINDING", &(at + 3).to_string());
        out.push_str(&text);
    }
    _ = write!(
        out,
        "{own}
@fragment
fn stage(@builtin(position) position: vec4f) -> @location(0) vec4f {{
    return {function}(vec2i(position.xy));
}}
"
    );
    out
}
