// Glitch: bands of rows move.

fn apply(at: vec2i) -> vec4f {
    let moment = u32(floor(frame.time_s * params.rate_hz)) + u32(params.seed) * 7919u;
    let band = at.y / max(i32(params.band_px), 1);
    let jumps = random(vec2i(band, 0), moment, 1u);
    // One band in four moves.
    let far = select(0.0, 2.0 * random(vec2i(band, 1), moment, 2u) - 1.0, jumps < 0.25);
    let moved = i32(far * params.strength * f32(frame.size_px.x));
    let parted = i32(0.25 * abs(far) * params.strength * f32(frame.size_px.x));
    let green = texel_0(at + vec2i(moved, 0));
    let red = texel_0(at + vec2i(moved + parted, 0));
    let blue = texel_0(at + vec2i(moved - parted, 0));
    return vec4f(red.x, green.y, blue.z, green.w);
}
