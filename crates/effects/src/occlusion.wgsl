
// Occlusion: what stages of ambient occlusion share. Places are in view space; noise is a pattern of 4 x 4 pixels, and
// `settled` takes the mean of each pattern.

const PI: f32 = 3.14159265;

// What is farther from a surface keeps no light from it, by how far the surface is along the view axis.
fn radius_at(distance_m: f32) -> f32 {
    if params.radius_heights > 0.0 {
        return params.radius_heights * frame.picture_px.y / pixels_per_m(distance_m);
    }
    return params.radius_m;
}

// From a surface to the next pixel's; w: how far they are apart along the view axis.
fn step_to(at: vec2i, place: vec3f, by: vec2i) -> vec4f {
    let distance_m = distance_at(at + by);
    if !is_inside(at + by) || distance_m < 0.0 {
        return vec4f(0.0, 0.0, 0.0, 1e30);
    }
    let way = view_place(at + by, distance_m) - place;
    return vec4f(way, abs(way.z));
}

// The side on which the surface goes on.
fn along(forth: vec4f, back: vec4f, across: vec3f) -> vec3f {
    if min(forth.w, back.w) == 1e30 {
        return across;
    }
    return select(-back.xyz, forth.xyz, forth.w <= back.w);
}

// Of the surface itself, towards the eye: from depth.
fn normal_of(at: vec2i, place: vec3f) -> vec3f {
    let right = along(step_to(at, place, vec2i(1, 0)), step_to(at, place, vec2i(-1, 0)), vec3f(1.0, 0.0, 0.0));
    let up = along(step_to(at, place, vec2i(0, -1)), step_to(at, place, vec2i(0, 1)), vec3f(0.0, 1.0, 0.0));
    return normalize(cross(right, up));
}

// One of 16 numbers from 0 up to 1 for each place of a pattern; neighbours differ much (Bayer 1973).
fn pattern(at: vec2i) -> f32 {
    let fine = (at.x ^ at.y) & 1;
    let coarse = ((at.x ^ at.y) >> 1u) & 1;
    let number = (fine << 3u) | ((at.y & 1) << 2u) | (coarse << 1u) | ((at.y >> 1u) & 1);
    return f32(number) / 16.0;
}

// The pixel that a texel of a picture of a size stands for.
fn pixel_of_texel(texel: vec2i, size_px: vec2i) -> vec2i {
    let scale = i32(round(frame.picture_px.x / f32(size_px.x)));
    return min(texel * scale, vec2i(frame.picture_px) - 1);
}

// The mean of a pattern about a pixel, of texels that lie in its surface.
fn settled(at: vec2i, distance_m: f32) -> f32 {
    let radius_m = radius_at(distance_m);
    let place = view_place(at, distance_m);
    let normal = normal_of(at, place);
    // Where the pixel is among the texels. At the picture's rim patterns are whole, too.
    let place_px = (vec2f(at) + 0.5) * vec2f(size_0()) / frame.picture_px - 0.5;
    let exact = min(max(place_px, vec2f(2.0)), max(vec2f(size_0()) - 3.0, vec2f(0.0)));
    let middle = vec2i(round(exact));
    var sum = 0.0;
    var weights = 0.0;
    for (var y = -2; y <= 2; y++) {
        for (var x = -2; x <= 2; x++) {
            let texel = texel_0(middle + vec2i(x, y));
            if texel.y < 0.0 {
                continue;
            }
            // What lies in a square of 4 x 4 texels about the pixel.
            let off = abs(vec2f(middle + vec2i(x, y)) - exact);
            var weight = clamp(2.5 - off.x, 0.0, 1.0) * clamp(2.5 - off.y, 0.0, 1.0);
            let there = view_place(pixel_of_texel(clamp(middle + vec2i(x, y), vec2i(0), size_0() - 1), size_0()), texel.y);
            weight *= clamp(1.0 - abs(dot(normal, there - place)) / (0.1 * radius_m), 0.0, 1.0);
            sum += weight * texel.x;
            weights += weight;
        }
    }
    return select(texel_0(middle).x, sum / weights, weights > 0.0);
}

// The last stage.
fn apply(at: vec2i) -> vec4f {
    let distance_m = distance_at(at);
    if distance_m < 0.0 {
        return vec4f(1.0, -1.0, 0.0, 1.0);
    }
    let share = pow(clamp(settled(at, distance_m), 1e-6, 1.0), params.power);
    return vec4f(1.0 + (share - 1.0) * frame.amount, distance_m, params.bounces, 1.0);
}
