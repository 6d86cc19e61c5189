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
