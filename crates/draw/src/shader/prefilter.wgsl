// Prefilter: one level of the specular cube into a strip. Importance samples of GGX for n = v = r (Karis 2013), each read
// at the level whose texels are as large as the sample's share of the lobe (Colbert, Krivanek 2007). The directions are
// the same for every texel, so they come ready made: xyz in the frame of the normal, z = n.l; w the level to read.

struct Prefilter {
    size: u32,
    count: u32,
    // 1 / sum of n.l.
    inverse_weight: f32,
    samples: array<vec4f, 64>,
}

@group(0) @binding(0) var<uniform> prefilter: Prefilter;
@group(0) @binding(1) var radiance_cube: texture_cube<f32>;
@group(0) @binding(2) var cube_sampler: sampler;

@fragment
fn prefilter_strip(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let place = strip_place(position, prefilter.size);
    let n = strip_direction(place, vec2f(0.5), prefilter.size);
    // An orthonormal frame without branches: Duff et al. 2017.
    let side = select(-1.0, 1.0, n.z >= 0.0);
    let a = -1.0 / (side + n.z);
    let b = n.x * n.y * a;
    let t = vec3f(1.0 + side * n.x * n.x * a, side * b, -side * n.x);
    let u = vec3f(b, side + n.y * n.y * a, -n.y);
    var sum = vec3f(0.0);
    for (var i = 0u; i < prefilter.count; i++) {
        let s = prefilter.samples[i];
        let l = t * s.x + u * s.y + n * s.z;
        sum += textureSampleLevel(radiance_cube, cube_sampler, l, s.w).xyz * s.z;
    }
    return vec4f(sum * prefilter.inverse_weight, 1.0);
}
