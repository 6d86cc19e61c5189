// Motion blur: each pixel gathers along the way of what is around (McGuire et al. 2012; weights: Jimenez 2014).

// Half of the way while the shutter is open, in pixels. Read from the first picture.
fn way_at(at: vec2i) -> vec2f {
    let way = 0.5 * params.shutter * texel_0(at).xy;
    let length_px = length(way);
    return way * min(1.0, 0.5 * params.length_max_px / max(length_px, 1e-6));
}

// Of a square.
fn longest(at: vec2i) -> vec4f {
    let first = at * size_0() / frame.size_px;
    let last = (at + 1) * size_0() / frame.size_px;
    var found = vec2f(0.0);
    for (var y = first.y; y < last.y; y++) {
        for (var x = first.x; x < last.x; x++) {
            let way = way_at(vec2i(x, y));
            if dot(way, way) > dot(found, found) {
                found = way;
            }
        }
    }
    return vec4f(found, 0.0, 0.0);
}

// Of a square and its neighbours.
fn around(at: vec2i) -> vec4f {
    var found = vec2f(0.0);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let way = texel_0(at + vec2i(x, y)).xy;
            if dot(way, way) > dot(found, found) {
                found = way;
            }
        }
    }
    return vec4f(found, 0.0, 0.0);
}

// Metres, far away where nothing is.
fn far_at(at: vec2i) -> f32 {
    let distance_m = distance_at(at);
    return select(distance_m, 1e6, distance_m < 0.0);
}

// 1 where a is before b, 0 where it is behind, 1/2 where both are as far away.
fn is_before(a_m: f32, b_m: f32) -> f32 {
    return clamp(0.5 + 0.5 * (b_m - a_m) / (0.02 * min(a_m, b_m) + 1e-4), 0.0, 1.0);
}

// Whether a way of a length reaches that far.
fn reaches(length_px: f32, away: f32) -> f32 {
    return clamp(length_px - away + 1.0, 0.0, 1.0);
}

fn gather(at: vec2i) -> vec4f {
    let own = texel_2(at);
    let way = texel_1(at * size_1() / frame.size_px).xy;
    if dot(way, way) <= 0.0625 {
        return own;
    }
    let own_m = far_at(at);
    let own_px = length(way_at(at));
    var weights = 0.0;
    var sum = vec4f(0.0);
    // Points are a little off, another way in each pixel, so that there are no bands.
    let off = random(at, 0u, 7u) - 0.5;
    let count = i32(params.taps);
    for (var i = 0; i < count; i++) {
        let along = -1.0 + 2.0 * (f32(i) + 0.5 + off) / f32(count);
        let place = vec2i(floor(vec2f(at) + 0.5 + way * along));
        let away = length(vec2f(place - at));
        let before = is_before(far_at(place), own_m);
        let found_px = length(way_at(place));
        // What is before passes over this pixel; this pixel passes over what is behind.
        let weight = before * reaches(found_px, away) + (1.0 - before) * reaches(own_px, away);
        sum += texel_2(place) * weight;
        weights += weight;
    }
    return (sum + own * (f32(count) - weights)) / f32(count);
}
