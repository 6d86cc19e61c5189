// Iridescence: a thin film over glTF's surface (KHR_materials_iridescence).

fn fresnel_iridescence(own: Gltf, vh: f32, f0: vec3f, f: vec3f) -> vec3f {
    return under_film(f, f0, vh, own.iridescence_ior, own.iridescence_thickness_nm, own.iridescence);
}

fn around_iridescence(s: Surface, own: Gltf, v: vec3f, below: Around) -> Around {
    return around_film(s, v, below, own.iridescence_ior, own.iridescence_thickness_nm, own.iridescence);
}
