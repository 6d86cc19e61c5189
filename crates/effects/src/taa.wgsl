// TAA: the frames before, where things have come from, and this one (Karis 2014), clipped by variance (Salvi 2016).

fn ycocg_of(c: vec4f) -> vec4f {
    return vec4f(0.25 * c.x + 0.5 * c.y + 0.25 * c.z, 0.5 * (c.x - c.z), -0.25 * c.x + 0.5 * c.y - 0.25 * c.z, c.w);
}

fn rgb_of(c: vec4f) -> vec4f {
    return vec4f(c.x + c.y - c.z, c.x + c.z, c.x - c.y - c.z, c.w);
}

// Weights of four pixels in a row, by Catmull and Rom.
fn spline(t: f32) -> vec4f {
    let t2 = t * t;
    let t3 = t2 * t;
    return 0.5 * vec4f(2.0 * t2 - t - t3, 2.0 - 5.0 * t2 + 3.0 * t3, t + 4.0 * t2 - 3.0 * t3, t3 - t2);
}

// At a place in pixels.
fn before_at(place: vec2f) -> vec4f {
    let corner = floor(place - 0.5);
    let part = place - 0.5 - corner;
    let at = vec2i(corner);
    if all(part == vec2f(0.0)) {
        return texel_1(at);
    }
    let x = spline(part.x);
    let y = spline(part.y);
    var sum = vec4f(0.0);
    for (var row = 0; row < 4; row++) {
        let first = at + vec2i(-1, row - 1);
        let along = texel_1(first) * x.x + texel_1(first + vec2i(1, 0)) * x.y + texel_1(first + vec2i(2, 0)) * x.z
            + texel_1(first + vec2i(3, 0)) * x.w;
        sum += along * y[row];
    }
    return max(sum, vec4f(0.0));
}

// Where the nearest surface of a pixel and those around it has come from.
fn way_at(at: vec2i) -> vec2f {
    var nearest = at;
    var nearest_m = 1e9;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let distance_m = distance_at(at + vec2i(x, y));
            if distance_m >= 0.0 && distance_m < nearest_m {
                nearest = at + vec2i(x, y);
                nearest_m = distance_m;
            }
        }
    }
    return texel_2(nearest).xy;
}

// Towards the mean of the pixels around until it is like them.
fn clipped(color: vec4f, at: vec2i) -> vec4f {
    var sum = vec4f(0.0);
    var squares = vec4f(0.0);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let around = ycocg_of(texel_0(at + vec2i(x, y)));
            sum += around;
            squares += around * around;
        }
    }
    let mean = sum / 9.0;
    let deviation = sqrt(max(squares / 9.0 - mean * mean, vec4f(0.0)));
    let off = ycocg_of(color) - mean;
    let share = abs(off) / (params.gamma * deviation + 1e-6);
    let most = max(max(share.x, share.y), max(share.z, share.w));
    return rgb_of(mean + off / max(most, 1.0));
}

fn apply(at: vec2i) -> vec4f {
    let now = texel_0(at);
    if frame.age < 1.5 {
        return now;
    }
    let place = vec2f(at) + 0.5 + way_at(at);
    if any(place < vec2f(0.0)) || any(place > vec2f(size_1())) {
        return now;
    }
    var before = before_at(place);
    if params.clip < 0.5 {
        before = max(clipped(before, at), vec4f(0.0));
    }
    return before + (now - before) / min(frame.age, params.frames);
}
