// Radial blur.

fn apply(at: vec2i) -> vec4f {
    let uv = uv_of(at);
    var sum = texel_0(at);
    let count = i32(params.taps);
    for (var i = 1; i < count; i++) {
        let share = params.strength * f32(i) / f32(count - 1);
        sum += between_0(mix(uv, params.center, share));
    }
    return sum / f32(count);
}
