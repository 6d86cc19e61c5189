// Dielectric: a Lambert surface under a Fresnel lobe of f0 = 0.04, as glTF 2.0 has it without extensions.

// f(l, v), by the Schlick weight and the specular lobe without its Fresnel term.
fn under_fresnel(s: Surface, weight: f32, specular: f32) -> vec3f {
    let fresnel = 0.04 + 0.96 * weight;
    return s.base * ((1.0 - fresnel) * INV_PI) + fresnel * specular;
}

// The same for light from everywhere; `table` as `environment.wgsl` has it.
fn under_fresnel_around(s: Surface, diffuse: vec3f, specular: vec3f, table: vec3f) -> vec3f {
    return s.base * diffuse * (0.96 * (1.0 - table.z)) + specular * (0.04 * table.x + table.y);
}
