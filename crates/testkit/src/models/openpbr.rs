//! OpenPBR Surface 1.1.

use std::f64::consts::{PI, TAU};

use stillframe_base::math::ops64 as m;

use super::layered::{ggx_parts, thin_film};
use super::{Given, alpha, channels, diffuse, fifth, ggx};
use crate::vector::dot;

/// Fuzz over a coat over metal and dielectric; of what is behind it knows nothing.
pub fn openpbr(given: &Given) -> [f64; 3] {
    if given.nl() <= 0.0 {
        return [0.0; 3];
    }
    let (nl, nv, vh) = (given.nl(), given.nv(), given.vh());
    let [coat, coat_ior] = ["coat_weight", "coat_ior"].map(|name| given.number(name));
    let mix = |a: f64, b: f64, t: f64| a * (1.0 - t) + b * t;

    // The base as the coat lets it be seen.
    let fourth = |x: f64| x * x * x * x;
    let coat_roughness = given.number("coat_roughness");
    let spread = (fourth(given.roughness) + 2.0 * fourth(coat_roughness)).min(1.0).sqrt().sqrt();
    let roughness = mix(given.roughness, spread, coat);
    let ior = given.number("specular_ior");
    let within = mix(ior, (ior / coat_ior).max(coat_ior / ior), coat);
    let f0 = (given.number("specular_weight") * reflected(1.0, within)).min(0.999 * 0.999);
    let index = (1.0 + f0.sqrt()) / (1.0 - f0.sqrt());

    let parts = ggx_parts(nv, roughness);
    let gain = |f0: f64, parts: [f64; 2]| 1.0 + f0 * (1.0 / (parts[0] + parts[1]) - 1.0);
    let albedo = |f0: f64, parts: [f64; 2]| ((f0 * parts[0] + parts[1]) * gain(f0, parts)).min(1.0);
    let lobe = lobe(given, roughness, given.number("specular_roughness_anisotropy"));
    let film = |f0: [f64; 3], plain: [f64; 3]| {
        let [thickness, ior] = ["thin_film_thickness_nm", "thin_film_ior"].map(|name| given.number(name));
        let seen = thin_film(thickness, ior, vh, f0);
        channels(|c| mix(plain[c], seen[c], given.number("thin_film_weight")))
    };

    let weight = given.number("base_weight");
    let scattered = channels(|c| {
        mix(given.base[c] * weight, given.values["subsurface_color"][c], given.number("subsurface_weight"))
    });
    let matt = diffuse::eon(&Given {
        base: scattered.map(|c| c * (1.0 - given.number("transmission_weight"))),
        roughness: given.number("base_diffuse_roughness"),
        ..given.clone()
    });
    let plastic = film([f0; 3], [reflected(vh, index); 3]);
    let metal_f0 = given.base.map(|c| c * weight);
    let tint = given.values["specular_color"];
    let metal = film(
        metal_f0,
        channels(|c| {
            let schlick = |mu: f64| metal_f0[c] + (1.0 - metal_f0[c]) * fifth(1.0 - mu);
            let shape = |mu: f64| mu * fifth(1.0 - mu) * (1.0 - mu);
            let dip = schlick(1.0 / 7.0) * (1.0 - tint[c]) / shape(1.0 / 7.0);
            (schlick(vh) - dip * shape(vh)).max(0.0)
        }),
    );
    let base = channels(|c| {
        let dielectric = matt[c] * (1.0 - albedo(f0, parts)) + plastic[c] * tint[c] * gain(f0, parts) * lobe * nl;
        let shining = metal[c] * given.number("specular_weight") * gain(metal_f0[c], parts) * lobe * nl;
        mix(dielectric, shining, given.metallic)
    });

    // The coat.
    let coat_f0 = reflected(1.0, coat_ior);
    let coat_parts = ggx_parts(nv, coat_roughness);
    let inside = |mu: f64| (1.0 - (1.0 - mu * mu) / (coat_ior * coat_ior)).max(1e-6).sqrt();
    let way = (1.0 / inside(nl) + 1.0 / inside(nv)) / 2.0;
    let varnish = reflected(vh, coat_ior)
        * gain(coat_f0, coat_parts)
        * self::lobe(given, coat_roughness, given.number("coat_roughness_anisotropy"));
    let back = 1.0 - (1.0 - coat_f0) / (coat_ior * coat_ior);
    let coated = channels(|c| {
        let through = m::pow(given.values["coat_color"][c].max(1e-6), way) * (1.0 - albedo(coat_f0, coat_parts));
        let own = mix(scattered[c], metal_f0[c] * given.number("specular_weight"), given.metallic);
        let darker = mix(1.0, (1.0 - back) / (1.0 - own * back), coat * given.number("coat_darkening"));
        base[c] * mix(1.0, through, coat) * darker + coat * varnish * nl
    });

    // The fuzz.
    let strength = given.number("fuzz_weight");
    let fibres = fuzz(given) * nl;
    let kept = 1.0 - strength * fuzz_albedo(nv, given.number("fuzz_roughness")).min(1.0);
    channels(|c| coated[c] * kept + strength * given.values["fuzz_color"][c] * fibres)
}

/// Fresnel's equations by the angles of both sides.
fn reflected(cosine: f64, index: f64) -> f64 {
    let bent = (1.0 - (1.0 - cosine * cosine) / (index * index)).max(0.0).sqrt();
    let across = (cosine - index * bent) / (cosine + index * bent);
    let along = (index * cosine - bent) / (index * cosine + bent);
    (across * across + along * along) / 2.0
}

/// GGX without a Fresnel term, along the tangent and across it.
fn lobe(given: &Given, roughness: f64, anisotropy: f64) -> f64 {
    if anisotropy == 0.0 {
        return ggx(given, alpha(roughness));
    }
    let along = alpha(roughness) * (2.0 / (1.0 + (1.0 - anisotropy) * (1.0 - anisotropy))).sqrt();
    let across = (along * (1.0 - anisotropy)).max(0.002025);
    let h = given.h();
    let s = (h[0] / along) * (h[0] / along) + (h[1] / across) * (h[1] / across) + given.nh() * given.nh();
    let stretched = |w: [f64; 3], n: f64| {
        let (x, y) = (along * w[0], across * w[1]);
        (x * x + y * y + n * n).sqrt()
    };
    let (nl, nv) = (given.nl(), given.nv());
    0.5 / (PI * along * across * s * s) / (nl * stretched(given.v, nv) + nv * stretched(given.l, nl))
}

/// The fit of MaterialX 1.39 to the albedos of Zeltner, Burley, Chiang 2022.
fn fuzz_albedo(x: f64, roughness: f64) -> f64 {
    let y = roughness.clamp(0.01, 1.0);
    let s = y * (0.0206607 + 1.58491 * y) / (0.0379424 + y * (1.32227 + y));
    let mean = y * (-0.193854 + y * (-1.14885 + y * (1.7932 - 0.95943 * y * y))) / (0.046391 + y);
    let o = y * (0.000654023 + (-0.0207818 + 0.119681 * y) * y) / (1.26264 + y * (-1.92021 + y));
    (m::exp(-((x - mean) / s) * ((x - mean) / s) / 2.0) / (s * TAU.sqrt()) + o).max(0.0)
}

/// A cosine lobe under the matrix of that paper, by the density of a transformed direction.
fn fuzz(given: &Given) -> f64 {
    let (x, y) = (given.nv(), given.number("fuzz_roughness").clamp(0.01, 1.0));
    let a = (2.58126 * x + 0.813703 * y) * y / (1.0 + 0.310327 * x * x + 2.60994 * x * y);
    let b = (1.0 - x).sqrt() * (y - 1.0) * y * y * y / (0.0000254053 + 1.71228 * x - 1.71506 * x * y + 1.34174 * y * y);
    let length = (given.v[0] * given.v[0] + given.v[1] * given.v[1]).sqrt().max(1e-6);
    let axis = [given.v[0] / length, given.v[1] / length, 0.0];
    let side = [-axis[1], axis[0], 0.0];
    let (along, across, up) = (dot(given.l, axis), dot(given.l, side), given.nl());
    let straight = [a * along + b * up, a * across, up];
    let size = dot(straight, straight).sqrt();
    // Of the cosine lobe, times how much the matrix widens what is around this direction.
    let density = straight[2] / size / PI * (a * a / (size * size * size));
    fuzz_albedo(x, y) * density / up
}
