// A picture tube. The mask is of the glass: it goes by pixels, and does not bend.

// A line's light at a distance from its middle, both in lines.
fn beam(uv_x: f32, line: f32, away: f32) -> vec3f {
    let uv = vec2f(uv_x, (line + 0.5) * params.pitch_px / f32(frame.size_px.y));
    let light = between_0(uv).xyz;
    let bright = sqrt(clamp(light, vec3f(0.0), vec3f(1.0)));
    let width = params.widths.x + (params.widths.y - params.widths.x) * bright;
    let share = away / width;
    return light * exp(-0.5 * share * share);
}

// What the mask lets through.
fn mask_at(at: vec2i) -> vec3f {
    let width = max(i32(params.mask_px), 3);
    let column = (at.x % width) * 3 / width;
    var lit = vec3f(f32(column == 0), f32(column == 1), f32(column == 2));
    if params.mask_shape == 1.0 {
        // Bridges of neighbours are half a slot apart.
        let row = at.y + select(0, width, (at.x / width) % 2 == 1);
        lit *= f32(row % (2 * width) >= max(width / 3, 1));
    }
    return 1.0 - params.mask * (1.0 - lit);
}

// How much of a pixel is on the screen.
fn on_screen(place: vec2f) -> f32 {
    let size = vec2f(frame.size_px);
    let radius = params.corner * size.y;
    let out = (abs(place) - 1.0) * 0.5 * size + radius;
    let away = length(max(out, vec2f(0.0))) + min(max(out.x, out.y), 0.0) - radius;
    return clamp(0.5 - away, 0.0, 1.0);
}

fn apply(at: vec2i) -> vec4f {
    var color = texel_0(at);
    var uv = uv_of(at);
    let place = 2.0 * uv - 1.0;
    let shown = place * (1.0 + params.curvature * place.yx * place.yx);
    if params.curvature > 0.0 {
        uv = 0.5 * shown + 0.5;
        color = between_0(uv);
    }
    var light = color.xyz;
    if params.beam > 0.0 {
        let phase = uv.y * f32(frame.size_px.y) / params.pitch_px - 0.5;
        let line = floor(phase);
        let part = phase - line;
        let drawn = beam(uv.x, line, part) + beam(uv.x, line + 1.0, 1.0 - part);
        light += (drawn - light) * params.beam;
    }
    let lit = min(light * mask_at(at) * params.gain, vec3f(color.w));
    // What is beside the screen is black, and hides what is behind.
    let share = on_screen(shown);
    return vec4f(lit * share, 1.0 - (1.0 - color.w) * share);
}
