// Directions: reflections of one roughness into a strip, as a sum over directions of the lobe.
//
// GGX about a mirror direction (n = v = r, Karis 2013), by half vectors of equal share (Hammersley's points); each
// direction reads the level whose texels are as wide as its share of the sphere (Colbert, Krivanek 2007).

struct Directions {
    size: u32,
    count: u32,
    // alpha^2.
    a2: f32,
    // Texels of the radiance cube for each direction, if directions were spread as evenly as they are.
    texels: f32,
}

@group(0) @binding(0) var<uniform> directions: Directions;
@group(0) @binding(1) var radiance_cube: texture_cube<f32>;
@group(0) @binding(2) var level_sampler: sampler;

@fragment
fn directions_strip(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let n = strip_direction(strip_place(position, directions.size), vec2f(0.5), directions.size);
    let across = tangents(n);
    var sum = vec3f(0.0);
    var weight = 0.0;
    for (var i = 0u; i < directions.count; i++) {
        let share = (f32(i) + 0.5) / f32(directions.count);
        let spread = 1.0 + (directions.a2 - 1.0) * share;
        let cos2 = (1.0 - share) / spread;
        let cosine = 2.0 * cos2 - 1.0;
        if cosine <= 0.0 {
            continue;
        }
        let sine = 2.0 * sqrt(cos2 * directions.a2 * share / spread);
        let turn = f32(reverseBits(i)) * (6.2831853 / 4294967296.0);
        let d = n * cosine + (across.t * cos(turn) + across.u * sin(turn)) * sine;
        let level = max(0.5 * log2(directions.texels * directions.a2 / (spread * spread)), 0.0);
        sum += textureSampleLevel(radiance_cube, level_sampler, d, level).xyz * cosine;
        weight += cosine;
    }
    return vec4f(sum / weight, 1.0);
}
