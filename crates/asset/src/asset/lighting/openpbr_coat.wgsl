// The coat of OpenPBR: a GGX lobe over everything below, which loses what it reflects and what its colour absorbs, and
// which light that is reflected back inside makes darker.

// The cosine inside the coat.
fn coat_cosine(own: Openpbr, cosine: f32) -> f32 {
    return sqrt(max(1.0 - (1.0 - cosine * cosine) / (own.coat_ior * own.coat_ior), 1e-6));
}

// The light that is left below, by the way in and the way out: `coat_color` is that of both at normal incidence.
fn coat_kept(s: Surface, own: Openpbr, nl: f32, nv: f32) -> vec3f {
    let way = 0.5 / coat_cosine(own, nl) + 0.5 / coat_cosine(own, nv);
    let tint = pow(max(own.coat_color, vec3f(1e-6)), vec3f(way));
    let shares = lobe_shares(nv, own.coat_roughness);
    let f0 = fresnel_f0(own.coat_ior);
    let albedo = (f0 * shares.x + shares.y) * lobe_gain(shares, vec3f(f0)).x;
    let layered = 1.0 + (tint * max(1.0 - albedo, 0.0) - 1.0) * own.coat_weight;
    // What of light from everywhere inside is reflected back to the base.
    let back = 1.0 - (1.0 - f0) / (own.coat_ior * own.coat_ior);
    let base = own.scattered + (own.metal_f0 * own.specular_weight - own.scattered) * s.metallic;
    let darkened = (1.0 - back) / (1.0 - clamp(base, vec3f(0.0), vec3f(1.0)) * back);
    return layered * (1.0 + (darkened - 1.0) * (own.coat_weight * own.coat_darkening));
}

fn coat_over(s: Surface, own: Openpbr, a: Angles, below: vec3f, specular: f32) -> vec3f {
    let shares = lobe_shares(a.nv, own.coat_roughness);
    let gain = lobe_gain(shares, vec3f(fresnel_f0(own.coat_ior))).x;
    let coat = own.coat_weight * fresnel_exact(a.vh, own.coat_ior) * gain * specular;
    return below * coat_kept(s, own, a.nl, a.nv) + coat;
}

fn coat_around(s: Surface, own: Openpbr, v: vec3f, below: Around) -> Around {
    var around = below;
    let nv = eye_cosine(s.n, v);
    // Scattered light comes in at about 48 degrees in the mean; a mirror's as it leaves.
    around.diffuse *= coat_kept(s, own, 0.6666667, nv);
    let mirrored = coat_kept(s, own, nv, nv);
    around.mirror *= mirrored;
    around.f0 *= mirrored;
    around.f90 *= mirrored;
    let f0 = fresnel_f0(own.coat_ior);
    around.coat = own.coat_weight * lobe_gain(lobe_shares(nv, own.coat_roughness), vec3f(f0)).x;
    around.coat_f0 = f0;
    around.coat_roughness = own.coat_roughness;
    return around;
}
