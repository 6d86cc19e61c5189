// Channel mixer.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let mixed = vec3f(dot(params.red, color.xyz), dot(params.green, color.xyz), dot(params.blue, color.xyz));
    return vec4f(max(mixed, vec3f(0.0)), color.w);
}
