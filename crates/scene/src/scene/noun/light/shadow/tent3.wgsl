// Offsets and weights of two bilinear taps that make the weights 1 - s, 2 - s, 1 + s, s (of 4) for `s` in [0, 1).
struct Taps {
    offset: vec2f,
    weight: vec2f,
}

fn taps(s: f32) -> Taps {
    let weight = vec2f(3.0 - 2.0 * s, 1.0 + 2.0 * s);
    return Taps(vec2f((2.0 - s) / weight.x - 1.0, s / weight.y + 1.0), weight);
}

// Two taps of one row at height `v`, each against the depth of the plane at its place.
fn shadow_row(maps: texture_depth_2d_array, layer: i32, u: vec2f, v: f32, weight: vec2f, depth: vec2f) -> f32 {
    let left = weight.x * textureSampleCompareLevel(maps, shadow_sampler, vec2f(u.x, v), layer, depth.x);
    let right = weight.y * textureSampleCompareLevel(maps, shadow_sampler, vec2f(u.y, v), layer, depth.y);
    return left + right;
}

fn shadow_tent3(maps: texture_depth_2d_array, p: MapPoint) -> f32 {
    let at = p.at - 0.5;
    let first = floor(at);
    let part = at - first;
    let x = taps(part.x);
    let y = taps(part.y);
    let u = (p.corner.x + first.x + 0.5 + x.offset) / p.width;
    let v = (p.corner.y + first.y + 0.5 + y.offset) / p.width;
    let across = p.depth + p.slope.x * (x.offset - part.x);
    let down = p.slope.y * (y.offset - part.y);
    let top = y.weight.x * shadow_row(maps, p.layer, u, v.x, x.weight, across + down.x);
    let bottom = y.weight.y * shadow_row(maps, p.layer, u, v.y, x.weight, across + down.y);
    // The weights make 16 within rounding. Summed in the same order they divide all of the light into exactly 1.
    let row = x.weight.x + x.weight.y;
    return (top + bottom) / (y.weight.x * row + y.weight.y * row);
}
