//! Wishes: what the command line says about a scene or a bare model.
//!
//! In: what the arguments ask for. Out: the scene with it. Never here: the words of arguments.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::noun::{environment, output};
use super::text::syntax::Table;
use crate::scene::{
    Accumulate, Background, CameraChoice, ClipChoice, Content, Display, Environment, EnvironmentSource, Ground,
    Lighting, Model, Node, Output, PlanOptions, RenderOptions, Resolved, Scene, Shading, Sky, Style, Thing, Tonemap,
    Turn, Up, View, Written, code,
};
use crate::source::Diagnostic;

/// What the command line asks for; `None` leaves what the file says (or the default of a bare model).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wishes {
    pub size_px: Option<[u32; 2]>,
    /// Sides of tiles, as `render.tile_px`.
    pub tile_px: Option<u32>,
    pub samples: Option<u32>,
    pub shading: Option<Shading>,
    pub camera: Option<CameraWish>,
    pub zoom: Option<f32>,
    /// The camera goes round everything.
    pub turns: bool,
    pub style: Option<Style>,
    pub lighting: Option<Lighting>,
    pub ground: Option<Ground>,
    pub environment: Option<EnvironmentWish>,
    pub background: Option<Background>,
    pub shadows: Option<bool>,
    pub max_mip: Option<u32>,
    pub stroke_width_px: Option<f32>,
    pub up: Option<Up>,
    pub tonemap: Option<Tonemap>,
    pub display: Option<Display>,
    pub exposure_ev: Option<f32>,
    pub time_s: Option<f64>,
    /// For every model, in place of what animators play; figures of crowds play on.
    pub clip: Option<ClipChoice>,
    /// For every model that has a variant of this name.
    pub variant: Option<String>,
    /// What each model may unpack to.
    pub memory_max_bytes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum CameraWish {
    Auto,
    /// Of the scene file, else of a model.
    Named(String),
    /// Of a model, from 0.
    Number(usize),
    Look(CameraChoice),
    View(View),
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

impl Scene {
    /// A bare model, shown as the command line wishes: 1280x720, 4 samples, its own lights in a grey room or a studio,
    /// its own camera or one that frames it.
    ///
    /// Errors: the file is not there, or of a kind that is not read.
    pub fn for_model(file: &Path, wishes: &Wishes) -> Result<Resolved, Vec<Diagnostic>> {
        let absolute = crate::scene::read::existing_file(file).map_err(|d| vec![d])?;
        Scene::bare(file, &absolute, Vec::new(), wishes)
    }

    /// A bare model that came as bytes rather than as a file, under a name with an ending; files it names lie in
    /// `folder`, which is absolute.
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
        crate::scene::noun::model::check_format(absolute).map_err(|(message, help)| {
            let error = Diagnostic::error(code::FORMAT_NOT_YET, file, message);
            vec![Diagnostic { help, ..error }]
        })?;
        let name = file.file_stem().map_or("model".into(), |n| n.to_string_lossy().into_owned());
        let model = Model::plain(name.clone(), absolute.to_path_buf());
        let node = Node { content: Content::Model(0), ..Node::group(name.clone()) };
        let mut scene = Scene {
            title: name,
            bare_model: true,
            root: crate::scene::read::root_of(absolute),
            named_files: Vec::new(),
            given_files,
            memory_max_bytes: None,
            variant: None,
            output: Output {
                width_px: 1280,
                height_px: 720,
                background: Background::Auto,
                ..output::output(&Table::default()).output
            },
            environment: Environment { source: EnvironmentSource::Auto, ..Environment::NONE },
            cameras: Vec::new(),
            camera: CameraChoice::Auto,
            turn: None,
            models: vec![model],
            materials: Vec::new(),
            clips: Vec::new(),
            animators: Vec::new(),
            crowds: Vec::new(),
            nodes: vec![node],
            lights: Vec::new(),
            light_probes: Vec::new(),
            effects: Vec::new(),
            views: Vec::new(),
            style: Style::Studio,
            display: Display::Srgb,
            is_studio: false,
            shadows: true,
            lighting: Lighting::Auto,
            model_lights: true,
            ground: Ground::Auto,
            max_mip: None,
            time_s: 0.0,
            tracks: Vec::new(),
            shots: Vec::new(),
            params: Vec::new(),
            accumulate: Accumulate::default(),
            render: RenderOptions::default(),
            plan: PlanOptions::default(),
            test: None,
            written: Written::default(),
        };
        scene.wish(wishes).map_err(|d| vec![d])?;
        Ok(Resolved { scene, warnings: Vec::new(), free_spaces: Vec::new() })
    }

    /// Lets the command line have its say.
    ///
    /// Errors: a camera that is not there; an environment's file that is not there.
    pub fn wish(&mut self, wishes: &Wishes) -> Result<(), Diagnostic> {
        let Wishes {
            size_px,
            tile_px,
            samples,
            shading,
            camera,
            zoom,
            turns,
            style,
            lighting,
            ground,
            environment,
            background,
            shadows,
            max_mip,
            stroke_width_px,
            up,
            tonemap,
            display,
            exposure_ev,
            time_s,
            clip,
            variant,
            memory_max_bytes,
        } = wishes;
        if let Some([width, height]) = *size_px {
            (self.output.width_px, self.output.height_px) = (width, height);
        }
        set(&mut self.render.tile_px, tile_px);
        set(&mut self.output.samples, samples);
        self.output.shading = shading.or(self.output.shading);
        if let Some(conflict) = self.output.conflict(&self.render) {
            return Err(Diagnostic::error(code::WITHOUT_EFFECT, &self.root, conflict));
        }
        set(&mut self.output.tonemap, tonemap);
        set(&mut self.display, display);
        set(&mut self.output.exposure_ev, exposure_ev);
        set(&mut self.output.zoom, zoom);
        set(&mut self.shadows, shadows);
        set(&mut self.style, style);
        if exposure_ev.is_some() {
            self.tracks.retain(|track| track.thing != Thing::Output);
        }
        if let Some(time_s) = *time_s {
            self.move_to(time_s);
        }
        self.max_mip = max_mip.or(self.max_mip);
        self.output.stroke_width_px = stroke_width_px.or(self.output.stroke_width_px);
        self.memory_max_bytes = memory_max_bytes.or(self.memory_max_bytes);
        self.variant = variant.clone().or(self.variant.take());
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
            self.tracks.retain(|track| track.thing != Thing::Environment || environment::is_of_any_source(&track.key));
        }
        match environment {
            None | Some(EnvironmentWish::Auto) => {}
            Some(EnvironmentWish::None) => self.environment.source = EnvironmentSource::None,
            Some(EnvironmentWish::Sky) => self.environment.source = EnvironmentSource::Sky(Sky::default()),
            Some(EnvironmentWish::File(file)) => {
                let absolute = crate::scene::read::existing_file(file)?;
                self.named_files.push(absolute.clone());
                self.environment.source = EnvironmentSource::File(absolute);
            }
        }
        match camera {
            None => {}
            Some(CameraWish::Auto) => self.camera = CameraChoice::Auto,
            Some(CameraWish::Number(number)) => self.camera = CameraChoice::ModelNumber(*number),
            Some(CameraWish::Look(look)) => self.camera = look.clone(),
            Some(CameraWish::View(view)) => self.camera = CameraChoice::Frame(*view),
            Some(CameraWish::Named(name)) => {
                self.camera = self.find_camera(name).map_err(|(message, help)| {
                    let error = Diagnostic::error(code::UNKNOWN_CAMERA, "--camera", message).at(0..name.len());
                    Diagnostic { help, ..error }
                })?;
            }
        }
        if *turns {
            self.turn_camera()?;
        }
        Ok(())
    }

    /// The camera goes round everything: one that frames it, as it would a bare model.
    fn turn_camera(&mut self) -> Result<(), Diagnostic> {
        match &self.camera {
            CameraChoice::Frame(_) => {}
            CameraChoice::Auto if self.bare_model || self.cameras.is_empty() => {
                self.camera = CameraChoice::Frame(View::Auto);
            }
            own => {
                let message = match own {
                    CameraChoice::Look { .. } => "`--turntable` needs a camera that frames everything".to_string(),
                    _ => format!("`--turntable` cannot turn the scene's own camera{}", self.name_of(own)),
                };
                let error = Diagnostic::error(code::WITHOUT_EFFECT, &self.root, message);
                return Err(error.help("add `--view auto`, which frames everything"));
            }
        }
        self.turn = Some(Turn::default());
        Ok(())
    }

    /// The name of a camera of the scene, behind a space.
    fn name_of(&self, choice: &CameraChoice) -> String {
        match choice {
            CameraChoice::Scene(at) => format!(" `{}`", self.cameras[*at].name),
            CameraChoice::ModelNamed(name) => format!(" `{name}`"),
            CameraChoice::ModelNumber(number) => format!(" `#{number}`"),
            CameraChoice::Auto => self.cameras.first().map_or(String::new(), |camera| format!(" `{}`", camera.name)),
            CameraChoice::View(at) => format!(" `{}`", self.views[*at].name),
            CameraChoice::Frame(_) | CameraChoice::Look { .. } => String::new(),
        }
    }
}

fn set<T: Clone>(field: &mut T, wish: &Option<T>) {
    if let Some(wish) = wish {
        *field = wish.clone();
    }
}
