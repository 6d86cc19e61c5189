//! The twin of the renderer's `lobes`, in f64. Source: glTF 2.0 specification, appendix B.

use std::f64::consts::PI;

use super::vector::{Vector, cross, dot, plus};

/// What a surface sends to `v` of one unit of irradiance from `l`, for one channel. `n`, `l` and `v` are unit.
pub fn lobes(base: f64, roughness: f64, metallic: f64, [n, l, v]: [Vector; 3]) -> f64 {
    let nl = dot(n, l);
    if nl <= 0.0 {
        return 0.0;
    }
    let alpha = (roughness * roughness).max(0.002025);
    let a2 = alpha * alpha;
    let nv = dot(n, v).clamp(1e-4, 1.0);
    let sum = plus(l, v);
    let length = dot(sum, sum).sqrt();
    let h = sum.map(|x| x / length);
    let (nh, vh) = (dot(n, h).clamp(0.0, 1.0), dot(v, h).clamp(0.0, 1.0));
    let c = cross(n, h);
    let s = nh * nh * a2 + dot(c, c);
    let d = a2 / (PI * s * s);
    let root = |x: f64| (x * x * (1.0 - a2) + a2).sqrt();
    let g = 0.5 / (nl * root(nv) + nv * root(nl));
    let t = 1.0 - vh;
    let x = t * t * t * t * t;
    let fresnel = 0.04 + 0.96 * x;
    let dielectric = (1.0 - fresnel) * base / PI + fresnel * d * g;
    let metal = (base + (1.0 - base) * x) * d * g;
    (dielectric + (metal - dielectric) * metallic) * nl
}
