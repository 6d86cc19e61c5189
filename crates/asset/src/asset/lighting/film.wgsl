// Film: the colours of a thin film (Belcour, Barla 2017; KHR_materials_iridescence), an Airy sum to the second order over
// Gaussian fits of the eye's sensitivity.

const XYZ_TO_REC709 = mat3x3f(
    vec3f(3.2404542, -0.9692660, 0.0556434),
    vec3f(-1.5371385, 1.8760108, -0.2040259),
    vec3f(-0.4985314, 0.0415560, 1.0572252),
);

// For a path difference in nanometres and shifts of the phase.
fn film_sensitivity(path: f32, shift: vec3f) -> vec3f {
    let phase = 2.0 * PI * path * 1e-9;
    let value = vec3f(5.4856e-13, 4.4201e-13, 5.2481e-13);
    let position = vec3f(1.6810e+06, 1.7953e+06, 2.2084e+06);
    let variance = vec3f(4.3278e+09, 9.3046e+09, 6.6121e+09);
    let phase2 = phase * phase;
    var xyz = value * sqrt(2.0 * PI * variance) * cos(position * phase + shift) * exp(-phase2 * variance);
    xyz.x += 9.7470e-14 * sqrt(2.0 * PI * 4.5282e+09) * cos(2.2399e+06 * phase + shift.x) * exp(-4.5282e+09 * phase2);
    return XYZ_TO_REC709 * (xyz / 1.0685e-7);
}

fn film_f0(inner: vec3f, outer: f32) -> vec3f {
    let root = (inner - outer) / (inner + outer);
    return root * root;
}

// The Fresnel term of a film over a surface of this f0, by the cosine to its facets.
fn film(ior: f32, thickness_nm: f32, cosine: f32, f0: vec3f) -> vec3f {
    // A film that gets thinner becomes air.
    let outer = 1.0 + (ior - 1.0) * smoothstep(0.0, 0.03, thickness_nm * 0.001);
    let inside2 = 1.0 - (1.0 - cosine * cosine) / (outer * outer);
    if inside2 < 0.0 {
        return vec3f(1.0);
    }
    let inside = sqrt(inside2);
    let weight = schlick_weight(cosine);
    let first0 = film_f0(vec3f(outer), 1.0).x;
    let first = first0 + (1.0 - first0) * weight;
    let through = 1.0 - first;
    let root = sqrt(clamp(f0, vec3f(0.0), vec3f(0.9999)));
    let inner = (1.0 + root) / (1.0 - root);
    let second0 = film_f0(inner, outer);
    let second = second0 + (1.0 - second0) * schlick_weight(inside);
    // Half a turn at the surface of the film, half a turn where what is below is denser.
    let shift = PI + select(vec3f(0.0), vec3f(PI), inner < vec3f(outer));
    let path = 2.0 * outer * thickness_nm * inside;
    let both = clamp(first * second, vec3f(1e-5), vec3f(0.9999));
    let step = sqrt(both);
    let around = through * through * second / (1.0 - both);
    var out = first + around;
    var order = around - through;
    order *= step;
    out += order * 2.0 * film_sensitivity(path, shift);
    order *= step;
    out += order * 2.0 * film_sensitivity(2.0 * path, 2.0 * shift);
    return clamp(out, vec3f(0.0), vec3f(1.0));
}

// A Fresnel term `f` below a film of this strength.
fn under_film(f: vec3f, f0: vec3f, vh: f32, ior: f32, thickness_nm: f32, weight: f32) -> vec3f {
    return f + (film(ior, thickness_nm, vh, f0) - f) * weight;
}

// What is seen at the mirror direction, as the f0 of a Schlick term that has it there.
fn film_f0_around(seen: vec3f, nv: f32, f90: vec3f) -> vec3f {
    let weight = min(schlick_weight(nv), 0.99);
    return clamp((seen - weight * f90) / (1.0 - weight), vec3f(0.0), vec3f(1.0));
}

// Light from everywhere below a film of this strength.
fn around_film(s: Surface, v: vec3f, below: Around, ior: f32, thickness_nm: f32, weight: f32) -> Around {
    var around = below;
    let nv = eye_cosine(s.n, v);
    let seen = film(ior, thickness_nm, nv, below.f0);
    around.f0 += (film_f0_around(seen, nv, below.f90) - below.f0) * weight;
    return around;
}
