// Fast approximate anti-aliasing (Lottes 2009), by encoded luminance.

fn lights(at: vec2i) -> vec4f {
    return vec4f(luminance(srgb_of(texel_0(at).xyz)));
}

// Of the first stage.
fn light_at(at: vec2i) -> f32 {
    return texel_1(at).x;
}

// Between four pixels of a place in pixels.
fn light_between(place: vec2f) -> f32 {
    return luminance(srgb_of(between_0(place / vec2f(frame.size_px)).xyz));
}

fn step_of(number: i32) -> f32 {
    // Near the pixel each one, farther away in larger steps.
    return select(select(select(1.0, 1.5, number >= 1), 2.0, number >= 5), 4.0, number >= 9);
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let m = light_at(at);
    let n = light_at(at - vec2i(0, 1));
    let s = light_at(at + vec2i(0, 1));
    let w = light_at(at - vec2i(1, 0));
    let e = light_at(at + vec2i(1, 0));
    let most = max(m, max(max(n, s), max(w, e)));
    let range = most - min(m, min(min(n, s), min(w, e)));
    if range < max(params.threshold_dark, most * params.threshold) {
        return color;
    }
    let nw = light_at(at + vec2i(-1, -1));
    let ne = light_at(at + vec2i(1, -1));
    let sw = light_at(at + vec2i(-1, 1));
    let se = light_at(at + vec2i(1, 1));
    let mean = (2.0 * (n + s + w + e) + nw + ne + sw + se) / 12.0;
    let part = clamp(abs(mean - m) / range, 0.0, 1.0);
    let smooth_part = part * part * (3.0 - 2.0 * part);
    let by_pixel = smooth_part * smooth_part * params.subpixel;
    let rows = abs(nw + sw - 2.0 * w) + 2.0 * abs(n + s - 2.0 * m) + abs(ne + se - 2.0 * e);
    let columns = abs(nw + ne - 2.0 * n) + 2.0 * abs(w + e - 2.0 * m) + abs(sw + se - 2.0 * s);
    let is_row = rows >= columns;
    let before = select(w, n, is_row);
    let after = select(e, s, is_row);
    let is_before = abs(before - m) >= abs(after - m);
    let across = select(vec2f(1.0, 0.0), vec2f(0.0, 1.0), is_row) * select(1.0, -1.0, is_before);
    let along = select(vec2f(0.0, 1.0), vec2f(1.0, 0.0), is_row);
    let edge = 0.5 * (m + select(after, before, is_before));
    let change = max(abs(before - m), abs(after - m)) * 0.25;
    let start = vec2f(at) + 0.5 + 0.5 * across;
    var away = array<f32, 2>(0.0, 0.0);
    var ends = array<f32, 2>(0.0, 0.0);
    for (var side = 0; side < 2; side++) {
        let direction = along * select(-1.0, 1.0, side == 1);
        for (var i = 0; i < 12; i++) {
            away[side] += step_of(i);
            ends[side] = light_between(start + direction * away[side]) - edge;
            if abs(ends[side]) >= change {
                break;
            }
        }
    }
    let nearer = select(1, 0, away[0] < away[1]);
    var by_edge = 0.5 - away[nearer] / (away[0] + away[1]);
    // The end has to lie on the other side of the edge than the pixel.
    if (m < edge) == (ends[nearer] < 0.0) {
        by_edge = 0.0;
    }
    let place = vec2f(at) + 0.5 + across * max(by_edge, by_pixel);
    return between_0(place / vec2f(frame.size_px));
}
