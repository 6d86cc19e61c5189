// Oren-Nayar: the qualitative model (Oren, Nayar 1994) and its improved form (Fujii 2012).
//
// Both without angles: sin(alpha) tan(beta) cos(phi) = (l.v - nl nv) / max(nl, nv).

struct OrenNayarTerms {
    a: f32,
    b: f32,
}

// Of 1 / pi.
fn oren_nayar_terms(own: OrenNayar) -> OrenNayarTerms {
    if own.fujii > 0.5 {
        let a = PI / (PI + (0.5 * PI - 2.0 / 3.0) * own.sigma);
        return OrenNayarTerms(a, a * own.sigma);
    }
    let s2 = own.sigma * own.sigma;
    return OrenNayarTerms(1.0 - 0.5 * s2 / (s2 + 0.33), 0.45 * s2 / (s2 + 0.09));
}

fn lobes_oren_nayar(s: Surface, own: OrenNayar, v: vec3f, incident: Incident) -> vec3f {
    let a = angles(s, incident.l, v);
    if a.nl <= 0.0 {
        return vec3f(0.0);
    }
    let terms = oren_nayar_terms(own);
    let across = dot(a.l, a.v) - a.nl * a.nv;
    var share = max(across, 0.0) / max(a.nl, a.nv);
    if own.fujii > 0.5 && across < 0.0 {
        share = across;
    }
    return s.base * (max(terms.a + terms.b * share, 0.0) * INV_PI * a.nl) * incident.e;
}

// The integral in closed form: of the positive half of cos(phi), then of the other one.
fn around_oren_nayar(s: Surface, own: OrenNayar, v: vec3f, weight: f32) -> Around {
    let terms = oren_nayar_terms(own);
    let nv = eye_cosine(s.n, v);
    let sin_v = sqrt(1.0 - nv * nv);
    let cube = sin_v * sin_v * sin_v;
    var share = sin_v * (acos(nv) - sin_v * nv) + (2.0 / 3.0) * sin_v * (1.0 - cube) / nv;
    if own.fujii > 0.5 {
        share -= (2.0 / 3.0) * sin_v;
    }
    return around_diffuse(s, s.base * (terms.a + terms.b * share * INV_PI));
}
