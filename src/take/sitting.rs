//! A sitting: a scene is loaded once and an adapter opened once, then pictured at any moment, as often as one likes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stillframe_base::tick::Tick;

use super::accumulation::{Partial, Point, point};
use super::empty::empty;
use super::energy;
use super::layer::{light_values, pictures};
use super::probes::Surrounded;
use super::refusal::complaint;
use super::shown::{Asked, EyesDrawn, Outcome, Seen, leave_out};
use super::tiling::{self, Mosaic};
use super::together::{eye_output, is_flat, is_of_one_eye, put_together};
use super::{Dump, Equipment, Settings, Stage, Stats, Take, TakeError};
use crate::asset::Store;
use crate::cache::Access;
use crate::fault::{self, Fault, RenderFault, StateEdit};
use crate::frame::ViewId;
use crate::light::{self, Piece};
use crate::render::{
    self, AroundImage, Caps, Capture, Frame, Gpu, History, Job, Left, Look, Memory, Post, Probes, ROWS, StageId, Sums,
    Tile,
};
use crate::scene::{Accumulate, Aov, Background, CameraChoice, Held, Output, Scene, SceneEffect, Thing, Turn};
use crate::source::{Diagnostic, Vfs};
use crate::view::{self, Shot};
use crate::world::{self, Loaded, Placed};

/// A scene that is loaded.
#[derive(Debug)]
pub struct Sitting {
    pub(super) settings: Settings,
    /// As it was given.
    scene: Scene,
    vfs: Vfs,
    loaded: Loaded,
    /// Of what was read, and what was looked for in vain; empty where nobody asks.
    hashes: BTreeMap<PathBuf, Option<blake3::Hash>>,
    equipment: Equipment,
    render_fault: RenderFault,
    /// The moments to frame, until the first of them is placed.
    unframed: Option<Vec<Tick>>,
    /// Warnings that have been reported: each is once.
    reported: Vec<Diagnostic>,
    /// The picture that is shown in place of the scene's.
    pub(super) shown: Option<Output>,
    /// What is around light probes, and the moment of it.
    probes: Option<(u64, Arc<Probes>)>,
    pub(super) seen: Seen,
}

impl Sitting {
    /// Loads `scene`: reads, decodes and bakes its files.
    ///
    /// Errors: what is wrong with them.
    pub fn begin(scene: &Scene, settings: &Settings, watch: &mut dyn FnMut(Stage)) -> Result<Sitting, TakeError> {
        Sitting::begin_with(&mut None, scene, settings, watch)
    }

    /// The same with what an earlier sitting has left, if it fits; it is taken only where this succeeds.
    ///
    /// Errors: as [`Sitting::begin`].
    pub(crate) fn begin_with(
        left: &mut Option<Equipment>,
        scene: &Scene,
        settings: &Settings,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Sitting, TakeError> {
        watch(Stage::Load);
        let equipment = left.take().unwrap_or_else(|| Equipment::new(settings)).fitting(settings);
        let equipment = left.insert(equipment);
        let isa = render::isa(settings.isa)?;
        let vfs = scene.vfs().map_err(|diagnostic| TakeError::Scene(vec![diagnostic]))?;
        let hashes: RefCell<BTreeMap<PathBuf, Option<blake3::Hash>>> = RefCell::default();
        let read = |path: &Path| {
            let read = vfs.read(path);
            if settings.scene_hash {
                hashes.borrow_mut().insert(path.to_path_buf(), read.as_ref().ok().map(|bytes| blake3::hash(bytes)));
            }
            read
        };
        let pool = &equipment.pool;
        let content_hash = |path: &Path| {
            if settings.scene_hash {
                read(path)?;
            }
            vfs.content_hash(path, pool)
        };
        let access = settings.cache.as_ref().map(|cache| Access { cache, content_hash: &content_hash, pool });
        let loaded = world::open(scene, access.as_ref(), &read).map_err(TakeError::Scene)?.on(isa);
        Ok(Sitting {
            settings: settings.clone(),
            scene: scene.clone(),
            vfs,
            loaded,
            hashes: hashes.into_inner(),
            equipment: left.take().expect("put there above"),
            render_fault: settings.fault.as_ref().map(Fault::for_rendering).unwrap_or_default(),
            unframed: Some(Vec::new()),
            reported: Vec::new(),
            shown: None,
            probes: None,
            seen: Seen::default(),
        })
    }

    /// Frames what animators move for all these moments, seconds, and not for each by itself. What clips and keys move
    /// is framed for all of their time in any case.
    pub fn frame_over(&mut self, times_s: &[f64]) {
        self.unframed = Some(times_s.iter().map(|time_s| Tick::from_seconds(*time_s)).collect());
    }

    /// What the next sitting can use.
    pub(crate) fn end(self) -> Equipment {
        self.equipment.for_another_scene()
    }

    /// Every file that was read, by its absolute path, with its hash, and those that could not be read; empty where
    /// `scene_hash` was not asked for.
    pub(crate) fn files(&self) -> &BTreeMap<PathBuf, Option<blake3::Hash>> {
        &self.hashes
    }

    /// Pictures the scene `time_s` seconds after its start.
    ///
    /// Errors: see [`TakeError`]. Earlier pictures have no bearing on this one.
    pub fn at(&mut self, time_s: f64, watch: &mut dyn FnMut(Stage)) -> Result<Take, TakeError> {
        self.at_turned(time_s, None, watch)
    }

    /// The same where the camera has gone round what it frames; the scene has wished for it.
    ///
    /// Errors: as [`Sitting::at`].
    pub fn at_turned(
        &mut self,
        time_s: f64,
        turn: Option<Turn>,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Take, TakeError> {
        self.at_resumed(time_s, turn, None, &mut |_| Ok(()), watch)
    }

    /// The same where the mean of many pictures goes on from where an earlier run has left it, if that was of the same
    /// one. `each` hears of the sum after each picture of it.
    ///
    /// Errors: as [`Sitting::at`], and those of `each`. The picture is the same as without a stop.
    pub fn at_resumed(
        &mut self,
        time_s: f64,
        turn: Option<Turn>,
        partial: Option<Partial>,
        each: &mut dyn FnMut(&Partial) -> Result<(), TakeError>,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Take, TakeError> {
        watch(Stage::Place);
        let is_blurred = self.scene.effects.iter().any(SceneEffect::reads_motion);
        let wants_motion = is_blurred || self.settings.aovs.contains(&Aov::MOTION);
        let before = if wants_motion { Some(self.place(time_s - self.settings.frame_s)?) } else { None };
        let mut now = self.place(time_s)?;
        if turn.is_some() {
            Arc::make_mut(&mut now.scene).turn = turn;
        }
        let before = before.as_ref().unwrap_or(&now);
        let mut warnings = self.new_warnings([before, &now]);
        if self.settings.dump == Some(Dump::Animation) {
            let vfs = &self.vfs;
            let text = self.loaded.describe_animators(Tick::from_seconds(time_s), &|path| vfs.read(path));
            let text = text.map_err(TakeError::Scene)?;
            let warnings = self.scene.written.homes(warnings);
            return Ok(Take { dump: Some(text), warnings, ..Take::default() });
        }
        let accumulate = self.accumulates(&now, &mut warnings);
        let sums = match accumulate {
            Some(of) => {
                let identity = if self.settings.scene_hash { self.identity(time_s, turn) } else { String::new() };
                let fits = |partial: &Partial| partial.identity == identity && partial.count == of.frame_count();
                let partial = partial.filter(fits).unwrap_or_else(|| {
                    let Output { width_px, height_px, .. } = now.scene.output;
                    let size_px =
                        [width_px, self.settings.rows.as_ref().map_or(height_px, |rows| rows.end - rows.start)];
                    Partial { identity, count: of.frame_count(), size_px, ..Partial::default() }
                });
                Some(self.summed((&of, time_s), &now, partial, each, watch)?)
            }
            None => None,
        };
        let wanted = Wanted { sums: sums.as_ref().map(|(partial, ..)| partial), ..Wanted::default() };
        let mut take = match self.frames(&now) {
            1 => self.picture(before, &now, wanted, watch)?,
            frames => self.with_history(time_s, [before, &now], frames, watch)?,
        };
        if let Some((_, draws, triangles)) = sums {
            take.stats.draws += draws;
            take.stats.triangles += triangles;
        }
        for warning in std::mem::take(&mut take.warnings) {
            if !self.reported.contains(&warning) {
                self.reported.push(warning.clone());
                warnings.push(warning);
            }
        }
        take.warnings = self.scene.written.homes(warnings);
        take.scene_hash = self.settings.scene_hash.then(|| self.scene_hash(time_s, turn));
        Ok(take)
    }

    /// Warnings of loading and placing that have not been reported before.
    fn new_warnings(&mut self, [before, now]: [&Placed; 2]) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        let notes = self.vfs.notes();
        for warnings in [&notes, &self.loaded.warnings, &before.warnings, &now.warnings] {
            let new: Vec<_> = warnings.iter().filter(|warning| !self.reported.contains(warning)).cloned().collect();
            self.reported.extend(new.iter().cloned());
            out.extend(new);
        }
        out
    }

    /// What a picture is the mean of, where it is one of several.
    fn accumulates(&self, now: &Placed, warnings: &mut Vec<Diagnostic>) -> Option<Accumulate> {
        let Placed { scene, world, .. } = now;
        let mut of = scene.accumulate;
        let shows_light = self
            .settings
            .aovs
            .iter()
            .any(|aov| *aov == Aov::COLOR || aov.is_between() && aov.row().held == Held::Light);
        if of.frame_count() == 1 || self.settings.dump.is_some() || !shows_light {
            return None;
        }
        if view::eyes(scene, world, 0.0).len() > 1 {
            return None;
        }
        let has_lens = view::shot_camera(scene, world, scene.turn.unwrap_or_default().now).lens.is_some();
        if of.lens > 1 && !has_lens {
            let message = "`accumulate.lens` has no effect: the camera has no `focus_m`";
            let help = "say in the camera's table how far away is sharp, for example `focus_m = 2.0`";
            warnings.push(Diagnostic::warning(NO_LENS, &scene.root, message).help(help));
            of.lens = 1;
        }
        (of.frame_count() > 1).then_some(of)
    }

    /// Does something with other settings.
    pub(super) fn with_settings<T>(&mut self, settings: Settings, act: impl FnOnce(&mut Sitting) -> T) -> T {
        let asked = std::mem::replace(&mut self.settings, settings);
        let done = act(self);
        self.settings = asked;
        done
    }

    /// The sum of all pictures of a mean, with their draws and triangles.
    fn summed(
        &mut self,
        (of, time_s): (&Accumulate, f64),
        now: &Placed,
        mut partial: Partial,
        each: &mut dyn FnMut(&Partial) -> Result<(), TakeError>,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<(Partial, u32, u64), TakeError> {
        let plain =
            Settings { aovs: vec![Aov::COLOR], bits: 32, dump: None, capture: Capture::Off, ..self.settings.clone() };
        let (mut draws, mut triangles) = (0, 0);
        let mut numbers = partial.done..partial.count;
        let mut add = |sitting: &mut Sitting, number: u32| {
            let point = point(of, number);
            let moved = match of.shutter {
                1 => None,
                _ => Some(sitting.place(time_s + point.time_s)?),
            };
            let mut texels = Vec::new();
            let wanted = Wanted { point: Some((of, &point)), light: Some(&mut texels), ..Wanted::default() };
            let moment = moved.as_ref().map(|moved| Placed { scene: turned(&moved.scene, now), ..moved.clone() });
            let moment = moment.as_ref().unwrap_or(now);
            let take = sitting.picture(moment, moment, wanted, watch)?;
            draws += take.stats.draws;
            triangles += take.stats.triangles;
            partial.add(&texels);
            each(&partial)
        };
        self.with_settings(plain, |sitting| numbers.try_for_each(|number| add(sitting, number)))?;
        Ok((partial, draws, triangles))
    }

    /// Pictures a moment, and how it has moved since an earlier one.
    pub(super) fn picture(
        &mut self,
        before: &Placed,
        now: &Placed,
        wanted: Wanted<'_>,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Take, TakeError> {
        let text = |text| Ok(Take { dump: Some(text), ..Take::default() });
        let (Placed { scene, world, .. }, store) = (now, &now.world.store);
        if self.settings.dump == Some(Dump::World) {
            return text(world::dump(world));
        }
        let shots = match wanted.point {
            None => view::looks_since(scene, world, &before.world),
            Some((of, point)) => {
                let camera = view::shot_camera(scene, world, scene.turn.unwrap_or_default().now);
                let camera = if of.lens > 1 { camera.through(point.lens) } else { camera };
                let mut shot = view::look_from(scene, world, &camera);
                let piece = Piece { at: point.light, count: of.light };
                if of.light > 1 {
                    shot.lights
                        .iter_mut()
                        .for_each(|light| *light = (light::row(&light.kind).body.piece)(light, piece));
                }
                vec![shot]
            }
        };
        let mut shots = self.faulty(shots);
        if let CameraChoice::View(at) = scene.camera {
            leave_out(&mut shots, at, now);
        }
        if self.settings.dump == Some(Dump::Shot) {
            return text(shots.iter().map(|shot| view::dump(shot, store)).collect());
        }

        watch(Stage::Prepare);
        let aovs = self.settings.aovs.clone();
        let wants_color = aovs.contains(&Aov::COLOR);
        let mut seen = shots.iter().map(|shot| empty(scene, shot, store, wants_color));
        // Of several eyes one may well see nothing.
        let first = seen.next().flatten();
        let warnings: Vec<Diagnostic> = first.filter(|_| seen.all(|empty| empty.is_some())).into_iter().collect();
        let mut layers: Vec<String> = aovs.iter().map(Aov::to_string).collect();
        if aovs.iter().any(|aov| aov.is_between()) && !wants_color {
            // Whoever looks at what passes leave for each other looks at those of the colour picture, all of them.
            layers.push(Aov::COLOR.to_string());
        }
        let is_by_points = wanted.point.is_some_and(|(of, _)| of.pixel > 1);
        let samples = if is_by_points { 1 } else { scene.output.samples };
        // A plain background comes behind the mean.
        let background = match scene.output.background {
            Background::Color(_) if wanted.point.is_some() => Background::Transparent,
            background => background,
        };
        let display = self.settings.display(scene);
        let output = Output { samples, background, ..eye_output(scene) };
        let of_points: Vec<SceneEffect> = scene.effects.iter().filter_map(SceneEffect::alone_before).collect();
        let history = wanted.history.as_deref().cloned();
        let asked = Asked {
            now,
            scene,
            output: &output,
            in_tiles: true,
            rows: self.settings.rows.clone(),
            shift_px: wanted.point.map_or(wanted.shift_px, |(_, point)| point.shift_px),
            sums: wanted.sums.map(|partial| {
                let first_row = self.settings.rows.as_ref().map_or(0, |rows| rows.start);
                Sums { texels: &partial.sums, first_row, count: partial.count }
            }),
            colour: self.settings.colour(display),
            layers: &layers,
            capture: self.settings.capture,
            // A mean has them once, and what keeps light away is in each of its pictures.
            effects: match wanted.point {
                _ if !is_flat(scene) => &[],
                Some(_) => &of_points,
                None => &scene.effects,
            },
            history: history.as_deref(),
        };
        self.seen.count = 0;
        let drawn = match self.eyes_drawn(&asked, &shots, &mut Vec::new(), watch)? {
            Outcome::Drawn(drawn) => drawn,
            Outcome::Text(text) => {
                return Ok(Take { dump: Some(text), warnings, ..Take::default() });
            }
            Outcome::Levels(levels) => return self.energy(levels, before, now, watch),
        };
        let EyesDrawn { mut eyes, captures, mut stats, history } = drawn;
        stats.views = self.seen.count;
        if let Some(wanted) = wanted.history {
            *wanted = history;
        }
        if let Some(light) = wanted.light {
            *light = light_values(&eyes[0][&aovs[0].to_string()]);
            return Ok(Take { stats, warnings, ..Take::default() });
        }
        let transparent = scene.output.background == Background::Transparent;
        let mut pictured = |aov: &Aov| {
            let eyes = pictures(&mut eyes, (aov, &aov.to_string()), transparent);
            (aov.clone(), put_together(scene, aov, eyes))
        };
        let pictures = aovs.iter().map(&mut pictured).collect();
        let object_materials = object_materials(&shots, store);
        let object_names = world.object_names.clone();
        Ok(Take {
            pictures,
            display,
            object_names,
            object_materials,
            captures,
            scene_hash: None,
            stats,
            warnings,
            dump: None,
        })
    }

    /// What is planted in shots.
    fn faulty(&self, mut shots: Vec<Shot>) -> Vec<Shot> {
        for shot in &mut shots {
            if self.render_fault.has(StateEdit::BlendOrder) {
                shot.blended.reverse();
            }
            if self.render_fault.has(StateEdit::LightsReversed) {
                shot.lights.reverse();
            }
        }
        shots
    }

    /// Draws what each eye sees: all in one go, unless their surfaces show views, which are drawn before. `above`:
    /// views that are being drawn.
    pub(super) fn eyes_drawn(
        &mut self,
        asked: &Asked<'_>,
        shots: &[Shot],
        above: &mut Vec<usize>,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Outcome, TakeError> {
        let store = &asked.now.world.store;
        if !store.shows_views() || self.settings.dump.is_some() {
            return self.drawn(asked, shots, store, watch);
        }
        let mut all = EyesDrawn::default();
        for (eye, shot) in shots.iter().enumerate() {
            let shown = self.shown_views(asked, shot, above)?;
            let store = store.with_views(&shown);
            let history = asked.history.map(|all| all.get(eye..=eye).unwrap_or_default());
            let asked = Asked { history, ..asked.clone() };
            match self.drawn(&asked, std::slice::from_ref(shot), &store, watch)? {
                Outcome::Drawn(drawn) => all.add(drawn),
                other => return Ok(other),
            }
        }
        Ok(Outcome::Drawn(all))
    }

    /// Draws what eyes see of one store: at once, or tile by tile.
    fn drawn(
        &mut self,
        asked: &Asked<'_>,
        shots: &[Shot],
        store: &Store,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Outcome, TakeError> {
        let Some(tiles) = tiling::tiles(asked) else { return self.drawn_at_once((asked, None), shots, store, watch) };
        let mut mosaic = Mosaic::new(&tiles);
        for tile in tiles {
            match self.drawn_at_once((asked, Some(tile)), shots, store, watch)? {
                Outcome::Drawn(drawn) => mosaic.add(tile, drawn),
                // Tiles have the same plan and the same shaders.
                other => return Ok(other),
            }
        }
        Ok(Outcome::Drawn(mosaic.finish()))
    }

    /// Draws a picture, or one tile of it.
    fn drawn_at_once(
        &mut self,
        (asked, tile): (&Asked<'_>, Option<Tile>),
        shots: &[Shot],
        store: &Store,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Outcome, TakeError> {
        let Asked { now, scene, shift_px, sums, colour, layers, capture, effects, .. } = *asked;
        let text = |text| Ok(Outcome::Text(text));
        let environment = &self.loaded.environment;
        let output = asked.output.drawn_by(&scene.render);
        let look = |(eye, shot)| {
            let history = asked.history.and_then(|all| all.get(eye));
            let post = Post { effects, time_s: scene.time_s, frame_s: self.settings.frame_s, history };
            Look { shot, output: &output, colour, layers, shift_px, sums, sights: None, tile, post }
        };
        let looks: Vec<Look<'_>> = shots.iter().enumerate().map(look).collect();
        // What effects leave is wanted, too.
        let left = |look| if asked.history.is_some() { render::left_stages(look) } else { Vec::new() };
        let left: Vec<Vec<StageId>> = looks.iter().map(left).collect();
        let of_look = |left: &Vec<StageId>| -> Vec<String> {
            layers.iter().cloned().chain(left.iter().map(|id| id.layer())).collect()
        };
        let all_layers: Vec<Vec<String>> = left.iter().map(of_look).collect();
        let looks: Vec<Look<'_>> =
            looks.iter().zip(&all_layers).map(|(look, layers)| Look { layers, ..*look }).collect();
        let around = scene.around();
        let job = Job {
            looks: &looks,
            store,
            environment: &around,
            environment_map: environment.as_ref().map(AroundImage::sphere),
            probes: None,
            max_mip: scene.max_mip,
            skinning: self.settings.skinning,
            capture,
            options: scene.render,
            memory: Memory { shares: scene.plan.alias, poison: scene.plan.poison },
        };
        let Equipment { gpu, uploads, pool, .. } = &mut self.equipment;
        let gpu = match (gpu, self.settings.dump) {
            (Some(gpu), _) => Some(&*gpu),
            (None, Some(_)) => None,
            (none, None) => Some(&*none.insert(Gpu::open(&self.settings.adapter())?)),
        };
        let caps = gpu.map_or(Caps::SOFT, |gpu| gpu.caps);
        let surrounded = Surrounded { loaded: &self.loaded, now };
        let moment = scene.time_s.to_bits();
        let probes = match (surrounded.places(), gpu) {
            (Some(places), Some(gpu)) if self.settings.dump.is_none() => {
                let known = self.probes.take().filter(|(of, _)| *of == moment);
                let probes = match known {
                    Some((_, probes)) => probes,
                    None => surrounded.lit(places, &job, (gpu, uploads, pool))?,
                };
                self.probes = Some((moment, probes.clone()));
                Some(probes)
            }
            (places, _) => places.map(Arc::new),
        };
        // Dumps draw nothing: maps are then fitted to bounds. A tile does not see what the picture sees: it is refused.
        let sights = match gpu.filter(|_| self.settings.dump.is_none() && tile.is_none()) {
            Some(gpu) => render::sights(gpu, &job, uploads, pool)?,
            None => Vec::new(),
        };
        let mut looks = looks.clone();
        for (look, sights) in looks.iter_mut().zip(&sights) {
            look.sights = sights.as_ref();
        }
        let job = Job { looks: &looks, probes: probes.as_ref(), ..job };
        // Light from around that another run has made.
        let cache = self.settings.cache.as_ref();
        let mut unkept = gpu.zip(cache).and_then(|(gpu, cache)| Some((cache, uploads.cubes_name(gpu, &job)?)));
        if let Some((cache, name)) = &unkept
            && let Some((gpu, bytes)) = gpu.zip(cache.bytes(name))
            && uploads.take_in_cubes(gpu, &job, &bytes)
        {
            unkept = None;
        }
        let prepared = render::prepare(&job, ROWS, &caps, uploads)
            .map_err(|refused| TakeError::Scene(vec![complaint(scene, &shots[0].lights, &refused)]))?;
        match self.settings.dump {
            Some(Dump::Plan) => {
                return text(prepared.plan.to_string());
            }
            Some(Dump::Keys) => {
                let keys = render::keys(&prepared);
                let keys: String = keys.iter().map(|key| format!("{key}\n")).collect();
                let forward: Vec<String> = render::unstored(&job, &prepared).into_iter().collect();
                let forward = match forward.is_empty() {
                    true => String::new(),
                    false => format!("not stored but drawn forward: {}\n", forward.join(", ")),
                };
                return text(keys + &forward);
            }
            Some(Dump::Graph) => return text(titled(render::graphs(&prepared))),
            Some(Dump::Wgsl) => return text(titled(render::texts(&job, ROWS, &prepared))),
            Some(Dump::Program) => return text(titled(render::programs(&job, ROWS, &prepared))),
            Some(Dump::Environment) => {
                let names = render::around_layers(&prepared.plan);
                return Ok(Outcome::Levels(
                    names.iter().map(|name| Aov::parse(name).expect("it is a layer")).collect(),
                ));
            }
            _ => {}
        }
        let gpu = gpu.expect("opened above, where no dump is wanted");
        let mut frame = Frame::load(gpu, &job, &prepared, uploads, pool)?;

        watch(Stage::Draw);
        let drawing =
            render::draw(&mut frame, ROWS, &mut |looks| watch(if looks { Stage::Capture } else { Stage::Draw }))?;

        watch(Stage::Read);
        let mut drawn = drawing.read(&frame)?;
        if tile.is_some() {
            frame.leave_targets();
        }
        if let Some((cache, name)) = unkept
            && let Some(bytes) = uploads.cubes(gpu)?
        {
            cache.keep(&name, &bytes);
        }
        let captures = std::mem::take(&mut drawn.captures);
        let stats = Stats {
            adapter: gpu.name.clone(),
            contract: gpu.contract,
            passes: prepared.plan.passes.len() as u32,
            draws: drawn.draws,
            models_found: self.loaded.found_count,
            triangles: drawn.triangles,
            pipelines: drawn.pipelines,
            lights: shots[0].lights.len() as u32,
            shadow_maps: prepared.shadow_map_count(),
            target_bytes: prepared.plan.held_bytes(),
            texture_bytes: drawn.texture_bytes,
            buffer_bytes: drawn.buffer_bytes,
            device_peak_bytes: gpu.peak_bytes(),
            views: 0,
            frames_before: 0,
        };
        let outputs: Vec<_> = drawn.outputs.into_iter().map(|(output, texels)| (output, Arc::new(texels))).collect();
        let layer_of = |eye: usize, name: &String| {
            let layer = prepared.plan.layer(ViewId(eye), name).expect("it was planned");
            let texels = outputs.iter().find(|(output, _)| *output == layer).expect("every output comes back");
            (name.clone(), texels.1.clone())
        };
        let eyes = (0..shots.len()).map(|eye| layers.iter().map(|name| layer_of(eye, name)).collect()).collect();
        let left_by = |(eye, ids): (usize, &Vec<StageId>)| -> History {
            let left = |id: &StageId| {
                let (_, texels) = layer_of(eye, &id.layer());
                (*id, Left { texels, frames: render::age(looks[eye].post.history, *id) })
            };
            ids.iter().map(left).collect()
        };
        let history = left.iter().enumerate().map(left_by).collect();
        Ok(Outcome::Drawn(EyesDrawn { eyes, captures, stats, history }))
    }

    /// The mean radiance of these levels of light from around.
    fn energy(
        &mut self,
        levels: Vec<Aov>,
        before: &Placed,
        now: &Placed,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Take, TakeError> {
        if levels.is_empty() {
            return Ok(Take { dump: Some("nothing comes from around\n".to_string()), ..Take::default() });
        }
        let drawn = Settings { aovs: levels, dump: None, ..self.settings.clone() };
        let taken = self.with_settings(drawn, |sitting| sitting.picture(before, now, Wanted::default(), watch))?;
        Ok(Take { dump: Some(energy::lines(&taken.pictures)), warnings: taken.warnings, ..Take::default() })
    }

    /// The rows of its picture that are drawn together, where it is drawn in tiles; `None`: all are.
    pub fn bands(&self) -> Option<Vec<Range<u32>>> {
        let Output { width_px, height_px, .. } = self.scene.output;
        let side_px = self.scene.render.tiles_px([width_px, height_px])?;
        is_of_one_eye(&self.scene).then(|| tiling::bands(side_px, height_px))
    }

    /// Pictures only these rows from now on, one of [`Sitting::bands`]; all of them for `None`.
    pub fn keep_to(&mut self, rows: Option<Range<u32>>) {
        self.settings.rows = rows;
    }

    /// Shows another picture of the scene from now on: that of its view `at`, with this output.
    pub fn show(&mut self, at: usize, output: &Output) {
        self.scene.show(at);
        self.scene.output = output.clone();
        self.shown = Some(output.clone());
        self.seen = Seen::default();
    }

    /// The scene at a moment.
    pub(super) fn place(&mut self, time_s: f64) -> Result<Placed, TakeError> {
        if let Some(moments) = self.unframed.take() {
            let vfs = &self.vfs;
            self.loaded.set_stage(&moments, &|path| vfs.read(path));
        }
        let (vfs, hashes) = (&self.vfs, RefCell::new(&mut self.hashes));
        let wanted = self.settings.scene_hash;
        let read = |path: &Path| {
            let read = vfs.read(path);
            if wanted {
                hashes.borrow_mut().insert(path.to_path_buf(), read.as_ref().ok().map(|bytes| blake3::hash(bytes)));
            }
            read
        };
        let mut placed = self.loaded.place(Tick::from_seconds(time_s), &read).map_err(TakeError::Scene)?;
        let Scene { views, light_probes, effects, .. } = &self.scene;
        if !views.is_empty() || !light_probes.is_empty() || !effects.is_empty() {
            // A scene without key frames is the same at every moment, but what is seen of it is not.
            Arc::make_mut(&mut placed.scene).time_s = time_s;
        }
        if let (Some(shown), CameraChoice::View(at)) = (&self.shown, &self.scene.camera) {
            let scene = Arc::make_mut(&mut placed.scene);
            scene.show(*at);
            let Output { exposure_ev, background, .. } = scene.output;
            let moves = scene.track(Thing::Output, "exposure_ev").is_some();
            scene.output = Output {
                exposure_ev: if moves { exposure_ev } else { shown.exposure_ev },
                // It has been settled.
                background: if shown.background == Background::Auto { background } else { shown.background },
                ..shown.clone()
            };
        }
        if let Some(fault) = &self.settings.fault {
            fault::edit_world(&fault.number, &mut placed.world);
            fault::edit_store(&fault.number, &mut placed.world.store);
            fault::edit_samplers(&fault.state, &mut placed.world.store);
        }
        Ok(placed)
    }

    /// What a sum of pictures is of: the scene, and the program that draws it.
    fn identity(&self, time_s: f64, turn: Option<Turn>) -> String {
        let Settings { adapter, skinning, .. } = &self.settings;
        let drawn = (super::PIXEL_CONTRACT, env!("CARGO_PKG_VERSION"), adapter, skinning);
        format!("{} {drawn:?}", self.scene_hash(time_s, turn))
    }

    /// Identity of the scene at a moment: its text form, then every file by its name under the root. Nothing of the
    /// machine: a file outside, that the user named, goes by its name alone.
    fn scene_hash(&self, time_s: f64, turn: Option<Turn>) -> String {
        let scene = Scene { time_s, ..self.scene.clone() };
        let mut hasher = blake3::Hasher::new();
        hasher.update(scene.print().as_bytes());
        if let Some(turn) = turn {
            hasher.update(format!("\0turn\0{:?}", turn.now).as_bytes());
        }
        for (path, hash) in self.hashes.iter().filter_map(|(path, hash)| Some((path, (*hash)?))) {
            let name = path.strip_prefix(&scene.root).unwrap_or(Path::new(path.file_name().unwrap_or_default()));
            let parts: Vec<_> = name.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            hasher.update(format!("\0{}\0{hash}", parts.join("/")).as_bytes());
        }
        format!("b3:{}", hasher.finalize())
    }
}

/// What a picture is to be besides what settings say.
#[derive(Default)]
pub(super) struct Wanted<'a> {
    /// One of those that a mean is of.
    pub point: Option<(&'a Accumulate, &'a Point)>,
    /// Gets the light of such a picture.
    pub light: Option<&'a mut Vec<f32>>,
    /// Light that takes the place of what is seen.
    pub sums: Option<&'a Partial>,
    /// What effects have left one frame before, by eye; gets what they leave now.
    pub history: Option<&'a mut Vec<History>>,
    /// Where pixels are looked at, from their centres.
    pub shift_px: [f32; 2],
}

/// A scene of another moment whose camera has gone round as far as now.
fn turned(scene: &Arc<Scene>, now: &Placed) -> Arc<Scene> {
    let mut scene = scene.clone();
    if scene.turn != now.scene.turn {
        Arc::make_mut(&mut scene).turn = now.scene.turn;
    }
    scene
}

/// Code of the warning that a camera has no lens to take many points of.
const NO_LENS: &str = "W0606";

/// Names of the materials of each object's parts, each once.
fn object_materials(shots: &[Shot], store: &Store) -> Vec<String> {
    let mut out = vec![String::new(); shots[0].object_names.len()];
    let items =
        |shot: &'_ Shot| [&shot.opaque, &shot.blended, &shot.casters, &shot.veils].map(|list| list.clone()).concat();
    for item in shots.iter().flat_map(items) {
        let (name, slot) = (&store.material(item.material).name, &mut out[item.object_id as usize - 1]);
        if !slot.split(", ").any(|known| known == name) {
            if !slot.is_empty() {
                slot.push_str(", ");
            }
            slot.push_str(name);
        }
    }
    out
}

fn titled(texts: Vec<(String, String)>) -> String {
    texts.iter().map(|(name, text)| format!("// ==== {name}\n{text}\n")).collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use stillframe_anim::crowd::{Actor, BakedFrames, SampleCrowd, Track, Visible};
    use stillframe_base::lanes::{Isa, Row};

    use super::*;
    use crate::asset::{Bend, BendBlocks, Bent, CrowdFigure, CrowdPart, Form, Geometry, Posture, direction};
    use crate::scene;
    use crate::world::World;

    /// Rows of a figure's joints, made by the crate that stands alone.
    fn sampled(isa: Isa, frames: &BakedFrames, figure: &CrowdFigure) -> Vec<[f32; 4]> {
        let track = |n: usize| Track { clip: figure.clips[n], phase: figure.phases[n], speed: 0 };
        let actor = Actor { world: [[0.0; 4]; 3], tracks: [track(0), track(1)], fade: figure.fade, lod_min: 0 };
        let mut out = vec![Row::ZERO; frames.frame_rows()];
        let phases = vec![0; frames.clips().len()];
        let visible = [Visible { actor: 0, lod: 0 }];
        SampleCrowd {
            isa,
            baked: frames,
            phases: &phases,
            actors: &[actor],
            visible: &visible,
            out: &mut out,
            stream: false,
        }
        .run();
        out.iter().flat_map(|row| row.0.as_chunks::<4>().0.to_vec()).collect()
    }

    /// A geometry each of whose vertices is its own joint.
    fn placed(rest: &Geometry, bend: &Bend, posture: Posture) -> Bent {
        let mut bent = Bent { positions: Vec::new(), normals: Vec::new(), tangents: rest.tangents.clone(), posture };
        for (vertex, rest_normal) in rest.normals.iter().copied().enumerate() {
            let [place, facing, _] = bent.posture.joints[bend.pulls_of(vertex)[0].joint as usize];
            let normal = direction([facing[0], facing[1], facing[2]], rest_normal);
            let [x, y, z, w] = rest.tangents[vertex];
            let [tx, ty, tz] = direction(turned([x, y, z], rest_normal, normal), [x, y, z]);
            bent.positions.push([place[0], place[1], place[2]]);
            bent.normals.push(normal);
            bent.tangents[vertex] = [tx, ty, tz, w];
        }
        bent
    }

    /// A vector as the shortest turn from one unit vector to another takes it; as it is where they are opposite.
    fn turned(vector: [f32; 3], from: [f32; 3], to: [f32; 3]) -> [f32; 3] {
        let cross = |a: [f32; 3], b: [f32; 3]| {
            [a[1] * b[2] - b[1] * a[2], a[2] * b[0] - b[2] * a[0], a[0] * b[1] - b[0] * a[1]]
        };
        let whole = 1.0 + ((from[0] * to[0] + from[1] * to[1]) + from[2] * to[2]);
        if !(whole > 1e-3) {
            return vector;
        }
        let axis = cross(from, to);
        let once = cross(axis, vector);
        let twice = cross(axis, once);
        [0, 1, 2].map(|i| (vector[i] + once[i]) + twice[i] * (1.0 / whole))
    }

    /// The same world with every figure as a body of its own that the processor bends.
    fn bodies(moment: &Placed, isa: Isa) -> Placed {
        let (mut bodies, world) = (moment.clone(), &moment.world);
        let (out, store) = (&mut bodies.world, &world.store);
        for item in &mut out.items {
            let Some(CrowdPart { crowd, figure, first_joint, first_share }) = item.crowd.take() else { continue };
            let figures = &world.crowds[crowd as usize];
            let rows = sampled(isa, &figures.frames, &figures.figures[figure as usize]);
            let first = first_joint as usize;
            let joints = match figures.form {
                Form::Places => rows[2 * first..].as_chunks::<2>().0.iter().map(|[p, n]| [*p, *n, [0.0; 4]]).collect(),
                _ => rows[3 * first..].as_chunks::<3>().0.to_vec(),
            };
            let shares = rows[first_share as usize..].iter().flatten().copied().collect();
            let posture = Posture { joints, form: figures.form, shares };
            item.bent = Some(out.bents.len() as u32);
            let (rest, bend) = (store.geometry(item.geometry), store.bend(item.geometry).expect("it is bent"));
            out.bents.push(Arc::new(match posture.form {
                Form::Places => placed(rest, bend, posture),
                _ => BendBlocks::new(rest, bend).bent(isa, rest, posture),
            }));
        }
        bodies
    }

    /// No vertex of the figures lies outside of what culling takes for theirs.
    fn check_bounds(world: &World) {
        for item in &world.items {
            for position in item.bent.iter().flat_map(|bent| &world.bents[*bent as usize].positions) {
                let point = item.world_from_local.transform_point3(Vec3::from(*position));
                let nearest = point.clamp(item.bounds.min, item.bounds.max);
                assert!(point.distance(nearest) < 1e-4, "{point} is outside of {:?}", item.bounds);
            }
        }
    }

    fn crowd_scene(name: &str, edits: &[&str]) -> Scene {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/animation/crowd/{name}.toml"));
        let edits: Vec<String> = edits.iter().map(|edit| edit.to_string()).collect();
        scene::read(&file, &edits).unwrap_or_else(|d| panic!("{d:#?}")).scene
    }

    /// A shader that looks joints and shares of shapes up in textures, and the processor: the same picture, to the bit.
    #[test]
    fn figures_of_crowds_are_the_processor_s_too() {
        let vertices = &["crowd.walkers.baking=\"vertices\""][..];
        let scenes = [
            ("few", &[][..], [0.0, 0.7]),
            ("fade", &[], [1.1, 1.3]),
            ("vertices", &[], [1.1, 1.3]),
            ("faces", &[], [0.9, 1.2]),
            ("walk", &[], [1.3, 1.35]),
            ("walk", vertices, [1.3, 1.35]),
        ];
        for (name, edits, times_s) in scenes {
            let scene = crowd_scene(name, edits);
            let aovs = vec![Aov::COLOR, Aov::DEPTH, Aov::NORMAL, Aov::ID, Aov::MOTION];
            let mut sitting =
                Sitting::begin(&scene, &Settings { aovs, ..Settings::default() }, &mut |_| ()).expect("it loads");
            let [before, now] = times_s.map(|time_s| sitting.place(time_s).expect("it stands"));
            let crowd = sitting.picture(&before, &now, Wanted::default(), &mut |_| ()).expect("a picture");
            for isa in [Isa::Scalar, Isa::detect()] {
                let [before, now] = [&before, &now].map(|placed| bodies(placed, isa));
                let World { items, bents, .. } = &now.world;
                assert!(items.iter().all(|item| item.crowd.is_none()) && bents.len() >= 3);
                let is_shaped = bents.iter().any(|bent| bent.posture.shares.iter().any(|share| *share != 0.0));
                assert!(is_shaped || edits == vertices || name == "vertices", "{name}: no shape is added");
                check_bounds(&now.world);
                let bent = sitting.picture(&before, &now, Wanted::default(), &mut |_| ()).expect("a picture");
                for ((aov, of_crowd), (_, of_bodies)) in crowd.pictures.iter().zip(&bent.pictures) {
                    assert!(of_crowd == of_bodies, "{name}, {aov}, {isa:?}");
                }
            }
        }
    }

    /// Where figures stand.
    fn places(sitting: &mut Sitting, time_s: f64) -> Vec<Vec3> {
        let placed = sitting.place(time_s).expect("it stands");
        let of_figures = placed.world.items.iter().filter(|item| item.crowd.is_some());
        of_figures.map(|item| item.world_from_local.w_axis.truncate()).collect()
    }

    /// Over seams of loops, changes of clip and fades figures go on without a jump, and forward; a moment is the same
    /// whatever was asked before.
    #[test]
    fn crowds_walk_on() {
        let scene = crowd_scene("walk", &[]);
        let begin = || Sitting::begin(&scene, &Settings::default(), &mut |_| ()).expect("it loads");
        let mut sitting = begin();
        let step_s = 1.0 / 120.0;
        let mut last = places(&mut sitting, -1.0);
        for step in -119..600 {
            let now = places(&mut sitting, f64::from(step) * step_s);
            for (from, to) in last.iter().zip(&now) {
                let gone = *to - *from;
                // Nobody runs faster than 5 m/s, and all face +Z within 8 degrees.
                assert!(gone.length() < 5.0 * step_s as f32 && gone.z > 0.0, "{gone} at step {step}");
            }
            last = now;
        }
        assert_eq!(places(&mut begin(), 599.0 * step_s), last);
        let start = places(&mut sitting, 0.0);
        let still = places(
            &mut Sitting::begin(
                &crowd_scene("walk", &["crowd.walkers.root_motion=[]"]),
                &Settings::default(),
                &mut |_| (),
            )
            .expect("it loads"),
            3.0,
        );
        assert_eq!(start, still, "at 0 s they stand where they are put");
        assert!(last.iter().zip(&start).all(|(to, from)| to.z - from.z > 3.0), "{last:?}");
    }
}
