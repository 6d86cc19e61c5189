//! Judge: cases are rendered and compared.
//!
//! In: a [`Setup`], [`Piece`]s, a clock for timings. Out: a [`CaseRecord`] a case, and the pictures of those that fail
//! in the run's folder. Never here: processes, printing, decisions; who judges knows neither how many judges there are
//! nor who asks.

mod ask;
mod capsule;
mod closer;
mod inputs;
pub mod known;
mod routes;
mod setup;
mod verdict;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use stillframe_base::bounded;
use stillframe_base::par::Pool;
use stillframe_frames::report::quoted;
use stillframe_frames::run::{CaseRecord, RunFolder, Status, split_name};
use stillframe_frames::store::{Ledger, Store, StoreError};
use stillframe_frames::{DrawHash, Lock, PassHash, Picture, PixelHash, passes_root, print_passes};

use super::case::{Case, Piece, aovs, times_s};
use crate::fault::Fault;
use crate::scene::{Aov, Scene, Test, read};
use crate::source::{Diagnostic, Vfs};
use crate::take::{Equipment, PassCapture, Settings, Sitting, Stage, Take, TakeError};

use inputs::PieceInputs;

pub use ask::{Ask, Subject};
pub use capsule::Capsule;
pub use routes::Via;
pub use setup::{Known, Look, References, Rendering, Repeats, Setup, build_id};

/// Milliseconds since some moment.
pub type Clock<'a> = &'a dyn Fn() -> f64;

/// One who renders and compares, one piece after another.
pub struct Judge<'a> {
    setup: Setup,
    store: Store,
    run: RunFolder,
    clock: Clock<'a>,
    equipment: Option<Equipment>,
    /// Other routes have equipment of their own.
    other: BTreeMap<String, Equipment>,
    locks: BTreeMap<String, Lock>,
    pool: Pool,
    /// References whose pictures were looked at before; none where nothing is trusted.
    ledger: Option<Ledger>,
    /// The take of the case under judgement that looks closer, once somebody has asked for it.
    closer: Option<Take>,
}

/// A picture that was made, before anybody judges it.
#[derive(Clone, Debug)]
struct Candidate {
    name: String,
    aov: Aov,
    time_s: f64,
    picture: Picture,
    hash: PixelHash,
    adapter: String,
    passes_root: Option<PixelHash>,
    passes_text: String,
    scene_hash: Option<PixelHash>,
    inputs: Rc<PieceInputs>,
}

/// A scene of a piece, read.
struct Read {
    scene: Scene,
    test: Test,
    warnings: Vec<Diagnostic>,
}

impl<'a> Judge<'a> {
    /// Errors: a store that cannot be opened.
    pub fn new(setup: Setup, clock: Clock<'a>) -> Result<Judge<'a>, StoreError> {
        let trusted = setup.known.as_ref().filter(|known| !known.distrust);
        Ok(Judge {
            ledger: trusted.map(|known| Ledger::new(&known.folder.join("sound"))),
            store: setup.open_store()?,
            run: RunFolder::open(&setup.run),
            clock,
            equipment: None,
            other: BTreeMap::new(),
            closer: None,
            locks: BTreeMap::new(),
            pool: Pool::new(setup.rendering.threads),
            setup,
        })
    }

    /// Where the references lie.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Renders and compares the cases of a piece.
    pub fn piece(&mut self, piece: &Piece) -> Vec<CaseRecord> {
        let begun = (self.clock)();
        let mut records = match self.judged(piece) {
            Ok(records) => records,
            Err(failed) => {
                let record =
                    |case: &Case| CaseRecord::without_picture(&case.name, failed.status, failed.message.clone());
                piece.cases.iter().map(record).collect()
            }
        };
        let whole_ms = (self.clock)() - begun;
        let rendered_ms: f64 = records.iter().map(|record| record.render_ms).sum();
        let overhead_ms = (whole_ms - rendered_ms).max(0.0) / records.len().max(1) as f64;
        for record in &mut records {
            record.scene.clone_from(&piece.scene);
            record.why.clone_from(&piece.why);
            record.tags.clone_from(&piece.tags);
            record.overhead_ms = overhead_ms;
            record.slow = record.render_ms > self.setup.slow_s * 1000.0;
            record.command = format!("{} {}", self.setup.command, quoted(&format!("={}", record.name)));
        }
        records
    }

    /// Every pass of the first case of a piece, as closely as the setup looks.
    ///
    /// Errors: why there is no picture, in words.
    pub fn passes(&mut self, piece: &Piece) -> Result<Vec<PassHash>, String> {
        let words = |failed: Failed| failed.message;
        let Read { scene, test, .. } = self.read(piece).map_err(words)?;
        let (Some(case), times_s) = (piece.cases.first(), times_s_of(&scene, &test)) else { return Ok(Vec::new()) };
        let aovs = aovs(&test);
        let settings = Settings { aovs, scene_hash: false, ..self.setup.settings() };
        let take = self.take_with(&scene, &settings, times_s[case.moment]).map_err(words)?;
        Ok(take.captures.iter().map(pass_hash).collect())
    }

    /// The pictures of a piece by case, with a planted fault or without.
    ///
    /// Errors: why there are none, in words.
    pub fn pictures(&mut self, piece: &Piece, fault: Option<&Fault>) -> Result<Vec<(String, Picture)>, String> {
        let words = |failed: Failed| failed.message;
        let mut piece = piece.clone();
        if let Some(fault) = fault {
            // A mistake of the scene counts where the scene has such a thing.
            let tried = Piece { edits: [piece.edits.clone(), fault.set.clone()].concat(), ..piece.clone() };
            if self.read(&tried).is_ok() {
                piece = tried;
            }
        }
        let Read { scene, test, .. } = self.read(&piece).map_err(words)?;
        let settings = Settings {
            aovs: aovs(&test),
            scene_hash: false,
            capture: crate::take::Capture::Off,
            fault: fault.cloned(),
            ..self.setup.settings()
        };
        let kept = if fault.is_some() { &mut None } else { &mut self.equipment };
        let take = |kept: &mut Option<Equipment>| -> Result<Vec<(usize, Take)>, TakeError> {
            let mut sitting = Sitting::begin_with(kept, &scene, &settings, &mut |_| ())?;
            let mut takes = Vec::new();
            for (moment, time_s) in times_s_of(&scene, &test).into_iter().enumerate() {
                if piece.cases.iter().any(|case| case.moment == moment) {
                    takes.push((moment, sitting.at(time_s, &mut |_| ())?));
                }
            }
            *kept = Some(sitting.end());
            Ok(takes)
        };
        let takes = take(kept).map_err(|error| words(Failed::from(error)))?;
        let mut out = Vec::new();
        for case in &piece.cases {
            let of_moment = takes.iter().find(|(moment, _)| *moment == case.moment);
            let made =
                of_moment.and_then(|(_, take)| take.pictures.iter().find(|(aov, _)| aov.to_string() == case.aov));
            out.extend(made.map(|(_, picture)| (case.name.clone(), picture.clone())));
        }
        Ok(out)
    }

    fn judged(&mut self, piece: &Piece) -> Result<Vec<CaseRecord>, Failed> {
        let Read { scene, test, mut warnings } = self.read(piece)?;
        let of_text = warnings.len();
        let (times_s, names) = (times_s_of(&scene, &test), known::names(piece));
        let key = known::key(&self.setup, &scene, &names, &times_s);
        let is_bad = self.setup.strict && of_text > 0;
        if !is_bad && let Some(records) = self.unchanged(key, &test)? {
            return Ok(records);
        }
        let aovs = aovs(&test);
        let settings = Settings { aovs: aovs.clone(), ..self.setup.settings() };
        let mut entry = known::Entry::default();
        let mut candidates = Vec::new();
        let mut times = Vec::new();
        {
            let mut watch = Watch::new(self.clock);
            let mut sitting = Sitting::begin_with(&mut self.equipment, &scene, &settings, &mut |s| watch.hear(s))?;
            for (moment, time_s) in times_s.iter().enumerate() {
                let take = sitting.at(*time_s, &mut |stage| watch.hear(stage))?;
                let render_ms = watch.take_render_ms() / aovs.len() as f64;
                warnings.extend_from_slice(&take.warnings);
                for made in candidates_of(&take, *time_s, &self.pool) {
                    // A filter may have chosen some of a test's layers.
                    let of_made = |case: &&Case| case.moment == moment && case.aov == made.aov.to_string();
                    if let Some(case) = piece.cases.iter().find(of_made) {
                        candidates.push(Candidate { name: case.name.clone(), ..made });
                        times.push(render_ms);
                    }
                }
            }
            entry.files = files(&sitting, &self.setup.root);
            let inputs = Rc::new(self.inputs_of(piece, &entry.files));
            candidates.iter_mut().for_each(|candidate: &mut Candidate| candidate.inputs = Rc::clone(&inputs));
            self.equipment = Some(sitting.end());
        }
        entry.results = candidates.iter().map(Candidate::outcome).collect();
        entry.warned = warnings.len() > of_text;
        let mut contradicted = Vec::new();
        if let Some(Known { folder, distrust }) = &self.setup.known {
            let earlier = if *distrust { known::look_up(folder, key, &self.setup.root) } else { None };
            contradicted = earlier.map_or(Vec::new(), |earlier| contradictions(&earlier, &entry));
            known::keep(folder, key, &entry);
        }
        if self.setup.strict && !warnings.is_empty() {
            return Err(Failed::files(warnings));
        }
        let mut out = Vec::new();
        for (candidate, render_ms) in candidates.iter().zip(times) {
            let mut record = self.verdict(&scene, &test, candidate)?;
            record.render_ms = render_ms;
            if let Some((_, was)) = contradicted.iter().find(|(name, _)| *name == record.name) {
                record.status = Status::Nondet;
                record.other_hashes = vec![("an earlier run with the same inputs".into(), *was)];
                record.add_message("an earlier run with the same inputs gave a different picture: the cache was wrong");
            }
            out.push(record);
        }
        Ok(out)
    }

    /// The records of a piece whose pictures are known to be the references'.
    fn unchanged(&mut self, key: PixelHash, test: &Test) -> Result<Option<Vec<CaseRecord>>, Failed> {
        let Repeats { audit, ref via, count } = self.setup.repeats;
        let once = !audit && via.is_empty() && count <= 1;
        let plain = test.equals.is_empty() && test.differs.is_empty() && test.known_failure.is_none();
        let known = self.setup.known.as_ref().filter(|known| plain && once && !known.distrust);
        let Some(Known { folder, .. }) = known else { return Ok(None) };
        let Some(entry) = known::look_up(folder, key, &self.setup.root) else { return Ok(None) };
        if self.setup.strict && entry.warned {
            return Ok(None);
        }
        let mut out = Vec::new();
        for outcome in &entry.results {
            let (family, behaviour) = split_name(&outcome.name);
            let line = self.lock(family)?.find(behaviour).cloned();
            let Some(line) = line.filter(|line| line.adapter == outcome.adapter && line.pixels == outcome.pixels)
            else {
                return Ok(None);
            };
            // Who fails is looked at as a case that was rendered.
            if self.oversize(family, &line).is_some() || self.damage(family, &line)?.is_some() {
                return Ok(None);
            }
            out.push(CaseRecord {
                name: outcome.name.clone(),
                status: Status::Unchanged,
                adapter: outcome.adapter.clone(),
                size_px: outcome.size_px,
                format: outcome.format.clone(),
                hash: Some(outcome.pixels),
                want: Some(line.pixels),
                passes_root: outcome.passes_root,
                pass_count: outcome.pass_count,
                scene_hash: outcome.scene_hash,
                input: Some(key),
                ..CaseRecord::default()
            });
        }
        Ok(Some(out))
    }

    /// Reads the scene of a piece; its test apart, which no picture depends on.
    fn read(&self, piece: &Piece) -> Result<Read, Failed> {
        let file = self.setup.root.join(&piece.scene);
        let resolved = read(&file, &piece.edits).map_err(Failed::files)?;
        let (mut scene, warnings) = (resolved.scene, resolved.warnings);
        if let Some(fault) = self.setup.rendering.fault.as_ref().filter(|fault| !fault.set.is_empty()) {
            scene = read(&file, &[piece.edits.clone(), fault.set.clone()].concat()).map_err(Failed::files)?.scene;
        }
        let test = scene.test.take().unwrap_or_default();
        Ok(Read { scene, test, warnings })
    }

    /// The references of a family.
    fn lock(&mut self, family: &str) -> Result<&Lock, Failed> {
        if !self.locks.contains_key(family) {
            let lock = self.store.lock(family)?;
            self.locks.insert(family.to_string(), lock);
        }
        Ok(&self.locks[family])
    }
}

/// Pictures that an earlier run with the same inputs drew otherwise, by name, with what it drew.
fn contradictions(earlier: &known::Entry, now: &known::Entry) -> Vec<(String, PixelHash)> {
    let differs = |was: &&known::Outcome| {
        now.results.iter().any(|is| is.name == was.name && is.adapter == was.adapter && is.pixels != was.pixels)
    };
    earlier.results.iter().filter(differs).map(|was| (was.name.clone(), was.pixels)).collect()
}

/// Moments of a scene whose test was taken out.
fn times_s_of(scene: &Scene, test: &Test) -> Vec<f64> {
    times_s(&Scene { test: Some(test.clone()), ..scene.clone() })
}

/// Every file that a sitting read, from the project's folder where it lies below.
fn files(sitting: &Sitting, root: &std::path::Path) -> Vec<(String, Option<String>)> {
    let name = |path: &PathBuf| path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
    sitting.files().iter().map(|(path, hash)| (name(path), hash.map(|hash| hash.to_hex().to_string()))).collect()
}

/// What a take made, without names.
fn candidates_of(take: &Take, time_s: f64, pool: &Pool) -> Vec<Candidate> {
    let passes_text = print_passes(&take.captures.iter().map(pass_hash).collect::<Vec<_>>());
    let adapter = match take.stats.contract {
        Some(contract) => format!("soft/{contract}"),
        None => format!("native/{}", take.stats.adapter.split('(').next().unwrap_or_default().trim().replace(' ', "_")),
    };
    let candidate = |(aov, picture): &(Aov, Picture)| Candidate {
        name: String::new(),
        aov: aov.clone(),
        time_s,
        hash: picture.hash_on(pool),
        picture: picture.clone(),
        adapter: adapter.clone(),
        passes_root: (!take.captures.is_empty()).then(|| passes_root(&passes_text)),
        passes_text: passes_text.clone(),
        scene_hash: take.scene_hash.as_ref().and_then(|text| text.parse().ok()),
        inputs: Rc::default(),
    };
    take.pictures.iter().map(candidate).collect()
}

fn pass_hash(capture: &PassCapture) -> PassHash {
    let draw = |draw: &crate::take::DrawCapture| DrawHash {
        hash: PixelHash(*draw.hash.as_bytes()),
        node: draw.node.clone(),
        material: draw.material.clone(),
        pipeline: draw.pipeline.clone(),
    };
    PassHash {
        name: capture.name.clone(),
        hash: PixelHash(*capture.hash.as_bytes()),
        draws: capture.draws.iter().map(draw).collect(),
    }
}

impl Candidate {
    fn pass_count(&self) -> u32 {
        self.passes_text.lines().filter(|line| !line.starts_with(' ')).count() as u32
    }

    fn outcome(&self) -> known::Outcome {
        known::Outcome {
            name: self.name.clone(),
            pixels: self.hash,
            size_px: [self.picture.width_px, self.picture.height_px],
            format: self.picture.format().to_string(),
            adapter: self.adapter.clone(),
            passes_root: self.passes_root,
            pass_count: self.pass_count(),
            scene_hash: self.scene_hash,
        }
    }
}

/// Why a piece has no pictures.
#[derive(Debug)]
struct Failed {
    status: Status,
    message: String,
}

impl Failed {
    fn files(diagnostics: Vec<Diagnostic>) -> Failed {
        Failed { status: Status::Invalid, message: diagnostic_lines(&diagnostics) }
    }
}

/// Complaints as lines of plain text.
pub fn diagnostic_lines(diagnostics: &[Diagnostic]) -> String {
    let line = |diagnostic: &Diagnostic| {
        let text = bounded::read_text(&diagnostic.file, Vfs::FILE_MAX_BYTES).unwrap_or_default();
        let at = diagnostic.span.as_ref().map_or(String::new(), |span| {
            let at = crate::source::line_column(&text, span.start);
            format!(":{}:{}", at.line, at.column)
        });
        let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        format!("{}: {}{at}: {}{help}", diagnostic.code, diagnostic.file.display(), diagnostic.message)
    };
    diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}

impl From<TakeError> for Failed {
    fn from(error: TakeError) -> Failed {
        match error {
            TakeError::Scene(diagnostics) => Failed::files(diagnostics),
            TakeError::Adapter(message) => Failed { status: Status::Adapter, message },
            TakeError::World(message) | TakeError::Fault(message) => Failed { status: Status::Crash, message },
        }
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Failed {
        let status = if error.is_environment() { Status::Environment } else { Status::Crash };
        Failed { status, message: error.to_string() }
    }
}

/// Of the run's folder, the only one that is written without the store.
impl From<std::io::Error> for Failed {
    fn from(error: std::io::Error) -> Failed {
        Failed { status: Status::Environment, message: format!("the run's folder cannot be written: {error}") }
    }
}

/// How long each stage took.
struct Watch<'a> {
    clock: Clock<'a>,
    since: f64,
    stage: Option<Stage>,
    render_ms: f64,
}

impl<'a> Watch<'a> {
    fn new(clock: Clock<'a>) -> Watch<'a> {
        Watch { clock, since: clock(), stage: None, render_ms: 0.0 }
    }

    fn hear(&mut self, stage: Stage) {
        let now = (self.clock)();
        if self.stage.is_some_and(|stage| stage != Stage::Capture) {
            self.render_ms += now - self.since;
        }
        (self.since, self.stage) = (now, Some(stage));
    }

    /// What rendering took since the last time, the stage under way included.
    fn take_render_ms(&mut self) -> f64 {
        self.hear(Stage::Done);
        self.stage = None;
        std::mem::take(&mut self.render_ms)
    }
}
