// The translucent base of OpenPBR: what goes straight through is not scattered below the surface.

fn under_transmission(own: Openpbr, base: vec3f) -> vec3f {
    return base * (1.0 - own.transmission_weight);
}

fn around_transmission(s: Surface, own: Openpbr, v: vec3f, below: Around) -> Around {
    var around = below;
    around.diffuse *= 1.0 - own.transmission_weight;
    return around;
}

// How much of what is behind comes through, with this Fresnel term. Without a depth, the colour is that of the surface.
fn share_transmission(s: Surface, own: Openpbr, fresnel: vec3f) -> vec3f {
    let tint = select(own.transmission_color, vec3f(1.0), own.transmission_depth_m > 0.0);
    return tint * ((1.0 - largest_of(fresnel)) * own.transmission_weight * (1.0 - s.metallic));
}

fn glass_ior(own: Openpbr) -> f32 {
    return own.specular_ior;
}
