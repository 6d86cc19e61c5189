// Ambient occlusion from horizons.

// What texels are seen from.
struct Seat {
    place: vec3f,
    v: vec3f,
    // Across the plane, unit.
    axis: vec3f,
    // How a surface that goes on leaves the plane, along `v`.
    slope: f32,
    radius_m: f32,
}

// Whether a texel counts, and how: the cosine of its direction to the eye's, from `low` on.
fn horizon(at: vec2i, seat: Seat, low: f32) -> f32 {
    let distance_m = distance_at(at);
    if !is_inside(at) || distance_m < 0.0 {
        return low;
    }
    var way = view_place(at, distance_m) - seat.place;
    // Its middle is not in the plane. A surface like this one meets the plane there:
    let across = dot(way, seat.axis);
    way += seat.v * (across * seat.slope) - seat.axis * across;
    let length_m = length(way);
    if length_m == 0.0 {
        return low;
    }
    let share = clamp((seat.radius_m - length_m) / (seat.radius_m * max(params.falloff, 1e-6)), 0.0, 1.0);
    return low + (dot(way, seat.v) / length_m - low) * share;
}

// The free part of a plane's side, from the normal's angle to a horizon's.
fn arc(horizon: f32, normal: f32) -> f32 {
    return 0.25 * (cos(normal) + 2.0 * horizon * sin(normal) - cos(2.0 * horizon - normal));
}

fn horizons(texel: vec2i) -> vec4f {
    let at = pixel_of_texel(texel, frame.size_px);
    let distance_m = distance_at(at);
    if distance_m < 0.0 {
        return vec4f(1.0, -1.0, 0.0, 1.0);
    }
    let place = view_place(at, distance_m);
    let v = normalize(view_place(at, 0.0) - place);
    let n = normal_of(at, place);
    let radius_m = radius_at(distance_m);
    let reach_px = radius_m * pixels_per_m(distance_m);
    let turn = pattern(texel);
    // Another number of 16 for each place.
    let shift = pattern(vec2i(texel.y + 1, texel.x));
    // About the eye's ray, so that planes are even about it.
    let right = normalize(vec3f(v.z, 0.0, -v.x));
    let up = cross(v, right);
    let count = i32(params.slices);
    let steps = i32(params.steps);
    var free = 0.0;
    for (var slice = 0; slice < count; slice++) {
        let angle = PI * (f32(slice) + turn) / f32(count);
        let across = cos(angle) * right + sin(angle) * up;
        // Where a step in the plane leads in the picture.
        let step_px = across.xy - v.xy * (across.z / max(v.z, 1e-3));
        let aim = normalize(vec2f(step_px.x, -step_px.y));
        let axis = cross(across, v);
        let flat_n = n - axis * dot(n, axis);
        let size = length(flat_n);
        if size == 0.0 {
            continue;
        }
        let cosine = clamp(dot(flat_n, v) / size, 0.0, 1.0);
        let normal = acos(cosine) * select(-1.0, 1.0, dot(across, flat_n) >= 0.0);
        let low = vec2f(cos(normal + 0.5 * PI), cos(normal - 0.5 * PI));
        let seat = Seat(place, v, axis, dot(axis, n) / max(dot(v, n), 0.1), radius_m);
        var high = low;
        for (var step = 0; step < steps; step++) {
            let part = (f32(step) + shift) / f32(steps);
            // Near ones are denser, and none is the pixel itself.
            let away = vec2i(round(aim * max(part * part * reach_px, f32(step) + 1.0)));
            high = max(high, vec2f(horizon(at + away, seat, low.x), horizon(at - away, seat, low.y)));
        }
        free += size * (arc(acos(clamp(high.x, -1.0, 1.0)), normal) + arc(-acos(clamp(high.y, -1.0, 1.0)), normal));
    }
    // One plane alone may have more than 1.
    return vec4f(free / f32(count), distance_m, 0.0, 1.0);
}
