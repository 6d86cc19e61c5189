//! A sitting: a scene is loaded once and an adapter opened once, then pictured at any moment, as often as one likes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use stillframe_base::par::Pool;
use stillframe_base::tick::Tick;

use super::picture::picture;
use super::{Dump, Settings, Stage, Stats, Take, TakeError};
use crate::cache::Access;
use crate::render::{self, Frame, Gpu, Job, Prepared, Uploads};
use crate::scene::{Aov, Background, Scene};
use crate::source::{Diagnostic, Vfs};
use crate::view;
use crate::world::{self, Loaded, World};

/// A scene that is loaded.
#[derive(Debug)]
pub struct Sitting {
    settings: Settings,
    /// As it was given.
    scene: Scene,
    vfs: Vfs,
    loaded: Loaded,
    /// Of what was read; empty where nobody asks.
    hashes: BTreeMap<PathBuf, blake3::Hash>,
    /// Opened for the first picture.
    gpu: Option<Gpu>,
    uploads: Uploads,
    pool: Pool,
}

impl Sitting {
    /// Loads `scene`: reads, decodes and bakes its files.
    ///
    /// Errors: what is wrong with them.
    pub fn begin(scene: &Scene, settings: &Settings, watch: &mut dyn FnMut(Stage)) -> Result<Sitting, TakeError> {
        watch(Stage::Load);
        let vfs = scene.vfs().map_err(|diagnostic| TakeError::Scene(vec![diagnostic]))?;
        let hashes: RefCell<BTreeMap<PathBuf, blake3::Hash>> = RefCell::default();
        let read = |path: &Path| {
            let bytes = vfs.read(path)?;
            if settings.scene_hash {
                hashes.borrow_mut().insert(path.to_path_buf(), blake3::hash(&bytes));
            }
            Ok(bytes)
        };
        let pool = Pool::new(settings.threads);
        let content_hash = |path: &Path| {
            if settings.scene_hash {
                read(path)?;
            }
            vfs.content_hash(path, &pool)
        };
        let access = settings.cache.as_ref().map(|cache| Access { cache, content_hash: &content_hash, pool: &pool });
        let loaded = world::open(scene, access.as_ref(), &read).map_err(TakeError::Scene)?;
        let hashes = hashes.into_inner();
        Ok(Sitting {
            settings: settings.clone(),
            scene: scene.clone(),
            vfs,
            loaded,
            hashes,
            gpu: None,
            uploads: Uploads::default(),
            pool,
        })
    }

    /// Pictures the scene `time_s` seconds after its start.
    ///
    /// Errors: see [`TakeError`]. Earlier pictures have no bearing on this one.
    pub fn at(&mut self, time_s: f64, watch: &mut dyn FnMut(Stage)) -> Result<Take, TakeError> {
        watch(Stage::Place);
        let text = |text| Ok(Take { dump: Some(text), ..Take::default() });
        let wants_motion = self.settings.aovs.contains(&Aov::Motion);
        // What moves counts as it was placed last: now.
        let before = if wants_motion { Some(self.place(time_s - self.settings.frame_s)?) } else { None };
        let world = &self.place(time_s)?;
        let before = before.as_ref().unwrap_or(world);
        let mut warnings = std::mem::take(&mut self.loaded.warnings);
        let Loaded { scene, store, environment, .. } = &self.loaded;
        if self.settings.dump == Some(Dump::World) {
            return text(world::dump(world, store));
        }
        let shot = view::look_since(scene, world, before, store);
        if self.settings.dump == Some(Dump::Shot) {
            return text(view::dump(&shot, store));
        }

        watch(Stage::Prepare);
        let aovs = &self.settings.aovs;
        let exact = [Aov::Depth, Aov::Normal, Aov::Albedo, Aov::Id];
        let job = Job {
            shot: &shot,
            store,
            environment: &scene.environment,
            environment_map: environment.as_ref(),
            output: &scene.output,
            max_mip: scene.max_mip,
            colour: aovs.contains(&Aov::Color).then(|| self.settings.colour()),
            aov: aovs.iter().any(|aov| exact.contains(aov)),
            motion: wants_motion,
        };
        let prepared = render::prepare(&job, &self.uploads);
        match self.settings.dump {
            Some(Dump::Plan) => return text(prepared.plan.to_string()),
            Some(Dump::Keys) => {
                return text(render::keys(&job, &prepared).iter().map(|key| format!("{key}\n")).collect());
            }
            Some(Dump::Wgsl) => return text(titled(render::texts(&job, &prepared))),
            Some(Dump::Program) => return text(titled(render::programs(&job, &prepared))),
            _ => {}
        }
        warnings.extend(shadows_left_out(scene, &prepared));
        let gpu = match &mut self.gpu {
            Some(gpu) => gpu,
            none => none.insert(Gpu::open(&self.settings.adapter())?),
        };
        let mut frame = Frame::load(gpu, job, &prepared, &mut self.uploads, &self.pool)?;

        watch(Stage::Draw);
        frame.draw()?;

        watch(Stage::Read);
        let drawn = frame.read()?;
        let stats = Stats {
            adapter: gpu.name.clone(),
            contract: gpu.contract,
            passes: prepared.plan.passes.len() as u32,
            draws: drawn.draws,
            models_found: self.loaded.found_count,
            triangles: drawn.triangles,
            pipelines: drawn.pipelines,
            lights: shot.lights.len() as u32,
            shadow_maps: prepared.shadow_map_count(),
            target_bytes: prepared.plan.target_bytes(),
            texture_bytes: drawn.texture_bytes,
            buffer_bytes: drawn.buffer_bytes,
            device_peak_bytes: gpu.peak_bytes(),
        };
        let transparent = scene.output.background == Background::Transparent;
        let pictures = aovs.iter().map(|&aov| (aov, picture(aov, &drawn, &scene.output, transparent))).collect();
        let scene_hash = self.settings.scene_hash.then(|| self.scene_hash(time_s));
        let object_names = shot.object_names;
        Ok(Take { pictures, object_names, scene_hash, stats, warnings, dump: None })
    }

    /// The world at a moment.
    fn place(&mut self, time_s: f64) -> Result<World, TakeError> {
        let (vfs, hashes) = (&self.vfs, RefCell::new(&mut self.hashes));
        let wanted = self.settings.scene_hash;
        let read = |path: &Path| {
            let bytes = vfs.read(path)?;
            if wanted {
                hashes.borrow_mut().insert(path.to_path_buf(), blake3::hash(&bytes));
            }
            Ok(bytes)
        };
        self.loaded.place(Tick::from_seconds(time_s), &read).map_err(TakeError::Scene)
    }

    /// Identity of the scene at a moment: its text form, then every file by its name under the root. Nothing of the machine: a
    /// file outside, that the user named, goes by its name alone.
    fn scene_hash(&self, time_s: f64) -> String {
        let scene = Scene { time_s, ..self.scene.clone() };
        let mut hasher = blake3::Hasher::new();
        hasher.update(scene.print().as_bytes());
        for (path, hash) in &self.hashes {
            let name = path.strip_prefix(&scene.root).unwrap_or(Path::new(path.file_name().unwrap_or_default()));
            let parts: Vec<_> = name.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            hasher.update(format!("\0{}\0{hash}", parts.join("/")).as_bytes());
        }
        format!("b3:{}", hasher.finalize())
    }
}

/// Code of the warning that some lights cast no shadow.
const SHADOWS_LEFT_OUT: &str = "W0601";

fn shadows_left_out(scene: &Scene, prepared: &Prepared) -> Option<Diagnostic> {
    (prepared.shadows_left_out > 0).then(|| {
        let message = format!("{} lights cast no shadow: too many others do", prepared.shadows_left_out);
        Diagnostic::warning(SHADOWS_LEFT_OUT, &scene.root, message)
    })
}

fn titled(texts: Vec<(String, String)>) -> String {
    texts.iter().map(|(name, text)| format!("// ==== {name}\n{text}\n")).collect()
}
