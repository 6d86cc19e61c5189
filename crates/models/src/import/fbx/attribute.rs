//! Cameras and lights.
//!
//! An FBX camera looks along +X of its node with +Y up; a light shines along -Y.
//!
//! Lights in FBX have no physical unit. Here `Intensity` 100, the default, means: a directional light shows a white
//! matte surface that faces it as 1 (so pi lux); a lamp does the same to a surface one unit of length away where its
//! decay is quadratic, one metre where it is another (ours is always quadratic). Blender writes its lamps' watts times
//! 100; they become W / 4 pi candela, as its own glTF export in unitless mode does. Up to 2.79 it wrote an energy of
//! which 1 was a usual lamp.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use glam::DQuat;
use stillframe_base::math::ops64;

use super::Importer;
use super::document::{Object, Properties, short};
use crate::import::{Fault, ModelCamera, ModelLight, ModelLightKind, ModelProjection, code};

const MM_IN_INCH: f64 = 25.4;
/// The version of Blender from which on the energy of lamps is power.
const BLENDER_IN_WATTS: [u32; 2] = [2, 80];
/// Where lamps of older versions began to decay, as their exporter wrote it for all of them.
const OLD_DECAY_START_M: f64 = 25.0;
/// What `OrthoZoom` 1 shows, in units of the file, but for Blender, which writes the extent itself.
const ORTHO_EXTENT: f64 = 30.0;

/// Width and height of film in inches, by `ApertureFormat`.
const FILMS_INCH: [[f64; 2]; 12] = [
    [1.0, 1.0],
    [0.404, 0.295],
    [0.493, 0.292],
    [0.864, 0.630],
    [0.816, 0.612],
    [0.980, 0.735],
    [0.825, 0.446],
    [0.864, 0.732],
    [2.066, 0.906],
    [1.485, 0.991],
    [2.080, 1.480],
    [2.772, 2.072],
];

/// The part of a camera's properties that gives its vertical extent.
struct Lens {
    aspect: f64,
    /// Inches, as the gate cuts it.
    aperture_height_inch: f64,
    /// The picture's height as a part of an orthographic camera's extent.
    ortho_height: f64,
}

impl Lens {
    /// Source: FBX SDK, `FbxCamera` (aspect, film back, gate fit), as `ufbx` 0.11 reads them.
    fn of(properties: &Properties<'_, '_>) -> Lens {
        let positive = |name: &str| properties.float(name).filter(|value| *value > 0.0);
        let format = properties.integer("ApertureFormat").unwrap_or(0).clamp(0, 11) as usize;
        let squeeze = positive("FilmSqueezeRatio").unwrap_or(if format == 7 { 2.0 } else { 1.0 });
        let width = positive("FilmWidth").unwrap_or(FILMS_INCH[format][0]);
        let height = positive("FilmHeight").unwrap_or(FILMS_INCH[format][1]);
        let aspect_width = positive("AspectWidth").or(positive("AspectW"));
        let aspect_height = positive("AspectHeight").or(positive("AspectH"));
        // By mode, the height is a length or a ratio to the width.
        let aspect = match (aspect_width, aspect_height, properties.integer("AspectRatioMode").unwrap_or(0)) {
            (Some(_), Some(h), 3) => 1.0 / h,
            (Some(w), Some(_), 4) => w,
            (Some(w), Some(h), _) => w / h,
            _ => width / height,
        };
        let height = height * squeeze;
        let film = width / height;
        let fit = match properties.integer("GateFit").unwrap_or(0) {
            1 => Fit::Vertical,
            2 => Fit::Horizontal,
            3 if aspect > film => Fit::Horizontal,
            3 => Fit::Vertical,
            4 if aspect < film => Fit::Horizontal,
            4 => Fit::Vertical,
            _ => Fit::None,
        };
        let (aperture_height_inch, ortho_height) = match fit {
            Fit::Horizontal => (width / aspect, 1.0 / aspect),
            Fit::Vertical | Fit::None => (height, 1.0),
        };
        Lens { aspect, aperture_height_inch, ortho_height }
    }
}

enum Fit {
    None,
    Vertical,
    Horizontal,
}

/// A turn by -90 degrees about an axis: the camera's -Z to +X (about Y), the light's -Z to -Y (about X).
fn quarter(x: f64, y: f64) -> DQuat {
    DQuat::from_xyzw(-x * FRAC_1_SQRT_2, -y * FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2)
}

/// `2 atan(tangent)` in radians.
fn twice_atan(tangent: f64) -> f64 {
    2.0 * ops64::atan2(tangent, 1.0)
}

fn tan_half(degrees: f64) -> f64 {
    let (sin, cos) = ops64::sin_cos(degrees.to_radians() * 0.5);
    sin / cos
}

impl<'t> Importer<'t, '_> {
    fn unit_m(&self) -> f64 {
        self.model.format.unit_m.unwrap_or(0.01)
    }

    pub fn read_camera(&mut self, object: &Object<'t>, node: usize) -> Result<(), Fault> {
        let properties = self.document.properties(object);
        let positive = |name: &str| properties.float(name).filter(|value| *value > 0.0);
        let lens = Lens::of(&properties);
        let unit_m = self.unit_m();
        let name = self.model.nodes[node].name.clone();
        let what = format!("the camera {:?}", short(&name));
        let projection = if properties.integer("CameraProjectionType") == Some(1) {
            let zoom = positive("OrthoZoom").unwrap_or(1.0);
            let extent = if self.blender.is_some() { zoom } else { zoom * ORTHO_EXTENT * unit_m };
            ModelProjection::Orthographic { height_m: (extent * lens.ortho_height) as f32 }
        } else {
            let field = positive("FieldOfView").filter(|degrees| *degrees < 180.0);
            let by_focus = || {
                let focal_mm = positive("FocalLength")?;
                Some(lens.aperture_height_inch * MM_IN_INCH / focal_mm * 0.5)
            };
            let tangent = match properties.integer("ApertureMode").unwrap_or(2) {
                0 => positive("FieldOfViewY").filter(|degrees| *degrees < 180.0).map(tan_half),
                1 => field.map(|degrees| tan_half(degrees) / lens.aspect),
                3 => by_focus(),
                _ => field.map(tan_half),
            };
            let tangent = tangent.or_else(by_focus).filter(|t| (1e-4..1e4).contains(t)).unwrap_or_else(|| {
                let message = format!("{what} has an invalid field of view; using 45 degrees");
                self.warn(Fault::new(code::VALUES_REPLACED, message));
                tan_half(45.0)
            });
            ModelProjection::Perspective { fov_y_rad: twice_atan(tangent) as f32 }
        };
        let near_m = positive("NearPlane").map_or(0.1, |near| near * unit_m) as f32;
        let far_m =
            positive("FarPlane").map(|far| (far * unit_m) as f32).filter(|far| *far > near_m && far.is_finite());
        let near_m = if near_m > 0.0 && near_m.is_finite() { near_m } else { 0.1 };
        self.budget.spend((size_of::<ModelCamera>() + name.len()) as u64, &what)?;
        self.model.cameras.push(ModelCamera {
            name,
            node,
            local_from_camera: quarter(0.0, 1.0),
            projection,
            near_m,
            far_m,
        });
        Ok(())
    }

    pub fn read_light(&mut self, object: &Object<'t>, node: usize) -> Result<(), Fault> {
        let properties = self.document.properties(object);
        if !properties.bool_or("CastLight", true) {
            return Ok(());
        }
        let name = self.model.nodes[node].name.clone();
        let what = format!("the light {:?}", short(&name));
        let strength = properties.float("Intensity").unwrap_or(100.0).clamp(0.0, 1e12) / 100.0;
        let quadratic = properties.integer("DecayType") == Some(2);
        let distance_m = if quadratic { self.unit_m() } else { 1.0 };
        let intensity_cd = match self.blender {
            // The energy of a lamp fell off by `DecayStart / (DecayStart + distance^2)`, seen from far away.
            Some(version) if version < BLENDER_IN_WATTS => {
                let start = properties.float("DecayStart").map(|start| start * self.unit_m());
                PI * strength * start.filter(|start| (1e-3..1e6).contains(start)).unwrap_or(OLD_DECAY_START_M)
            }
            Some(_) => strength / (4.0 * PI),
            None => PI * strength * distance_m * distance_m,
        } as f32;
        let kind = properties.integer("LightType").unwrap_or(0);
        if kind > 2 {
            let message = format!("{what} is an area or volume light; using a point light");
            self.warn(Fault::new(code::FBX_LEFT_OUT, message));
        } else if kind != 1 && !quadratic && self.blender.is_none() {
            let message = format!("{what} has a decay that is not supported; using the inverse square");
            self.warn(Fault::new(code::FBX_LEFT_OUT, message));
        }
        let range_m = properties.bool_or("EnableFarAttenuation", false).then(|| properties.float("FarAttenuationEnd"));
        let range_m = range_m.flatten().map(|end| (end * self.unit_m()) as f32).filter(|end| *end > 0.0);
        let kind = match kind {
            1 => ModelLightKind::Directional { illuminance_lux: (PI * strength) as f32 },
            2 => {
                let float = |names: &[&str]| names.iter().find_map(|name| properties.float(name));
                // Whole angles in degrees; ours are half.
                let outer_deg = float(&["OuterAngle", "ConeAngle", "Cone angle"]).unwrap_or(45.0).clamp(0.02, 178.0);
                let inner_deg = float(&["InnerAngle", "HotSpot"]).unwrap_or(0.0).clamp(0.0, outer_deg * 0.999);
                let half_rad = |degrees: f64| (degrees * 0.5).to_radians() as f32;
                let (inner_rad, outer_rad) = (half_rad(inner_deg), half_rad(outer_deg));
                ModelLightKind::Spot { intensity_cd, range_m, inner_rad, outer_rad }
            }
            _ => ModelLightKind::Point { intensity_cd, range_m },
        };
        let color = properties.color("Color").unwrap_or([1.0; 3]).map(|c| c.clamp(0.0, 1e6) as f32);
        self.budget.spend((size_of::<ModelLight>() + name.len()) as u64, &what)?;
        self.model.lights.push(ModelLight {
            name,
            node,
            local_from_light: quarter(1.0, 0.0),
            color,
            kind,
            shadow: properties.bool_or("CastShadows", true),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn ways_of_looking() {
        assert!((quarter(0.0, 1.0) * DVec3::NEG_Z).abs_diff_eq(DVec3::X, 1e-15));
        assert!((quarter(0.0, 1.0) * DVec3::Y).abs_diff_eq(DVec3::Y, 1e-15));
        assert!((quarter(1.0, 0.0) * DVec3::NEG_Z).abs_diff_eq(DVec3::NEG_Y, 1e-15));
    }
}
