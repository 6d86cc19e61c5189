// Depth of field: each pixel gathers what reaches it.

// Of a circle, in pixels: above 0 behind what is in focus, below 0 before it.
fn radius_at(at: vec2i) -> f32 {
    let distance_m = distance_at(at);
    var part = 1.0 / params.focus_m;
    if distance_m >= 0.0 {
        part = (distance_m - params.focus_m) / (max(distance_m, 1e-4) * params.focus_m);
    }
    let radius = 0.25 * params.aperture_m * part * frame.picture_px.y / frame.extent.y;
    return clamp(radius, -params.radius_max_px, params.radius_max_px);
}

// The widest circle of a block.
fn reach(at: vec2i) -> vec4f {
    let size = vec2i(textureDimensions(depths));
    let first = at * size / frame.size_px;
    let last = (at + 1) * size / frame.size_px;
    var widest = 0.0;
    for (var y = first.y; y < last.y; y++) {
        for (var x = first.x; x < last.x; x++) {
            widest = max(widest, abs(radius_at(vec2i(x, y))));
        }
    }
    return vec4f(widest);
}

fn gather(at: vec2i) -> vec4f {
    let own = texel_0(at);
    let block = at * size_1() / frame.size_px;
    var widest = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            widest = max(widest, texel_1(block + vec2i(x, y)).x);
        }
    }
    if widest < 0.5 {
        return own;
    }
    let own_radius = radius_at(at);
    var weights = 1.0 / max(own_radius * own_radius, 0.25);
    var sum = own * weights;
    // Rings are less than two pixels apart, where ten are enough for that.
    let rings = i32(clamp(ceil(widest / 1.6), 1.0, 10.0));
    for (var ring = 1; ring <= rings; ring++) {
        let count = ring * 8;
        let away = widest * f32(ring) / f32(rings);
        for (var i = 0; i < count; i++) {
            let turn = 6.2831855 * (f32(i) + 0.5 * f32(ring & 1)) / f32(count);
            let place = vec2i(floor(vec2f(at) + 0.5 + away * vec2f(cos(turn), sin(turn))));
            let found = radius_at(place);
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
