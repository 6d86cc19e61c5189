// Strauss (1990): smoothness s and metalness m; angles are shares of a right angle.

fn strauss_fresnel(x: f32) -> f32 {
    let k = 1.12;
    let zero = 1.0 / (k * k);
    return (1.0 / ((x - k) * (x - k)) - zero) / (1.0 / ((1.0 - k) * (1.0 - k)) - zero);
}

fn strauss_shadow(x: f32) -> f32 {
    let k = 1.01;
    let one = 1.0 / ((1.0 - k) * (1.0 - k));
    return (one - 1.0 / ((x - k) * (x - k))) / (one - 1.0 / (k * k));
}

fn strauss_share(cosine: f32) -> f32 {
    return acos(clamp(cosine, 0.0, 1.0)) * (2.0 * INV_PI);
}

// What is reflected, by the angles of light and eye.
fn strauss_mirror(s: Surface, light: f32, eye: f32) -> vec3f {
    let smoothness = 1.0 - s.roughness;
    let reflected = smoothness * smoothness * smoothness;
    let fresnel = strauss_fresnel(light);
    let more = fresnel * strauss_shadow(light) * strauss_shadow(eye);
    let strength = min(reflected + (reflected + 0.1) * more, 1.0);
    return (1.0 + s.metallic * (1.0 - fresnel) * (s.base - 1.0)) * strength;
}

fn strauss_diffuse(s: Surface) -> vec3f {
    let smoothness = 1.0 - s.roughness;
    return s.base * ((1.0 - s.metallic * smoothness) * (1.0 - smoothness * smoothness * smoothness));
}

fn lobes_strauss(s: Surface, own: Strauss, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let rv = clamp(2.0 * a.nl * dot(s.n, v) - dot(a.l, v), 0.0, 1.0);
    let power = pow(rv, 3.0 / max(s.roughness, 0.001));
    let mirror = strauss_mirror(s, strauss_share(a.nl), strauss_share(a.nv));
    return (strauss_diffuse(s) * a.nl + mirror * power) * INV_PI * incident.e;
}

fn around_strauss(s: Surface, own: Strauss, v: vec3f, weight: f32) -> Around {
    var around = around_diffuse(s, strauss_diffuse(s));
    let eye = strauss_share(eye_cosine(s.n, v));
    around.mirror = strauss_mirror(s, eye, eye);
    around.roughness = pow(2.0 / (12.0 / max(s.roughness, 0.001) + 2.0), 0.25);
    return around;
}
