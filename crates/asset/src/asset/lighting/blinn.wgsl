// Blinn (1977), and the form whose highlights return alike much light (Hoffman 2008).

fn lobes_blinn(s: Surface, own: Blinn, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let power = pow(a.nh, own.exponent) * INV_PI;
    let highlight = select(power, 0.125 * (own.exponent + 8.0) * power * a.nl, own.normalized > 0.5);
    return (s.base * (INV_PI * a.nl) + own.specular_color * highlight) * incident.e;
}

fn around_blinn(s: Surface, own: Blinn, v: vec3f, weight: f32) -> Around {
    var around = around_diffuse(s, s.base);
    let nv = eye_cosine(s.n, v);
    let plain = min(8.0 * nv / (own.exponent + 1.0), 2.0);
    let normalized = min((own.exponent + 8.0) / (own.exponent + 1.0) * nv * nv, 1.0);
    around.mirror = own.specular_color * select(plain, normalized, own.normalized > 0.5);
    around.roughness = pow(2.0 / (own.exponent + 2.0), 0.25);
    return around;
}
