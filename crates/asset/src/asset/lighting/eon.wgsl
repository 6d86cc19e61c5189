// EON alone.

fn lobes_eon(s: Surface, own: Eon, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    return eon(s.base, s.roughness, a) * (INV_PI * a.nl) * incident.e;
}

fn around_eon(s: Surface, own: Eon, v: vec3f, weight: f32) -> Around {
    return around_diffuse(s, eon_around(s.base, s.roughness, eye_cosine(s.n, v)));
}
