// Luminance as colours of a heat camera, encoded.

fn iron(step: i32) -> vec3f {
    switch step {
        case 0: { return vec3f(0.0, 0.0, 0.0); }
        case 1: { return vec3f(0.3, 0.0, 0.6); }
        case 2: { return vec3f(0.8, 0.1, 0.4); }
        case 3: { return vec3f(1.0, 0.5, 0.0); }
        case 4: { return vec3f(1.0, 0.85, 0.2); }
        default: { return vec3f(1.0, 1.0, 1.0); }
    }
}

fn rainbow(step: i32) -> vec3f {
    switch step {
        case 0: { return vec3f(0.0, 0.0, 1.0); }
        case 1: { return vec3f(0.0, 1.0, 1.0); }
        case 2: { return vec3f(0.0, 1.0, 0.0); }
        case 3: { return vec3f(1.0, 1.0, 0.0); }
        default: { return vec3f(1.0, 0.0, 0.0); }
    }
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let light = srgb_of(vec3f(luminance(straight(color)))).x;
    let heat = clamp((light - params.low) / max(params.high - params.low, 1e-3), 0.0, 1.0);
    var shown = vec3f(heat);
    if params.palette == 0.0 {
        let step = min(i32(heat * 5.0), 4);
        shown = mix(iron(step), iron(step + 1), heat * 5.0 - f32(step));
    } else if params.palette == 1.0 {
        let step = min(i32(heat * 4.0), 3);
        shown = mix(rainbow(step), rainbow(step + 1), heat * 4.0 - f32(step));
    } else if params.palette == 3.0 {
        shown = vec3f(1.0 - heat);
    }
    return color + (premultiplied(linear_of(shown), color.w) - color) * params.strength;
}
