// Ambient occlusion from points.

fn points(at: vec2i) -> vec4f {
    let distance_m = distance_at(at);
    if distance_m < 0.0 {
        return vec4f(1.0, -1.0, 0.0, 1.0);
    }
    let place = view_place(at, distance_m);
    let n = normal_of(at, place);
    let radius_m = radius_at(distance_m);
    // A frame about the normal (Duff and others 2017).
    let side = select(-1.0, 1.0, n.z >= 0.0);
    let a = -1.0 / (side + n.z);
    let b = n.x * n.y * a;
    let t = vec3f(1.0 + side * n.x * n.x * a, side * b, -side * n.x);
    let s = vec3f(b, side + n.y * n.y * a, -n.y);
    let turn = pattern(at);
    let count = i32(params.taps);
    var hidden = 0.0;
    for (var i = 0; i < count; i++) {
        // Directions by their cosine on a spiral of golden angles, and lengths that fill the ball.
        let share = (f32(i) + 0.5) / f32(count);
        let angle = 2.3999632 * f32(i) + 2.0 * PI * turn;
        let radius = sqrt(share);
        let direction = t * (cos(angle) * radius) + s * (sin(angle) * radius) + n * sqrt(1.0 - share);
        let part = fract(f32(i) * 0.61803399 + turn);
        let point = place + direction * (radius_m * (0.1 + 0.9 * part * part));
        let pixel = vec2i(floor(pixel_of(point)));
        let seen_m = distance_at(pixel);
        if point.z >= 0.0 || !is_inside(pixel) || seen_m < 0.0 {
            continue;
        }
        let behind_m = -point.z - seen_m;
        let above_m = dot(view_place(pixel, seen_m) - place, n);
        if behind_m > 0.0 && behind_m < radius_m && above_m > params.bias * radius_m {
            hidden += 1.0;
        }
    }
    return vec4f(1.0 - hidden / f32(count), distance_m, 0.0, 1.0);
}
