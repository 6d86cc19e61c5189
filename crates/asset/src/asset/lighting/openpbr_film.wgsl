// The thin film of OpenPBR, over metal and dielectric alike.

fn fresnel_thin_film(own: Openpbr, vh: f32, f0: vec3f, f: vec3f) -> vec3f {
    return under_film(f, f0, vh, own.thin_film_ior, own.thin_film_thickness_nm, own.thin_film_weight);
}

fn around_thin_film(s: Surface, own: Openpbr, v: vec3f, below: Around) -> Around {
    return around_film(s, v, below, own.thin_film_ior, own.thin_film_thickness_nm, own.thin_film_weight);
}
