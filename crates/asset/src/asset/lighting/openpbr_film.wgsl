// The thin film of OpenPBR, over metal and dielectric alike.

fn fresnel_thin_film(own: Openpbr, vh: f32, f0: vec3f, f: vec3f) -> vec3f {
    return f + (film(own.thin_film_ior, own.thin_film_thickness_nm, vh, f0) - f) * own.thin_film_weight;
}

fn around_thin_film(s: Surface, own: Openpbr, v: vec3f, below: Around) -> Around {
    var around = below;
    let nv = eye_cosine(s.n, v);
    let seen = film(own.thin_film_ior, own.thin_film_thickness_nm, nv, below.f0);
    around.f0 += (film_f0_around(seen, nv, below.f90) - below.f0) * own.thin_film_weight;
    return around;
}
