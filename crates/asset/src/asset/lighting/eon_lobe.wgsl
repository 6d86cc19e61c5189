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

// pi f(l, v).
fn eon(color: vec3f, roughness: f32, a: Angles) -> vec3f {
    let across = dot(a.l, a.v) - a.nl * a.nv;
    var share = across;
    if across > 0.0 {
        share = across / max(a.nl, a.nv);
    }
    let first = max(1.0 + roughness * share, 0.0) / (1.0 + (0.5 - 2.0 / (3.0 * PI)) * roughness);
    let mean = eon_mean(roughness);
    let lost = max(1.0 - mean, 1e-7);
    let missing = max(1.0 - eon_albedo(max(a.nl, 0.0001), roughness), 0.0) * max(1.0 - eon_albedo(a.nv, roughness), 0.0);
    let rho = color * color * mean / (1.0 - color * lost);
    return color * first + rho * (missing / lost);
}

// What leaves of light from everywhere.
fn eon_around(color: vec3f, roughness: f32, nv: f32) -> vec3f {
    let mean = eon_mean(roughness);
    let once = eon_albedo(nv, roughness);
    let rho = color * color * mean / (1.0 - color * max(1.0 - mean, 1e-7));
    return color * once + rho * max(1.0 - once, 0.0);
}
