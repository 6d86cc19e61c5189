//! `render`: scenes and models become pictures.

use std::collections::BTreeMap;
use std::fs;
use std::io::IsTerminal;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, builder::TypedValueParser};
use serde_json::{Value, json};
use stillframe_base::par::Pool;
use stillframe_frames::{CodeSpace, Picture, SIDE_MAX_PX, Samples, sheet};

use super::discover::{Input, inputs_as_given};
use super::encode::{Film, encode, encode_looked_at, layer_space, looked_at, texts};
use super::form::Form;
use super::kept::Kept;
use super::moment::{self, Moment, Moments, moments};
use super::place::{Place, Wish, places};
use super::rows::{self, Written};
use super::session::{self, Session};
use super::shot::ShotArgs;
use super::show::Show;
use super::stats::Stats;
use super::status::{self, Failure};
use super::values::one_of;
use super::{Surroundings, hash, interrupt, json as words, messages, shot, stderr, stdout};
use crate::scene::{Aov, Display, Resolved};
use crate::take::Dump;
use crate::take::{Settings, Take};

/// Render scenes (.toml) and models (.glb .gltf .fbx .obj .stl .ply) to pictures
#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  stillframe render model.glb                   framed and lit, into model.png
  stillframe render scene.toml -o picture.png
  stillframe render scene.toml -o - > picture.png         to standard output
  stillframe render - < scene.toml -o picture.png         from standard input
  stillframe render model.glb --show                      in the terminal
  stillframe render model.glb --size 640x360 --look 0,1,3:0,0.5,0
  stillframe render model.glb --view front --zoom 1.5
  stillframe render scene.toml --view mirror              one of its views
  stillframe render scene.toml --view all -o out/         each of its views
  stillframe render model.glb --turntable 60 -o turntable.gif
  stillframe render *.glb -o pictures/                    one picture each
  stillframe render *.glb --sheet 4x2 -o sheet.png        in one picture

  stillframe render scene.toml --frames 0..59 -o out/####.png
  stillframe render scene.toml --frames 0..59 -o moves.apng
  stillframe render models/ --sheet 4x2 -o sheet.png      all models of a folder
  stillframe render scene.toml --frames 0,20,40 --sheet 3x1 -o sheet.png

  stillframe render scene.toml --aov depth -o depth.npy   metres, for numpy
  stillframe render scene.toml --aov color,normal,id -o layers.exr
  stillframe render scene.toml --set output.samples=1
  stillframe render model.glb --set material.teapot.roughness=0.1
  stillframe render scene.toml --dump wgsl               its shaders, no picture")]
pub struct RenderArgs {
    /// Scenes (.toml), models (.glb .gltf .fbx .obj .stl .ply), folders to search for scenes or else models, or - for
    /// standard input
    #[arg(required = true)]
    pub input: Vec<PathBuf>,
    /// Output file; its extension (.png .apng .jpg .webp .gif .exr .npy) chooses the format. `####` stands for the
    /// frame number.
    /// `DIR/` derives names from the inputs. - is standard output [default: the input's name with .png, in the
    /// working folder]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Output format if OUT has no extension [default: png]
    #[arg(long, value_name = "FORM", value_parser = one_of(Form::WORDS))]
    pub format: Option<Form>,
    /// Arrange the pictures of all frames or inputs in one sheet of COLUMNSxROWS
    #[arg(long, value_name = "CxR", value_parser = columns_rows)]
    pub sheet: Option<[u32; 2]>,
    /// Show the picture in the terminal. A file is written only with -o
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    pub show: Option<Show>,
    #[command(flatten)]
    pub shot: ShotArgs,
    /// Continue a picture of [accumulate] that was interrupted. Its sum is kept in OUT.partial until it is done
    #[arg(long)]
    pub resume: bool,
    /// Also print the pixel hash
    #[arg(long, help_heading = "Further output")]
    pub hash: bool,
    /// Print one stage of the pipeline as text instead of rendering a picture
    #[arg(long, value_name = "STAGE", help_heading = "Further output", value_parser = dump_parser())]
    pub dump: Option<Dump>,
}

/// Whether standard output takes a picture, so that words go elsewhere.
pub fn writes_to_stdout(args: &RenderArgs) -> bool {
    args.output.as_deref() == Some(Path::new("-"))
}

pub fn run(args: &RenderArgs, surroundings: &Surroundings) -> Result<(), Failure> {
    interrupt::watch(&surroundings.unfinished);
    let aovs = shot::aovs(&args.shot)?;
    let holds_sequence = moment::holds_sequence(args.output.as_deref(), args.format, args.sheet.is_some());
    moment::check(&args.shot, holds_sequence)?;
    let inputs = inputs_as_given(&args.input)?;
    if let Some(dump) = args.dump {
        return self::dump(args, &inputs, shot::settings(&args.shot, aovs, 8, Some(dump)), surroundings);
    }
    let mut opened = Vec::new();
    for input in &inputs {
        // An input that cannot be opened is reported in its turn.
        opened.push(match session::scene(&input.path, &args.shot, surroundings) {
            Ok(resolved) => {
                let moments = moments(&args.shot, &resolved.scene.output, holds_sequence)?;
                Ok((resolved, moments))
            }
            Err(failure) => Err(failure),
        });
    }
    let planned = || opened.iter().flatten().map(|(_, moments)| moments);
    let is_sequence =
        args.shot.frames.is_some() || args.shot.turntable.is_some() || planned().any(|moments| moments.is_sequence);
    let counts = || planned().map(|moments| moments.all.len());
    let wish = Wish {
        output: args.output.as_deref(),
        format: args.format,
        sheet: args.sheet.is_some(),
        frame_count: counts().max().filter(|_| is_sequence && args.sheet.is_none()),
    };
    let (form, places) = places(&wish, &inputs)?;
    let views_of = |resolved: &Resolved| session::views(&args.shot, &resolved.scene).len();
    let pictures = opened.iter().flatten().map(|(resolved, moments)| views_of(resolved) * moments.all.len()).sum();
    let several_views = opened.iter().flatten().any(|(resolved, _)| views_of(resolved) > 1);
    check(args, form, &places, aovs.len(), is_sequence, pictures)?;
    if several_views && places.contains(&Place::Stdout) && form != Form::Png && args.sheet.is_none() {
        let help = Some("name a file or a folder (`-o DIR/`), or choose one view".to_string());
        return Err(Failure::Usage(format!("standard output can hold only one .{} file", form.word()), help));
    }
    let show = show(args)?;
    let settings = Settings {
        scene_hash: form == Form::Exr || args.resume,
        // Other files, sheets and terminals have sRGB.
        for_display: matches!(form, Form::Png | Form::Apng) && args.sheet.is_none() && show == Show::Never,
        ..shot::settings(&args.shot, aovs, form.color_bits(args.shot.bits), None)
    };
    let mut run = Run {
        args,
        form,
        // `--show` alone writes no file.
        writes: args.show.is_none() || args.output.is_some(),
        show,
        pool: Pool::new(args.shot.threads.unwrap_or(0) as usize),
        cells: Vec::new(),
        stats: Stats::new(surroundings.start),
        surroundings,
    };
    let mut worst = status::OK;
    for (index, (input, opened)) in inputs.iter().zip(opened).enumerate() {
        let place = places.get(index).unwrap_or(&places[0]);
        match opened.and_then(|opened| run.input(input, opened, &settings, place)) {
            // Of several, the others are still wanted; a sheet with holes is not.
            Err(failure) if inputs.len() > 1 && args.sheet.is_none() && failure.is_of_one_input() => {
                messages::failure(&failure, surroundings);
                worst = status::worse(worst, failure.status());
            }
            other => other?,
        }
    }
    if let Some([columns, rows]) = args.sheet {
        run.sheet(columns, rows, &places[0])?;
    }
    run.stats.write(args.shot.stats.as_deref(), surroundings)?;
    if worst == status::OK { Ok(()) } else { Err(Failure::Several(worst)) }
}

/// What fits together, before anything is drawn.
fn check(
    args: &RenderArgs,
    form: Form,
    places: &[Place],
    aovs: usize,
    is_sequence: bool,
    pictures: usize,
) -> Result<(), Failure> {
    let usage = |message: String, help: &str| Err(Failure::Usage(message, Some(help.to_string())));
    if aovs > 1 && !form.holds_several() {
        return usage(
            format!("a .{} file can hold only one layer", form.word()),
            "write several layers to an .exr file: `-o NAME.exr`",
        );
    }
    if form == Form::Apng && args.sheet.is_some() {
        return usage("`--sheet` makes one picture, not an .apng".into(), "end the name with .png, or omit `--sheet`");
    }
    if form == Form::Apng && !is_sequence {
        let help =
            "choose them, for example `--frames 0..29` or `--turntable 60`, or set `frames` in the scene's [output]";
        return usage("an .apng file needs several frames".into(), help);
    }
    if let Some([columns, rows]) = args.sheet {
        if pictures > (columns * rows) as usize {
            let message = format!("{pictures} pictures do not fit in {columns}x{rows} cells");
            return usage(
                message,
                &format!("`--sheet {columns}x{}` has room for them", pictures.div_ceil(columns as usize)),
            );
        }
        if pictures == 1 {
            return usage("`--sheet` needs several pictures".into(), "name several inputs, or frames: `--frames 0..7`");
        }
    }
    if args.resume && (args.sheet.is_some() || form.is_film() || places.contains(&Place::Stdout)) {
        let help = "write each picture to a file of its own, for example `-o picture.png`";
        return usage("`--resume` keeps the sum of a picture next to its file".into(), help);
    }
    let on_stdout = places.contains(&Place::Stdout);
    if on_stdout && (args.show.is_none() && std::io::stdout().is_terminal()) {
        return usage(
            "refusing to write a picture to the terminal".into(),
            "redirect it (`-o - > picture.png`), name a file, or use `--show`",
        );
    }
    if on_stdout && args.show.is_some() {
        return usage("`--show` and `-o -` both write to standard output".into(), "write the picture to a file");
    }
    Ok(())
}

/// How pictures are shown.
fn show(args: &RenderArgs) -> Result<Show, Failure> {
    let show = args.show.map_or(Show::Never, Show::settled);
    if args.show == Some(Show::Auto) && show == Show::Never && args.output.is_none() {
        let help = "if it can, use `--show=kitty`, `--show=iterm` or `--show=sixel`; or write a file with `-o`";
        return Err(Failure::Usage("cannot detect how this terminal shows pictures".into(), Some(help.into())));
    }
    Ok(show)
}

/// The text form of a link, of one input at each moment.
fn dump(args: &RenderArgs, inputs: &[Input], settings: Settings, surroundings: &Surroundings) -> Result<(), Failure> {
    let link = settings.dump.map(dump_word);
    let [input] = inputs else { return Err(Failure::usage("`--dump` needs one input")) };
    let resolved = session::scene(&input.path, &args.shot, surroundings)?;
    let Moments { all, frame_s, is_sequence, .. } = moments(&args.shot, &resolved.scene.output, false)?;
    let settings = Settings { frame_s, ..settings };
    let mut session = match settings.dump {
        // Its own text is there before its files are read.
        Some(Dump::Scene) => {
            messages::warnings(&resolved.warnings, &args.shot.edits, args.shot.strict, surroundings)?;
            None
        }
        _ => Some(Session::begin(&input.name, &resolved, &settings, &all, &args.shot, surroundings)?),
    };
    for moment in all {
        let time_s = moment.time_s.unwrap_or(resolved.scene.time_s);
        let text = match &mut session {
            Some(session) => session.at(moment)?.0.dump.unwrap_or_default(),
            None => {
                let mut scene = resolved.scene.clone();
                scene.move_to(time_s);
                scene.print()
            }
        };
        if surroundings.json.is_some() {
            let lines: Vec<&str> = text.lines().collect();
            let fields = json!({
                "link": link, "name": input.name, "frame": moment.frame, "time_s": time_s, "lines": lines,
            });
            stdout::line(&words::text("dump/1", &fields))?;
            continue;
        }
        if is_sequence {
            stdout::line(&format!("==== frame {}", moment.frame.unwrap_or(0)))?;
        }
        stdout::write(text.as_bytes())?;
    }
    Ok(())
}

/// A run over all inputs.
struct Run<'a> {
    args: &'a RenderArgs,
    form: Form,
    writes: bool,
    show: Show,
    pool: Pool,
    /// What becomes one sheet: pictures by what they show, and what an EXR says.
    cells: Vec<(Vec<(Aov, Picture)>, BTreeMap<&'static str, String>)>,
    stats: Stats,
    surroundings: &'a Surroundings,
}

impl Run<'_> {
    fn input(
        &mut self,
        input: &Input,
        (resolved, moments): (Resolved, Moments),
        settings: &Settings,
        place: &Place,
    ) -> Result<(), Failure> {
        let shot = &self.args.shot;
        let Moments { all: moments, frames_per_second, frame_s, .. } = moments;
        let settings = Settings { frame_s, ..settings.clone() };
        let mut session = Session::begin(&input.name, &resolved, &settings, &moments, shot, self.surroundings)?;
        for view in session.views() {
            let name = session.show(view)?;
            let own = view.map(|at| resolved.scene.views[at].name.as_str());
            let place = own.map_or_else(|| place.clone(), |own| place.of_view(own));
            self.pictures((&name, own), (&moments, frames_per_second), &mut session, &place)?;
        }
        Ok(())
    }

    /// Pictures at some moments, of the scene or of one of its views.
    fn pictures(
        &mut self,
        (name, view): (&str, Option<&str>),
        (moments, frames_per_second): (&[Moment], f64),
        session: &mut Session<'_>,
        place: &Place,
    ) -> Result<(), Failure> {
        let mut film: Option<Film> = None;
        let parts = parts(moments);
        for (index, moment) in moments.iter().enumerate() {
            if let Some(bands) = self.bands(session)? {
                let path = self.path(place, moment.frame);
                path.iter().try_for_each(|path| self.make_folder(place, path))?;
                let written = rows::write(session, *moment, &bands, path.as_deref(), self.surroundings)?;
                self.wrote((name, view), *moment, written, path)?;
                continue;
            }
            let kept = self.path(place, moment.frame).filter(|_| self.args.resume);
            kept.iter().try_for_each(|picture| self.make_folder(place, picture))?;
            let kept = kept.map(|picture| Kept::beside(&picture, self.surroundings));
            let (taken, stats) = session.at_kept(*moment, kept.as_ref())?;
            self.stats.takes.push(stats);
            let mut files = Vec::new();
            if self.args.sheet.is_some() {
                self.cells.push((taken.pictures.clone(), texts(&taken)));
            } else if self.form.is_film() {
                let (aov, picture) = &taken.pictures[0];
                let frame = looked_at(aov, picture);
                if film.is_none() {
                    let space = layer_space(aov, taken.display);
                    let timing = (moments.len() as u32, frames_per_second);
                    film = Some(Film::new(self.form, (&frame, space), timing)?);
                }
                film.as_mut().expect("made just above").push_for(&frame, parts[index])?;
            } else if self.writes {
                let bytes = encode(self.form, (&taken.pictures, taken.display), &texts(&taken), &self.pool)?;
                files.extend(self.write(place, moment.frame, &bytes)?);
                kept.iter().for_each(Kept::remove);
            }
            if self.args.sheet.is_none() {
                self.shown(&taken.pictures)?;
            }
            self.tell((name, view), *moment, &taken, files)?;
        }
        if let Some(film) = film
            && self.writes
        {
            let bytes = film.finish()?;
            if let Some(file) = self.write(place, None, &bytes)? {
                words::line("file/1", json!({ "name": name, "file": file }), self.surroundings)?;
            }
        }
        Ok(())
    }

    /// Rows of a picture that are written one after the other; `None`: it is drawn as a whole, or put together first.
    fn bands(&self, session: &Session<'_>) -> Result<Option<Vec<Range<u32>>>, Failure> {
        let args = self.args;
        let in_rows = self.form == Form::Png
            && self.writes
            && args.shot.aov == ["color"]
            && args.sheet.is_none()
            && args.show.is_none()
            && !args.hash
            && !args.resume;
        let bands = if in_rows { session.bands() } else { None };
        let [width_px, height_px] = session.size_px();
        if bands.is_none() && width_px.max(height_px) > SIDE_MAX_PX {
            let message = format!("a picture of {width_px}x{height_px} pixels can only be written row by row");
            let help =
                "write the colour of one camera to a .png file, without `--sheet`, `--show`, `--hash` and `--resume`";
            return Err(Failure::Usage(message, Some(help.into())));
        }
        Ok(bands)
    }

    /// Says what was written row by row.
    fn wrote(
        &mut self,
        (name, view): (&str, Option<&str>),
        moment: Moment,
        written: Written,
        path: Option<PathBuf>,
    ) -> Result<(), Failure> {
        let Written { size_px, format, stats } = written;
        self.stats.takes.push(stats);
        if let Some(path) = path.as_ref().filter(|_| self.surroundings.verbose) {
            stderr::note(&format!("wrote {}", path.display()));
        }
        if self.surroundings.json.is_none() {
            return Ok(());
        }
        let picture = json!({ "aov": "color", "format": format, "pixels": null });
        let file = path.map(|path| path.display().to_string());
        self.document((name, view), moment, file, size_px, vec![picture])
    }

    fn sheet(&mut self, columns: u32, rows: u32, place: &Place) -> Result<(), Failure> {
        let cells = std::mem::take(&mut self.cells);
        let mut pictures = Vec::new();
        for (index, (aov, _)) in cells[0].0.iter().enumerate() {
            let mut all: Vec<Picture> = cells.iter().map(|(pictures, _)| pictures[index].1.clone()).collect();
            if self.form.is_looked_at() {
                all = all.iter().map(|picture| looked_at(aov, picture)).collect();
            }
            // If some pictures are transparent, all get alpha.
            if all.iter().any(|picture| picture.channel_count == 4) {
                all = all.into_iter().map(with_alpha).collect();
            }
            let one = sheet(&all, columns, rows).map_err(|error| Failure::usage(error.to_string()))?;
            pictures.push((aov.clone(), one));
        }
        self.shown(&pictures)?;
        if self.writes {
            // Numbers of objects mean what they mean in the first.
            let mut texts = cells[0].1.clone();
            if cells.iter().any(|(_, other)| other.get("stillframe.scene") != texts.get("stillframe.scene")) {
                texts.remove("stillframe.scene");
            }
            let bytes = match (self.form, &pictures[0].1.samples) {
                // Mapped already.
                (form, Samples::U8(_) | Samples::U16(_)) if form.is_looked_at() => {
                    encode_looked_at(form, &pictures[0].1, CodeSpace::Srgb)?
                }
                _ => encode(self.form, (&pictures, Display::Srgb), &texts, &self.pool)?,
            };
            if let Some(file) = self.write(place, None, &bytes)? {
                words::line("file/1", json!({ "name": "sheet", "file": file }), self.surroundings)?;
            }
        }
        Ok(())
    }

    /// Writes a file; says its name if it has one.
    fn write(&self, place: &Place, frame: Option<i32>, bytes: &[u8]) -> Result<Option<String>, Failure> {
        let Some(path) = self.path(place, frame) else {
            stdout::write(bytes)?;
            return Ok(None);
        };
        self.make_folder(place, &path)?;
        self.surroundings.unfinished.write(&path, bytes).map_err(|error| Failure::of_write(&path, &error))?;
        if self.surroundings.verbose {
            stderr::note(&format!("wrote {}", path.display()));
        }
        Ok(Some(path.display().to_string()))
    }

    /// The file of a picture; `None`: standard output.
    fn path(&self, place: &Place, frame: Option<i32>) -> Option<PathBuf> {
        match place {
            Place::Stdout => None,
            Place::File(path) => Some(path.clone()),
            // A still among sequences is a sequence of one.
            Place::Numbered(numbered) => Some(numbered.file(frame.unwrap_or(0))),
        }
    }

    /// The folder of a single file may be mistyped; frames are to have one of their own.
    fn make_folder(&self, place: &Place, path: &Path) -> Result<(), Failure> {
        let numbered = matches!(place, Place::Numbered(_));
        let folder = path.parent().filter(|folder| numbered || self.makes(folder));
        folder.map_or(Ok(()), |folder| fs::create_dir_all(folder).map_err(|error| Failure::of_write(folder, &error)))
    }

    /// Whether a folder is made where there is none: one that is named as a folder, or below it.
    fn makes(&self, folder: &Path) -> bool {
        let asked = self.args.output.as_deref().unwrap_or(Path::new(""));
        let named = asked.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]) || asked.is_dir();
        named && !folder.as_os_str().is_empty() && folder.starts_with(asked)
    }

    fn shown(&self, pictures: &[(Aov, Picture)]) -> Result<(), Failure> {
        if matches!(self.show, Show::Never | Show::Auto) {
            return Ok(());
        }
        pictures.iter().try_for_each(|(aov, picture)| self.show.draw(&looked_at(aov, picture)))
    }

    /// What programs want to know of a picture.
    fn document(
        &self,
        (name, view): (&str, Option<&str>),
        moment: Moment,
        file: Option<String>,
        size_px: [u32; 2],
        pictures: Vec<Value>,
    ) -> Result<(), Failure> {
        let fields = json!({
            "name": name,
            "view": view,
            "frame": moment.frame,
            "time_s": moment.time_s,
            "file": file,
            "size_px": size_px,
            "pictures": pictures,
        });
        words::line("render/1", fields, self.surroundings)
    }

    /// The identity of pixels where it was asked for, and what programs want to know.
    fn tell(
        &self,
        (name, view): (&str, Option<&str>),
        moment: Moment,
        taken: &Take,
        files: Vec<String>,
    ) -> Result<(), Failure> {
        if self.surroundings.json.is_some() {
            let pictures = taken.pictures.iter().map(|(aov, picture)| {
                json!({
                    "aov": aov.to_string(),
                    "format": picture.format().to_string(),
                    "pixels": self.args.hash.then(|| picture.hash().to_string()),
                })
            });
            let (_, first) = &taken.pictures[0];
            let size_px = [first.width_px, first.height_px];
            return self.document((name, view), moment, files.first().cloned(), size_px, pictures.collect());
        }
        if !self.args.hash {
            return Ok(());
        }
        for (aov, picture) in &taken.pictures {
            match self.args.output.as_deref() {
                // Standard output holds the picture.
                Some(out) if out == Path::new("-") => {
                    stderr::note(&hash::line(picture, name, moment, aov));
                }
                _ => hash::tell(picture, name, moment, aov, self.surroundings)?,
            }
        }
        Ok(())
    }
}

/// How long each frame of an animation stays, in frames: until the next one that was asked for. The last stays as long
/// as the shortest of them, and so does a frame whose next one is not later.
fn parts(moments: &[Moment]) -> Vec<u32> {
    let until = |pair: &[Moment]| match (pair[0].frame, pair[1].frame) {
        (Some(now), Some(next)) => u32::try_from(i64::from(next) - i64::from(now)).unwrap_or(0),
        _ => 1,
    };
    let steps: Vec<u32> = moments.windows(2).map(until).collect();
    let shortest = steps.iter().copied().filter(|step| *step > 0).min().unwrap_or(1);
    steps.iter().map(|step| if *step > 0 { *step } else { shortest }).chain([shortest]).collect()
}

/// The same with alpha, opaque where it had none.
fn with_alpha(picture: Picture) -> Picture {
    fn widened<T: Copy>(values: &[T], opaque: T) -> Vec<T> {
        values.chunks_exact(3).flat_map(|texel| [texel[0], texel[1], texel[2], opaque]).collect()
    }
    if picture.channel_count != 3 {
        return picture;
    }
    let samples = match &picture.samples {
        Samples::U8(values) => Samples::U8(widened(values, u8::MAX)),
        Samples::U16(values) => Samples::U16(widened(values, u16::MAX)),
        Samples::F32(values) => Samples::F32(widened(values, 1.0)),
        Samples::U32(_) => return picture,
    };
    Picture { channel_count: 4, samples, ..picture }
}

const DUMPS: &[(&str, Dump)] = &[
    ("scene", Dump::Scene),
    ("animation", Dump::Animation),
    ("world", Dump::World),
    ("shot", Dump::Shot),
    ("wgsl", Dump::Wgsl),
    ("keys", Dump::Keys),
    ("graph", Dump::Graph),
    ("plan", Dump::Plan),
    ("program", Dump::Program),
    ("environment", Dump::Environment),
];

fn dump_parser() -> impl TypedValueParser<Value = Dump> {
    one_of(DUMPS)
}

/// As the command line spells it.
pub fn dump_word(dump: Dump) -> &'static str {
    DUMPS.iter().find(|(_, of)| *of == dump).map_or("", |(word, _)| word)
}

/// `4x2`: columns and rows.
fn columns_rows(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X']).and_then(|(c, r)| Some([c.trim().parse().ok()?, r.trim().parse().ok()?]));
    match sides {
        Some([columns @ 1..=1024, rows @ 1..=1024]) => Ok([columns, rows]),
        _ => Err("expected COLUMNSxROWS such as 4x2, each from 1 to 1024".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_stay_until_the_next_one() {
        for (frames, want) in [
            (vec![0, 1, 5], vec![1, 4, 1]),
            (vec![0, 10, 20], vec![10, 10, 10]),
            (vec![-3, -2, -1], vec![1, 1, 1]),
            (vec![7], vec![1]),
            // Back to the start, and twice the same.
            (vec![0, 2, 4, 0, 2], vec![2, 2, 2, 2, 2]),
            (vec![5, 5, 8], vec![3, 3, 3]),
            (vec![i32::MIN, i32::MAX], vec![u32::MAX, u32::MAX]),
        ] {
            let moments: Vec<Moment> =
                frames.iter().map(|frame| Moment { frame: Some(*frame), time_s: None, turn: None }).collect();
            assert_eq!(parts(&moments), want, "{frames:?}");
        }
    }
}
