// Clearcoat with a normal map of its own (KHR_materials_clearcoat): a GGX lobe of f0 = 0.04 about that normal over
// everything below, which loses what it reflects.

fn coat_fresnel(own: Gltf, cosine: f32) -> f32 {
    return own.clearcoat * (0.04 + 0.96 * schlick_weight(cosine));
}

// f(l, v) cos E of the varnish, for an irradiance of 1.
fn alone_bumped_clearcoat(own: Gltf, a: Angles) -> vec3f {
    let nl = dot(own.coat_n, a.l);
    if nl <= 0.0 {
        return vec3f(0.0);
    }
    let across = cross(own.coat_n, a.h);
    let nh = clamp(dot(own.coat_n, a.h), 0.0, 1.0);
    let a2 = alpha_squared(own.clearcoat_roughness);
    let specular = distribution_ggx(nh, dot(across, across), a2) * visibility_smith(nl, eye_cosine(own.coat_n, a.v), a2);
    return vec3f(coat_fresnel(own, a.vh) * specular * nl);
}

fn over_bumped_clearcoat(s: Surface, own: Gltf, a: Angles, below: vec3f) -> vec3f {
    return below * (1.0 - coat_fresnel(own, eye_cosine(own.coat_n, a.v))) + alone_bumped_clearcoat(own, a) / a.nl;
}

// Its mirror is about its own normal: `ambient_coat` adds it.
fn around_bumped_clearcoat(s: Surface, own: Gltf, v: vec3f, below: Around) -> Around {
    var around = below;
    let kept = 1.0 - coat_fresnel(own, eye_cosine(own.coat_n, v));
    around.diffuse *= kept;
    around.f0 *= kept;
    around.f90 *= kept;
    return around;
}
