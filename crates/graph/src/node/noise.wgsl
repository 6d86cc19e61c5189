// PCG in three dimensions (Jarzynski, Olano, "Hash Functions for GPU Rendering", 2020).
fn graph_hash(cell: vec3i) -> vec3u {
    var v = bitcast<vec3u>(cell) * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> vec3u(16u);
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

// 24 bits as a number from 0 to below 1.
fn graph_unit(hash: u32) -> f32 {
    return f32(hash >> 8u) * 0.000000059604645;
}

// Beyond 2^23 a number has nothing behind its point.
fn graph_cell(position: vec3f) -> vec3f {
    return clamp(floor(position), vec3f(-8388608.0), vec3f(8388608.0));
}

// Where in the cell, also far beyond its numbers.
fn graph_inside(position: vec3f, cell: vec3f) -> vec3f {
    return clamp(position - cell, vec3f(0.0), vec3f(1.0));
}

fn graph_random(position: vec3f) -> f32 {
    return graph_unit(graph_hash(vec3i(graph_cell(position))).x);
}

// Weights between corners: first and second derivative are 0 at both ends (Perlin 2002).
fn graph_fade(t: vec3f) -> vec3f {
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

fn graph_corner(cell: vec3i, corner: vec3i) -> f32 {
    return graph_unit(graph_hash(cell + corner).x);
}

fn graph_value_noise(position: vec3f) -> f32 {
    let base = graph_cell(position);
    let cell = vec3i(base);
    let t = graph_fade(graph_inside(position, base));
    let x00 = mix(graph_corner(cell, vec3i(0, 0, 0)), graph_corner(cell, vec3i(1, 0, 0)), t.x);
    let x10 = mix(graph_corner(cell, vec3i(0, 1, 0)), graph_corner(cell, vec3i(1, 1, 0)), t.x);
    let x01 = mix(graph_corner(cell, vec3i(0, 0, 1)), graph_corner(cell, vec3i(1, 0, 1)), t.x);
    let x11 = mix(graph_corner(cell, vec3i(0, 1, 1)), graph_corner(cell, vec3i(1, 1, 1)), t.x);
    return mix(mix(x00, x10, t.y), mix(x01, x11, t.y), t.z);
}

// Along one of the twelve directions to the edges of a cube, four of them twice (Perlin 2002).
fn graph_gradient(cell: vec3i, corner: vec3i, inside: vec3f) -> f32 {
    let h = graph_hash(cell + corner).x >> 28u;
    let p = inside - vec3f(corner);
    let u = select(p.y, p.x, h < 8u);
    let v = select(select(p.z, p.x, h == 12u || h == 14u), p.y, h < 4u);
    return select(-u, u, (h & 1u) == 0u) + select(-v, v, (h & 2u) == 0u);
}

fn graph_noise(position: vec3f) -> f32 {
    let base = graph_cell(position);
    let cell = vec3i(base);
    let p = graph_inside(position, base);
    let t = graph_fade(p);
    let x00 = mix(graph_gradient(cell, vec3i(0, 0, 0), p), graph_gradient(cell, vec3i(1, 0, 0), p), t.x);
    let x10 = mix(graph_gradient(cell, vec3i(0, 1, 0), p), graph_gradient(cell, vec3i(1, 1, 0), p), t.x);
    let x01 = mix(graph_gradient(cell, vec3i(0, 0, 1), p), graph_gradient(cell, vec3i(1, 0, 1), p), t.x);
    let x11 = mix(graph_gradient(cell, vec3i(0, 1, 1), p), graph_gradient(cell, vec3i(1, 1, 1), p), t.x);
    return mix(mix(x00, x10, t.y), mix(x01, x11, t.y), t.z);
}

// Layers of noise, divided by the sum of their weights.
fn graph_fractal_noise(position: vec3f, gain: f32, lacunarity: f32, octaves: u32) -> f32 {
    var sum = 0.0;
    var total = 0.0;
    var weight = 1.0;
    var scale = 1.0;
    for (var i = 0u; i < octaves; i++) {
        sum += weight * graph_noise(position * scale);
        total += weight;
        weight *= clamp(gain, 0.0, 1.0);
        scale *= clamp(lacunarity, 1.0, 16.0);
    }
    return sum / total;
}

// Distance to the nearest of the points, one a cell, and a number of its own (Worley 1996).
fn graph_cells(position: vec3f, jitter: f32) -> vec2f {
    let base = graph_cell(position);
    let cell = vec3i(base);
    let inside = graph_inside(position, base);
    var best = 1e9;
    var id = 0u;
    for (var z = -1; z <= 1; z++) {
        for (var y = -1; y <= 1; y++) {
            for (var x = -1; x <= 1; x++) {
                let offset = vec3i(x, y, z);
                let hash = graph_hash(cell + offset);
                let random = vec3f(graph_unit(hash.x), graph_unit(hash.y), graph_unit(hash.z));
                let d = vec3f(offset) + (0.5 + clamp(jitter, 0.0, 1.0) * (random - 0.5)) - inside;
                let squared = dot(d, d);
                if squared < best {
                    best = squared;
                    id = hash.x ^ hash.y;
                }
            }
        }
    }
    return vec2f(sqrt(best), graph_unit(id));
}
