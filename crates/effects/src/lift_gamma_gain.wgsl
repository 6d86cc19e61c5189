// Lift, gamma, gain, of encoded values.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let x = srgb_of(straight(color));
    let y = clamp(params.gain * (x + params.lift * (1.0 - x)), vec3f(0.0), vec3f(1.0));
    let power = 1.0 / max(params.gamma, vec3f(1e-3));
    return premultiplied(linear_of(vec3f(pow(y.x, power.x), pow(y.y, power.y), pow(y.z, power.z))), color.w);
}
