// EON (Portsmouth, Kutz, Hill 2024): Fujii's Oren-Nayar, and what its facets send to each other.

// The directional albedo of the first term.
fn eon_albedo(mu: f32, roughness: f32) -> f32 {
    let a = 1.0 / (1.0 + (0.5 - 2.0 / (3.0 * PI)) * roughness);
    let sin_mu = sqrt(max(1.0 - mu * mu, 0.0));
    let cube = sin_mu * sin_mu * sin_mu;
    let around = sin_mu * (acos(mu) - sin_mu * mu) + (2.0 / 3.0) * (sin_mu * (1.0 - cube) / mu - sin_mu);
    return a * (1.0 + roughness * INV_PI * around);
}

// Its mean over directions by their cosine.
fn eon_mean(roughness: f32) -> f32 {
    let a = 1.0 / (1.0 + (0.5 - 2.0 / (3.0 * PI)) * roughness);
    return a * (1.0 + (2.0 / 3.0 - 28.0 / (15.0 * PI)) * roughness);
}

fn lobes_eon(s: Surface, own: Eon, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let across = dot(a.l, a.v) - a.nl * a.nv;
    var share = across;
    if across > 0.0 {
        share = across / max(a.nl, a.nv);
    }
    let first = max(1.0 + s.roughness * share, 0.0) / (1.0 + (0.5 - 2.0 / (3.0 * PI)) * s.roughness);
    let mean = eon_mean(s.roughness);
    let lost = max(1.0 - mean, 1e-7);
    let missing = max(1.0 - eon_albedo(max(a.nl, 0.0001), s.roughness), 0.0) * max(1.0 - eon_albedo(a.nv, s.roughness), 0.0);
    let rho = s.base * s.base * mean / (1.0 - s.base * lost);
    return (s.base * first + rho * (missing / lost)) * (INV_PI * a.nl) * incident.e;
}

fn around_eon(s: Surface, own: Eon, v: vec3f, weight: f32) -> Around {
    let mean = eon_mean(s.roughness);
    let once = eon_albedo(eye_cosine(s.n, v), s.roughness);
    let rho = s.base * s.base * mean / (1.0 - s.base * max(1.0 - mean, 1e-7));
    return around_diffuse(s, s.base * once + rho * max(1.0 - once, 0.0));
}
