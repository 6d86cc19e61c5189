// glTF's surface below its layers: the parts that layers change are arguments.

// By the Fresnel terms of dielectric and metal, and the specular lobe without them.
fn gltf_below(s: Surface, own: Gltf, a: Angles, dielectric: vec3f, metal: vec3f, specular: f32) -> vec3f {
    let plastic = s.base * ((1.0 - largest_of(dielectric)) * INV_PI) + dielectric * specular;
    return plastic + (metal * specular - plastic) * s.metallic;
}

// The specular lobe without its Fresnel term.
fn microfacets(s: Surface, own: Gltf, a: Angles) -> f32 {
    let a2 = alpha_squared(s.roughness);
    return distribution_ggx(a.nh, a.sin2, a2) * visibility_smith(a.nl, a.nv, a2);
}

// Fresnel terms by the cosine and its Schlick weight.
fn gltf_dielectric(own: Gltf, cosine: f32, weight: f32) -> vec3f {
    return dielectric_f0() + (dielectric_f90() - dielectric_f0()) * weight;
}

fn gltf_metal(s: Surface, own: Gltf, cosine: f32, weight: f32) -> vec3f {
    return s.base + (1.0 - s.base) * weight;
}

fn around_gltf_below(s: Surface, own: Gltf, v: vec3f, weight: f32) -> Around {
    let f0 = dielectric_f0();
    let most = largest_of(f0);
    let through = (1.0 - most - (dielectric_f90() - most) * weight) * (1.0 - s.metallic);
    var around = around_diffuse(s, s.base * through);
    around.f0 = f0 + (s.base - f0) * s.metallic;
    around.f90 = vec3f(dielectric_f90() + (1.0 - dielectric_f90()) * s.metallic);
    return around;
}
