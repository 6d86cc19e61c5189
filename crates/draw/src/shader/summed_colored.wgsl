// Summed, coloured: a surface of glTF in light that has been added up (Engel 2008).
//
// Ours: Schlick's term is linear in f0, and with f90 = 1 so is what it leaves for the matte surface below. Three sums
// are then enough for all surfaces: what a matte white surface sends on, and what the mirror does by f0 and by f90.

@group(1) @binding(15) var sum_matte: texture_2d<f32>;
@group(1) @binding(16) var sum_f0: texture_2d<f32>;
@group(1) @binding(17) var sum_f90: texture_2d<f32>;

fn is_blank(at: vec2u) -> bool {
    return textureLoad(sum_matte, at, 0).w == 0.0;
}

fn summed(s: Surface, at: vec2u) -> vec3f {
    let matte = textureLoad(sum_matte, at, 0).xyz;
    let by_f0 = textureLoad(sum_f0, at, 0).xyz;
    let by_f90 = textureLoad(sum_f90, at, 0).xyz;
    let dielectric = under_fresnel_around(s, matte, by_f0, vec3f(1.0, 0.0, 0.0))
        + under_fresnel_around(s, vec3f(0.0), by_f90, vec3f(0.0, 1.0, 0.0));
    let metal = s.base * by_f0 + by_f90;
    return dielectric + (metal - dielectric) * s.metallic;
}
