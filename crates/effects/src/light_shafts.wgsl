// Light shafts.

fn bright(at: vec2i) -> vec4f {
    let color = texel_0(2 * at).xyz + texel_0(2 * at + vec2i(1, 0)).xyz + texel_0(2 * at + vec2i(0, 1)).xyz
        + texel_0(2 * at + vec2i(1, 1)).xyz;
    return vec4f(max(0.25 * color - params.threshold, vec3f(0.0)), 1.0);
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let uv = uv_of(at);
    var sum = vec3f(0.0);
    var weight = 1.0;
    let count = i32(params.taps);
    for (var i = 0; i < count; i++) {
        let share = params.length * (f32(i) + 0.5) / f32(count);
        sum += between_1(mix(uv, params.center, share)).xyz * weight;
        weight *= params.decay;
    }
    return vec4f(color.xyz + sum * (params.strength / f32(count)), color.w);
}
