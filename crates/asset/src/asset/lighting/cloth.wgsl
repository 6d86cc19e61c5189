// Cloth: Charlie's distribution (Estevez, Kulla 2017) over a Lambert surface (Neubelt, Pettineo 2013).

fn lobes_cloth(s: Surface, own: Cloth, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    return (s.base * INV_PI + own.sheen_color * charlie(a, s.roughness)) * a.nl * incident.e;
}

fn around_cloth(s: Surface, own: Cloth, v: vec3f, weight: f32) -> Around {
    return around_diffuse(s, s.base + own.sheen_color * sheen_albedo(eye_cosine(s.n, v), s.roughness));
}
