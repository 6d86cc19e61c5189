// Contrast about 0.18, and saturation.

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    var x = straight(color);
    if params.contrast != 1.0 {
        let steps = max(x, vec3f(0.0)) / 0.18;
        let c = params.contrast;
        x = 0.18 * vec3f(pow(steps.x, c), pow(steps.y, c), pow(steps.z, c));
    }
    let grey = luminance(x);
    if params.saturation != 1.0 {
        x = max(grey + (x - grey) * params.saturation, vec3f(0.0));
    }
    return premultiplied(x, color.w);
}
