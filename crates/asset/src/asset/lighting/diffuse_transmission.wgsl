// Diffuse transmission: a share of what is scattered leaves on the other side (KHR_materials_diffuse_transmission).

fn under_diffuse_transmission(own: Gltf, base: vec3f) -> vec3f {
    return base * (1.0 - own.diffuse_transmission);
}

fn around_diffuse_transmission(s: Surface, own: Gltf, v: vec3f, below: Around) -> Around {
    var around = below;
    around.diffuse *= 1.0 - own.diffuse_transmission;
    return around;
}

// Lambert's colour for light from the other side.
fn back_diffuse_transmission(own: Gltf) -> vec3f {
    return own.diffuse_transmission_color * own.diffuse_transmission;
}
