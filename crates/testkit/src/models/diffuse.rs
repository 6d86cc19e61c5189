//! Matt surfaces.

use std::f64::consts::PI;

use stillframe_base::math::ops64 as m;

use super::{Given, channels, fifth};
use crate::vector::dot;

pub fn lambert(given: &Given) -> [f64; 3] {
    channels(|c| given.base[c] / PI * given.nl().max(0.0))
}

/// Mitchell, Francke, Eng 2007.
pub fn half_lambert(given: &Given) -> [f64; 3] {
    let wrapped = (given.nl() * 0.5 + 0.5).clamp(0.0, 1.0);
    channels(|c| given.base[c] / PI * m::pow(wrapped, given.number("wrap_power")))
}

/// Angles of light and eye to the normal, and the cosine of the angle between both about it.
fn spherical(given: &Given) -> (f64, f64, f64) {
    let (l, v) = (given.l, given.v);
    let across = (l[0] * l[0] + l[1] * l[1]).sqrt() * (v[0] * v[0] + v[1] * v[1]).sqrt();
    let cosine = if across > 0.0 { (l[0] * v[0] + l[1] * v[1]) / across } else { 0.0 };
    (m::acos(given.nl().clamp(-1.0, 1.0)), m::acos(given.nv()), cosine)
}

/// Oren, Nayar 1994 by angles; Fujii 2012.
pub fn oren_nayar(given: &Given) -> [f64; 3] {
    if given.nl() <= 0.0 {
        return [0.0; 3];
    }
    let sigma = given.number("sigma");
    let factor = if given.is("fujii") {
        let a = 1.0 / (PI + (PI / 2.0 - 2.0 / 3.0) * sigma);
        let s = dot(given.l, given.v) - given.nl() * given.nv();
        let t = if s > 0.0 { given.nl().max(given.nv()) } else { 1.0 };
        (a + a * sigma * s / t).max(0.0)
    } else {
        let (light, eye, cosine) = spherical(given);
        let s2 = sigma * sigma;
        let (a, b) = (1.0 - 0.5 * s2 / (s2 + 0.33), 0.45 * s2 / (s2 + 0.09));
        (a + b * cosine.max(0.0) * m::sin(light.max(eye)) * m::tan(light.min(eye))) / PI
    };
    channels(|c| given.base[c] * factor * given.nl())
}

/// Portsmouth, Kutz, Hill 2024.
pub fn eon(given: &Given) -> [f64; 3] {
    if given.nl() <= 0.0 {
        return [0.0; 3];
    }
    let r = given.roughness;
    let af = 1.0 / (1.0 + (0.5 - 2.0 / (3.0 * PI)) * r);
    let albedo = |mu: f64| {
        let angle = m::acos(mu);
        let sin = m::sin(angle);
        let g = sin * (angle - sin * mu) + 2.0 / 3.0 * (sin / mu * (1.0 - sin * sin * sin) - sin);
        af + r * af * g / PI
    };
    let mean = af * (1.0 + (2.0 / 3.0 - 28.0 / (15.0 * PI)) * r);
    let s = dot(given.l, given.v) - given.nl() * given.nv();
    let share = if s > 0.0 { s / given.nl().max(given.nv()) } else { s };
    channels(|c| {
        let rho = given.base[c];
        let once = rho / PI * af * (1.0 + r * share);
        let lost = (1.0 - mean).max(1e-7);
        let again = rho * rho * mean / (1.0 - rho * lost) / PI;
        let missing = (1.0 - albedo(given.nl().max(1e-4))).max(0.0) * (1.0 - albedo(given.nv())).max(0.0);
        (once + again * missing / lost) * given.nl()
    })
}

/// Burley 2012.
pub fn burley(given: &Given) -> [f64; 3] {
    if given.nl() <= 0.0 {
        return [0.0; 3];
    }
    let f90 = 0.5 + 2.0 * given.roughness * given.vh() * given.vh();
    let edge = |cosine: f64| 1.0 + (f90 - 1.0) * fifth(1.0 - cosine.min(1.0));
    channels(|c| given.base[c] / PI * edge(given.nl()) * edge(given.nv()) * given.nl())
}

/// Minnaert 1941.
pub fn minnaert(given: &Given) -> [f64; 3] {
    if given.nl() <= 0.0 {
        return [0.0; 3];
    }
    let k = given.number("darkening");
    channels(|c| given.base[c] / PI * m::pow(given.nl(), k) * m::pow(given.nv(), k - 1.0))
}
