// Fill, where radiance has details as small as texels: the mean of FILL_POINTS points a texel, by the solid angles that
// they stand for.
//
// The points are those of a lattice (Korobov 1959). No two share a row or a column, so that the edges of the source's
// texels, which run along meridians and circles of latitude, fall between them at many places.

struct Fill {
    size: u32,
    // 1 / radiance that a texel of 1 stands for.
    inverse_scale: f32,
}

@group(0) @binding(0) var<uniform> fill: Fill;

@fragment
fn fill_strip(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let place = strip_place(position, fill.size);
    var sum = vec3f(0.0);
    var whole = 0.0;
    for (var i = 0; i < FILL_POINTS; i++) {
        let part = (vec2f(f32(i), f32(i * FILL_STEP % FILL_POINTS)) + 0.5) / f32(FILL_POINTS);
        let share = strip_share(place, part, fill.size);
        sum += radiance(strip_direction(place, part, fill.size)) * share;
        whole += share;
    }
    return vec4f(sum * (fill.inverse_scale / whole), 1.0);
}
