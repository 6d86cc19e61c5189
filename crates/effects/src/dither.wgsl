// Dither: an ordered pattern of 8 x 8.

fn bayer(at: vec2i) -> f32 {
    var sum = 0;
    var x = at.x & 7;
    var y = at.y & 7;
    for (var i = 0; i < 3; i++) {
        sum = sum * 4 + (((x ^ y) & 1) * 2 + (y & 1));
        x >>= 1u;
        y >>= 1u;
    }
    return (f32(sum) + 0.5) / 64.0 - 0.5;
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let x = srgb_of(straight(color)) + bayer(at) * params.steps / 255.0;
    return premultiplied(linear_of(clamp(x, vec3f(0.0), vec3f(1.0))), color.w);
}
