// Halftone.

fn screen_at(at: vec2i, turn: f32) -> f32 {
    let c = cos(turn);
    let s = sin(turn);
    let place = (vec2f(at) + 0.5) / params.size_px;
    let turned = vec2f(c * place.x + s * place.y, c * place.y - s * place.x);
    let part = turned - floor(turned) - 0.5;
    if params.shape == 1.0 {
        return 1.0 - 2.0 * abs(part.y);
    }
    // The rest of the cell beside a dot of this radius.
    return clamp(1.0 - 3.1415927 * dot(part, part), 0.0, 1.0);
}

fn ink(light: f32, dark: f32) -> f32 {
    // An edge of about a pixel.
    return clamp((light - dark) * params.size_px * 0.5 + 0.5, 0.0, 1.0);
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let c = clamp(straight(color), vec3f(0.0), vec3f(1.0));
    let turn = params.angle_deg * 0.017453293;
    if params.ink == 1.0 {
        let printed = vec3f(
            ink(c.x, screen_at(at, turn - 0.52359878)),
            ink(c.y, screen_at(at, turn + 0.52359878)),
            ink(c.z, screen_at(at, turn - 0.78539816)),
        );
        return premultiplied(printed, color.w);
    }
    return premultiplied(vec3f(ink(luminance(c), screen_at(at, turn))), color.w);
}
