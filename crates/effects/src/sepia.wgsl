// Sepia: luminance in one tone.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let tone = params.tone / max(luminance(params.tone), 1e-4);
    return vec4f(luminance(color.xyz) * tone, color.w);
}
