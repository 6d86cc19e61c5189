// Exposure in stops.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    return vec4f(color.xyz * exp2(params.ev), color.w);
}
