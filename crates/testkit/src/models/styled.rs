//! Cloth, and models for drawings.

use std::f64::consts::PI;

use stillframe_base::math::ops64 as m;

use super::{Given, channels};

/// Estevez, Kulla 2017; Neubelt, Pettineo 2013.
pub fn charlie(given: &Given, roughness: f64) -> f64 {
    let inverse = 1.0 / (roughness.max(0.07) * roughness.max(0.07));
    let d = (2.0 + inverse) * m::pow(given.sin2().max(1e-12).sqrt(), inverse) / (2.0 * PI);
    let (nl, nv) = (given.nl(), given.nv());
    d / (4.0 * (nl + nv - nl * nv))
}

pub fn cloth(given: &Given) -> [f64; 3] {
    if given.nl() <= 0.0 {
        return [0.0; 3];
    }
    let sheen = charlie(given, given.roughness);
    channels(|c| (given.base[c] / PI + given.values["sheen_color"][c] * sheen) * given.nl())
}

/// Strauss 1990, without transparency.
pub fn strauss(given: &Given) -> [f64; 3] {
    if given.nl() <= 0.0 {
        return [0.0; 3];
    }
    let (s, metal) = (1.0 - given.roughness, given.metallic);
    let f = |x: f64| {
        let k = 1.12;
        (1.0 / ((x - k) * (x - k)) - 1.0 / (k * k)) / (1.0 / ((1.0 - k) * (1.0 - k)) - 1.0 / (k * k))
    };
    let g = |x: f64| {
        let k = 1.01;
        (1.0 / ((1.0 - k) * (1.0 - k)) - 1.0 / ((x - k) * (x - k))) / (1.0 / ((1.0 - k) * (1.0 - k)) - 1.0 / (k * k))
    };
    let share = |cosine: f64| m::acos(cosine.clamp(0.0, 1.0)) / (PI / 2.0);
    let (light, eye) = (share(given.nl()), share(given.nv()));
    let rd = 1.0 - s * s * s;
    let rn = 1.0 - rd;
    let j = f(light) * g(light) * g(eye);
    let rj = (rn + (rn + 0.1) * j).min(1.0);
    let highlight = m::pow(given.rv(), 3.0 / (1.0 - s).max(0.001)) * rj;
    channels(|c| {
        let diffuse = given.base[c] * (1.0 - metal * s) * rd * given.nl();
        let color = 1.0 + metal * (1.0 - f(light)) * (given.base[c] - 1.0);
        (diffuse + color * highlight) / PI
    })
}

fn rise(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Bands of equal width; the end of each goes over into the next.
pub fn toon(given: &Given) -> [f64; 3] {
    if given.nl() <= 0.0 {
        return [0.0; 3];
    }
    let (bands, softness) = (given.number("bands"), given.number("softness"));
    let at = given.nl().min(1.0) * bands;
    let over = rise(1.0 - softness.max(1e-4), 1.0, at - at.floor());
    let ramp = (at.floor() + over).min(bands - 1.0) / (bands - 1.0);
    let (size, width) = (given.number("specular_size"), given.number("rim_width"));
    let size = size * size;
    let hard = 1.0 - softness.max(0.01);
    let highlight = 1.0 - rise(size * hard, size + 1e-6, 1.0 - given.nh());
    let rim = (1.0 - rise(width * hard, width + 1e-6, given.nv())) * given.nl();
    channels(|c| {
        let styled = given.values["specular_color"][c] * highlight + given.values["rim_color"][c] * rim;
        (given.base[c] * ramp + styled) / PI
    })
}

/// Karis 2016, with angles; strands lie along X.
pub fn hair(given: &Given) -> [f64; 3] {
    let (l, v) = (given.l, given.v);
    let (theta_l, theta_v) = (m::asin(l[0].clamp(-1.0, 1.0)), m::asin(v[0].clamp(-1.0, 1.0)));
    let cos_d = m::cos(0.5 * (theta_v - theta_l).abs()).max(0.02);
    let squared = |w: [f64; 3]| w[1] * w[1] + w[2] * w[2];
    let cos_phi = ((l[1] * v[1] + l[2] * v[2]) / (squared(l) * squared(v) + 1e-4).sqrt()).clamp(-1.0, 1.0);
    let cos_half = (0.5 + 0.5 * cos_phi).clamp(0.0, 1.0).sqrt();
    let along = l[0] + v[0];
    let vl = (l[0] * v[0] + l[1] * v[1] + l[2] * v[2]).clamp(-1.0, 1.0);
    let gauss = |width: f64, x: f64| {
        let w = width.max(1e-4);
        m::exp(-0.5 * x * x / (w * w)) / ((2.0 * PI).sqrt() * w)
    };
    let f0 = ((1.0 - 1.55f64) / (1.0 + 1.55)) * ((1.0 - 1.55) / (1.0 + 1.55));
    let fresnel = |cosine: f64| f0 + (1.0 - f0) * m::pow(1.0 - cosine, 5.0);
    let width = given.alpha();
    let (sin_a, cos_a) = m::sin_cos(-0.07);
    let turned = 2.0 * sin_a * (cos_a * cos_half * m::cos(theta_v) + sin_a * v[0]);
    let mix = 1.0 + (given.number("backlit") - 1.0) * (-vl).clamp(0.0, 1.0);
    let white = gauss(width * 2.0f64.sqrt() * cos_half, along - turned)
        * (0.25 * cos_half)
        * fresnel((0.5 + 0.5 * vl).clamp(0.0, 1.0).sqrt())
        * (2.0 * given.number("hair_specular") * mix);
    let a = 1.0 / (1.19 / cos_d + 0.36 * cos_d);
    let h = cos_half * (1.0 + a * (0.6 - 0.8 * cos_phi));
    let enters = 1.0 - fresnel(cos_d * (1.0 - h * h).clamp(0.0, 1.0).sqrt());
    let through = gauss(width / 2.0, along - 0.035) * m::exp(-3.65 * cos_phi - 3.98) * enters * enters;
    let edge = fresnel(cos_d / 2.0);
    let inside = gauss(width * 2.0, along - 0.14) * m::exp(17.0 * cos_phi - 16.78) * (1.0 - edge) * (1.0 - edge) * edge;
    let facing = squared(v).max(1e-8).sqrt();
    let wrapped = (((l[1] * v[1] + l[2] * v[2]) / facing + 1.0) / 4.0).clamp(0.0, 1.0);
    let scattered = (wrapped + (1.0 - l[0].abs() - wrapped) * 0.33) / PI * given.number("scatter");
    channels(|c| {
        let base = given.base[c];
        let way = 0.5 * (1.0 - h * h * a * a).max(0.0).sqrt() / cos_d;
        let sum = white
            + m::pow(base, way) * through * given.number("backlit")
            + m::pow(base, 0.8 / cos_d) * inside
            + base.sqrt() * scattered;
        sum.max(0.0)
    })
}

/// It shines by itself.
pub fn matcap(_: &Given) -> [f64; 3] {
    [0.0; 3]
}
