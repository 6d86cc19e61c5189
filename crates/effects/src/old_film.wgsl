// Old film: all by chance, from the moment and the seed.

fn chance(which: i32, stream: u32) -> f32 {
    let moment = u32(floor(frame.time_s * params.rate_hz)) + u32(params.seed) * 7919u;
    return random(vec2i(which, 0), moment, stream);
}

fn apply(at: vec2i) -> vec4f {
    let weave = vec2f(chance(0, 1u), chance(0, 2u)) * 2.0 - 1.0;
    let moved = at + vec2i(round(weave * params.weave_px));
    let color = texel_0(moved);
    var light = 1.0 + params.flicker * (2.0 * chance(0, 3u) - 1.0);
    var white = 0.0;
    // Of twice as many as are wanted each is there every second time.
    for (var i = 0; i < i32(ceil(2.0 * params.scratches)); i++) {
        if chance(i, 4u) < 0.5 {
            let x = chance(i, 5u) * width_px();
            let away = abs(f32(at.x) + 0.5 - x - 2.0 * sin(f32(at.y) * 0.02 + 6.0 * chance(i, 6u)));
            white = max(white, 0.6 * clamp(1.5 - away, 0.0, 1.0));
        }
    }
    for (var i = 0; i < i32(ceil(2.0 * params.dust)); i++) {
        if chance(i, 7u) < 0.5 {
            let place = vec2f(chance(i, 8u) * width_px(), chance(i, 9u) * f32(frame.size_px.y));
            let radius = 0.5 + 0.012 * chance(i, 10u) * f32(frame.size_px.y);
            let away = length(vec2f(at) + 0.5 - place);
            light *= 1.0 - 0.8 * clamp(radius - away + 0.5, 0.0, 1.0);
        }
    }
    let lit = straight(color) * light;
    return premultiplied(clamp(lit + (1.0 - lit) * white, vec3f(0.0), vec3f(1.0)), color.w);
}

fn width_px() -> f32 {
    return f32(frame.size_px.x);
}
