//! Twins of the renderer's lighting models, in f64: the formulas as their papers have them, with angles where the
//! shaders have products. The frame of the surface is X, Y and Z.

mod classic;
mod diffuse;
mod layered;
mod openpbr;
mod styled;

use std::collections::BTreeMap;
use std::f64::consts::PI;

pub use layered::{ggx_albedo, sheen_albedo};

use super::vector::{Vector, cross, dot, plus, unit};

/// A surface, and two directions.
#[derive(Clone, Debug)]
pub struct Given {
    pub base: [f64; 3],
    pub roughness: f64,
    pub metallic: f64,
    /// Parameters by name; a number has its value first.
    pub values: BTreeMap<&'static str, [f64; 3]>,
    /// Unit, towards the light and the eye.
    pub l: Vector,
    pub v: Vector,
}

/// What leaves towards the eye of one unit of irradiance.
pub type Twin = fn(&Given) -> [f64; 3];

/// The twin of a model.
pub fn twin(name: &str) -> Option<Twin> {
    let rows: [(&str, Twin); 22] = [
        ("gltf", layered::gltf),
        ("lambert", diffuse::lambert),
        ("half_lambert", diffuse::half_lambert),
        ("oren_nayar", diffuse::oren_nayar),
        ("eon", diffuse::eon),
        ("burley", diffuse::burley),
        ("minnaert", diffuse::minnaert),
        ("phong", classic::phong),
        ("blinn", classic::blinn),
        ("schlick_specular", classic::schlick_specular),
        ("strauss", styled::strauss),
        ("ashikhmin_shirley", classic::ashikhmin_shirley),
        ("cook_torrance", classic::cook_torrance),
        ("ward", classic::ward),
        ("ward_aniso", classic::ward_aniso),
        ("toon", styled::toon),
        ("cloth", styled::cloth),
        ("standard", layered::standard),
        ("hair", styled::hair),
        ("matcap", styled::matcap),
        ("openpbr", openpbr::openpbr),
        ("custom", diffuse::lambert),
    ];
    rows.iter().find(|(row, _)| *row == name).map(|(_, twin)| *twin)
}

impl Given {
    fn number(&self, name: &str) -> f64 {
        self.values[name][0]
    }

    fn is(&self, name: &str) -> bool {
        self.number(name) > 0.5
    }

    fn nl(&self) -> f64 {
        self.l[2]
    }

    fn nv(&self) -> f64 {
        self.v[2].clamp(1e-4, 1.0)
    }

    fn h(&self) -> Vector {
        unit(plus(self.l, self.v))
    }

    fn nh(&self) -> f64 {
        self.h()[2].clamp(0.0, 1.0)
    }

    fn vh(&self) -> f64 {
        dot(self.v, self.h()).clamp(0.0, 1.0)
    }

    /// |cross(n, h)|^2.
    fn sin2(&self) -> f64 {
        let across = cross([0.0, 0.0, 1.0], self.h());
        dot(across, across)
    }

    /// The cosine between the eye and the mirrored light.
    fn rv(&self) -> f64 {
        let mirrored = [-self.l[0], -self.l[1], self.l[2]];
        dot(mirrored, self.v).clamp(0.0, 1.0)
    }

    fn alpha(&self) -> f64 {
        alpha(self.roughness)
    }
}

fn alpha(roughness: f64) -> f64 {
    (roughness * roughness).max(0.002025)
}

fn fifth(x: f64) -> f64 {
    x * x * x * x * x
}

fn schlick(f0: f64, f90: f64, cosine: f64) -> f64 {
    f0 + (f90 - f0) * fifth(1.0 - cosine)
}

fn largest(color: [f64; 3]) -> f64 {
    color.iter().copied().fold(0.0, f64::max)
}

fn channels(f: impl Fn(usize) -> f64) -> [f64; 3] {
    std::array::from_fn(f)
}

/// GGX (Trowbridge, Reitz 1975) with the height-correlated Smith term (Heitz 2014), without a Fresnel term.
fn ggx(given: &Given, alpha: f64) -> f64 {
    let a2 = alpha * alpha;
    let s = given.nh() * given.nh() * a2 + given.sin2();
    let root = |x: f64| (x * x * (1.0 - a2) + a2).sqrt();
    let (nl, nv) = (given.nl(), given.nv());
    a2 / (PI * s * s) * 0.5 / (nl * root(nv) + nv * root(nl))
}
