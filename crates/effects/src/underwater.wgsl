// Under water: waves, then what the way through it leaves.

// Of a number of turns.
fn sine(turns: f32) -> f32 {
    return sin((turns - floor(turns)) * 6.2831855);
}

// Up to 1 each way, at a place in heights.
fn wave(place: vec2f) -> vec2f {
    let turn = params.speed_hz * frame.time_s;
    let a = params.waves * (place.yx + 0.3 * place);
    let b = 1.7 * params.waves * (place.yx - 0.5 * place);
    return vec2f(
        0.6 * sine(a.x + turn) + 0.4 * sine(b.x - 1.3 * turn),
        0.6 * sine(a.y + turn + 0.25) + 0.4 * sine(b.y - 1.3 * turn + 0.4),
    );
}

fn apply(at: vec2i) -> vec4f {
    var color = texel_0(at);
    var seen = at;
    if params.amplitude > 0.0 {
        let size = vec2f(frame.size_px);
        let way = params.amplitude * wave((vec2f(at) + 0.5) / size.y);
        let uv = clamp(uv_of(at) + way * size.y / size, vec2f(0.0), vec2f(1.0));
        color = between_0(uv);
        seen = clamp(vec2i(floor(uv * size)), vec2i(0), frame.size_px - 1);
    }
    let distance_m = distance_at(seen);
    var way_m = params.background_m;
    if distance_m >= 0.0 {
        way_m = length(view_place(seen, distance_m) - view_place(seen, 0.0));
    }
    let kept = exp(-params.absorption_per_m * way_m);
    let covered = 1.0 - max(kept.x, max(kept.y, kept.z));
    return vec4f(color.xyz * kept + params.color * (1.0 - kept), color.w + (1.0 - color.w) * covered);
}
