//! The table behind `ambient`: what the specular lobe sends back from a white environment.
//!
//! Made once by f64 quadrature over the visible normals of GGX of G2 / G1 (300 x 200 a value); `albedo_table.txt` holds
//! half floats in hexadecimal: a line of z, then a line of (x, y) pairs a roughness. The tests derive it again.

/// Texels along each side. Columns: the cosine to the eye, texel `i` stands for `(i / 63)^2` (but not below 1e-4);
/// rows: the perceptual roughness `j / 63`.
pub const ALBEDO_SIZE: u32 = 64;

/// Half floats of four components a texel, row after row: specular albedo = f0 x + y; z = integral of (1 - v.h)^5 over
/// the Lambert lobe; w is 0.
pub fn albedo_table() -> Vec<u16> {
    let size = ALBEDO_SIZE as usize;
    let mut words = include_str!("albedo_table.txt")
        .split_ascii_whitespace()
        .map(|word| u16::from_str_radix(word, 16).expect("the table holds hexadecimal words"));
    let lambert: Vec<u16> = words.by_ref().take(size).collect();
    let mut out = Vec::with_capacity(size * size * 4);
    while let (Some(x), Some(y)) = (words.next(), words.next()) {
        out.extend([x, y, lambert[out.len() / 4 % size], 0]);
    }
    assert_eq!(out.len(), size * size * 4, "the table is square");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fifth(x: f64) -> f64 {
        x * x * (x * x) * x
    }

    fn half(bits: u16) -> f64 {
        let (exponent, fraction) = ((bits >> 10 & 31) as i32, f64::from(bits & 1023));
        if exponent == 0 {
            fraction / 16_777_216.0
        } else {
            (1.0 + fraction / 1024.0) * f64::from_bits(((exponent - 15 + 1023) as u64) << 52)
        }
    }

    /// Specular albedo for f0 = 1 and its part of the Fresnel weight: the mean of G2 / G1 over samples of the visible
    /// normals (Heitz 2018), which stays smooth at grazing angles.
    fn specular(mu: f64, roughness: f64) -> (f64, f64) {
        let a = (roughness * roughness).max(0.002025);
        let sin = (1.0 - mu * mu).sqrt();
        let lambda = |cos: f64| ((1.0 + a * a * (1.0 - cos * cos) / (cos * cos)).sqrt() - 1.0) / 2.0;
        // The view direction where the surface is stretched to a hemisphere; its frame is (y, t, v).
        let length = (a * a * sin * sin + mu * mu).sqrt();
        let (vx, vz) = (a * sin / length, mu / length);
        let steps = (320, 240);
        let (mut all, mut weighted) = (0.0, 0.0);
        for i in 0..steps.0 {
            let radius = ((i as f64 + 0.5) / steps.0 as f64).sqrt();
            for j in 0..steps.1 {
                let turn = (j as f64 + 0.5) / steps.1 as f64 * std::f64::consts::TAU;
                let y = radius * cos(turn);
                let up = 0.5 * (1.0 + vz);
                let across = cos(turn - std::f64::consts::FRAC_PI_2);
                let t = (1.0 - up) * (1.0 - y * y).max(0.0).sqrt() + up * radius * across;
                let rest = (1.0 - y * y - t * t).max(0.0).sqrt();
                // cross(v, y axis) = (-vz, 0, vx).
                let h = [a * (rest * vx - t * vz), a * y, (rest * vz + t * vx).max(0.0)];
                let length = (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]).sqrt();
                let vh = (sin * h[0] + mu * h[2]) / length;
                let nl = 2.0 * vh * h[2] / length - mu;
                if nl > 0.0 {
                    let value = (1.0 + lambda(mu)) / (1.0 + lambda(mu) + lambda(nl));
                    all += value;
                    weighted += value * fifth(1.0 - vh.min(1.0));
                }
            }
        }
        let count = (steps.0 * steps.1) as f64;
        (all / count, weighted / count)
    }

    fn cos(x: f64) -> f64 {
        f64::from(stillframe_base::math::ops::cos(x as f32))
    }

    #[test]
    fn table_can_be_derived() {
        let table = albedo_table();
        for j in (0..64).step_by(3) {
            for i in (0..64).step_by(3) {
                let texel = &table[(j * 64 + i) * 4..][..4];
                let mu = ((i as f64 / 63.0) * (i as f64 / 63.0)).max(1e-4);
                let (all, weighted) = specular(mu, j as f64 / 63.0);
                let (x, y) = (half(texel[0]), half(texel[1]));
                assert!((x + y - all).abs() < 2e-3, "{i} {j}: {} for {all}", x + y);
                assert!((y - weighted).abs() < 2e-3, "{i} {j}: {y} for {weighted}");
            }
        }
    }

    /// At roughness 1: E = 1 - mu ln(1 + 1 / mu).
    #[test]
    fn closed_form_at_full_roughness() {
        let table = albedo_table();
        for i in 1..64 {
            let texel = &table[(63 * 64 + i) * 4..][..4];
            let mu = (i as f64 / 63.0) * (i as f64 / 63.0);
            let ln = f64::from(stillframe_base::math::ops::log((1.0 + 1.0 / mu) as f32));
            let (want, found) = (1.0 - mu * ln, half(texel[0]) + half(texel[1]));
            assert!((found - want).abs() < 1e-3, "{mu}: {found} for {want}");
        }
    }

    /// The Lambert lobe under Fresnel: at mu = 1, by the angle to the light.
    #[test]
    fn lambert_part_can_be_derived() {
        let table = albedo_table();
        for i in [0, 10, 31, 50, 63] {
            let mu = ((i as f64 / 63.0) * (i as f64 / 63.0)).max(1e-4);
            let mut sum = 0.0;
            let steps = 200;
            for a in 0..steps {
                let u = (a as f64 + 0.5) / steps as f64;
                for b in 0..steps {
                    let cos_b = cos((b as f64 + 0.5) / steps as f64 * std::f64::consts::PI);
                    let vl = (1.0 - mu * mu).sqrt() * u.sqrt() * cos_b + mu * (1.0 - u).sqrt();
                    sum += fifth(1.0 - ((1.0 + vl) / 2.0).max(0.0).sqrt());
                }
            }
            let (want, found) = (sum / (steps * steps) as f64, half(table[i * 4 + 2]));
            assert!((found - want).abs() < 1e-4, "{mu}: {found} for {want}");
        }
    }
}
