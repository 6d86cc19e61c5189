// Reflected: what a mirror of a roughness shows of a direction: what is in sight, else what is around.

var<private> reflecting_from: vec3f;

fn reflected(d: vec3f, roughness: f32) -> vec3f {
    let around = specular_radiance(unturned(d), roughness);
    let seen = reflection_at(reflecting_from, d, roughness);
    return around + (seen.xyz - around) * seen.w;
}
