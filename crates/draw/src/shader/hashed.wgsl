// Hashed: a threshold for alpha that differs from point to point of a surface and stays where the surface goes.
//
// Wyman, McGuire 2017 (Hashed Alpha Testing), listing 3, with an integer hash of the cell, PCG-3D (Jarzynski, Olano
// 2020), in the place of their sines. Cells are about a pixel wide: between two widths, powers of two, both noises are
// mixed, and the mix is made even again.

// One number of 0 to 1 for a cell.
fn cell_noise(cell: vec3f) -> f32 {
    var v = vec3u(bitcast<vec3u>(vec3i(cell)));
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v = v ^ (v >> vec3u(16u));
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return f32(v.x >> 8u) * (1.0 / 16777216.0);
}

// `place`: in the object's own space.
fn hashed_threshold(place: vec3f) -> f32 {
    let wide = max(length(dpdx(place)), length(dpdy(place)));
    let fine = log2(1.0 / max(wide, 0.000001));
    let part = fract(fine);
    let coarse = exp2(floor(fine));
    let noise = vec2f(cell_noise(floor(place * coarse)), cell_noise(floor(place * (coarse * 2.0))));
    let x = (1.0 - part) * noise.x + part * noise.y;
    // How often a mix of two even numbers is below x.
    let a = min(part, 1.0 - part);
    var even = (x - 0.5 * a) / (1.0 - a);
    if x < a {
        even = x * x / (2.0 * a * (1.0 - a));
    } else if x >= 1.0 - a {
        even = 1.0 - (1.0 - x) * (1.0 - x) / max(2.0 * a * (1.0 - a), 0.000001);
    }
    return clamp(even, 0.000001, 1.0);
}
