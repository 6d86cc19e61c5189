// OpenPBR Surface 1.1 (Academy Software Foundation 2024) below its coat and its fuzz: a metal and a glossy dielectric,
// mixed by `metallic`.

// Fresnel's equations for light that is not polarised, by the cosine outside and the ratio of the indices, at least 1.
fn fresnel_exact(cosine: f32, eta: f32) -> f32 {
    let g = sqrt(max(eta * eta - 1.0 + cosine * cosine, 0.0));
    let first = (g - cosine) / max(g + cosine, 1e-6);
    let second = (cosine * (g + cosine) - 1.0) / (cosine * (g - cosine) + 1.0);
    return 0.5 * first * first * (1.0 + second * second);
}

// What they are at normal incidence.
fn fresnel_f0(eta: f32) -> f32 {
    let root = (eta - 1.0) / (eta + 1.0);
    return root * root;
}

// The albedo of a white GGX lobe in two parts, for f0 and for f90. The second is a rational fit (MaterialX 1.39).
fn lobe_shares(cosine: f32, roughness: f32) -> vec2f {
    let x = clamp(cosine, 0.0001, 1.0);
    let y = max(roughness * roughness, 0.002025);
    let x2 = x * x;
    let y2 = y * y;
    let above = 0.9345 - 2.323 * x + 2.229 * y - 3.748 * x * y + 1.424 * x2 - 0.7684 * y2 + 1.436 * x2 * y
        + 0.2913 * x * y2 + 0.6286 * x2 * y2;
    let below = 1.0 + 0.2281 * x + 15.94 * y - 55.83 * x * y + 13.08 * x2 + 41.26 * y2 + 54.9 * x2 * y
        + 300.2 * x * y2 - 285.1 * x2 * y2;
    let all = ggx_albedo(cosine, roughness);
    let part = clamp(above / below, 0.0, all);
    return vec2f(all - part, part);
}

// The factor of a lobe that adds what its facets send to each other (Turquin 2019).
fn lobe_gain(shares: vec2f, f0: vec3f) -> vec3f {
    return 1.0 + f0 * (1.0 / (shares.x + shares.y) - 1.0);
}

fn prepare_openpbr(s: Surface, own: Openpbr, v: vec3f) -> Openpbr {
    var out = own;
    out.rough = s.roughness;
    var eta = own.specular_ior;
    if own.coat_weight > 0.0 {
        // What passes a rough coat is spread by it, and the base stands in the coat, not in air.
        let below = s.roughness * s.roughness;
        let coat = own.coat_roughness * own.coat_roughness;
        let both = sqrt(sqrt(min(below * below + 2.0 * coat * coat, 1.0)));
        out.rough += (both - s.roughness) * own.coat_weight;
        let ratio = own.specular_ior / own.coat_ior;
        eta += (max(ratio, 1.0 / ratio) - eta) * own.coat_weight;
    }
    let root = min(sqrt(own.specular_weight * fresnel_f0(eta)), 0.999);
    out.eta = (1.0 + root) / (1.0 - root);
    out.f0 = root * root;
    out.shares = lobe_shares(eye_cosine(s.n, v), out.rough);
    let albedo = (out.f0 * out.shares.x + out.shares.y) * lobe_gain(out.shares, vec3f(out.f0)).x;
    out.kept = max(1.0 - albedo, 0.0);
    let scattered = s.base * own.base_weight;
    out.scattered = scattered + (own.subsurface_color - scattered) * own.subsurface_weight;
    out.metal_f0 = s.base * own.base_weight;
    // At a cosine of 1/7, near 82 degrees, Schlick's term is to be multiplied by `specular_color` (Hoffman 2023).
    out.dip = (out.metal_f0 + (1.0 - out.metal_f0) * 0.46266437) * (1.0 - own.specular_color) * 17.651385;
    return out;
}

fn openpbr_dielectric(own: Openpbr, cosine: f32, weight: f32) -> vec3f {
    return vec3f(fresnel_exact(cosine, own.eta));
}

fn openpbr_metal(s: Surface, own: Openpbr, cosine: f32, weight: f32) -> vec3f {
    return max(own.metal_f0 + (1.0 - own.metal_f0) * weight - own.dip * (cosine * weight * (1.0 - cosine)), vec3f(0.0));
}

fn microfacets(s: Surface, own: Openpbr, a: Angles) -> f32 {
    let a2 = alpha_squared(own.rough);
    return distribution_ggx(a.nh, a.sin2, a2) * visibility_smith(a.nl, a.nv, a2);
}

// `s.base` is what the dielectric scatters.
fn openpbr_below(s: Surface, own: Openpbr, a: Angles, dielectric: vec3f, metal: vec3f, specular: f32) -> vec3f {
    let mirrored = dielectric * own.specular_color * lobe_gain(own.shares, vec3f(own.f0)) * specular;
    let plastic = eon(s.base, own.base_diffuse_roughness, a) * (own.kept * INV_PI) + mirrored;
    let shining = metal * lobe_gain(own.shares, own.metal_f0) * (own.specular_weight * specular);
    return plastic + (shining - plastic) * s.metallic;
}

fn around_openpbr_below(s: Surface, own: Openpbr, v: vec3f, weight: f32) -> Around {
    let nv = eye_cosine(s.n, v);
    let scattered = eon_around(own.scattered, own.base_diffuse_roughness, nv);
    var around = around_diffuse(s, scattered * (own.kept * (1.0 - s.metallic)));
    let plastic = own.specular_color * lobe_gain(own.shares, vec3f(own.f0)) * (1.0 - s.metallic);
    let metal = lobe_gain(own.shares, own.metal_f0) * (own.specular_weight * s.metallic);
    around.f0 = own.f0 * plastic + own.metal_f0 * metal;
    around.f90 = plastic + metal;
    // The dip of the metal's Fresnel term, at the cosine whose Schlick weight is the mean over the lobe.
    let all = own.shares.x + own.shares.y;
    let sine = pow(max(own.shares.y / all, 1e-9), 0.2);
    let dip = metal * own.dip * ((1.0 - sine) * sine * own.shares.y);
    around.mirror = -min(dip, around.f0 * own.shares.x + around.f90 * own.shares.y);
    around.roughness = own.rough;
    return around;
}
