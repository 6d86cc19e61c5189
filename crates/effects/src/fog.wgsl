// Fog by distance and by height.

// How much of the light is lost, along a way of a length from one height to another.
fn lost(length_m: f32, from_m: f32, rise_m: f32) -> f32 {
    let way_m = max(length_m - params.start_m, 0.0);
    if params.curve == 2.0 {
        return clamp(way_m / max(params.end_m - params.start_m, 1e-3), 0.0, 1.0);
    }
    var depth = params.density_per_m * way_m;
    if params.curve == 1.0 {
        depth *= depth;
    }
    if params.curve == 3.0 {
        let share = way_m / max(length_m, 1e-6);
        let start = from_m - params.base_m + rise_m * (1.0 - share);
        let k = params.falloff_per_m * rise_m * share;
        // (1 - exp(-k)) / k, by its series near 0.
        var mean = 1.0 - k * (0.5 - k / 6.0);
        if abs(k) > 1e-3 {
            mean = (1.0 - exp(-k)) / k;
        }
        depth *= exp(-params.falloff_per_m * start) * mean;
    }
    return 1.0 - exp(-depth);
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let distance_m = distance_at(at);
    var share = params.background;
    if distance_m >= 0.0 {
        let place = view_place(at, distance_m);
        let eye = view_place(at, 0.0);
        let way = frame.world_from_view * vec4f(place - eye, 0.0);
        let from_m = (frame.world_from_view * vec4f(eye, 1.0)).y;
        share = lost(length(way.xyz), from_m, way.y);
    }
    return color + (vec4f(params.color, 1.0) - color) * share;
}
