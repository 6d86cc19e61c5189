// Gather, where radiance is smooth: the sum over FILL_TAPS^2 points of a texel, and their number.

fn gather(place: StripPlace, size: u32) -> vec4f {
    var sum = vec3f(0.0);
    for (var j = 0; j < FILL_TAPS; j++) {
        for (var i = 0; i < FILL_TAPS; i++) {
            let part = (vec2f(f32(i), f32(j)) + 0.5) / f32(FILL_TAPS);
            sum += radiance(strip_direction(place, part, size));
        }
    }
    return vec4f(sum, f32(FILL_TAPS * FILL_TAPS));
}
