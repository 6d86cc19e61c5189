// Posterize.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let count = params.steps - 1.0;
    let encoded = floor(clamp(srgb_of(straight(color)), vec3f(0.0), vec3f(1.0)) * count + 0.5) / count;
    return premultiplied(linear_of(encoded), color.w);
}
