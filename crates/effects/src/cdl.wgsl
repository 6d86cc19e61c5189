// Colour decision list (ASC CDL 1.2).

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let x = max(straight(color) * params.slope + params.offset, vec3f(0.0));
    // A power of 1 is no power: `pow` rounds.
    let curved = select(vec3f(pow(x.x, params.power.x), pow(x.y, params.power.y), pow(x.z, params.power.z)), x, params.power == vec3f(1.0));
    let grey = luminance(curved);
    let graded = select(grey + (curved - grey) * params.saturation, curved, params.saturation == 1.0);
    return premultiplied(max(graded, vec3f(0.0)), color.w);
}
