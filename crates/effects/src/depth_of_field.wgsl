// Depth of field: each pixel gathers what reaches it.

// Radius of a circle, in pixels: above 0 behind what is in focus, below 0 before it.
fn circles(at: vec2i) -> vec4f {
    let distance_m = distance_at(at);
    var part = 1.0 / params.focus_m;
    if distance_m >= 0.0 {
        part = (distance_m - params.focus_m) / (max(distance_m, 1e-4) * params.focus_m);
    }
    let radius = 0.25 * params.aperture_m * part * frame.picture_px.y / frame.extent.y;
    return vec4f(clamp(radius, -params.radius_max_px, params.radius_max_px));
}

// The widest circle of a block.
fn reach(at: vec2i) -> vec4f {
    let size = size_0();
    let first = at * size / frame.size_px;
    let last = (at + 1) * size / frame.size_px;
    var widest = 0.0;
    for (var y = first.y; y < last.y; y++) {
        for (var x = first.x; x < last.x; x++) {
            widest = max(widest, abs(texel_0(vec2i(x, y)).x));
        }
    }
    return vec4f(widest);
}

fn gather(at: vec2i) -> vec4f {
    let own = texel_0(at);
    let block = at * size_2() / frame.size_px;
    var widest = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            widest = max(widest, texel_2(block + vec2i(x, y)).x);
        }
    }
    if widest < 0.5 {
        return own;
    }
    let own_radius = texel_1(at).x;
    var weights = 1.0 / max(own_radius * own_radius, 0.25);
    var sum = own * weights;
    // Rings are less than two pixels apart, where ten are enough for that.
    let rings = i32(clamp(ceil(widest / 1.6), 1.0, 10.0));
    for (var ring = 1; ring <= rings; ring++) {
        let count = ring * 8;
        let away = widest * f32(ring) / f32(rings);
        let turn = 6.2831855 / f32(count);
        let turned = mat2x2f(vec2f(cos(turn), sin(turn)), vec2f(-sin(turn), cos(turn)));
        var way = away * select(vec2f(1.0, 0.0), vec2f(cos(0.5 * turn), sin(0.5 * turn)), (ring & 1) == 1);
        for (var i = 0; i < count; i++) {
            let place = vec2i(floor(vec2f(at) + 0.5 + way));
            way = turned * way;
            let found = texel_1(place).x;
            // What is behind spreads over what is sharp no further than that is blurred.
            let radius = select(abs(found), min(abs(found), abs(own_radius)), found > own_radius);
            let weight = clamp(radius - away + 0.5, 0.0, 1.0) / max(radius * radius, 0.25);
            if weight > 0.0 {
                sum += texel_0(place) * weight;
                weights += weight;
            }
        }
    }
    return sum / weights;
}
