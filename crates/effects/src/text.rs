//! Text: the WGSL module of an effect.

use std::fmt::Write;

use super::Effect;

/// Most pictures that a stage reads, besides depth.
const READS_MAX: usize = 4;

/// A stage's module, but for `screen`. Bindings of group 0: 0 the frame, 1 the parameters, 2 depth, from 3 on the
/// pictures.
pub fn text(effect: &Effect, function: &str) -> String {
    let mut out = include_str!("frame.wgsl").to_string();
    if !effect.params.is_empty() {
        out.push_str("\nstruct Params {\n");
        for param in effect.params {
            _ = writeln!(out, "    @align(16) {}: {},", param.name, param.kind.wgsl());
        }
        out.push_str("}\n\n@group(0) @binding(1) var<uniform> params: Params;\n");
    }
    if effect.text.contains("distance_at") {
        out.push_str(include_str!("depth.wgsl"));
    }
    let gauss = if effect.text.contains("gauss_0(") { include_str!("gauss.wgsl") } else { "" };
    out.push_str(gauss);
    for at in (0..READS_MAX).filter(|at| [gauss, effect.text].iter().any(|text| text.contains(&format!("_{at}(")))) {
        let text =
            include_str!("picture.wgsl").replace("NUMBER", &at.to_string()).replace("BINDING", &(at + 3).to_string());
        out.push_str(&text);
    }
    _ = write!(
        out,
        "\n{}
@fragment
fn stage(@builtin(position) position: vec4f) -> @location(0) vec4f {{
    return {function}(vec2i(position.xy));
}}
",
        effect.text
    );
    out
}
