// Reflection: the dielectric with the f0 and f90 of the material.
//
// KHR_materials_ior and KHR_materials_specular: f0 = min(((ior - 1) / (ior + 1))^2 * color, 1) * strength, f90 =
// strength. What the strongest channel reflects is missing in all channels of the Lambert surface below, so that it
// keeps its hue.

fn strongest(color: vec3f) -> f32 {
    return max(max(color.x, color.y), color.z);
}

// f(l, v), by the Schlick weight and the specular lobe without its Fresnel term.
fn under_fresnel(s: Surface, weight: f32, specular: f32) -> vec3f {
    let fresnel = material.f0 + (material.f90 - material.f0) * weight;
    return s.base * ((1.0 - strongest(fresnel)) * INV_PI) + fresnel * specular;
}

// The same for light from everywhere; `table` as `environment.wgsl` has it.
fn under_fresnel_around(s: Surface, diffuse: vec3f, specular: vec3f, table: vec3f) -> vec3f {
    let f0 = strongest(material.f0);
    let through = 1.0 - (f0 + (material.f90 - f0) * table.z);
    return s.base * diffuse * through + specular * (material.f0 * table.x + material.f90 * table.y);
}
