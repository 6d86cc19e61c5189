//! What was left open until the files are read, and how it is settled.
//!
//! A bare model without lights of its own gets a studio by its [`Style`]: lights, a ground, surroundings and a plain
//! background. A file with lights keeps them. Which of the two holds is known only once the file is read.

use glam::Vec3;
use stillframe_effects::{EffectId, Values};

use super::noun::placement::look_rotation;
use super::{
    Background, Environment, EnvironmentSource, Ground, Light, LightKind, Lighting, Placement, Scene, SceneEffect,
    Shadow, ShadowTechnique, Style, Thing,
};

impl Scene {
    /// Linear albedo of the ground.
    pub const GROUND_COLOR: [f32; 4] = [0.3, 0.3, 0.3, 1.0];
    pub const GROUND_ROUGHNESS: f32 = 0.9;
    /// Radii of the ground over the diagonal of the bounds of everything else: where it begins to fade, and where it is
    /// gone.
    pub const GROUND_RADII_RATIO: [f32; 2] = [1.25, 6.0];

    /// Decides what was left open. `file_has_lights`: whether the scene file or one of its models holds a light.
    ///
    /// Afterwards no `Auto` is left, the studio's lights (if wished for) are in `lights`, `lighting` is `File` or
    /// `None`, and `model_lights` says whether lights of model files shine. Settling twice changes nothing.
    pub fn settle(&mut self, file_has_lights: bool) {
        if self.ground == Ground::Auto {
            self.ground = if file_has_lights { Ground::Off } else { Ground::On };
        }
        if self.environment.source == EnvironmentSource::Auto {
            self.environment.source = match self.style {
                Style::Plain if file_has_lights => EnvironmentSource::None,
                Style::Plain => NEUTRAL_SKY,
                Style::Studio => EnvironmentSource::Studio,
            };
            // Lamps of a file are its own picture; the room fills their shadows.
            if self.style == Style::Studio && file_has_lights {
                self.environment.intensity *= FILLING;
            }
        }
        if self.output.background == Background::Auto {
            self.output.background =
                if file_has_lights { Background::Color([0.0; 3]) } else { Background::Color(PLAIN_BACKGROUND) };
        }
        let studio = match self.lighting {
            Lighting::Auto => !file_has_lights,
            Lighting::Studio => true,
            Lighting::File | Lighting::None => false,
        };
        if studio {
            self.lights = match self.style {
                Style::Plain => studio_lights(),
                Style::Studio => vec![soft_key()],
            };
            // Pictures in tiles have no effects.
            let is_tiled = self.render.tiles_px([self.output.width_px, self.output.height_px]).is_some();
            let is_occluded = is_tiled || self.effects.iter().any(SceneEffect::is_occlusion);
            if self.style == Style::Studio && !is_occluded {
                // Last: what moves goes by the places of effects.
                let before = self.effects.len().checked_sub(1);
                self.effects.push(SceneEffect { inputs: [before, None], ..occlusion() });
            }
            self.is_studio = true;
            self.forget_lights();
            self.model_lights = false;
            self.lighting = Lighting::File;
        } else if self.lighting == Lighting::None {
            self.lights.clear();
            self.forget_lights();
            self.model_lights = false;
        } else if self.lighting == Lighting::Auto {
            self.model_lights = true;
            self.lighting = Lighting::File;
        }
    }
}

impl Scene {
    /// What is around as it is seen: the studio is round the camera.
    pub fn around(&self) -> Environment {
        let is_round = self.is_studio && self.environment.source == EnvironmentSource::Studio;
        let turn = self.turn.filter(|_| is_round).unwrap_or_default();
        let rotation_rad = self.environment.rotation_rad + (turn.now * std::f64::consts::TAU) as f32;
        Environment { rotation_rad, ..self.environment.clone() }
    }

    /// The file's lights are gone, and what moved them.
    fn forget_lights(&mut self) {
        self.tracks.retain(|track| !matches!(track.thing, Thing::Light(_)));
    }
}

/// A soft grey box of light: bright above, dim below.
const NEUTRAL_SKY: EnvironmentSource =
    EnvironmentSource::Gradient { zenith: [0.6; 3], horizon: [0.35; 3], ground: [0.12; 3] };

/// Intensity of the studio where lamps of the file shine.
const FILLING: f32 = 0.4;

/// Light from the right front above with a soft shadow.
fn soft_key() -> Light {
    let kind = LightKind::Directional { illuminance_lux: 2.4, angular_diameter_rad: 0.0 };
    // Five coarse texels are as soft as a wide lamp, and cost a quarter of `pcss`.
    let shadow = Some(Shadow { size_px: Some(384), ..Shadow::new(ShadowTechnique::Pcf5) });
    Light { kind, shadow, ..studio_lights().swap_remove(0) }
}

/// What the room does not reach: in an eighth of the height of the picture.
fn occlusion() -> SceneEffect {
    let gtao = EffectId::of_name("gtao").expect("it is an effect");
    // Of every other pixel.
    let values = Values::new(gtao).with("radius_heights", 0.125).with("size", 1.0);
    let values = values.with("slices", 3.0).with("steps", 8.0);
    SceneEffect {
        name: "studio.occlusion".to_string(),
        values,
        inputs: [None; 2],
        file: None,
        amount: 1.0,
        force: false,
    }
}

/// Linear.
const PLAIN_BACKGROUND: [f32; 3] = [0.18; 3];

/// Key from the right front above, fill from the left, rim from behind; only the key casts shadows.
fn studio_lights() -> Vec<Light> {
    let light = |name: &str, from: Vec3, illuminance_lux: f32, shadow: bool| Light {
        name: name.to_string(),
        color: [1.0; 3],
        kind: LightKind::Directional { illuminance_lux, angular_diameter_rad: 0.0 },
        shadow: shadow.then(Shadow::default),
        function: None,
        parent: None,
        placement: Placement { rotation: look_rotation(-from, Vec3::Y), ..Placement::IDENTITY },
    };
    vec![
        light("studio.key", Vec3::new(0.6, 1.0, 0.8), 2.6, true),
        light("studio.fill", Vec3::new(-1.0, 0.4, 0.7), 0.8, false),
        light("studio.rim", Vec3::new(-0.3, 0.8, -1.0), 1.2, false),
    ]
}
