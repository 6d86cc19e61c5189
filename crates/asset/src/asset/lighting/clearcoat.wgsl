// Clearcoat: a GGX lobe of f0 = 0.04 over everything below, which loses what it reflects (KHR_materials_clearcoat).

fn coat_fresnel(own: Gltf, cosine: f32) -> f32 {
    return own.clearcoat * (0.04 + 0.96 * schlick_weight(cosine));
}

fn over_clearcoat(s: Surface, own: Gltf, a: Angles, below: vec3f) -> vec3f {
    let a2 = alpha_squared(own.clearcoat_roughness);
    let specular = distribution_ggx(a.nh, a.sin2, a2) * visibility_smith(a.nl, a.nv, a2);
    return below * (1.0 - coat_fresnel(own, a.nv)) + coat_fresnel(own, a.vh) * specular;
}

fn around_clearcoat(s: Surface, own: Gltf, v: vec3f, below: Around) -> Around {
    var around = below;
    let kept = 1.0 - coat_fresnel(own, eye_cosine(s.n, v));
    around.diffuse *= kept;
    around.f0 *= kept;
    around.f90 *= kept;
    around.coat = own.clearcoat;
    around.coat_roughness = own.clearcoat_roughness;
    return around;
}
