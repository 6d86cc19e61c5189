// Environment: light from everywhere, by the split sum (Karis 2013) of the same lobes that lights use.
//
// Diffuse comes from nine spherical harmonics (Ramamoorthi, Hanrahan 2001), specular from a cube prefiltered by GGX, one
// level a roughness. The table holds, by (cosine to the eye, roughness), the integrals over a white environment:
// x and y: specular albedo = f0 x + y; z: of the Fresnel weight over the Lambert lobe, so that diffuse times (1 - F)
// integrates exactly too. In a constant environment the result equals the integral of `lobes` over all directions.

struct Environment {
    // Cosine and sine of the rotation about +Y, radiance of 1 in the cube, last level of the cube.
    turn: vec4f,
    // Irradiance / pi in the cube's unit, cosine lobe multiplied in; order (l, m): 00, 1-1, 10, 11, 2-2, 2-1, 20, 21, 22.
    harmonics: array<vec4f, 9>,
}

@group(1) @binding(5) var<uniform> environment: Environment;
@group(1) @binding(6) var prefiltered: texture_cube<f32>;
@group(1) @binding(7) var albedo_table: texture_2d<f32>;
@group(1) @binding(8) var smooth_sampler: sampler;

// A direction of the world as the unrotated environment sees it.
fn unturned(d: vec3f) -> vec3f {
    return vec3f(d.x * environment.turn.x - d.z * environment.turn.y, d.y, d.x * environment.turn.y + d.z * environment.turn.x);
}

// What a white Lambert surface facing `n` shows; `n` as the unrotated environment sees it.
fn diffuse_radiance(n: vec3f) -> vec3f {
    var sum = environment.harmonics[0].xyz;
    sum += environment.harmonics[1].xyz * n.y;
    sum += environment.harmonics[2].xyz * n.z;
    sum += environment.harmonics[3].xyz * n.x;
    sum += environment.harmonics[4].xyz * (n.x * n.y);
    sum += environment.harmonics[5].xyz * (n.y * n.z);
    sum += environment.harmonics[6].xyz * (3.0 * n.z * n.z - 1.0);
    sum += environment.harmonics[7].xyz * (n.x * n.z);
    sum += environment.harmonics[8].xyz * (n.x * n.x - n.y * n.y);
    return max(sum, vec3f(0.0)) * environment.turn.z;
}

fn ambient(s: Surface, v: vec3f) -> vec3f {
    let nv = eye_cosine(s.n, v);
    // 64 texels, the first and the last on the ends of the range.
    let at = (vec2f(sqrt(nv), s.roughness) * 63.0 + 0.5) / 64.0;
    let table = textureSampleLevel(albedo_table, smooth_sampler, at, 0.0).xyz;
    let diffuse = diffuse_radiance(unturned(s.n));
    let r = unturned(reflect(-v, s.n));
    let specular = textureSampleLevel(prefiltered, smooth_sampler, r, s.roughness * environment.turn.w).xyz * environment.turn.z;
    let dielectric = s.base * diffuse * (0.96 * (1.0 - table.z)) + specular * (0.04 * table.x + table.y);
    let metal = specular * (s.base * table.x + table.y);
    return (dielectric + (metal - dielectric) * s.metallic) * s.occlusion;
}
