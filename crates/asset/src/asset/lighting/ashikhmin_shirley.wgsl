// Ashikhmin-Shirley (2000).

// 1 - (1 - x / 2)^5.
fn ashikhmin_open(x: f32) -> f32 {
    return 1.0 - schlick_weight(0.5 * x);
}

fn lobes_ashikhmin_shirley(s: Surface, own: AshikhminShirley, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let open = ashikhmin_open(a.nl) * ashikhmin_open(a.nv);
    let diffuse = s.base * (1.0 - own.specular_color) * (28.0 / 23.0 * INV_PI * open);
    let t = dot(own.t, a.h);
    let b = dot(own.b, a.h);
    let power = (own.exponent_u * t * t + own.exponent_v * b * b) / max(t * t + b * b, 1e-7);
    let vh = max(a.vh, 0.0001);
    let lobe = sqrt((own.exponent_u + 1.0) * (own.exponent_v + 1.0)) * 0.125 * INV_PI * pow(a.nh, power) / (vh * max(a.nl, a.nv));
    let fresnel = own.specular_color + (1.0 - own.specular_color) * schlick_weight(a.vh);
    return (diffuse + fresnel * lobe) * a.nl * incident.e;
}

// The integral of the diffuse part is exact: that of its factor of the light is 23 / 28.
fn around_ashikhmin_shirley(s: Surface, own: AshikhminShirley, v: vec3f, weight: f32) -> Around {
    let open = ashikhmin_open(eye_cosine(s.n, v));
    var around = around_diffuse(s, s.base * (1.0 - own.specular_color) * open);
    around.f0 = own.specular_color;
    around.f90 = vec3f(1.0);
    around.roughness = pow(2.0 / (sqrt(own.exponent_u * own.exponent_v) + 2.0), 0.25);
    return around;
}
