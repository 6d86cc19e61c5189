// Tilt shift: a blur that grows away from a band.

fn sigma_at(at: vec2i) -> f32 {
    let turn = params.angle_deg * 0.017453293;
    let place = (vec2f(at) + 0.5) / f32(frame.size_px.y) - vec2f(0.5 * f32(frame.size_px.x) / f32(frame.size_px.y), params.center);
    let away = abs(cos(turn) * place.y - sin(turn) * place.x);
    let share = clamp((away - params.band) / params.ramp, 0.0, 1.0);
    return params.sigma_px * share;
}

fn rows(at: vec2i) -> vec4f {
    return gauss_0(at, vec2i(1, 0), sigma_at(at));
}

fn columns(at: vec2i) -> vec4f {
    return gauss_0(at, vec2i(0, 1), sigma_at(at));
}
