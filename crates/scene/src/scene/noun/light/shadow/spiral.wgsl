// Points on a spiral that cover a disk evenly (Vogel 1979): each is turned by the golden angle from the one before.
fn spiral_step(direction: vec2f) -> vec2f {
    let golden = vec2f(-0.7373688780783197, 0.6754902942615238);
    return vec2f(direction.x * golden.x - direction.y * golden.y, direction.x * golden.y + direction.y * golden.x);
}

// Where the spiral of a pixel begins: PCG (Jarzynski, Olano 2020) of its column, then of its row.
fn spiral_start(pixel: vec2f) -> vec2f {
    var hash = u32(pixel.x);
    for (var round = 0; round < 2; round++) {
        let state = hash * 747796405u + 2891336453u;
        let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
        hash = (word >> 22u) ^ word;
        if round == 0 {
            hash += u32(pixel.y);
        }
    }
    let angle = f32(hash >> 8u) * (6.2831853 / 16777216.0);
    return vec2f(cos(angle), sin(angle));
}

// The mean of comparisons with `count` texels on a spiral.
fn spiral_filter(maps: texture_depth_2d_array, p: MapPoint, start: vec2f, radius: f32, count: i32) -> f32 {
    var direction = start;
    var lit = 0.0;
    for (var tap = 0; tap < count; tap++) {
        let offset = direction * (radius * sqrt((f32(tap) + 0.5) / f32(count)));
        lit += shadow_texel(maps, p, floor(p.at + offset));
        direction = spiral_step(direction);
    }
    return lit / f32(count);
}
