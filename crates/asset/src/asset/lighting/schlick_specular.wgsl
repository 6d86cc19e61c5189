// Schlick (1994): t / (n - n t + t) in place of t^n.

fn lobes_schlick_specular(s: Surface, own: SchlickSpecular, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let t = clamp(2.0 * a.nl * dot(s.n, v) - dot(a.l, v), 0.0, 1.0);
    let highlight = t / (own.exponent * (1.0 - t) + t);
    return (s.base * a.nl + own.specular_color * highlight) * INV_PI * incident.e;
}

// The integral about the mirror direction is 2 pi (n ln(n) - n + 1) / (n - 1)^2.
fn around_schlick_specular(s: Surface, own: SchlickSpecular, v: vec3f, weight: f32) -> Around {
    var around = around_diffuse(s, s.base);
    let less = own.exponent - 1.0;
    around.mirror = own.specular_color * (2.0 * (own.exponent * log(own.exponent) - less) / (less * less));
    around.roughness = pow(2.0 / (4.0 * own.exponent + 2.0), 0.25);
    return around;
}
