// Lens flare from what is in the picture (Chapman 2013). In heights, so that halos are round; what is outside is dark.

fn aspect() -> f32 {
    return frame.picture_px.x / frame.picture_px.y;
}

// From the centre, in heights.
fn place_of(at: vec2i) -> vec2f {
    return (uv_of(at) - 0.5) * vec2f(aspect(), 1.0);
}

fn bright(at: vec2i) -> vec4f {
    let color = 0.25 * (texel_0(2 * at).xyz + texel_0(2 * at + vec2i(1, 0)).xyz + texel_0(2 * at + vec2i(0, 1)).xyz
        + texel_0(2 * at + vec2i(1, 1)).xyz);
    let peak = max(color.x, max(color.y, color.z));
    return vec4f(color * (max(peak - params.threshold, 0.0) / max(peak, 1e-6)), 1.0);
}

// What is at a place, by how near the centre it is.
fn weighed(place: vec2f) -> vec3f {
    let uv = place / vec2f(aspect(), 1.0) + 0.5;
    if any(uv < vec2f(0.0)) || any(uv > vec2f(1.0)) {
        return vec3f(0.0);
    }
    let near = max(1.0 - length(place) / (0.5 * length(frame.picture_px) / frame.picture_px.y), 0.0);
    let near2 = near * near;
    return between_0(uv).xyz * (near2 * near2 * near);
}

// Red from nearer to the centre, blue from farther away.
fn parted(place: vec2f) -> vec3f {
    if params.shift == 0.0 {
        return weighed(place);
    }
    let way = place * (params.shift / max(length(place), 1e-6));
    return vec3f(weighed(place - way).x, weighed(place).y, weighed(place + way).z);
}

fn features(at: vec2i) -> vec4f {
    let mirrored = -place_of(at);
    var sum = vec3f(0.0);
    for (var i = 0; i < i32(params.ghosts); i++) {
        sum += parted(mirrored * (1.0 - f32(i) * params.spacing));
    }
    if params.halo > 0.0 {
        sum += parted(mirrored * (1.0 - params.halo / max(length(mirrored), 1e-6)));
    }
    return vec4f(sum, 1.0);
}

// At half the size.
fn rows(at: vec2i) -> vec4f {
    return gauss_0(at, vec2i(1, 0), 0.5 * params.blur_px);
}

fn columns(at: vec2i) -> vec4f {
    return gauss_0(at, vec2i(0, 1), 0.5 * params.blur_px);
}

// Rays across the flare, none at its centre.
fn rays(place: vec2f) -> f32 {
    let away = length(place);
    if away < 1e-4 {
        return 1.0;
    }
    let angle = atan2(place.y, place.x);
    let pattern = 0.5 + 0.25 * cos(7.0 * angle) + 0.25 * cos(12.0 * angle);
    return 1.0 - params.starburst * (1.0 - pattern) * clamp(away / 0.15, 0.0, 1.0);
}

// Spots, from 0 to 1: one in each cell of a grid, some of them nearly black.
fn spots(place: vec2f) -> f32 {
    let scaled = 12.0 * (place + 8.0);
    let cell = vec2i(floor(scaled));
    let moment = u32(params.seed) * 7919u;
    var sum = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let other = cell + vec2i(x, y);
            let middle = vec2f(other) + vec2f(random(other, moment, 1u), random(other, moment, 2u));
            let radius = 0.15 + 0.7 * random(other, moment, 3u);
            let light = random(other, moment, 4u);
            sum += light * light * clamp((radius - length(scaled - middle)) / 0.15, 0.0, 1.0);
        }
    }
    return min(sum, 1.0);
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    let place = place_of(at);
    var light = params.strength * rays(place);
    if params.dirt > 0.0 {
        light *= 1.0 + params.dirt * spots(place);
    }
    return vec4f(color.xyz + between_1(uv_of(at)).xyz * light, color.w);
}
