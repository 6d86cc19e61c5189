// Lobes: how a surface turns light that arrives into light that leaves.
//
// glTF 2.0 appendix B.2: a dielectric (`under_fresnel`) and a metal, mixed by `metallic`, each with its own Fresnel
// term. GGX (Trowbridge, Reitz 1975) with the height-correlated Smith term (Heitz 2014). No multiple
// scattering. Deviation: alpha is not below 0.045^2, so that highlights stay finite.

// What a light sends to a point.
struct Incident {
    // Unit, towards the light.
    l: vec3f,
    // Irradiance on a facing surface, before the cosine; exactly 0 out of reach.
    e: vec3f,
}

struct Surface {
    base: vec3f,
    alpha: f32,
    // Unit shading normal, on the side that is seen.
    n: vec3f,
    // Unit normal without the normal map, same side.
    ng: vec3f,
    // Perceptual.
    roughness: f32,
    metallic: f32,
    emissive: vec3f,
    occlusion: f32,
}

// (1 - x)^5.
fn schlick_weight(x: f32) -> f32 {
    let t = 1.0 - x;
    let t2 = t * t;
    return t2 * t2 * t;
}

// alpha^2 of a perceptual roughness.
fn alpha_squared(roughness: f32) -> f32 {
    let a = max(roughness * roughness, 0.002025);
    return a * a;
}

// The distribution of microfacets. `sin2` is |cross(n, h)|^2: the form without cancellation, which the usual
// `nh^2 (a^2 - 1) + 1` is not (1.4 % off in f32 at alpha = 0.002).
fn distribution_ggx(nh: f32, sin2: f32, a2: f32) -> f32 {
    let s = nh * nh * a2 + sin2;
    return a2 * INV_PI / (s * s);
}

// G / (4 nl nv), height-correlated.
fn visibility_smith(nl: f32, nv: f32, a2: f32) -> f32 {
    let toward_light = nl * sqrt(nv * nv * (1.0 - a2) + a2);
    let toward_eye = nv * sqrt(nl * nl * (1.0 - a2) + a2);
    return 0.5 / (toward_light + toward_eye);
}

// The cosine to the eye, kept from zero: a shading normal may look away from the eye although the surface does not.
fn eye_cosine(n: vec3f, v: vec3f) -> f32 {
    return clamp(dot(n, v), 0.0001, 1.0);
}

// The specular lobe without its Fresnel term, and the Schlick weight. `nl`: the cosine to `l`.
fn mirror_terms(s: Surface, v: vec3f, l: vec3f, nl: f32) -> vec2f {
    let nv = eye_cosine(s.n, v);
    let sum = l + v;
    // Light from straight behind has no half vector.
    let h = select(normalize(sum), s.n, dot(sum, sum) < 1e-10);
    let nh = clamp(dot(s.n, h), 0.0, 1.0);
    let across = cross(s.n, h);
    let a2 = alpha_squared(s.roughness);
    let specular = distribution_ggx(nh, dot(across, across), a2) * visibility_smith(nl, nv, a2);
    let weight = schlick_weight(clamp(dot(v, h), 0.0, 1.0));
    return vec2f(specular, weight);
}

// f(l, v) cos E: what leaves towards `v`.
fn lobes(s: Surface, v: vec3f, incident: Incident) -> vec3f {
    let nl = dot(s.n, incident.l);
    if nl <= 0.0 {
        return vec3f(0.0);
    }
    let terms = mirror_terms(s, v, incident.l, nl);
    let specular = terms.x;
    let weight = terms.y;
    let dielectric = under_fresnel(s, weight, specular);
    let metal = (s.base + (1.0 - s.base) * weight) * specular;
    return (dielectric + (metal - dielectric) * s.metallic) * nl * incident.e;
}
