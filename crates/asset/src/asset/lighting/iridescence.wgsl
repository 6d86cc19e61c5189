// Iridescence: a thin film over glTF's surface (KHR_materials_iridescence).

fn fresnel_iridescence(own: Gltf, vh: f32, f0: vec3f, f: vec3f) -> vec3f {
    return f + (film(own.iridescence_ior, own.iridescence_thickness_nm, vh, f0) - f) * own.iridescence;
}

fn around_iridescence(s: Surface, own: Gltf, v: vec3f, below: Around) -> Around {
    var around = below;
    let nv = eye_cosine(s.n, v);
    let seen = film(own.iridescence_ior, own.iridescence_thickness_nm, nv, below.f0);
    around.f0 += (film_f0_around(seen, nv, below.f90) - below.f0) * own.iridescence;
    return around;
}
