// Custom without nodes: as Lambert.

fn lobes_custom(s: Surface, own: Custom, v: vec3f, incident: Incident) -> vec3f {
    let nl = max(dot(s.n, incident.l), 0.0);
    return s.base * (INV_PI * nl) * incident.e;
}

fn around_custom(s: Surface, own: Custom, v: vec3f, weight: f32) -> Around {
    return around_diffuse(s, s.base);
}
