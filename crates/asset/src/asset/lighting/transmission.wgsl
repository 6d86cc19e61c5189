// Transmission: what goes straight through is not scattered below the surface (KHR_materials_transmission).

fn under_transmission(own: Gltf, base: vec3f) -> vec3f {
    return base * (1.0 - own.transmission);
}

fn around_transmission(s: Surface, own: Gltf, v: vec3f, below: Around) -> Around {
    var around = below;
    around.diffuse *= 1.0 - own.transmission;
    return around;
}
