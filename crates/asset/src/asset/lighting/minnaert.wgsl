// Minnaert (1941): powers of both cosines.

fn lobes_minnaert(s: Surface, own: Minnaert, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let darkened = pow(a.nl * a.nv, own.darkening - 1.0);
    return s.base * (darkened * INV_PI * a.nl) * incident.e;
}

// The integral of nl^k over the half of directions is 2 pi / (k + 1).
fn around_minnaert(s: Surface, own: Minnaert, v: vec3f, weight: f32) -> Around {
    let darkened = pow(eye_cosine(s.n, v), own.darkening - 1.0);
    return around_diffuse(s, s.base * (2.0 / (own.darkening + 1.0) * darkened));
}
