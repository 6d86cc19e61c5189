// Flash: towards one colour.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    return color + (vec4f(params.color, 1.0) - color) * params.strength;
}
