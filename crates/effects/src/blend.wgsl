// Blend: two pictures.

fn apply(at: vec2i) -> vec4f {
    let a = texel_0(at);
    let b = texel_1(at);
    var both = b;
    if params.mode == 1.0 {
        both = vec4f(a.xyz + b.xyz, max(a.w, b.w));
    } else if params.mode == 2.0 {
        both = a * b;
    } else if params.mode == 3.0 {
        // Light above 1 stays.
        both = a + b * (1.0 - clamp(a, vec4f(0.0), vec4f(1.0)));
    } else if params.mode == 4.0 {
        both = max(a, b);
    } else if params.mode == 5.0 {
        both = min(a, b);
    } else if params.mode == 6.0 {
        both = b + a * (1.0 - b.w);
    }
    return a + (both - a) * params.share;
}
