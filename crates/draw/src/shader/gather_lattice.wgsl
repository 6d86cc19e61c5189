// Gather, where radiance has details as small as texels: the sum over FILL_POINTS points of a texel by the solid angles
// that they stand for, and the sum of those.
//
// The points are those of a lattice (Korobov 1959). No two share a row or a column, so that the edges of the source's
// texels, which run along meridians and circles of latitude, fall between them at many places.

fn gather(place: StripPlace, size: u32) -> vec4f {
    var sum = vec3f(0.0);
    var whole = 0.0;
    for (var i = 0; i < FILL_POINTS; i++) {
        let part = (vec2f(f32(i), f32(i * FILL_STEP % FILL_POINTS)) + 0.5) / f32(FILL_POINTS);
        let share = strip_share(place, part, size);
        sum += radiance(strip_direction(place, part, size)) * share;
        whole += share;
    }
    return vec4f(sum, whole);
}
