//! Wishes: what the command line says beside a scene or a model, and the words that stay open until files are read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;

use super::angle::radians;
use super::{
    Aov, Background, CameraChoice, ClipChoice, Content, Environment, EnvironmentSource, Model, Node, Output,
    PlanOptions, Resolved, Scene, Sky, Thing, Tonemap, code,
};
use crate::source::{Diagnostic, did_you_mean};

/// Which lights shine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lighting {
    /// The file's own if it has any, else the studio. Gone after [`Scene::settle`].
    Auto,
    /// Those of the scene file and of its models.
    File,
    /// The three-light studio and nothing else. Gone after [`Scene::settle`], which puts its lights into the scene.
    Studio,
    /// None at all.
    None,
}

/// Whether a floor is put under everything: grey, [`Scene::GROUND_ROUGHNESS`] rough, facing +Y, at the height of the lowest point
/// of everything loaded, centred under it, fading into the background ([`Scene::GROUND_RADII_RATIO`]).
/// The floor comes last of all objects, is named `ground`, receives shadows, casts none, and plays no part when a
/// camera is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// On for a file without lights of its own. Gone after [`Scene::settle`].
    Auto,
    On,
    Off,
}

/// Which way is up in a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    /// What the file's format says (glTF: +Y; STL and PLY: +Z).
    Auto,
    Y,
    /// Turned by -90 degrees about +X, so that the file's +Z becomes +Y.
    Z,
}

impl Lighting {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Lighting)] =
        &[("auto", Lighting::Auto), ("file", Lighting::File), ("studio", Lighting::Studio), ("none", Lighting::None)];
}

impl Ground {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Ground)] = &[("auto", Ground::Auto), ("on", Ground::On), ("off", Ground::Off)];
}

impl Up {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Up)] = &[("auto", Up::Auto), ("y", Up::Y), ("z", Up::Z)];
}

/// What the command line asks for; `None` leaves what the file says (or the default of a bare model).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wishes {
    pub size_px: Option<[u32; 2]>,
    pub samples: Option<u32>,
    pub camera: Option<CameraWish>,
    pub lighting: Option<Lighting>,
    pub ground: Option<Ground>,
    pub environment: Option<EnvironmentWish>,
    pub background: Option<Background>,
    pub shadows: Option<bool>,
    pub max_mip: Option<u32>,
    pub up: Option<Up>,
    pub tonemap: Option<Tonemap>,
    pub exposure_ev: Option<f32>,
    pub time_s: Option<f64>,
    /// For every model, in place of what animators play; figures of crowds play on.
    pub clip: Option<ClipChoice>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CameraWish {
    Auto,
    /// Of the scene file, else of a model.
    Named(String),
    /// Of a model, from 0.
    Number(usize),
    Look(CameraChoice),
}

#[derive(Clone, Debug, PartialEq)]
pub enum EnvironmentWish {
    /// What the file says; for a bare model, a neutral sky if the file has no lights.
    Auto,
    /// The computed sky with its defaults.
    Sky,
    None,
    /// From the working folder.
    File(PathBuf),
}

/// `WxH` in pixels, as `--size` takes it.
pub fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X']).and_then(|(w, h)| Some([w.trim().parse().ok()?, h.trim().parse().ok()?]));
    let sides: [u32; 2] = sides.ok_or_else(|| format!("`{text}` is no size: WIDTHxHEIGHT, for example 640x360"))?;
    match sides.iter().all(|side| (1..=Scene::SIDE_MAX_PX).contains(side)) {
        true => Ok(sides),
        false => Err(format!("`{text}`: each side is from 1 to {} pixels", Scene::SIDE_MAX_PX)),
    }
}

/// `auto`, `transparent`, `environment` or `#rrggbb`, as `--background` takes it.
pub fn parse_background(text: &str) -> Result<Background, String> {
    match text {
        "auto" => Ok(Background::Auto),
        "transparent" => Ok(Background::Transparent),
        "environment" => Ok(Background::Environment),
        _ => match super::color::parse_hex(text, false) {
            Some([r, g, b, _]) => Ok(Background::Color([r, g, b])),
            None => Err("auto, transparent, environment, or a colour like #20242c".into()),
        },
    }
}

/// `all`, `none`, `#N` or a name, as `--clip` takes it.
pub fn parse_clip(text: &str) -> Result<ClipChoice, String> {
    Ok(match (text, text.strip_prefix('#')) {
        ("all", _) => ClipChoice::All,
        ("none", _) => ClipChoice::None,
        ("", _) => return Err("all, none, #N (from 0), or a clip's name".into()),
        (_, Some(number)) => match number.parse() {
            Ok(number) => ClipChoice::Number(number),
            Err(_) => return Err(format!("`{text}`: a clip's number follows #, for example #0")),
        },
        _ => ClipChoice::Named(text.to_string()),
    })
}

/// `EYE:TARGET[:FOV]`, as `--look` takes it: `0,5,8.2:0,0.1,0.3:40`, metres and vertical degrees (45 if not said).
pub fn parse_look(text: &str) -> Result<CameraChoice, String> {
    let form = || format!("`{text}` is no view: EYE:TARGET[:FOV], for example 0,5,8.2:0,0.1,0.3:40");
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.abs() <= super::schema::NUMBER_MAX);
    let point = |text: &str| {
        let values: Vec<f32> = text.split(',').map(|t| number(t).map(|n| n as f32)).collect::<Option<_>>()?;
        <[f32; 3]>::try_from(values).ok().map(Vec3::from_array)
    };
    let parts: Vec<&str> = text.split(':').collect();
    let (eye, target, fov) = match parts[..] {
        [eye, target] => (eye, target, "45"),
        [eye, target, fov] => (eye, target, fov),
        _ => return Err(form()),
    };
    let (eye, target) = (point(eye).ok_or_else(form)?, point(target).ok_or_else(form)?);
    let fov_y_deg = number(fov).ok_or_else(form)?;
    if !(0.01..=179.0).contains(&fov_y_deg) {
        return Err(format!("`{text}`: the angle of view is from 0.01 to 179 degrees"));
    }
    if super::angle::direction(target - eye).is_none() {
        return Err(format!("`{text}`: the eye stands on its target"));
    }
    Ok(CameraChoice::Look { eye, target, fov_y_rad: radians(fov_y_deg) })
}

impl Scene {
    /// Longest side of a picture.
    pub const SIDE_MAX_PX: u32 = 16384;

    /// A bare model, shown as the command line wishes: 1280x720, 4 samples, its own lights or a studio, its own camera or one
    /// that frames it.
    ///
    /// Errors: the file is not there, or of a kind that is not read.
    pub fn for_model(file: &Path, wishes: &Wishes) -> Result<Resolved, Vec<Diagnostic>> {
        let absolute = super::read::existing_file(file).map_err(|d| vec![d])?;
        Scene::bare(file, &absolute, Vec::new(), wishes)
    }

    /// A bare model that came as bytes rather than as a file, under a name with an ending; files it names lie in `folder`, which is
    /// absolute.
    ///
    /// Errors: of a kind that is not read.
    pub fn for_model_bytes(
        name: &str,
        folder: &Path,
        bytes: Vec<u8>,
        wishes: &Wishes,
    ) -> Result<Resolved, Vec<Diagnostic>> {
        let absolute = folder.join(name);
        let given = vec![(absolute.clone(), bytes.into())];
        Scene::bare(Path::new(name), &absolute, given, wishes)
    }

    /// `file`: as people call it.
    fn bare(
        file: &Path,
        absolute: &Path,
        given_files: Vec<(PathBuf, Arc<[u8]>)>,
        wishes: &Wishes,
    ) -> Result<Resolved, Vec<Diagnostic>> {
        super::resolve::check_model_format(absolute).map_err(|(message, help)| {
            let error = Diagnostic::error(code::FORMAT_NOT_YET, file, message);
            vec![Diagnostic { help, ..error }]
        })?;
        let name = file.file_stem().map_or("model".into(), |n| n.to_string_lossy().into_owned());
        let model = Model::plain(name.clone(), absolute.to_path_buf());
        let node = Node { content: Content::Model(0), ..Node::group(name.clone()) };
        let mut scene = Scene {
            title: name,
            bare_model: true,
            root: super::read::root_of(absolute),
            named_files: Vec::new(),
            given_files,
            output: Output {
                width_px: 1280,
                height_px: 720,
                samples: 4,
                tonemap: Tonemap::Agx,
                exposure_ev: 0.0,
                background: Background::Auto,
                fps: 30.0,
                frames: None,
                aov: vec![Aov::Color],
            },
            environment: Environment { source: EnvironmentSource::Auto, ..Environment::NONE },
            cameras: Vec::new(),
            camera: CameraChoice::Auto,
            models: vec![model],
            materials: Vec::new(),
            clips: Vec::new(),
            animators: Vec::new(),
            crowds: Vec::new(),
            nodes: vec![node],
            lights: Vec::new(),
            shadows: true,
            lighting: Lighting::Auto,
            model_lights: true,
            ground: Ground::Auto,
            max_mip: None,
            time_s: 0.0,
            tracks: Vec::new(),
            shots: Vec::new(),
            params: Vec::new(),
            plan: PlanOptions::DEFAULT,
            test: None,
        };
        scene.wish(wishes).map_err(|d| vec![Diagnostic { file: file.to_path_buf(), ..d }])?;
        Ok(Resolved { scene, warnings: Vec::new(), free_spaces: Vec::new() })
    }

    /// Lets the command line have its say.
    ///
    /// Errors: a camera that is not there; an environment's file that is not there.
    pub fn wish(&mut self, wishes: &Wishes) -> Result<(), Diagnostic> {
        let Wishes {
            size_px,
            samples,
            camera,
            lighting,
            ground,
            environment,
            background,
            shadows,
            max_mip,
            up,
            tonemap,
            exposure_ev,
            time_s,
            clip,
        } = wishes;
        if let Some([width, height]) = *size_px {
            (self.output.width_px, self.output.height_px) = (width, height);
        }
        set(&mut self.output.samples, samples);
        set(&mut self.output.tonemap, tonemap);
        set(&mut self.output.exposure_ev, exposure_ev);
        set(&mut self.shadows, shadows);
        if exposure_ev.is_some() {
            self.tracks.retain(|track| track.thing != Thing::Output);
        }
        if let Some(time_s) = *time_s {
            self.move_to(time_s);
        }
        self.max_mip = max_mip.or(self.max_mip);
        for model in &mut self.models {
            set(&mut model.up, up);
            set(&mut model.clip, clip);
        }
        if clip.is_some() {
            // What animators show would hide the clip.
            self.nodes.iter_mut().for_each(|node| node.animator = None);
        }
        // `auto` is what the file says.
        set(&mut self.lighting, &lighting.filter(|w| *w != Lighting::Auto));
        set(&mut self.ground, &ground.filter(|w| *w != Ground::Auto));
        set(&mut self.output.background, &background.filter(|w| *w != Background::Auto));
        if environment.as_ref().is_some_and(|wish| *wish != EnvironmentWish::Auto) {
            let kept = |key: &str| ["intensity", "rotation_deg"].contains(&key);
            self.tracks.retain(|track| track.thing != Thing::Environment || kept(&track.key));
        }
        match environment {
            None | Some(EnvironmentWish::Auto) => {}
            Some(EnvironmentWish::None) => self.environment.source = EnvironmentSource::None,
            Some(EnvironmentWish::Sky) => self.environment.source = EnvironmentSource::Sky(Sky::default()),
            Some(EnvironmentWish::File(file)) => {
                let absolute = super::read::existing_file(file)?;
                self.named_files.push(absolute.clone());
                self.environment.source = EnvironmentSource::File(absolute);
            }
        }
        match camera {
            None => {}
            Some(CameraWish::Auto) => self.camera = CameraChoice::Auto,
            Some(CameraWish::Number(number)) => self.camera = CameraChoice::ModelNumber(*number),
            Some(CameraWish::Look(look)) => self.camera = look.clone(),
            Some(CameraWish::Named(name)) => {
                self.camera = self.find_camera(name).map_err(|(message, help)| {
                    let error = Diagnostic::error(code::UNKNOWN_CAMERA, "--camera", message).at(0..name.len());
                    Diagnostic { help, ..error }
                })?;
            }
        }
        Ok(())
    }

    /// The camera that `name` means: one of the scene file, else of a model, which is known later.
    pub(super) fn find_camera(&self, name: &str) -> Result<CameraChoice, (String, Option<String>)> {
        if let Some(at) = self.cameras.iter().position(|c| c.name == name) {
            return Ok(CameraChoice::Scene(at));
        }
        if !self.models.is_empty() {
            return Ok(CameraChoice::ModelNamed(name.to_string()));
        }
        let names = || self.cameras.iter().map(|c| c.name.as_str());
        let near = did_you_mean(name, names()).map(|n| format!("did you mean `{n}`?"));
        let all = || names().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        let help = near.or_else(|| (!self.cameras.is_empty()).then(|| format!("there is {}", all())));
        Err((format!("there is no camera `{name}`"), help))
    }
}

fn set<T: Clone>(field: &mut T, wish: &Option<T>) {
    if let Some(wish) = wish {
        *field = wish.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("640x360"), Ok([640, 360]));
        assert_eq!(parse_size("16384X1"), Ok([16384, 1]));
        for text in ["", "640", "0x5", "5x0", "100000x1", "16385x1", "-1x5", "ax5", "1x2x3", "99999999999x1"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn looks() {
        let look = parse_look("0,5,8.2:0,0.1,0.3:40").unwrap();
        let want = CameraChoice::Look {
            eye: Vec3::new(0.0, 5.0, 8.2),
            target: Vec3::new(0.0, 0.1, 0.3),
            fov_y_rad: radians(40.0),
        };
        assert_eq!(look, want);
        assert!(parse_look("1,2,3:4,5,6").is_ok());
        for text in [
            "",
            "1,2,3",
            "1,2:3,4,5",
            "1,2,3:1,2,3",
            "1,2,3:4,5,6:0",
            "1,2,3:4,5,6:180",
            "1,2,3:nan,5,6",
            "1,2,3:4,5,1e30",
            "1,2,3:4,5,6:7:8",
        ] {
            assert!(parse_look(text).is_err(), "{text}");
        }
    }
}
