// Encode: light of a display becomes the picture people get. Needs `shown`, `on_display` and `display_code`.

// Into an sRGB format, which encodes and rounds.
@fragment
fn encode_8(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let c = shown(position);
    return vec4f(on_display(c.xyz), c.w);
}

@fragment
fn encode_16(@builtin(position) position: vec4f) -> @location(0) vec4u {
    let c = shown(position);
    let light = on_display(c.xyz);
    let encoded = vec4f(display_code(light.x), display_code(light.y), display_code(light.z), c.w);
    return vec4u(clamp(encoded, vec4f(0.0), vec4f(1.0)) * 65535.0 + 0.5);
}
