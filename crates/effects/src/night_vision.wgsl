// An image intensifier, with other noise in each picture of a sequence.

// About normal, with a deviation of 1: the sum of four even ones.
fn noise(at: vec2i) -> f32 {
    let moment = frame.tick + u32(params.seed) * 7919u;
    let a = random(at, moment, 1u) + random(at, moment, 2u);
    let b = random(at, moment, 3u) + random(at, moment, 4u);
    return (a + b - 2.0) * 1.7320508;
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let x = exp2(params.gain_ev) * max(luminance(straight(color)), 0.0);
    // The deviation of photons goes with the root of their number.
    let counted = max(x + params.noise * sqrt(x) * noise(at), 0.0);
    let seen = params.color * (1.0 - exp(-counted));
    var share = 1.0;
    if params.tube > 0.0 {
        let away = length((vec2f(at) + 0.5 - 0.5 * vec2f(frame.size_px)) / f32(frame.size_px.y));
        // An edge of a twentieth of the radius.
        share = clamp((params.tube - away) / (0.05 * params.tube), 0.0, 1.0);
    }
    // What is beside the tube is black, and hides what is behind.
    let shown = vec4f(seen * color.w * share, 1.0 - (1.0 - color.w) * share);
    return color + (shown - color) * params.strength;
}
