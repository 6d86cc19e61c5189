// Contrast adaptive sharpening (CAS 2019), of encoded values.

fn encoded(at: vec2i) -> vec3f {
    return srgb_of(straight(texel_0(at)));
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let m = encoded(at);
    let n = encoded(at - vec2i(0, 1));
    let s = encoded(at + vec2i(0, 1));
    let w = encoded(at - vec2i(1, 0));
    let e = encoded(at + vec2i(1, 0));
    let least = min(m, min(min(n, s), min(w, e)));
    let most = max(m, max(max(n, s), max(w, e)));
    let room = clamp(min(least, 1.0 - most) / max(most, vec3f(1e-4)), vec3f(0.0), vec3f(1.0));
    let weight = -sqrt(room) * params.strength / mix(8.0, 5.0, params.strength);
    let sum = (n + s + w + e) * weight + m;
    return premultiplied(linear_of(clamp(sum / (1.0 + 4.0 * weight), vec3f(0.0), vec3f(1.0))), color.w);
}
