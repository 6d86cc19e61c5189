// Fill: smooth radiance into a strip, the mean of FILL_TAPS^2 points a texel.

struct Fill {
    size: u32,
    // 1 / radiance that a texel of 1 stands for.
    inverse_scale: f32,
}

@group(0) @binding(0) var<uniform> fill: Fill;

@fragment
fn fill_strip(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let place = strip_place(position, fill.size);
    var sum = vec3f(0.0);
    for (var j = 0; j < FILL_TAPS; j++) {
        for (var i = 0; i < FILL_TAPS; i++) {
            let part = (vec2f(f32(i), f32(j)) + 0.5) / f32(FILL_TAPS);
            sum += radiance(strip_direction(place, part, fill.size));
        }
    }
    return vec4f(sum * (fill.inverse_scale / f32(FILL_TAPS * FILL_TAPS)), 1.0);
}
