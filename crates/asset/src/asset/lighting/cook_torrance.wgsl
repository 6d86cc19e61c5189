// Cook-Torrance (1982): Beckmann's distribution and the shadows of V-shaped grooves.

fn lobes_cook_torrance(s: Surface, own: CookTorrance, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let m2 = alpha_squared(s.roughness);
    let nh2 = max(a.nh * a.nh, 1e-6);
    let distribution = exp(-a.sin2 / (nh2 * m2)) * INV_PI / (m2 * nh2 * nh2);
    let groove = 2.0 * a.nh / max(a.vh, 0.0001);
    let shadow = min(1.0, groove * min(a.nl, a.nv));
    let factor = select(0.25, INV_PI, own.classic > 0.5);
    let fresnel = own.specular_color + (1.0 - own.specular_color) * schlick_weight(a.vh);
    let diffuse = s.base * ((1.0 - largest_of(fresnel)) * INV_PI);
    return (diffuse * a.nl + fresnel * (distribution * shadow * factor / a.nv)) * incident.e;
}

fn around_cook_torrance(s: Surface, own: CookTorrance, v: vec3f, weight: f32) -> Around {
    let f0 = largest_of(own.specular_color);
    var around = around_diffuse(s, s.base * (1.0 - f0 - (1.0 - f0) * weight));
    let factor = select(1.0, 4.0 * INV_PI, own.classic > 0.5);
    around.f0 = own.specular_color * factor;
    around.f90 = vec3f(factor);
    return around;
}
