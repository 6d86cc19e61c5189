// Phong (1975), and the modified form that keeps light (Lafortune, Willems 1994).

fn lobes_phong(s: Surface, own: Phong, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let rv = clamp(2.0 * a.nl * dot(s.n, v) - dot(a.l, v), 0.0, 1.0);
    let power = pow(rv, own.exponent) * INV_PI;
    let highlight = select(power, 0.5 * (own.exponent + 2.0) * power * a.nl, own.normalized > 0.5);
    return (s.base * (INV_PI * a.nl) + own.specular_color * highlight) * incident.e;
}

fn around_phong(s: Surface, own: Phong, v: vec3f, weight: f32) -> Around {
    var around = around_diffuse(s, s.base);
    let share = select(2.0 / (own.exponent + 1.0), eye_cosine(s.n, v), own.normalized > 0.5);
    around.mirror = own.specular_color * share;
    // A lobe about the mirror direction is half as wide as the same power about the normal.
    around.roughness = pow(2.0 / (4.0 * own.exponent + 2.0), 0.25);
    return around;
}
