// Transmission: what goes straight through is not scattered below the surface (KHR_materials_transmission).

fn under_transmission(own: Gltf, base: vec3f) -> vec3f {
    return base * (1.0 - own.transmission);
}

fn around_transmission(s: Surface, own: Gltf, v: vec3f, below: Around) -> Around {
    var around = below;
    around.diffuse *= 1.0 - own.transmission;
    return around;
}

// How much of what is behind comes through, with this Fresnel term.
fn share_transmission(s: Surface, own: Gltf, fresnel: vec3f) -> vec3f {
    return s.base * ((1.0 - largest_of(fresnel)) * own.transmission * (1.0 - s.metallic));
}

fn glass_ior(own: Gltf) -> f32 {
    return own.ior;
}
