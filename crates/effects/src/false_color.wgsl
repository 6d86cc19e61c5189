// False colour by stops.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let stop = log2(max(luminance(straight(color)), 1e-9) / params.grey);
    var shown = vec3f(0.0);
    if stop >= 6.0 {
        shown = vec3f(1.0);
    } else if stop >= 4.0 {
        shown = vec3f(0.85, 0.03, 0.03);
    } else if stop >= 2.0 {
        shown = vec3f(0.9, 0.3, 0.02);
    } else if stop >= 0.5 {
        shown = vec3f(0.85, 0.75, 0.05);
    } else if stop >= -0.5 {
        shown = vec3f(0.08, 0.5, 0.08);
    } else if stop >= -2.0 {
        shown = vec3f(0.05, 0.55, 0.6);
    } else if stop >= -4.0 {
        shown = vec3f(0.03, 0.1, 0.7);
    } else if stop >= -6.0 {
        shown = vec3f(0.25, 0.03, 0.4);
    }
    return premultiplied(shown, color.w);
}
