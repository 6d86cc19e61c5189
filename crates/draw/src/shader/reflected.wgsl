// Reflected: what a mirror of a roughness shows of a direction.

fn reflected(d: vec3f, roughness: f32) -> vec3f {
    return specular_radiance(unturned(d), roughness);
}
