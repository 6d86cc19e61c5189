//! glTF's surface with layers, and with multiple scattering.

use std::f64::consts::{PI, TAU};

use stillframe_base::math::ops64 as m;

use super::styled::charlie;
use super::{Given, alpha, channels, fifth, ggx, largest, schlick};
use crate::vector::dot;

/// glTF 2.0, appendix B, with KHR_materials_anisotropy, _iridescence, _sheen, _clearcoat, _transmission and
/// _diffuse_transmission; of what is behind it knows nothing.
pub fn gltf(given: &Given) -> [f64; 3] {
    let (through, scattered) = (given.number("transmission"), given.number("diffuse_transmission"));
    if given.nl() <= 0.0 {
        // As if it came in on this side.
        let mirrored = Given { l: [given.l[0], given.l[1], -given.l[2]], ..given.clone() };
        let share = (1.0 - schlick(0.04, 1.0, mirrored.vh())) * (1.0 - given.metallic) * mirrored.nl() / PI;
        return given.values["diffuse_transmission_color"].map(|c| c * scattered * share * (1.0 - through));
    }
    let (nl, nv, vh) = (given.nl(), given.nv(), given.vh());
    let specular = match given.number("anisotropy") {
        0.0 => ggx(given, given.alpha()),
        strength => brushed(given, strength),
    };
    let film = given.number("iridescence");
    let over_film = |f0: [f64; 3]| {
        let [thickness, ior] = ["iridescence_thickness_nm", "iridescence_ior"].map(|name| given.number(name));
        let seen = thin_film(thickness, ior, vh, f0);
        channels(|c| {
            let plain = schlick(f0[c], 1.0, vh);
            plain + (seen[c] - plain) * film
        })
    };
    let (plastic, metal) = (over_film([0.04; 3]), over_film(given.base));
    let coat = |cosine: f64| given.number("clearcoat") * schlick(0.04, 1.0, cosine);
    let varnish = coat(vh) * ggx(given, alpha(given.number("clearcoat_roughness")));
    let (sheen, roughness) = (given.values["sheen_color"], given.number("sheen_roughness"));
    let kept = match largest(sheen) {
        0.0 => 1.0,
        most => (1.0 - most * sheen_albedo(nv, roughness)).min(1.0 - most * sheen_albedo(nl, roughness)),
    };
    let fibres = charlie(given, roughness);
    channels(|c| {
        let body = given.base[c] * (1.0 - through) * (1.0 - scattered);
        let dielectric = body / PI * (1.0 - largest(plastic)) + plastic[c] * specular;
        let base = dielectric * (1.0 - given.metallic) + metal[c] * specular * given.metallic;
        ((base * kept + sheen[c] * fibres) * (1.0 - coat(nv)) + varnish) * nl
    })
}

/// The albedo of the fibres' lobe, by quadrature; at most 1.
pub fn sheen_albedo(mu: f64, roughness: f64) -> f64 {
    let (rings, steps) = (160, 64);
    let v = [(1.0 - mu * mu).max(0.0).sqrt(), 0.0, mu];
    let mut sum = 0.0;
    for i in 0..rings {
        let (sin, cos) = m::sin_cos((f64::from(i) + 0.5) / f64::from(rings) * PI / 2.0);
        for j in 0..steps {
            let (y, x) = m::sin_cos((f64::from(j) + 0.5) / f64::from(steps) * PI);
            let given = Given {
                base: [0.0; 3],
                roughness,
                metallic: 0.0,
                values: std::collections::BTreeMap::new(),
                l: [sin * x, sin * y, cos],
                v,
            };
            sum += charlie(&given, roughness) * cos * sin;
        }
    }
    (sum * (PI / 2.0) * TAU / f64::from(rings * steps)).min(1.0)
}

/// GGX of two widths by Heitz 2014, with his shadowing of each direction.
fn brushed(given: &Given, strength: f64) -> f64 {
    let turn = given.number("anisotropy_rotation_deg").to_radians();
    let (sin, cos) = m::sin_cos(turn);
    let (t, b) = ([cos, sin, 0.0], [-sin, cos, 0.0]);
    let narrow = given.alpha();
    let wide = narrow * (1.0 - strength * strength) + strength * strength;
    let h = given.h();
    let (x, y) = (dot(t, h) / wide, dot(b, h) / narrow);
    let s = x * x + y * y + given.nh() * given.nh();
    let d = 1.0 / (PI * wide * narrow * s * s);
    let stretched = |w: [f64; 3], n: f64| {
        let (x, y) = (wide * dot(t, w), narrow * dot(b, w));
        (x * x + y * y + n * n).sqrt()
    };
    let (nl, nv) = (given.nl(), given.nv());
    d * 0.5 / (nl * stretched(given.v, nv) + nv * stretched(given.l, nl))
}

/// Belcour, Barla 2017, as KHR_materials_iridescence has it.
pub(super) fn thin_film(thickness: f64, film_ior: f64, cosine: f64, f0: [f64; 3]) -> [f64; 3] {
    let t = (thickness / 1000.0 / 0.03).clamp(0.0, 1.0);
    let ior = 1.0 + (film_ior - 1.0) * t * t * (3.0 - 2.0 * t);
    let inside2 = 1.0 - (1.0 - cosine * cosine) / (ior * ior);
    if inside2 < 0.0 {
        return [1.0; 3];
    }
    let inside = inside2.sqrt();
    let squared = |x: f64| x * x;
    let r12 = schlick(squared((ior - 1.0) / (ior + 1.0)), 1.0, cosine);
    let t121 = 1.0 - r12;
    let path = 2.0 * ior * thickness * inside;
    let mut r23 = [0.0; 3];
    let mut shift = [0.0; 3];
    for c in 0..3 {
        let root = f0[c].clamp(0.0, 0.9999).sqrt();
        let inner = (1.0 + root) / (1.0 - root);
        let r1 = squared((inner - ior) / (inner + ior));
        r23[c] = r1 + (1.0 - r1) * fifth(1.0 - inside);
        shift[c] = PI + if inner < ior { PI } else { 0.0 };
    }
    let sensed = [1.0, 2.0].map(|order| sensitivity(order * path, shift.map(|s| order * s)));
    channels(|c| {
        let r123 = (r12 * r23[c]).clamp(1e-5, 0.9999);
        let rs = t121 * t121 * r23[c] / (1.0 - r123);
        let (first, step) = (rs - t121, r123.sqrt());
        let orders = first * step * 2.0 * sensed[0][c] + first * step * step * 2.0 * sensed[1][c];
        (r12 + rs + orders).clamp(0.0, 1.0)
    })
}

fn sensitivity(path_nm: f64, shift: [f64; 3]) -> [f64; 3] {
    let phase = TAU * path_nm * 1e-9;
    let bump = |value: f64, position: f64, variance: f64, shift: f64| {
        value * (TAU * variance).sqrt() * m::cos(position * phase + shift) * m::exp(-phase * phase * variance)
    };
    let xyz = [
        bump(5.4856e-13, 1.6810e6, 4.3278e9, shift[0]) + bump(9.7470e-14, 2.2399e6, 4.5282e9, shift[0]),
        bump(4.4201e-13, 1.7953e6, 9.3046e9, shift[1]),
        bump(5.2481e-13, 2.2084e6, 6.6121e9, shift[2]),
    ]
    .map(|x| x / 1.0685e-7);
    [
        3.2404542 * xyz[0] - 1.5371385 * xyz[1] - 0.4985314 * xyz[2],
        -0.9692660 * xyz[0] + 1.8760108 * xyz[1] + 0.0415560 * xyz[2],
        0.0556434 * xyz[0] - 0.2040259 * xyz[1] + 1.0572252 * xyz[2],
    ]
}

/// The albedo of a white GGX lobe, by quadrature over microfacets.
pub fn ggx_albedo(mu: f64, roughness: f64) -> f64 {
    ggx_parts(mu, roughness).iter().sum()
}

/// The same in two parts: for f0 and for f90 of a Schlick term.
pub(super) fn ggx_parts(mu: f64, roughness: f64) -> [f64; 2] {
    let mu = mu.max(1e-4);
    let a2 = alpha(roughness) * alpha(roughness);
    let sin_v = (1.0 - mu * mu).sqrt();
    let lambda = |cos: f64| ((1.0 + a2 * (1.0 - cos * cos) / (cos * cos)).sqrt() - 1.0) / 2.0;
    // Visible normals (Heitz 2018): the view direction where the surface is stretched to a hemisphere.
    let a = a2.sqrt();
    let length = (a2 * sin_v * sin_v + mu * mu).sqrt();
    let (vx, vz) = (a * sin_v / length, mu / length);
    let (rings, steps) = (64, 64);
    let mut sum = [0.0; 2];
    for i in 0..rings {
        let radius = ((f64::from(i) + 0.5) / f64::from(rings)).sqrt();
        for j in 0..steps {
            let (sin, cos) = m::sin_cos((f64::from(j) + 0.5) / f64::from(steps) * TAU);
            let y = radius * cos;
            let up = 0.5 * (1.0 + vz);
            let t = (1.0 - up) * (1.0 - y * y).max(0.0).sqrt() + up * radius * sin;
            let rest = (1.0 - y * y - t * t).max(0.0).sqrt();
            let h = [a * (rest * vx - t * vz), a * y, (rest * vz + t * vx).max(0.0)];
            let length = dot(h, h).sqrt();
            let vh = (sin_v * h[0] + mu * h[2]) / length;
            let nl = 2.0 * vh * h[2] / length - mu;
            if nl > 0.0 {
                let share = (1.0 + lambda(mu)) / (1.0 + lambda(mu) + lambda(nl));
                let weight = fifth(1.0 - vh.min(1.0));
                sum[0] += share * (1.0 - weight);
                sum[1] += share * weight;
            }
        }
    }
    sum.map(|sum| sum / f64::from(rings * steps))
}

/// Turquin 2019.
pub fn standard(given: &Given) -> [f64; 3] {
    if given.nl() <= 0.0 {
        return [0.0; 3];
    }
    let missing = 1.0 / ggx_albedo(given.nv(), given.roughness) - 1.0;
    let specular = ggx(given, given.alpha());
    let fresnel = schlick(0.04, 1.0, given.vh());
    channels(|c| {
        let base = given.base[c];
        let plastic = base / PI * (1.0 - fresnel) + fresnel * specular * (1.0 + 0.04 * missing);
        let metal = schlick(base, 1.0, given.vh()) * specular * (1.0 + base * missing);
        (plastic + (metal - plastic) * given.metallic) * given.nl()
    })
}
