// Anisotropy: GGX of two widths (KHR_materials_anisotropy; Heitz 2014).

fn microfacets_anisotropy(s: Surface, own: Gltf, a: Angles) -> f32 {
    let t = own.anisotropy_rotation_deg.x * own.t + own.anisotropy_rotation_deg.y * own.b;
    let b = own.anisotropy_rotation_deg.x * own.b - own.anisotropy_rotation_deg.y * own.t;
    let narrow = max(s.roughness * s.roughness, 0.002025);
    let wide = narrow + (1.0 - narrow) * own.anisotropy * own.anisotropy;
    let facet = vec3f(dot(t, a.h) / wide, dot(b, a.h) / narrow, a.nh);
    let s2 = dot(facet, facet);
    let distribution = INV_PI / (wide * narrow * s2 * s2);
    let toward_light = a.nl * length(vec3f(wide * dot(t, a.v), narrow * dot(b, a.v), a.nv));
    let toward_eye = a.nv * length(vec3f(wide * dot(t, a.l), narrow * dot(b, a.l), a.nl));
    return distribution * (0.5 / (toward_light + toward_eye));
}

// The normal is bent about the narrow direction, as the extension proposes.
fn around_anisotropy(s: Surface, own: Gltf, v: vec3f, below: Around) -> Around {
    var around = below;
    let b = own.anisotropy_rotation_deg.x * own.b - own.anisotropy_rotation_deg.y * own.t;
    let bent = cross(cross(b, v), b);
    let straight = 1.0 - own.anisotropy * (1.0 - s.roughness);
    let straight2 = straight * straight;
    let unit = bent * inverseSqrt(max(dot(bent, bent), 1e-8));
    around.n = normalize(unit + (s.n - unit) * (straight2 * straight2));
    return around;
}
