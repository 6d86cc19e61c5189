// Sheen: fibres over everything below, which keeps what their albedo leaves (KHR_materials_sheen).

fn over_sheen(s: Surface, own: Gltf, a: Angles, below: vec3f) -> vec3f {
    let most = largest_of(own.sheen_color);
    let roughness = own.sheen_roughness;
    let kept = 1.0 - most * max(sheen_albedo(a.nv, roughness), sheen_albedo(a.nl, roughness));
    return below * kept + own.sheen_color * charlie(a, roughness);
}

fn around_sheen(s: Surface, own: Gltf, v: vec3f, below: Around) -> Around {
    var around = below;
    let albedo = sheen_albedo(eye_cosine(s.n, v), own.sheen_roughness);
    // At 0.7 the albedo is about its mean over the directions of light.
    let lost = max(albedo, sheen_albedo(0.7, own.sheen_roughness));
    let kept = 1.0 - largest_of(own.sheen_color) * lost;
    around.diffuse = around.diffuse * kept + own.sheen_color * albedo;
    around.f0 *= kept;
    around.f90 *= kept;
    around.coat *= kept;
    return around;
}
