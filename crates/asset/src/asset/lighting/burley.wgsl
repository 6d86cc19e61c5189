// Burley (2012): a diffuse lobe whose edge depends on roughness.

fn lobes_burley(s: Surface, own: Burley, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let more = 2.0 * s.roughness * a.vh * a.vh - 0.5;
    let lit = 1.0 + more * schlick_weight(min(a.nl, 1.0));
    let seen = 1.0 + more * schlick_weight(a.nv);
    return s.base * (lit * seen * INV_PI * a.nl) * incident.e;
}

// The mean of vh^2 over the Lambert lobe is 1/2 + nv / 3, that of (1 - nl)^5 is 1/21.
fn around_burley(s: Surface, own: Burley, v: vec3f, weight: f32) -> Around {
    let nv = eye_cosine(s.n, v);
    let more = s.roughness * (1.0 + (2.0 / 3.0) * nv) - 0.5;
    return around_diffuse(s, s.base * ((1.0 + more * schlick_weight(nv)) * (1.0 + more / 21.0)));
}
