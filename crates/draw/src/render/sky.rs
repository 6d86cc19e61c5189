//! Sky: what is around a scene, as the numbers that shaders read.

use std::sync::Arc;

use glam::Vec3;
use stillframe_base::math::ops;
use stillframe_graph::Output;

use super::job::AroundImage;
use super::ladder::Ladder;
use crate::asset::{Image, Material, Slot, Store, Texels, TextureSlot};
use crate::scene::{Environment, EnvironmentSource, Sky};
use crate::shader::Radiance;

/// An environment ready for shaders.
#[derive(Clone, Debug, PartialEq)]
pub struct Around {
    pub radiance: Radiance,
    /// `Source` of the radiance's text.
    pub source: Vec<[f32; 4]>,
    /// Width of a face of the radiance cube: a power of two.
    pub cube_px: u32,
    /// Radiance that a cube texel of 1 stands for, so that half floats hold the brightest one.
    pub cube_scale: f32,
    /// Cosine and sine of the rotation about +Y.
    pub turn: [f32; 2],
    pub intensity: f32,
    /// Of the background, where it is seen.
    pub blur: f32,
    /// Directions for each texel of the ladder; 0: its steps are mixed from blurs.
    pub directions: u32,
    /// Steps of the ladder that some surface can show.
    pub steps: u32,
}

impl Around {
    /// The cubes that it is prefiltered into.
    pub fn ladder(&self) -> Ladder {
        Ladder::new(self.cube_px)
    }
}

/// What half floats of a cube are kept below.
const CUBE_MAX: f32 = 32768.0;

/// Radiance of the sun's disk where a white ground under the sky shows 1: bright enough to be white.
const SUN_RADIANCE: f32 = 2000.0;

/// The smoothest texels of images that hold roughness. Each image is looked through once, however many pictures and
/// materials show it.
#[derive(Debug, Default)]
pub struct Smoothest {
    /// With the images themselves, so that their memory is no other image's.
    found: Vec<(Arc<Image>, f32)>,
}

impl Smoothest {
    /// Of one image, from 0 to 255.
    pub fn of(&mut self, image: &Arc<Image>) -> f32 {
        if let Some((_, least)) = self.found.iter().find(|(known, _)| Arc::ptr_eq(known, image)) {
            return *least;
        }
        let least = match &image.texels {
            Texels::Rgba8(bytes) => f32::from(bytes.chunks_exact(4).map(|texel| texel[1]).min().unwrap_or(0)),
            _ => 0.0,
        };
        self.found.push((image.clone(), least));
        least
    }
}

/// The environment, or `None` where nothing comes from around. `map` is the picture of `EnvironmentSource::File`;
/// `is_seen`: as a background.
pub fn around(
    environment: &Environment,
    is_seen: bool,
    map: Option<AroundImage<'_>>,
    store: &Store,
    smoothest: &mut Smoothest,
) -> Option<Around> {
    let (radiance, source, cube_px, brightest) = match &environment.source {
        EnvironmentSource::None => return None,
        EnvironmentSource::Auto => unreachable!("settled when the files were loaded"),
        EnvironmentSource::Uniform(value) => {
            let source = vec![padded(*value)];
            (Radiance::Constant, source, 4, value.iter().copied().fold(0.0, f32::max))
        }
        EnvironmentSource::Gradient { zenith, horizon, ground } => {
            let source = vec![padded(*zenith), padded(*horizon), padded(*ground)];
            let brightest = source.iter().flatten().copied().fold(0.0, f32::max);
            (Radiance::Gradient, source, 32, brightest)
        }
        // The brightest box.
        EnvironmentSource::Studio => (Radiance::Studio, vec![[0.0; 4]], 64, 4.0),
        EnvironmentSource::Sky(sky) => {
            let source = preetham(sky);
            (Radiance::Sky, source, 64, 100.0)
        }
        EnvironmentSource::File(_) => {
            let map = map.expect("the world loads the picture that the scene names");
            let scale = super::texture::map_scale(map.image);
            let radiance = if map.is_faces { Radiance::Faces } else { Radiance::Map };
            (radiance, vec![[scale, 0.0, 0.0, 0.0]], map.cube_px, scale * CUBE_MAX)
        }
    };
    let (sin, cos) = ops::sin_cos(environment.rotation_rad);
    let blur = if is_seen { environment.blur } else { 0.0 };
    let lit = store.materials.iter().map(|(_, material)| material).filter(|material| !material.unlit);
    let least =
        lit.map(|material| roughness_min(material, &mut |slot| smoothest.of(&store.images[slot.image]) / 255.0));
    let roughness = least.fold(1.0, f32::min);
    let roughness = if blur > 0.0 { roughness.min(blur) } else { roughness };
    Some(Around {
        radiance,
        source,
        cube_px,
        cube_scale: (brightest / CUBE_MAX).max(1.0),
        turn: [cos, sin],
        intensity: environment.intensity,
        blur,
        directions: environment.quality,
        steps: Ladder::new(cube_px).steps_for(roughness),
    })
}

/// The least roughness of a surface that light reaches. `smoothest`: the least that a texture holds, from 0 to 1.
pub fn roughness_min(material: &Material, smoothest: &mut dyn FnMut(&TextureSlot) -> f32) -> f32 {
    let is_computed = material.graph.as_ref().is_some_and(|graph| graph.is_linked(Output::Roughness));
    let roughness = match material.textures.get(&Slot::MetallicRoughness) {
        // What nodes make of it is known point by point.
        _ if is_computed => 0.0,
        None => material.roughness,
        Some(slot) => material.roughness * smoothest(slot),
    };
    // A layer whose roughness a texture says counts with its smoothest texel, too.
    match material.textures.get(&Slot::ClearcoatRoughness) {
        None => material.lighting.smoothest(roughness),
        Some(slot) => {
            let mut lighting = material.lighting.clone();
            let coat = lighting.value("clearcoat_roughness")[0];
            lighting.set("clearcoat_roughness", [coat * smoothest(slot), 0.0, 0.0]);
            lighting.smoothest(roughness)
        }
    }
}

fn padded(value: [f32; 3]) -> [f32; 4] {
    [value[0], value[1], value[2], 0.0]
}

/// Rows of `Source` in `shader/radiance_sky.wgsl`. Source: Preetham, Shirley, Smits 1999, appendix A.2.
fn preetham(sky: &Sky) -> Vec<[f32; 4]> {
    let t = sky.turbidity.clamp(1.0, 10.0);
    let elevation = sky.sun_elevation_rad.clamp(0.0, std::f32::consts::FRAC_PI_2);
    let zenith_angle = std::f32::consts::FRAC_PI_2 - elevation;
    let (sin_e, cos_e) = ops::sin_cos(elevation);
    let (sin_a, cos_a) = ops::sin_cos(sky.sun_azimuth_rad);
    let sun = Vec3::new(cos_e * cos_a, sin_e, cos_e * sin_a);
    let row = |by_t: [f32; 3], plain: [f32; 3]| Vec3::from(by_t) * t + Vec3::from(plain);
    let perez = Perez {
        a: row([0.1787, -0.0193, -0.0167], [-1.4630, -0.2592, -0.2608]),
        b: row([-0.3554, -0.0665, -0.0950], [0.4275, 0.0008, 0.0092]),
        c: row([-0.0227, -0.0004, -0.0079], [5.3251, 0.2125, 0.2102]),
        d: row([0.1206, -0.0641, -0.0441], [-2.5771, -0.8989, -1.6537]),
        e: row([-0.0670, -0.0033, -0.0109], [0.3703, 0.0452, 0.0529]),
    };
    let s = zenith_angle;
    let chromaticity = |m: [[f32; 4]; 3]| {
        let of = |row: [f32; 4]| ((row[0] * s + row[1]) * s + row[2]) * s + row[3];
        (of(m[0]) * t + of(m[1])) * t + of(m[2])
    };
    let x = chromaticity([
        [0.00166, -0.00375, 0.00209, 0.0],
        [-0.02903, 0.06377, -0.03202, 0.00394],
        [0.11693, -0.21196, 0.06052, 0.25886],
    ]);
    let y = chromaticity([
        [0.00275, -0.00610, 0.00317, 0.0],
        [-0.04214, 0.08970, -0.04153, 0.00516],
        [0.15346, -0.26756, 0.06670, 0.26688],
    ]);
    // The luminance is scaled below, so any value at the zenith will do.
    let mut zenith = Vec3::new(1.0, x, y) / perez.value(1.0, zenith_angle);
    let irradiance = irradiance_over_pi(&perez, zenith, sun);
    zenith.x /= luminance(irradiance);
    let ground = Vec3::from(sky.ground_albedo) * irradiance / luminance(irradiance);
    [perez.a, perez.b, perez.c, perez.d, perez.e, zenith]
        .map(|v| v.extend(0.0).to_array())
        .into_iter()
        .chain([sun.extend(SUN_RADIANCE).to_array(), ground.extend(0.0).to_array()])
        .collect()
}

/// Perez's distribution for (Y, x, y).
struct Perez {
    a: Vec3,
    b: Vec3,
    c: Vec3,
    d: Vec3,
    e: Vec3,
}

impl Perez {
    fn value(&self, cos_zenith: f32, angle_sun: f32) -> Vec3 {
        let exp = |v: Vec3| Vec3::new(ops::exp(v.x), ops::exp(v.y), ops::exp(v.z));
        let cos_sun = ops::cos(angle_sun);
        let rising = Vec3::ONE + self.a * exp(self.b / cos_zenith);
        let around = Vec3::ONE + self.c * exp(self.d * angle_sun) + self.e * (cos_sun * cos_sun);
        rising * around
    }
}

/// What a white Lambert ground shows under the sky: the cosine-weighted mean over 16 rings of 32 directions.
fn irradiance_over_pi(perez: &Perez, zenith: Vec3, sun: Vec3) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for ring in 0..16 {
        let cos2 = (ring as f32 + 0.5) / 16.0;
        let (cos, sin) = (cos2.sqrt(), (1.0 - cos2).sqrt());
        for step in 0..32 {
            let (sin_a, cos_a) = ops::sin_cos((step as f32 + 0.5) * (std::f32::consts::TAU / 32.0));
            let direction = Vec3::new(sin * cos_a, cos, sin * sin_a);
            let value = zenith * perez.value(cos, ops::acos(direction.dot(sun).clamp(-1.0, 1.0)));
            sum += from_xyy(value);
        }
    }
    sum / 512.0
}

/// CIE xyY (Y first) to linear Rec.709, as the shader does it.
fn from_xyy(value: Vec3) -> Vec3 {
    let (luminance, x, y) = (value.x, value.y, value.z);
    let (cx, cz) = (luminance * x / y, luminance * (1.0 - x - y) / y);
    Vec3::new(
        3.2404542 * cx - 1.5371385 * luminance - 0.4985314 * cz,
        1.8760108 * luminance - 0.9692660 * cx + 0.0415560 * cz,
        0.0556434 * cx - 0.2040259 * luminance + 1.0572252 * cz,
    )
    .max(Vec3::ZERO)
}

fn luminance(color: Vec3) -> f32 {
    stillframe_base::math::colour::luminance(color.to_array())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SKY: Sky = Sky { sun_elevation_rad: 0.6, sun_azimuth_rad: 1.0, turbidity: 3.0, ground_albedo: [0.2; 3] };

    /// A picture that comes again is not looked through again; another one in its place is.
    #[test]
    fn textures_of_roughness_are_looked_through_once() {
        let image = |green: u8| {
            let texels = Texels::Rgba8([[9, 200, 9, 9], [0, green, 0, 0]].concat());
            Arc::new(Image { name: String::new(), width_px: 2, height_px: 1, texels, levels: Vec::new() })
        };
        let (one, other) = (image(51), image(102));
        let mut smoothest = Smoothest::default();
        assert_eq!([&one, &other, &one].map(|image| smoothest.of(image)), [51.0, 102.0, 51.0]);
        assert_eq!(smoothest.found.len(), 2);
        // Held, so that no new image takes its place in memory.
        assert_eq!(Arc::strong_count(&one), 2);
    }

    #[test]
    fn a_white_ground_shows_luminance_one() {
        for (elevation, turbidity) in [(0.05, 2.0), (0.6, 3.0), (1.4, 6.0)] {
            let rows = preetham(&Sky { sun_elevation_rad: elevation, turbidity, ..SKY });
            // The ground is its albedo times that.
            let ground = Vec3::from_slice(&rows[7][..3]);
            assert!((luminance(ground) - 0.2).abs() < 1e-4, "{ground}");
            assert!(rows.iter().flatten().all(|v| v.is_finite()));
        }
    }

    #[test]
    fn the_sky_is_blue_by_day_and_red_towards_a_low_sun() {
        let look = |sky: &Sky, direction: Vec3| {
            let rows = preetham(sky);
            let v = |i: usize| Vec3::from_slice(&rows[i][..3]);
            let perez = Perez { a: v(0), b: v(1), c: v(2), d: v(3), e: v(4) };
            from_xyy(v(5) * perez.value(direction.y.max(0.002), ops::acos(direction.dot(v(6)))))
        };
        let up = look(&SKY, Vec3::Y);
        assert!(up.z > up.x * 1.3, "{up}");
        let low = Sky { sun_elevation_rad: 0.03, sun_azimuth_rad: 0.0, turbidity: 4.0, ..SKY };
        let glow = look(&low, Vec3::new(1.0, 0.05, 0.0).normalize());
        assert!(glow.x > glow.z * 1.2, "{glow}");
    }
}
