// Outline by the gradient of what is seen.

fn light_at(at: vec2i) -> f32 {
    return luminance(srgb_of(straight(texel_0(at))));
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let nw = light_at(at + vec2i(-1, -1));
    let ne = light_at(at + vec2i(1, -1));
    let sw = light_at(at + vec2i(-1, 1));
    let se = light_at(at + vec2i(1, 1));
    let x = ne + 2.0 * light_at(at + vec2i(1, 0)) + se - nw - 2.0 * light_at(at - vec2i(1, 0)) - sw;
    let y = sw + 2.0 * light_at(at + vec2i(0, 1)) + se - nw - 2.0 * light_at(at - vec2i(0, 1)) - ne;
    let slope = sqrt(x * x + y * y);
    let line = params.strength * clamp((slope - params.threshold) / max(params.threshold, 0.05), 0.0, 1.0);
    return color + (vec4f(params.color * color.w, color.w) - color) * line;
}
