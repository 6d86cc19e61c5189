// Standard: glTF's surface with what facets send to each other (Kulla, Conty 2017; Turquin 2019).

fn prepare_standard(s: Surface, own: Standard, v: vec3f) -> Standard {
    var out = own;
    out.albedo = ggx_albedo(eye_cosine(s.n, v), s.roughness);
    return out;
}

// The factor of a lobe.
fn standard_gain(own: Standard, f0: vec3f) -> vec3f {
    return 1.0 + f0 * (1.0 / own.albedo - 1.0);
}

fn lobes_standard(s: Surface, own: Standard, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let a2 = alpha_squared(s.roughness);
    let specular = distribution_ggx(a.nh, a.sin2, a2) * visibility_smith(a.nl, a.nv, a2);
    let weight = schlick_weight(a.vh);
    let f0 = dielectric_f0();
    let fresnel = f0 + (dielectric_f90() - f0) * weight;
    let plastic = s.base * ((1.0 - largest_of(fresnel)) * INV_PI) + fresnel * standard_gain(own, f0) * specular;
    let metal = (s.base + (1.0 - s.base) * weight) * standard_gain(own, s.base) * specular;
    return (plastic + (metal - plastic) * s.metallic) * a.nl * incident.e;
}

fn around_standard(s: Surface, own: Standard, v: vec3f, weight: f32) -> Around {
    let f0 = dielectric_f0();
    let most = largest_of(f0);
    let through = (1.0 - most - (dielectric_f90() - most) * weight) * (1.0 - s.metallic);
    var around = around_diffuse(s, s.base * through);
    let plastic = standard_gain(own, f0) * (1.0 - s.metallic);
    let metal = standard_gain(own, s.base) * s.metallic;
    around.f0 = f0 * plastic + s.base * metal;
    around.f90 = dielectric_f90() * plastic + metal;
    return around;
}
