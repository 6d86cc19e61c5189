// A picture that rolls, by whole pixels.

// From 0 up to the divisor.
fn around(number: i32, divisor: i32) -> i32 {
    return ((number % divisor) + divisor) % divisor;
}

fn apply(at: vec2i) -> vec4f {
    let moment = u32(floor(frame.time_s * params.rate_hz)) + u32(params.seed) * 7919u;
    let size = frame.size_px;
    // Picture and bar.
    let period = size.y + i32(round(params.bar * f32(size.y)));
    let turn = params.offset + params.speed * frame.time_s;
    let row = around(at.y + i32(round((turn - floor(turn)) * f32(period))), period);
    if row >= size.y {
        return vec4f(vec3f(params.noise * random(at, moment, 1u)), 1.0);
    }
    let rest = 1.0 - f32(row) / f32(size.y);
    let rest2 = rest * rest;
    let chance = 2.0 * random(vec2i(0, row), moment, 2u) - 1.0;
    let moved = i32(round((params.tear * rest2 * rest2 + params.jitter * chance) * f32(size.x)));
    return texel_0(vec2i(around(at.x + moved, size.x), row));
}
