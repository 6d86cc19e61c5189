// Environment: light from everywhere, by the split sum (Karis 2013) of the same lobes that lights use.
//
// Reflections come from cubes prefiltered by GGX, one a step of roughness; step 0 is Lambert's lobe, which diffuse
// light reads. The table holds, by (cosine to the eye, roughness), the integrals over a white environment: x and y:
// specular albedo = f0 x + y; z: of the Fresnel weight over the Lambert lobe, so that diffuse times (1 - F) integrates
// exactly too. In a constant environment the result equals the integral of `lobes` over all directions.

struct Environment {
    // Cosine and sine of the rotation about +Y, radiance of 1 in the cubes, roughness of the last step.
    turn: vec4f,
    // The last step, the last level.
    last: vec2u,
}

@group(1) @binding(5) var<uniform> environment: Environment;
@group(1) @binding(6) var prefiltered: texture_cube_array<f32>;
@group(1) @binding(7) var albedo_table: texture_2d<f32>;
@group(1) @binding(8) var smooth_sampler: sampler;
// What a mirror shows.
@group(1) @binding(9) var mirrored: texture_cube<f32>;

// A direction of the world as the unrotated environment sees it.
fn unturned(d: vec3f) -> vec3f {
    return vec3f(d.x * environment.turn.x - d.z * environment.turn.y, d.y, d.x * environment.turn.y + d.z * environment.turn.x);
}

// Cube and level of a step, as `Ladder::step` of `render/ladder.rs` has them, with levels up to `last`.
fn step_place(step: u32, last: u32) -> vec2u {
    if step < 8u || last == 0u {
        return vec2u(step, last);
    }
    let finer = min((step - 8u) / 3u, last - 1u);
    return vec2u(step - 8u - 3u * finer, last - 1u - finer);
}

// Radiance about `d` by a step's lobe.
fn step_radiance(d: vec3f, step: u32) -> vec3f {
    let place = step_place(step, environment.last.y);
    return textureSampleLevel(prefiltered, smooth_sampler, d, i32(place.x), f32(place.y)).xyz;
}

// The steps next to a roughness, and how far it is from the wide one to the narrow one.
struct Steps {
    wide: u32,
    narrow: u32,
    way: f32,
}

fn steps_about(roughness: f32, last_step: u32) -> Steps {
    let last = f32(last_step);
    let at = clamp(-6.0 * log2(max(roughness, 0.001)), 0.0, last);
    let first = min(floor(at), max(last - 1.0, 0.0));
    return Steps(u32(first), min(u32(first) + 1u, last_step), at - first);
}

// What a white Lambert surface facing `n` shows; `n` as the unrotated environment sees it.
fn diffuse_radiance(n: vec3f) -> vec3f {
    return step_radiance(n, 0u) * environment.turn.z;
}

// What a mirror of this roughness shows about `r`.
fn specular_radiance(r: vec3f, roughness: f32) -> vec3f {
    let steps = steps_about(roughness, environment.last.x);
    let wide = step_radiance(r, steps.wide);
    let narrow = step_radiance(r, steps.narrow);
    var radiance = wide + (narrow - wide) * steps.way;
    let share = roughness / environment.turn.w;
    if share < 1.0 {
        let mirror = textureSampleLevel(mirrored, smooth_sampler, r, 0.0).xyz;
        radiance = mirror + (radiance - mirror) * (share * share);
    }
    return radiance * environment.turn.z;
}

fn ambient(s: Surface, v: vec3f) -> vec3f {
    let nv = eye_cosine(s.n, v);
    // 64 texels, the first and the last on the ends of the range.
    let at = (vec2f(sqrt(nv), s.roughness) * 63.0 + 0.5) / 64.0;
    let table = textureSampleLevel(albedo_table, smooth_sampler, at, 0.0).xyz;
    let diffuse = diffuse_radiance(unturned(s.n));
    let specular = reflected(reflect(-v, s.n), s.roughness);
    let dielectric = under_fresnel_around(s, diffuse, specular, table);
    let metal = specular * (s.base * table.x + table.y);
    return (dielectric + (metal - dielectric) * s.metallic) * s.occlusion;
}
