// Grain, another one in each picture of a sequence.

// About normal, with a deviation of 1: the sum of four even ones.
fn noise(at: vec2i, stream: u32) -> f32 {
    let moment = frame.tick + u32(params.seed) * 7919u;
    let a = random(at, moment, stream) + random(at, moment, stream + 1u);
    let b = random(at, moment, stream + 2u) + random(at, moment, stream + 3u);
    return (a + b - 2.0) * 1.7320508;
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let x = clamp(srgb_of(straight(color)), vec3f(0.0), vec3f(1.0));
    let of_all = noise(at, 0u);
    let of_each = vec3f(of_all, noise(at, 4u), noise(at, 8u));
    let added = mix(vec3f(of_all), of_each, params.color) * params.strength * 4.0 * x * (1.0 - x);
    return premultiplied(linear_of(clamp(x + added, vec3f(0.0), vec3f(1.0))), color.w);
}
