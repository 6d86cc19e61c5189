// Encode: light of a display becomes the picture people get. Needs `shown`.

// IEC 61966-2-1.
fn srgb_encode(x: f32) -> f32 {
    return select(1.055 * pow(max(x, 0.0), 0.41666667) - 0.055, x * 12.92, x <= 0.0031308);
}

// Into an sRGB format, which encodes and rounds.
@fragment
fn encode_8(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return shown(position);
}

@fragment
fn encode_16(@builtin(position) position: vec4f) -> @location(0) vec4u {
    let c = shown(position);
    let encoded = vec4f(srgb_encode(c.x), srgb_encode(c.y), srgb_encode(c.z), c.w);
    return vec4u(clamp(encoded, vec4f(0.0), vec4f(1.0)) * 65535.0 + 0.5);
}
