// Luminance alone.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    return vec4f(vec3f(luminance(color.xyz)), color.w);
}
